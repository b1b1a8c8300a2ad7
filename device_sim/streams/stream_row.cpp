// SPDX-License-Identifier: Apache-2.0
// Short ops that follow each other, without the questions that matter where somebody watches.
#include <algorithm>

#include "device_sim/base/sanitizer.h"
#include "device_sim/streams/driver.h"
#include "device_sim/streams/stream.h"
#include "device_sim/streams/stream_announce.h"

namespace sim {

inline bool Stream::may_step_row() const noexcept {
  return frames_.empty() && driver_.no_hook_per_op() && !head_begun_ && !head_asked_;
}

// False where the op at the head is to be moved by `step`.
inline bool Stream::run_in_row(Op& op) {
  switch (op.kind) {
    case OpKind::copy:
      if (op.copy.size > kShortBytes) return false;
      copy(op.copy);
      break;
    case OpKind::fill:
      if (op.fill.size > kShortBytes) return false;
      device_fill(driver_.memory().engine(op.fill.dst), op.fill.value, op.fill.size);
      break;
    case OpKind::record: {
      Signal& signal = *op.record.signal;
      signal.complete(failure(), op.record.timed ? driver_.now_ns() : 0);
      signal.release();
      break;
    }
    case OpKind::wait:
      if (!set_free_ && !op.wait.signal->done()) return false;
      set_free_ = false;
      dispose_op(op);
      break;
    default: return false;
  }
  pop_in_row();
  return true;
}

Stream::Step Stream::step_row(std::uint64_t most) {
  if (!may_step_row()) return step();
  most = std::min<std::uint64_t>(most, kMostUnannounced);
  for (; most != 0; --most) {
    Op* const op = queue_.front();
    if (!op || dropping() || driver_.observer()) return step();
    if (run_in_row(*op)) continue;
    if (op->kind != OpKind::wait) return step();
    announce();
    return step_wait(*op);
  }
  if (unannounced_ >= kMostUnannounced) announce();
  return Step::moved;
}

}  // namespace sim
