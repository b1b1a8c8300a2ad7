// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "runtime/order/engine/clocks.h"
#include "runtime/order/engine/completion_map.h"
#include "runtime/order/engine/fifo.h"
#include "runtime/order/engine/node.h"
#include "runtime/order/engine/op_info.h"
#include "runtime/order/engine/snapshot.h"
#include "runtime/order/engine/variable.h"

namespace order {

enum class ItemKind : std::uint8_t {
  op,
  record,
  wait,
  change,
  wait_for,
  call,
  blocking_call,
  launch,
  kernel
};

/// An item with a completion id that the machine has not reported as complete.
struct PendingItem {
  Actor actor = 0;
  ItemKind kind{};
  bool has_time_limit = false;
  bool unserved = false;  // a function that has not begun
  OpInfo op_info;
  struct Number {
    std::shared_ptr<Variable> variable;
    Variable::Update update;
    Variable::Test test;
    bool adds_or_clears;
  };
  std::unique_ptr<Number> number;  // of `change` and `wait_for`
  Snapshot clock;  // at the item; null: not taken in yet, or its stream is blocked there

  void renew();
};
static_assert(sizeof(PendingItem) == 64, "a line of the cache");

struct alignas(64) Item {  // the members that a call needs share a cache line
  ItemKind kind{};
  bool begun = false;
  CompletionId completion_id = 0;
  std::uint32_t ops = 0;           // queued after it, without accesses, under the same host clock
  PendingItem* pending = nullptr;  // of the completion id, until that is erased
  Snapshot host_clock;             // at the issue
  std::shared_ptr<Node> node;
  std::vector<Access> accesses;
  Snapshot hosts_clock;  // the joined clocks of all hosts then; null: one host, or not needed
  OpInfo op_info;        // a blocking call has it in `pending`

  /// Its pending item; null: it has none, or that is complete.
  PendingItem* unfinished() const {
    const bool is = completion_id && CompletionMap<PendingItem>::id_of(*pending) == completion_id;
    return is ? pending : nullptr;
  }
  const OpInfo& info() const {
    const bool elsewhere = kind == ItemKind::blocking_call &&
                           CompletionMap<PendingItem>::id_of(*pending) == completion_id;
    return elsewhere ? pending->op_info : op_info;
  }
  void renew();
};

/// The items of streams that the engine has not taken in yet, in the order of issue, and the
/// pending items by completion id.
class ItemQueues {
 public:
  using Queue = Fifo<Item>;
  explicit ItemQueues(const Clocks& clocks) : clocks_(clocks) {}

  Queue& operator[](Actor stream) { return queues_[stream]; }
  const Queue& operator[](Actor stream) const { return queues_[stream]; }
  std::size_t size() const noexcept { return queues_.size(); }
  /// Makes queues for the first `actors` actors.
  void reach(std::size_t actors) {
    if (queues_.size() < actors) queues_.resize(actors);
  }
  /// The next item of the stream, for the caller to fill in.
  Item& push(Actor stream, ItemKind kind) {
    Item& item = queues_[stream].push();
    item.kind = kind;
    return item;
  }
  Item& push(Actor stream, ItemKind kind, const OpInfo& op_info) {
    Item& item = push(stream, kind);
    item.op_info = op_info;
    return item;
  }
  /// Empties the queue of the stream and returns its items.
  Queue take_all(Actor stream);
  /// Removes the accesses to the range from all queued items. Calls `removed(stream, item, access)`
  /// before, for the items of each stream from the last one on, with one access of each, until it
  /// returns true.
  template <class Removed>
  void remove_accesses(const Access& range, Removed&& removed) {
    for (Actor stream = 0; stream < queues_.size(); ++stream) {
      Queue& queue = queues_[stream];
      bool ended = false;
      for (std::size_t i = queue.size(); i-- > 0;) {
        Item& item = queue[i];
        const auto touches = [&](const Access& access) { return overlap(access, range); };
        const auto found = std::find_if(item.accesses.begin(), item.accesses.end(), touches);
        if (found == item.accesses.end()) continue;
        ended = ended || removed(stream, std::as_const(item), std::as_const(*found));
        std::erase_if(item.accesses, touches);
      }
    }
  }
  /// A queued item, and its access.
  struct Queued {
    OpInfo op_info;
    Access access;
    Access common;  // the access that it conflicts with, reduced to the bytes of both
  };
  /// The last of the stream's items that was called before `later` and conflicts with one of its
  /// accesses. Nothing: none is known to be unordered and to be as sure as `first`, the item that
  /// is taken in now.
  std::optional<Queued> last_before(Actor stream, const OpInfo& first, const OpInfo& later,
                                    std::span<const Access> accesses) const;
  /// True if some item of the stream's queue accesses the range, except for launches.
  bool accesses(Actor stream, const Access& range) const;
  /// Some queued items write some of the bytes as data, not as the word that is waited for.
  bool write(std::uintptr_t begin, std::size_t size) const;
  /// The record of the node, while it is queued on a blocked stream.
  std::optional<Epoch> recorder_of(const Node& node) const;
  /// True when the item can begin only after the item `call`, which blocks its stream.
  bool is_behind(Epoch item, Epoch call) const;
  /// Some function that its stream passes without a further call of the host is ordered neither
  /// after the item nor before it, and `counts(completion_id)`.
  template <class Counts>
  bool any_function_beside(Epoch item, Counts&& counts) const {
    return pending_.any([&](CompletionId completion_id, const PendingItem& call) {
      return is_reached(completion_id, call) && !clock_at(call).covers(item) &&
             !(call.kind == ItemKind::blocking_call &&
               is_behind(item, {call.actor, call.op_info.number})) &&
             counts(completion_id);
    });
  }
  /// Some item of the stream's queue has the completion id.
  bool holds(Actor stream, CompletionId completion_id) const;

  // --- pending items ---
  /// A new one, with the id `last_completion_id()`.
  PendingItem& add_pending(ItemKind kind, Actor stream, const OpInfo& op_info);
  CompletionId last_completion_id() const noexcept { return last_completion_id_; }
  PendingItem* find(CompletionId completion_id) { return pending_.find(completion_id); }
  const PendingItem* find(CompletionId completion_id) const { return pending_.find(completion_id); }
  void erase(CompletionId completion_id) { pending_.erase(completion_id); }
  /// Erases a function that no host thread will begin any more.
  void never_serve(PendingItem& call) { never_served_.push_back(std::move(call)); }
  /// Calls `visit(completion_id, pending)` until it returns true; true if it did.
  template <class Visit>
  bool any(Visit&& visit) const {
    return pending_.any(std::forward<Visit>(visit));
  }
  /// Null when the item is not queued any more.
  Item* item_of(const PendingItem& pending, CompletionId completion_id);
  /// The clock at the item, the item included.
  const VectorClock& clock_at(const PendingItem& pending) const;
  /// The joined clocks of all hosts when the call was issued; null: one host, or not known.
  Snapshot hosts_clock_of(const PendingItem& call, CompletionId completion_id);
  /// The item no longer counts as a record or wait of its notify.
  void do_not_count(CompletionId completion_id);
  /// The stream was aborted: its functions that have not begun are erased.
  void erase_unserved(Actor stream);
  /// The stream has ended. `keeps_calls`: its functions that have not begun stay unserved.
  void end_stream(Actor stream, bool keeps_calls);
  /// Calls `visit(op_info, is_blocked)` for each function that no host thread has begun, unless
  /// its stream ended and dropped it, until it returns true; true if it did. `is_blocked`: the
  /// function blocks its stream.
  template <class Visit>
  bool any_unserved(Visit&& visit) const {
    const auto still_may_be = [&](CompletionId, const PendingItem& call) {
      return call.unserved && visit(call.op_info, call.kind == ItemKind::blocking_call);
    };
    return pending_.any(still_may_be) || any_never_served(visit);
  }
  /// The same for the functions that no host thread will begin any more.
  template <class Visit>
  bool any_never_served(Visit&& visit) const {
    return std::any_of(never_served_.begin(), never_served_.end(),
                       [&](const PendingItem& call) { return visit(call.op_info, false); });
  }
  /// True for a call that blocks its stream.
  bool blocks(CompletionId completion_id) const {
    const PendingItem* const at = find(completion_id);
    return at && at->kind == ItemKind::blocking_call;
  }
  /// True while functions of the program, or graphs, are not complete.
  bool calls_pending() const;

 private:
  bool is_behind(Epoch item, Epoch call, std::vector<Actor>& seen) const;
  bool is_reached(CompletionId completion_id, const PendingItem& call) const;

  static constexpr Actor kEnded = ~Actor{0};  // of a call that has outlived its stream

  const Clocks& clocks_;
  std::vector<Queue> queues_;  // by actor
  CompletionMap<PendingItem> pending_;
  std::vector<PendingItem> never_served_;  // calls that failed before a thread had begun them
  CompletionId last_completion_id_ = 0;
};

}  // namespace order
