// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/callbacks.h"

#include <utility>

#include "device_sim/base/mutex.h"
#include "device_sim/streams/stream.h"
#include "runtime/acl/check/begun_calls.h"

namespace acl {

void Callbacks::function_begins(const sim::Stream& stream, std::uint32_t completion_id) {
  CheckThread& thread = check_thread();
  thread.in_callback = true;
  thread.waits.function_begins();
  thread.touched_nothing = {};
  thread.begun.set({completion_id, stream.id()});
  GuardedMemory* const guarded = host_memory_.guarded();
  if (host_memory_.buffers().empty() && !guarded) return;
  const CheckLock::Entry takes_it(lock_);
  host_memory_.function_begins();
  if (guarded) guarded->function_begins(completion_id, GraphOps::is_in_graph(completion_id));
}

void Callbacks::function_ended(const sim::Stream& stream, std::uint32_t completion_id) {
  CheckThread& thread = check_thread();
  if (host_memory_.guarded()) [[unlikely]]
    guarded_function_ended();
  thread.serves_stream = 0;
  thread.in_callback = false;
  thread.waits.function_ends();
  const bool in_graph = GraphOps::is_in_graph(completion_id);
  const bool may_have_filled = !host_memory_.buffers().empty();
  if (!in_graph && !may_have_filled && thread.begun.get().completion_id == completion_id &&
      thread.generation == actors_.generation()) {
    thread.had_deferred_calls = true;
    return defer(thread);
  }
  const CheckLock::Entry guard(lock_);
  if (may_have_filled) host_memory_.buffers().function_ends();
  if (!in_graph) {
    engine_.call_ends(completion_id, actors_.host());
    return engine_.happened(completion_id, false);
  }
  engine_.graph_runs().call_ends(actors_.actor(stream.id()), actors_.host(),
                                 graph_ops_.find(completion_id)->blocking);
}

void Callbacks::guarded_function_ended() {
  const CheckLock::Entry guard(lock_);
  host_memory_.guarded()->function_ends();
  host_memory_.guarded()->close_again();
}

void Callbacks::defer(CheckThread& thread) {
  constexpr std::size_t kMany = 1024;
  std::size_t count = 0;
  {
    const sim::LockGuard guard(deferred_lock_);
    if (thread.generation == actors_.generation()) {  // else it ended while everything was reset
      order::Engine::Call& call = deferred_.emplace_back();
      call.completion_id = thread.begun.get().completion_id;
      call.host = thread.actor;
      lock_.set_deferred();
    }
    count = deferred_.size();
    thread.begun.set({});  // not before: `begun` finds the call in one of the two
  }
  if (count >= kMany) const CheckLock::Entry takes_them(lock_);
}

void Callbacks::take_deferred() {
  const bool graphs_run = graph_runs_.take_deferred();
  {
    const sim::LockGuard guard(deferred_lock_);
    taken_.swap(deferred_);
    if (!graphs_run) lock_.clear_deferred();
  }
  engine_.called(taken_);
  if (!host_memory_.buffers().empty()) {
    for (const auto& call : taken_) {
      host_memory_.settle_buffers([&](order::Epoch epoch) REQUIRES(check_lock) {
        return engine_.has_covered(call.host, epoch);
      });
    }
  }
  taken_.clear();
}

// Another thread may be ordered after the acts of a thread in a function before the end of the
// function is known here.
std::vector<order::Engine::Begun> Callbacks::begun() {
  std::vector<order::Engine::Begun> calls;
  for (const BegunCall& call : BegunCallSlot::all()) {
    if (!graph_ops_.find(call.completion_id)) {
      calls.push_back({call.completion_id, 0});
    } else if (actors_.is_known(call.stream)) {
      calls.push_back({0, actors_.actor(call.stream)});
    }
  }
  const sim::LockGuard guard(deferred_lock_);
  for (const order::Engine::Call& call : deferred_) calls.push_back({call.completion_id, 0});
  return calls;
}

void Callbacks::take_begun() {
  CheckThread& thread = check_thread();
  const auto [completion_id, stream] = thread.begun.get();
  thread.begun.set({});
  const GraphOps::Captured* const from = graph_ops_.find(completion_id);
  if (from ? from->blocking : engine_.queues().blocks(completion_id))
    thread.serves_stream = stream + 1;
  if (from) {
    return engine_.graph_runs().call_begins(actors_.actor(stream), actors_.host(), from->blocking);
  }
  engine_.call_begins(completion_id, actors_.host());
  host_memory_.settle(actors_.host());
}

void Callbacks::restart() {
  const sim::LockGuard guard(deferred_lock_);
  actors_.next_generation();
  deferred_.clear();
}

}  // namespace acl
