// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/engine/simulator.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <tuple>

namespace replay {

using trace::kNone;
using trace::kNoTime;
using trace::OpKind;
using trace::TrackKind;

Execution run_virtual(const trace::Trace& trace, const Topology& topology, const Options& options) {
  return Simulator(trace, topology, options).run();
}

Nanoseconds recorded_origin(const trace::Trace& trace) {
  Nanoseconds first = kNoTime;
  const auto see = [&first](Nanoseconds time) {
    if (time != kNoTime && (first == kNoTime || time < first)) first = time;
  };
  for (const trace::Track& track : trace.tracks()) {
    if (track.kind == TrackKind::host || track.graph != kNone) continue;
    for (OpIndex op = track.begin; op < track.end; ++op) {
      if (annotates(trace[op].kind)) continue;
      see(trace.issue(op));
      see(trace.start(op));
    }
  }
  return first == kNoTime ? 0 : first;
}

Simulator::Simulator(const trace::Trace& trace, const Topology& topology, const Options& options)
    : trace_(trace),
      options_(options),
      cost_(trace, topology, options),
      origin_(recorded_origin(trace)),
      hosts_(trace, origin_),
      rendezvous_(trace, cost_, options.sends),
      fabric_(cost_.topology(), cost_.numbers()),
      gaps_(options.gaps && options.cost != CostSource::model),
      launches_(options.cost == CostSource::model),
      contended_(options.contention != Contention::off),
      tracks_(trace.tracks().size()),
      graphs_(trace.graphs().size()) {
  run_.sends = options.sends;
  run_.origin_ns = origin_;
  run_.slots_.assign(trace.size(), Execution::kUnset);
  run_.lengths_.assign(trace.size(), 0);
  run_.causes_.assign(trace.size(), kNone);
  order_tracks();
  find_shared_words();
}

void Simulator::order_tracks() {
  const auto tracks = trace_.tracks();
  std::vector<TrackIndex> sorted(tracks.size());
  std::iota(sorted.begin(), sorted.end(), 0U);
  const auto key = [&](TrackIndex l) {
    return std::tuple(tracks[l].rank, tracks[l].device, tracks[l].id, l);
  };
  std::sort(sorted.begin(), sorted.end(),
            [&](TrackIndex a, TrackIndex b) { return key(a) < key(b); });
  order_.resize(tracks.size());
  for (std::uint32_t i = 0; i < sorted.size(); ++i) order_[sorted[i]] = i;
}

/// Objects for which the trace does not record which op releases which wait.
void Simulator::find_shared_words() {
  for (OpIndex op = 0; op < trace_.size(); ++op) {
    const trace::Op& it = trace_[op];
    if (it.use == kNone) continue;
    if (it.kind == OpKind::notify && trace_.sync(op).partner == kNone) {
      shared_words_.try_emplace(trace_.sync(op).object);
    }
    if (it.kind == OpKind::value_write) shared_words_.try_emplace(trace_.value(op).object);
  }
}

// ---- the loop ----

Execution Simulator::run() {
  for (TrackIndex l = 0; l < tracks_.size(); ++l) {
    tracks_[l].next = trace_.tracks()[l].begin;
    tracks_[l].end = trace_.tracks()[l].end;
    if (trace_.tracks()[l].graph == kNone) ready_.push_back(l);
  }
  loop();
  close();
  return std::move(run_);
}

void Simulator::loop() {
  for (;;) {
    while (!ready_.empty()) {
      const TrackIndex track = ready_.back();
      ready_.pop_back();
      advance(track);
      if (run_.interrupted) return;
    }
    const Nanoseconds next_turn =
        heap_.empty() ? std::numeric_limits<Nanoseconds>::max() : heap_.front().time;
    if (fabric_.next() <= next_turn) {
      if (fabric_.next() == std::numeric_limits<Nanoseconds>::max()) return;
      end_flows();
      continue;
    }
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const TrackIndex track = heap_.back().track;
    heap_.pop_back();
    tracks_[track].turn = true;
    ready_.push_back(track);
  }
}

bool Simulator::stop_asked(Nanoseconds now) {
  if (options_.stop && options_.stop(run_.done_ops, now)) run_.interrupted = true;
  return run_.interrupted;
}

void Simulator::advance(TrackIndex track) {
  Track& at = tracks_[track];
  while (at.next < at.end) {
    if (at.phase != Phase::ready && !arrive(track, at)) return;
    if (!perform(track, at)) return;
    if ((run_.done_ops & 0xFFFF) == 0 && stop_asked(at.reach)) return;
  }
  if (trace_.tracks()[track].graph != kNone) graph_track_ended(track);
}

/// Everything that the op has to pass before it begins; afterwards `reach` is its start.
bool Simulator::arrive(TrackIndex track, Track& at) {
  const OpIndex op = at.next;
  if (at.phase == Phase::issue) {
    if (hosts_.any() && !pass_issue(track, at)) return false;
    at.phase = Phase::edges;
  }
  const trace::Op& it = trace_[op];
  if (it.has(trace::kHasDeps) && it.kind != OpKind::join && !pass_edges(track, at)) return false;
  if (gaps_) at.reach += gap(track, op);
  at.phase = Phase::ready;
  return true;
}

bool Simulator::pass_issue(TrackIndex track, Track& at) {
  const OpIndex op = at.next;
  const trace::Track& definition = trace_.tracks()[track];
  if (definition.graph != kNone) return true;
  const HostTimes::Issue issue = hosts_.of(op);
  if (!issue.known && issue.anchor == kNone) return true;
  if (issue.anchor != kNone && !run_.done(issue.anchor)) return block(track, at, issue.anchor);
  const double pace = cost_.host_factor();
  const Nanoseconds after =
      pace == 1 ? issue.after : std::llround(static_cast<double>(issue.after) * pace);
  Nanoseconds time = after + (issue.anchor == kNone ? 0 : run_.end(issue.anchor));
  time = std::max<Nanoseconds>(time, 0);
  const bool host = definition.kind == TrackKind::host;
  if (!host && launches_) time += cost_.launch(op);
  // Calls of a host may be nested: their recorded starts count, not the end of the call before.
  const bool placed = host && trace_.start(op) != kNoTime;
  if (placed || time > at.reach) {
    at.reach = time;
    at.cause = issue.anchor;
  }
  return true;
}

bool Simulator::pass_edges(TrackIndex track, Track& at) {
  const auto edges = trace_.deps(at.next);
  for (; at.edge < edges.size(); ++at.edge) {
    const OpIndex from = edges[at.edge].from;
    if (!run_.done(from)) return block(track, at, from);
    if (run_.end(from) > at.reach) {
      at.reach = run_.end(from);
      at.cause = from;
    }
  }
  at.edge = 0;
  return true;
}

/// When an op had ended in the recording; of one without times: when it can have at the earliest.
Nanoseconds Simulator::recorded_end(TrackIndex track, OpIndex op, int depth, int& steps) const {
  Nanoseconds end = origin_;
  for (;; --op) {
    --steps;
    if (trace_.start(op) != kNoTime) {
      return std::max(end, trace_.start(op) + trace_.duration(op));
    }
    if (trace_.issue(op) != kNoTime) end = std::max(end, trace_.issue(op));
    const bool wait = trace_[op].kind == OpKind::wait && trace_[op].use != kNone;
    const OpIndex partner = wait ? trace_.sync(op).partner : kNone;
    if (partner != kNone && depth > 0) {
      const TrackIndex from = trace_.track_of(partner);
      const Nanoseconds recorded = recorded_end(from, partner, depth - 1, steps);
      end = std::max(end, recorded + cost_.of(partner, from) + cost_.wake_ns());
    }
    // Ops may have many edges, so these are followed less far.
    for (const trace::Edge& edge : trace_.deps(op)) {
      if (depth == 0 || steps < 0 || trace_[op].kind == OpKind::join) break;
      end = std::max(end, recorded_end(trace_.track_of(edge.from), edge.from, depth / 2, steps));
    }
    if (op == trace_.tracks()[track].begin) return end;
  }
}

/// The recorded time between the moment at which the op could begin and its start.
Nanoseconds Simulator::gap(TrackIndex track, OpIndex op) const {
  const Nanoseconds start = trace_.start(op);
  if (start == kNoTime || trace_[op].kind == OpKind::external || cost_.removed(op)) return 0;
  const trace::OpKind kind = trace_[op].kind;
  if (kind == OpKind::api || kind == OpKind::sync || kind == OpKind::query) return 0;
  Nanoseconds could = origin_;
  const bool first = trace_.tracks()[track].begin == op;
  constexpr int kFollowed = 8;  // waits that wait for each other in a row
  int steps = 4096;             // over untimed ops; then edges are followed no more
  if (!first) could = recorded_end(track, op - 1, kFollowed, steps);
  if (trace_.issue(op) != kNoTime) could = std::max(could, trace_.issue(op));
  for (const trace::Edge& edge : trace_.deps(op)) {
    if (kind == OpKind::join) break;
    could =
        std::max(could, recorded_end(trace_.track_of(edge.from), edge.from, kFollowed / 2, steps));
  }
  return std::max<Nanoseconds>(0, start - could);
}

bool Simulator::perform(TrackIndex track, Track& at) {
  if (cost_.removed(at.next)) return occupy(track, at);
  switch (trace_[at.next].kind) {
    case OpKind::wait:
      return event_wait(track, at);
    case OpKind::notify:
      return notify(track, at);
    case OpKind::notify_wait:
      return notify_wait(track, at);
    case OpKind::value_write:
      return value_write(track, at);
    case OpKind::value_wait:
      return value_wait(track, at);
    case OpKind::copy:
    case OpKind::fill:
    case OpKind::reduce:
      return transfer(track, at, at.reach, at.cause);
    case OpKind::send:
      return send(track, at);
    case OpKind::recv:
      return receive(track, at);
    case OpKind::collective:
    case OpKind::barrier: {
      Rendezvous* const rendezvous = rendezvous_.of(at.next);
      return rendezvous ? meet(track, at, *rendezvous) : occupy(track, at);
    }
    case OpKind::sync:
      return sync(track, at);
    case OpKind::launch:
      return launch(track, at);
    case OpKind::external:
      return wait_outside(track, at);
    case OpKind::join:
      return join(track, at);
    default:
      return occupy(track, at);
  }
}

void Simulator::finish(TrackIndex track, Nanoseconds start, Nanoseconds end, OpIndex cause) {
  Track& at = tracks_[track];
  const OpIndex op = at.next++;
  const Nanoseconds before = run_.slots_[op];
  run_.slots_[op] = end;
  const Nanoseconds length = end - start;
  if (length < UINT32_MAX) {
    run_.lengths_[op] = static_cast<std::uint32_t>(length);
  } else {
    run_.lengths_[op] = UINT32_MAX;
    run_.long_lengths_[op] = length;
  }
  run_.causes_[op] = cause;
  at.reach = end;
  at.cause = op;
  at.phase = Phase::issue;
  at.turn = false;
  at.arrived = false;
  ++run_.done_ops;
  if (before < 0 && before != Execution::kUnset) release(before);
}

/// Releases the tracks that an op's slot named before the op ended.
void Simulator::release(Nanoseconds waiters) {
  for (auto track = static_cast<TrackIndex>(-1 - waiters); track != kNone;) {
    const TrackIndex next = std::exchange(tracks_[track].next_waiter, kNone);
    tracks_[track].on = kNone;
    ready_.push_back(track);
    track = next;
  }
}

/// The track goes on when `on` has ended. Always false.
bool Simulator::block(TrackIndex track, Track& at, OpIndex on) {
  Nanoseconds& slot = run_.slots_[on];
  at.next_waiter = slot == Execution::kUnset ? kNone : static_cast<TrackIndex>(-1 - slot);
  at.on = on;
  slot = -1 - Nanoseconds{track};
  return false;
}

/// Whether the track's turn at `time` is now; else it is called again then.
bool Simulator::own_turn(TrackIndex track, Track& at, Nanoseconds time) {
  if (at.turn) return true;
  heap_.push_back({time, order_[track], track});
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  return false;
}

void Simulator::close() {
  Nanoseconds& makespan = run_.makespan_ns;
  for (const bool others : {false, true}) {  // host threads only where there is nothing else
    if (run_.last != kNone) break;
    for (const trace::Track& track : trace_.tracks()) {
      if (track.kind == TrackKind::host && !others) continue;
      for (OpIndex op = track.begin; op < track.end; ++op) {
        if (annotates(trace_[op].kind) && !others) continue;
        if (!run_.done(op) || (run_.last != kNone && run_.end(op) <= makespan)) continue;
        makespan = run_.end(op);
        run_.last = op;
      }
    }
  }
  if (!run_.interrupted) find_blocked();
}

}  // namespace replay
