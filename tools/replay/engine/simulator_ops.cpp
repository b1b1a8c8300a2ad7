// SPDX-License-Identifier: Apache-2.0
// The effect of each kind of op.
#include <algorithm>
#include <utility>

#include "tools/replay/engine/simulator.h"
#include "tools/trace/calls.h"

namespace replay {

using trace::kNone;
using trace::kNoTime;
using trace::OpKind;
using trace::TrackKind;

bool Simulator::occupy(TrackIndex track, Track& at) {
  const OpIndex op = at.next;
  const trace::Op& it = trace_[op];
  const bool holds = it.kind != OpKind::callback || it.has(trace::kBlocks);
  finish(track, at.reach, at.reach + (holds ? cost_.of(op) : 0), at.cause);
  return true;
}

/// Begins when the stream comes to it, ends with the last of its parts.
bool Simulator::join(TrackIndex track, Track& at) {
  const auto parts = trace_.deps(at.next);
  if (parts.empty()) return occupy(track, at);
  for (; at.edge < parts.size(); ++at.edge) {
    const OpIndex part = parts[at.edge].from;
    if (!run_.done(part)) return block(track, at, part);
    if (at.until_cause != kNone && run_.end(part) <= at.until) continue;
    at.until = run_.end(part);
    at.until_cause = part;
  }
  at.edge = 0;
  const OpIndex last = std::exchange(at.until_cause, kNone);
  const bool held = at.until > at.reach;
  finish(track, at.reach, std::max(at.reach, at.until), held ? last : at.cause);
  return true;
}

// ---- waits ----

/// Ends when its partner has, and the news has come through.
bool Simulator::wait_for(TrackIndex track, Track& at, OpIndex partner) {
  if (cost_.removed(partner)) return occupy(track, at);
  if (!run_.done(partner)) return block(track, at, partner);
  const Nanoseconds told = run_.end(partner) + cost_.wake_ns();
  const bool held = told > at.reach;
  finish(track, at.reach, std::max(at.reach, told), held ? partner : at.cause);
  return true;
}

/// For something that the trace does not hold: it comes when it came. Nothing recorded: never.
bool Simulator::wait_outside(TrackIndex track, Track& at) {
  const OpIndex op = at.next;
  if (trace_.start(op) == kNoTime) return false;
  const bool arrival = trace_[op].kind == OpKind::external;
  if (!arrival && !trace_[op].has(trace::kHasDuration)) return false;
  const Nanoseconds came = trace_.start(op) + (arrival ? 0 : trace_.duration(op)) - origin_;
  const bool held = came > at.reach;
  finish(track, at.reach, std::max(at.reach, came), held ? kNone : at.cause);
  return true;
}

bool Simulator::event_wait(TrackIndex track, Track& at) {
  const OpIndex op = at.next;
  if (trace_[op].use == kNone) return occupy(track, at);
  const trace::SyncUse& use = trace_.sync(op);
  if (use.partner != kNone) return wait_for(track, at, use.partner);
  return use.generation == 0 ? occupy(track, at) : wait_outside(track, at);
}

bool Simulator::notify(TrackIndex track, Track& at) {
  const OpIndex op = at.next;
  if (trace_[op].use == kNone || trace_.sync(op).partner != kNone) return occupy(track, at);
  const Nanoseconds end = at.reach + cost_.of(op);
  if (!own_turn(track, at, end)) return false;
  const trace::SyncUse& use = trace_.sync(op);
  SharedWord& shared = shared_words_[use.object];
  shared.value += std::max(1U, use.generation);
  shared.last = op;
  finish(track, at.reach, end, at.cause);
  serve(shared, end, op);
  return true;
}

bool Simulator::notify_wait(TrackIndex track, Track& at) {
  const OpIndex op = at.next;
  if (trace_[op].use == kNone) return occupy(track, at);
  const trace::SyncUse& use = trace_.sync(op);
  if (use.partner != kNone) return wait_for(track, at, use.partner);
  if (!shared_words_.contains(use.object)) return wait_outside(track, at);
  return shared_word_wait(track, at, use.object);
}

bool Simulator::value_write(TrackIndex track, Track& at) {
  const OpIndex op = at.next;
  if (trace_[op].use == kNone) return occupy(track, at);
  const Nanoseconds end = at.reach + cost_.of(op);
  if (!own_turn(track, at, end)) return false;
  SharedWord& shared = shared_words_[trace_.value(op).object];
  shared.value = trace_.value(op).value;
  shared.last = op;
  finish(track, at.reach, end, at.cause);
  serve(shared, end, op);
  return true;
}

bool Simulator::value_wait(TrackIndex track, Track& at) {
  const OpIndex op = at.next;
  if (trace_[op].use == kNone) return occupy(track, at);
  const trace::ValueUse& use = trace_.value(op);
  if (use.partner != kNone) return wait_for(track, at, use.partner);
  if (trace_.start(op) != kNoTime && !shared_words_.contains(use.object))
    return wait_outside(track, at);
  return shared_word_wait(track, at, use.object);
}

/// Whether the value of the word lets the wait pass; a notify wait then resets it.
bool Simulator::satisfied(SharedWord& shared, OpIndex op) const {
  if (trace_[op].kind == OpKind::notify_wait) {
    const std::uint64_t count = std::max(1U, trace_.sync(op).generation);
    if (shared.value < count) return false;
    shared.value = 0;
    return true;
  }
  const trace::ValueUse& use = trace_.value(op);
  switch (use.compare) {
    case trace::Compare::equal:
      return shared.value == use.value;
    case trace::Compare::greater_equal:
      return shared.value >= use.value;
    case trace::Compare::bits_and:
      return (shared.value & use.value) != 0;
    case trace::Compare::bits_nor:
      return (shared.value | use.value) != ~std::uint64_t{0};
  }
  return false;
}

bool Simulator::shared_word_wait(TrackIndex track, Track& at, std::uint32_t object) {
  if (!own_turn(track, at, at.reach)) return false;
  SharedWord& shared = shared_words_[object];
  const bool others_first = trace_[at.next].kind == OpKind::notify_wait && !shared.waiters.empty();
  if (others_first || !satisfied(shared, at.next)) {
    shared.waiters.push_back(track);
    return false;
  }
  finish(track, at.reach, at.reach, at.cause);
  return true;
}

/// Releases, in the order of their arrival, the tracks whose waits the value satisfies now.
void Simulator::serve(SharedWord& shared, Nanoseconds now, OpIndex cause) {
  std::deque<TrackIndex> stay;
  for (const TrackIndex track : shared.waiters) {
    Track& at = tracks_[track];
    if (!satisfied(shared, at.next)) {
      stay.push_back(track);
      continue;
    }
    const Nanoseconds told = now + cost_.wake_ns();
    finish(track, at.reach, std::max(at.reach, told), told > at.reach ? cause : at.cause);
    ready_.push_back(track);
  }
  shared.waiters.swap(stay);
}

// ---- transfers and rendezvous ----

/// copy, fill, reduce, and sends. `from`: when it can begin.
bool Simulator::transfer(TrackIndex track, Track& at, Nanoseconds from, OpIndex cause) {
  const bool comm = trace_[at.next].kind == OpKind::send || trace_[at.next].kind == OpKind::recv;
  const Rendezvous* const rendezvous = comm ? rendezvous_.of(at.next) : nullptr;
  const OpIndex op = rendezvous ? rendezvous->transfer : at.next;
  const TrackIndex sender = op == at.next ? track : trace_.track_of(op);
  const bool meets_others = contended_ && cost_.modelled(op);
  if (meets_others && !own_turn(track, at, from)) return false;
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

/// The rendezvous whose members are blocked until the bytes of `op` are through; nullptr: only its
/// own track is blocked.
Rendezvous* Simulator::rendezvous_of(OpIndex op) {
  const OpKind kind = trace_[op].kind;
  const bool meets = kind == OpKind::send || kind == OpKind::collective || kind == OpKind::barrier;
  return meets ? rendezvous_.of(op) : nullptr;
}

/// The bytes of `op` are through: its track goes on, or all tracks of its rendezvous do.
void Simulator::complete(TrackIndex sender, OpIndex op, Nanoseconds start, Nanoseconds end,
                         OpIndex cause) {
  Rendezvous* const rendezvous = rendezvous_of(op);
  if (!rendezvous) {
    finish(sender, start, end, cause);
    return;
  }
  rendezvous->arrived = 0;
  for (TrackIndex track = std::exchange(rendezvous->tracks, kNone); track != kNone;) {
    const TrackIndex next = std::exchange(tracks_[track].next_waiter, kNone);
    finish(track, tracks_[track].reach, end, cause);
    ready_.push_back(track);
    track = next;
  }
}

void Simulator::end_flows() {
  const Nanoseconds now = fabric_.next();
  for (const Fabric::Flow& flow : fabric_.end_next()) {
    const Nanoseconds end = now + flow.lat;
    const TrackIndex track = trace_.track_of(flow.op);
    run_.queued = run_.queued || end - flow.begin > flow.ns + 1;
    const bool alone = !rendezvous_of(flow.op);
    complete(track, flow.op, flow.begin, end, flow.cause);
    if (alone) ready_.push_back(track);
  }
}

bool Simulator::send(TrackIndex track, Track& at) {
  Rendezvous* const rendezvous = rendezvous_.of(at.next);
  return rendezvous ? meet(track, at, *rendezvous) : transfer(track, at, at.reach, at.cause);
}

bool Simulator::receive(TrackIndex track, Track& at) {
  if (Rendezvous* const rendezvous = rendezvous_.of(at.next)) return meet(track, at, *rendezvous);
  const OpIndex op = at.next;
  if (trace_[op].use == kNone) return occupy(track, at);
  const OpIndex partner = trace_.comm(op).partner;
  if (partner == kNone) return wait_outside(track, at);
  if (cost_.removed(partner)) return occupy(track, at);
  if (!run_.done(partner)) return block(track, at, partner);
  const Nanoseconds came = run_.end(partner);
  const bool held = came > at.reach;
  finish(track, at.reach, std::max(at.reach, came), held ? partner : at.cause);
  return true;
}

/// The last member that arrives resumes all of them.
bool Simulator::meet(TrackIndex track, Track& at, Rendezvous& rendezvous) {
  if (!at.arrived) {
    at.arrived = true;
    at.next_waiter = std::exchange(rendezvous.tracks, track);
    ++rendezvous.arrived;
    const bool later = rendezvous.arrived == 1 || at.reach > rendezvous.latest ||
                       (at.reach == rendezvous.latest && at.cause < rendezvous.cause);
    if (later) {
      rendezvous.latest = at.reach;
      rendezvous.cause = at.cause;
    }
  }
  const std::size_t needed = rendezvous.transfer == kNone ? rendezvous.members.size() : 2;
  if (rendezvous.arrived < needed || !rendezvous.absent.empty()) return false;
  if (rendezvous.transfer != kNone) {
    // All tracks of the rendezvous, this one too, are set going by complete().
    transfer(track, at, rendezvous.latest, rendezvous.cause);
    return false;
  }
  if (contended_ && rendezvous.modelled) {
    const OnHops& hops = on_hops(at.next);
    if (!hops.loads.empty()) return exchange(track, at, rendezvous, hops);
  }
  rendezvous.arrived = 0;
  for (TrackIndex one = std::exchange(rendezvous.tracks, kNone); one != kNone;) {
    const TrackIndex next = std::exchange(tracks_[one].next_waiter, kNone);
    finish(one, tracks_[one].reach, rendezvous.latest + rendezvous.cost, rendezvous.cause);
    if (one != track) ready_.push_back(one);
    one = next;
  }
  return true;
}

const Simulator::OnHops& Simulator::on_hops(OpIndex op) {
  const trace::CommUse& use = trace_.comm(op);
  const auto [at, fresh] = on_hops_.try_emplace({use.group, use.kind});
  if (fresh) {
    at->second = {cost_.loads(op), cost_.latency(op)};
    at->second.links = fabric_.links_of(at->second.loads);
  }
  return at->second;
}

/// A collective on hops that others may want. All its tracks are set going by complete().
bool Simulator::exchange(TrackIndex track, Track& at, Rendezvous& rendezvous, const OnHops& hops) {
  const Nanoseconds from = rendezvous.latest;
  if (!own_turn(track, at, from)) return false;
  const OpIndex op = at.next;
  if (options_.contention == Contention::share) {
    fabric_.begin({hops.loads, cost_.bytes(op), rendezvous.cost, hops.lat}, op, from,
                  rendezvous.cause);
    return false;
  }
  const Fabric::Turn turn = Fabric::take(hops.links, op, from, rendezvous.cost);
  run_.queued = run_.queued || turn.before != kNone;
  if (turn.before != kNone) rendezvous.cause = turn.before;
  complete(track, op, turn.start, turn.start + rendezvous.cost, rendezvous.cause);
  return false;
}

// ---- host threads ----

bool Simulator::sync(TrackIndex track, Track& at) {
  const OpIndex op = at.next;
  if (trace_[op].use == kNone) return occupy(track, at);
  const trace::HostUse& use = trace_.host(op);
  const std::size_t targets =
      use.target == trace::Target::device ? trace_.tracks().size() : std::size_t{1};
  for (; at.edge < targets; ++at.edge) {
    const OpIndex target =
        use.target == trace::Target::device
            ? trace::last_before_device_sync(trace_, op, trace_.tracks()[at.edge])
            : use.partner;
    if (target == kNone) continue;
    if (!run_.done(target)) return block(track, at, target);
    if (at.until_cause != kNone && run_.end(target) <= at.until) continue;
    at.until = run_.end(target);
    at.until_cause = target;
  }
  at.edge = 0;
  const OpIndex target = std::exchange(at.until_cause, kNone);
  const bool held = target != kNone && at.until > at.reach;
  const Nanoseconds end = std::max(at.reach, target == kNone ? 0 : at.until);
  finish(track, at.reach, end + sync_overhead(op, target), held ? target : at.cause);
  return true;
}

/// The recorded duration of the call beyond its wait.
Nanoseconds Simulator::sync_overhead(OpIndex op, OpIndex target) const {
  if (target == kNone) return trace_.duration(op);
  if (!gaps_ || trace_.start(op) == kNoTime || trace_.start(target) == kNoTime) return 0;
  const Nanoseconds waited =
      std::max(trace_.start(op), trace_.start(target) + trace_.duration(target));
  return std::max<Nanoseconds>(0, trace_.start(op) + trace_.duration(op) - waited);
}

// ---- graphs ----

bool Simulator::launch(TrackIndex track, Track& at) {
  const OpIndex op = at.next;
  if (trace_[op].use == kNone) return occupy(track, at);
  if (!own_turn(track, at, at.reach)) return false;
  const std::uint32_t graph = trace_.launch(op).graph;
  GraphState& state = graphs_[graph];
  if (state.launcher != kNone) {
    state.queue.push_back(track);
    return false;
  }
  start_graph(graph, track);
  return false;
}

void Simulator::start_graph(std::uint32_t graph, TrackIndex launcher) {
  GraphState& state = graphs_[graph];
  const Nanoseconds start = std::max(tracks_[launcher].reach, state.latest);
  state.launcher = launcher;
  state.latest = start;
  state.last = tracks_[launcher].cause;
  const auto& tracks = trace_.graphs()[graph].tracks;
  state.running = static_cast<std::uint32_t>(tracks.size());
  for (const TrackIndex track : tracks) {
    const trace::Track& definition = trace_.tracks()[track];
    tracks_[track] = Track{};
    tracks_[track].reach = start;
    tracks_[track].cause = tracks_[launcher].cause;
    tracks_[track].next = definition.begin;
    tracks_[track].end = definition.end;
    for (OpIndex op = definition.begin; op < definition.end; ++op) {
      run_.slots_[op] = Execution::kUnset;
    }
  }
  ready_.insert(ready_.end(), tracks.begin(), tracks.end());
  if (tracks.empty()) {
    state.running = 1;
    state.launcher = kNone;
    finish(launcher, tracks_[launcher].reach, start, tracks_[launcher].cause);
    ready_.push_back(launcher);
  }
}

void Simulator::graph_track_ended(TrackIndex track) {
  const std::uint32_t graph = trace_.tracks()[track].graph;
  GraphState& state = graphs_[graph];
  if (tracks_[track].reach > state.latest) {
    state.latest = tracks_[track].reach;
    state.last = tracks_[track].cause;
  }
  if (--state.running != 0) return;
  const TrackIndex launcher = std::exchange(state.launcher, kNone);
  finish(launcher, tracks_[launcher].reach, state.latest, state.last);
  ready_.push_back(launcher);
  if (state.queue.empty()) return;
  const TrackIndex next = state.queue.front();
  state.queue.pop_front();
  start_graph(graph, next);
}

}  // namespace replay
