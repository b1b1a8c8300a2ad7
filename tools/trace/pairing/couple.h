// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/trace/trace.h"

namespace trace {

/// Couples collectives that only their names identify: the k-th of a communicator on one rank is
/// taken as the k-th on the others, if all ranks have the same ones in the same order and the times
/// agree (members of one collective run at one time). Otherwise no rank waits. Remarks list both.
void couple_collectives(Trace& trace);

}  // namespace trace
