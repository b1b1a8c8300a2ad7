// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tools/trace/trace.h"

namespace trace {

/// The parts of a join on the planes of its stream.
std::vector<OpIndex> parts_of(const Trace& trace, OpIndex join);

}  // namespace trace
