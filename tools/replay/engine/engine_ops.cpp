// SPDX-License-Identifier: Apache-2.0
// What each kind of op does.
#include <algorithm>
#include <utility>

#include "tools/replay/engine/engine.h"

namespace replay {

using trace::kNone;
using trace::kNoTime;
using trace::LaneKind;
using trace::OpKind;

bool Engine::occupy(LaneIndex lane, Lane& at) {
  const OpIndex op = at.next;
  const trace::Op& it = trace_[op];
  const bool holds = it.kind != OpKind::callback || it.has(trace::kBlocks);
  finish(lane, at.reach, at.reach + (holds ? cost_.of(op) : 0), at.cause);
  return true;
}

/// Begins when the stream comes to it, ends with the last of its parts.
bool Engine::join(LaneIndex lane, Lane& at) {
  const auto parts = trace_.deps(at.next);
  if (parts.empty()) return occupy(lane, at);
  for (; at.edge < parts.size(); ++at.edge) {
    const OpIndex part = parts[at.edge].from;
    if (!run_.done(part)) return block(lane, at, part);
    if (at.until_cause != kNone && run_.end(part) <= at.until) continue;
    at.until = run_.end(part);
    at.until_cause = part;
  }
  at.edge = 0;
  const OpIndex last = std::exchange(at.until_cause, kNone);
  const bool held = at.until > at.reach;
  finish(lane, at.reach, std::max(at.reach, at.until), held ? last : at.cause);
  return true;
}

// ---- waits ----

/// Ends when its partner has, and the news has come through.
bool Engine::wait_for(LaneIndex lane, Lane& at, OpIndex partner) {
  if (cost_.removed(partner)) return occupy(lane, at);
  if (!run_.done(partner)) return block(lane, at, partner);
  const Nanoseconds told = run_.end(partner) + cost_.wake_ns();
  const bool held = told > at.reach;
  finish(lane, at.reach, std::max(at.reach, told), held ? partner : at.cause);
  return true;
}

/// For something that the trace does not hold: it comes when it came. Nothing recorded: never.
bool Engine::wait_outside(LaneIndex lane, Lane& at) {
  const OpIndex op = at.next;
  if (trace_.start(op) == kNoTime) return false;
  const bool arrival = trace_[op].kind == OpKind::external;
  if (!arrival && !trace_[op].has(trace::kHasDuration)) return false;
  const Nanoseconds came = trace_.start(op) + (arrival ? 0 : trace_.duration(op)) - origin_;
  const bool held = came > at.reach;
  finish(lane, at.reach, std::max(at.reach, came), held ? kNone : at.cause);
  return true;
}

bool Engine::event_wait(LaneIndex lane, Lane& at) {
  const OpIndex op = at.next;
  if (trace_[op].use == kNone) return occupy(lane, at);
  const trace::SyncUse& use = trace_.sync(op);
  if (use.partner != kNone) return wait_for(lane, at, use.partner);
  return use.generation == 0 ? occupy(lane, at) : wait_outside(lane, at);
}

bool Engine::notify(LaneIndex lane, Lane& at) {
  const OpIndex op = at.next;
  if (trace_[op].use == kNone || trace_.sync(op).partner != kNone) return occupy(lane, at);
  const Nanoseconds end = at.reach + cost_.of(op);
  if (!own_turn(lane, at, end)) return false;
  const trace::SyncUse& use = trace_.sync(op);
  Board& board = boards_[use.object];
  board.value += std::max(1U, use.generation);
  board.last = op;
  finish(lane, at.reach, end, at.cause);
  serve(board, end, op);
  return true;
}

bool Engine::notify_wait(LaneIndex lane, Lane& at) {
  const OpIndex op = at.next;
  if (trace_[op].use == kNone) return occupy(lane, at);
  const trace::SyncUse& use = trace_.sync(op);
  if (use.partner != kNone) return wait_for(lane, at, use.partner);
  if (!boards_.contains(use.object)) return wait_outside(lane, at);
  return board_wait(lane, at, use.object);
}

bool Engine::value_write(LaneIndex lane, Lane& at) {
  const OpIndex op = at.next;
  if (trace_[op].use == kNone) return occupy(lane, at);
  const Nanoseconds end = at.reach + cost_.of(op);
  if (!own_turn(lane, at, end)) return false;
  Board& board = boards_[trace_.value(op).object];
  board.value = trace_.value(op).value;
  board.last = op;
  finish(lane, at.reach, end, at.cause);
  serve(board, end, op);
  return true;
}

bool Engine::value_wait(LaneIndex lane, Lane& at) {
  const OpIndex op = at.next;
  if (trace_[op].use == kNone) return occupy(lane, at);
  const trace::ValueUse& use = trace_.value(op);
  if (use.partner != kNone) return wait_for(lane, at, use.partner);
  if (trace_.start(op) != kNoTime && !boards_.contains(use.object)) return wait_outside(lane, at);
  return board_wait(lane, at, use.object);
}

/// Whether the board lets the wait pass; a notify wait then resets it.
bool Engine::satisfied(Board& board, OpIndex op) const {
  if (trace_[op].kind == OpKind::notify_wait) {
    const std::uint64_t count = std::max(1U, trace_.sync(op).generation);
    if (board.value < count) return false;
    board.value = 0;
    return true;
  }
  const trace::ValueUse& use = trace_.value(op);
  switch (use.compare) {
    case trace::Compare::equal:
      return board.value == use.value;
    case trace::Compare::greater_equal:
      return board.value >= use.value;
    case trace::Compare::bits_and:
      return (board.value & use.value) != 0;
    case trace::Compare::bits_nor:
      return (board.value | use.value) != ~std::uint64_t{0};
  }
  return false;
}

bool Engine::board_wait(LaneIndex lane, Lane& at, std::uint32_t object) {
  if (!own_turn(lane, at, at.reach)) return false;
  Board& board = boards_[object];
  const bool others_first = trace_[at.next].kind == OpKind::notify_wait && !board.waiters.empty();
  if (others_first || !satisfied(board, at.next)) {
    board.waiters.push_back(lane);
    return false;
  }
  finish(lane, at.reach, at.reach, at.cause);
  return true;
}

/// Lets go, first come first served, those whom the board satisfies now.
void Engine::serve(Board& board, Nanoseconds now, OpIndex cause) {
  std::deque<LaneIndex> stay;
  for (const LaneIndex lane : board.waiters) {
    Lane& at = lanes_[lane];
    if (!satisfied(board, at.next)) {
      stay.push_back(lane);
      continue;
    }
    const Nanoseconds told = now + cost_.wake_ns();
    finish(lane, at.reach, std::max(at.reach, told), told > at.reach ? cause : at.cause);
    ready_.push_back(lane);
  }
  board.waiters.swap(stay);
}

// ---- transfers and meetings ----

/// copy, fill, reduce, and sends. `from`: when it can begin.
bool Engine::transfer(LaneIndex lane, Lane& at, Nanoseconds from, OpIndex cause) {
  const bool comm = trace_[at.next].kind == OpKind::send || trace_[at.next].kind == OpKind::recv;
  const Meeting* const meeting = comm ? meetings_.of(at.next) : nullptr;
  const OpIndex op = meeting ? meeting->transfer : at.next;
  const LaneIndex sender = op == at.next ? lane : trace_.lane_of(op);
  const bool meets_others = contended_ && cost_.modelled(op);
  if (meets_others && !own_turn(lane, at, from)) return false;
  const Nanoseconds ns = cost_.of(op, sender);
  if (!meets_others) {
    complete(sender, op, from, from + ns, cause);
    return true;
  }
  const Route route = cost_.route(op, sender);
  if (options_.contention == Contention::share) {
    fabric_.begin(route, op, from, ns, cause);
    return false;
  }
  const Fabric::Turn turn = fabric_.take(route, op, from, ns);
  run_.queued = run_.queued || turn.before != kNone;
  complete(sender, op, turn.start, turn.start + ns, turn.before != kNone ? turn.before : cause);
  return true;
}

/// Where several are blocked until the bytes of `op` are through; nullptr: its lane alone does.
Meeting* Engine::meeting_of(OpIndex op) {
  const OpKind kind = trace_[op].kind;
  const bool meets = kind == OpKind::send || kind == OpKind::collective || kind == OpKind::barrier;
  return meets ? meetings_.of(op) : nullptr;
}

/// The bytes of `op` are through: its lane goes on, and of a meeting all that are blocked there.
void Engine::complete(LaneIndex sender, OpIndex op, Nanoseconds start, Nanoseconds end,
                      OpIndex cause) {
  Meeting* const meeting = meeting_of(op);
  if (!meeting) {
    finish(sender, start, end, cause);
    return;
  }
  meeting->arrived = 0;
  for (LaneIndex lane = std::exchange(meeting->lanes, kNone); lane != kNone;) {
    const LaneIndex next = std::exchange(lanes_[lane].next_waiter, kNone);
    finish(lane, lanes_[lane].reach, end, cause);
    ready_.push_back(lane);
    lane = next;
  }
}

void Engine::end_flows() {
  const Nanoseconds now = fabric_.next();
  for (const Fabric::Flow& flow : fabric_.end_next()) {
    const Nanoseconds end = now + flow.lat;
    const LaneIndex lane = trace_.lane_of(flow.op);
    run_.queued = run_.queued || end - flow.begin > flow.ns + 1;
    const bool alone = !meeting_of(flow.op);
    complete(lane, flow.op, flow.begin, end, flow.cause);
    if (alone) ready_.push_back(lane);
  }
}

bool Engine::send(LaneIndex lane, Lane& at) {
  Meeting* const meeting = meetings_.of(at.next);
  return meeting ? meet(lane, at, *meeting) : transfer(lane, at, at.reach, at.cause);
}

bool Engine::receive(LaneIndex lane, Lane& at) {
  if (Meeting* const meeting = meetings_.of(at.next)) return meet(lane, at, *meeting);
  const OpIndex op = at.next;
  if (trace_[op].use == kNone) return occupy(lane, at);
  const OpIndex partner = trace_.comm(op).partner;
  if (partner == kNone) return wait_outside(lane, at);
  if (cost_.removed(partner)) return occupy(lane, at);
  if (!run_.done(partner)) return block(lane, at, partner);
  const Nanoseconds came = run_.end(partner);
  const bool held = came > at.reach;
  finish(lane, at.reach, std::max(at.reach, came), held ? partner : at.cause);
  return true;
}

/// The last who arrives sets everybody going.
bool Engine::meet(LaneIndex lane, Lane& at, Meeting& meeting) {
  if (!at.arrived) {
    at.arrived = true;
    at.next_waiter = std::exchange(meeting.lanes, lane);
    ++meeting.arrived;
    const bool later = meeting.arrived == 1 || at.reach > meeting.latest ||
                       (at.reach == meeting.latest && at.cause < meeting.cause);
    if (later) {
      meeting.latest = at.reach;
      meeting.cause = at.cause;
    }
  }
  const std::size_t needed = meeting.transfer == kNone ? meeting.members.size() : 2;
  if (meeting.arrived < needed || !meeting.absent.empty()) return false;
  if (meeting.transfer != kNone) {
    // All lanes of the meeting, this one too, are set going by complete().
    transfer(lane, at, meeting.latest, meeting.cause);
    return false;
  }
  if (contended_ && meeting.modelled) {
    const OnHops& hops = on_hops(at.next);
    if (!hops.loads.empty()) return exchange(lane, at, meeting, hops);
  }
  meeting.arrived = 0;
  for (LaneIndex one = std::exchange(meeting.lanes, kNone); one != kNone;) {
    const LaneIndex next = std::exchange(lanes_[one].next_waiter, kNone);
    finish(one, lanes_[one].reach, meeting.latest + meeting.cost, meeting.cause);
    if (one != lane) ready_.push_back(one);
    one = next;
  }
  return true;
}

const Engine::OnHops& Engine::on_hops(OpIndex op) {
  const trace::CommUse& use = trace_.comm(op);
  const auto [at, fresh] = on_hops_.try_emplace({use.group, use.kind});
  if (fresh) {
    at->second = {cost_.loads(op), cost_.latency(op)};
    at->second.links = fabric_.links_of(at->second.loads);
  }
  return at->second;
}

/// A collective on hops that others may want. All its lanes are set going by complete().
bool Engine::exchange(LaneIndex lane, Lane& at, Meeting& meeting, const OnHops& hops) {
  const Nanoseconds from = meeting.latest;
  if (!own_turn(lane, at, from)) return false;
  const OpIndex op = at.next;
  if (options_.contention == Contention::share) {
    fabric_.begin({hops.loads, cost_.bytes(op), meeting.cost, hops.lat}, op, from, meeting.cause);
    return false;
  }
  const Fabric::Turn turn = Fabric::take(hops.links, op, from, meeting.cost);
  run_.queued = run_.queued || turn.before != kNone;
  if (turn.before != kNone) meeting.cause = turn.before;
  complete(lane, op, turn.start, turn.start + meeting.cost, meeting.cause);
  return false;
}

// ---- host threads ----

bool Engine::sync(LaneIndex lane, Lane& at) {
  const OpIndex op = at.next;
  if (trace_[op].use == kNone) return occupy(lane, at);
  const trace::HostUse& use = trace_.host(op);
  const std::size_t targets =
      use.target == trace::Target::device ? trace_.lanes().size() : std::size_t{1};
  for (; at.edge < targets; ++at.edge) {
    const OpIndex target = sync_target(use, op, at.edge);
    if (target == kNone) continue;
    if (!run_.done(target)) return block(lane, at, target);
    if (at.until_cause != kNone && run_.end(target) <= at.until) continue;
    at.until = run_.end(target);
    at.until_cause = target;
  }
  at.edge = 0;
  const OpIndex target = std::exchange(at.until_cause, kNone);
  const bool held = target != kNone && at.until > at.reach;
  const Nanoseconds end = std::max(at.reach, target == kNone ? 0 : at.until);
  finish(lane, at.reach, end + sync_overhead(op, target), held ? target : at.cause);
  return true;
}

/// The last op of a lane that was called for before the sync was.
OpIndex Engine::sync_target(const trace::HostUse& use, OpIndex op, std::uint32_t index) const {
  if (use.target != trace::Target::device) return use.partner;
  const trace::Lane& lane = trace_.lanes()[index];
  if (lane.kind == LaneKind::host || lane.device != use.index || lane.graph != kNone) return kNone;
  const bool by_line = trace_.line(op) != 0;
  const Nanoseconds time = by_line ? Nanoseconds{trace_.line(op)} : called(trace_, op);
  if (!by_line && time == kNoTime) return kNone;
  OpIndex low = lane.begin;
  for (OpIndex high = lane.end; low < high;) {
    const OpIndex middle = low + (high - low) / 2;
    const bool before = by_line ? trace_.line(middle) < time : trace_.issue(middle) < time;
    (before ? low : high) = before ? middle + 1 : middle;
  }
  return low == lane.begin ? kNone : low - 1;
}

/// What the call took in the recording beyond its wait.
Nanoseconds Engine::sync_overhead(OpIndex op, OpIndex target) const {
  if (target == kNone) return trace_.duration(op);
  if (!gaps_ || trace_.start(op) == kNoTime || trace_.start(target) == kNoTime) return 0;
  const Nanoseconds waited =
      std::max(trace_.start(op), trace_.start(target) + trace_.duration(target));
  return std::max<Nanoseconds>(0, trace_.start(op) + trace_.duration(op) - waited);
}

// ---- graphs ----

bool Engine::launch(LaneIndex lane, Lane& at) {
  const OpIndex op = at.next;
  if (trace_[op].use == kNone) return occupy(lane, at);
  if (!own_turn(lane, at, at.reach)) return false;
  const std::uint32_t graph = trace_.launch(op).graph;
  GraphState& state = graphs_[graph];
  if (state.launcher != kNone) {
    state.queue.push_back(lane);
    return false;
  }
  start_graph(graph, lane);
  return false;
}

void Engine::start_graph(std::uint32_t graph, LaneIndex launcher) {
  GraphState& state = graphs_[graph];
  const Nanoseconds start = std::max(lanes_[launcher].reach, state.latest);
  state.launcher = launcher;
  state.latest = start;
  state.last = lanes_[launcher].cause;
  const auto& lanes = trace_.graphs()[graph].lanes;
  state.running = static_cast<std::uint32_t>(lanes.size());
  for (const LaneIndex lane : lanes) {
    const trace::Lane& definition = trace_.lanes()[lane];
    lanes_[lane] = Lane{};
    lanes_[lane].reach = start;
    lanes_[lane].cause = lanes_[launcher].cause;
    lanes_[lane].next = definition.begin;
    lanes_[lane].end = definition.end;
    for (OpIndex op = definition.begin; op < definition.end; ++op) {
      run_.slots_[op] = Run::kUnset;
    }
  }
  ready_.insert(ready_.end(), lanes.begin(), lanes.end());
  if (lanes.empty()) {
    state.running = 1;
    state.launcher = kNone;
    finish(launcher, lanes_[launcher].reach, start, lanes_[launcher].cause);
    ready_.push_back(launcher);
  }
}

void Engine::graph_lane_ended(LaneIndex lane) {
  const std::uint32_t graph = trace_.lanes()[lane].graph;
  GraphState& state = graphs_[graph];
  if (lanes_[lane].reach > state.latest) {
    state.latest = lanes_[lane].reach;
    state.last = lanes_[lane].cause;
  }
  if (--state.running != 0) return;
  const LaneIndex launcher = std::exchange(state.launcher, kNone);
  finish(launcher, lanes_[launcher].reach, state.latest, state.last);
  ready_.push_back(launcher);
  if (state.queue.empty()) return;
  const LaneIndex next = state.queue.front();
  state.queue.pop_front();
  start_graph(graph, next);
}

}  // namespace replay
