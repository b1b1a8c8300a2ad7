// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "runtime/acl/base/check_config.h"
#include "runtime/acl/findings/findings.h"
#include "runtime/order/report/peaks.h"
#include "runtime/order/report/report.h"

namespace acl {

/// Writes the findings: as text on stderr, to the files of the configuration, and to who checks all
/// processes. A file that cannot be written is reported on stderr. On stderr, `peaks` are left out
/// unless a limit is near. `blocked`: what the threads of a program wait for that ends in a hang.
bool write_reports(const CheckConfig& config, const std::vector<order::Finding>& findings,
                   order::KernelCounts kernels, const std::vector<order::DevicePeaks>& peaks = {},
                   const std::vector<std::string>& blocked = {});

/// For a finding after which the process may hang: prints it, and writes all reports but the one
/// for the check of all processes.
void report_at_once(const CheckConfig& config, const order::Finding& finding,
                    const std::vector<order::Finding>& all, order::KernelCounts kernels);

/// A deadlock that was reported at once was not one: prints that, and writes those reports anew.
void report_withdrawn(const CheckConfig& config, const order::Finding& line,
                      const std::vector<order::Finding>& all, order::KernelCounts kernels);

/// Findings as the text report has them.
std::string in_words(const std::vector<order::Finding>& findings);
/// "FILE:LINE: message", without level and rule, for messages that are not findings.
std::string in_one_line(const order::Finding& finding);
/// The same for a caller that looks places up by itself.
std::string in_one_line(const order::Finding& finding, const order::Resolve& resolve);

}  // namespace acl
