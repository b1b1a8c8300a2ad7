// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/order/engine/accesses.h"
#include "runtime/order/engine/clocks.h"
#include "runtime/order/engine/item_queues.h"

namespace order {

/// Streams that can never proceed. The search reads the queues of blocked streams and keeps no
/// state.
class DeadlockSearch {
 public:
  DeadlockSearch(const Clocks& clocks, const ItemQueues& queues, const Accesses& accesses)
      : clocks_(clocks), queues_(queues), accesses_(accesses) {}

  /// Why a stream cannot proceed, if nothing more is issued: waits, each blocked by the next; empty
  /// when it can.
  struct Stuck {
    std::vector<OpInfo> waits;
    // True: the first wait blocks the last one, and no shorter cycle blocks the stream. False:
    // nothing that was issued satisfies the last wait.
    bool cycle = true;
    std::uintptr_t address = 0;  // of the memory word that the last wait tests; 0: of no such wait
    std::uint64_t value = 0;     // that it holds
  };
  /// A host thread that can run may still issue an item that ends the waits: the caller knows
  /// whether one exists.
  Stuck stuck(Actor stream) const;
  /// The same for the stream that is to record the node.
  Stuck stuck(const Node& node) const;
  /// A stream that is blocked at a wait without time limit.
  struct BlockedWait {
    Epoch at;  // the wait
    OpInfo op_info;
    CompletionId completion_id = 0;  // of a wait on a value
    VectorClock ended_by;            // the issued items that end it
    bool others_may_end = false;     // another process may end it too
  };
  std::vector<BlockedWait> blocked_waits() const;
  /// The issued changes of the value that have not happened.
  std::vector<Epoch> changes_of(const Variable& variable) const;
  /// True when the stream is blocked, directly or through others, at a wait on a value that an item
  /// not issued yet may satisfy.
  bool may_be_released_later(Actor stream) const;
  /// True when the stream is blocked, and only an item that is not issued yet may let it proceed.
  bool needs_further_item(Actor stream) const;

 private:
  std::vector<Epoch> waits_for(Actor stream) const;
  bool is_stuck(Actor stream, std::vector<Actor>& path, Stuck& found) const;
  bool is_never_satisfied(const Item& wait, std::vector<Actor>& path, Stuck& found) const;
  std::size_t competing_waits(Actor stream, const PendingItem::Number& number) const;
  bool may_be_written(const Variable& word) const;
  bool may_be_released_later(Actor stream, std::vector<Actor>& seen) const;
  bool needs_further_item(Actor stream, std::vector<Actor>& seen) const;

  const Clocks& clocks_;
  const ItemQueues& queues_;
  const Accesses& accesses_;
};

}  // namespace order
