// SPDX-License-Identifier: Apache-2.0
// Fast paths of the calls that programs make most. A fast path does the call if nothing is unusual.
// Otherwise it does nothing, and the slow path finds the reason and reports it.
#pragma once

#include "runtime/acl/capi/guard.h"

namespace acl {

/// The objects of a fast path; null if the slow path is needed.
struct QuickStream {
  ThreadState* thread = nullptr;
  Stream* stream = nullptr;
  explicit operator bool() const noexcept { return stream != nullptr; }
};

/// True if no listener or intervener attends, the first check of an entry. Fast and slow path are
/// functions of their own with the entry's arguments in the same registers, so this check is the
/// only cost of having both.
inline bool nobody_attends() noexcept { return watch::attention() == 0; }

/// While no listener attends: the stream of the handle, as own_stream finds it, if the thread has
/// used it recently and its tasks go to the machine.
[[gnu::always_inline]] inline QuickStream quick_stream(aclrtStream handle) noexcept {
  ThreadState* const state = thread_state_if_any();
  if (!state) return {};
  const ThreadState::RecentStream& place = state->recent(StreamTable::slot_of(handle));
  if (place.handle != handle || !StreamTable::live(place.pin)) return {};
  Stream* const stream = place.stream;
  const Context* const context = state->context.get();
  if (&stream->context() != context || !context->alive() || !context->usable()) return {};
  if (stream->redirected()) return {};
  return {state, stream};
}

/// The result of a fast path that has done nothing.
inline constexpr aclError kLongWay = -1;

/// Notifies the machine that the stream has work again. It is a function of its own, so that fast
/// paths need no frame.
aclError start_quickly(const char* function, sim::Stream& core, sim::OpWeight first);

/// The same after a record, which runs in the call if no task is before it.
aclError start_record_quickly(const char* function, Stream& stream, std::uint64_t sequence);

/// Enqueues what `make` makes, in its place; 0: nothing is done.
template <class Make>
std::uint64_t enqueue_quickly(const QuickStream& to, sim::Stream& core, const Make& make) {
  const std::uint64_t sequence = core.try_enqueue([&] {
    sim::Op op = make();
    op.thread_id = to.thread->thread_id;
    return op;
  });
  if (sequence != 0) [[likely]]
    to.stream->note_task(to.thread->last_task, sequence);
  return sequence;
}

/// The same, and notifies the machine. `weight`: of that op.
template <class Make>
aclError submit_quickly(const char* function, const QuickStream& to, sim::OpWeight weight,
                        const Make& make) {
  sim::Stream& core = to.stream->core();
  if (enqueue_quickly(to, core, make) == 0) [[unlikely]]
    return kLongWay;
  if (core.idles()) [[unlikely]]
    return start_quickly(function, core, weight);
  return ACL_SUCCESS;
}

}  // namespace acl
