// SPDX-License-Identifier: Apache-2.0
// Short ways of the calls that programs make most: they do the call where nothing is unusual, and
// else nothing, so that the long way finds out what is, and says so.
#pragma once

#include "runtime/acl/capi/guard.h"

namespace acl {

/// What a short way works with; null where the long way is needed.
struct QuickStream {
  ThreadState* thread = nullptr;
  Stream* stream = nullptr;
  explicit operator bool() const noexcept { return stream != nullptr; }
};

/// Whether nobody is to be asked or told: what an entry looks at first. Short and long way are
/// functions of their own, with the entry's arguments in their places, so that this is all that
/// either pays.
inline bool nobody_attends() noexcept { return watch::attention() == 0; }

/// While nobody attends: the stream of the handle, as own_stream finds it, where the thread has
/// used it of late and tasks for it go to the machine.
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

/// What a short way returns when it has done nothing.
inline constexpr aclError kLongWay = -1;

/// The machine is told that the stream has work again. A function of its own, so that short ways
/// need no frame.
aclError start_quickly(const char* function, sim::Stream& core, sim::OpWeight first);

/// The same behind a record, which runs in the call where nothing stands before it.
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

/// The same, and tells the machine. `weight`: of that op.
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
