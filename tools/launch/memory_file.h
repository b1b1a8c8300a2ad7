// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace launch {

/// A file in memory, without a name in any folder. It disappears with this object, also if the
/// process is killed.
class MemoryFile {
 public:
  /// Throws std::system_error.
  MemoryFile(const char* name, std::string_view content);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  /// The path by which processes of the same user read the file.
  std::string path() const;

 private:
  int fd_ = -1;
};

}  // namespace launch
