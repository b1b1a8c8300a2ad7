// SPDX-License-Identifier: Apache-2.0
#include "tests/support/waiting.h"

#include <sys/syscall.h>
#include <unistd.h>

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

}  // namespace support
