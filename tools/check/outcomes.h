// SPDX-License-Identifier: Apache-2.0
// Findings about the ends of calls, tasks and the program in a recording.
#pragma once

#include <cstddef>

#include "tools/check/findings.h"
#include "tools/trace/trace.h"

namespace check {

/// Reports failed calls and tasks, functions that are not supported, and objects left at the end.
/// Returns the number of calls whose failure belongs to other rules, for which the recording lacks
/// the data.
std::size_t lint_outcomes(const trace::Trace& trace, Findings& findings);

}  // namespace check
