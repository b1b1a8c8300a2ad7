// SPDX-License-Identifier: Apache-2.0
// aclrtMemP2PMap: one allocation opened to one other device.
#include "tests/acl/world.h"
#include "tests/support/child.h"

using namespace world;

namespace {

aclError copy(void* dst, const void* src) {
  return aclrtMemcpy(dst, sizeof(int), src, sizeof(int), ACL_MEMCPY_DEVICE_TO_DEVICE);
}

}  // namespace

TEST_CASE("an allocation that is mapped for a peer is copied both ways without peer access") {
  const Device device(0);
  const DeviceMemory mapped(64);
  const DeviceMemory other(64);
  const Device peer_device(1);
  const DeviceMemory peer(64);
  store(mapped, 5);
  CHECK_CODE(copy(peer, mapped), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
  REQUIRE_ACL(aclrtMemP2PMap(mapped, 64, 1, 0));
  REQUIRE_ACL(copy(peer, mapped));
  CHECK(fetch<int>(peer) == 5);
  store(peer, 6);
  REQUIRE_ACL(
      aclrtMemcpyAsync(mapped, 64, peer, sizeof(int), ACL_MEMCPY_DEVICE_TO_DEVICE, nullptr));
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  CHECK(fetch<int>(mapped) == 6);
  CHECK_CODE(copy(peer, other), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
}

TEST_CASE("a map is for one device and ends when the memory is freed") {
  const Device device(0);
  void* memory = nullptr;
  REQUIRE_ACL(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  REQUIRE_ACL(aclrtMemP2PMap(static_cast<char*>(memory) + 16, 16, 1, 0));
  const Device third_device(2);
  const DeviceMemory third(64);
  CHECK_CODE(copy(third, memory), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
  const Device peer_device(1);
  const DeviceMemory peer(64);
  REQUIRE_ACL(copy(peer, memory));
  REQUIRE_ACL(aclrtFree(memory));
  const Device again(0);
  const DeviceMemory fresh(64);  // most likely at the same address
  CHECK_CODE(copy(peer, fresh), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
}

TEST_CASE("a map takes a range of device memory, another device and no flags") {
  const Device device(0);
  const DeviceMemory memory(64);
  const HostMemory pinned(64);
  char pageable[64];
  CHECK_CODE(aclrtMemP2PMap(nullptr, 64, 1, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemP2PMap(memory, 0, 1, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemP2PMap(memory, 64, 1, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemP2PMap(memory, 64, 0, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemP2PMap(memory, 65, 1, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemP2PMap(pinned, 64, 1, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemP2PMap(pageable, 64, 1, 0), ACL_ERROR_RT_PARAM_INVALID);
  for (const int bad : {-1, 8}) {
    CHECK_CODE(aclrtMemP2PMap(memory, 64, bad, 0), ACL_ERROR_RT_INVALID_DEVICEID);
  }
}

CHILD_PROGRAM(map_across_groups) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  void* memory = nullptr;
  CHILD_EXPECT_CODE(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtMemP2PMap(memory, 64, 3, 0), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtMemP2PMap(memory, 64, 4, 0), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
  return 0;
}

TEST_CASE("a map needs a path between the devices") {
  const auto child = support::run_child("map_across_groups", {{"ACLSIM_TOPOLOGY", "two-groups"}});
  INFO(child.output);
  CHECK(child.clean());
}
