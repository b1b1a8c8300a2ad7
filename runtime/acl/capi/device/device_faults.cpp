// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/device/device_faults.h"

#include <algorithm>

#include "runtime/acl/capi/guard.h"
#include "runtime/acl/device/broken_memory.h"

using namespace acl;

namespace {

void check_ranges(const aclrtMemUceInfo* ranges, std::size_t count) {
  require_input(ranges, "memUceInfoArray");
  if (count == 0 || count > MAX_MEM_UCE_INFO_ARRAY_SIZE) {
    fail(ACL_ERROR_INVALID_PARAM, "arraySize is {}; expected 1 to {}", count,
         MAX_MEM_UCE_INFO_ARRAY_SIZE);
  }
}

void repair(Runtime& runtime, int device, const aclrtMemUceInfo* ranges, std::size_t count) {
  auto& broken = runtime.section<BrokenMemory>();
  for (std::size_t i = 0; i < count; ++i) broken.repair(device, ranges[i].addr, ranges[i].len);
  if (broken.ranges(device).empty()) runtime.section<DeviceFaults>().repaired(device);
}

}  // namespace

extern "C" {

aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray, size_t arraySize,
                            size_t* retSize) {
  return guarded(__func__, [&](Runtime& runtime) {
    size_t& out = require_out(retSize, "retSize");
    check_ranges(memUceInfoArray, arraySize);
    const auto broken = runtime.section<BrokenMemory>().ranges(runtime.physical(deviceId));
    out = std::min(arraySize, broken.size());
    std::copy_n(broken.begin(), out, memUceInfoArray);
  });
}

// A range without errors is repaired already.
aclError aclrtMemUceRepair(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray, size_t arraySize) {
  return guarded(__func__, [&](Runtime& runtime) {
    check_ranges(memUceInfoArray, arraySize);
    repair(runtime, runtime.physical(deviceId), memUceInfoArray, arraySize);
  });
}

aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo* errorInfo) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtErrorInfo& out = require_out(errorInfo, "errorInfo");
    const int device = runtime.physical(deviceId);
    out = {};
    if (runtime.primary_active(deviceId)) out = runtime.section<DeviceFaults>().latest(device);
  });
}

aclError aclrtRepairError(int32_t deviceId, const aclrtErrorInfo* errorInfo) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(errorInfo, "errorInfo");
    const int device = runtime.physical(deviceId);
    const bool memory = errorInfo->errorType == ACL_RT_ERROR_MEMORY;
    if (!memory && errorInfo->errorType != ACL_RT_NO_ERROR) {
      fail(ACL_ERROR_RT_PARAM_INVALID,
           "errorInfo->errorType is {}, which cannot be repaired; expected ACL_RT_NO_ERROR or "
           "ACL_RT_ERROR_MEMORY",
           static_cast<int>(errorInfo->errorType));
    }
    if (memory && errorInfo->detail.uceInfo.arraySize > ACL_RT_MEM_UCE_INFO_MAX_NUM) {
      fail(ACL_ERROR_RT_PARAM_INVALID,
           "errorInfo->detail.uceInfo.arraySize is {}; expected {} or "
           "less",
           errorInfo->detail.uceInfo.arraySize, ACL_RT_MEM_UCE_INFO_MAX_NUM);
    }
    const aclrtMemUceInfoArray& list = errorInfo->detail.uceInfo;
    if (memory) repair(runtime, device, list.memUceInfoArray, list.arraySize);
  });
}

}  // extern "C"
