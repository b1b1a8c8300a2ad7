// SPDX-License-Identifier: Apache-2.0
#include "device_sim/streams/stream.h"

#include <utility>

#include "device_sim/streams/driver.h"
#include "device_sim/streams/host_lane.h"

namespace sim {

Stream::Step Stream::step_host_call(Op& op) {
  HostCallOp& call = op.host_call;
  const Ref<HostLane> lane = Ref<HostLane>::share(call.lane);
  HostLane::Item item{call.function, call.argument, Ref<Stream>::share(this), call.blocking,
                      op.task_id,    op.thread_id,  op.completion_id};
  if (!call.blocking) {
    item.owner = Ref<const Shared>::share(call.owner);
    // Posted before the op retires: a thread that sees the op retired finds the item in the lane.
    const bool posted = lane->post(std::move(item));
    // After the end of a subscription its callbacks are dropped; other reasons are reported.
    const Failure refusal = lane->refusal();
    if (!posted && (refusal.fault != 0 || refusal.error == Error::no_thread)) {
      return fail_head(op, refusal);
    }
    // `abandon` may have searched the lane before the item was in it.
    if (abandoned()) lane->withdraw(*this);
    retire(op, {});
    return Step::moved;
  }
  const Ref<Stream> self = item.stream;
  state_.store(State::parked, std::memory_order_seq_cst);
  if (lane->post(std::move(item))) {
    if (abandoned()) withdraw(*lane);  // as above
    return Step::parked;
  }
  state_.store(State::running, std::memory_order_seq_cst);
  return fail_head(op, lane->refusal());  // the lane is closed
}

Stream::Step Stream::host_call_returned(Failure failure) {
  in_host_call_.store(false, std::memory_order_release);
  state_.store(State::running, std::memory_order_seq_cst);
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
