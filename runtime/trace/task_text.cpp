// SPDX-License-Identifier: Apache-2.0
#include "runtime/trace/task_text.h"

#include "device_sim/streams/program.h"
#include "device_sim/streams/signal.h"
#include "device_sim/streams/task.h"

namespace acl::trace_output {
namespace {

using sim::OpKind;

struct KindText {
  const char* name;
  const char* type;
};

KindText text_of(OpKind kind) {
  switch (kind) {
    case OpKind::copy:
      return {"MEMCPY_ASYNC", "MEMCPY_ASYNC"};
    case OpKind::fill:
      return {"MEMSET_ASYNC", "MEMSET_ASYNC"};
    case OpKind::kernel:
      return {"kernel", "KERNEL_AIVEC"};
    case OpKind::host_call:
      return {"HOSTFUNC_CALLBACK", "HOSTFUNC_CALLBACK"};
    case OpKind::record:
      return {"EVENT_RECORD", "EVENT_RECORD_SQE"};
    case OpKind::wait:
      return {"EVENT_WAIT", "EVENT_WAIT_SQE"};
    case OpKind::reset:
      return {"EVENT_RESET", "EVENT_RESET_SQE"};
    case OpKind::task:
    case OpKind::control:
      return {"TASK", "TASK"};
    case OpKind::word_wait:
      return {"NOTIFY_WAIT", "NOTIFY_WAIT_SQE"};
    case OpKind::word_change:
      return {"NOTIFY_RECORD", "NOTIFY_RECORD_SQE"};
  }
  return {"task", "UNKNOWN"};
}

const char* copy_kind(const sim::CopyOp& copy) {
  const bool from_host = copy.src_device < 0;
  const bool to_host = copy.dst_device < 0;
  if (from_host) return to_host ? "h2h" : "h2d";
  if (to_host) return "d2h";
  return copy.src_device == copy.dst_device ? "d2d" : "p2p";
}

}  // namespace

TaskText describe(const sim::Op& op) {
  const KindText kind = text_of(op.kind);
  TaskText text{
      .name = kind.name, .type = kind.type, .task_id = op.task_id, .thread_id = op.thread_id};
  switch (op.kind) {
    case OpKind::copy:
      text.copy_kind = copy_kind(op.copy);
      text.bytes = op.copy.size;
      break;
    case OpKind::fill:
      text.bytes = op.fill.size;
      break;
    case OpKind::kernel:
      if (op.kernel.name) text.name = op.kernel.name;
      if (const auto* const subject = sim::subject_of(op)) text.details = subject->details();
      break;
    case OpKind::record:
      text.signal = op.record.signal->id();
      break;
    case OpKind::wait:
      text.signal = op.wait.signal->id();
      break;
    case OpKind::reset:
      text.signal = op.reset.signal->id();
      break;
    case OpKind::task:
      text.name = op.task.task->name();
      text.type = op.task.task->type();
      text.bytes = op.task.task->bytes();
      break;
    case OpKind::word_wait:
      text.name = op.word_wait.name;
      break;
    case OpKind::word_change:
      text.name = op.word_change.name;
      break;
    case OpKind::control:
      if (sim::only_leads(op)) break;
      text.name = op.control.control->name();
      text.type = op.control.control->type();
      text.bytes = op.control.control->bytes();
      break;
    case OpKind::host_call:
      break;
  }
  return text;
}

bool is_work(const sim::Op& op) {
  switch (op.kind) {
    case OpKind::copy:
    case OpKind::fill:
    case OpKind::kernel:
    case OpKind::host_call:
    case OpKind::task:
      return true;
    case OpKind::control:
      return !sim::only_leads(op);
    default:
      return false;
  }
}

}  // namespace acl::trace_output
