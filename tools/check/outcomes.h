// SPDX-License-Identifier: Apache-2.0
// What a recording says of how calls, tasks and the program ended.
#pragma once

#include <cstddef>

#include "tools/check/findings.h"
#include "tools/trace/trace.h"

namespace check {

/// Failed calls and tasks, functions that nobody served, what was left at the end. Returns how many
/// calls failed for what has rules of its own, which the recording does not hold.
std::size_t lint_outcomes(const trace::Trace& trace, Findings& findings);

}  // namespace check
