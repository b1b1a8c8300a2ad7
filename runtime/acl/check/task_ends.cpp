// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/task_ends.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "device_sim/streams/stream.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/check/op_accesses.h"
#include "runtime/acl/check/read_checks.h"
#include "runtime/acl/check/stream_lives.h"
#include "runtime/acl/core/runtime.h"

namespace acl {

/// An operation between ranks has reached its own limit, such as HCCL_EXEC_TIMEOUT.
static bool is_limit_of_ranks(const sim::Op& op, sim::Failure failure) {
  return op.kind == sim::OpKind::control && failure.error == sim::Error::operation_failed &&
         code_of(failure) == ACL_ERROR_RT_WAIT_TIMEOUT;
}

void TaskEnds::ended(sim::Stream& stream, const sim::Op& op, sim::Failure failure) {
  const bool in_graph = stream.in_program() || GraphOps::is_in_graph(op.completion_id);
  // The end of a function is reported by `function_ended`.
  if (op.kind == sim::OpKind::host_call && !failure && !in_graph) return;
  const CheckLock::Entry guard(lock_);
  if (stream.in_program()) {
    graph_runs_.reported(stream, failure);
    if (!failure) return graph_runs_.ran(stream, op);
  }
  if (failure.error == sim::Error::wait_timeout) report_timeout(op);
  if (is_limit_of_ranks(op, failure)) report_limit_of_ranks(stream, op, failure);
  if (!stream.in_program() && !GraphOps::is_in_graph(op.completion_id)) {
    group_.op_ended(stream, op, failure);
    rank_operations_.completed(op, failure);
    if (is_observed(op)) observed_kernel_ended(stream, op);
    if (failure.error == sim::Error::aborted) {
      engine_.dropped(op.completion_id, streams_.was_expected(stream));
    } else {
      engine_.happened(op.completion_id, failure.error != sim::Error::none);
    }
  }
}

void TaskEnds::report_timeout(const sim::Op& op) {
  order::Finding finding(order::Rule::wait_timed_out);
  const GraphOps::Captured* const from = graph_ops_.find(op.completion_id);
  finding.op_info = from ? from->op_info : engine_.op_info_of(op.completion_id);
  finding.text = "{it} timed out; it orders nothing before the operations that follow";
  reporter_.add(std::move(finding));
}

// The text names the ranks, their calls and the places.
void TaskEnds::report_limit_of_ranks(const sim::Stream& stream, const sim::Op& op,
                                     sim::Failure failure) {
  order::Finding finding(order::Rule::wait_timed_out);
  finding.level = order::Level::warning;
  finding.op_info =
      stream.in_program() ? graph_ops_.op_info(stream, op) : engine_.op_info_of(op.completion_id);
  finding.text = fmt::format("{{it}} timed out: {}", text_of(failure));
  finding.repair =
      "call the operation that the other rank misses, in the same order on every rank; or set "
      "HCCL_EXEC_TIMEOUT to more seconds if a rank is only late";
  reporter_.add(std::move(finding));
}

// A kernel that reported no accesses (no tensors, no copies) keeps its guesses.
void TaskEnds::observed_kernel_ended(const sim::Stream& stream, const sim::Op& op) {
  const std::vector<order::Access> accessed = take_accessed(stream, op);
  order::OpInfo what = engine_.op_info_of(op.completion_id);
  if (!accessed.empty()) read_checks_.check_kernel(what, accessed);
  unknown_writers_.add_kernel(op, accessed);
  if (accessed.empty()) {
    if (kernels_.launched(op.kernel.name, what.site, false)) reporter_.report_undeclared(what);
    return;
  }
  host_memory_.buffers().forget_written(accessed);
  engine_.accessed(op.completion_id, accessed);
  what.declared = what.observed = true;
  host_memory_.bar_hosts_at(engine_.moment_of(op.completion_id), accessed);
}

void TaskEnds::kernel_accessed(std::uint32_t stream_id, std::uint32_t task_id,
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

std::vector<order::Access> take_accessed(const sim::Stream& stream, const sim::Op& op) {
  CheckThread::Accessed& by = check_thread().accessed;
  if (by.stream != stream.id() || by.task != op.task_id) return {};
  return std::exchange(by.accesses, {});
}

}  // namespace acl
