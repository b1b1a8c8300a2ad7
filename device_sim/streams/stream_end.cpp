// SPDX-License-Identifier: Apache-2.0
#include "device_sim/streams/stream.h"

#include "device_sim/streams/driver.h"
#include "device_sim/streams/host_lane.h"

namespace sim {

void Stream::abandon() {
  if (!abandoned()) abandoned_at_.store(retired(), std::memory_order_relaxed);
  abandoned_.store(true, std::memory_order_seq_cst);
  wake_all_waiters();
  bool own = try_own();
  if (!own) {
    if (const Ref<WaitPoint> point = parked_on()) {
      if (point->unpark(*this, 0)) {
        leave_park();
        state_.store(State::running, std::memory_order_seq_cst);
        own = true;
      }
    }
  }
  // Otherwise the owner, or the host function when it returns, sees the mark and drops the rest.
  if (!own) return hold_memory();
  drop_rest();
}

void Stream::withdraw(HostLane& lane) {
  if (!lane.withdraw(*this)) return;
  head_failure_ = {};  // it will not be reported
  awaits_call_.store(false, std::memory_order_release);
  drop_rest();
}

// Owner only.
void Stream::drop_rest() {
  while (step() != Step::idle) {
  }
  driver_.forget(*this);
  // `forget` may have removed the stream after a late submit: that op is still to be dropped.
  if (state() == State::ready) driver_.on_ready(*this);
}

void Stream::drop_head(Op& op) {
  const Failure aborted{Error::aborted, 0};
  // Streams that wait for a dropped record must go on. A record of a program whose streams were
  // given up is left alone: they were given up together, and the next run of the program makes its
  // records again, possibly in another stream already.
  const bool made_again = !frames_.empty() && abandoned();
  if (op.kind == OpKind::record && !made_again)
    op.record.signal->complete(aborted, driver_.now_ns());
  if (op.kind == OpKind::word_change && op.word_change.how == WordChange::raise) {
    op.word_change.word->change(WordChange::raise, op.word_change.value);
  }
  if (op.kind == OpKind::control) {
    returned_ = false;
    op.control.control->dropped(*this, aborted);
  }
  retire(op, aborted);
}

// ---- memory that is freed meanwhile ----

// The running op may still use memory that is freed from now on: freed memory is held back until
// the stream is idle.
void Stream::hold_memory() {
  AddressSpace& space = driver_.memory().device(config_.device);
  space.hold_freed();
  if (holds_memory_.exchange(true)) space.release_freed();  // abandoned twice: hold once
  if (state() == State::idle) release_memory();             // idle before it could see the mark
}

void Stream::release_memory() {
  if (holds_memory_.exchange(false)) driver_.memory().device(config_.device).release_freed();
}

}  // namespace sim
