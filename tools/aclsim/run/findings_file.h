// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "runtime/order/report/report.h"

namespace aclsim {

/// A report as order::to_json wrote it. Throws std::runtime_error for one that cannot be read.
order::Report read_findings(const std::string& text);

/// Adds lines where the process knew only the library and the offset in it.
void add_lines(order::Report& report);

/// One report of several processes; each finding says whose it is when there are more than one.
/// A suppression that one of them used is used.
order::Report join(std::vector<order::Report> reports);

}  // namespace aclsim
