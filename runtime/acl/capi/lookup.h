// SPDX-License-Identifier: Apache-2.0
// The second beat of an entry: handles become objects.
#pragma once

#include "runtime/acl/guard.h"

namespace acl {

/// A stream for the length of a call: the one that a handle names, or the default stream.
class StreamInUse {
 public:
  explicit StreamInUse(StreamTable::Pin pin) : pin_(std::move(pin)), stream_(pin_.get()) {}
  explicit StreamInUse(sim::Ref<Stream> held) : held_(std::move(held)), stream_(held_.get()) {}
  Stream* operator->() const noexcept { return stream_; }
  Stream& operator*() const noexcept { return *stream_; }

 private:
  StreamTable::Pin pin_;
  sim::Ref<Stream> held_;
  Stream* stream_;
};

/// The stream that `handle` names, whatever its context.
inline StreamTable::Pin find_stream(Runtime& runtime, aclrtStream handle,
                                    const char* argument = "stream") {
  StreamTable::Pin pin = runtime.streams().find(handle);
  if (!pin) {
    fail(ACL_ERROR_RT_INVALID_HANDLE,
         "{} is {}, which is not a live stream (destroyed, or another kind of handle)", argument,
         handle);
  }
  return pin;
}

/// For calls that take a stream of any context; null is the current context's default stream.
inline StreamInUse any_stream(Runtime& runtime, aclrtStream handle) {
  if (handle) return StreamInUse(find_stream(runtime, handle));
  return StreamInUse(current_context(runtime).default_stream());
}

/// For calls that enqueue: the stream must belong to the calling thread's context, and that
/// context must not have stopped on a failure.
inline StreamInUse own_stream(Runtime& runtime, aclrtStream handle) {
  Context& context = current_context(runtime);
  StreamInUse stream = handle ? StreamInUse(find_stream(runtime, handle))
                              : StreamInUse(context.default_stream());
  if (&stream->context() != &context) {
    fail(ACL_ERROR_RT_STREAM_CONTEXT,
         "stream {} belongs to another context (device {}) than the calling thread's current one "
         "(device {})",
         stream->id(), runtime.logical(stream->device()), runtime.logical(context.device()));
  }
  context.require_usable();
  return stream;
}

inline EventTable::Pin find_event(Runtime& runtime, aclrtEvent handle,
                                  const char* argument = "event",
                                  aclError null_code = ACL_ERROR_INVALID_PARAM) {
  if (!handle) fail(null_code, "{} is null", argument);
  EventTable::Pin pin = runtime.events().find(handle);
  if (!pin) {
    fail(ACL_ERROR_RT_INVALID_HANDLE,
         "{} is {}, which is not a live event (destroyed, or another kind of handle)", argument,
         handle);
  }
  return pin;
}

}  // namespace acl
