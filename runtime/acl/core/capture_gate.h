// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "acl/acl_rt.h"
#include "device_sim/base/ref.h"
#include "device_sim/streams/signal.h"
#include "runtime/acl/core/task_sink.h"

namespace acl {

class Context;
class Event;
struct Branch;

/// A capture, as far as events and contexts know it. graph/ implements it.
class CaptureSink : public TaskSink {
 public:
  CaptureSink() : TaskSink(Kind::capture) {}
  virtual Context& context() const noexcept = 0;
  /// It has ended, or was dropped.
  virtual bool over() const noexcept = 0;
  /// It can only end with an error from here on.
  virtual void invalidate() noexcept = 0;
  /// An Ex event is recorded on a stream of this capture; false when the capture is over.
  virtual bool record(Stream& stream, Event& event, void* handle) = 0;
  /// A stream of this capture, or one that joins it, waits for an event of it; false when the
  /// capture is over.
  virtual bool wait(Stream& stream, Event& event, void* handle) = 0;
};

/// The capture that a stream's tasks go into, or null.
std::shared_ptr<CaptureSink> capture_sink_of(const Stream& stream);

/// The mark that a capture leaves on an event that was recorded in it.
struct CaptureMark {
  std::weak_ptr<CaptureSink> capture;
  sim::Ref<sim::Signal> signal;
  Branch* branch = nullptr;
  std::size_t position = 0;
  std::uint64_t id = 0;
};

/// Checks which calls the captures of the process forbid. graph/ implements it.
class CaptureGate {
 public:
  /// True when a capture is under way anywhere: without, the checks cost one load.
  static bool any() noexcept { return count_.load(std::memory_order_acquire) != 0; }
  /// Only while there are any.
  static CaptureGate& get() noexcept { return *gate_.load(std::memory_order_acquire); }

  /// For calls that a capture cannot follow: raises `code` when one forbids them to this thread.
  virtual void require_allowed(const Context& context, aclError code) = 0;
  /// Raises ACL_ERROR_RT_STREAM_CAPTURED while a stream of the context is captured.
  virtual void require_none(const Context& context) = 0;

 protected:
  CaptureGate() = default;
  ~CaptureGate() = default;
  /// Called when the object is complete: other threads find it from here on.
  void publish() noexcept { gate_.store(this, std::memory_order_release); }
  inline static std::atomic<int> count_{0};

 private:
  inline static std::atomic<CaptureGate*> gate_{nullptr};
};

/// Before work that happens in the call (synchronous copies and fills).
inline void require_no_capture_forbids(const Context& context,
                                       aclError code = ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT) {
  if (CaptureGate::any()) [[unlikely]]
    CaptureGate::get().require_allowed(context, code);
}

}  // namespace acl
