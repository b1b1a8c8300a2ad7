// SPDX-License-Identifier: Apache-2.0
// Kernels that say what they accessed when they are over.
#include <utility>

#include "device_sim/streams/stream.h"
#include "runtime/acl/check/checker.h"
#include "runtime/acl/check/op_accesses.h"
#include "runtime/acl/core/runtime.h"

namespace acl {

// Its guesses count until it is over.
void Checker::submit_observed(sim::Op& op, order::Actor to, const order::OpInfo& what) {
  host_buffers_.forget_written(accesses_);
  note_issue(to);
  check_blocks(what, accesses_);
  op.completion_id = engine_.kernel(to, host(), what, accesses_);
  bar_hosts(to, what, accesses_);
}

void Checker::kernel_accessed(std::uint32_t stream_id, std::uint32_t task_id,
                              std::span<const sim::MemoryRange> ranges) {
  CheckThread::Accessed& by = check_thread().accessed;
  by.stream = stream_id;
  by.task = task_id;
  by.accesses.clear();
  for (const sim::MemoryRange& range : ranges) {
    order::Access& made = by.accesses.emplace_back();
    made.begin = reinterpret_cast<std::uintptr_t>(range.begin);
    made.size = range.size;
    made.write = range.written;
    if (range.merge != 0) made.kind = order::AccessKind::reduction;
    if (range.merge != sim::kAnyMerge) made.reduction = range.merge;
    const auto found = runtime_.memory().find(range.begin);
    made.host = !found || found->device == sim::kHostDevice;
  }
}

std::vector<order::Access> Checker::take_accessed(const sim::Stream& stream, const sim::Op& op) {
  CheckThread::Accessed& by = check_thread().accessed;
  if (by.stream != stream.id() || by.task != op.task_id) return {};
  return std::exchange(by.accesses, {});
}

// One that moved nothing by tensors or copies may have used pointers: it stays a guess.
void Checker::observed_kernel_ended(const sim::Stream& stream, const sim::Op& op) {
  const std::vector<order::Access> accessed = take_accessed(stream, op);
  order::OpInfo what = engine_.op_info_of(op.completion_id);
  if (accessed.empty()) {
    if (kernels_.launched(op.kernel.name, what.site, false)) tell_undeclared(what);
    return;
  }
  host_buffers_.forget_written(accessed);
  engine_.accessed(op.completion_id, accessed);
  what.declared = what.observed = true;
  if (guarded_reads_) [[unlikely]]
    guarded_reads_->add(accessed, engine_.moment_of(op.completion_id), what);
}

}  // namespace acl
