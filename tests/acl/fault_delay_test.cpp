// SPDX-License-Identifier: Apache-2.0
// Faults on demand: tasks that are slow or stuck.
#include "tests/acl/fault_world.h"
#include "tests/support/temp_dir.h"

using namespace world;
using namespace faulttest;

CHILD_PROGRAM(copies_take_their_time) {
  CHILD_OK(aclrtSetDevice(0));
  const Buffers buffers;
  const auto begin = std::chrono::steady_clock::now();
  CHILD_OK(buffers.upload());
  CHILD_OK(aclrtSynchronizeStream(nullptr));
  CHILD_EXPECT(std::chrono::steady_clock::now() - begin >= 30ms);
  std::memset(buffers.host, 0, Buffers::kSize);
  CHILD_OK(buffers.download_now());
  CHILD_EXPECT(std::chrono::steady_clock::now() - begin >= 60ms);
  CHILD_EXPECT(*static_cast<char*>(buffers.host) == 7);
  return 0;
}

TEST_CASE("a slow copy arrives late and whole, in a stream and in a call") {
  expect_clean(run_with("slow,from=1,delay=30ms", "copies_take_their_time"), "fired 2 times");
}

CHILD_PROGRAM(a_link_becomes_slow) {
  constexpr std::size_t kSize = 64;
  void* memory[3] = {};
  aclrtStream stream = nullptr;
  for (int device = 2; device >= 0; --device) {
    CHILD_OK(aclrtSetDevice(device));
    CHILD_OK(aclrtMalloc(&memory[device], kSize, ACL_MEM_MALLOC_HUGE_FIRST));
    if (device != 0) CHILD_OK(aclrtMemset(memory[device], kSize, device, kSize));
  }
  for (int peer = 1; peer < 3; ++peer) CHILD_OK(aclrtDeviceEnablePeerAccess(peer, 0));
  CHILD_OK(aclrtCreateStream(&stream));
  const auto copy = [&](int from) {
    CHILD_OK(aclrtMemcpyAsync(memory[0], kSize, memory[from], kSize, ACL_MEMCPY_DEVICE_TO_DEVICE,
                              stream));
    return aclrtSynchronizeStreamWithTimeout(stream, from == 1 ? 20 : -1);
  };
  for (int i = 0; i < 2; ++i) {  // it stays so
    CHILD_EXPECT_CODE(copy(1), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    CHILD_OK(aclrtStreamAbort(stream));
    CHILD_OK(copy(2));  // another link
  }
  CHILD_OK(aclrtResetDeviceForce(2));
  CHILD_EXPECT_CODE(copy(1), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  CHILD_OK(aclrtStreamAbort(stream));
  CHILD_OK(aclrtResetDeviceForce(1));
  CHILD_OK(aclrtSetDevice(1));
  CHILD_OK(aclrtMalloc(&memory[1], kSize, ACL_MEM_MALLOC_HUGE_FIRST));
  CHILD_OK(aclrtMemset(memory[1], kSize, 1, kSize));
  CHILD_OK(aclrtSetDevice(0));
  CHILD_OK(aclrtDeviceEnablePeerAccess(1, 0));
  CHILD_OK(
      aclrtMemcpyAsync(memory[0], kSize, memory[1], kSize, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  CHILD_OK(aclrtSynchronizeStream(stream));
  return 0;
}

TEST_CASE("a link that becomes slow stays so, between its two devices alone, until one is reset") {
  expect_clean(run_with("link-slow,device=0,peer=1,delay=1000s", "a_link_becomes_slow"),
               "fired once");
}

CHILD_PROGRAM(copies_over_a_slow_link) {
  CHILD_OK(aclrtSetDevice(1));
  void *there = nullptr, *here = nullptr;
  CHILD_OK(aclrtMalloc(&there, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  CHILD_OK(aclrtMemset(there, 64, 7, 64));
  CHILD_OK(aclrtSetDevice(0));
  CHILD_OK(aclrtDeviceEnablePeerAccess(1, 0));
  CHILD_OK(aclrtMalloc(&here, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 1; i < 4; ++i) {
    CHILD_OK(aclrtMemcpy(here, 64, there, 64, ACL_MEMCPY_DEVICE_TO_DEVICE));
    CHILD_EXPECT(std::chrono::steady_clock::now() - begin >= i * 20ms);
  }
  char byte = 0;
  CHILD_OK(aclrtMemcpy(&byte, 1, here, 1, ACL_MEMCPY_DEVICE_TO_HOST));
  CHILD_EXPECT(byte == 7);
  return 0;
}

TEST_CASE("each copy over a slow link arrives late and whole") {
  expect_clean(run_with("link-slow,device=1,delay=20ms", "copies_over_a_slow_link"), "fired once");
}

CHILD_PROGRAM(a_copy_is_stuck) {
  CHILD_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  CHILD_OK(aclrtCreateStream(&stream));
  const Buffers buffers;
  CHILD_OK(aclrtMemset(buffers.device, Buffers::kSize, 1, Buffers::kSize));
  CHILD_OK(buffers.upload(stream));
  CHILD_EXPECT_CODE(aclrtSynchronizeStreamWithTimeout(stream, 20),
                    ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
  CHILD_OK(aclrtStreamQuery(stream, &status));
  CHILD_EXPECT(status == ACL_STREAM_STATUS_NOT_READY);
  CHILD_OK(aclrtStreamAbort(stream));
  CHILD_OK(aclrtSynchronizeStream(stream));
  CHILD_OK(buffers.download_now());
  CHILD_EXPECT(*static_cast<char*>(buffers.host) == 1);
  CHILD_OK(buffers.upload(stream));
  CHILD_OK(aclrtSynchronizeStream(stream));
  return 0;
}

CHILD_PROGRAM(reset_what_is_stuck) {
  CHILD_OK(aclrtSetDevice(0));
  CHILD_OK(Buffers().upload());
  CHILD_EXPECT_CODE(aclrtSynchronizeStreamWithTimeout(nullptr, 20),
                    ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  CHILD_OK(aclrtResetDeviceForce(0));
  CHILD_OK(aclrtSetDevice(0));
  CHILD_OK(Buffers().upload());
  CHILD_OK(aclrtSynchronizeStream(nullptr));
  return 0;
}

CHILD_PROGRAM(end_while_stuck) {
  CHILD_OK(aclrtSetDevice(0));
  CHILD_OK(Buffers().upload());
  CHILD_EXPECT_CODE(aclrtSynchronizeDeviceWithTimeout(20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  return 0;
}

TEST_CASE("a stuck copy is ended by an abort or a forced reset, and holds no process up") {
  const auto* const program = GENERATE("a_copy_is_stuck", "reset_what_is_stuck", "end_while_stuck");
  expect_clean(run_with("stuck", program), "fired once");
}

CHILD_PROGRAM(stuck_up_to_a_limit) {
  CHILD_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  CHILD_OK(aclrtCreateStream(&stream));
  aclrtEvent event = nullptr;
  CHILD_OK(aclrtCreateEvent(&event));
  CHILD_OK(aclrtRecordEvent(event, nullptr));
  CHILD_OK(aclrtStreamWaitEventWithTimeout(stream, event, 1));
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_WAIT_TIMEOUT);
  CHILD_EXPECT(said("injected by fault 1 ("));
  std::uint64_t actual = 0;
  CHILD_OK(aclrtSetOpExecuteTimeOutV2(20'000, &actual));
  std::atomic<int> count{0};
  CHILD_OK(launch_named("kernel", count, stream));
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_AICORE_TIMEOUT);
  CHILD_EXPECT(said("injected by fault 2 ("));
  CHILD_EXPECT(count == 0);
  return 0;
}

TEST_CASE("a stuck wait and a stuck kernel end at the limits that they have") {
  const support::TempDir dir;
  const std::string file = dir.write("machine.toml", "[limits]\nkernel_timeout_interval = 1000\n");
  expect_clean(
      run_with("stuck,op=wait;stuck,op=kernel", "stuck_up_to_a_limit", {{"ACLSIM_CONFIG", file}}),
      "2 of 2 configured faults fired");
}

CHILD_PROGRAM(a_notify_does_not_come) {
  CHILD_OK(aclrtSetDevice(0));
  aclrtNotify notify = nullptr;
  CHILD_OK(aclrtCreateNotify(&notify, 0));
  CHILD_OK(aclrtWaitAndResetNotify(notify, nullptr, 0));
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_WAIT_TIMEOUT);
  CHILD_EXPECT(said("injected by fault 1 ("));
  CHILD_OK(aclrtRecordNotify(notify, nullptr));
  CHILD_OK(aclrtWaitAndResetNotify(notify, nullptr, 0));
  CHILD_OK(aclrtSynchronizeStream(nullptr));
  return 0;
}

TEST_CASE("a wait for a notify reaches its limit when a fault says so") {
  expect_clean(run_with("notify-timeout", "a_notify_does_not_come"), "fired once");
}
