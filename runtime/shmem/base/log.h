// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shmem {

enum class Level : int { debug, info, warning, error, fatal };

/// A line of the library, where its level is asked for: to standard error (standard output with
/// SHMEM_LOG_TO_STDOUT=1, else a file in the folder SHMEM_LOG_PATH) and to the program's logger.
void log(Level level, const std::string& text) noexcept;

/// SHMEM_LOG_LEVEL wins. False for a number that is none.
bool set_log_level(int level) noexcept;
using Logger = void (*)(int level, const char* text);
void set_logger(Logger logger) noexcept;

}  // namespace shmem
