// SPDX-License-Identifier: Apache-2.0
#include "device_sim/streams/stream.h"

#include <utility>

#include "device_sim/streams/driver.h"
#include "device_sim/streams/host_lane.h"

namespace sim {

void Stream::record_failure(Failure failure) noexcept {
  std::uint64_t none = 0;
  failure_.compare_exchange_strong(none, failure.pack());
  if (stop_on_failure_.load(std::memory_order_acquire)) {
    if (config_.domain) config_.domain->fail(failure);
    dropping_.store(true, std::memory_order_relaxed);
  }
}

Failure Stream::take_failure() noexcept {
  if (failure_.load(std::memory_order_acquire) == 0) return {};
  return Failure::unpack(failure_.exchange(0, std::memory_order_acq_rel));
}

Stream::Step Stream::fail_head(Op& op, Failure failure) {
  record_failure(failure);
  const DriverHooks& hooks = driver_.hooks();
  HostLane* lane = nullptr;
  HostLane::Item item;
  if (hooks.op_failed && hooks.op_failed(hooks.self, *this, op, failure, lane, item)) {
    // Another thread reports the failure, and the op leaves the stream only afterwards. Thus the
    // exception callback has returned before a synchronise reports the error.
    item.stream = Ref<Stream>::share(this);
    item.blocking = true;
    head_failure_ = failure;
    awaits_call_.store(true, std::memory_order_release);
    if (lane->post(std::move(item)) == HostLane::Posted::queued) return Step::parked;
    awaits_call_.store(false, std::memory_order_release);
    head_failure_ = {};
  }
  retire(op, failure);
  return Step::moved;
}

void Stream::fail_detached(std::uint32_t task_id, std::uint32_t thread_id, Failure failure) {
  record_failure(failure);
  Op gone(OpKind::host_call);
  gone.task_id = task_id;
  gone.thread_id = thread_id;
  const DriverHooks& hooks = driver_.hooks();
  HostLane* lane = nullptr;
  HostLane::Item item;
  if (hooks.op_failed && hooks.op_failed(hooks.self, *this, gone, failure, lane, item)) {
    item.stream = Ref<Stream>::share(this);
    item.tells = true;
    lane->post(std::move(item));
  }
}

}  // namespace sim
