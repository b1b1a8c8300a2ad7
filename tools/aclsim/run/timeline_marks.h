// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "runtime/order/report/report.h"

namespace aclsim {

/// Adds to a timeline that is complete what the checker found: for two accesses that nothing orders
/// a red slice on a track of findings, and an arrow from one to the other. Returns how many it
/// could place.
std::size_t mark_findings(const std::string& path, const order::Report& report);

}  // namespace aclsim
