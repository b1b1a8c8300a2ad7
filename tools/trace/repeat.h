// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tools/trace/trace.h"

namespace trace {

/// A job of `count` ranks, each of which does the work of one rank of a trace. A copy or a message
/// to the d-th rank after the original goes to the d-th rank after each (the shorter way round). A
/// collective of all ranks of the trace, or of unknown ranks, becomes one of all ranks; any other
/// collective has as many neighbours as before. Remarks list the assumptions.
Trace repeat_rank(const Trace& trace, std::uint32_t rank, std::uint32_t count);

}  // namespace trace
