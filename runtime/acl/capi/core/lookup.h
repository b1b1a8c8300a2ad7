// SPDX-License-Identifier: Apache-2.0
// The second beat of an entry: handles become objects.
#pragma once

#include "runtime/acl/capi/guard.h"

namespace acl {

/// The stream that `handle` names, in any context.
inline StreamTable::Pin find_stream(Runtime& runtime, aclrtStream handle,
                                    const char* argument = "stream") {
  StreamTable::Pin pin = runtime.streams().find(handle);
  if (!pin) {
    fail_for_handle(handle, ACL_ERROR_RT_INVALID_HANDLE,
                    "{} is {}, which is not a live stream (destroyed, or another kind of handle)",
                    argument, handle);
  }
  return pin;
}

/// The handle, or the current context's default stream for null.
inline aclrtStream handle_or_default(aclrtStream handle, const Context& context) {
  if (handle) return handle;
  void* const default_handle = context.default_stream_handle();
  if (!default_handle) {
    fail(ACL_ERROR_RT_CONTEXT_NULL, "the current context was ended by another thread");
  }
  return default_handle;
}

/// For calls that take a stream of any context; null is the current context's default stream.
inline StreamTable::Pin any_stream(Runtime& runtime, aclrtStream handle) {
  if (!handle) handle = handle_or_default(handle, current_context(runtime));
  return find_stream(runtime, handle);
}

/// As own_stream, for a stream that the thread has not used recently or may not use.
Stream* find_own_stream(Runtime& runtime, aclrtStream handle);

/// For calls that enqueue: the stream must belong to the calling thread's context, and that
/// context must not have stopped on a failure. Null is the context's default stream. The thread
/// keeps it pinned: valid until it has looked up several others.
inline Stream* own_stream(Runtime& runtime, aclrtStream handle) {
  ThreadState& state = thread_state();
  const ThreadState::RecentStream& place = state.recent(StreamTable::slot_of(handle));
  if (place.handle == handle && StreamTable::live(place.pin)) [[likely]] {
    Stream* const stream = place.stream;
    const Context* const context = state.context.get();
    if (&stream->context() == context && context->alive() && context->usable()) [[likely]] {
      return stream;
    }
  }
  return find_own_stream(runtime, handle);
}

inline EventTable::Pin find_event(Runtime& runtime, aclrtEvent handle,
                                  const char* argument = "event",
                                  aclError null_code = ACL_ERROR_INVALID_PARAM) {
  if (!handle) [[unlikely]]
    fail(null_code, "{} is null", argument);
  EventTable::Pin pin = runtime.events().find(handle);
  if (!pin) {
    fail_for_handle(handle, ACL_ERROR_RT_INVALID_HANDLE,
                    "{} is {}, which is not a live event (destroyed, or another kind of handle)",
                    argument, handle);
  }
  return pin;
}

/// For handles that belong to no stream or context: `noun` says what is expected, "a queue route".
template <class Table>
typename Table::Pin find_handle(Table& table, const void* handle, const char* argument,
                                const char* noun) {
  require_input(handle, argument);
  typename Table::Pin pin = table.find(handle);
  if (!pin) {
    fail_for_handle(
        handle, ACL_ERROR_RT_INVALID_HANDLE,
        "{} is {}, which is not the handle of {} (destroyed, or another kind of handle)", argument,
        handle, noun);
  }
  return pin;
}

/// Puts an object in a table; raises ACL_ERROR_RT_RESOURCE_ALLOC_FAIL when that is full.
template <class Table, class T>
void* add_handle(Table& table, sim::Ref<T> object, const char* noun) {
  void* const handle = table.add(std::move(object));
  if (!handle) fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "there is no handle left for {}", noun);
  return handle;
}

/// Ends a handle that was found.
template <class Table>
void end_handle(Table& table, const typename Table::Pin& pin, const char* argument) {
  if (!table.remove(pin)) {
    fail_for_handle(table.handle_of(pin), ACL_ERROR_RT_INVALID_HANDLE,
                    "{} was destroyed by another thread", argument);
  }
}

}  // namespace acl
