// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/check/op_accesses.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/watch/call_chains.h"
#include "runtime/order/engine/batched_ops.h"
#include "runtime/order/engine/engine.h"

namespace acl {

/// As call_site_of, with the calls within the program that led to the thread's call: two calls
/// through one function of the program are two places.
inline std::uint64_t chain_of_call(ThreadState& thread) {
  if (thread.call_frame && thread.given_site == 0) {
    const void* const frame = std::exchange(thread.call_frame, nullptr);
    const auto site = reinterpret_cast<std::uintptr_t>(thread.call_site);
    thread.call_site = reinterpret_cast<const void*>(chain_site(site, frame));
  }
  return call_site_of(thread);
}

/// The operation of the call that the thread is in. `what`: a literal; null: the call's name.
inline order::OpInfo op_info_of_call(const char* what = nullptr) {
  ThreadState& thread = thread_state();
  order::OpInfo op_info;
  op_info.what = what ? what : thread.call;
  op_info.site = chain_of_call(thread);
  op_info.thread = thread.thread_id;
  if (thread.in_library_call) [[unlikely]]
    op_info.cuda = thread.call[0] == 'c';
  return op_info;
}

/// The order engine, and the host threads and streams of the program as its actors.
class Actors {
 public:
  Actors(order::Engine::Report report, order::Engine::BegunCalls begun_calls,
         order::EngineObserver* observer);

  order::Engine& engine() { return engine_; }
  /// The engine begins anew. Threads get new actors, since the generation counts restarts.
  void restart() REQUIRES(check_lock);
  std::uint32_t generation() const { return generation_.load(std::memory_order_relaxed); }
  void next_generation() { ++generation_; }

  /// The actor of the calling thread.
  [[gnu::always_inline]] order::Actor host() REQUIRES(check_lock) {
    CheckThread& thread = check_thread();
    if (thread.generation != generation()) [[unlikely]] {
      register_actor(thread);
    }
    return thread.actor;
  }
  void host_ends() REQUIRES(check_lock);

  static order::BatchedOps batched(Stream& stream) noexcept {
    return order::BatchedOps(stream.listener_slot);
  }
  [[gnu::always_inline]] order::Actor actor(Stream& stream) REQUIRES(check_lock) {
    const std::uint32_t id = stream.id();
    const std::uint32_t batched = Actors::batched(stream).take();
    if (id >= stream_actors_.size() || stream_actors_[id] == 0) [[unlikely]]
      return register_actor(stream);
    const order::Actor known = stream_actors_[id] - 1;
    if (batched != 0) engine_.went_on(known, batched);
    return known;
  }
  /// The same for a stream of the machine.
  order::Actor actor(std::uint32_t stream_id) REQUIRES(check_lock);
  /// Whether anything was issued to the stream. A query or a wait calls `actor` only then: `actor`
  /// would order all that is issued later after the asking thread.
  bool is_known(const Stream& stream) const noexcept REQUIRES(check_lock) {
    return is_known(stream.id());
  }
  bool is_known(std::uint32_t stream_id) const noexcept REQUIRES(check_lock) {
    return stream_id < stream_actors_.size() && stream_actors_[stream_id] != 0;
  }
  void forget(const Stream& stream) REQUIRES(check_lock) { stream_actors_[stream.id()] = 0; }

  order::OpInfo op_info(const Stream& stream, const sim::Op& op, order::Actor actor) const
      REQUIRES(check_lock) {
    const bool calls = op.kind == sim::OpKind::host_call;
    return op_info(stream, calls ? name_of_call(stream, op) : name_in_reports(op), actor);
  }
  order::OpInfo op_info(const Stream& stream, const char* what, order::Actor actor) const
      REQUIRES(check_lock) {
    order::OpInfo result = op_info_of_call(what);
    result.stream = stream.id();
    result.device = static_cast<std::int16_t>(stream.logical_device());
    result.number = engine_.last(actor) + 1;
    result.called = next_call();
    result.on_default_stream = stream.is_default();
    return result;
  }
  /// The operation of a host thread itself, in the call that the thread is in.
  order::OpInfo host_op_info() const REQUIRES(check_lock) {
    order::OpInfo result = op_info_of_call();
    result.called = next_call();
    return result;
  }
  /// The number of a call, in the order of all calls. 0 is none.
  std::uint32_t next_call() const REQUIRES(check_lock) {
    if (++calls_ == 0) [[unlikely]]
      ++calls_;
    return calls_;
  }
  /// The operation of a call that acts on memory in the order of the stream.
  order::OpInfo op_info_in_order_of(const Stream& stream) const REQUIRES(check_lock);
  /// The calling thread is not ordered after `earlier`. If another thread is, the finding has the
  /// rule for that case, since the two threads may be ordered outside of ACL.
  order::Finding without_order(order::Rule rule, order::Epoch earlier) const REQUIRES(check_lock);
  /// True if the bytes have the content that an operation enqueued now will find.
  bool settled(const void* begin, std::size_t size) REQUIRES(check_lock) {
    return !engine_.may_be_written_before({reinterpret_cast<std::uintptr_t>(begin), size}, host());
  }

 private:
  void register_actor(CheckThread& thread) REQUIRES(check_lock);
  order::Actor register_actor(const Stream& stream) REQUIRES(check_lock);

  // By stream id; 0: none yet, else the actor + 1.
  std::vector<order::Actor> stream_actors_ GUARDED_BY(check_lock);
  std::atomic<std::uint32_t> generation_{1};
  mutable std::uint32_t calls_ GUARDED_BY(check_lock) = 0;
  order::Engine engine_ GUARDED_BY(check_lock);
};

}  // namespace acl
