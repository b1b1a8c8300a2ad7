// SPDX-License-Identifier: Apache-2.0
// Faults on demand: links that go down, memory that breaks, devices that are lost.
#include "tests/acl/fault_world.h"

using namespace world;
using namespace faulttest;

CHILD_PROGRAM(a_link_goes_down) {
  constexpr std::size_t kSize = 64;
  void* memory[3] = {};
  for (int device = 2; device >= 0; --device) {
    CHILD_OK(aclrtSetDevice(device));
    CHILD_OK(aclrtMalloc(&memory[device], kSize, ACL_MEM_MALLOC_HUGE_FIRST));
    for (int peer = 0; peer < 3; ++peer) {
      if (peer != device) CHILD_OK(aclrtDeviceEnablePeerAccess(peer, 0));
    }
  }
  const auto copy_now = [&](int to, int from) {
    return aclrtMemcpy(memory[to], kSize, memory[from], kSize, ACL_MEMCPY_DEVICE_TO_DEVICE);
  };
  CHILD_OK(copy_now(0, 1));
  for (int i = 0; i < 2; ++i) {
    CHILD_OK(
        aclrtMemcpyAsync(memory[1], kSize, memory[0], kSize, ACL_MEMCPY_DEVICE_TO_DEVICE, nullptr));
    CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_LINK_ERROR);
    CHILD_EXPECT_CODE(copy_now(0, 1), ACL_ERROR_RT_LINK_ERROR);
    CHILD_EXPECT(said("the link between two devices is down; injected by fault 1 ("));
  }
  CHILD_EXPECT(planned_fault_of(0).errorType == ACL_RT_ERROR_LINK);
  CHILD_OK(copy_now(0, 2));
  return 0;
}

TEST_CASE("a link that goes down stays down, between its two devices alone") {
  expect_clean(run_with("link-down,device=0,peer=1,nth=2", "a_link_goes_down"), "fired once");
}

CHILD_PROGRAM(memory_breaks) {
  CHILD_OK(aclrtSetDevice(0));
  const Buffers broken;
  const Buffers whole;
  CHILD_OK(broken.upload());
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR);
  CHILD_EXPECT(said("injected by fault 1 (ecc)"));
  CHILD_EXPECT_CODE(broken.download_now(), ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR);
  CHILD_OK(whole.upload());
  CHILD_OK(aclrtSynchronizeStream(nullptr));

  aclrtMemUceInfo ranges[4] = {};
  std::size_t count = 0;
  CHILD_OK(aclrtGetMemUceInfo(0, ranges, 4, &count));
  CHILD_EXPECT(count == 1);
  const auto begin = reinterpret_cast<std::uintptr_t>(ranges[0].addr);
  const auto address = reinterpret_cast<std::uintptr_t>(broken.device);
  CHILD_EXPECT(begin <= address && address < begin + ranges[0].len);
  const aclrtErrorInfo info = planned_fault_of(0);
  CHILD_EXPECT(info.errorType == ACL_RT_ERROR_MEMORY && info.tryRepair == 1 && info.hasDetail == 1);
  CHILD_EXPECT(info.detail.uceInfo.arraySize == 1);
  CHILD_EXPECT(info.detail.uceInfo.memUceInfoArray[0].addr == ranges[0].addr);

  CHILD_OK(std::getenv("REPAIR_BY_INFO") ? aclrtRepairError(0, &info)
                                         : aclrtMemUceRepair(0, ranges, count));
  CHILD_EXPECT(planned_fault_of(0).errorType == ACL_RT_NO_ERROR);
  CHILD_OK(aclrtGetMemUceInfo(0, ranges, 4, &count));
  CHILD_EXPECT(count == 0);
  CHILD_OK(broken.download_now());
  return 0;
}

TEST_CASE("broken memory fails whoever touches it until it is repaired") {
  const auto* const by_info = GENERATE("", "1");
  expect_clean(run_with("ecc", "memory_breaks", {{"REPAIR_BY_INFO", by_info}}), "fired once");
}

CHILD_PROGRAM(a_device_is_lost) {
  CHILD_OK(aclrtSetExceptionInfoCallback(note_exception));
  constexpr aclError kLost = ACL_ERROR_RT_LOST_HEARTBEAT;
  CHILD_OK(aclrtSetDevice(0));
  CHILD_OK(aclrtSetDevice(1));
  aclrtStream stream = nullptr;
  CHILD_OK(aclrtCreateStream(&stream));
  const Buffers buffers;
  std::atomic<int> count{0};
  (void)launch_named("last", count, stream);
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(stream), kLost);
  CHILD_EXPECT(said("the device does not answer any more; injected by fault 1 ("));
  CHILD_EXPECT(count == 0);
  CHILD_EXPECT_CODE(aclrtSynchronizeDevice(), kLost);
  CHILD_EXPECT_CODE(launch_named("later", count, stream), kLost);
  CHILD_EXPECT_CODE(buffers.upload(stream), kLost);
  CHILD_EXPECT_CODE(buffers.download_now(), kLost);
  void* memory = nullptr;
  CHILD_EXPECT_CODE(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST), kLost);
  aclrtDeviceStatus status = ACL_RT_DEVICE_STATUS_NORMAL;
  CHILD_OK(aclrtQueryDeviceStatus(1, &status));
  CHILD_EXPECT(status == ACL_RT_DEVICE_STATUS_ABNORMAL);
  CHILD_EXPECT(eventually([] { return exceptions == 1; }));
  CHILD_EXPECT(exception_task == 0xffffffff && exception_device == 1 && exception_code == kLost);
  // While its primary context still lives, and without another use of that.
  CHILD_EXPECT_CODE(aclrtSetDevice(1), kLost);

  CHILD_OK(aclrtDestroyStream(stream));
  CHILD_OK(aclrtResetDevice(1));
  CHILD_EXPECT_CODE(aclrtSetDevice(1), kLost);
  CHILD_OK(aclrtSetDevice(0));
  CHILD_OK(launch_named("elsewhere", count));
  CHILD_OK(aclrtSynchronizeStream(nullptr));
  CHILD_EXPECT(count == 1);
  CHILD_OK(aclsimResetAll());
  CHILD_OK(aclrtSetDevice(1));
  CHILD_OK(aclrtQueryDeviceStatus(1, &status));
  CHILD_EXPECT(status == ACL_RT_DEVICE_STATUS_NORMAL);
  return 0;
}

TEST_CASE("a lost device drops its tasks and refuses all calls, and others go on") {
  const auto child = run_with("device-lost,device=1,op=kernel", "a_device_is_lost");
  INFO(child.output);
  CHECK(child.clean());
}

CHILD_PROGRAM(lost_at_a_call) {
  CHILD_OK(aclrtSetDevice(0));
  std::atomic<int> count{0};
  CHILD_OK(launch_named("kernel", count));
  CHILD_OK(aclrtSynchronizeStream(nullptr));
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
  CHILD_EXPECT_CODE(launch_named("kernel", count), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
  return 0;
}

TEST_CASE("a device can be lost at a call, with another code") {
  expect_clean(
      run_with("device-lost,call=aclrtSynchronizeStream,nth=2,code=507899", "lost_at_a_call"),
      "fired once");
}
