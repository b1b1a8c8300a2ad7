// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/clocks.h"

#include <algorithm>
#include <utility>

namespace order {

Actor Clocks::add() {
  const auto actor = static_cast<Actor>(actors_.size());
  actors_.emplace_back();
  return actor;
}

Actor Clocks::add_host() {
  const Actor actor = add();
  actors_[actor].host = true;
  actors_[actor].clock.set(actor, 1);
  return actor;
}

Actor Clocks::add_stream() {
  if (unused_.empty()) return add();
  const Actor actor = unused_.back();
  unused_.pop_back();
  return actor;
}

// Takes over the number of an ended stream only if the creator is ordered after all of that stream.
Actor Clocks::add_stream(Actor creator) {
  const auto known = std::find_if(unused_.begin(), unused_.end(),
                                  [&](Actor stream) { return covers_all_of(creator, stream); });
  if (known != unused_.end()) std::iter_swap(known, unused_.end() - 1);
  const Actor stream = known != unused_.end() ? add_stream() : add();
  actors_[stream].clock.join(actors_[creator].clock);
  return stream;
}

// The count continues, so old epochs stay true.
void Clocks::end_stream(Actor stream) {
  ActorClock& state = actors_[stream];
  VectorClock clock;
  clock.set(stream, state.issued);
  state.clock = std::move(clock);
  set_blocked(state, false);
  state.seen_version = state.seen_moment = 0;
  state.joined = nullptr;
  state.marks.clear();
  unused_.push_back(stream);
}

void Clocks::pass_all(Actor stream) {
  ActorClock& state = actors_[stream];
  state.clock.set(stream, state.issued);
  state.marks.clear();
  set_blocked(state, false);
}

Snapshot Clocks::snapshot_of(Actor host) {
  ActorClock& state = actors_[host];
  if (!state.snapshot) state.snapshot = new ClockCopy(state.clock);
  return state.snapshot;
}

void Clocks::join_host(ActorClock& stream, Actor host) {
  const ActorClock& by = actors_[host];
  const bool known = stream.is_covered_by(host);
  if (stream.seen_host != host || stream.seen_version != by.version) stream.clock.join(by.clock);
  refresh_host(stream, by, host);
  if (known) stream.covered_news = stream.clock.news();
}

// The clock of the stream covers all but the host's own last steps.
void Clocks::refresh_host(ActorClock& stream, const ActorClock& by, Actor host) {
  stream.clock.raise({host, by.clock.of(host)});
  stream.seen_host = host;
  stream.seen_version = by.version;
  stream.seen_moment = by.moment;
}

void Clocks::pass(ActorClock& stream, Actor number, std::uint32_t ops) {
  while (ops != 0) {
    if (stream.marks.next() == stream.clock.of(number)) stream.marks.pass(stream.clock);
    const std::uint32_t before_mark = std::min(ops, stream.marks.next() - stream.clock.of(number));
    stream.clock.advance(number, before_mark);
    ops -= before_mark;
  }
}

bool Clocks::wait_at_once(Actor stream, Actor host, Node& node) {
  ActorClock& state = actors_[stream];
  const ActorClock& by = actors_[host];
  if (state.blocked || !node.resolved) return false;
  if (node.host != host || node.version != by.version) return false;
  if (state.clock.covers(node.when) || by.clock.covers(node.when)) return false;
  node.bind({stream, ++state.issued});
  const bool known = state.is_covered_by(host) && (state.record == 0 || state.record == by.record);
  if (state.clock.of(stream) == state.marks.next()) [[unlikely]]
    state.marks.pass(state.clock);
  state.clock.join(node.clock);  // first: it reads more at once than the others store
  state.clock.advance(stream);
  refresh_host(state, by, host);
  if (known) {
    state.record = node.serial;
    state.covered_news = state.clock.news();
  }
  return true;
}

}  // namespace order
