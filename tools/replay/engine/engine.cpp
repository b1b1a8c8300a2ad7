// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/engine/engine.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <tuple>

namespace replay {

using trace::kNone;
using trace::kNoTime;
using trace::LaneKind;
using trace::OpKind;

Run run_virtual(const trace::Trace& trace, const Topology& topology, const Options& options) {
  return Engine(trace, topology, options).run();
}

Nanoseconds recorded_origin(const trace::Trace& trace) {
  Nanoseconds first = kNoTime;
  const auto see = [&first](Nanoseconds time) {
    if (time != kNoTime && (first == kNoTime || time < first)) first = time;
  };
  for (const trace::Lane& lane : trace.lanes()) {
    if (lane.kind == LaneKind::host || lane.graph != kNone) continue;
    for (OpIndex op = lane.begin; op < lane.end; ++op) {
      if (annotates(trace[op].kind)) continue;
      see(trace.issue(op));
      see(trace.start(op));
    }
  }
  return first == kNoTime ? 0 : first;
}

Engine::Engine(const trace::Trace& trace, const Topology& topology, const Options& options)
    : trace_(trace),
      options_(options),
      cost_(trace, topology, options),
      origin_(recorded_origin(trace)),
      hosts_(trace, origin_),
      meetings_(trace, cost_, options.sends),
      fabric_(cost_.topology(), cost_.numbers()),
      gaps_(options.gaps && options.cost != CostSource::model),
      launches_(options.cost == CostSource::model),
      contended_(options.contention != Contention::off),
      lanes_(trace.lanes().size()),
      graphs_(trace.graphs().size()) {
  run_.sends = options.sends;
  run_.origin_ns = origin_;
  run_.slots_.assign(trace.size(), Run::kUnset);
  run_.lengths_.assign(trace.size(), 0);
  run_.causes_.assign(trace.size(), kNone);
  order_lanes();
  find_boards();
}

void Engine::order_lanes() {
  const auto lanes = trace_.lanes();
  std::vector<LaneIndex> sorted(lanes.size());
  std::iota(sorted.begin(), sorted.end(), 0U);
  const auto key = [&](LaneIndex l) {
    return std::tuple(lanes[l].rank, lanes[l].device, lanes[l].id, l);
  };
  std::sort(sorted.begin(), sorted.end(),
            [&](LaneIndex a, LaneIndex b) { return key(a) < key(b); });
  order_.resize(lanes.size());
  for (std::uint32_t i = 0; i < sorted.size(); ++i) order_[sorted[i]] = i;
}

/// Objects on which the trace does not say who releases whom.
void Engine::find_boards() {
  for (OpIndex op = 0; op < trace_.size(); ++op) {
    const trace::Op& it = trace_[op];
    if (it.use == kNone) continue;
    if (it.kind == OpKind::notify && trace_.sync(op).partner == kNone) {
      boards_.try_emplace(trace_.sync(op).object);
    }
    if (it.kind == OpKind::value_write) boards_.try_emplace(trace_.value(op).object);
  }
}

// ---- the loop ----

Run Engine::run() {
  for (LaneIndex l = 0; l < lanes_.size(); ++l) {
    lanes_[l].next = trace_.lanes()[l].begin;
    lanes_[l].end = trace_.lanes()[l].end;
    if (trace_.lanes()[l].graph == kNone) ready_.push_back(l);
  }
  loop();
  close();
  return std::move(run_);
}

void Engine::loop() {
  for (;;) {
    while (!ready_.empty()) {
      const LaneIndex lane = ready_.back();
      ready_.pop_back();
      advance(lane);
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
    const LaneIndex lane = heap_.back().lane;
    heap_.pop_back();
    lanes_[lane].turn = true;
    ready_.push_back(lane);
  }
}

bool Engine::stop_asked(Nanoseconds now) {
  if (options_.stop && options_.stop(run_.done_ops, now)) run_.interrupted = true;
  return run_.interrupted;
}

void Engine::advance(LaneIndex lane) {
  Lane& at = lanes_[lane];
  while (at.next < at.end) {
    if (at.phase != Phase::ready && !arrive(lane, at)) return;
    if (!perform(lane, at)) return;
    if ((run_.done_ops & 0xFFFF) == 0 && stop_asked(at.reach)) return;
  }
  if (trace_.lanes()[lane].graph != kNone) graph_lane_ended(lane);
}

/// Everything that the op has to pass before it begins; afterwards `reach` is its start.
bool Engine::arrive(LaneIndex lane, Lane& at) {
  const OpIndex op = at.next;
  if (at.phase == Phase::issue) {
    if (hosts_.any() && !pass_issue(lane, at)) return false;
    at.phase = Phase::edges;
  }
  const trace::Op& it = trace_[op];
  if (it.has(trace::kHasDeps) && it.kind != OpKind::join && !pass_edges(lane, at)) return false;
  if (gaps_) at.reach += gap(lane, op);
  at.phase = Phase::ready;
  return true;
}

bool Engine::pass_issue(LaneIndex lane, Lane& at) {
  const OpIndex op = at.next;
  const trace::Lane& definition = trace_.lanes()[lane];
  if (definition.graph != kNone) return true;
  const HostTimes::Issue issue = hosts_.of(op);
  if (!issue.known && issue.anchor == kNone) return true;
  if (issue.anchor != kNone && !run_.done(issue.anchor)) return block(lane, at, issue.anchor);
  const double pace = cost_.host_factor();
  const Nanoseconds after =
      pace == 1 ? issue.after : std::llround(static_cast<double>(issue.after) * pace);
  Nanoseconds time = after + (issue.anchor == kNone ? 0 : run_.end(issue.anchor));
  time = std::max<Nanoseconds>(time, 0);
  const bool host = definition.kind == LaneKind::host;
  if (!host && launches_) time += cost_.launch(op);
  // Calls of a host may lie in each other: their recorded starts tell, not the end before.
  const bool placed = host && trace_.start(op) != kNoTime;
  if (placed || time > at.reach) {
    at.reach = time;
    at.cause = issue.anchor;
  }
  return true;
}

bool Engine::pass_edges(LaneIndex lane, Lane& at) {
  const auto edges = trace_.deps(at.next);
  for (; at.edge < edges.size(); ++at.edge) {
    const OpIndex from = edges[at.edge].from;
    if (!run_.done(from)) return block(lane, at, from);
    if (run_.end(from) > at.reach) {
      at.reach = run_.end(from);
      at.cause = from;
    }
  }
  at.edge = 0;
  return true;
}

/// When an op had ended in the recording; of one without times: when it can have at the earliest.
Nanoseconds Engine::recorded_end(LaneIndex lane, OpIndex op, int depth) const {
  Nanoseconds end = origin_;
  for (;; --op) {
    if (trace_.start(op) != kNoTime) {
      return std::max(end, trace_.start(op) + trace_.duration(op));
    }
    if (trace_.issue(op) != kNoTime) end = std::max(end, trace_.issue(op));
    const bool wait = trace_[op].kind == OpKind::wait && trace_[op].use != kNone;
    const OpIndex partner = wait ? trace_.sync(op).partner : kNone;
    if (partner != kNone && depth > 0) {
      const LaneIndex from = trace_.lane_of(partner);
      const Nanoseconds recorded = recorded_end(from, partner, depth - 1);
      end = std::max(end, recorded + cost_.of(partner, from) + cost_.wake_ns());
    }
    if (op == trace_.lanes()[lane].begin) return end;
  }
}

/// What passed in the recording between the moment that the op could begin and its start.
Nanoseconds Engine::gap(LaneIndex lane, OpIndex op) const {
  const Nanoseconds start = trace_.start(op);
  if (start == kNoTime || trace_[op].kind == OpKind::external || cost_.removed(op)) return 0;
  const trace::OpKind kind = trace_[op].kind;
  if (kind == OpKind::api || kind == OpKind::sync || kind == OpKind::query) return 0;
  Nanoseconds could = origin_;
  const bool first = trace_.lanes()[lane].begin == op;
  constexpr int kFollowed = 8;  // waits for what waited itself
  if (!first) could = recorded_end(lane, op - 1, kFollowed);
  if (trace_.issue(op) != kNoTime) could = std::max(could, trace_.issue(op));
  for (const trace::Edge& edge : trace_.deps(op)) {
    if (kind == OpKind::join || trace_.start(edge.from) == kNoTime) continue;
    could = std::max(could, trace_.start(edge.from) + trace_.duration(edge.from));
  }
  return std::max<Nanoseconds>(0, start - could);
}

bool Engine::perform(LaneIndex lane, Lane& at) {
  if (cost_.removed(at.next)) return occupy(lane, at);
  switch (trace_[at.next].kind) {
    case OpKind::wait:
      return event_wait(lane, at);
    case OpKind::notify:
      return notify(lane, at);
    case OpKind::notify_wait:
      return notify_wait(lane, at);
    case OpKind::value_write:
      return value_write(lane, at);
    case OpKind::value_wait:
      return value_wait(lane, at);
    case OpKind::copy:
    case OpKind::fill:
    case OpKind::reduce:
      return transfer(lane, at, at.reach, at.cause);
    case OpKind::send:
      return send(lane, at);
    case OpKind::recv:
      return receive(lane, at);
    case OpKind::collective:
    case OpKind::barrier: {
      Meeting* const meeting = meetings_.of(at.next);
      return meeting ? meet(lane, at, *meeting) : occupy(lane, at);
    }
    case OpKind::sync:
      return sync(lane, at);
    case OpKind::launch:
      return launch(lane, at);
    case OpKind::external:
      return wait_outside(lane, at);
    case OpKind::join:
      return join(lane, at);
    default:
      return occupy(lane, at);
  }
}

void Engine::finish(LaneIndex lane, Nanoseconds start, Nanoseconds end, OpIndex cause) {
  Lane& at = lanes_[lane];
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
  if (before < 0 && before != Run::kUnset) release(before);
}

/// The lanes that an op's slot held before its end stood there.
void Engine::release(Nanoseconds waiters) {
  for (auto lane = static_cast<LaneIndex>(-1 - waiters); lane != kNone;) {
    const LaneIndex next = std::exchange(lanes_[lane].next_waiter, kNone);
    lanes_[lane].on = kNone;
    ready_.push_back(lane);
    lane = next;
  }
}

/// The lane goes on when `on` has ended. Always false.
bool Engine::block(LaneIndex lane, Lane& at, OpIndex on) {
  Nanoseconds& slot = run_.slots_[on];
  at.next_waiter = slot == Run::kUnset ? kNone : static_cast<LaneIndex>(-1 - slot);
  at.on = on;
  slot = -1 - Nanoseconds{lane};
  return false;
}

/// Whether the lane's turn at `time` is now; else it is called again then.
bool Engine::own_turn(LaneIndex lane, Lane& at, Nanoseconds time) {
  if (at.turn) return true;
  heap_.push_back({time, order_[lane], lane});
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  return false;
}

void Engine::close() {
  Nanoseconds& makespan = run_.makespan_ns;
  for (const bool others : {false, true}) {  // host threads only where there is nothing else
    if (run_.last != kNone) break;
    for (const trace::Lane& lane : trace_.lanes()) {
      if (lane.kind == LaneKind::host && !others) continue;
      for (OpIndex op = lane.begin; op < lane.end; ++op) {
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
