// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/failures.h"

#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <utility>

#include "device_sim/streams/stream.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/check/op_accesses.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/findings/findings.h"
#include "runtime/acl/watch/loss.h"
#include "runtime/acl/watch/registry.h"
#include "runtime/acl/watch/stacks.h"
#include "runtime/order/engine/sentences.h"

namespace acl {
// The site of a call in a helper shows only the helper, so the callers of the helper are added.
void Failures::take_stack() const {
  ThreadState& thread = thread_state();
  if (thread.given_site != 0 || thread.in_library_call) return;
  const std::uint64_t site = stack_site(frames_of_program(config_.stack));
  if (site == 0) return;
  thread.call_site = reinterpret_cast<const void*>(site);
  thread.call_frame = nullptr;
}

void Failures::call_begins() {
  CheckThread& thread = check_thread();
  if (config_.stack > 1) [[unlikely]]
    take_stack();
  if (!thread.failures) return;
  const CheckLock::Entry guard(lock_);
  ThreadState& state = thread_state();
  failed_calls_.begins(state.thread_id, state.call, chain_of_call(state));
}

void Failures::call_failed(std::int32_t code, const char* text) {
  CheckThread& thread = check_thread();
  thread.next_kernel.clear();
  const bool told = std::exchange(thread.told_at, 0) == call_site_of(thread_state());
  if (std::exchange(thread.told_of_handle, false)) return;
  if (const auto rule = rule_of_code(code)) {
    reporter_.report(*rule, order::sentences::failed_by_rule(text, code));
    thread.told_at = 0;
    return;
  }
  // The program made another call, and sees the result of that call.
  if (told || thread_state().in_library_call) return;
  keep_call(code, text);
}

// A call inside of the library may have reported the same failure already.
void Failures::library_call_failed(std::int32_t code, const char* text) {
  CheckThread& thread = check_thread();
  const ThreadState& state = thread_state();
  thread.next_kernel.clear();
  thread.told_of_handle = false;
  if (std::exchange(thread.told_at, 0) == call_site_of(state)) return;
  {
    const CheckLock::Entry guard(lock_);
    if (failed_calls_.holds(state.thread_id, state.call, call_site_of(state))) return;
  }
  keep_call(code, text);
}

void Failures::keep_call(std::int32_t code, const char* text) {
  const order::OpInfo call = op_info_of_call();
  const order::Loss loss = loss_of(call.what, code);
  if (loss == order::Loss::nothing) return;
  const CheckLock::Entry guard(lock_);
  failed_calls_.failed(
      {.call = call, .code = code, .text = text, .loss = loss, .when = findings_.now()});
  check_thread().failures = true;
  watch::tell_call_begins();
}

void Failures::errors_read() {
  if (!check_thread().failures) return;
  const CheckLock::Entry guard(lock_);
  failed_calls_.asked(thread_state().thread_id);
}

void Failures::handle_ended(const void* handle) {
  const ThreadState& thread = thread_state();
  if (*thread.call == 0) return;  // a thread of the machine
  ended_handles_.add(handle, thread.call, call_site_of(thread), thread.thread_id);
}

void Failures::no_object_found(const void* handle) {
  const std::optional<order::OpInfo> by = ended_handles_.find(handle);
  if (!by) return;
  order::Finding finding(order::Rule::dead_handle);
  finding.op_info = op_info_of_call();
  finding.other = *by;
  const bool again = std::string_view(finding.op_info.what) == by->what;
  finding.title = order::sentences::ended_title(again);
  finding.text = order::sentences::given_ended(noun_of_handle(handle));
  finding.repair = order::sentences::ended_repair(again);
  const CheckLock::Entry guard(lock_);
  reporter_.add(std::move(finding));
  check_thread().told_of_handle = true;
}

void Failures::report_calls() {
  for (FailedCalls::Row& row : failed_calls_.take()) {
    const bool unanswered = order::loses_work(row.loss) && !row.answered;
    order::Finding finding(order::Rule::failed_call);
    if (!unanswered) finding.level = order::Level::note;
    finding.op_info = row.call;
    finding.when = row.when;
    finding.text = order::sentences::failed_call(row.code, row.text, !unanswered);
    reporter_.add(std::move(finding), row.times);
  }
}

// ---- tasks ----

order::OpInfo Failures::op_info_of(const sim::Stream& stream, const sim::Op& op) {
  order::OpInfo what;
  if (op.completion_id != 0 && op.completion_id != sim::Op::kUnreported) {
    const GraphOps::Captured* const from = graph_ops_.find(op.completion_id);
    what = from ? from->op_info : engine_.op_info_of(op.completion_id);
  }
  if (!*what.what) what.what = name_in_reports(op);
  what.stream = stream.id();
  what.number = op.task_id;
  what.device = static_cast<std::int16_t>(runtime_.logical(stream.device()));
  return what;
}

// The first failure of a stream is the one that a synchronise reports.
void Failures::task_failed(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                           bool program_told) {
  if (failure.error != sim::Error::aborted) {
    const CheckLock::Entry guard(lock_);
    failed_ops_.add(stream, op_info_of(stream, op));
  }
  const bool covered = failure.error == sim::Error::aborted ||
                       failure.error == sim::Error::wait_timeout ||
                       op.kind == sim::OpKind::host_call;
  if (covered) return;
  const CheckLock::Entry guard(lock_);
  FailedTask& task = failed_tasks_[stream.id()];
  if (task.code != 0) return;
  task.code = code_of(failure);
  task.text = text_of(failure);
  task.program_told = program_told;
  task.when = findings_.now();
  task.op_info.what = name_in_reports(op);
  task.op_info.stream = stream.id();
  task.op_info.thread = op.thread_id;
  task.op_info.device = static_cast<std::int16_t>(runtime_.logical(stream.device()));
  if (op.kind == sim::OpKind::kernel) task.op_info.site = kernels_.site_of(op.kernel.name);
}

// A thread that synchronises takes the failure away. A call that failed with the same code has
// reported it.
void Failures::report_task(std::uint32_t stream) {
  const auto at = failed_tasks_.find(stream);
  if (at == failed_tasks_.end()) return;
  const FailedTask task = std::move(at->second);
  failed_tasks_.erase(at);
  if (failed_calls_.met(task.code)) return;
  order::Finding finding(order::Rule::failed_call);
  if (task.program_told) finding.level = order::Level::note;
  finding.title = order::sentences::kFailedTaskTitle;
  finding.op_info = task.op_info;
  finding.when = task.when;
  finding.text = order::sentences::failed_task(task.code, task.text);
  finding.repair = order::sentences::kFailedTaskRepair;
  reporter_.add(std::move(finding));
}

void Failures::clear() {
  failed_calls_ = {};
  failed_tasks_.clear();
  failed_ops_.clear();
}

}  // namespace acl
