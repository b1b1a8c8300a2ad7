// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "runtime/order/report/report.h"

namespace aclsim {

/// Reads a report that order::to_json wrote. Throws std::runtime_error if it cannot be read.
order::Report read_findings(const std::string& text);

/// Adds file and line to locations of which the process knew only the library and the offset.
void add_lines(order::Report& report);

/// Joins the reports of several processes, whose findings name their process. A suppression counts
/// as used if one of them used it.
order::Report join(std::vector<order::Report> reports);

}  // namespace aclsim
