// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/pairing/evidence.h"

#include <algorithm>

namespace trace {
namespace {

bool annotation(OpKind kind) {
  return kind == OpKind::mark || kind == OpKind::range_begin || kind == OpKind::range_end;
}

/// Whether an op runs beside the one before, rather than that clocks are read a little late.
bool beside(Nanoseconds start, Nanoseconds duration, Nanoseconds busy_until) {
  const Nanoseconds shared = busy_until - start;
  return shared > kClockSlack || (duration > 100 && shared >= duration);
}

void weigh_lane(const Trace& trace, const Lane& lane, Evidence& found) {
  Nanoseconds busy_until = kNoTime;
  for (OpIndex op = lane.begin; op < lane.end; ++op) {
    const Nanoseconds start = trace.start(op);
    if (start == kNoTime || annotation(trace[op].kind)) continue;
    ++found.timed;
    const Nanoseconds duration = trace.duration(op);
    if (busy_until != kNoTime) found.overlaps += beside(start, duration, busy_until);
    busy_until = std::max(busy_until, start + duration);
  }
}

/// When an op was over at the earliest: its end, or that of what its lane did before.
Nanoseconds not_before(const Trace& trace, const Lane& lane, OpIndex op) {
  for (OpIndex at = op + 1; at-- > lane.begin;) {
    if (trace.start(at) != kNoTime) return trace.start(at) + trace.duration(at);
  }
  return kNoTime;
}

/// When it was over at the latest: its end, or the start of what its lane did next.
Nanoseconds not_after(const Trace& trace, const Lane& lane, OpIndex op) {
  if (trace.start(op) != kNoTime) return trace.start(op) + trace.duration(op);
  for (OpIndex at = op + 1; at < lane.end; ++at) {
    if (trace.start(at) != kNoTime) return trace.start(at);
  }
  return kNoTime;
}

void weigh_wait(const Trace& trace, const Lane& lane, OpIndex op, Evidence& found) {
  const OpIndex partner = trace.sync(op).partner;
  if (partner == kNone) return;
  const Lane& other = trace.lanes()[trace.lane_of(partner)];
  if (lane.graph != kNone || other.graph != kNone) return;
  const Nanoseconds done = not_before(trace, other, partner);
  const Nanoseconds over = not_after(trace, lane, op);
  if (done == kNoTime || over == kNoTime) return;
  ++found.pairs;
  const Nanoseconds bound = lane.rank == other.rank ? 0
                                                    : trace.ranks()[lane.rank].clock_bound_ns +
                                                          trace.ranks()[other.rank].clock_bound_ns;
  found.contradicted += done > over + kClockSlack + bound;
}

}  // namespace

Evidence weigh(const Trace& trace) {
  Evidence found;
  if (trace.size() == 0 || !trace.has_starts()) return found;
  for (const Lane& lane : trace.lanes()) {
    if (lane.kind != LaneKind::stream || lane.graph != kNone) continue;
    weigh_lane(trace, lane, found);
    for (OpIndex op = lane.begin; op < lane.end; ++op) {
      const OpKind kind = trace[op].kind;
      if (kind != OpKind::wait && kind != OpKind::notify_wait) continue;
      if (trace[op].use != kNone) weigh_wait(trace, lane, op, found);
    }
  }
  return found;
}

}  // namespace trace
