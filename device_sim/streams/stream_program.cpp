// SPDX-License-Identifier: Apache-2.0
#include "device_sim/streams/stream.h"

#include <algorithm>
#include <utility>

#include "device_sim/streams/driver.h"
#include "device_sim/streams/stream_park.h"

namespace sim {

// If the innermost program is at its end: the next op of the closest enclosing program that has
// one.
Op* Stream::head_in_program() noexcept {
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
    if (frame->at != frame->end) return &**frame->at;
  }
  return queue_.front();
}

// A program keeps its ops.
void Stream::retire_in_program() noexcept {
  ++frames_.back().at;
  if (driver_.watching()) driver_.look_at_words();
}

// The op at `index`, or the program's end when it has no such op.
static OwnedOp* op_at(Program& program, std::size_t index) noexcept {
  const auto size = static_cast<std::size_t>(program.end() - program.begin());
  return program.begin() + std::min(index, size);
}

void Stream::enter(Ref<Program> program, std::size_t index, Ref<DeferredReports> deferred) {
  OwnedOp* const first = op_at(*program, index);
  OwnedOp* const end = program->end();
  frames_.push_back({std::move(program), std::move(deferred), first, end, head_start_ns_});
  head_begun_ = false;
  head_asked_ = false;
}

// The control op that entered the program is the head again.
void Stream::leave_program() {
  head_start_ns_ = frames_.back().start_ns;
  head_begun_ = driver_.observer() != nullptr;
  head_asked_ = true;
  frames_.pop_back();
  returned_ = true;
}

std::uint32_t Stream::program_label() const noexcept {
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
    if (const std::uint32_t label = frame->program->label()) return label;
  }
  return 0;
}

bool Stream::head_is_prepared() {
  if (!frames_.empty() || dropping() || driver_.observer() || driver_.hooks().op_begins)
    return false;
  const Op* const op = queue_.front();
  return op && op->kind == OpKind::control && op->control.control->prepare();
}

Stream::Step Stream::step_control(Op& op) {
  set_free_ = false;
  Flow flow = op.control.control->decide(*this, returned_);
  if (flow.kind == Flow::Kind::wait) {
    Signal& until = *flow.until;
    const bool parked =
        park_at(until, {flow.timeout_ns, flow.looks}, [&] { return until.park(*this); });
    return parked ? Step::parked : Step::moved;
  }
  returned_ = false;
  switch (flow.kind) {
    case Flow::Kind::enter:
      enter(std::move(flow.program), flow.index, std::move(flow.deferred));
      break;
    case Flow::Kind::fail:
      return fail_head(op, flow.failure);
    case Flow::Kind::jump:
      retire(op, {});
      frames_.back().at = op_at(*frames_.back().program, flow.index);
      break;
    default:
      retire(op, {});
      break;
  }
  return Step::moved;
}

}  // namespace sim
