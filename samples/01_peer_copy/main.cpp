// SPDX-License-Identifier: Apache-2.0
//
// Two devices exchange data directly. This has three requirements:
//   1. the machine has a path between them    query it with aclrtDeviceCanAccessPeer;
//   2. both directions are enabled            aclrtDeviceEnablePeerAccess, once on each device;
//   3. peers can access the memory            a malloc policy whose name ends in P2P.
// After that an ordinary device-to-device copy accepts an address of either device.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_sim_check.h"

// Ends the program when a call fails, and prints the call and the reason.
#define CHECK(call) check((call), #call, __LINE__)
static void check(aclError code, const char* call, int line) {
  if (code == ACL_SUCCESS) return;
  const char* text = aclGetRecentErrMsg();
  std::fprintf(stderr, "line %d: %s gave %d: %s\n", line, call, code, text != nullptr ? text : "");
  std::exit(1);
}

static const size_t kBytes = 1024;

static std::vector<uint8_t> read_back(const void* device_memory) {
  std::vector<uint8_t> bytes(kBytes);
  CHECK(aclrtMemcpy(bytes.data(), kBytes, device_memory, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  return bytes;
}

static void expect(bool condition, const char* what) {
  std::printf("%-45s %s\n", what, condition ? "ok" : "WRONG");
  if (!condition) std::exit(1);
}

static bool two_devices_with_a_path() {
  uint32_t devices = 0;
  CHECK(aclrtGetDeviceCount(&devices));
  if (devices < 2) return false;
  int32_t there = 0;
  int32_t back = 0;
  CHECK(aclrtDeviceCanAccessPeer(&there, 0, 1));
  CHECK(aclrtDeviceCanAccessPeer(&back, 1, 0));
  return there == 1 && back == 1;
}

int main() {
  CHECK(aclInit(nullptr));
  if (!two_devices_with_a_path()) {
    std::printf("skipped: needs two devices with a path between them\n");
    CHECK(aclFinalize());
    return 0;
  }

  // Access and memory belong to the current device: select it, then enable access to its peer.
  void* memory0 = nullptr;
  void* memory1 = nullptr;
  CHECK(aclrtSetDevice(0));
  CHECK(aclrtDeviceEnablePeerAccess(1, 0));
  CHECK(aclrtMalloc(&memory0, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY_P2P));
  CHECK(aclrtSetDevice(1));
  CHECK(aclrtDeviceEnablePeerAccess(0, 0));
  CHECK(aclrtMalloc(&memory1, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY_P2P));

  // From device 1 to device 0, synchronously: the call returns when the data has arrived.
  std::vector<uint8_t> rising(kBytes);
  for (size_t i = 0; i < kBytes; ++i) rising[i] = static_cast<uint8_t>(i);
  CHECK(aclrtMemcpy(memory1, kBytes, rising.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
  CHECK(aclrtMemcpy(memory0, kBytes, memory1, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE));
  expect(read_back(memory0) == rising, "device 1 -> device 0, aclrtMemcpy");

  // And back, asynchronously: the call only enqueues the copy on a stream, here of device 1.
  const std::vector<uint8_t> falling(rising.rbegin(), rising.rend());
  CHECK(aclrtMemcpy(memory0, kBytes, falling.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
  aclrtStream stream = nullptr;
  CHECK(aclrtCreateStream(&stream));
  CHECK(aclrtMemcpyAsync(memory1, kBytes, memory0, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  CHECK(aclrtSynchronizeStream(stream));
  expect(read_back(memory1) == falling, "device 0 -> device 1, aclrtMemcpyAsync");
  CHECK(aclrtDestroyStream(stream));

  // With both directions closed the next copy is refused. One open direction would let it pass.
  // The order checker, if it is on, would report the copy.
  CHECK(aclrtDeviceDisablePeerAccess(0));
  CHECK(aclrtSetDevice(0));
  CHECK(aclrtDeviceDisablePeerAccess(1));
  CHECK(aclsimCheckExpectBegin("ACL011"));
  const aclError refused =
      aclrtMemcpy(memory0, kBytes, memory1, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE);
  uint64_t found = 0;
  CHECK(aclsimCheckExpectEnd(&found));
  expect(refused == ACL_ERROR_RT_DRV_INTERNAL_ERROR, "a copy after disabling is refused (507899)");
  expect(read_back(memory0) == falling, "and it changed nothing");

  // Release memory and devices.
  CHECK(aclrtFree(memory0));
  CHECK(aclrtFree(memory1));
  CHECK(aclrtResetDevice(1));
  for (int i = 0; i < 2; ++i) CHECK(aclrtResetDevice(0));  // one for each aclrtSetDevice(0)
  CHECK(aclFinalize());
  std::printf("copied %zu bytes both ways between devices 0 and 1\n", kBytes);
  return 0;
}
