// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/item_queues.h"

#include <utility>

namespace order {

void Item::renew() {
  begun = false;
  completion_id = ops = 0;
  accesses.clear();
  node.reset();
  host_clock = nullptr;
  if (hosts_clock) hosts_clock = nullptr;
}

void PendingItem::renew() {
  number.reset();
  has_time_limit = unserved = false;
  clock = nullptr;
}

ItemQueues::Queue ItemQueues::take_all(Actor stream) {
  Queue taken;
  std::swap(taken, queues_[stream]);
  return taken;
}

// An item that a stream waits at may be ordered after the later operation by that wait. Operations
// between ranks wait for their own sake.
std::optional<ItemQueues::Queued> ItemQueues::last_before(Actor stream, const OpInfo& first,
                                                          const OpInfo& later,
                                                          std::span<const Access> accesses) const {
  if (stream >= queues_.size()) return std::nullopt;
  const Queue& queue = queues_[stream];
  std::optional<Queued> last;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Item& item = queue[i];
    const bool data = std::any_of(item.accesses.begin(), item.accesses.end(),
                                  [](const Access& one) { return one.kind != AccessKind::atomic; });
    const bool waits = item.kind == ItemKind::wait || item.kind == ItemKind::blocking_call ||
                       item.kind == ItemKind::launch || (item.kind == ItemKind::wait_for && !data);
    if (i != 0 && waits) break;
    const OpInfo& op_info = item.info();
    if (!is_called_before(op_info, later) || (first.declared && !op_info.declared)) continue;
    for (const Access& access : item.accesses) {
      const auto other = std::find_if(accesses.begin(), accesses.end(),
                                      [&](const Access& one) { return conflict(access, one); });
      if (other != accesses.end()) last = {op_info, access, common_bytes(*other, access)};
    }
  }
  return last;
}

bool ItemQueues::accesses(Actor stream, const Access& range) const {
  if (stream >= queues_.size()) return false;
  const Queue& queue = queues_[stream];
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Item& item = queue[i];
    if (item.kind == ItemKind::launch) continue;
    for (const Access& access : item.accesses) {
      if (overlap(access, range)) return true;
    }
  }
  return false;
}

bool ItemQueues::write(std::uintptr_t begin, std::size_t size) const {
  const auto writes = [&](const Access& access) {
    return access.write && access.kind != AccessKind::atomic && access.begin < begin + size &&
           begin < access.begin + access.size;
  };
  for (const Queue& queue : queues_) {
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const std::vector<Access>& accesses = queue[i].accesses;
      if (std::any_of(accesses.begin(), accesses.end(), writes)) return true;
    }
  }
  return false;
}

std::optional<Epoch> ItemQueues::recorder_of(const Node& node) const {
  if (node.resolved) return std::nullopt;
  for (Actor actor = 0; actor < queues_.size(); ++actor) {
    for (std::size_t i = 0; i < queues_[actor].size(); ++i) {
      const Item& item = queues_[actor][i];
      if (item.kind == ItemKind::record && item.node.get() == &node) {
        return Epoch{actor, item.op_info.number};
      }
    }
  }
  return std::nullopt;
}

bool ItemQueues::is_behind(Epoch item, Epoch call) const {
  std::vector<Actor> seen;
  return is_behind(item, call, seen);
}

// An earlier item of its stream waits for a record that is behind the call.
bool ItemQueues::is_behind(Epoch item, Epoch call, std::vector<Actor>& seen) const {
  if (item.actor == call.actor) return item.count > call.count;
  if (std::find(seen.begin(), seen.end(), item.actor) != seen.end()) return false;
  seen.push_back(item.actor);
  const Queue& queue = queues_[item.actor];
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Item& wait = queue[i];
    if (wait.kind != ItemKind::wait || wait.op_info.number >= item.count) continue;
    const auto recorder = recorder_of(*wait.node);
    if (recorder && is_behind(*recorder, call, seen)) return true;
  }
  return false;
}

// A function that blocks its stream has no clock of its own while the stream is blocked there.
bool ItemQueues::is_reached(CompletionId completion_id, const PendingItem& call) const {
  if (call.kind == ItemKind::call) return call.clock != nullptr;
  if (call.kind != ItemKind::blocking_call || call.actor == kEnded) return false;
  const Queue& queue = queues_[call.actor];
  return !queue.empty() && queue.front().completion_id == completion_id;
}

bool ItemQueues::holds(Actor stream, CompletionId completion_id) const {
  const Queue& queue = queues_[stream];
  for (std::size_t i = 0; i < queue.size(); ++i) {
    if (queue[i].completion_id == completion_id) return true;
  }
  return false;
}

PendingItem& ItemQueues::add_pending(ItemKind kind, Actor stream, const OpInfo& op_info) {
  if (++last_completion_id_ == 0) ++last_completion_id_;
  PendingItem& pending = pending_.add(last_completion_id_);
  pending.kind = kind;
  pending.actor = stream;
  pending.op_info = op_info;
  return pending;
}

Item* ItemQueues::item_of(const PendingItem& pending, CompletionId completion_id) {
  if (pending.actor == kEnded) return nullptr;
  Queue& queue = queues_[pending.actor];
  for (std::size_t i = 0; i < queue.size(); ++i) {
    if (queue[i].completion_id == completion_id) return &queue[i];
  }
  return nullptr;
}

const VectorClock& ItemQueues::clock_at(const PendingItem& pending) const {
  static const VectorClock nothing;
  if (pending.kind == ItemKind::blocking_call) return clocks_[pending.actor].clock;
  return pending.clock ? pending.clock->clock : nothing;
}

Snapshot ItemQueues::hosts_clock_of(const PendingItem& call, CompletionId completion_id) {
  if (call.clock) return call.clock->hosts_clock;
  const Item* const item = item_of(call, completion_id);
  return item ? item->hosts_clock : nullptr;
}

void ItemQueues::do_not_count(CompletionId completion_id) {
  const PendingItem* const at = completion_id ? pending_.find(completion_id) : nullptr;
  if (!at || !at->number) return;
  NotifyCounts& counts = at->number->variable->counts;
  const bool record = at->kind == ItemKind::change;
  --(record ? counts.records : counts.waits);
  ++(record ? counts.dropped_records : counts.dropped_waits);
}

void ItemQueues::erase_unserved(Actor stream) {
  std::vector<CompletionId> unserved;
  pending_.any([&](CompletionId completion_id, const PendingItem& pending) {
    if (pending.actor == stream && pending.unserved) unserved.push_back(completion_id);
    return false;
  });
  for (const CompletionId completion_id : unserved) pending_.erase(completion_id);
}

void ItemQueues::end_stream(Actor stream, bool keeps_calls) {
  pending_.any([&](CompletionId, PendingItem& call) {
    if (call.actor != stream) return false;
    const bool keep = keeps_calls && call.kind == ItemKind::call;
    if (keep && call.unserved) call.actor = kEnded;
    if (!keep) call.unserved = false;
    return false;
  });
  std::erase_if(never_served_, [&](const PendingItem& call) { return call.actor == stream; });
}

bool ItemQueues::calls_pending() const {
  return pending_.any([](CompletionId, const PendingItem& pending) {
    return pending.kind != ItemKind::change && pending.kind != ItemKind::wait_for;
  });
}

}  // namespace order
