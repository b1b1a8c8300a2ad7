// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/capi/core/quick.h"

namespace acl {

Stream* find_own_stream(Runtime& runtime, aclrtStream handle) {
  ThreadState& state = thread_state();
  Context& context = current_context(runtime);
  ThreadState::RecentStream& place = state.recent(StreamTable::slot_of(handle));
  place.handle = ThreadState::kNoHandle;
  place.pin = find_stream(runtime, handle_or_default(handle, context));
  Stream* const stream = place.stream = place.pin.get();
  if (&stream->context() != &context) {
    fail(ACL_ERROR_RT_STREAM_CONTEXT,
         "stream {} belongs to another context (device {}) than the calling thread's current one "
         "(device {})",
         stream->id(), runtime.logical(stream->device()), runtime.logical(context.device()));
  }
  context.require_usable();
  place.handle = handle;
  return stream;
}

namespace {
template <class Start>
SIM_CATCHES_FORCED_UNWIND aclError start(const char* function, const Start& start) {
  try {
    start();
    return ACL_SUCCESS;
  } catch (abi::__forced_unwind&) {
    throw;  // the calling thread is being cancelled
  } catch (...) {
    return report_current_exception(function);
  }
}
}  // namespace

aclError start_quickly(const char* function, sim::Stream& core, sim::OpWeight first) {
  return start(function, [&] { core.leave_idle(first); });
}

aclError start_record_quickly(const char* function, Stream& stream, std::uint64_t sequence) {
  return start(function, [&] {
    sim::Stream& core = stream.core();
    if (core.idles()) core.leave_idle({sim::OpKind::record, 0});
    if (stream.nothing_in_front(sequence)) core.driver().run_now(core);
  });
}

}  // namespace acl
