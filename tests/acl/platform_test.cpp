// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_platform.h"
#include "tests/acl/world.h"

using namespace world;

namespace {

std::string info(aclplatformDevInfo type) {
  char text[64] = "";
  REQUIRE_ACL(aclplatformGetDeviceInfo(type, text, sizeof text));
  return text;
}

}  // namespace

TEST_CASE("the platform describes the machine that runs") {
  CHECK(info(ACL_PLATFORM_SOC_VERSION) == machine().socName);
  CHECK(info(ACL_PLATFORM_AICORE_CNT) == std::to_string(machine().aiCores));
  CHECK(info(ACL_PLATFORM_CUBE_CORE_CNT) == std::to_string(machine().aiCores));
  CHECK(info(ACL_PLATFORM_VECTOR_CORE_CNT) == std::to_string(machine().vectorCores));
  CHECK(info(ACL_PLATFORM_MEMORY_SIZE) == std::to_string(machine().memoryBytes));
  CHECK(info(ACL_PLATFORM_NPU_ARCH) == std::to_string(DAV_2201));
  CHECK(info(ACL_PLATFORM_MEMORY_TYPE) == "HBM");
}

TEST_CASE("every figure of the platform has an answer") {
  for (int type = ACL_PLATFORM_AICORE_CNT; type <= ACL_PLATFORM_MEMORY_TYPE; ++type) {
    CHECK_FALSE(info(static_cast<aclplatformDevInfo>(type)).empty());
  }
}

TEST_CASE("figures of the platform need to be known, and room for their text") {
  char text[16] = "untouched";
  CHECK_CODE(aclplatformGetDeviceInfo(ACL_PLATFORM_L1_SIZE, nullptr, 16), ACL_ERROR_INVALID_PARAM);
  for (const std::uint32_t length : {0U, 1U, 6U}) {
    CHECK_CODE(aclplatformGetDeviceInfo(ACL_PLATFORM_L1_SIZE, text, length),
               ACL_ERROR_INVALID_PARAM);
  }
  for (const int bad : {-1, 17}) {
    CHECK_CODE(aclplatformGetDeviceInfo(static_cast<aclplatformDevInfo>(bad), text, sizeof text),
               ACL_ERROR_INVALID_PARAM);
  }
  CHECK(std::string(text) == "untouched");
  REQUIRE_ACL(aclplatformGetDeviceInfo(ACL_PLATFORM_L1_SIZE, text, 7));
  CHECK(std::string(text) == "524288");
}
