// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace killed {

/// Writes a program that only starts itself again, and that the kernel loads slowly: most of the
/// time the process is in exec and has no environment. False if there is no version for this
/// processor.
bool write_slow_exec(const std::filesystem::path& path);

}  // namespace killed
