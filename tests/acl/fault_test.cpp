// SPDX-License-Identifier: Apache-2.0
// Faults on demand: what a program sees of each kind, and what is said about them.
#include <cstdio>

#include "acl/acl_rt_memory_soma.h"
#include "tests/acl/virtual_memory.h"
#include "tests/acl/world.h"
#include "tests/support/child.h"
#include "tests/support/temp_dir.h"

using namespace world;
using catch_compat::ContainsSubstring;

#define CHILD_OK(call) CHILD_EXPECT_CODE(call, ACL_SUCCESS)

namespace {

support::ChildResult run_with(const char* faults, const char* program,
                              support::Environment more = {}) {
  more.emplace_back("ACLSIM_FAULTS", faults);
  return support::run_child(program, more);
}

void expect_clean(const support::ChildResult& child, const char* said) {
  INFO(child.output);
  CHECK(child.clean());
  CHECK_THAT(child.output, ContainsSubstring(said));
}

// ---- words for child programs ----

bool said(const char* words) { return recent_message().find(words) != std::string::npos; }

std::int32_t add_one_to_word(const aclsimKernelContext*, const void* args) {
  std::atomic<int>* count = nullptr;
  std::memcpy(&count, args, sizeof count);
  ++*count;
  return 0;
}

aclError launch_named(const char* name, std::atomic<int>& count, aclrtStream stream = nullptr) {
  std::atomic<int>* const pointer = &count;
  aclsimLaunch launch = {};
  launch.size = sizeof launch;
  launch.name = name;
  launch.kernel = add_one_to_word;
  launch.numBlocks = 1;
  launch.args = &pointer;
  launch.argsSize = sizeof pointer;
  return aclsimLaunchKernel(&launch, stream);
}

/// Pinned host memory and device memory of a page each.
struct Buffers {
  static constexpr std::size_t kSize = 4096;
  void* host = nullptr;
  void* device = nullptr;
  Buffers() {
    CHILD_OK(aclrtMallocHost(&host, kSize));
    CHILD_OK(aclrtMalloc(&device, kSize, ACL_MEM_MALLOC_HUGE_FIRST));
    std::memset(host, 7, kSize);
  }
  aclError upload(aclrtStream stream = nullptr) const {
    return aclrtMemcpyAsync(device, kSize, host, kSize, ACL_MEMCPY_HOST_TO_DEVICE, stream);
  }
  aclError download_now() const {
    return aclrtMemcpy(host, kSize, device, kSize, ACL_MEMCPY_DEVICE_TO_HOST);
  }
};

std::atomic<int> exceptions{0};
std::atomic<std::uint32_t> exception_code{0};
std::atomic<std::uint32_t> exception_task{0};
std::atomic<std::uint32_t> exception_device{77};

void note_exception(aclrtExceptionInfo* info) {
  exception_code = aclrtGetErrorCodeFromExceptionInfo(info);
  exception_task = aclrtGetTaskIdFromExceptionInfo(info);
  exception_device = aclrtGetDeviceIdFromExceptionInfo(info);
  ++exceptions;
}

aclrtErrorInfo planned_fault_of(int device) {
  aclrtErrorInfo info{};
  CHILD_OK(aclrtGetErrorVerbose(device, &info));
  return info;
}

}  // namespace

// ---- calls and resources ------------------------------------------------------------------------

CHILD_PROGRAM(second_stream_fails) {
  CHILD_OK(aclrtSetDevice(0));
  aclrtStream streams[3] = {};
  CHILD_OK(aclrtCreateStream(&streams[0]));
  CHILD_EXPECT_CODE(aclrtCreateStream(&streams[1]), ACL_ERROR_RT_NO_STREAM_RESOURCE);
  CHILD_EXPECT(aclrtGetLastError(ACL_RT_THREAD_LEVEL) == ACL_ERROR_RT_NO_STREAM_RESOURCE);
  CHILD_EXPECT(said("injected by fault 1 ("));
  CHILD_OK(aclrtCreateStream(&streams[2]));
  CHILD_EXPECT(stats().injectedFaults == 1);
  return 0;
}

TEST_CASE(
    "a call that a fault names returns its code, once, and the text says that it was injected") {
  expect_clean(run_with("call,call=aclrtCreateStream,code=207008,nth=2", "second_stream_fails"),
               "aclsim: 1 of 1 configured faults fired");
  expect_clean(run_with("no-stream,nth=2", "second_stream_fails"),
               "aclsim: fault 1 (no-stream,nth=2): fired once; what it names came 3 times");
}

CHILD_PROGRAM(run_out_of_things) {
  CHILD_OK(aclrtSetDevice(0));
  void* memory = &memory;
  CHILD_EXPECT_CODE(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST),
                    ACL_ERROR_RT_MEMORY_ALLOCATION);
  CHILD_EXPECT(memory == nullptr);
  CHILD_OK(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  aclrtEvent event = nullptr;
  CHILD_OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
  CHILD_EXPECT_CODE(aclrtCreateEvent(&event), ACL_ERROR_RT_NO_EVENT_RESOURCE);
  CHILD_OK(aclrtCreateEvent(&event));
  aclrtNotify notify = nullptr;
  CHILD_EXPECT_CODE(aclrtCreateNotify(&notify, 0), ACL_ERROR_RT_NO_NOTIFY_RESOURCE);
  CHILD_OK(aclrtCreateNotify(&notify, 0));
  return 0;
}

TEST_CASE("memory, events and notifies run out when a fault says so") {
  expect_clean(run_with("alloc;no-event;no-notify", "run_out_of_things"),
               "3 of 3 configured faults fired");
}

CHILD_PROGRAM(pinned_memory_fails) {
  CHILD_OK(aclrtSetDevice(0));
  void* memory = nullptr;
  CHILD_OK(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  for (int i = 0; i < 2; ++i) {
    CHILD_EXPECT_CODE(aclrtMallocHost(&memory, 64), ACL_ERROR_RT_MEMORY_ALLOCATION);
  }
  CHILD_OK(aclrtMallocHost(&memory, 64));
  return 0;
}

TEST_CASE("an allocation can be chosen by the call that makes it") {
  expect_clean(run_with("alloc,call=aclrtMallocHost,times=2", "pinned_memory_fails"),
               "fired 2 times; what it names came 3 times");
}

CHILD_PROGRAM(physical_memory_and_pools_fail) {
  CHILD_OK(aclrtSetDevice(0));
  const aclrtPhysicalMemProp physical = on_device(0);
  aclrtDrvMemHandle handle = nullptr;
  CHILD_EXPECT_CODE(aclrtMallocPhysical(&handle, 2 << 20, &physical, 0),
                    ACL_ERROR_RT_MEMORY_ALLOCATION);
  aclrtMemPoolProps props{};
  props.allocType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  props.handleType = ACL_MEM_HANDLE_TYPE_NONE;
  props.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
  aclrtMemPool pool = nullptr;
  aclrtStream stream = nullptr;
  void* memory = nullptr;
  CHILD_OK(aclrtCreateStream(&stream));
  CHILD_OK(aclrtMemPoolCreate(&pool, &props));
  CHILD_EXPECT_CODE(aclrtMemPoolMallocAsync(&memory, 64, pool, stream),
                    ACL_ERROR_RT_MEMORY_ALLOCATION);
  CHILD_OK(aclrtMemPoolMallocAsync(&memory, 64, pool, stream));
  return 0;
}

TEST_CASE("physical memory and memory pools run out too") {
  expect_clean(run_with("alloc,times=2", "physical_memory_and_pools_fail"), "fired 2 times");
}

CHILD_PROGRAM(device_one_has_no_memory) {
  void* memory = nullptr;
  CHILD_OK(aclrtSetDevice(0));
  CHILD_OK(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  CHILD_OK(aclrtSetDevice(1));
  CHILD_EXPECT_CODE(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST),
                    ACL_ERROR_RT_MEMORY_ALLOCATION);
  return 0;
}

TEST_CASE("a fault keeps to its device, by the number that the program gives it") {
  expect_clean(run_with("alloc,device=1", "device_one_has_no_memory"), "fired once");
  expect_clean(run_with("alloc,device=1", "device_one_has_no_memory",
                        {{"ASCEND_RT_VISIBLE_DEVICES", "2,5"}}),
               "fired once");
}

// ---- kernels and other tasks --------------------------------------------------------------------

CHILD_PROGRAM(second_kernel_fails) {
  CHILD_OK(aclrtSetDevice(0));
  CHILD_OK(aclrtSetExceptionInfoCallback(note_exception));
  std::atomic<int> first{0};
  std::atomic<int> second{0};
  std::atomic<int> third{0};
  CHILD_OK(launch_named("add_first", first));
  CHILD_OK(launch_named("add_second", second));
  CHILD_OK(launch_named("third", third));
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_AICORE_EXCEPTION);
  CHILD_EXPECT(said("the kernel failed; injected by fault 1 (kernel,name=add_*,nth=2)"));
  CHILD_EXPECT(first == 1 && second == 0 && third == 1);
  CHILD_EXPECT(exceptions == 1 && exception_code == ACL_ERROR_RT_AICORE_EXCEPTION);
  CHILD_EXPECT(planned_fault_of(0).errorType == ACL_RT_ERROR_AICORE);
  CHILD_OK(aclrtSynchronizeStream(nullptr));
  return 0;
}

TEST_CASE("a kernel fails late, is told of, and those behind it run") {
  expect_clean(run_with("kernel,name=add_*,nth=2", "second_kernel_fails"),
               "fired once; what it names came 2 times");
}

CHILD_PROGRAM(stop_at_the_failure) {
  CHILD_OK(aclrtSetDevice(0));
  CHILD_OK(aclrtSetStreamFailureMode(nullptr, ACL_STOP_ON_FAILURE));
  std::atomic<int> count{0};
  (void)launch_named("first", count);
  (void)launch_named("second", count);
  for (int i = 0; i < 2; ++i) {
    CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
    CHILD_EXPECT(said("injected by fault 1 ("));
  }
  CHILD_EXPECT(count == 0);
  return 0;
}

TEST_CASE("a stream that stops on failure stops at an injected one, with its context") {
  expect_clean(run_with("kernel,code=507035", "stop_at_the_failure"), "fired once");
}

CHILD_PROGRAM(any_task_fails) {
  CHILD_OK(aclrtSetDevice(0));
  const Buffers buffers;
  CHILD_OK(aclrtMemsetAsync(buffers.device, 64, 1, 64, nullptr));
  CHILD_OK(buffers.upload());
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_SYS_DMA);
  CHILD_OK(buffers.download_now());
  CHILD_EXPECT(buffers.host != nullptr && *static_cast<char*>(buffers.host) == 1);
  return 0;
}

TEST_CASE("a task of any kind fails with the code that is asked for") {
  expect_clean(run_with("task,op=copy,code=507013", "any_task_fails"), "fired once");
}

CHILD_PROGRAM(third_replay_fails) {
  CHILD_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  CHILD_OK(aclrtCreateStream(&stream));
  std::atomic<int> count{0};
  CHILD_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
  CHILD_OK(launch_named("replayed", count, stream));
  aclmdlRI model = nullptr;
  CHILD_OK(aclmdlRICaptureEnd(stream, &model));
  for (int run = 1; run <= 4; ++run) {
    CHILD_OK(aclmdlRIExecuteAsync(model, stream));
    const aclError code = aclrtSynchronizeStream(stream);
    CHILD_EXPECT((code != ACL_SUCCESS) == (run == 3));
  }
  CHILD_EXPECT(count == 3);
  return 0;
}

TEST_CASE("the tasks of a graph are struck at any of its runs") {
  expect_clean(run_with("kernel,name=replayed,nth=3", "third_replay_fails"),
               "fired once; what it names came 4 times");
}

// ---- slow and stuck -----------------------------------------------------------------------------

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

// ---- links, memory, devices, threads ------------------------------------------------------------

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

CHILD_PROGRAM(a_report_thread_dies) {
  CHILD_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  CHILD_OK(aclrtCreateStream(&stream));
  std::atomic<std::uint64_t> id{0};
  std::atomic<aclError> last{ACL_SUCCESS};
  std::thread server([&] {
    id = this_thread_id();
    // Before the subscription it serves no stream either.
    while (aclrtProcessReport(10) == ACL_ERROR_RT_THREAD_SUBSCRIBE) {
    }
    while (last != ACL_ERROR_RT_THREAD_SUBSCRIBE) last = aclrtProcessReport(10'000);
  });
  CHILD_EXPECT(eventually([&] { return id != 0; }));
  CHILD_OK(aclrtSubscribeReport(id, stream));
  std::atomic<int> count{0};
  const auto callback = [](void* data) { ++*static_cast<std::atomic<int>*>(data); };
  for (int i = 0; i < 3; ++i) {
    CHILD_OK(aclrtLaunchCallback(callback, &count, ACL_CALLBACK_BLOCK, stream));
  }
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_INTERNAL_ERROR);
  CHILD_EXPECT(said("the thread that runs host functions is gone; injected by fault 1 ("));
  CHILD_EXPECT(count == 1);
  // Who holds no stream fails as well.
  CHILD_OK(aclrtLaunchCallback(callback, &count, ACL_CALLBACK_NO_BLOCK, stream));
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_INTERNAL_ERROR);
  CHILD_EXPECT(said("the thread that runs host functions is gone; injected by fault 1 ("));
  CHILD_EXPECT(count == 1);
  server.join();
  CHILD_OK(aclrtUnSubscribeReport(id, stream));
  ReportThread other;
  CHILD_OK(aclrtSubscribeReport(other.id(), stream));
  CHILD_OK(aclrtLaunchCallback(callback, &count, ACL_CALLBACK_BLOCK, stream));
  CHILD_OK(aclrtSynchronizeStream(stream));
  CHILD_EXPECT(count == 2);
  other.stop();
  return 0;
}

TEST_CASE("when a report thread is gone its callbacks fail, until another one is subscribed") {
  expect_clean(run_with("callback-dies,nth=2", "a_report_thread_dies"), "fired once");
}

CHILD_PROGRAM(the_runtimes_thread_dies) {
  CHILD_OK(aclrtSetDevice(0));
  std::atomic<int> count{0};
  const auto function = [](void* data) { ++*static_cast<std::atomic<int>*>(data); };
  for (const int code : {ACL_SUCCESS, ACL_ERROR_RT_INTERNAL_ERROR, ACL_ERROR_RT_INTERNAL_ERROR}) {
    CHILD_OK(aclrtLaunchHostFunc(nullptr, function, &count));
    CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), code);
    // The one that the fault struck and all later ones say so.
    if (code != ACL_SUCCESS) CHILD_EXPECT(said("host functions is gone; injected by fault 1 ("));
  }
  CHILD_EXPECT(count == 1);
  CHILD_OK(aclrtResetDevice(0));
  CHILD_OK(aclrtSetDevice(0));
  CHILD_OK(aclrtLaunchHostFunc(nullptr, function, &count));
  CHILD_OK(aclrtSynchronizeStream(nullptr));
  CHILD_EXPECT(count == 2);
  return 0;
}

TEST_CASE("when the runtime's thread for host functions is gone they fail up to the context's end") {
  expect_clean(run_with("callback-dies,nth=2", "the_runtimes_thread_dies"), "fired once");
}

// ---- chance -------------------------------------------------------------------------------------

CHILD_PROGRAM(which_kernels_fail) {
  CHILD_OK(aclrtSetDevice(0));
  std::atomic<int> count{0};
  std::string pattern;
  for (int i = 0; i < 64; ++i) {
    CHILD_OK(launch_named("kernel", count));
    pattern += aclrtSynchronizeStream(nullptr) == ACL_SUCCESS ? '.' : 'x';
  }
  std::printf("%s\n", pattern.c_str());
  std::fflush(stdout);  // before what is said at exit
  return 0;
}

TEST_CASE("chance strikes the same tasks for the same seed") {
  const auto pattern = [](const char* faults, const char* seed) {
    const auto child = run_with(faults, "which_kernels_fail",
                                {{"ACLSIM_SCHEDULE", "seeded"}, {"ACLSIM_SEED", seed}});
    REQUIRE(child.clean());
    return child.output.substr(0, 64);
  };
  const std::string first = pattern("kernel,probability=0.5", "1");
  CHECK(first.find('x') != std::string::npos);
  CHECK(first.find('.') != std::string::npos);
  CHECK(pattern("kernel,probability=0.5", "1") == first);
  CHECK(pattern("kernel,probability=0.5", "2") != first);
  CHECK(pattern("kernel,probability=0.5,seed=1", "2") == first);
}

// ---- how faults are asked for, and what is said -------------------------------------------------

CHILD_PROGRAM(one_kernel) {
  CHILD_OK(aclrtSetDevice(0));
  std::atomic<int> count{0};
  CHILD_OK(launch_named("kernel", count));
  std::printf("code %d\n", aclrtSynchronizeStream(nullptr));
  std::fflush(stdout);
  return 0;
}

TEST_CASE("faults of the file and of the environment add up, and each is told of at exit") {
  const support::TempDir dir;
  const std::string file = dir.write(
      "machine.toml",
      "[machine]\ndevices = 2\n[[fault]]\nkind = \"kernel\"\nnth = 2\n[[fault]]\nkind = \"ecc\"\n"
      "device = 1\n");
  const auto child = run_with("kernel,name=ker*", "one_kernel", {{"ACLSIM_CONFIG", file}});
  INFO(child.output);
  CHECK(child.clean());
  for (const char* line :
       {"code 507015\n", "aclsim: 1 of 3 configured faults fired\n",
        "aclsim: fault 1 (kernel,nth=2): NEVER FIRED; what it names came once\n",
        "aclsim: fault 2 (ecc,device=1): NEVER FIRED; nothing that it names came\n",
        "aclsim: fault 3 (kernel,name=ker*): fired once; what it names came once\n"}) {
    CHECK_THAT(child.output, ContainsSubstring(line));
  }
}

TEST_CASE("without faults nothing fails and nothing is said") {
  const auto child = run_with("", "one_kernel");
  CHECK(child.clean());
  CHECK(child.output == "code 0\n");
}

TEST_CASE("a fault that fires leaves a mark in the timeline") {
  const support::TempDir dir;
  const auto child =
      run_with("kernel", "one_kernel", {{"ACLSIM_TIMELINE", (dir.path() / "run.json").string()}});
  REQUIRE(child.clean());
  CHECK_THAT(dir.read("run.json"), ContainsSubstring(R"("cat":"mark","name":"fault 1: kernel")"));
}

CHILD_PROGRAM(no_machine) {
  CHILD_EXPECT_CODE(aclInit(nullptr), ACL_ERROR_INVALID_PARAM);
  return 0;
}

TEST_CASE("a fault that cannot be understood is named where it stands, with what is allowed") {
  expect_clean(run_with("kernle", "no_machine"),
               "ACLSIM_FAULTS: fault 'kernle': 'kernle' is not a kind");
  expect_clean(run_with("call,call=aclrtMaloc,code=1", "no_machine"),
               "call: 'aclrtMaloc' is not a function");
  const support::TempDir dir;
  struct Mistake {
    const char* text;
    const char* said;
  };
  const auto mistake = GENERATE(
      Mistake{"\n[[fault]]\nkind = \"kernel\"\nnht = 1\n", "machine.toml:2: fault: "},
      Mistake{"[[fault]]\nnth = 1\n", "'' is not a kind of fault"},
      Mistake{"[[fault]]\nkind = [1]\n", "machine.toml:2: fault.kind: expected a text or a number"},
      Mistake{"fault = 3\n", "expected tables, each begun by [[fault]]"});
  const std::string file = dir.write("machine.toml", mistake.text);
  expect_clean(run_with("", "no_machine", {{"ACLSIM_CONFIG", file}}), mistake.said);
}

TEST_CASE("specs can be checked without a machine") {
  REQUIRE_ACL(aclsimCheckFaults("kernel,nth=3;alloc,device=1"));
  CHECK_CODE(aclsimCheckFaults("kernel,nth=0"), ACL_ERROR_INVALID_PARAM);
  CHECK_THAT(recent_message(), ContainsSubstring("nth: '0' is not valid"));
  CHECK_CODE(aclsimCheckFaults(nullptr), ACL_ERROR_INVALID_PARAM);
}
