// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/device/device_faults.h"

#include <algorithm>

#include "device_sim/base/mutex.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/device/broken_memory.h"

namespace acl {
namespace {

struct FaultRow {
  aclError code;
  aclrtAicoreErrorType type;
};

// Faults of the cores that run kernels. An error in a kernel of the host is a software error.
constexpr FaultRow kCoreFaults[] = {
    {ACL_ERROR_RT_AICORE_TIMEOUT, ACL_RT_AICORE_ERROR_UNKNOWN},
    {ACL_ERROR_RT_AICORE_EXCEPTION, ACL_RT_AICORE_ERROR_SW},
    {ACL_ERROR_RT_AICORE_TRAP_EXCEPTION, ACL_RT_AICORE_ERROR_SW},
    {ACL_ERROR_RT_VECTOR_CORE_TIMEOUT, ACL_RT_AICORE_ERROR_UNKNOWN},
    {ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, ACL_RT_AICORE_ERROR_SW},
    {ACL_ERROR_RT_VECTOR_CORE_TRAP_EXCEPTION, ACL_RT_AICORE_ERROR_SW},
};

bool of_memory(aclError code) {
  return code == ACL_ERROR_RT_DEVICE_MEM_ERROR || code == ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR ||
         code == ACL_ERROR_RT_SUSPECT_DEVICE_MEM_ERROR;
}

bool of_links(aclError code) {
  return code == ACL_ERROR_RT_LINK_ERROR || code == ACL_ERROR_RT_SUSPECT_REMOTE_ERROR;
}

}  // namespace

void DeviceFaults::note(int device, aclError code) {
  const sim::LockGuard guard(mutex_);
  latest_[device] = code;
}

void DeviceFaults::repaired(int device) {
  const sim::LockGuard guard(mutex_);
  const auto it = latest_.find(device);
  if (it != latest_.end() && of_memory(it->second)) latest_.erase(it);
}

void DeviceFaults::describe_memory(int device, aclrtErrorInfo& info) const {
  info.errorType = ACL_RT_ERROR_MEMORY;
  info.tryRepair = 1;
  info.hasDetail = 1;
  const auto ranges = runtime_.section<BrokenMemory>().ranges(device);
  auto& list = info.detail.uceInfo;
  list.arraySize = std::min<std::size_t>(ranges.size(), ACL_RT_MEM_UCE_INFO_MAX_NUM);
  std::copy_n(ranges.begin(), list.arraySize, list.memUceInfoArray);
}

aclrtErrorInfo DeviceFaults::latest(int device) const {
  aclrtErrorInfo info{};
  const sim::LockGuard guard(mutex_);
  const auto it = latest_.find(device);
  if (it == latest_.end()) return info;
  info.errorType = of_links(it->second) ? ACL_RT_ERROR_LINK : ACL_RT_ERROR_OTHERS;
  if (of_memory(it->second)) describe_memory(device, info);
  for (const FaultRow& row : kCoreFaults) {
    if (row.code != it->second) continue;
    info.errorType = ACL_RT_ERROR_AICORE;
    info.hasDetail = 1;
    info.detail.aicoreErrType = row.type;
  }
  return info;
}

void DeviceFaults::reset() {
  const sim::LockGuard guard(mutex_);
  latest_.clear();
}

void DeviceFaults::device_ends(int device) {
  const sim::LockGuard guard(mutex_);
  latest_.erase(device);
}

}  // namespace acl
