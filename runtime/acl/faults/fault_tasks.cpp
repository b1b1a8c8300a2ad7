// SPDX-License-Identifier: Apache-2.0
// Faults of tasks: what strikes one as it begins.
#include <algorithm>
#include <string_view>

#include "device_sim/base/mutex.h"
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

/// The op's word in sim::fault_ops(); empty for an op that no fault can strike because others wait
/// for it.
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

/// The task begins so much later; 0: at once.
sim::OpFault late(sim::Nanoseconds delay_ns) {
  return delay_ns == 0 ? sim::OpFault{} : sim::OpFault{{}, true, delay_ns};
}

}  // namespace

std::vector<sim::DevicePair> links_of(const sim::Op& op, int own_device) {
  std::vector<sim::DevicePair> links;
  const auto add = [&](int a, int b) {
    if (a >= 0 && b >= 0 && a != b) links.push_back(std::minmax<int>({a, b}));
  };
  if (op.kind == OpKind::copy) add(op.copy.src_device, op.copy.dst_device);
  if (op.kind == OpKind::control) {
    std::vector<int> peers;
    op.control.control->append_peers(peers);
    for (const int peer : peers) add(own_device, peer);
  }
  return links;
}

std::vector<sim::DevicePair> FaultInjector::logical(
    const std::vector<sim::DevicePair>& links) const {
  std::vector<sim::DevicePair> named;
  for (const auto& [a, b] : links) {
    named.push_back(std::minmax<int>({runtime_.logical(a), runtime_.logical(b)}));
  }
  return named;
}

sim::FaultSite FaultInjector::site_of(const sim::Stream& stream, const sim::Op& op,
                                      const std::vector<sim::DevicePair>& links) const {
  sim::FaultSite site;
  site.point = Point::task;
  site.op = word_of(op);
  site.device = runtime_.logical(stream.device());
  site.stream = stream.id();
  site.links = logical(links);
  return site;
}

sim::OpFault FaultInjector::op_begins(sim::Stream& stream, const sim::Op& op) {
  const auto links = links_of(op, stream.device());
  sim::FaultSite site = site_of(stream, op, links);
  if (site.op.empty()) return {};
  if (const sim::Failure failure = standing_failure(op, links)) return {failure};
  const trace_output::TaskText text = trace_output::describe(op);
  site.name = text.name;
  const auto fired = decide(site);
  if (!fired.rule) return late(standing_delay(links));
  switch (fired.rule->kind) {
    case FaultKind::slow:
      return late(standing_delay(links) + fired.rule->delay_ns);
    case FaultKind::link_slow:
      strike_link(*fired.rule, site, links, fired.number);
      return late(standing_delay(links));
    case FaultKind::stuck:
      return held(stream, op, fired.number);
    case FaultKind::link_down:
      strike_link(*fired.rule, site, links, fired.number);
      break;
    case FaultKind::ecc:
      break_memory(stream.device(), op, fired.number);
      break;
    case FaultKind::device_lost:
      lose(stream.device(), fired.number);
      break;
    case FaultKind::process_dies:
      end_process(fired.number);
    // The lane still serves the functions that it already has.
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
  if (op.kind == OpKind::wait) fault.stall_ns = op.wait.timeout_ns;
  if (op.kind == OpKind::word_wait) fault.stall_ns = op.word_wait.timeout_ns;
  if (op.kind == OpKind::kernel) {
    fault.failure.error = sim::Error::kernel_timeout;
    fault.stall_ns = stream.driver().kernel_limit_ns();
  }
  return fault;
}

sim::Failure FaultInjector::standing_failure(const sim::Op& op,
                                             const std::vector<sim::DevicePair>& links) const {
  if (!links.empty() && any_link_.load(std::memory_order_acquire)) {
    const sim::LockGuard guard(mutex_);
    for (const sim::DevicePair& link : links) {
      const auto struck = links_.find(link);
      if (struck != links_.end() && struck->second.down != 0)
        return failure_of(struck->second.down);
    }
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

sim::Nanoseconds FaultInjector::standing_delay(const std::vector<sim::DevicePair>& links) const {
  sim::Nanoseconds longest = 0;
  if (links.empty() || !any_link_.load(std::memory_order_acquire)) return longest;
  const sim::LockGuard guard(mutex_);
  for (const sim::DevicePair& link : links) {
    const auto struck = links_.find(link);
    if (struck == links_.end() || struck->second.slow == 0) continue;
    longest = std::max(longest, plan_.rule(struck->second.slow - 1U).delay_ns);
  }
  return longest;
}

void FaultInjector::strike_link(const sim::FaultRule& rule, const sim::FaultSite& site,
                                const std::vector<sim::DevicePair>& links, std::uint16_t number) {
  const auto at = sim::struck_link(rule, site);
  if (!at) return;
  const sim::LockGuard guard(mutex_);
  StruckLink& link = links_[links[*at]];
  (rule.kind == FaultKind::link_slow ? link.slow : link.down) = number;
  any_link_.store(true, std::memory_order_release);
}

// Breaks the device's own memory if the task touches any, else another device's.
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
