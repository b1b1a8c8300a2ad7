// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/base/log.h"

#include <strings.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <string_view>

namespace shmem {
namespace {

constexpr std::array kNames = {"DEBUG", "INFO", "WARN", "ERROR", "FATAL"};

std::atomic<int> level_now{static_cast<int>(Level::error)};
std::atomic<Logger> logger_now{nullptr};

int level_wanted() noexcept {
  const char* const name = std::getenv("SHMEM_LOG_LEVEL");
  for (std::size_t i = 0; name && i < kNames.size(); ++i) {
    if (strcasecmp(name, kNames[i]) == 0) return static_cast<int>(i);
  }
  return level_now;
}

bool to_standard_output() noexcept {
  const char* const value = std::getenv("SHMEM_LOG_TO_STDOUT");
  return value && std::string_view(value) == "1";
}

}  // namespace

void log(Level level, const std::string& text) noexcept {
  const int number = static_cast<int>(level);
  if (number < level_wanted()) return;
  if (const Logger logger = logger_now) logger(number, text.c_str());
  try {
    const std::string line =
        std::string("[SHMEM ") + kNames[static_cast<std::size_t>(number)] + "] " + text + "\n";
    // One call, so that lines of several PEs do not mix.
    [[maybe_unused]] const ssize_t written =
        write(to_standard_output() ? STDOUT_FILENO : STDERR_FILENO, line.data(), line.size());
  } catch (...) {  // no memory for a line
  }
}

bool set_log_level(int level) noexcept {
  if (level < 0 || level >= static_cast<int>(kNames.size())) return false;
  level_now = level;
  return true;
}

void set_logger(Logger logger) noexcept { logger_now = logger; }

}  // namespace shmem
