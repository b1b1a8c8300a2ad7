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

  // Under the context's mutex:
  aclrtEvent mark = nullptr;            // recorded when the order is made
  bool idle = true;                     // nothing was given to it since it was waited for
  bool has_work = false;                // since the default stream has waited for it
  std::uint64_t default_work = 0;       // of the default stream: how much it was given
  std::uint64_t seen_default_work = 0;  // that this stream has waited for
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

/// Calls `submit` in the stream's context, with the stream of ACL, after what CUDA orders before
/// it.
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
