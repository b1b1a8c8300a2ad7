// SPDX-License-Identifier: Apache-2.0
#include "tests/support/waiting.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace support {

void let_time_pass(std::chrono::nanoseconds time) { std::this_thread::sleep_for(time); }

pid_t this_thread_number() { return static_cast<pid_t>(syscall(SYS_gettid)); }

bool is_blocked(pid_t thread) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string text;
  std::getline(file, text, '\0');  // the name may hold anything
  const std::size_t name_end = text.rfind(')');
  return name_end != std::string::npos && text.compare(name_end, 3, ") S") == 0;
}

bool others_are_blocked() {
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    const auto thread = static_cast<pid_t>(std::stol(entry.path().filename().string()));
    if (thread != this_thread_number() && !is_blocked(thread)) return false;
  }
  return true;
}

}  // namespace support
