// SPDX-License-Identifier: Apache-2.0
// Files that the runtime writes for the program.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "acl/acl_base.h"

namespace acl {

/// The time of day as digits, in UTC, to the millisecond: 20260131235959123.
std::string time_digits();

/// Makes the folder and those above it; its absolute path. Raises `code` when it cannot be made or
/// not be written to.
std::filesystem::path make_folder(const std::filesystem::path& path, const char* argument,
                                  aclError code);

/// Raises `code` when the file cannot be written whole.
void write_file(const std::filesystem::path& path, std::string_view content, aclError code);

}  // namespace acl
