// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine.h"

#include <algorithm>
#include <utility>

namespace order {

// ---- actors ----

Actor Engine::add_host() {
  const auto actor = static_cast<Actor>(actors_.size());
  actors_.emplace_back().host = true;
  actors_[actor].clock.set(actor, 1);
  hosts_.push_back(actor);
  return actor;
}

// Takes over the number of a stream only where the creator knows that all of that one is over.
Actor Engine::add_stream(Actor creator) {
  const auto known = std::find_if(unused_.begin(), unused_.end(),
                                  [&](Actor stream) { return knows_all_of(creator, stream); });
  if (known != unused_.end()) std::iter_swap(known, unused_.end() - 1);
  const Actor stream = known != unused_.end() ? add_stream() : new_stream();
  actors_[stream].clock.join(actors_[creator].clock);
  return stream;
}

Actor Engine::add_stream() {
  if (unused_.empty()) return new_stream();
  const Actor actor = unused_.back();
  unused_.pop_back();
  return actor;
}

Actor Engine::new_stream() {
  const auto actor = static_cast<Actor>(actors_.size());
  actors_.emplace_back();
  return actor;
}

// Who comes next under the number goes on counting, so old moments stay true, and knows nothing.
void Engine::end_stream(Actor stream) {
  State& state = actors_[stream];
  std::deque<Item> dropped = std::exchange(state.waiting, {});
  VectorClock clock;
  clock.set(stream, state.issued);
  state.clock = std::move(clock);
  state.blocked = false;
  state.seen_version = 0;
  state.marks.clear();
  state.next_mark = kNoMark;
  unused_.push_back(stream);
  for (Item& item : dropped) drop(stream, item);
}

// Whoever waits for it goes on without order.
void Engine::drop(Actor stream, Item& item) {
  if (item.note) pending_.erase(item.note);
  if (!item.node) return;
  if (item.kind == Item::Kind::record)
    resolve(*item.node, {});
  else
    std::erase(item.node->blocked, stream);
}

void Engine::step(Actor actor) {
  VectorClock& clock = actors_[actor].clock;
  clock.set(actor, clock.of(actor) + 1);
}

// ---- items ----

void Engine::meet_host(State& stream, Actor host) {
  const State& by = actors_[host];
  if (stream.seen_host == host && stream.seen_version == by.version) {
    stream.clock.set(host, by.clock.of(host));
    return;
  }
  stream.clock.join(by.clock);
  stream.seen_host = host;
  stream.seen_version = by.version;
}

// The stream goes on to its next item.
void Engine::begin(Actor stream) {
  State& state = actors_[stream];
  if (state.clock.of(stream) == state.next_mark) pass_mark(state);
  step(stream);
}

VectorClock Engine::any_host() const {
  VectorClock known;
  for (const Actor host : hosts_) known.join(actors_[host].clock);
  return known;
}

void Engine::op(Actor stream, Actor host, const Deed& deed, std::span<const Access> accesses) {
  State& state = actors_[stream];
  if (state.blocked) {
    Item item{Item::Kind::op, host, deed, {}, {}, {accesses.begin(), accesses.end()}, {}};
    return issue(stream, host, std::move(item));
  }
  ++state.issued;
  begin(stream);
  meet_host(state, host);
  if (!accesses.empty()) take_accesses(stream, deed, accesses);
}

void Engine::issue(Actor stream, Actor host, Item item) {
  State& state = actors_[stream];
  ++state.issued;
  if (state.blocked) {
    item.host_clock = actors_[host].clock;
    if (hosts_.size() > 1) item.hosts_clock = any_host();
    state.waiting.push_back(std::move(item));
    return;
  }
  item.begun = true;
  begin(stream);
  meet_host(state, host);
  if (take(stream, item)) return;
  actors_[stream].blocked = true;
  actors_[stream].waiting.push_back(std::move(item));
}

void Engine::unblock(Actor stream) {
  actors_[stream].blocked = false;
  ready_.push_back(stream);
  if (draining_) return;
  draining_ = true;
  while (!ready_.empty()) {
    const Actor next = ready_.back();
    ready_.pop_back();
    drain(next);
  }
  draining_ = false;
}

void Engine::drain(Actor stream) {
  while (!actors_[stream].waiting.empty()) {
    if (!take(stream, actors_[stream].waiting.front())) {
      actors_[stream].blocked = true;
      return;
    }
    actors_[stream].waiting.pop_front();
  }
}

void Engine::record(Actor stream, Actor host, const Deed& deed, const std::shared_ptr<Node>& node) {
  node->record = deed;
  issue(stream, host, Item{Item::Kind::record, host, deed, {}, {}, {}, node});
}

void Engine::wait(Actor stream, Actor host, const Deed& deed, const std::shared_ptr<Node>& node) {
  const Epoch bound{stream, actors_[stream].issued + 1};
  const auto same = std::find_if(node->waiters.begin(), node->waiters.end(),
                                 [&](Epoch waiter) { return waiter.actor == stream; });
  if (same == node->waiters.end()) {
    node->waiters.push_back(bound);
  } else {
    *same = bound;
  }
  issue(stream, host, Item{Item::Kind::wait, host, deed, {}, {}, {}, node});
}

NoteId Engine::pend(Item::Kind kind, Actor stream, const Deed& deed) {
  if (++last_note_ == 0) ++last_note_;
  Pending& pending = pending_[last_note_];
  pending.kind = kind;
  pending.actor = stream;
  pending.deed = deed;
  return last_note_;
}

NoteId Engine::change(Actor stream, Actor host, const Deed& deed,
                      std::shared_ptr<Variable> variable, Variable::Update update, bool adds) {
  const NoteId note = pend(Item::Kind::change, stream, deed);
  Pending& pending = pending_[note];
  variable->last = deed;
  ++variable->records;
  pending.variable = std::move(variable);
  pending.update = std::move(update);
  pending.adds_or_clears = adds;
  issue(stream, host, Item{Item::Kind::change, host, deed, {}, {}, {}, {}, note});
  return note;
}

NoteId Engine::wait_for(Actor stream, Actor host, const Deed& deed,
                        std::shared_ptr<Variable> variable, Variable::Test test, bool clears) {
  const NoteId note = pend(Item::Kind::wait_for, stream, deed);
  Pending& pending = pending_[note];
  ++variable->waits;
  pending.variable = std::move(variable);
  pending.test = std::move(test);
  pending.adds_or_clears = clears;
  issue(stream, host, Item{Item::Kind::wait_for, host, deed, {}, {}, {}, {}, note});
  return note;
}

NoteId Engine::call(Actor stream, Actor host, const Deed& deed, bool blocking) {
  const auto kind = blocking ? Item::Kind::blocking_call : Item::Kind::call;
  const NoteId note = pend(kind, stream, deed);
  issue(stream, host, Item{kind, host, deed, {}, {}, {}, {}, note});
  return note;
}

// False: the stream stands at the item.
bool Engine::take(Actor stream, Item& item) {
  State& state = actors_[stream];
  if (!item.begun) {
    item.begun = true;
    begin(stream);
    state.clock.join(item.host_clock);
    state.seen_version = 0;
  }
  const auto pending = item.note ? pending_.find(item.note) : pending_.end();
  switch (item.kind) {
    case Item::Kind::op:
      take_item_accesses(stream, item);
      return true;
    case Item::Kind::record:
      resolve(*item.node, state.clock);
      return true;
    case Item::Kind::wait:
      return take_wait(stream, item);
    case Item::Kind::change:
    case Item::Kind::call:
      if (pending != pending_.end()) pending->second.clock = state.clock;
      return true;
    case Item::Kind::wait_for:
      return pending == pending_.end();
    case Item::Kind::blocking_call:
      if (pending == pending_.end()) return true;
      pending->second.clock = state.clock;
      return false;
  }
  return true;
}

bool Engine::take_wait(Actor stream, Item& item) {
  Node& node = *item.node;
  if (!node.resolved) {
    node.blocked.push_back(stream);
    return false;
  }
  VectorClock& clock = actors_[stream].clock;
  if (node.clock.empty()) return true;  // the record was dropped
  if (clock.covers(node.clock)) {
    Finding finding(Rule::redundant_wait);
    finding.deed = item.deed;
    finding.other = node.record;
    finding.text = "the wait orders nothing that was not ordered before";
    report_(std::move(finding));
  } else {
    clock.join(node.clock);
  }
  return true;
}

void Engine::resolve(Node& node, const VectorClock& clock) {
  node.clock = clock;
  node.resolved = true;
  for (const Actor stream : std::exchange(node.blocked, {})) unblock(stream);
}

// ---- reports of the machine ----

void Engine::happened(NoteId note, bool failed) {
  const auto at = pending_.find(note);
  if (at == pending_.end()) return;
  if (at->second.kind == Item::Kind::call && !failed) return;  // its function may still come
  Pending pending = std::move(at->second);
  pending_.erase(at);
  State& state = actors_[pending.actor];
  switch (pending.kind) {
    case Item::Kind::change:
      if (!failed) pending.variable->change(pending.update, pending.adds_or_clears, pending.clock);
      return;
    case Item::Kind::wait_for:
      if (!failed) pass(pending.actor, *pending.variable, pending.test, pending.adds_or_clears);
      break;
    case Item::Kind::blocking_call:
      state.clock.join(pending.clock);
      break;
    default:
      return;
  }
  unblock(pending.actor);
}

void Engine::pass(Actor stream, Variable& variable, const Variable::Test& test, bool clears) {
  VectorClock& clock = actors_[stream].clock;
  if (const VectorClock* const by = variable.passed(test)) clock.join(*by);
  if (clears) variable.change([](std::uint64_t) { return 0; }, false, clock);
}

Deed Engine::deed_of(NoteId note) const {
  const auto at = pending_.find(note);
  return at == pending_.end() ? Deed{} : at->second.deed;
}

const VectorClock* Engine::clock_of(NoteId note) const {
  const auto at = pending_.find(note);
  return at == pending_.end() ? nullptr : &at->second.clock;
}

Epoch Engine::moment_of(NoteId note) const {
  const auto at = pending_.find(note);
  return at == pending_.end() ? Epoch{} : Epoch{at->second.actor, at->second.deed.number};
}

bool Engine::blocks(NoteId note) const {
  const auto at = pending_.find(note);
  return at != pending_.end() && at->second.kind == Item::Kind::blocking_call;
}

void Engine::call_begins(NoteId note, Actor host) {
  const auto at = pending_.find(note);
  if (at != pending_.end()) learn(host, at->second.clock);
}

void Engine::call_ends(NoteId note, Actor host) {
  const auto at = pending_.find(note);
  if (at == pending_.end()) return;
  if (at->second.kind == Item::Kind::blocking_call) {
    release(host, at->second.clock);
  } else {
    pending_.erase(at);
  }
}

// ---- graphs ----

void Engine::run_begins(NoteId launch, Actor stream) {
  const auto at = pending_.find(launch);
  if (at == pending_.end()) return;
  actors_[stream].clock.join(at->second.clock);
  step(stream);
}

void Engine::run_ends(NoteId launch, Actor stream) {
  const auto at = pending_.find(launch);
  if (at != pending_.end()) at->second.clock.join(actors_[stream].clock);
}

void Engine::run_op(Actor stream, const Deed& deed, std::span<const Access> accesses) {
  step(stream);
  take_accesses(stream, deed, accesses);
}

void Engine::run_record(Actor stream, const Deed& deed, Node& node) {
  step(stream);
  node.record = deed;
  resolve(node, actors_[stream].clock);
}

void Engine::run_wait(Actor stream, const Node& node) {
  step(stream);
  if (node.resolved) actors_[stream].clock.join(node.clock);
}

void Engine::run_change(Actor stream, Variable& variable, const Variable::Update& update,
                        bool adds) {
  step(stream);
  variable.change(update, adds, actors_[stream].clock);
}

void Engine::run_wait_for(Actor stream, Variable& variable, const Variable::Test& test,
                          bool clears) {
  step(stream);
  pass(stream, variable, test, clears);
}

}  // namespace order
