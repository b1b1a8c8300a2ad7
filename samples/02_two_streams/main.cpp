// SPDX-License-Identifier: Apache-2.0
//
// A producer and a consumer on two streams of one device, ordered by two events.
//
//   producer stream   produce | record full            wait drained | produce | record full ...
//   consumer stream             wait full | consume | record drained ...
//
// Tasks of one stream run in order; only an event orders tasks of different streams. A wait refers
// to the latest record at the time of the call, so an event can be used again in each round. The
// host enqueues everything at once and waits only at the end.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

#include "acl/acl.h"
#include "acl/acl_sim.h"  // aclsimLaunchKernel: kernels that are host functions

// Ends the program when a call fails, and prints the call and the reason.
#define CHECK(call) check((call), #call, __LINE__)
static void check(aclError code, const char* call, int line) {
  if (code == ACL_SUCCESS) return;
  const char* text = aclGetRecentErrMsg();
  std::fprintf(stderr, "line %d: %s gave %d: %s\n", line, call, code, text != nullptr ? text : "");
  std::exit(1);
}

static const uint32_t kRounds = 100;
static const uint32_t kCount = 16 * 1024;
static const size_t kBytes = kCount * sizeof(uint32_t);

struct Args {
  uint32_t* buffer;  // device memory, kCount numbers
  uint64_t* total;   // device memory
  uint32_t round;
};

// Fills the buffer with round, round + 1, ...
static int32_t produce(const aclsimKernelContext*, const void* raw) {
  const Args& args = *static_cast<const Args*>(raw);
  for (uint32_t i = 0; i < kCount; ++i) args.buffer[i] = args.round + i;
  return 0;
}

// Adds the buffer to the total.
static int32_t consume(const aclsimKernelContext*, const void* raw) {
  const Args& args = *static_cast<const Args*>(raw);
  for (uint32_t i = 0; i < kCount; ++i) *args.total += args.buffer[i];
  return 0;
}

// The ranges declare the kernel's accesses to tools. The call copies the arguments.
static void launch(const char* name, aclsimKernel kernel, const Args& args, aclrtStream stream) {
  const bool writes = kernel == produce;
  const aclsimMemRange ranges[] = {
      {args.buffer, kBytes, writes ? ACLSIM_ACCESS_WRITE : ACLSIM_ACCESS_READ},
      {args.total, sizeof(uint64_t), ACLSIM_ACCESS_READ | ACLSIM_ACCESS_WRITE}};
  aclsimLaunch launch = {};
  launch.size = sizeof(launch);
  launch.name = name;
  launch.kernel = kernel;
  launch.numBlocks = 1;
  launch.args = &args;
  launch.argsSize = sizeof(args);
  launch.ranges = ranges;
  launch.numRanges = writes ? 1 : 2;
  CHECK(aclsimLaunchKernel(&launch, stream));
}

int main() {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  void* buffer = nullptr;
  void* total = nullptr;
  CHECK(aclrtMalloc(&buffer, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMalloc(&total, sizeof(uint64_t), ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMemset(total, sizeof(uint64_t), 0, sizeof(uint64_t)));

  aclrtStream producer = nullptr;
  aclrtStream consumer = nullptr;
  CHECK(aclrtCreateStream(&producer));
  CHECK(aclrtCreateStream(&consumer));
  aclrtEvent full = nullptr;
  aclrtEvent drained = nullptr;
  aclrtEvent start = nullptr;
  aclrtEvent end = nullptr;
  for (aclrtEvent* event : {&full, &drained, &start, &end}) CHECK(aclrtCreateEvent(event));

  CHECK(aclrtRecordEvent(start, consumer));
  uint64_t expected = 0;
  for (uint32_t round = 0; round < kRounds; ++round) {
    const Args args = {static_cast<uint32_t*>(buffer), static_cast<uint64_t*>(total), round};
    if (round > 0) CHECK(aclrtStreamWaitEvent(producer, drained));
    launch("produce", produce, args, producer);
    CHECK(aclrtRecordEvent(full, producer));

    CHECK(aclrtStreamWaitEvent(consumer, full));
    launch("consume", consume, args, consumer);
    CHECK(aclrtRecordEvent(drained, consumer));
    expected += uint64_t{kCount} * round + uint64_t{kCount} * (kCount - 1) / 2;
  }
  CHECK(aclrtRecordEvent(end, consumer));
  CHECK(aclrtSynchronizeStream(consumer));  // its last task depends on all other tasks

  float ms = 0;
  uint64_t sum = 0;
  CHECK(aclrtEventElapsedTime(&ms, start, end));
  CHECK(aclrtMemcpy(&sum, sizeof(sum), total, sizeof(sum), ACL_MEMCPY_DEVICE_TO_HOST));
  std::printf("%u rounds of %u numbers in %.3f ms between the two events\n", kRounds, kCount, ms);
  std::printf("sum %llu, expected %llu: %s\n", static_cast<unsigned long long>(sum),
              static_cast<unsigned long long>(expected), sum == expected ? "ok" : "WRONG");

  for (aclrtEvent event : {full, drained, start, end}) CHECK(aclrtDestroyEvent(event));
  for (aclrtStream stream : {producer, consumer}) CHECK(aclrtDestroyStream(stream));
  for (void* memory : {buffer, total}) CHECK(aclrtFree(memory));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return sum == expected && ms >= 0 ? 0 : 1;
}
