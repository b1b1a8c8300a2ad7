// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "runtime/acl/check/findings.h"

namespace acl {

/// Tells the findings: as text on stderr, and in the files that were asked for. A file that cannot
/// be written is reported on stderr.
void write_reports(const CheckConfig& config, const std::vector<order::Finding>& findings);

/// For a finding after which the process may hang: tells it, and writes all reports but the one for
/// the check of all processes.
void tell_at_once(const CheckConfig& config, const order::Finding& finding,
                  const std::vector<order::Finding>& all);

}  // namespace acl
