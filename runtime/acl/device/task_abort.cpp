// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/device/task_abort.h"

#include "runtime/acl/base/device_block.h"
#include "runtime/acl/core/runtime.h"

namespace acl {
namespace {

constexpr DeviceBlock kTaskAbortBlock{ACL_ERROR_RT_DEVICE_TASK_ABORT,
                                      "all tasks of the device are being aborted"};

}  // namespace

void TaskAbort::tell(int device_id, aclrtDeviceTaskAbortStage stage,
                     std::uint32_t timeout_ms) const {
  callbacks.for_each([&](const auto& entry) {
    const std::int32_t code = entry.function(device_id, stage, timeout_ms, entry.args);
    if (code != 0) {
      fail(ACL_ERROR_RT_INTERNAL_ERROR, "the task abort callback '{}' returned {}", entry.name,
           code);
    }
  });
}

bool TaskAbort::under_way(int device) const {
  return runtime_.device_block(device).load() == &kTaskAbortBlock;
}

void TaskAbort::abort(int device_id, std::uint32_t timeout_ms) {
  const int device = runtime_.physical(device_id);
  std::atomic<const DeviceBlock*>& device_block = runtime_.device_block(device);
  const DeviceBlock* const before = device_block.exchange(&kTaskAbortBlock);
  if (before == &kTaskAbortBlock) fail(kTaskAbortBlock.code, "{}", kTaskAbortBlock.text);
  struct Lift {
    std::atomic<const DeviceBlock*>& device_block;
    const DeviceBlock* before;
    ~Lift() {
      const DeviceBlock* mine = &kTaskAbortBlock;
      device_block.compare_exchange_strong(mine, before);  // unless the device was lost meanwhile
    }
  } const lift{device_block, before};
  tell(device_id, ACL_RT_DEVICE_TASK_ABORT_PRE, timeout_ms);
  runtime_.streams().for_each([&](const StreamTable::Pin& stream) {
    if (stream->device() != device) return;
    stream->announce_abort();
    stream->abort(kTaskAbortBlock.code);
  });
  tell(device_id, ACL_RT_DEVICE_TASK_ABORT_POST, timeout_ms);
}

}  // namespace acl
