// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/pairing/evidence.h"

#include <algorithm>

namespace trace {
namespace {

bool annotation(OpKind kind) {
  return kind == OpKind::mark || kind == OpKind::range_begin || kind == OpKind::range_end;
}

/// Whether an op overlaps the one before by more than the inaccuracy of the clocks.
bool beside(Nanoseconds start, Nanoseconds duration, Nanoseconds busy_until) {
  const Nanoseconds shared = busy_until - start;
  return shared > kClockSlack || (duration > 100 && shared >= duration);
}

void weigh_track(const Trace& trace, const Track& track, Evidence& found) {
  Nanoseconds busy_until = kNoTime;
  for (OpIndex op = track.begin; op < track.end; ++op) {
    const Nanoseconds start = trace.start(op);
    if (start == kNoTime || annotation(trace[op].kind)) continue;
    ++found.timed;
    const Nanoseconds duration = trace.duration(op);
    if (busy_until != kNoTime) found.overlaps += beside(start, duration, busy_until);
    busy_until = std::max(busy_until, start + duration);
  }
}

/// The earliest possible end of an op: its end, or the end of an op before it on its track.
Nanoseconds not_before(const Trace& trace, const Track& track, OpIndex op) {
  for (OpIndex at = op + 1; at-- > track.begin;) {
    if (trace.start(at) != kNoTime) return trace.start(at) + trace.duration(at);
  }
  return kNoTime;
}

/// The latest possible end: its end, or the start of the next op of its track.
Nanoseconds not_after(const Trace& trace, const Track& track, OpIndex op) {
  if (trace.start(op) != kNoTime) return trace.start(op) + trace.duration(op);
  for (OpIndex at = op + 1; at < track.end; ++at) {
    if (trace.start(at) != kNoTime) return trace.start(at);
  }
  return kNoTime;
}

void weigh_wait(const Trace& trace, const Track& track, OpIndex op, Evidence& found) {
  const OpIndex partner = trace.sync(op).partner;
  if (partner == kNone) return;
  const Track& other = trace.tracks()[trace.track_of(partner)];
  if (track.graph != kNone || other.graph != kNone) return;
  const Nanoseconds done = not_before(trace, other, partner);
  const Nanoseconds over = not_after(trace, track, op);
  if (done == kNoTime || over == kNoTime) return;
  ++found.pairs;
  const Nanoseconds bound = track.rank == other.rank ? 0
                                                     : trace.ranks()[track.rank].clock_bound_ns +
                                                           trace.ranks()[other.rank].clock_bound_ns;
  found.contradicted += done > over + kClockSlack + bound;
}

}  // namespace

Evidence weigh(const Trace& trace) {
  Evidence found;
  if (trace.size() == 0 || !trace.has_starts()) return found;
  for (const Track& track : trace.tracks()) {
    if (track.kind != TrackKind::stream || track.graph != kNone) continue;
    weigh_track(trace, track, found);
    for (OpIndex op = track.begin; op < track.end; ++op) {
      const OpKind kind = trace[op].kind;
      if (kind != OpKind::wait && kind != OpKind::notify_wait) continue;
      if (trace[op].use != kNone) weigh_wait(trace, track, op, found);
    }
  }
  return found;
}

}  // namespace trace
