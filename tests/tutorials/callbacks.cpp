// SPDX-License-Identifier: Apache-2.0
// Callbacks on one stream, host functions on another. The callback thread starts before it is
// subscribed and ignores the return value of aclrtProcessReport, as many programs do.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl.h"

#define CHECK_ACL(expr)                                                                       \
  do {                                                                                        \
    aclError ret_ = (expr);                                                                   \
    if (ret_ != ACL_SUCCESS) {                                                                \
      std::fprintf(stderr, "%s(%d): %s failed, ret = %d\n", __FILE__, __LINE__, #expr, ret_); \
      std::exit(EXIT_FAILURE);                                                                \
    }                                                                                         \
  } while (0)

namespace {

const int kRounds = 50;
const size_t kCount = 4096;
const size_t kBytes = kCount * sizeof(int32_t);

std::atomic<bool> g_exit(false);
std::atomic<uint64_t> g_thread_id(0);

// The id of the calling thread as a stream prints it, converted to a number.
uint64_t CurrentThreadNumber() {
  std::stringstream text;
  text << std::this_thread::get_id();
  return std::stoull(text.str());
}

void CallbackThread() {
  g_thread_id = CurrentThreadNumber();
  while (!g_exit) {
    (void)aclrtProcessReport(50);  // after a timeout, or without a subscription, try again
  }
}

struct Check {
  const int32_t* data;
  int32_t expected;
  std::vector<int32_t>* seen;
  std::atomic<int>* failures;
  uint64_t required_thread;  // 0: any
  uint64_t forbidden_thread;
};

void CheckData(void* raw) {
  const Check& check = *static_cast<Check*>(raw);
  bool good = true;
  for (size_t i = 0; i < kCount; ++i) good = good && check.data[i] == check.expected;
  const uint64_t self = CurrentThreadNumber();
  good = good && (check.required_thread == 0 || self == check.required_thread);
  good = good && self != check.forbidden_thread;
  if (!good) ++*check.failures;
  check.seen->push_back(check.expected);
}

void Count(void* raw) { ++*static_cast<std::atomic<int>*>(raw); }

struct Lane {
  aclrtStream stream;
  void* device;
  void* host;
  std::vector<std::vector<int32_t>> inputs;
  std::vector<Check> checks;
  std::vector<int32_t> seen;
};

void Open(Lane* lane, std::atomic<int>* failures, uint64_t required, uint64_t forbidden) {
  CHECK_ACL(aclrtCreateStream(&lane->stream));
  CHECK_ACL(aclrtMalloc(&lane->device, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
  CHECK_ACL(aclrtMallocHost(&lane->host, kBytes));
  for (int32_t i = 0; i < kRounds; ++i) {
    lane->inputs.push_back(std::vector<int32_t>(kCount, i));
    lane->checks.push_back(Check{static_cast<const int32_t*>(lane->host), i, &lane->seen, failures,
                                 required, forbidden});
  }
}

void CopyThrough(const Lane& lane, int round) {
  CHECK_ACL(aclrtMemcpyAsync(lane.device, kBytes, lane.inputs[round].data(), kBytes,
                             ACL_MEMCPY_HOST_TO_DEVICE, lane.stream));
  CHECK_ACL(aclrtMemcpyAsync(lane.host, kBytes, lane.device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST,
                             lane.stream));
}

bool SeenInOrder(const Lane& lane) {
  if (lane.seen.size() != static_cast<size_t>(kRounds)) return false;
  for (int32_t i = 0; i < kRounds; ++i) {
    if (lane.seen[i] != i) return false;
  }
  return true;
}

void Close(const Lane& lane) {
  CHECK_ACL(aclrtDestroyStream(lane.stream));
  CHECK_ACL(aclrtFree(lane.device));
  CHECK_ACL(aclrtFreeHost(lane.host));
}

}  // namespace

int main() {
  CHECK_ACL(aclInit(nullptr));
  CHECK_ACL(aclrtSetDevice(0));

  std::thread callback_thread(CallbackThread);
  while (g_thread_id == 0) std::this_thread::yield();
  const uint64_t thread_id = g_thread_id;
  const uint64_t main_id = CurrentThreadNumber();

  std::atomic<int> failures(0);
  std::atomic<int> counted(0);
  Lane callbacks = {};
  Lane host_functions = {};
  Open(&callbacks, &failures, thread_id, main_id);
  Open(&host_functions, &failures, 0, main_id);
  CHECK_ACL(aclrtSubscribeReport(thread_id, callbacks.stream));

  for (int i = 0; i < kRounds; ++i) {
    CopyThrough(callbacks, i);
    CHECK_ACL(aclrtLaunchCallback(Count, &counted, ACL_CALLBACK_NO_BLOCK, callbacks.stream));
    CHECK_ACL(
        aclrtLaunchCallback(CheckData, &callbacks.checks[i], ACL_CALLBACK_BLOCK, callbacks.stream));
    CopyThrough(host_functions, i);
    CHECK_ACL(aclrtLaunchHostFunc(host_functions.stream, CheckData, &host_functions.checks[i]));
    CHECK_ACL(aclrtLaunchHostFunc(host_functions.stream, Count, &counted));
  }
  CHECK_ACL(aclrtSynchronizeStream(callbacks.stream));
  CHECK_ACL(aclrtSynchronizeStream(host_functions.stream));

  g_exit = true;
  callback_thread.join();
  CHECK_ACL(aclrtUnSubscribeReport(thread_id, callbacks.stream));
  Close(callbacks);
  Close(host_functions);
  CHECK_ACL(aclrtResetDevice(0));
  CHECK_ACL(aclFinalize());

  const bool good = failures == 0 && counted == 2 * kRounds && SeenInOrder(callbacks) &&
                    SeenInOrder(host_functions);
  std::printf("%zu callbacks and %zu host functions checked data, %d counted, %d failures\n",
              callbacks.seen.size(), host_functions.seen.size(), counted.load(), failures.load());
  std::printf("%s\n", good ? "test passed" : "test FAILED");
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
