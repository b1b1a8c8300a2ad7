// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/graph/model_json.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include "device_sim/base/files.h"
#include "device_sim/base/mutex.h"
#include "device_sim/streams/program.h"
#include "device_sim/streams/task.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/notify.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/graph/model.h"
#include "runtime/trace/json_text.h"

namespace acl {
namespace {

const char* type_name(const Node& node) {
  if (node.params.type == ACL_MODEL_RI_TASK_VALUE_WRITE) return "MEM_WRITE_VALUE";
  if (node.params.type == ACL_MODEL_RI_TASK_VALUE_WAIT) return "MEM_WAIT_VALUE";
  switch (node.op->kind) {
    case sim::OpKind::kernel:
      return node.op->kernel.name;
    case sim::OpKind::copy:
      return "MEMCPY_ASYNC";
    case sim::OpKind::fill:
      return "MEMSET_ASYNC";
    case sim::OpKind::host_call:
      return "HOSTFUNC";
    case sim::OpKind::record:
      return "EVENT_RECORD";
    case sim::OpKind::wait:
      return "EVENT_WAIT";
    case sim::OpKind::reset:
      return "EVENT_RESET";
    case sim::OpKind::word_wait:
      return node.op->word_wait.name;
    case sim::OpKind::word_change:
      return node.op->word_change.name;
    case sim::OpKind::task:
      return node.op->task.task->name();
    case sim::OpKind::control:
      return node.op->control.control->name();
  }
  return "TASK";
}

/// The number of the notify that the word belongs to, and the count of one that counts.
std::string notify_suffix(Notifies& notifies, const sim::Word& word, std::uint64_t count) {
  std::string suffix;
  notifies.table().for_each([&](const NotifyTable::Pin& notify) {
    if (&notify->word() == &word) suffix = fmt::format("_{}", notify->id());
  });
  notifies.counters().for_each([&](const CntNotifyTable::Pin& notify) {
    if (&notify->word() == &word) suffix = fmt::format("_{}_{}", notify->id(), count);
  });
  return suffix;
}

/// The object that the task refers to: its event, its notify, or the address of its value.
std::string suffix_of(Notifies& notifies, const Node& node) {
  if (node.event_id != 0) return fmt::format("_{}", node.event_id);
  const sim::Op& op = *node.op;
  if (node.params.type == ACL_MODEL_RI_TASK_VALUE_WRITE ||
      node.params.type == ACL_MODEL_RI_TASK_VALUE_WAIT) {
    return fmt::format("_{}", node.params.valueWriteTaskParams.devAddr);
  }
  if (op.kind == sim::OpKind::word_wait) {
    return notify_suffix(notifies, *op.word_wait.word, op.word_wait.test.value);
  }
  if (op.kind == sim::OpKind::word_change) {
    return notify_suffix(notifies, *op.word_change.word, op.word_change.value);
  }
  return {};
}

std::string name_of(Notifies& notifies, const Node& node) {
  return node.disabled ? "NOP" : type_name(node) + suffix_of(notifies, node);
}

std::string kernel_args(const Node& node) {
  if (node.op->kind != sim::OpKind::kernel) return {};
  const sim::KernelOp& kernel = node.op->kernel;
  return fmt::format(R"(,"Task Type":"KERNEL","Num Blocks":{},"Args":"{:02x}")", kernel.blocks,
                     fmt::join(node.op->kernel_args(), ""));
}

}  // namespace

std::string model_json(Model& model, bool verbose) {
  auto& notifies = model.runtime().section<Notifies>();
  const sim::LockGuard guard(model.mutex());
  std::string text = "[";
  const char* separator = "\n";
  for (const auto& branch : model.branches()) {
    const std::uint32_t stream = branch->stream->id();
    for (std::size_t i = 0; i < branch->nodes.size(); ++i) {
      text += separator;
      text += R"({"name":")";
      trace_output::append_json_text(text, name_of(notifies, branch->nodes[i]));
      text += fmt::format(
          R"(","pid":"{} aclGraph","tid":"stream{}","ts":{},"dur":9.5,"ph":"X","args":{{"Model Id":{},"Stream Id":{},"Task Id":{}{}}}}})",
          getpid(), stream, 10 * i, model.id(), stream, i,
          verbose ? kernel_args(branch->nodes[i]) : std::string());
      separator = ",\n";
    }
  }
  return text + "\n]\n";
}

void write_model_json(Model& model, const char* path, bool verbose) {
  if (const int error = sim::write_file(path, model_json(model, verbose))) {
    fail(ACL_ERROR_INVALID_FILE, "path is {}, which cannot be written ({})", path,
         sim::output_error(error));
  }
}

}  // namespace acl
