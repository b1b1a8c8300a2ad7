// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace launch {

/// A file in memory, which no folder has: it is gone with this object, whatever ends the process.
class MemoryFile {
 public:
  /// Throws std::system_error.
  MemoryFile(const char* name, std::string_view content);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  /// Where processes of the same user read it.
  std::string path() const;

 private:
  int fd_ = -1;
};

}  // namespace launch
