// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/calls.h"

#include <algorithm>

namespace trace {

static bool host_track_op(OpKind kind) {
  return kind == OpKind::api || kind == OpKind::sync || kind == OpKind::query;
}

Nanoseconds called(const Trace& trace, OpIndex op) {
  const Nanoseconds issued = trace.issue(op);
  return issued == kNoTime && host_track_op(trace[op].kind) ? trace.start(op) : issued;
}

OpIndex last_before_device_sync(const Trace& trace, OpIndex sync, const Track& track) {
  if (track.kind == TrackKind::host || track.device != trace.host(sync).index) return kNone;
  if (track.graph != kNone) return kNone;
  const bool by_line = trace.line(sync) != 0;
  const Nanoseconds time = by_line ? Nanoseconds{trace.line(sync)} : called(trace, sync);
  if (!by_line && time == kNoTime) return kNone;
  OpIndex low = track.begin;
  for (OpIndex high = track.end; low < high;) {
    const OpIndex middle = low + (high - low) / 2;
    const Nanoseconds at = by_line ? trace.line(middle) : trace.issue(middle);
    (at < time ? low : high) = at < time ? middle + 1 : middle;
  }
  return low == track.begin ? kNone : low - 1;
}

}  // namespace trace
