// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/engine.h"

#include <algorithm>
#include <utility>

namespace order {

// ---- actors ----

Actor Engine::add_host() {
  const auto actor = static_cast<Actor>(actors_.size());
  actors_.emplace_back().host = true;
  actors_[actor].clock.set(actor, 1);
  hosts_.push_back(actor);
  hosts_snapshot_ = nullptr;
  return actor;
}

Actor Engine::add_crew() {
  const Actor actor = add_host();
  actors_[actor].crew = true;
  return actor;
}

// Its number is not used again: what the next thread does would count as ordered after what this
// one did.
void Engine::end_host(Actor host) {
  State& state = actors_[host];
  told_clock_.join(state.clock);
  ++ended_hosts_;
  state.clock = {};
  state.snapshot = hosts_snapshot_ = nullptr;
  std::erase(hosts_, host);
  std::erase_if(callers_, [host](const Caller& one) { return one.host == host; });
}

// Takes over the number of a stream only where the creator is ordered after all of that one.
Actor Engine::add_stream(Actor creator) {
  const auto known = std::find_if(unused_.begin(), unused_.end(),
                                  [&](Actor stream) { return covers_all_of(creator, stream); });
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

// Who comes next under the number goes on counting, so old epochs stay true, and starts with an
// empty clock.
void Engine::end_stream(Actor stream, bool keeps_calls) {
  State& state = actors_[stream];
  Fifo<Item> dropped;
  std::swap(dropped, state.waiting);
  VectorClock clock;
  clock.set(stream, state.issued);
  state.clock = std::move(clock);
  state.blocked = false;
  state.seen_version = state.seen_moment = 0;
  state.joined = state.hosts_clock = nullptr;
  state.marks.clear();
  state.next_mark = kNoMark;
  unused_.push_back(stream);
  for (std::size_t i = 0; i < dropped.size(); ++i) {
    do_not_count(dropped[i].completion_id);
    drop(stream, dropped[i]);
  }
  forget_unserved(stream, keeps_calls);
}

// Functions that have not begun never will.
void Engine::abort(Actor host, Actor stream) {
  State& state = actors_[stream];
  state.clock.set(stream, state.issued);
  state.marks.clear();
  state.next_mark = kNoMark;
  drop_waiting(stream);
  std::vector<CompletionId> unserved;
  pending_.any([&](CompletionId completion_id, const Pending& pending) {
    if (pending.actor == stream && pending.unserved) unserved.push_back(completion_id);
    return false;
  });
  for (const CompletionId completion_id : unserved) pending_.erase(completion_id);
  join_clock(host, actors_[stream].clock);
}

void Engine::drop_waiting(Actor stream) {
  Fifo<Item> dropped;
  std::swap(dropped, actors_[stream].waiting);
  actors_[stream].blocked = false;
  for (std::size_t i = 0; i < dropped.size(); ++i) {
    do_not_count(dropped[i].completion_id);
    drop(stream, dropped[i]);
  }
}

void Engine::do_not_count(CompletionId completion_id) {
  const Pending* const at = completion_id ? pending_.find(completion_id) : nullptr;
  if (!at || !at->number) return;
  NotifyCounts& counts = at->number->variable->counts;
  const bool record = at->kind == Item::Kind::change;
  --(record ? counts.records : counts.waits);
  ++(record ? counts.dropped_records : counts.dropped_waits);
}

void Engine::forget_unserved(Actor stream, bool keeps_calls) {
  pending_.any([&](CompletionId, Pending& call) {
    if (call.actor != stream) return false;
    const bool keep = keeps_calls && call.kind == Item::Kind::call;
    if (keep && call.unserved) call.actor = kEnded;
    if (!keep) call.unserved = false;
    return false;
  });
  std::erase_if(never_served_, [&](const Pending& call) { return call.actor == stream; });
}

// Whoever waits for it goes on without order.
void Engine::drop(Actor stream, Item& item) {
  if (item.completion_id) pending_.erase(item.completion_id);
  if (!item.node) return;
  if (item.kind == Item::Kind::record)
    resolve(*item.node, {});
  else
    std::erase(item.node->blocked, stream);
}

void Engine::step(Actor actor) {
  State& state = actors_[actor];
  state.clock.advance(actor);
  if (!state.host) return;
  ++state.moment;
  state.snapshot = nullptr;
  hosts_snapshot_ = nullptr;
}

Engine::Snapshot Engine::snapshot_of(Actor host) {
  State& state = actors_[host];
  if (!state.snapshot) state.snapshot = new Kept(state.clock);
  return state.snapshot;
}

Engine::Snapshot Engine::snapshot_of_hosts() {
  if (!hosts_snapshot_) hosts_snapshot_ = new Kept(released_by_hosts());
  return hosts_snapshot_;
}

// ---- items ----

void Engine::join_host_clock(State& stream, Actor host) {
  const State& by = actors_[host];
  const bool known = is_covered_by(stream, host);
  if (stream.seen_host != host || stream.seen_version != by.version) stream.clock.join(by.clock);
  refresh_host_clock(stream, by, host);
  if (known) stream.covered_news = stream.clock.news();
}

// The clock of the stream covers all but the host's own last steps.
void Engine::refresh_host_clock(State& stream, const State& by, Actor host) {
  stream.clock.raise({host, by.clock.of(host)});
  stream.seen_host = host;
  stream.seen_version = by.version;
  stream.seen_moment = by.moment;
}

VectorClock Engine::any_host() const {
  VectorClock known = told_clock_;
  for (const Actor host : hosts_) known.join(actors_[host].clock);
  return known;
}

void Engine::Item::renew() {
  begun = false;
  completion_id = ops = 0;
  accesses.clear();
  node.reset();
  host_clock = nullptr;
  if (hosts_clock) hosts_clock = nullptr;
}

/// The next item of the stream, to be issued when it is filled in.
Engine::Item& Engine::line_up(Actor stream, Item::Kind kind) {
  Item& item = actors_[stream].waiting.push();
  item.kind = kind;
  return item;
}

Engine::Item& Engine::line_up(Actor stream, Item::Kind kind, const OpInfo& op_info) {
  Item& item = line_up(stream, kind);
  item.op_info = op_info;
  return item;
}

const OpInfo& Engine::op_info_of(const Item& item) {
  const bool is_pending = item.kind == Item::Kind::blocking_call &&
                          CompletionMap<Pending>::id_of(*item.pending) == item.completion_id;
  return is_pending ? item.pending->op_info : item.op_info;
}

void Engine::issue(Actor stream, Actor host, Item& item) {
  State& state = actors_[stream];
  if (state.blocked) {
    ++state.issued;
    item.host_clock = snapshot_of(host);
    if (host_threads() > 1 && !item.accesses.empty()) item.hosts_clock = snapshot_of_hosts();
    return;
  }
  item.begun = true;
  start(state, stream, host);
  if (take(stream, item))
    leave(state, stream);
  else
    state.blocked = true;
}

CompletionId Engine::issue(Actor host, Pending& pending, const OpInfo& op_info,
                           std::span<const Access> accesses) {
  const CompletionId completion_id = last_completion_id_;
  Item& item = line_up(pending.actor, pending.kind, op_info);
  item.completion_id = completion_id;
  item.pending = &pending;
  if (!accesses.empty()) item.accesses.assign(accesses.begin(), accesses.end());
  if (pending.kind == Item::Kind::call && host_threads() > 1)
    item.hosts_clock = snapshot_of_hosts();
  issue(pending.actor, host, item);
  return completion_id;
}

void Engine::op_later(Actor stream, Actor host, const OpInfo& op_info,
                      std::span<const Access> accesses) {
  Item& item = line_up(stream, Item::Kind::op, op_info);
  item.accesses.assign(accesses.begin(), accesses.end());
  issue(stream, host, item);
}

bool Engine::goes_on_later(State& state, Actor host) {
  Item& last = state.waiting.back();
  const State& by = actors_[host];
  const bool same_clock = last.host_clock
                              ? last.host_clock == by.snapshot
                              : state.seen_host == host && state.seen_moment == by.moment;
  if (!same_clock) return false;
  ++state.issued;
  ++last.ops;
  return true;
}

void Engine::went_on(Actor stream, std::uint32_t ops) {
  State& state = actors_[stream];
  state.issued += ops;
  pass_over(state, stream, ops);
}

// The stream goes on by ops that touch nothing.
void Engine::pass_over(State& state, Actor number, std::uint32_t ops) {
  while (ops != 0) {
    if (state.next_mark == state.clock.of(number)) pass_mark(state);
    const std::uint32_t before_mark = std::min(ops, state.next_mark - state.clock.of(number));
    state.clock.advance(number, before_mark);
    ops -= before_mark;
  }
}

// The first item that waits is over.
void Engine::leave(State& state, Actor number) {
  const std::uint32_t ops = state.waiting.front().ops;
  state.waiting.pop_front();
  if (ops != 0) pass_over(state, number, ops);
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
  State& state = actors_[stream];
  while (!state.waiting.empty()) {
    if (!take(stream, state.waiting.front())) {
      state.blocked = true;
      return;
    }
    leave(state, stream);
  }
}

void Engine::record(Actor stream, Actor host, const OpInfo& op_info, Node& node,
                    const std::shared_ptr<void>& owner) {
  node.record = op_info;
  node.by = stream;
  State& state = actors_[stream];
  if (state.blocked) {
    Item& item = line_up(stream, Item::Kind::record, op_info);
    item.node = {owner, &node};
    return issue(stream, host, item);
  }
  start(state, stream, host);
  node.host = host;
  node.version = actors_[host].version;
  node.when = {stream, state.issued};
  node.serial = ++last_record_;
  resolve(node, state.clock);
}

void Engine::wait(Actor stream, Actor host, const OpInfo& op_info, Node& node,
                  const std::shared_ptr<void>& owner) {
  if (wait_at_once(stream, host, node)) return;
  State& state = actors_[stream];
  node.bind({stream, state.issued + 1});
  if (state.blocked || !node.resolved) {
    Item& item = line_up(stream, Item::Kind::wait, op_info);
    item.node = {owner, &node};
    return issue(stream, host, item);
  }
  start(state, stream, host);
  take_wait(stream, op_info, node);
}

// A wait that orders something, for a record that is ordered after all that the host joined: to
// join the clock of the record is to join that of the host too.
bool Engine::wait_at_once(Actor stream, Actor host, Node& node) {
  State& state = actors_[stream];
  const State& by = actors_[host];
  if (state.blocked || !node.resolved) return false;
  if (node.host != host || node.version != by.version) return false;
  if (state.clock.covers(node.when) || by.clock.covers(node.when)) return false;
  node.bind({stream, ++state.issued});
  const bool known = is_covered_by(state, host) && (state.record == 0 || state.record == by.record);
  if (state.clock.of(stream) == state.next_mark) [[unlikely]]
    pass_mark(state);
  state.clock.join(node.clock);  // first: it reads more at once than the others store
  state.clock.advance(stream);
  refresh_host_clock(state, by, host);
  if (known) {
    state.record = node.serial;
    state.covered_news = state.clock.news();
  }
  return true;
}

void Engine::Pending::renew() {
  number.reset();
  has_time_limit = unserved = false;
  clock = nullptr;
}

Engine::Pending& Engine::pend(Item::Kind kind, Actor stream, const OpInfo& op_info) {
  if (++last_completion_id_ == 0) ++last_completion_id_;
  Pending& pending = pending_.add(last_completion_id_);
  pending.kind = kind;
  pending.actor = stream;
  pending.op_info = op_info;
  return pending;
}

CompletionId Engine::change(Actor stream, Actor host, const OpInfo& op_info,
                            std::shared_ptr<Variable> variable, Variable::Update update, bool adds,
                            std::span<const Access> accesses) {
  variable->last = op_info;
  ++variable->counts.records;
  Pending& pending = pend(Item::Kind::change, stream, op_info);
  pending.number.reset(new Pending::Number{std::move(variable), std::move(update), {}, adds});
  return issue(host, pending, op_info, accesses);
}

CompletionId Engine::wait_for(Actor stream, Actor host, const OpInfo& op_info,
                              std::shared_ptr<Variable> variable, Variable::Test test, bool clears,
                              std::span<const Access> accesses) {
  variable->last_wait = op_info;
  ++variable->counts.waits;
  Pending& pending = pend(Item::Kind::wait_for, stream, op_info);
  pending.number.reset(new Pending::Number{std::move(variable), {}, std::move(test), clears});
  return issue(host, pending, op_info, accesses);
}

CompletionId Engine::call(Actor stream, Actor host, const OpInfo& op_info, bool blocking) {
  const auto kind = blocking ? Item::Kind::blocking_call : Item::Kind::call;
  Pending& pending = pend(kind, stream, op_info);
  pending.unserved = true;
  if (!blocking) return issue(host, pending, op_info);
  Item& item = line_up(stream, kind);
  item.completion_id = last_completion_id_;
  item.pending = &pending;
  if (host_threads() > 1) item.hosts_clock = snapshot_of_hosts();
  issue(stream, host, item);
  return item.completion_id;
}

CompletionId Engine::launch(Actor stream, Actor host, const OpInfo& op_info,
                            std::span<const Access> accesses) {
  Pending& pending = pend(Item::Kind::launch, stream, op_info);
  const CompletionId completion_id = issue(host, pending, op_info, accesses);
  actors_[stream].waiting.back().hosts_clock = snapshot_of_hosts();
  return completion_id;
}

CompletionId Engine::kernel(Actor stream, Actor host, const OpInfo& op_info,
                            std::span<const Access> accesses) {
  Pending& pending = pend(Item::Kind::kernel, stream, op_info);
  const CompletionId completion_id = issue(host, pending, op_info, accesses);
  if (host_threads() > 1) actors_[stream].waiting.back().hosts_clock = snapshot_of_hosts();
  return completion_id;
}

// False: the stream is blocked at the item.
bool Engine::take(Actor stream, Item& item) {
  State& state = actors_[stream];
  if (!item.begun) {
    item.begun = true;
    begin(state, stream);
    if (item.host_clock != state.joined) {
      state.joined = item.host_clock;
      state.clock.join(state.joined->clock);
    }
  }
  const bool is_pending =
      item.completion_id && CompletionMap<Pending>::id_of(*item.pending) == item.completion_id;
  Pending* const pending = is_pending ? item.pending : nullptr;
  switch (item.kind) {
    case Item::Kind::op:
      take_item_accesses(stream, item);
      return true;
    case Item::Kind::record:
      resolve(*item.node, state.clock);
      return true;
    case Item::Kind::wait:
      return take_wait(stream, item.op_info, *item.node);
    case Item::Kind::change:
    case Item::Kind::call:
      take_item_accesses(stream, item);
      if (pending) pending->clock = new Kept(state.clock, item.hosts_clock);
      return true;
    case Item::Kind::wait_for:
    case Item::Kind::kernel:
      if (pending) return false;
      take_item_accesses(stream, item);
      return true;
    case Item::Kind::blocking_call:
      return !pending;
    case Item::Kind::launch:
      if (pending) pending->clock = new Kept(state.clock);
      return !pending;
  }
  return true;
}

bool Engine::take_wait(Actor stream, const OpInfo& op_info, Node& node) {
  if (!node.resolved) {
    node.blocked.push_back(stream);
    return false;
  }
  if (node.clock.empty()) return true;  // the record was dropped
  if (actors_[stream].clock.join(node.clock)) return true;
  Finding finding(Rule::redundant_wait);
  finding.op_info = op_info;
  finding.other = node.record;
  finding.text = "{it} adds no order; {other} already happens before it";
  report_(std::move(finding));
  return true;
}

void Engine::resolve(Node& node, const VectorClock& clock) {
  node.clock = clock;
  node.resolved = true;
  if (node.blocked.empty()) return;
  for (const Actor stream : std::exchange(node.blocked, {})) unblock(stream);
}

}  // namespace order
