// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/process/machine_hooks.h"

#include "runtime/acl/base/error.h"
#include "runtime/acl/base/log.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/task_notes.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/device/device_faults.h"
#include "runtime/acl/faults/fault_injector.h"
#include "runtime/acl/kernel/exception_info.h"
#include "runtime/acl/kernel/kernel_launch.h"
#include "runtime/acl/memory/host_access.h"
#include "runtime/acl/process/decision_places.h"
#include "runtime/acl/process/surroundings.h"
#include "runtime/acl/touches/touch_signal.h"
#include "runtime/acl/watch/registry.h"

namespace acl {
namespace {

bool op_failed(void* self, sim::Stream& stream, const sim::Op& op, sim::Failure failure,
               sim::HostLane*& lane, sim::HostLane::Item& item) {
  Runtime& runtime = *static_cast<Runtime*>(self);
  if (failure.error == sim::Error::kernel_failed || failure.error == sim::Error::kernel_timeout) {
    runtime.section<DeviceFaults>().note(stream.device(), code_of(failure));
  }
  if (const auto note = runtime.section<TaskNotes>().find(stream.id(), op.task_id)) {
    log(ACL_ERROR,
        fmt::format("task {} of stream {} failed: {}; noted: {} ({} bytes of operator information)",
                    op.task_id, stream.id(), text_of(failure), note->text, note->op_info.size()));
  }
  aclrtExceptionInfo info{op.task_id,
                          stream.id(),
                          op.thread_id,
                          static_cast<std::uint32_t>(runtime.logical(stream.device())),
                          static_cast<std::uint32_t>(code_of(failure)),
                          sim::Ref<const Launch>::share(Launch::of(op)),
                          {}};
  if (op.kind == sim::OpKind::kernel && !info.launch) {
    const std::span<const unsigned char> args = op.kernel_args();
    info.args.assign(args.begin(), args.end());
  }
  const bool program_told = runtime.section<ExceptionCallbacks>().prepare(info, lane, item);
  if (auto* const listener = watch::listener()) {
    listener->task_failed(stream, op, failure, program_told);
  }
  return program_told;
}

sim::OpFault op_begins(void*, sim::Stream& stream, const sim::Op& op) {
  return fault_injector()->op_begins(stream, op);
}

void diverged(void* self, const char* reason) {
  notice(fmt::format("from here on the seed alone no longer decides the schedule: {}", reason));
  mark_in_timeline("(the seed no longer decides)", static_cast<Runtime*>(self)->driver().now_ns());
}

void* enter_kernel(void* self, const sim::KernelRun&) {
  ThreadState& thread = thread_state();
  ++thread.kernel_depth;
  if (static_cast<Runtime*>(self)->memory().guarded()) kernel_enters();
  return &thread;
}

void leave_kernel(void* self, void* entered) {
  --static_cast<ThreadState*>(entered)->kernel_depth;
  Runtime& runtime = *static_cast<Runtime*>(self);
  if (runtime.memory().guarded()) kernel_leaves(runtime.memory());
}

// Notes the kernel that each thread runs, for the report of a crash.
void* enter_told_kernel(void* self, const sim::KernelRun& run) {
  if (static_cast<Runtime*>(self)->memory().bars_hosts()) install_touch_handler();
  auto* const thread = static_cast<ThreadState*>(enter_kernel(self, run));
  thread->kernel_run = &run;
  if (auto* const listener = watch::listener()) listener->kernel_begins(run);
  return thread;
}

void leave_told_kernel(void* self, void* entered) {
  static_cast<ThreadState*>(entered)->kernel_run = nullptr;
  leave_kernel(self, entered);
  if (auto* const listener = watch::listener()) listener->kernel_ended();
}

void completed(void*, sim::Stream& stream, const sim::Op& op, sim::Failure failure) {
  if (auto* const listener = watch::listener()) listener->task_ended(stream, op, failure);
}

void enter_call(void*, const sim::Stream& stream, std::uint32_t note) {
  if (auto* const listener = watch::listener()) listener->function_begins(stream, note);
}

void leave_call(void*, const sim::Stream& stream, std::uint32_t note) {
  if (auto* const listener = watch::listener()) listener->function_ended(stream, note);
}

}  // namespace

void set_machine_hooks(Runtime& runtime) {
  sim::DriverHooks hooks;
  hooks.self = &runtime;
  hooks.op_failed = op_failed;
  hooks.diverged = diverged;
  hooks.enter_kernel = enter_kernel;
  hooks.leave_kernel = leave_kernel;
  hooks.kernels_apart = runtime.memory().guarded() || runtime.memory().bars_hosts();
  if (fault_injector()) hooks.op_begins = op_begins;
  if (decision_places()) {
    hooks.place_of = [](void*, std::uint32_t stream, std::uint64_t number) {
      return decision_places()->of(stream, number);
    };
  }
  if (watch::wanted(watch::Interest::runs)) {
    hooks.enter_kernel = enter_told_kernel;
    hooks.leave_kernel = leave_told_kernel;
    hooks.enter_call = enter_call;
    hooks.leave_call = leave_call;
  }
  if (watch::wanted(watch::Interest::ends)) hooks.completed = completed;
  runtime.driver().set_hooks(hooks);
}

}  // namespace acl
