// SPDX-License-Identifier: Apache-2.0
#include <iterator>

#include "runtime/acl/capi/guard.h"
#include "runtime/acl/device/device_info.h"

using namespace acl;

namespace {

constexpr aclCannAttr kCannAttributes[] = {ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_BF16,
                                           ACL_CANN_ATTR_JIT_COMPILE};

/// One answer of a table of yes and no.
template <class Key>
struct Answer {
  Key key;
  std::int32_t value;
};

// Nothing compiles operators here.
constexpr Answer<aclCannAttr> kCannValues[] = {
    {ACL_CANN_ATTR_INF_NAN, 1}, {ACL_CANN_ATTR_BF16, 1}, {ACL_CANN_ATTR_JIT_COMPILE, 0}};

constexpr Answer<aclrtDevFeatureType> kDeviceFeatures[] = {
    {ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV, ACL_DEV_FEATURE_SUPPORT},
    {ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV, ACL_DEV_FEATURE_NOT_SUPPORT}};

constexpr Answer<aclDeviceInfo> kDeviceFigures[] = {
    {ACL_DEVICE_INFO_AI_CORE_NUM, ACL_DEV_ATTR_AICORE_CORE_NUM},
    {ACL_DEVICE_INFO_VECTOR_CORE_NUM, ACL_DEV_ATTR_VECTOR_CORE_NUM},
    {ACL_DEVICE_INFO_L2_SIZE, ACL_DEV_ATTR_L2_CACHE_SIZE}};

template <class Key, std::size_t Size>
std::int32_t look_up(const Answer<Key> (&table)[Size], Key key, const char* argument) {
  for (const Answer<Key>& row : table) {
    if (row.key == key) return row.value;
  }
  fail(ACL_ERROR_INVALID_PARAM, "{} is {}, which is unknown", argument, static_cast<int>(key));
}

}  // namespace

extern "C" {

aclError aclGetCannAttributeList(const aclCannAttr** cannAttrList, size_t* num) {
  return guarded(__func__, [&](Runtime&) {
    const aclCannAttr*& list_out = require_out(cannAttrList, "cannAttrList");
    size_t& num_out = require_out(num, "num");
    list_out = kCannAttributes;
    num_out = std::size(kCannAttributes);
  });
}

aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t* value) {
  return guarded(__func__, [&](Runtime&) {
    int32_t& out = require_out(value, "value");
    out = look_up(kCannValues, cannAttr, "cannAttr");
  });
}

aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t* value) {
  return guarded(__func__, [&](Runtime& runtime) {
    int64_t& out = require_out(value, "value");
    const auto attribute =
        static_cast<aclrtDevAttr>(look_up(kDeviceFigures, deviceInfo, "deviceInfo"));
    out = device_info(runtime, runtime.physical(static_cast<int>(deviceId)), attribute);
  });
}

aclError aclrtGetDeviceCapability(int32_t deviceId, aclrtDevFeatureType devFeatureType,
                                  int32_t* value) {
  return guarded(__func__, [&](Runtime& runtime) {
    int32_t& out = require_out(value, "value");
    runtime.physical(deviceId);
    out = look_up(kDeviceFeatures, devFeatureType, "devFeatureType");
  });
}

}  // extern "C"
