// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/driver/stream.h"

#include <atomic>
#include <map>

#include "acl/acl.h"
#include "device_sim/base/mutex.h"
#include "runtime/cuda/base/guard.h"
#include "runtime/cuda/driver/machine.h"

namespace cuda::streams {
namespace {

struct All {
  sim::Mutex mutex;
  std::map<const void*, StreamRef> streams GUARDED_BY(mutex);
  std::map<const void*, EventRef> events GUARDED_BY(mutex);
};

All& all() {
  static All& made = *new All;
  return made;
}

/// The default streams of this thread, one for each context.
struct OwnDefaults {
  std::map<Context*, std::weak_ptr<Stream>> streams;
};
thread_local OwnDefaults own_defaults;

StreamRef make(Context& context, bool blocking, int priority) {
  const InContext inside(context);
  aclrtStream acl = nullptr;
  // A smaller number is more urgent in both interfaces; ACL's begin with 0.
  const auto urgency = static_cast<std::uint32_t>(priority < 0 ? 0 : priority > 7 ? 7 : priority);
  require_acl(aclrtCreateStreamWithConfig(&acl, urgency, 0), "the stream");
  auto stream = std::make_shared<Stream>(&context, acl, blocking);
  const sim::LockGuard guard(context.mutex);
  context.streams.insert(stream);
  return stream;
}

StreamRef own_default(Context& context) {
  std::weak_ptr<Stream>& known = own_defaults.streams[&context];
  if (auto stream = known.lock()) return stream;
  auto stream = make(context, true, 0);
  known = stream;
  return stream;
}

aclrtEvent mark_of(Stream& stream) REQUIRES(stream.context->mutex) {
  if (!stream.mark) {
    require_acl(aclrtCreateEventExWithFlag(&stream.mark, ACL_EVENT_SYNC), "an event");
  }
  return stream.mark;
}

void follow(Stream& later, Stream& earlier) REQUIRES(earlier.context->mutex) {
  const aclrtEvent mark = mark_of(earlier);
  require_acl(aclrtRecordEvent(mark, earlier.acl), "a record");
  require_acl(aclrtStreamWaitEvent(later.acl, mark), "a wait");
}

// An operation of the default stream runs after all earlier operations of blocking streams, and an
// operation of a blocking stream after all earlier ones of the default stream. The streams belong
// to one context and share its lock, which the analysis cannot know.
void order(Stream& stream) REQUIRES(stream.context->mutex) NO_THREAD_SAFETY_ANALYSIS {
  Context& context = *stream.context;
  Stream& legacy = *context.legacy;
  if (&stream == &legacy) {
    for (const auto& other : context.streams) {
      if (!other->blocking || !other->has_work) continue;
      follow(legacy, *other);
      other->has_work = false;
    }
    ++legacy.default_work;
  } else if (stream.blocking) {
    if (stream.seen_default_work != legacy.default_work) {
      follow(stream, legacy);
      stream.seen_default_work = legacy.default_work;
    }
    stream.has_work = true;
  }
}

}  // namespace

StreamRef find(CUstream handle, bool per_thread) {
  if (handle == nullptr || handle == CU_STREAM_LEGACY || handle == CU_STREAM_PER_THREAD) {
    const ContextRef context = contexts::current();
    const bool own = handle == CU_STREAM_PER_THREAD || (handle == nullptr && per_thread);
    return own ? own_default(*context) : context->legacy;
  }
  Machine::get();
  const sim::LockGuard guard(all().mutex);
  const auto it = all().streams.find(handle);
  if (it == all().streams.end()) {
    fail(CUDA_ERROR_INVALID_HANDLE, "{} is no live stream", static_cast<const void*>(handle));
  }
  return it->second;
}

CUstream create(unsigned flags, int priority) {
  if ((flags & ~static_cast<unsigned>(CU_STREAM_NON_BLOCKING)) != 0) {
    refuse("flags is {:#x}; expected 0 or CU_STREAM_NON_BLOCKING (1)", flags);
  }
  const ContextRef context = contexts::current();
  const StreamRef stream = make(*context, (flags & CU_STREAM_NON_BLOCKING) == 0, priority);
  const sim::LockGuard guard(all().mutex);
  all().streams.emplace(stream.get(), stream);
  return reinterpret_cast<CUstream>(stream.get());
}

void destroy(CUstream handle) {
  const StreamRef stream = find(handle);
  if (!stream->acl) refuse("a default stream cannot be destroyed");
  {
    const sim::LockGuard guard(stream->context->mutex);
    stream->context->streams.erase(stream);
  }
  end(*stream);
}

// The stream is in no list any more, so no other thread uses it.
void end(Stream& stream) NO_THREAD_SAFETY_ANALYSIS {
  {
    const sim::LockGuard guard(all().mutex);
    all().streams.erase(&stream);
  }
  const InContext inside(*stream.context);
  if (stream.acl) aclrtDestroyStream(stream.acl);
  if (stream.mark) aclrtDestroyEvent(stream.mark);
}

void enqueue(const StreamRef& stream, const std::function<void(aclrtStream)>& submit) {
  const InContext inside(*stream->context);
  const sim::LockGuard guard(stream->context->mutex);
  order(*stream);
  stream->idle = false;
  submit(stream->acl);
}

void synchronize(const StreamRef& stream) {
  const InContext inside(*stream->context);
  {
    const sim::LockGuard guard(stream->context->mutex);
    if (!stream->acl) order(*stream);
    stream->idle = true;
  }
  require_acl(aclrtSynchronizeStream(stream->acl), "the stream");
}

bool query(const StreamRef& stream) {
  const InContext inside(*stream->context);
  aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
  require_acl(aclrtStreamQuery(stream->acl, &status), "the stream");
  return status == ACL_STREAM_STATUS_COMPLETE;
}

void synchronize_context(Context& context) {
  const InContext inside(context);
  require_acl(aclrtSynchronizeDevice(), "the context");
}

// ---- events ----

CUevent create_event(unsigned flags) {
  constexpr unsigned kKnown = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING;
  if ((flags & CU_EVENT_INTERPROCESS) != 0) {
    fail(CUDA_ERROR_NOT_SUPPORTED, "events between processes are not emulated");
  }
  if ((flags & ~kKnown) != 0) refuse("flags is {:#x}; expected bits of {:#x}", flags, kKnown);
  const bool timed = (flags & CU_EVENT_DISABLE_TIMING) == 0;
  auto event = std::make_shared<Event>(contexts::current(), timed);
  const InContext inside(*event->context);
  require_acl(aclrtCreateEventExWithFlag(
                  &event->acl, timed ? ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE : ACL_EVENT_SYNC),
              "the event");
  const sim::LockGuard guard(all().mutex);
  all().events.emplace(event.get(), event);
  return reinterpret_cast<CUevent>(event.get());
}

EventRef find_event(CUevent handle) {
  Machine::get();
  const sim::LockGuard guard(all().mutex);
  const auto it = all().events.find(handle);
  if (it == all().events.end()) {
    fail(CUDA_ERROR_INVALID_HANDLE, "{} is no live event", static_cast<const void*>(handle));
  }
  return it->second;
}

void destroy_event(CUevent handle) {
  const EventRef event = find_event(handle);
  {
    const sim::LockGuard guard(all().mutex);
    all().events.erase(handle);
  }
  aclrtDestroyEvent(event->acl);
}

void record(Event& event, const StreamRef& stream) {
  enqueue(stream,
          [&](aclrtStream acl) { require_acl(aclrtRecordEvent(event.acl, acl), "the record"); });
  event.recorded = true;
}

void wait(const StreamRef& stream, Event& event) {
  if (!event.recorded) return;
  enqueue(stream,
          [&](aclrtStream acl) { require_acl(aclrtStreamWaitEvent(acl, event.acl), "the wait"); });
}

}  // namespace cuda::streams
