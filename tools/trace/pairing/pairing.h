// SPDX-License-Identifier: Apache-2.0
// Edges between tracks and ranks that no single file names, and the alignment of clocks.
#pragma once

#include <cstdint>

#include "tools/trace/trace.h"

namespace trace {

/// The k-th notify of an id releases its k-th wait, over all files. Returns the number of pairs.
std::uint32_t pair_notifies(Trace& trace);

/// The k-th send from a rank to another with a tag meets the k-th receive. Returns the pairs.
std::uint32_t pair_sends(Trace& trace);

/// Moves the times of ranks so that no notified wait ends before its notify began: half the
/// difference of the smallest delays of both directions, from the first rank outwards.
void align_clocks(Trace& trace);

}  // namespace trace
