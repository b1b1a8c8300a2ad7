// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "device_sim/base/error.h"
#include "device_sim/base/ref.h"
#include "device_sim/streams/task.h"
#include "runtime/acl/core/record_signal.h"

namespace acl {

class Runtime;

/// The task that resets a bound event. The waits that were enqueued before keep their record. It
/// gives back the hardware number that the event held when the reset was called.
class EventReset final : public sim::Task {
 public:
  EventReset(Runtime& runtime, int device, std::uint32_t stream_id,
             std::optional<std::uint32_t> hardware_id) noexcept
      : runtime_(runtime),
        device_(device),
        stream_id_(stream_id),
        hardware_id_(hardware_id.value_or(0)),
        holds_id_(hardware_id.has_value()) {}
  ~EventReset() override { give_id(); }

  const char* name() const noexcept override { return "EVENT_RESET"; }
  sim::Failure run(sim::Stream& stream) const override;

  bool done() const noexcept { return done_.load(std::memory_order_acquire); }
  /// The stream that runs it.
  std::uint32_t stream_id() const noexcept { return stream_id_; }

 private:
  void give_id() const noexcept;

  Runtime& runtime_;
  const int device_;
  const std::uint32_t stream_id_;
  const std::uint32_t hardware_id_;
  mutable std::atomic<bool> holds_id_;
  mutable std::atomic<bool> done_{false};
};

/// A reset, and the record that will follow it, for which streams may wait already.
struct AfterReset {
  sim::Ref<EventReset> reset;  // null: the event was not reset since its latest record
  sim::Ref<RecordSignal> next;
  bool taken = false;  // a thread records it now

  /// Gives the record to the calling thread, which records the event in `core`. Null: the event was
  /// not reset, or another thread records it now.
  sim::Ref<RecordSignal> take(sim::Stream& core);
  /// The record was not enqueued.
  void drop(const RecordSignal& record);
};

/// An event that a host thread may wait for was recorded: wakes the threads that wait for a record
/// of an event that was reset.
void report_record_call();

}  // namespace acl
