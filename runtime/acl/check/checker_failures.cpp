// SPDX-License-Identifier: Apache-2.0
// Calls and tasks that fail, and what the program makes of it.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "device_sim/streams/stream.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/check/checker.h"
#include "runtime/acl/check/op_accesses.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/watch/loss.h"
#include "runtime/acl/watch/registry.h"
#include "runtime/acl/watch/stacks.h"

namespace acl {
namespace {

constexpr const char* kUnanswered =
    "; the program neither asked for the error nor repeated the call with success";

}  // namespace

void Checker::call_failed(std::int32_t code, const char* text) {
  CheckThread& thread = check_thread();
  thread.next_kernel.clear();
  const bool told = std::exchange(thread.told_at, 0) == call_site_of(thread_state());
  if (std::exchange(thread.told_of_handle, false)) return;
  if (const auto rule = rule_of_code(code)) {
    tell(*rule, fmt::format("{} (error {})", text, code));
    thread.told_at = 0;
    return;
  }
  // The program made another call, and sees that one's result.
  if (told || thread_state().in_library_call) return;
  keep_failed_call(code, text);
}

// What failed inside of it may have told the same already.
void Checker::library_call_failed(std::int32_t code, const char* text) {
  CheckThread& thread = check_thread();
  const ThreadState& state = thread_state();
  thread.next_kernel.clear();
  thread.told_of_handle = false;
  if (std::exchange(thread.told_at, 0) == call_site_of(state)) return;
  {
    const Entry guard(*this);
    if (failed_calls_.holds(state.thread_id, state.call, call_site_of(state))) return;
  }
  keep_failed_call(code, text);
}

void Checker::handle_ended(const void* handle) {
  const ThreadState& thread = thread_state();
  if (*thread.call == 0) return;  // a thread of the machine
  ended_handles_.add(handle, thread.call, call_site_of(thread), thread.thread_id);
}

void Checker::no_object_found(const void* handle) {
  const std::optional<order::OpInfo> by = ended_handles_.find(handle);
  if (!by) return;
  order::Finding finding(order::Rule::dead_handle);
  finding.op_info = op_info(nullptr);
  finding.other = *by;
  const bool again = std::string_view(finding.op_info.what) == by->what;
  finding.title = again ? "double destroy" : "use after destroy";
  finding.text =
      fmt::format("{{it}} is given {} that {{other}} destroyed before", noun_of_handle(handle));
  finding.repair = again ? "destroy the object once: remove {it} here, or {other}"
                         : "move {other} after the last call that is given the object";
  const Entry guard(*this);
  add(std::move(finding));
  check_thread().told_of_handle = true;
}

void Checker::keep_failed_call(std::int32_t code, const char* text) {
  const order::OpInfo call = op_info(nullptr);
  const Loss loss = loss_of(call.what, code);
  if (loss == Loss::nothing) return;
  const Entry guard(*this);
  failed_calls_.failed({.call = call,
                        .code = code,
                        .text = text,
                        .loses_work = loss == Loss::work,
                        .when = findings_.now()});
  check_thread().failures = true;
  watch::tell_call_begins();
}

// A launch in a helper shows only the helper.
void Checker::take_stack() const {
  ThreadState& thread = thread_state();
  if (thread.given_site != 0 || thread.in_library_call) return;
  const std::uint64_t site = stack_site(frames_of_program(config_.stack));
  if (site != 0) thread.call_site = reinterpret_cast<const void*>(site);
}

void Checker::call_begins() {
  CheckThread& thread = check_thread();
  if (config_.stack > 1) [[unlikely]]
    take_stack();
  if (!thread.failures) return;
  const Entry guard(*this);
  const ThreadState& state = thread_state();
  failed_calls_.begins(state.thread_id, state.call, call_site_of(state));
}

void Checker::errors_read() {
  if (!check_thread().failures) return;
  const Entry guard(*this);
  failed_calls_.asked(thread_state().thread_id);
}

void Checker::tell_failed_calls() {
  for (FailedCalls::Row& row : failed_calls_.take()) {
    const bool unanswered = row.loses_work && !row.answered;
    order::Finding finding(order::Rule::failed_call);
    if (!unanswered) finding.level = order::Level::note;
    finding.op_info = row.call;
    finding.when = row.when;
    finding.text = fmt::format("{{it}} failed with {}: {}{}", row.code, row.text,
                               unanswered ? kUnanswered : "");
    add(std::move(finding), row.times);
  }
}

void Checker::keep_failure(const sim::Stream& stream, const sim::Op& op) {
  constexpr std::size_t kMost = 64;
  const bool known = std::any_of(failures_.begin(), failures_.end(), [&](const Failure& failure) {
    return failure.op_info.stream == stream.id();
  });
  if (known || failures_.size() >= kMost) return;
  Failure& failure = failures_.emplace_back();
  const Template* const from = template_of(op.completion_id);
  if (op.completion_id != 0 && op.completion_id != sim::Op::kUnreported) {
    failure.op_info = from ? from->op_info : engine_.op_info_of(op.completion_id);
  }
  if (!*failure.op_info.what) failure.op_info.what = name_in_reports(op);
  failure.op_info.stream = stream.id();
  failure.op_info.number = op.task_id;
  failure.op_info.device = static_cast<std::int16_t>(runtime_.logical(stream.device()));
  failure.of_all = stream.stops_on_failure() ||
                   runtime_.device_block(stream.device()).load(std::memory_order_acquire);
}

// What comes after a failure in its stream did not run as it was meant to.
void Checker::name_failure(order::Finding& finding) {
  const bool about_order = finding.rule == order::Rule::race ||
                           finding.rule == order::Rule::host_buffer ||
                           finding.rule == order::Rule::freed_in_use;
  // What failed may have been to write the bytes.
  if (finding.rule == order::Rule::unwritten_read && !failures_.empty()) {
    finding.failed = failures_.front().op_info;
  }
  if (!about_order) return;
  for (const order::OpInfo* const op :
       {&finding.op_info, finding.other ? &*finding.other : nullptr}) {
    if (!op || op->stream == order::OpInfo::kNoStream || op->device < 0) continue;
    const int device = runtime_.physical(op->device);
    if (!runtime_.device_block(device).load(std::memory_order_acquire)) continue;
    finding.failed.emplace().what = "the device";
    return;
  }
  const auto after = [](const order::OpInfo& op, const Failure& failure) {
    if (op.stream == order::OpInfo::kNoStream) return false;
    if (op.stream == failure.op_info.stream) return op.number > failure.op_info.number;
    return failure.of_all && op.device == failure.op_info.device;
  };
  for (const Failure& failure : failures_) {
    if (!after(finding.op_info, failure) && !(finding.other && after(*finding.other, failure))) {
      continue;
    }
    finding.failed = failure.op_info;
    return;
  }
}

// The first failure of a stream is the one that a synchronise reports.
void Checker::task_failed(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                          bool program_told) {
  if (failure.error != sim::Error::aborted) {
    const Entry guard(*this);
    keep_failure(stream, op);
  }
  const bool covered = failure.error == sim::Error::aborted ||
                       failure.error == sim::Error::wait_timeout ||
                       op.kind == sim::OpKind::host_call;
  if (covered) return;
  const Entry guard(*this);
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

// Whoever synchronises takes the failure away. A call that failed with its code has reported it.
void Checker::tell_failed_task(std::uint32_t stream) {
  const auto at = failed_tasks_.find(stream);
  if (at == failed_tasks_.end()) return;
  const FailedTask task = std::move(at->second);
  failed_tasks_.erase(at);
  if (failed_calls_.met(task.code)) return;
  order::Finding finding(order::Rule::failed_call);
  if (task.program_told) finding.level = order::Level::note;
  finding.title = "failed task";
  finding.op_info = task.op_info;
  finding.when = task.when;
  finding.text = fmt::format("{{it}} failed with {}: {}; no synchronise call reports it", task.code,
                             task.text);
  finding.repair = "synchronise with the stream, and check what that returns";
  add(std::move(finding));
}

}  // namespace acl
