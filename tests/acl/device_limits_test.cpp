// SPDX-License-Identifier: Apache-2.0
#include "tests/acl/world.h"
#include "tests/support/child.h"
#include "tests/support/temp_dir.h"

using namespace world;

namespace {

constexpr aclrtDeviceLimit limits[] = {
    ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE, ACL_RT_DEV_LIMIT_SIMT_DVG_WARP_STACK_SIZE,
    ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE,
    ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE};

std::size_t get(aclrtDeviceLimit limit) {
  std::size_t value = 0;
  REQUIRE_ACL(aclrtDeviceGetLimit(limit, &value));
  return value;
}

}  // namespace

TEST_CASE("each limit of a device has a default and keeps what is set") {
  const Device device;
  for (const aclrtDeviceLimit limit : limits) CHECK(get(limit) > 0);
  for (const aclrtDeviceLimit limit : limits) REQUIRE_ACL(aclrtDeviceSetLimit(limit, limit + 100U));
  for (const aclrtDeviceLimit limit : limits) CHECK(get(limit) == limit + 100U);
}

TEST_CASE("limits belong to one device and end with it") {
  std::size_t before = 0;
  {
    const Device device(1);
    before = get(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE);
    REQUIRE_ACL(aclrtDeviceSetLimit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, 12345));
    const Context other(2);
    CHECK(get(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE) == before);
  }
  const Device again(1);
  CHECK(get(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE) == before);
}

TEST_CASE("limits of a device fit into 32 bits, are known, and need a context") {
  std::size_t value = 0;
  CHECK_CODE(aclrtDeviceSetLimit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, 1), ACL_ERROR_RT_CONTEXT_NULL);
  CHECK_CODE(aclrtDeviceGetLimit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, &value),
             ACL_ERROR_RT_CONTEXT_NULL);
  const Device device;
  CHECK_CODE(aclrtDeviceGetLimit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, nullptr),
             ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclrtDeviceSetLimit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, UINT32_MAX));
  CHECK(get(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE) == UINT32_MAX);
  CHECK_CODE(aclrtDeviceSetLimit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, std::size_t{1} << 32),
             ACL_ERROR_INVALID_PARAM);
  for (const int bad : {-1, 5, 1000}) {
    CHECK_CODE(aclrtDeviceSetLimit(static_cast<aclrtDeviceLimit>(bad), 1), ACL_ERROR_INVALID_PARAM);
    CHECK_CODE(aclrtDeviceGetLimit(static_cast<aclrtDeviceLimit>(bad), &value),
               ACL_ERROR_INVALID_PARAM);
  }
}

CHILD_PROGRAM(ask_for_configured_limits) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  for (const aclrtDeviceLimit limit : limits) {
    std::size_t value = 0;
    CHILD_EXPECT_CODE(aclrtDeviceGetLimit(limit, &value), ACL_SUCCESS);
    CHILD_EXPECT(value == limit + 11U);
  }
  return 0;
}

TEST_CASE("the defaults of device limits are settings") {
  const support::TempDir dir;
  const std::string file = dir.write("machine.toml",
                                     "[limits]\nsimt_stack = 11\nsimt_warp_stack = 12\n"
                                     "simd_stack = 13\nsimd_printf = 14\nsimt_printf = 15\n");
  const auto child = support::run_child("ask_for_configured_limits", {{"ACLSIM_CONFIG", file}});
  INFO(child.output);
  CHECK(child.clean());
}
