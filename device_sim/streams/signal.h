// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "device_sim/base/clock.h"
#include "device_sim/base/error.h"
#include "device_sim/streams/wait_point.h"

namespace sim {

/// Something that becomes done: pending -> done | failed(error), with the time it happened.
/// Streams park on it; the thread that completes it releases them.
class Signal : public WaitPoint {
 public:
  /// Whether the reference to the producer ends when the signal is done, or with the signal.
  enum class Producer : bool { released, kept };
  /// `producer`: the stream that will complete this, so that a waiting host thread can help it on.
  /// `id` is for observers, 0 without observers.
  explicit Signal(Stream* producer = nullptr, std::uint64_t id = 0,
                  Producer keep = Producer::released) noexcept;
  ~Signal() override;

  bool done() const noexcept final { return done_.load(std::memory_order_acquire); }
  Failure failure() const noexcept {
    return Failure::unpack(failure_.load(std::memory_order_acquire));
  }
  Nanoseconds time_ns() const noexcept { return time_ns_.load(std::memory_order_acquire); }
  std::uint64_t id() const noexcept { return id_; }

  /// Becomes done. Parked streams become ready: each is handed to its driver.
  void complete(Failure failure, Nanoseconds time_ns) { complete_packed(failure.pack(), time_ns); }
  void complete_packed(std::uint64_t failure, Nanoseconds time_ns);
  /// Becomes pending again. Streams that were set free stay free.
  void clear() noexcept;

  /// For a signal that is used again and again.
  void set_producer(Stream& stream) noexcept;
  /// Null once the signal is done.
  Ref<Stream> producer() const noexcept override;

  /// Order rules' side: false when already done, or when the stream was abandoned (it is then not
  /// parked).
  bool park(Stream& stream) noexcept;

 private:
  std::atomic<bool> done_{false};
  const Producer keep_;
  Stream* producer_ GUARDED_BY(lock_) = nullptr;  // one reference
  std::atomic<std::uint64_t> failure_{0};
  std::atomic<Nanoseconds> time_ns_{0};
  const std::uint64_t id_;
};

/// How many waits of one event are still outstanding.
class WaitTally : public RefCounted<WaitTally> {
 public:
  std::atomic<std::int32_t> outstanding{0};
};

}  // namespace sim
