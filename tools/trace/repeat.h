// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tools/trace/trace.h"

namespace trace {

/// The job that `count` ranks make which all do what one rank of a trace did. A copy to, or a
/// message for, the d-th rank behind it goes to the d-th rank behind each (the shorter way round);
/// collectives among all ranks of the trace, or among nobody knows whom, are among all, others
/// among as many neighbours as before. Remarks say what was assumed.
Trace repeat_rank(const Trace& trace, std::uint32_t rank, std::uint32_t count);

}  // namespace trace
