// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "acl/acl_rt.h"
#include "cuda/cuda_multicast.h"
#include "runtime/cuda/driver/context.h"

namespace cuda {

/// A stream of ACL. CUDA's default stream is ordered with all "blocking" streams of its context;
/// ACL's is not, so the order is made with events (streams::enqueue).
struct Stream {
  Stream(Context* of, aclrtStream stream, bool waits) : context(of), acl(stream), blocking(waits) {}

  Context* const context;
  const aclrtStream acl;  // null: the default stream of its context
  const bool blocking;

  /// Recorded where another stream shall wait for this one.
  aclrtEvent mark GUARDED_BY(context->mutex) = nullptr;
  /// No operation was enqueued since the host waited for the stream.
  bool idle GUARDED_BY(context->mutex) = true;
  /// `idle`, for callers that hold the lock of `of`, the stream's context.
  bool idle_in([[maybe_unused]] Context& of) const REQUIRES(of.mutex) NO_THREAD_SAFETY_ANALYSIS {
    return idle;
  }
  /// Operations were enqueued since the default stream waited for the stream.
  bool has_work GUARDED_BY(context->mutex) = false;
  /// The number of operations of the default stream; only its own object counts them.
  std::uint64_t default_work GUARDED_BY(context->mutex) = 0;
  /// The value of `default_work` that this stream has waited for.
  std::uint64_t seen_default_work GUARDED_BY(context->mutex) = 0;
};

/// An event. One that was never recorded is complete, and waits for it do nothing.
struct Event {
  explicit Event(const ContextRef& in, bool times) : context(in), timed(times) {}
  const ContextRef context;
  const bool timed;
  aclrtEvent acl = nullptr;
  std::atomic<bool> recorded{false};
};

namespace streams {

using StreamRef = std::shared_ptr<Stream>;
using EventRef = std::shared_ptr<Event>;

/// `per_thread`: a null handle is the calling thread's own default stream.
StreamRef find(CUstream handle, bool per_thread = false);
CUstream create(unsigned flags, int priority);
void destroy(CUstream handle);
/// Waits for its work and gives it back to ACL.
void end(Stream& stream);

/// Calls `submit` in the stream's context with the ACL stream, after it has enqueued the waits that
/// CUDA's order requires.
void enqueue(const StreamRef& stream, const std::function<void(aclrtStream)>& submit);
void synchronize(const StreamRef& stream);
/// False while work is pending.
bool query(const StreamRef& stream);
void synchronize_context(Context& context);

CUevent create_event(unsigned flags);
EventRef find_event(CUevent handle);
void destroy_event(CUevent handle);
void record(Event& event, const StreamRef& stream);
void wait(const StreamRef& stream, Event& event);

}  // namespace streams
}  // namespace cuda
