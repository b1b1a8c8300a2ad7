/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime in a C program: contexts, streams, events, callbacks, copies, kernels. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl.h"
#include "acl/acl_sim.h"

enum { kCount = 1024 };

static void expect(int holds, const char* what, int line) {
  if (holds) return;
  const char* text = aclGetRecentErrMsg();
  fprintf(stderr, "plain_c.c:%d: not so: %s\n%s\n", line, what, text != NULL ? text : "");
  exit(1);
}

#define EXPECT(condition) expect((condition), #condition, __LINE__)
#define CALL(call) expect((call) == ACL_SUCCESS, #call, __LINE__)

typedef struct AddArgs {
  int* values;
  int count;
  int summand;
} AddArgs;

/* One block adds to its share of the values. */
static int32_t add(const aclsimKernelContext* context, const void* args) {
  const AddArgs* own = (const AddArgs*)args;
  const int share = own->count / (int)context->numBlocks;
  const int begin = share * (int)context->blockIndex;
  for (int i = begin; i < begin + share; ++i) own->values[i] += own->summand;
  return 0;
}

static int32_t fail(const aclsimKernelContext* context, const void* args) {
  (void)context;
  (void)args;
  return ACL_ERROR_RT_AICORE_EXCEPTION;
}

static void launch_add(aclrtStream stream, int* values, int summand) {
  AddArgs args = {values, kCount, summand};
  aclsimMemRange range = {values, sizeof(int) * kCount, ACLSIM_ACCESS_READ | ACLSIM_ACCESS_WRITE};
  aclsimLaunch launch;
  memset(&launch, 0, sizeof launch);
  launch.size = sizeof launch;
  launch.name = "add";
  launch.kernel = add;
  launch.numBlocks = 8;
  launch.args = &args;
  launch.argsSize = sizeof args;
  launch.ranges = &range;
  launch.numRanges = 1;
  CALL(aclsimLaunchKernel(&launch, stream));
}

static void check_values(const int* values, int first) {
  for (int i = 0; i < kCount; ++i) EXPECT(values[i] == first + i);
}

/* Two streams of one device, ordered by an event; the time between its records. */
static void streams_and_events(void) {
  const size_t size = sizeof(int) * kCount;
  aclrtStream first = NULL;
  aclrtStream second = NULL;
  aclrtEvent start = NULL;
  aclrtEvent done = NULL;
  void* device = NULL;
  void* host = NULL;
  float ms = -1.0F;
  CALL(aclrtCreateStream(&first));
  CALL(aclrtCreateStream(&second));
  CALL(aclrtCreateEvent(&start));
  CALL(aclrtCreateEvent(&done));
  CALL(aclrtMalloc(&device, size, ACL_MEM_MALLOC_HUGE_FIRST));
  CALL(aclrtMallocHost(&host, size));
  for (int i = 0; i < kCount; ++i) ((int*)host)[i] = i;

  CALL(aclrtRecordEvent(start, first));
  CALL(aclrtMemcpyAsync(device, size, host, size, ACL_MEMCPY_HOST_TO_DEVICE, first));
  launch_add(first, (int*)device, 100);
  CALL(aclrtRecordEvent(done, first));
  CALL(aclrtStreamWaitEvent(second, done));
  launch_add(second, (int*)device, 1000);
  CALL(aclrtMemcpyAsync(host, size, device, size, ACL_MEMCPY_DEVICE_TO_HOST, second));
  CALL(aclrtSynchronizeStream(second));
  check_values((const int*)host, 1100);
  CALL(aclrtEventElapsedTime(&ms, start, done));
  EXPECT(ms >= 0.0F);

  CALL(aclrtFreeHost(host));
  CALL(aclrtFree(device));
  CALL(aclrtDestroyEvent(done));
  CALL(aclrtDestroyEvent(start));
  CALL(aclrtDestroyStream(second));
  CALL(aclrtDestroyStream(first));
}

/* Memory of two devices, copied between them. */
static void peers(void) {
  const size_t size = sizeof(int) * kCount;
  aclrtContext contexts[2];
  void* memory[2];
  int32_t can = 0;
  int32_t status = 0;
  int* values = (int*)malloc(size);
  for (int i = 0; i < kCount; ++i) values[i] = 7 + i;
  for (int d = 0; d < 2; ++d) {
    CALL(aclrtCreateContext(&contexts[d], d));
    CALL(aclrtMalloc(&memory[d], size, ACL_MEM_MALLOC_HUGE_FIRST_P2P));
  }
  CALL(aclrtDeviceCanAccessPeer(&can, 0, 1));
  EXPECT(can == 1);
  EXPECT(aclrtMemcpy(memory[1], size, memory[0], size, ACL_MEMCPY_DEVICE_TO_DEVICE) != ACL_SUCCESS);
  for (int d = 0; d < 2; ++d) {
    CALL(aclrtSetCurrentContext(contexts[d]));
    CALL(aclrtDeviceEnablePeerAccess(1 - d, 0));
  }
  CALL(aclrtDevicePeerAccessStatus(0, 1, &status));
  EXPECT(status == 1);

  CALL(aclrtMemcpy(memory[0], size, values, size, ACL_MEMCPY_HOST_TO_DEVICE));
  CALL(aclrtMemcpyAsync(memory[1], size, memory[0], size, ACL_MEMCPY_DEVICE_TO_DEVICE, NULL));
  launch_add(NULL, (int*)memory[1], 1);
  CALL(aclrtSynchronizeStream(NULL));
  memset(values, 0, size);
  CALL(aclrtMemcpy(values, size, memory[1], size, ACL_MEMCPY_DEVICE_TO_HOST));
  check_values(values, 8);

  for (int d = 0; d < 2; ++d) {
    CALL(aclrtSetCurrentContext(contexts[d]));
    CALL(aclrtDeviceDisablePeerAccess(1 - d));
    CALL(aclrtFree(memory[d]));
    CALL(aclrtDestroyContext(contexts[d]));
  }
  free(values);
}

static void add_one(void* counter) { ++*(int*)counter; }

/* A callback that this thread serves itself. */
static void callbacks(void) {
  const uint64_t me = (uint64_t)pthread_self();
  aclrtStream stream = NULL;
  int calls = 0;
  CALL(aclrtCreateStream(&stream));
  CALL(aclrtSubscribeReport(me, stream));
  CALL(aclrtLaunchCallback(add_one, &calls, ACL_CALLBACK_BLOCK, stream));
  CALL(aclrtProcessReport(10000));
  CALL(aclrtSynchronizeStream(stream));
  EXPECT(calls == 1);
  CALL(aclrtUnSubscribeReport(me, stream));
  CALL(aclrtDestroyStream(stream));
}

/* A task that fails is reported once. */
static void failures(void) {
  aclsimLaunch launch;
  memset(&launch, 0, sizeof launch);
  launch.size = sizeof launch;
  launch.name = "fail";
  launch.kernel = fail;
  launch.numBlocks = 1;
  CALL(aclsimLaunchKernel(&launch, NULL));
  EXPECT(aclrtSynchronizeStream(NULL) == ACL_ERROR_RT_AICORE_EXCEPTION);
  EXPECT(aclrtGetLastError(ACL_RT_THREAD_LEVEL) == ACL_ERROR_RT_AICORE_EXCEPTION);
  EXPECT(aclGetRecentErrMsg() != NULL);
  CALL(aclrtSynchronizeStream(NULL));
}

int main(void) {
  aclsimStats stats;
  CALL(aclInit(NULL));
  CALL(aclrtSetDevice(0));
  streams_and_events();
  callbacks();
  failures();
  CALL(aclrtResetDevice(0));
  peers();
  CALL(aclFinalize());

  memset(&stats, 0, sizeof stats);
  stats.size = sizeof stats;
  CALL(aclsimGetStats(&stats));
  EXPECT(stats.contexts == 0 && stats.streams == 0 && stats.events == 0);
  EXPECT(stats.deviceAllocations == 0 && stats.hostAllocations == 0);
  puts("ok");
  return 0;
}
