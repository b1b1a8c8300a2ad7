// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/deadlock_search.h"

#include <algorithm>

#include "runtime/order/engine/cycle.h"

namespace order {
namespace {

/// The current value and the pending changes satisfy as many waits.
bool satisfy(const std::vector<const PendingItem*>& changes, const PendingItem::Number& wait,
             std::size_t waits) {
  std::uint64_t value = wait.variable->value();
  std::size_t passed = 0;
  const auto pass = [&] {
    if (!wait.test(value)) return;
    ++passed;
    value = 0;
  };
  pass();
  for (const PendingItem* const change : changes) {
    if (passed >= waits) return true;
    value = change->number->update(value);
    pass();
  }
  return passed >= waits;
}

}  // namespace

DeadlockSearch::Stuck DeadlockSearch::stuck(Actor stream) const {
  if (!clocks_[stream].blocked) return {};
  std::vector<Actor> path;
  Stuck found;
  if (!is_stuck(stream, path, found)) return {};
  if (!found.cycle) return found;
  WaitsFor edges;  // the search takes long
  for (const Actor one : path) {
    for (const Epoch& other : waits_for(one)) edges[one].push_back(other.actor);
  }
  const std::vector<Actor> shortest = shortest_cycle(edges, path);
  if (shortest.empty()) return found;
  found.waits.clear();
  for (const Actor one : shortest) found.waits.push_back(queues_[one].front().info());
  return found;
}

DeadlockSearch::Stuck DeadlockSearch::stuck(const Node& node) const {
  const auto recorder = queues_.recorder_of(node);
  return recorder ? stuck(recorder->actor) : Stuck{};
}

/// The items of which one has to complete first; none when the stream is not blocked at a wait.
std::vector<Epoch> DeadlockSearch::waits_for(Actor stream) const {
  if (!clocks_[stream].blocked || queues_[stream].empty()) return {};
  const Item& at = queues_[stream].front();
  std::vector<Epoch> others;
  if (at.kind == ItemKind::wait) {
    if (const auto recorder = queues_.recorder_of(*at.node)) others.push_back(*recorder);
  } else if (const PendingItem* const own = queues_.find(at.completion_id); own && own->number) {
    return changes_of(*own->number->variable);
  }
  return others;
}

std::vector<Epoch> DeadlockSearch::changes_of(const Variable& variable) const {
  std::vector<Epoch> changes;
  queues_.any([&](CompletionId, const PendingItem& pending) {
    if (pending.kind == ItemKind::change && pending.number->variable.get() == &variable) {
      changes.push_back({pending.actor, pending.op_info.number});
    }
    return false;
  });
  return changes;
}

std::vector<DeadlockSearch::BlockedWait> DeadlockSearch::blocked_waits() const {
  std::vector<BlockedWait> all;
  for (Actor actor = 0; actor < clocks_.size(); ++actor) {
    if (!clocks_[actor].blocked || queues_[actor].empty()) continue;
    const Item& front = queues_[actor].front();
    const PendingItem* const own =
        front.completion_id ? queues_.find(front.completion_id) : nullptr;
    const bool waits = front.kind == ItemKind::wait || front.kind == ItemKind::wait_for;
    if (!waits || (own && own->has_time_limit)) continue;
    BlockedWait& one = all.emplace_back();
    one.at = {actor, front.op_info.number};
    one.op_info = front.info();
    one.completion_id = front.completion_id;
    one.others_may_end = own && !own->number->variable->closed;
    for (const Epoch& other : waits_for(actor)) one.ended_by.raise(other);
  }
  return all;
}

bool DeadlockSearch::is_stuck(Actor stream, std::vector<Actor>& path, Stuck& found) const {
  if (!clocks_[stream].blocked || queues_[stream].empty()) return false;
  if (std::find(path.begin(), path.end(), stream) != path.end()) return true;
  const Item& at = queues_[stream].front();
  path.push_back(stream);
  found.waits.push_back(at.info());
  if (at.kind == ItemKind::wait) {
    const auto recorder = queues_.recorder_of(*at.node);
    return recorder && is_stuck(recorder->actor, path, found);
  }
  return at.kind == ItemKind::wait_for && is_never_satisfied(at, path, found);
}

bool DeadlockSearch::is_never_satisfied(const Item& wait, std::vector<Actor>& path,
                                        Stuck& found) const {
  const PendingItem* const own = queues_.find(wait.completion_id);
  if (!own || own->has_time_limit) return false;
  const Variable& variable = *own->number->variable;
  // A function of the program, or a graph, may do anything.
  if (!variable.closed || queues_.calls_pending() || may_be_written(variable)) return false;
  std::vector<const PendingItem*> all, coming;
  bool some_are_stuck = false;
  queues_.any([&](CompletionId completion_id, const PendingItem& pending) {
    if (pending.kind != ItemKind::change || pending.number->variable.get() != &variable) {
      return false;
    }
    all.push_back(&pending);
    const std::size_t before = path.size(), reported = found.waits.size();
    if (queues_.holds(pending.actor, completion_id) && is_stuck(pending.actor, path, found)) {
      some_are_stuck = true;
      return false;
    }
    path.resize(before);
    found.waits.resize(reported);
    coming.push_back(&pending);
    return false;
  });
  const bool passes = satisfy(coming, *own->number, 1);
  if (passes && satisfy(all, *own->number, competing_waits(own->actor, *own->number))) return false;
  if (passes) some_are_stuck = false;  // a later wait of the stream is the one that nothing ends
  if (!some_are_stuck) {
    found.cycle = false;
    found.address = variable.address;
    found.value = variable.value();
  }
  return true;
}

/// The number of the stream's waits of which each resets the number for the others.
std::size_t DeadlockSearch::competing_waits(Actor stream, const PendingItem::Number& number) const {
  if (!number.adds_or_clears) return 1;
  const ItemQueues::Queue& queue = queues_[stream];
  std::size_t count = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    if (queue[i].kind != ItemKind::wait_for) continue;
    const PendingItem* const other = queues_.find(queue[i].completion_id);
    if (other && other->number->variable == number.variable) ++count;
  }
  return count;
}

bool DeadlockSearch::may_be_written(const Variable& word) const {
  if (word.address == 0) return false;
  return accesses_.may_be_written(word) || queues_.write(word.address, 1);
}

bool DeadlockSearch::may_be_released_later(Actor stream) const {
  std::vector<Actor> seen;
  return may_be_released_later(stream, seen);
}

bool DeadlockSearch::may_be_released_later(Actor stream, std::vector<Actor>& seen) const {
  if (std::find(seen.begin(), seen.end(), stream) != seen.end()) return false;
  seen.push_back(stream);
  const ItemQueues::Queue& waiting = queues_[stream];
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    if (waiting[i].kind == ItemKind::wait_for) return true;
    if (waiting[i].kind != ItemKind::wait) continue;
    const auto recorder = queues_.recorder_of(*waiting[i].node);
    if (recorder && may_be_released_later(recorder->actor, seen)) return true;
  }
  return false;
}

bool DeadlockSearch::needs_further_item(Actor stream) const {
  if (!stuck(stream).waits.empty()) return true;
  std::vector<Actor> seen;
  return needs_further_item(stream, seen);
}

bool DeadlockSearch::needs_further_item(Actor stream, std::vector<Actor>& seen) const {
  if (!clocks_[stream].blocked || queues_[stream].empty()) return false;
  if (std::find(seen.begin(), seen.end(), stream) != seen.end()) return false;
  seen.push_back(stream);
  const Item& at = queues_[stream].front();
  if (at.kind == ItemKind::wait) {
    const auto recorder = queues_.recorder_of(*at.node);
    return !recorder || needs_further_item(recorder->actor, seen);
  }
  const PendingItem* const own =
      at.kind == ItemKind::wait_for ? queues_.find(at.completion_id) : nullptr;
  if (!own || own->has_time_limit || !own->number->variable->closed) return false;
  return changes_of(*own->number->variable).empty() && !may_be_written(*own->number->variable);
}

}  // namespace order
