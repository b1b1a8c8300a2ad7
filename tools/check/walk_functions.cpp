// SPDX-License-Identifier: Apache-2.0
// Functions of the program: the thread that runs one is ordered after the stream that called it,
// and a stream that waits for it is ordered after its end.
#include <utility>

#include "tools/check/walk.h"

namespace check {

using trace::kNone;

/// False: the stream waits for the end of the function.
bool Walk::call(TrackIndex track, OpIndex op, const Functions::Row& row) {
  Track& at = tracks_[track];
  if (!at.in_function) {
    Called& it = called_[op];
    engine_.graph_runs().record(track, order::OpInfo{}, it.before);
    it.begun = true;
    if (it.waiter != kNone) make_ready(std::exchange(it.waiter, kNone));
  }
  const bool waits = trace_[op].has(trace::kBlocks) && row.begin != kNone && row.end != kNone;
  if (!waits) return true;
  Source& end = *source(row.end);
  at.in_function = !end.done;
  if (!end.done) {
    at.on = row.end;
    at.why = Need::Why::edge;
    at.next_waiter = std::exchange(end.waiters, track);
    return false;
  }
  engine_.graph_runs().wait(track, *end.node);
  give_back(end);
  return true;
}

/// False: the stream has not called the function yet.
bool Walk::enter(TrackIndex track, OpIndex call) {
  Called& it = called_[call];
  if (!it.begun) {
    it.waiter = track;
    tracks_[track].in_function = true;
    tracks_[track].on = call;
    tracks_[track].why = Need::Why::edge;
    return false;
  }
  tracks_[track].in_function = false;
  engine_.graph_runs().wait(track, it.before);
  return true;
}

}  // namespace check
