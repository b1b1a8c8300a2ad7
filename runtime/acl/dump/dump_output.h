// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "acl/acl_dump.h"
#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"

namespace acl {

/// The target of dumped data: files, or a function of the program that gets it in chunks. The
/// function is called in the thread that dumps, and several threads may call it at once.
class DumpOutput {
 public:
  using Callback = std::int32_t (*)(const acldumpChunk*, std::int32_t);

  /// Null: files again.
  void set_callback(Callback callback, std::int32_t flag);
  /// Raises ACL_ERROR_INVALID_FILE for a file that cannot be written, ACL_ERROR_INTERNAL_ERROR when
  /// the function returns something else than 0.
  void write(const std::string& path, const std::string& head, const void* data, std::size_t size);

 private:
  sim::Mutex mutex_;
  Callback callback_ GUARDED_BY(mutex_) = nullptr;
  std::int32_t flag_ GUARDED_BY(mutex_) = 0;
};

/// A part of a file name: unusual characters become '_', and a part that is too long is cut.
std::string file_name_part(const std::string& text);

}  // namespace acl
