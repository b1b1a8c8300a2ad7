// SPDX-License-Identifier: Apache-2.0
// Runs consecutive short ops without the checks that only observers and hooks need.
#include <algorithm>

#include "device_sim/base/sanitizer.h"
#include "device_sim/streams/driver.h"
#include "device_sim/streams/stream.h"
#include "device_sim/streams/stream_announce.h"

namespace sim {

inline bool Stream::may_step_row() const noexcept {
  return frames_.empty() && !driver_.hooks().op_begins && !head_begun_ && !head_asked_;
}

// A copy or fill.
inline void Stream::run_short(const Op& op) {
  Memory& memory = driver_.memory();
  if (op.kind == OpKind::fill) {
    device_fill(memory.engine(op.fill.dst), op.fill.value, op.fill.size);
  } else if (op.copy.size != sizeof(std::uint64_t)) {
    device_copy(memory.engine(op.copy.dst), memory.engine(op.copy.src), op.copy.size);
  } else {
    copy(op.copy);  // perhaps a word that others wait on
  }
}

inline void Stream::release_wait(Op& op) noexcept {
  if (op.wait.tally) [[unlikely]]
    return dispose_op(op);
  op.wait.signal->release();
}

// False where the op at the head is to be moved by `step`.
inline bool Stream::run_in_row(Op& op) {
  if (op.kind == OpKind::record) {
    Signal& signal = *op.record.signal;
    signal.complete_packed(failure_.load(std::memory_order_acquire),
                           op.record.timed ? driver_.now_ns() : 0);
    signal.release();
  } else if (op.kind == OpKind::wait) {
    if (!set_free_ && !op.wait.signal->done()) return false;
    set_free_ = false;
    release_wait(op);
  } else if (is_short(op)) {
    run_short(op);
  } else {
    return false;
  }
  pop_in_row();
  return true;
}

Stream::Step Stream::step_row(std::uint64_t most) {
  if (!may_step_row()) return step();
  most = std::min<std::uint64_t>(most, kMostUnannounced);
  for (; most != 0; --most) {
    Op* const op = queue_.front();
    if (!op || is_told(*op) || dropping() || driver_.observer()) return step();
    if (run_in_row(*op)) continue;
    if (op->kind != OpKind::wait && op->kind != OpKind::kernel) return step();
    announce();
    return op->kind == OpKind::kernel ? Step::kernel : step_wait(*op);
  }
  if (unannounced_ >= kMostUnannounced) announce();
  return Step::moved;
}

bool Stream::finish_short(std::uint64_t target) {
  const Op* op = queue_.front();
  if (!op || !is_short(*op) || is_told(*op) || !may_step_row() || driver_.observer()) return false;
  for (;;) {
    if (dropping()) return false;
    run_short(*op);
    pop_in_row();
    if (queue_.popped() >= target) break;
    op = queue_.front();
    if (!op || !is_short(*op) || is_told(*op)) return false;
  }
  announce();
  if (!go_idle()) [[unlikely]]
    yield();
  return true;
}

}  // namespace sim
