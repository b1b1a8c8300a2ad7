// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/trace/trace.h"

namespace trace {

/// Collectives that were told by their names: the k-th of a communicator on one rank is taken as
/// the k-th on the others where all have the same ones in the same order, and where times agree
/// (members of one collective run at one time). Elsewhere nobody waits for anybody. Says which.
void couple_collectives(Trace& trace);

}  // namespace trace
