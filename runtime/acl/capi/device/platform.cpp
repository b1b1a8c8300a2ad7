// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_platform.h"

#include <cstring>

#include "runtime/acl/capi/guard.h"
#include "runtime/acl/device/device_info.h"

using namespace acl;

namespace {

struct PlatformRow {
  aclplatformDevInfo type;
  std::string (*answer)(Runtime& runtime);
};

template <std::uint64_t Value>
std::string number(Runtime&) {
  return std::to_string(Value);
}

/// The attribute of the first device: the chip's description needs no device in use.
template <aclrtDevAttr Attribute>
std::string attribute(Runtime& runtime) {
  if (runtime.config().system.devices == 0) {
    fail(ACL_ERROR_RT_NO_DEVICE, "the machine has no device");
  }
  return std::to_string(device_info(runtime, 0, Attribute));
}

// Sizes in bytes, frequencies in MHz. Values that are not configured describe the default chip.
constexpr PlatformRow kPlatformRows[] = {
    {ACL_PLATFORM_AICORE_CNT, attribute<ACL_DEV_ATTR_AICORE_CORE_NUM>},
    {ACL_PLATFORM_AICORE_UB_SIZE, attribute<ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE>},
    {ACL_PLATFORM_CUBE_CORE_CNT, attribute<ACL_DEV_ATTR_CUBE_CORE_NUM>},
    {ACL_PLATFORM_VECTOR_CORE_CNT, attribute<ACL_DEV_ATTR_VECTOR_CORE_NUM>},
    {ACL_PLATFORM_L2_SIZE, attribute<ACL_DEV_ATTR_L2_CACHE_SIZE>},
    {ACL_PLATFORM_MEMORY_SIZE, attribute<ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE>},
    {ACL_PLATFORM_CUBE_FREQ, number<1800>},
    {ACL_PLATFORM_VEC_FREQ, number<1800>},
    {ACL_PLATFORM_BT_SIZE, number<1024>},
    {ACL_PLATFORM_L0_A_SIZE, number<65536>},
    {ACL_PLATFORM_L0_B_SIZE, number<65536>},
    {ACL_PLATFORM_L0_C_SIZE, number<131072>},
    {ACL_PLATFORM_L1_SIZE, number<524288>},
    {ACL_PLATFORM_SOC_VERSION, [](Runtime& runtime) { return runtime.config().system.soc_name; }},
    {ACL_PLATFORM_AIC_VERSION, [](Runtime&) { return std::string("AIC-C-220"); }},
    {ACL_PLATFORM_NPU_ARCH, attribute<ACL_DEV_ATTR_NPU_ARCH>},
    {ACL_PLATFORM_MEMORY_TYPE, [](Runtime&) { return std::string("HBM"); }},
};

std::string platform_info(Runtime& runtime, aclplatformDevInfo type) {
  for (const PlatformRow& row : kPlatformRows) {
    if (row.type == type) return row.answer(runtime);
  }
  fail(ACL_ERROR_INVALID_PARAM, "infoType is {}, which is unknown", static_cast<int>(type));
}

}  // namespace

extern "C" {

aclError aclplatformGetDeviceInfo(aclplatformDevInfo infoType, char* value, uint32_t maxLen) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_out(value, "value");
    const std::string text = platform_info(runtime, infoType);
    if (maxLen <= text.size()) {
      fail(ACL_ERROR_INVALID_PARAM, "maxLen is {}; expected {} or more", maxLen, text.size() + 1);
    }
    std::memcpy(value, text.c_str(), text.size() + 1);
  });
}

}  // extern "C"
