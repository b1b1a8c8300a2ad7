// SPDX-License-Identifier: Apache-2.0
// Capabilities of the software stack and of a device, which come from tables.
#include <set>

#include "tests/acl/world.h"

using namespace world;

TEST_CASE("every attribute of the software stack that is listed has an answer") {
  const aclCannAttr* list = nullptr;
  std::size_t count = 0;
  REQUIRE_ACL(aclGetCannAttributeList(&list, &count));
  REQUIRE(count >= 1);
  for (std::size_t i = 0; i < count; ++i) {
    std::int32_t value = -1;
    REQUIRE_ACL(aclGetCannAttribute(list[i], &value));
    CHECK((value == 0 || value == 1));
  }
  CHECK(std::set<aclCannAttr>(list, list + count).size() == count);
}

TEST_CASE("the stack knows infinities and bfloat16, and compiles nothing") {
  std::int32_t value = -1;
  REQUIRE_ACL(aclGetCannAttribute(ACL_CANN_ATTR_INF_NAN, &value));
  CHECK(value == 1);
  REQUIRE_ACL(aclGetCannAttribute(ACL_CANN_ATTR_BF16, &value));
  CHECK(value == 1);
  REQUIRE_ACL(aclGetCannAttribute(ACL_CANN_ATTR_JIT_COMPILE, &value));
  CHECK(value == 0);
}

TEST_CASE("a capability by number is the attribute of the device") {
  const std::pair<aclDeviceInfo, aclrtDevAttr> pairs[] = {
      {ACL_DEVICE_INFO_AI_CORE_NUM, ACL_DEV_ATTR_AICORE_CORE_NUM},
      {ACL_DEVICE_INFO_VECTOR_CORE_NUM, ACL_DEV_ATTR_VECTOR_CORE_NUM},
      {ACL_DEVICE_INFO_L2_SIZE, ACL_DEV_ATTR_L2_CACHE_SIZE},
  };
  for (const auto& [info, attribute] : pairs) {
    std::int64_t value = -1;
    std::int64_t expected = -2;
    REQUIRE_ACL(aclGetDeviceCapability(1, info, &value));
    REQUIRE_ACL(aclrtGetDeviceInfo(1, attribute, &expected));
    CHECK(value == expected);
    CHECK(value > 0);
  }
}

TEST_CASE("optional features of a device are there or not") {
  for (const auto feature :
       {ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV, ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV}) {
    std::int32_t value = -1;
    REQUIRE_ACL(aclrtGetDeviceCapability(7, feature, &value));
    CHECK((value == ACL_DEV_FEATURE_SUPPORT || value == ACL_DEV_FEATURE_NOT_SUPPORT));
  }
}

TEST_CASE("capabilities that nobody knows and devices that do not exist are refused") {
  const aclCannAttr* list = nullptr;
  std::size_t count = 0;
  std::int32_t value = 0;
  std::int64_t figure = 0;
  CHECK_CODE(aclGetCannAttributeList(nullptr, &count), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclGetCannAttributeList(&list, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclGetCannAttribute(ACL_CANN_ATTR_BF16, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclGetCannAttribute(ACL_CANN_ATTR_UNDEFINED, &value), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclGetCannAttribute(static_cast<aclCannAttr>(3), &value), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclGetDeviceCapability(0, ACL_DEVICE_INFO_L2_SIZE, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclGetDeviceCapability(0, ACL_DEVICE_INFO_UNDEFINED, &figure),
             ACL_ERROR_INVALID_PARAM);
  for (const std::uint32_t bad : {8U, 0xffffffffU}) {
    CHECK_CODE(aclGetDeviceCapability(bad, ACL_DEVICE_INFO_L2_SIZE, &figure),
               ACL_ERROR_RT_INVALID_DEVICEID);
  }
  const auto feature = ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV;
  CHECK_CODE(aclrtGetDeviceCapability(0, feature, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtGetDeviceCapability(0, static_cast<aclrtDevFeatureType>(2), &value),
             ACL_ERROR_INVALID_PARAM);
  for (const std::int32_t bad : {-1, 8}) {
    CHECK_CODE(aclrtGetDeviceCapability(bad, feature, &value), ACL_ERROR_RT_INVALID_DEVICEID);
  }
}
