// SPDX-License-Identifier: Apache-2.0
// Faults of tasks: what strikes one as it begins.
#include <algorithm>
#include <string_view>

#include "device_sim/streams/program.h"
#include "device_sim/streams/task.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/device/broken_memory.h"
#include "runtime/acl/faults/fault_injector.h"
#include "runtime/trace/task_text.h"

namespace acl {
namespace {

using sim::FaultKind;
using sim::OpKind;

/// A word of sim::fault_ops(); empty for what no fault can strike: others wait for such a task.
std::string_view word_of(const sim::Op& op) {
  switch (op.kind) {
    case OpKind::copy:
      return "copy";
    case OpKind::fill:
      return "fill";
    case OpKind::kernel:
      return "kernel";
    case OpKind::host_call:
      return "callback";
    case OpKind::wait:
      return "wait";
    case OpKind::word_wait: {
      const bool notify = std::string_view(op.word_wait.name).find("NOTIFY") != std::string::npos;
      return notify ? "notify-wait" : "wait";
    }
    case OpKind::task: {
      const std::string_view name = op.task.task->name();
      return name.starts_with("MEMCPY") ? "copy" : name.starts_with("MEMSET") ? "fill" : "other";
    }
    case OpKind::control:
      return op.control.control->is_work() ? "collective" : std::string_view();
    default:
      return {};
  }
}

/// The memory that a task touches, as far as the machine knows.
std::vector<sim::MemoryRange> ranges_of(const sim::Op& op) {
  std::vector<sim::MemoryRange> ranges;
  if (op.kind == OpKind::copy) {
    if (op.copy.src_device >= 0) ranges.push_back({op.copy.src, op.copy.size, false});
    if (op.copy.dst_device >= 0) ranges.push_back({op.copy.dst, op.copy.size, true});
  } else if (op.kind == OpKind::fill) {
    ranges.push_back({op.fill.dst, op.fill.size, true});
  } else if (op.kind == OpKind::task) {
    op.task.task->append_ranges(ranges);
  } else if (op.kind == OpKind::kernel && op.has_blob) {
    const sim::KernelBlob& blob = *op.kernel.blob;
    ranges.assign(blob.ranges(), blob.ranges() + blob.range_count);
  }
  return ranges;
}

std::pair<int, int> ends_of(const sim::CopyOp& copy) {
  return std::minmax<int>({copy.src_device, copy.dst_device});
}

}  // namespace

sim::FaultSite FaultInjector::site_of(const sim::Stream& stream, const sim::Op& op) const {
  sim::FaultSite site;
  site.point = Point::task;
  site.op = word_of(op);
  site.device = runtime_.logical(stream.device());
  site.stream = stream.id();
  if (op.kind == OpKind::copy) {
    site.from = op.copy.src_device < 0 ? -1 : runtime_.logical(op.copy.src_device);
    site.to = op.copy.dst_device < 0 ? -1 : runtime_.logical(op.copy.dst_device);
  }
  return site;
}

sim::OpFault FaultInjector::op_begins(sim::Stream& stream, const sim::Op& op) {
  sim::FaultSite site = site_of(stream, op);
  if (site.op.empty()) return {};
  if (const sim::Failure failure = standing_failure(op)) return {failure};
  const trace::TaskText text = trace::describe(op);
  site.name = text.name;
  const auto fired = decide(site);
  if (!fired.rule) return {};
  switch (fired.rule->kind) {
    case FaultKind::slow:
      return {{}, true, fired.rule->delay_ns};
    case FaultKind::stuck:
      return held(stream, op, fired.number);
    case FaultKind::link_down:
      break_link(op.copy, fired.number);
      break;
    case FaultKind::ecc:
      break_memory(stream.device(), op, fired.number);
      break;
    case FaultKind::device_lost:
      lose(stream.device(), fired.number);
      break;
    case FaultKind::process_dies:
      end_process(fired.number);
    // What it was given before is still served.
    case FaultKind::callback_dies:
      op.host_call.lane->close(failure_of(fired.number));
      break;
    default:
      break;
  }
  return {failure_of(fired.number)};
}

// Up to the limit that the task has by itself, if it has one.
sim::OpFault FaultInjector::held(const sim::Stream& stream, const sim::Op& op,
                                 std::uint16_t number) const {
  sim::OpFault fault{{sim::Error::wait_timeout, 0, number}, true, 0};
  if (op.kind == OpKind::wait) fault.hold_ns = op.wait.timeout_ns;
  if (op.kind == OpKind::word_wait) fault.hold_ns = op.word_wait.timeout_ns;
  if (op.kind == OpKind::kernel) {
    fault.failure.error = sim::Error::kernel_timeout;
    fault.hold_ns = stream.driver().kernel_limit_ns();
  }
  return fault;
}

sim::Failure FaultInjector::standing_failure(const sim::Op& op) const {
  if (op.kind == OpKind::copy && any_link_.load(std::memory_order_acquire)) {
    const std::lock_guard guard(mutex_);
    const auto link = broken_links_.find(ends_of(op.copy));
    if (link != broken_links_.end()) return failure_of(link->second);
  }
  const auto& memory = runtime_.section<BrokenMemory>();
  if (!memory.any()) return {};
  for (const sim::MemoryRange& range : ranges_of(op)) {
    if (const auto broken = memory.touched(range.begin, range.size)) {
      return failure_of(broken->fault);
    }
  }
  return {};
}

void FaultInjector::break_link(const sim::CopyOp& copy, std::uint16_t number) {
  const std::lock_guard guard(mutex_);
  broken_links_.emplace(ends_of(copy), number);
  any_link_.store(true, std::memory_order_release);
}

// Of the device's own memory where the task touches any, else of another device's.
void FaultInjector::break_memory(int device, const sim::Op& op, std::uint16_t number) {
  const sim::MemoryRange* chosen = nullptr;
  int owner = -1;
  const auto ranges = ranges_of(op);
  for (const sim::MemoryRange& range : ranges) {
    const auto allocation = runtime_.memory().find(range.begin);
    if (!allocation || allocation->device < 0) continue;
    if (!chosen || (owner != device && allocation->device == device)) {
      chosen = &range;
      owner = allocation->device;
    }
  }
  if (chosen) runtime_.section<BrokenMemory>().add(owner, chosen->begin, number);
}

}  // namespace acl
