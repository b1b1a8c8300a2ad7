// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/order/report/report.h"

namespace acl {

/// A number for a line that the program names itself. It is never a code address, and the same for
/// the same line; `file` lives as long as the process.
std::uint64_t named_site(const char* file, std::uint32_t line);
/// The line of such a number; nullopt for code addresses.
std::optional<order::Place> place_of_named_site(std::uint64_t site);

}  // namespace acl
