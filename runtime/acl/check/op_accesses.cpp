// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/op_accesses.h"

#include <algorithm>

#include "device_sim/streams/program.h"
#include "device_sim/streams/task.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/graph/condition.h"
#include "runtime/acl/graph/model.h"
#include "runtime/acl/kernel/kernel_launch.h"
#include "runtime/acl/memory/value_word.h"

namespace acl {
namespace {

// In place: an access that is made and copied at once is read back before it is stored.
order::Access& append(std::vector<order::Access>& accesses, const void* begin, std::size_t size,
                      bool write, bool host) {
  order::Access& made = accesses.emplace_back();
  made.begin = reinterpret_cast<std::uintptr_t>(begin);
  made.size = size;
  made.write = write;
  made.host = host;
  return made;
}

bool on_host(const sim::Memory& memory, const void* address) {
  const auto found = memory.find(address);
  return !found || found->device == sim::kHostDevice;
}

// Words that are addresses of device memory; anything else among the arguments is no pointer.
void append_guesses(const sim::Memory& memory, const void* args, std::size_t size,
                    std::vector<order::Access>& accesses) {
  any_address(memory, {static_cast<const unsigned char*>(args), size}, [&](const void* address) {
    const auto found = memory.find(address);
    if (!found) return false;
    const order::Access whole{found->begin, found->size, true, found->device == sim::kHostDevice};
    const auto same = [&](const order::Access& a) { return a.begin == whole.begin; };
    if (std::none_of(accesses.begin(), accesses.end(), same)) accesses.push_back(whole);
    return false;
  });
}

// The kernel reads the block itself too.
void append_device_args(sim::Memory& memory, const Launch& launch, const Settled& settled,
                        std::vector<order::Access>& accesses) {
  const void* const args = launch.args();
  const std::size_t size = launch.args_size();
  if (size == 0) return;
  append(accesses, args, size, false, on_host(memory, args));
  if (!settled(args, size)) return;
  append_guesses(memory, memory.engine(args), size, accesses);
}

bool append_kernel(sim::Memory& memory, const sim::Op& op, const Settled& settled,
                   std::vector<order::Access>& accesses) {
  if (!declares_nothing(op)) {
    const sim::KernelBlob& blob = *op.kernel.blob;
    for (std::uint32_t i = 0; i < blob.range_count; ++i) {
      const sim::MemoryRange& range = blob.ranges()[i];
      append(accesses, range.begin, range.size, range.written, on_host(memory, range.begin));
    }
    return true;
  }
  const std::size_t known = accesses.size();
  if (const Launch* const launch = Launch::of(op)) {
    if (launch->args_on_device()) {
      append_device_args(memory, *launch, settled, accesses);
    } else {
      append_guesses(memory, launch->args(), launch->args_size(), accesses);
    }
  } else {
    append_guesses(memory, op.kernel_args().data(), op.kernel_args().size(), accesses);
  }
  return accesses.size() == known;
}

// Memory that an operation works on in place is read too. A write covers that.
void append_control(const sim::Memory& memory, const sim::Control& control,
                    std::vector<order::Access>& accesses) {
  if (const auto* const task = dynamic_cast<const ConditionalTask*>(&control)) {
    append(accesses, task->condition().address(), Condition::kBytes, false, false);
  }
  std::vector<sim::MemoryRange> ranges;
  control.append_ranges(ranges);
  for (const sim::MemoryRange& range : ranges) {
    append(accesses, range.begin, range.size, range.written, on_host(memory, range.begin));
  }
}

void append_task(const sim::Memory& memory, const sim::Op& op,
                 std::vector<order::Access>& accesses) {
  std::vector<sim::MemoryRange> ranges;
  op.task.task->append_ranges(ranges);
  for (const sim::MemoryRange& range : ranges) {
    order::Access& made =
        append(accesses, range.begin, range.size, range.written, on_host(memory, range.begin));
    if (range.merge == 0) continue;
    made.kind = order::AccessKind::reduction;
    made.reduction = range.merge;
  }
  if (dynamic_cast<const ValueWrite*>(op.task.task))
    accesses.back().kind = order::AccessKind::atomic;
}

}  // namespace

bool touches_nothing(const sim::Memory& memory, const sim::Op& op) noexcept {
  return declares_nothing(op) && !Launch::of(op) && !is_observed(op) &&
         !any_address(memory, op.kernel_args(), [](const void*) { return true; });
}

const char* name_of_call(const Stream& stream, const sim::Op& op) {
  const sim::HostLane* const lane = op.host_call.lane;
  const HostCalls* const calls = stream.host_calls_if_any();
  if (!calls) return kHostFunction.data();
  calls->mutex.assert_held();  // by the call that enqueues the op
  if (lane == calls->report.lane.get()) return kCallback.data();
  return (lane == calls->host_func.lane.get() ? kSubscribedFunction : kHostFunction).data();
}

const char* name_in_reports(const sim::Op& op) noexcept {
  switch (op.kind) {
    case sim::OpKind::kernel:
      return op.kernel.name;
    case sim::OpKind::task:
      return op.task.task->name();
    case sim::OpKind::word_wait:
      return op.word_wait.name;
    case sim::OpKind::word_change:
      return op.word_change.name;
    case sim::OpKind::control:
      return op.control.control->name();
    default:
      return sim::name(op.kind);
  }
}

bool append_accesses(sim::Memory& memory, const sim::Op& op, const Settled& settled,
                     std::vector<order::Access>& accesses) {
  switch (op.kind) {
    case sim::OpKind::copy: {
      const auto both = accesses_of(op.copy);
      accesses.insert(accesses.end(), both.begin(), both.end());
      return true;
    }
    case sim::OpKind::fill:
      accesses.push_back(access_of(op.fill));
      return true;
    case sim::OpKind::kernel:
      return append_kernel(memory, op, settled, accesses);
    case sim::OpKind::task:
      append_task(memory, op, accesses);
      return true;
    case sim::OpKind::control:
      append_control(memory, *op.control.control, accesses);
      return true;
    default:
      return true;
  }
}

bool append_accesses(sim::Memory& memory, Model& model, const Settled& settled,
                     std::vector<order::Access>& accesses) {
  bool declared = true;
  for (const auto& branch : model.branches()) {
    for (const Node& node : branch->nodes) {
      const sim::Op& op = *node.op;
      if (node.disabled || op.completion_id == sim::Op::kUnreported) continue;
      if (op.kind == sim::OpKind::fill) [[likely]] {
        append(accesses, op.fill.dst, op.fill.size, true, op.fill.device == sim::kHostDevice);
      } else {
        declared = append_accesses(memory, op, settled, accesses) && declared;
      }
    }
  }
  for (const auto& inner : model.inner_models()) {
    declared = append_accesses(memory, *inner, settled, accesses) && declared;
  }
  return declared;
}

}  // namespace acl
