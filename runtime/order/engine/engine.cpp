// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/engine.h"

#include <memory>
#include <utility>

namespace order {

void Engine::restart() {
  Report report = reporter_.take_report();
  BegunCalls calls = hosts_.take_begun_calls();
  EngineObserver* const observer = observer_;
  std::destroy_at(this);
  std::construct_at(this, std::move(report), observer)->set_begun_calls(std::move(calls));
}

void Engine::has_time_limit(CompletionId completion_id) {
  if (PendingItem* const at = queues_.find(completion_id)) at->has_time_limit = true;
}

// The counter is part of the clock of all hosts, which is kept for each queued item. So that clock
// shows which touches came before the item was issued.
bool Engine::host_touch(Actor host, const OpInfo& op_info, const Access& byte) {
  if (touch_counter_ == 0) touch_counter_ = add_host();
  hosts_.step(touch_counter_);
  hosts_.step(host);
  hosts_.begin_access(host);
  return accesses_.touched(host, op_info, byte, touch_counter_);
}

// Queued items are surely not complete. Their accesses to the freed bytes are removed, so that they
// do not conflict later with accesses to new memory at the same address.
void Engine::free(Actor host, const OpInfo& op_info, const Access& range) {
  hosts_.step(host);
  const VectorClock* const hosts_at_issue = hosts_.begin_access(host);
  Access all = range;
  all.write = all.frees = true;
  const bool reported =
      accesses_.report_users(host, op_info, all, hosts_at_issue,
                             [&](Actor actor) { return queues_.accesses(actor, all); });
  queues_.remove_accesses(all, [&](Actor stream, const Item& item, const Access& access) {
    Shadow::Conflict conflict{{}, access};
    conflict.earlier.op_info = item.op_info;
    conflict.stuck = deadlocks_.needs_further_item(stream);
    // Some ops of a graph that runs have been reported already.
    if (reported && item.kind == ItemKind::launch) return false;
    reporter_.report({0, op_info, all, hosts_at_issue}, conflict);
    return true;
  });
  accesses_.erase(range);
  accesses_.erase_words(range);
}

const VectorClock* Engine::clock_of(CompletionId completion_id) const {
  const PendingItem* const at = queues_.find(completion_id);
  return at ? &queues_.clock_at(*at) : nullptr;
}

Epoch Engine::moment_of(CompletionId completion_id) const {
  const PendingItem* const at = queues_.find(completion_id);
  return at ? Epoch{at->actor, at->op_info.number} : Epoch{};
}

OpInfo Engine::op_info_of(CompletionId completion_id) const {
  const PendingItem* const at = queues_.find(completion_id);
  return at ? at->op_info : OpInfo{};
}

// In a chain the next record is queued after the wait for the one before.
bool Engine::may_be_waited_for(const Node& node, const Node& next) const {
  return node.any_wait([&](Epoch wait) {
    return wait.actor != next.by && !next.clock.covers(wait) && !any_host_covers(wait);
  });
}

bool Engine::may_be_written_before(const Access& range, Actor host) const {
  bool written = queues_.write(range.begin, range.size);
  shadow().visit(range.begin, range.size, [&](const Shadow::Touch& touch, const Access& bytes) {
    written = written || (bytes.write && !covers(host, touch.when));
  });
  return written;
}

}  // namespace order
