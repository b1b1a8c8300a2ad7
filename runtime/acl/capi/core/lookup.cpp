// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/capi/core/lookup.h"

namespace acl {

Stream* find_own_stream(Runtime& runtime, aclrtStream handle) {
  ThreadState& state = thread_state();
  Context& context = current_context(runtime);
  ThreadState::RecentStream& place = state.recent(StreamTable::slot_of(handle));
  place.handle = ThreadState::kNoHandle;
  place.pin = find_stream(runtime, handle_or_default(handle, context));
  Stream* const stream = place.pin.get();
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

}  // namespace acl
