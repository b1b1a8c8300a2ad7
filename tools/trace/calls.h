// SPDX-License-Identifier: Apache-2.0
// The order in which the host called for operations.
#pragma once

#include "tools/trace/trace.h"

namespace trace {

/// The time at which the host called for the op: its issue; on a host thread its start, if no issue
/// is recorded. kNoTime: not recorded.
Nanoseconds called(const Trace& trace, OpIndex op);

/// The last op of the stream that a synchronise with the stream's device waits for. kNone: the
/// track is no stream of that device, or nothing was issued to it before.
OpIndex last_before_device_sync(const Trace& trace, OpIndex sync, const Track& track);

}  // namespace trace
