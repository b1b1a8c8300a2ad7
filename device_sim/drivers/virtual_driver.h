// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <queue>
#include <vector>

#include "device_sim/memory/links.h"
#include "device_sim/streams/driver.h"

namespace sim {

/// A cost model instead of a clock: an op takes as long as the model says, and time jumps from one
/// completion to the next. Single-threaded; among completions of one instant the order is by
/// device, then stream, then submission, so a run is the same every time.
class VirtualDriver final : public Driver {
 public:
  using KernelCost = std::function<Nanoseconds(const Op&)>;

  /// Copies cost what `links` says; fills what an on-chip copy of their size costs; kernels what
  /// `kernel_cost` says; the rest nothing.
  VirtualDriver(Memory& memory, VirtualClock& clock, const Links& links, KernelCost kernel_cost);

  /// Runs until nothing can move. Streams that are still parked then wait for ever.
  void run();

  void on_ready(Stream& stream) override;
  void arm_timeout(Ref<Stream> stream, Ref<WaitPoint> point, std::uint64_t serial,
                   WaitLimit limit) override;
  void disarm_timeout(Stream&, std::uint64_t) override {}  // outdated entries find nothing parked
  void host_call_returned(Stream& stream, Failure failure, Server server) override;
  void forget(Stream&) override {}
  WaitResult wait(Stream& stream, std::uint64_t target, const Deadline&, bool) override;

 private:
  struct Event {
    Nanoseconds time = 0;
    std::uint64_t order = 0;
    Ref<Stream> stream;
    enum class Kind : std::uint8_t { ready, op_done, timeout } kind = Kind::ready;
    Ref<WaitPoint> point;      // timeout
    std::uint64_t serial = 0;  // timeout
  };
  struct Later {
    bool operator()(const Event& a, const Event& b) const;
  };

  void push(Event event);
  void begin(Ref<Stream> stream);
  void finish(Stream& stream);
  Nanoseconds cost(const Op& op, int device) const;

  VirtualClock& clock_;
  const Links& links_;
  const KernelCost kernel_cost_;
  std::priority_queue<Event, std::vector<Event>, Later> events_;
  std::uint64_t order_ = 0;
};

}  // namespace sim
