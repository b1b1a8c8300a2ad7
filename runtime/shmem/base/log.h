// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shmem {

enum class Level : int { debug, info, warning, error, fatal };

/// Writes a line if its level is enabled: to standard error (standard output with
/// SHMEM_LOG_TO_STDOUT=1, otherwise to a file in the folder SHMEM_LOG_PATH if that is set) and to
/// the program's logger.
void log(Level level, const std::string& text) noexcept;

/// SHMEM_LOG_LEVEL has precedence. Returns false for an unknown level.
bool set_log_level(int level) noexcept;
using Logger = void (*)(int level, const char* text);
void set_logger(Logger logger) noexcept;

}  // namespace shmem
