// SPDX-License-Identifier: Apache-2.0
// Names in /dev/shm, which outlive the processes that made them.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "tests/support/waiting.h"

namespace support {

inline std::set<std::string> shared_memory_files() {
  std::set<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/dev/shm", ignored)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

/// The files that did not exist before, one on each line. Others make and remove some meanwhile:
/// waits for these to go.
inline std::string new_shared_memory_files(const std::set<std::string>& before) {
  std::string found;
  const auto nothing = [&] {
    found.clear();
    for (const std::string& name : shared_memory_files()) {
      if (before.count(name) == 0) found += "/dev/shm/" + name + "\n";
    }
    return found.empty();
  };
  eventually(nothing, kDeadline, std::chrono::milliseconds(1));
  return found;
}

}  // namespace support
