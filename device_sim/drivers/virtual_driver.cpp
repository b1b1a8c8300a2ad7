// SPDX-License-Identifier: Apache-2.0
#include "device_sim/drivers/virtual_driver.h"

#include <tuple>

#include "device_sim/streams/task.h"

namespace sim {

VirtualDriver::VirtualDriver(Memory& memory, VirtualClock& clock, const Links& links,
                             KernelCost kernel_cost)
    : Driver(memory, clock), clock_(clock), links_(links), kernel_cost_(std::move(kernel_cost)) {}

bool VirtualDriver::Later::operator()(const Event& a, const Event& b) const {
  const auto key = [](const Event& e) {
    return std::tuple(e.time, e.stream->device(), e.stream->id(), e.order);
  };
  return key(a) > key(b);
}

void VirtualDriver::push(Event event) {
  event.order = ++order_;
  events_.push(std::move(event));
}

void VirtualDriver::on_ready(Stream& stream) {
  push({now_ns(), 0, Ref<Stream>::share(&stream), Event::Kind::ready, {}, 0});
}

void VirtualDriver::arm_timeout(Ref<Stream> stream, Ref<WaitPoint> point, std::uint64_t serial,
                                WaitLimit limit) {
  push({now_ns() + limit.ns, 0, std::move(stream), Event::Kind::timeout, std::move(point), serial});
}

void VirtualDriver::run() {
  while (!events_.empty()) {
    const Event event = events_.top();
    events_.pop();
    switch (event.kind) {
      case Event::Kind::ready:
        clock_.advance_to(event.time);
        if (event.stream->try_own()) begin(event.stream);
        break;
      case Event::Kind::op_done:
        clock_.advance_to(event.time);
        finish(*event.stream);
        break;
      case Event::Kind::timeout:
        if (!event.point->unpark(*event.stream, event.serial)) break;
        clock_.advance_to(event.time);
        if (event.stream->fail_wait({Error::wait_timeout, 0}) == Stream::Step::parked) break;
        begin(event.stream);
        break;
    }
  }
}

// Moves an owned stream through ops that cost nothing, up to one that takes time.
void VirtualDriver::begin(Ref<Stream> stream) {
  for (;;) {
    const Op* const op = stream->dropping() ? nullptr : stream->head();
    if (const Nanoseconds duration = op ? cost(*op, stream->device()) : 0) {
      stream->begin_head();
      push({now_ns() + duration, 0, std::move(stream), Event::Kind::op_done, {}, 0});
      return;
    }
    Stream::Step step = stream->step();
    if (step == Stream::Step::kernel) step = stream->run_kernel();
    if (step == Stream::Step::parked || step == Stream::Step::idle) return;
  }
}

void VirtualDriver::finish(Stream& stream) {
  Stream::Step step = stream.step();
  if (step == Stream::Step::kernel) step = stream.run_kernel();
  if (step == Stream::Step::moved) begin(Ref<Stream>::share(&stream));
}

Nanoseconds VirtualDriver::cost(const Op& op, int device) const {
  switch (op.kind) {
    case OpKind::copy:
      return links_.transfer_ns(op.copy.src_device, op.copy.dst_device, op.copy.size);
    case OpKind::fill:
      return links_.transfer_ns(op.fill.device, op.fill.device, op.fill.size);
    case OpKind::kernel:
      return kernel_cost_ ? kernel_cost_(op) : 0;
    case OpKind::task:
      return links_.transfer_ns(device, device, op.task.task->bytes());
    default:
      return 0;
  }
}

void VirtualDriver::host_call_returned(Stream& stream, Failure failure, Server) {
  if (stream.host_call_returned(failure) == Stream::Step::parked) return;
  begin(Ref<Stream>::share(&stream));
}

Driver::WaitResult VirtualDriver::wait(Stream& stream, std::uint64_t target, const Deadline&,
                                       bool) {
  run();
  return stream.retired() >= target ? WaitResult::reached : WaitResult::timed_out;
}

}  // namespace sim
