// SPDX-License-Identifier: Apache-2.0
#include "device_sim/streams/stream.h"

#include <utility>

#include "device_sim/streams/driver.h"
#include "device_sim/streams/host_lane.h"

namespace sim {

Stream::Step Stream::step_host_call(Op& op) {
  using Posted = HostLane::Posted;
  HostCallOp& call = op.host_call;
  HostLane& lane = *call.lane;
  HostLane::Item item{call.function, call.argument, Ref<Stream>::share(this), call.blocking,
                      op.task_id,    op.thread_id,  op.completion_id};
  if (!call.blocking) {
    item.owner = Ref<const Shared>::share(call.owner);
    // Posted before the op retires: a thread that sees the op retired finds the item in the lane.
    if (lane.post(std::move(item)) == Posted::closed) {
      // After the end of a subscription its callbacks are dropped; other reasons are reported.
      const Failure refusal = lane.refusal();
      if (refusal.fault != 0 || refusal.error == Error::no_thread) return fail_head(op, refusal);
    }
    retire(op, {});
    return Step::moved;
  }
  awaits_call_.store(true, std::memory_order_release);
  const Posted posted = lane.post(std::move(item));
  if (posted == Posted::queued) return Step::parked;
  awaits_call_.store(false, std::memory_order_release);
  if (posted == Posted::closed) return fail_head(op, lane.refusal());
  drop_head(op);
  return Step::moved;
}

Stream::Step Stream::host_call_returned(Failure failure) {
  in_host_call_.store(false, std::memory_order_release);
  awaits_call_.store(false, std::memory_order_release);
  Op& op = *head();
  if (head_failure_) {
    failure = std::exchange(head_failure_, Failure{});  // it is reported now
  } else if (failure && !abandoned()) {
    return fail_head(op, failure);
  }
  retire(op, failure);
  return Step::moved;
}

}  // namespace sim
