// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/graph/task_params.h"

#include <cstring>
#include <span>

#include "runtime/acl/base/error.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/graph/task_group.h"
#include "runtime/acl/memory/value_word.h"

namespace acl {
namespace {

// The function stays; blocks and arguments are exchanged.
void set_kernel(Node& node, const aclmdlRITaskParams& params) {
  const aclmdlRIKernelTaskParams& wanted = params.kernelTaskParams;
  if (wanted.funcHandle != node.params.kernelTaskParams.funcHandle) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
         "params->funcHandle is another kernel than the task was captured with");
  }
  const sim::Op& old = *node.op;
  if (old.has_object) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
         "the kernel '{}' owns its arguments: they cannot be exchanged", old.kernel.name);
  }
  std::span<const unsigned char> args = old.kernel_args();
  if (wanted.args) args = {static_cast<const unsigned char*>(wanted.args), wanted.argsSize};
  const std::span<const sim::MemoryRange> ranges = old.kernel_ranges();
  sim::Op fresh =
      sim::make_kernel(old.kernel.entry, old.kernel.function, old.kernel.name, wanted.numBlocks,
                       args.data(), args.size(), ranges.data(), ranges.size());
  fresh.task_id = old.task_id;
  fresh.thread_id = old.thread_id;
  node.op = sim::OwnedOp(fresh);
  node.params.kernelTaskParams.numBlocks = wanted.numBlocks;
}

void set_value(Runtime& runtime, Node& node, const aclmdlRITaskParams& params) {
  const aclmdlRIValueWaitTaskParams& wanted = params.valueWaitTaskParams;  // a write's begins alike
  if (!wanted.devAddr) fail(ACL_ERROR_RT_PARAM_INVALID, "params->devAddr is null");
  require_value_address(runtime, wanted.devAddr);
  sim::Op fresh = params.type == ACL_MODEL_RI_TASK_VALUE_WRITE
                      ? make_value_write(runtime, wanted.devAddr, wanted.value)
                      : make_value_wait(runtime, wanted.devAddr, wanted.value, wanted.flag);
  fresh.task_id = node.op->task_id;
  fresh.thread_id = node.op->thread_id;
  node.op = sim::OwnedOp(fresh);
  node.params = params;
}

}  // namespace

aclmdlRITaskParams params_of(Node& node) {
  aclmdlRITaskParams params = node.params;
  if (node.group) params.taskGrp = node.group->handle();
  if (params.type != ACL_MODEL_RI_TASK_KERNEL) return params;
  const std::span<const unsigned char> args = node.op->kernel_args();
  node.args.resize(args.size());
  if (!args.empty()) std::memcpy(node.args.data(), args.data(), args.size());
  params.kernelTaskParams.args = node.args.data();
  params.kernelTaskParams.argsSize = args.size();
  params.kernelTaskParams.isHostArgs = 1;
  return params;
}

void set_params(Runtime& runtime, Node& node, const aclmdlRITaskParams& params) {
  if (params.type != node.params.type) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "params->type is {}; the task's is {}",
         static_cast<int>(params.type), static_cast<int>(node.params.type));
  }
  if (params.type == ACL_MODEL_RI_TASK_KERNEL && node.op->kind == sim::OpKind::kernel) {
    return set_kernel(node, params);
  }
  if (params.type == ACL_MODEL_RI_TASK_VALUE_WRITE || params.type == ACL_MODEL_RI_TASK_VALUE_WAIT) {
    return set_value(runtime, node, params);
  }
  fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "tasks of type {} cannot be changed",
       static_cast<int>(params.type));
}

}  // namespace acl
