// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/base/log.h"

#include <unistd.h>

#include <cstdlib>
#include <string>

#include "device_sim/base/uncancelled.h"

namespace acl {
namespace {

constexpr int kNoLevel = 4;

int threshold() {
  static const int level = [] {
    const char* const to_stdout = std::getenv("ASCEND_SLOG_PRINT_TO_STDOUT");
    if (!to_stdout || std::string_view(to_stdout) != "1") return kNoLevel;
    const char* const text = std::getenv("ASCEND_GLOBAL_LOG_LEVEL");
    if (!text || text[0] < '0' || text[0] > '4' || text[1] != 0) return static_cast<int>(ACL_ERROR);
    return text[0] - '0';
  }();
  return level;
}

void write_line(int fd, std::string line) {
  line += '\n';
  const sim::Uncancelled whole;
  // One write, so that lines of several threads do not mix.
  [[maybe_unused]] const ssize_t written = write(fd, line.data(), line.size());
}

}  // namespace

void log(aclLogLevel level, std::string_view text) noexcept {
  if (static_cast<int>(level) < threshold()) return;
  static constexpr std::string_view kNames[] = {"DEBUG", "INFO", "WARNING", "ERROR"};
  try {
    write_line(STDOUT_FILENO, "[" + std::string(kNames[level & 3]) + "] ACL " + std::string(text));
  } catch (...) {
  }
}

void notice(std::string_view text) noexcept {
  try {
    write_line(STDERR_FILENO, "aclsim: " + std::string(text));
  } catch (...) {
  }
}

}  // namespace acl
