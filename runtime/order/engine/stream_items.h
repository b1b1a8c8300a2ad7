// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/order/engine/accesses.h"
#include "runtime/order/engine/clocks.h"
#include "runtime/order/engine/host_threads.h"
#include "runtime/order/engine/item_queues.h"

namespace order {

/// A function that a host thread has run.
struct EndedCall {
  CompletionId completion_id;
  Actor host;
};

/// Takes the items of streams in: at the issue, or after the stream was blocked. `Engine` describes
/// the public functions.
class StreamItems {
 public:
  StreamItems(Clocks& clocks, ItemQueues& queues, HostThreads& hosts, Accesses& accesses,
              ConflictReporter& reporter)
      : clocks_(clocks), queues_(queues), hosts_(hosts), accesses_(accesses), reporter_(reporter) {}

  // --- issue ---
  /// The stream is blocked.
  void op_later(Actor stream, Actor host, const OpInfo& op_info, std::span<const Access> accesses);
  bool goes_on_later(Actor stream, Actor host);
  void record(Actor stream, Actor host, const OpInfo& op_info, Node& node,
              const std::shared_ptr<void>& owner);
  void wait(Actor stream, Actor host, const OpInfo& op_info, Node& node,
            const std::shared_ptr<void>& owner);
  CompletionId change(Actor stream, Actor host, const OpInfo& op_info,
                      std::shared_ptr<Variable> variable, Variable::Update update, bool adds,
                      std::span<const Access> accesses);
  CompletionId wait_for(Actor stream, Actor host, const OpInfo& op_info,
                        std::shared_ptr<Variable> variable, Variable::Test test, bool clears,
                        std::span<const Access> accesses);
  CompletionId call(Actor stream, Actor host, const OpInfo& op_info, bool blocking);
  CompletionId launch(Actor stream, Actor host, const OpInfo& op_info,
                      std::span<const Access> accesses);
  CompletionId kernel(Actor stream, Actor host, const OpInfo& op_info,
                      std::span<const Access> accesses);

  // --- completion ---
  void happened(CompletionId completion_id, bool failed);
  void dropped(CompletionId completion_id, bool expected);
  void accessed(CompletionId completion_id, std::span<const Access> accesses);
  void call_begins(CompletionId completion_id, Actor host);
  void call_ends(CompletionId completion_id, Actor host);
  void called(std::span<const EndedCall> calls);
  void end_stream(Actor stream, bool keeps_calls);
  void abort(Actor host, Actor stream);

  // --- also of runs of graphs ---
  /// The record is taken in. Streams that wait for it proceed.
  void resolve(Node& node, const VectorClock& clock);
  /// The stream passes a wait on the value.
  void pass(Actor stream, Variable& variable, const Variable::Test& test, bool clears);

 private:
  void issue(Actor stream, Actor host, Item& item);
  CompletionId issue(Actor host, PendingItem& pending, const OpInfo& op_info,
                     std::span<const Access> accesses = {});
  bool take(Actor stream, Item& item);
  bool take_wait(Actor stream, const OpInfo& op_info, Node& node);
  void take_accesses(Actor stream, const Item& item);
  void leave_first(ItemQueues::Queue& queue, Actor stream);
  void unblock(Actor stream);
  void drain(Actor stream);
  void block(ActorClock& stream);
  void drop(Actor stream, ItemQueues::Queue& items);
  void drop(Actor stream, Item& item);
  std::size_t end_several(Actor stream, std::span<const EndedCall> calls);
  static std::size_t count_consecutive(const ActorClock& state, const ItemQueues::Queue& queue,
                                       std::span<const EndedCall> calls, Actor stream);

  Clocks& clocks_;
  ItemQueues& queues_;
  HostThreads& hosts_;
  Accesses& accesses_;
  ConflictReporter& reporter_;
  std::uint64_t last_record_ = 0;
  std::vector<Actor> ready_;  // streams that may proceed
  bool draining_ = false;
};

}  // namespace order
