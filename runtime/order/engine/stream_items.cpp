// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/stream_items.h"

#include <algorithm>
#include <utility>

namespace order {

// ---- issue ----

void StreamItems::issue(Actor stream, Actor host, Item& item) {
  ActorClock& state = clocks_[stream];
  if (state.blocked) {
    ++state.issued;
    item.host_clock = clocks_.snapshot_of(host);
    if (hosts_.count() > 1 && !item.accesses.empty()) item.hosts_clock = hosts_.snapshot();
    return;
  }
  item.begun = true;
  clocks_.start(state, stream, host);
  if (take(stream, item))
    leave_first(queues_[stream], stream);
  else
    block(state);
}

CompletionId StreamItems::issue(Actor host, PendingItem& pending, const OpInfo& op_info,
                                std::span<const Access> accesses) {
  const CompletionId completion_id = queues_.last_completion_id();
  Item& item = queues_.push(pending.actor, pending.kind, op_info);
  item.completion_id = completion_id;
  item.pending = &pending;
  if (!accesses.empty()) item.accesses.assign(accesses.begin(), accesses.end());
  if (pending.kind == ItemKind::call && hosts_.count() > 1) item.hosts_clock = hosts_.snapshot();
  issue(pending.actor, host, item);
  return completion_id;
}

void StreamItems::op_later(Actor stream, Actor host, const OpInfo& op_info,
                           std::span<const Access> accesses) {
  Item& item = queues_.push(stream, ItemKind::op, op_info);
  item.accesses.assign(accesses.begin(), accesses.end());
  issue(stream, host, item);
}

bool StreamItems::goes_on_later(Actor stream, Actor host) {
  ActorClock& state = clocks_[stream];
  Item& last = queues_[stream].back();
  const ActorClock& by = clocks_[host];
  const bool same_clock = last.host_clock
                              ? last.host_clock == by.snapshot
                              : state.seen_host == host && state.seen_moment == by.moment;
  if (!same_clock) return false;
  ++state.issued;
  ++last.ops;
  return true;
}

void StreamItems::record(Actor stream, Actor host, const OpInfo& op_info, Node& node,
                         const std::shared_ptr<void>& owner) {
  node.record = op_info;
  node.by = stream;
  ActorClock& state = clocks_[stream];
  if (state.blocked) {
    Item& item = queues_.push(stream, ItemKind::record, op_info);
    item.node = {owner, &node};
    return issue(stream, host, item);
  }
  clocks_.start(state, stream, host);
  node.host = host;
  node.version = clocks_[host].version;
  node.when = {stream, state.issued};
  node.serial = ++last_record_;
  resolve(node, state.clock);
}

void StreamItems::wait(Actor stream, Actor host, const OpInfo& op_info, Node& node,
                       const std::shared_ptr<void>& owner) {
  if (clocks_.wait_at_once(stream, host, node)) return;
  ActorClock& state = clocks_[stream];
  node.bind({stream, state.issued + 1});
  if (state.blocked || !node.resolved) {
    Item& item = queues_.push(stream, ItemKind::wait, op_info);
    item.node = {owner, &node};
    return issue(stream, host, item);
  }
  clocks_.start(state, stream, host);
  take_wait(stream, op_info, node);
}

CompletionId StreamItems::change(Actor stream, Actor host, const OpInfo& op_info,
                                 std::shared_ptr<Variable> variable, Variable::Update update,
                                 bool adds, std::span<const Access> accesses) {
  variable->last = op_info;
  ++variable->counts.records;
  PendingItem& pending = queues_.add_pending(ItemKind::change, stream, op_info);
  pending.number.reset(new PendingItem::Number{std::move(variable), std::move(update), {}, adds});
  return issue(host, pending, op_info, accesses);
}

CompletionId StreamItems::wait_for(Actor stream, Actor host, const OpInfo& op_info,
                                   std::shared_ptr<Variable> variable, Variable::Test test,
                                   bool clears, std::span<const Access> accesses) {
  variable->last_wait = op_info;
  ++variable->counts.waits;
  PendingItem& pending = queues_.add_pending(ItemKind::wait_for, stream, op_info);
  pending.number.reset(new PendingItem::Number{std::move(variable), {}, std::move(test), clears});
  return issue(host, pending, op_info, accesses);
}

CompletionId StreamItems::call(Actor stream, Actor host, const OpInfo& op_info, bool blocking) {
  const auto kind = blocking ? ItemKind::blocking_call : ItemKind::call;
  PendingItem& pending = queues_.add_pending(kind, stream, op_info);
  pending.unserved = true;
  if (!blocking) return issue(host, pending, op_info);
  Item& item = queues_.push(stream, kind);
  item.completion_id = queues_.last_completion_id();
  item.pending = &pending;
  if (hosts_.count() > 1) item.hosts_clock = hosts_.snapshot();
  issue(stream, host, item);
  return item.completion_id;
}

CompletionId StreamItems::launch(Actor stream, Actor host, const OpInfo& op_info,
                                 std::span<const Access> accesses) {
  PendingItem& pending = queues_.add_pending(ItemKind::launch, stream, op_info);
  const CompletionId completion_id = issue(host, pending, op_info, accesses);
  queues_[stream].back().hosts_clock = hosts_.snapshot();
  return completion_id;
}

CompletionId StreamItems::kernel(Actor stream, Actor host, const OpInfo& op_info,
                                 std::span<const Access> accesses) {
  PendingItem& pending = queues_.add_pending(ItemKind::kernel, stream, op_info);
  const CompletionId completion_id = issue(host, pending, op_info, accesses);
  if (hosts_.count() > 1) queues_[stream].back().hosts_clock = hosts_.snapshot();
  return completion_id;
}

// ---- taking items in ----

// False: the stream is blocked at the item.
bool StreamItems::take(Actor stream, Item& item) {
  ActorClock& state = clocks_[stream];
  if (!item.begun) {
    item.begun = true;
    Clocks::begin(state, stream);
    Clocks::join(state, item.host_clock);
  }
  PendingItem* const pending = item.unfinished();
  switch (item.kind) {
    case ItemKind::op:
      take_accesses(stream, item);
      return true;
    case ItemKind::record:
      resolve(*item.node, state.clock);
      return true;
    case ItemKind::wait:
      return take_wait(stream, item.op_info, *item.node);
    case ItemKind::change:
    case ItemKind::call:
      take_accesses(stream, item);
      if (pending) pending->clock = new ClockCopy(state.clock, item.hosts_clock);
      return true;
    case ItemKind::wait_for:
    case ItemKind::kernel:
      if (pending) return false;
      take_accesses(stream, item);
      return true;
    case ItemKind::blocking_call:
      return !pending;
    case ItemKind::launch:
      if (pending) pending->clock = new ClockCopy(state.clock);
      return !pending;
  }
  return true;
}

bool StreamItems::take_wait(Actor stream, const OpInfo& op_info, Node& node) {
  if (!node.resolved) {
    node.blocked.push_back(stream);
    return false;
  }
  if (node.clock.empty()) return true;  // the record was dropped
  if (!clocks_[stream].clock.join(node.clock)) reporter_.redundant_wait(op_info, node.record);
  return true;
}

void StreamItems::take_accesses(Actor stream, const Item& item) {
  if (item.accesses.empty()) return;
  // Threads that came after the issue do not matter.
  const Snapshot& known = item.hosts_clock ? item.hosts_clock : item.host_clock;
  accesses_.take(stream, item.op_info, item.accesses, known ? &known->clock : nullptr);
}

/// The stream has passed the first item of its queue.
void StreamItems::leave_first(ItemQueues::Queue& queue, Actor stream) {
  const std::uint32_t ops = queue.front().ops;
  queue.pop_front();
  if (ops != 0) Clocks::pass(clocks_[stream], stream, ops);
}

void StreamItems::resolve(Node& node, const VectorClock& clock) {
  node.clock = clock;
  node.resolved = true;
  if (node.blocked.empty()) return;
  for (const Actor stream : std::exchange(node.blocked, {})) unblock(stream);
}

void StreamItems::unblock(Actor stream) {
  clocks_.set_blocked(clocks_[stream], false);
  ready_.push_back(stream);
  if (draining_) return;
  draining_ = true;
  while (!ready_.empty()) {
    const Actor next = ready_.back();
    ready_.pop_back();
    drain(next);
  }
  draining_ = false;
  if (!clocks_.any_blocked()) accesses_.end_overtaking();
}

void StreamItems::block(ActorClock& stream) {
  clocks_.set_blocked(stream, true);
  accesses_.begin_overtaking();
}

void StreamItems::drain(Actor stream) {
  ItemQueues::Queue& queue = queues_[stream];
  while (!queue.empty()) {
    if (!take(stream, queue.front())) {
      block(clocks_[stream]);
      return;
    }
    leave_first(queue, stream);
  }
}

void StreamItems::pass(Actor stream, Variable& variable, const Variable::Test& test, bool clears) {
  VectorClock& clock = clocks_[stream].clock;
  if (const auto by = variable.passed(test)) {
    clock.join(*by);
  } else if (variable.address != 0) {
    accesses_.join_writer(clock, variable.address);
  }
  if (clears) variable.change([](std::uint64_t) { return 0; }, false, clock);
}

// ---- completion ----

void StreamItems::dropped(CompletionId completion_id, bool expected) {
  queues_.do_not_count(completion_id);
  PendingItem* const at = queues_.find(completion_id);
  if (at && !expected) at->unserved = false;
  happened(completion_id, true);
}

void StreamItems::happened(CompletionId completion_id, bool failed) {
  PendingItem* const at = queues_.find(completion_id);
  if (!at) return;
  PendingItem& pending = *at;
  if (pending.kind == ItemKind::call && !failed) return;  // its function may still come
  const Actor stream = pending.actor;
  bool was_blocked = false;
  switch (pending.kind) {
    case ItemKind::change:
      if (!failed) {
        const PendingItem::Number& number = *pending.number;
        number.variable->change(number.update, number.adds_or_clears, queues_.clock_at(pending));
      }
      break;
    case ItemKind::wait_for:
      if (!failed) {
        const PendingItem::Number& number = *pending.number;
        pass(stream, *number.variable, number.test, number.adds_or_clears);
      }
      was_blocked = true;
      break;
    case ItemKind::blocking_call:
    case ItemKind::launch:
    case ItemKind::kernel:
      was_blocked = true;
      break;
    default:
      break;
  }
  if (failed && pending.unserved) queues_.never_serve(pending);
  queues_.erase(completion_id);
  if (was_blocked) unblock(stream);
}

void StreamItems::accessed(CompletionId completion_id, std::span<const Access> accesses) {
  PendingItem* const at = queues_.find(completion_id);
  Item* const item = at ? queues_.item_of(*at, completion_id) : nullptr;
  if (!item) return;
  item->accesses.assign(accesses.begin(), accesses.end());
  item->op_info.declared = item->op_info.observed = true;
  item->op_info.sole = false;
}

void StreamItems::call_begins(CompletionId completion_id, Actor host) {
  PendingItem* const at = queues_.find(completion_id);
  if (!at) return;
  at->unserved = false;
  hosts_.enter_function(host, queues_.clock_at(*at), at->actor,
                        queues_.hosts_clock_of(*at, completion_id), at->op_info,
                        at->kind == ItemKind::blocking_call);
}

void StreamItems::call_ends(CompletionId completion_id, Actor host) {
  if (PendingItem* const at = queues_.find(completion_id)) {
    if (at->kind == ItemKind::blocking_call) {
      hosts_.end_function(host, clocks_[at->actor].clock);
    } else {
      queues_.erase(completion_id);
    }
  }
  hosts_.leave_function(host);
}

void StreamItems::called(std::span<const EndedCall> calls) {
  while (!calls.empty()) {
    const PendingItem* const at = queues_.find(calls[0].completion_id);
    std::size_t count = 1;
    if (at && at->kind == ItemKind::blocking_call) {
      count = end_several(at->actor, calls);
    } else if (at) {
      if (clocks_[calls[0].host].crew)
        hosts_.publish(queues_.clock_at(*at));
      else
        hosts_.join(calls[0].host, queues_.clock_at(*at));
      queues_.erase(calls[0].completion_id);
    }
    calls = calls.subspan(count);
  }
}

// If one thread runs consecutive calls of one stream, the last call carries the clocks of all: the
// thread did nothing between them. Returns the number of these calls.
std::size_t StreamItems::end_several(Actor stream, std::span<const EndedCall> calls) {
  ActorClock& state = clocks_[stream];
  const Actor host = calls[0].host;
  ItemQueues::Queue& queue = queues_[stream];
  const std::size_t count = count_consecutive(state, queue, calls, stream);
  if (count == 0) {
    queues_.erase(calls[0].completion_id);
    return 1;
  }
  for (const EndedCall& call : calls.first(count - 1)) {
    queues_.erase(call.completion_id);
    state.clock.advance(stream, queue.front().ops + 1);
    queue.pop_front();
  }
  queues_.erase(calls[count - 1].completion_id);
  if (clocks_[host].crew)
    hosts_.publish(state.clock);
  else
    hosts_.share(host, state.clock);
  leave_first(queue, stream);
  unblock(stream);
  return count;
}

// 0: the stream is not blocked at the first call. The stream reaches the other calls directly, and
// no synchronise needs its clock between them.
std::size_t StreamItems::count_consecutive(const ActorClock& state, const ItemQueues::Queue& queue,
                                           std::span<const EndedCall> calls, Actor stream) {
  if (queue.empty() || queue.front().completion_id != calls[0].completion_id) return 0;
  const std::size_t most = std::min(calls.size(), queue.size());
  std::uint32_t before_mark = state.marks.next() - state.clock.of(stream);
  std::size_t count = 1;
  for (; count < most; ++count) {
    const std::uint32_t items = queue[count - 1].ops + 1;
    const Item& next = queue[count];
    if (items > before_mark || next.completion_id != calls[count].completion_id ||
        calls[count].host != calls[0].host || next.kind != ItemKind::blocking_call ||
        next.host_clock != state.joined) {
      break;
    }
    before_mark -= items;
  }
  return count;
}

// ---- the end of streams ----

void StreamItems::end_stream(Actor stream, bool keeps_calls) {
  ItemQueues::Queue dropped = queues_.take_all(stream);
  clocks_.end_stream(stream);
  drop(stream, dropped);
  queues_.end_stream(stream, keeps_calls);
}

// Functions that have not begun never will.
void StreamItems::abort(Actor host, Actor stream) {
  clocks_.pass_all(stream);
  ItemQueues::Queue dropped = queues_.take_all(stream);
  drop(stream, dropped);
  queues_.erase_unserved(stream);
  hosts_.join(host, clocks_[stream].clock);
}

void StreamItems::drop(Actor stream, ItemQueues::Queue& items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    queues_.do_not_count(items[i].completion_id);
    drop(stream, items[i]);
  }
}

// Streams that wait for a dropped record proceed without order.
void StreamItems::drop(Actor stream, Item& item) {
  if (item.completion_id) queues_.erase(item.completion_id);
  if (!item.node) return;
  if (item.kind == ItemKind::record)
    resolve(*item.node, {});
  else
    std::erase(item.node->blocked, stream);
}

}  // namespace order
