// SPDX-License-Identifier: Apache-2.0
//
// A kernel fails, and the program is notified in two ways: an exception callback names the task at
// once, and the next synchronise of the stream returns the code, once. In the mode
// ACL_CONTINUE_ON_FAILURE (the default) the tasks after the failed one still run.
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>

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

static void expect(bool condition, const char* what) {
  std::printf("%-50s %s\n", what, condition ? "ok" : "WRONG");
  if (!condition) std::exit(1);
}

struct Report {
  uint32_t task, stream, thread, device, code;
};

static std::mutex mutex;
static std::condition_variable arrived;
static int reports = 0;
static Report report = {};

// Runs in a thread of the runtime; `info` is valid only during the call, so copy what is needed.
static void on_exception(aclrtExceptionInfo* info) {
  const std::lock_guard<std::mutex> lock(mutex);
  report.task = aclrtGetTaskIdFromExceptionInfo(info);
  report.stream = aclrtGetStreamIdFromExceptionInfo(info);
  report.thread = aclrtGetThreadIdFromExceptionInfo(info);
  report.device = aclrtGetDeviceIdFromExceptionInfo(info);
  report.code = aclrtGetErrorCodeFromExceptionInfo(info);
  ++reports;
  arrived.notify_one();
}

struct Args {
  uint32_t* counter;  // device memory
};

static int32_t increment(const aclsimKernelContext*, const void* raw) {
  ++*static_cast<const Args*>(raw)->counter;
  return 0;
}

static int32_t broken(const aclsimKernelContext*, const void*) {
  return ACL_ERROR_RT_AICORE_EXCEPTION;  // as if the kernel had accessed a wrong address
}

static void launch(const char* name, aclsimKernel kernel, const Args& args, aclrtStream stream) {
  const aclsimMemRange range = {args.counter, sizeof(uint32_t),
                                ACLSIM_ACCESS_READ | ACLSIM_ACCESS_WRITE};
  aclsimLaunch launch = {};
  launch.size = sizeof(launch);
  launch.name = name;
  launch.kernel = kernel;
  launch.numBlocks = 1;
  launch.args = &args;
  launch.argsSize = sizeof(args);
  launch.ranges = &range;
  launch.numRanges = 1;
  CHECK(aclsimLaunchKernel(&launch, stream));
}

int main() {
  CHECK(aclInit(nullptr));
  CHECK(aclrtExceptionInfoCallbackRegister(on_exception));
  CHECK(aclrtSetDevice(0));
  void* counter = nullptr;
  CHECK(aclrtMalloc(&counter, sizeof(uint32_t), ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMemset(counter, sizeof(uint32_t), 0, sizeof(uint32_t)));
  aclrtStream stream = nullptr;
  CHECK(aclrtCreateStream(&stream));
  CHECK(aclrtSetStreamFailureMode(stream, ACL_CONTINUE_ON_FAILURE));
  int32_t stream_id = -1;
  CHECK(aclrtStreamGetId(stream, &stream_id));

  const Args args = {static_cast<uint32_t*>(counter)};
  launch("increment", increment, args, stream);
  launch("broken", broken, args, stream);
  launch("increment", increment, args, stream);

  // A launch only enqueues. A synchronise reports later failures on the device.
  const aclError first = aclrtSynchronizeStream(stream);
  aclrtGetLastError(ACL_RT_THREAD_LEVEL);  // the failure is expected
  const aclError second = aclrtSynchronizeStream(stream);
  expect(first == ACL_ERROR_RT_AICORE_EXCEPTION, "the first synchronise reports 507015");
  expect(second == ACL_SUCCESS, "the second one is clean again");

  {
    std::unique_lock<std::mutex> lock(mutex);
    arrived.wait_for(lock, std::chrono::seconds(10), [] { return reports > 0; });
    std::printf("exception: task %u, stream %u, thread %u, device %u, code %u\n", report.task,
                report.stream, report.thread, report.device, report.code);
    expect(reports == 1, "the callback ran once");
    expect(report.stream == static_cast<uint32_t>(stream_id) && report.device == 0,
           "it names the stream and the device");
    expect(report.code == ACL_ERROR_RT_AICORE_EXCEPTION, "and the code");
  }

  uint32_t value = 0;
  CHECK(aclrtMemcpy(&value, sizeof(value), counter, sizeof(value), ACL_MEMCPY_DEVICE_TO_HOST));
  expect(value == 2, "both increments ran, before and after the failure");

  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtFree(counter));
  CHECK(aclrtResetDevice(0));
  CHECK(aclrtExceptionInfoCallbackUnregister(on_exception));
  CHECK(aclFinalize());
  return 0;
}
