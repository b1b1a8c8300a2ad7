// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "runtime/order/report/report.h"

namespace aclsim {

/// Adds the checker's findings to a complete timeline: for two unordered accesses, a red slice on a
/// track of findings and an arrow from one access to the other. Returns the number of findings that
/// it could place.
std::size_t mark_findings(const std::string& path, const order::Report& report);

}  // namespace aclsim
