// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/base/log.h"

#include <fcntl.h>
#include <strings.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

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

/// The log file of this process in the folder SHMEM_LOG_PATH; -1 if the variable is not set or the
/// file cannot be opened.
int log_file() noexcept {
  static const int file = [] {
    const char* const folder = std::getenv("SHMEM_LOG_PATH");
    if (!folder || !*folder) return -1;
    std::error_code ignored;
    std::filesystem::create_directories(folder, ignored);
    const std::string name = std::string(folder) + "/shmem_" + std::to_string(getpid()) + ".log";
    constexpr mode_t kMode = 0640;
    return open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kMode);
  }();
  return file;
}

int output() noexcept {
  if (to_standard_output()) return STDOUT_FILENO;
  const int file = log_file();
  return file >= 0 ? file : STDERR_FILENO;
}

}  // namespace

void log(Level level, const std::string& text) noexcept {
  const int number = static_cast<int>(level);
  if (number < level_wanted()) return;
  if (const Logger logger = logger_now) logger(number, text.c_str());
  try {
    const std::string line =
        std::string("[SHMEM ") + kNames[static_cast<std::size_t>(number)] + "] " + text + "\n";
    // One write, so that lines of several PEs are not mixed.
    [[maybe_unused]] const ssize_t written = write(output(), line.data(), line.size());
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
