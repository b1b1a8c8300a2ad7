// SPDX-License-Identifier: Apache-2.0
// Kernels that say what they accessed when they are over.
#include <algorithm>
#include <utility>
#include <vector>

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

// What it wrote itself it may have written first.
void Checker::require_written_reads(const order::OpInfo& what,
                                    std::span<const order::Access> accessed) {
  for (const order::Access& read : accessed) {
    const auto writes_there = [&](const order::Access& one) {
      return one.write && one.begin < read.begin + read.size && read.begin < one.begin + one.size;
    };
    if (read.write || std::any_of(accessed.begin(), accessed.end(), writes_there)) continue;
    if (!require_written(reinterpret_cast<const void*>(read.begin), read.size, what)) return;
  }
}

// It may have written by pointers as well, of which nothing is told: into each allocation that it
// was given. One that was given none, or that found others than those in memory, may have written
// anywhere.
void Checker::may_have_used_pointers(const sim::Op& op, std::span<const order::Access> accessed) {
  std::vector<std::uintptr_t> given;
  any_given(runtime_.memory(), op, [&](const void* at) {
    if (const auto found = runtime_.memory().find(at)) given.push_back(found->begin);
    return false;
  });
  const auto was_given = [&](const order::Access& access) {
    const auto found = runtime_.memory().find(reinterpret_cast<const void*>(access.begin));
    return !found || std::find(given.begin(), given.end(), found->begin) != given.end();
  };
  if (given.empty() || !std::all_of(accessed.begin(), accessed.end(), was_given))
    unknown_writers_ = true;
  given_.insert(given.begin(), given.end());
}

// One that moved nothing by tensors or copies stays a guess.
void Checker::observed_kernel_ended(const sim::Stream& stream, const sim::Op& op) {
  const std::vector<order::Access> accessed = take_accessed(stream, op);
  order::OpInfo what = engine_.op_info_of(op.completion_id);
  if (!accessed.empty()) require_written_reads(what, accessed);
  may_have_used_pointers(op, accessed);
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
