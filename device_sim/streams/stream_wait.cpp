// SPDX-License-Identifier: Apache-2.0
#include "device_sim/base/mutex.h"
#include "device_sim/streams/stream.h"

#include <utility>

#include "device_sim/streams/driver.h"
#include "device_sim/streams/stall_point.h"
#include "device_sim/streams/stream_park.h"

namespace sim {

Stream::Step Stream::step_wait(Op& op) {
  Signal& signal = *op.wait.signal;
  // The signal that released the stream may have been reset since: the wait is over all the same.
  if (!std::exchange(set_free_, false) && !signal.done()) {
    if (park_at(signal, op.wait.timeout_ns, [&] { return signal.park(*this); })) {
      return Step::parked;
    }
    if (abandoned()) {
      drop_head(op);
      return Step::moved;
    }
  }
  retire(op, {});
  return Step::moved;
}

Stream::Step Stream::step_word_wait(Op& op) {
  if (!std::exchange(set_free_, false)) {
    const Ref<Word> word = Ref<Word>::share(op.word_wait.word);
    const WordTest test = op.word_wait.test;
    Driver& driver = driver_;
    if (park_at(*word, op.word_wait.timeout_ns, [&] { return word->park(*this, test); })) {
      if (word->watched()) driver.watch(*word);
      return Step::parked;
    }
    if (abandoned()) {
      drop_head(op);
      return Step::moved;
    }
  }
  retire(op, {});
  return Step::moved;
}

void Stream::release_from_wait() {
  leave_park();
  set_free_ = true;
  state_.store(State::ready, std::memory_order_seq_cst);
  driver_.on_ready(*this);
}

Stream::Step Stream::fail_wait(Failure failure) {
  leave_park();
  state_.store(State::running, std::memory_order_seq_cst);
  if (stall_point_) {  // the delay of an injected fault is over: the head fails, or runs now
    stall_point_ = nullptr;
    failure = std::exchange(held_failure_, Failure{});
    if (!failure) return Step::moved;
  }
  Op& op = *head();
  if (op.kind == OpKind::control) {
    failure = op.control.control->wait_failed(*this, failure);
    if (!failure) return Step::moved;  // it is asked again
  }
  return fail_head(op, failure);
}

void Stream::leave_park() {
  set_parked_on(nullptr);
  if (timed_park_) driver_.disarm_timeout(*this, park_serial_);
}

void Stream::set_parked_on(WaitPoint* point, bool timed, const Op* op) noexcept {
  const sim::LockGuard guard(lock_);
  parked_on_ = point;
  parked_timed_ = timed;
  parked_op_ = op;
}

Ref<WaitPoint> Stream::parked_on(bool* timed) const noexcept {
  const sim::LockGuard guard(lock_);
  if (timed) *timed = parked_timed_;
  return Ref<WaitPoint>::share(parked_on_);
}

// The op stays as long as `parked_op_` names it: the stream forgets it before it goes on.
std::optional<Parked> Stream::at_rest() const {
  Parked parked;
  if (awaits_call_.load(std::memory_order_acquire)) {
    parked.in_call = in_host_call();
    return parked;
  }
  if (state() != State::parked) return std::nullopt;
  {
    const sim::LockGuard guard(lock_);
    if (!parked_on_ || !parked_op_) return std::nullopt;
    parked.point = Ref<WaitPoint>::share(parked_on_);
    parked.limited = parked_timed_;
    parked.kind = parked_op_->kind;
    parked.completion_id = parked_op_->completion_id;
    if (parked.kind == OpKind::control) {
      parked.control = Ref<Control>::share(parked_op_->control.control);
    }
  }
  if (!parked.point->keeps(*this)) return std::nullopt;
  return parked;
}

// ---- injected faults ----

// False when the op is to run as usual.
bool Stream::meet_fault(Op& op, Step& step) {
  head_asked_ = true;
  const OpFault fault = driver_.hooks().op_begins(driver_.hooks().self, *this, op);
  if (fault.held && !abandoned()) {
    const Ref<StallPoint> stall = make_ref<StallPoint>();
    stall_point_ = stall;
    held_failure_ = fault.failure;
    step = Step::parked;
    if (park_at(*stall, fault.stall_ns, [&] { return stall->park(*this); })) return true;
  }
  step = Step::moved;
  if (abandoned()) {  // possibly by the fault itself
    drop_head(op);
  } else if (fault.failure) {
    // Others may wait for it.
    if (op.kind == OpKind::control) op.control.control->dropped(*this, fault.failure);
    step = fail_head(op, fault.failure);
  } else {
    return false;
  }
  return true;
}

}  // namespace sim
