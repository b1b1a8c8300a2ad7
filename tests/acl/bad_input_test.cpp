// SPDX-License-Identifier: Apache-2.0
// Every function of the core with everything a program may get wrong: one row for each mistake.
#include <initializer_list>

#include "acl/ops/acl_dvpp.h"
#include "tests/acl/world.h"

using namespace world;

namespace {

constexpr aclError kParam = ACL_ERROR_INVALID_PARAM;
constexpr aclError kRtParam = ACL_ERROR_RT_PARAM_INVALID;
constexpr aclError kHandle = ACL_ERROR_RT_INVALID_HANDLE;
constexpr aclError kNoContext = ACL_ERROR_RT_CONTEXT_NULL;
constexpr aclError kNoDevice = ACL_ERROR_RT_INVALID_DEVICEID;
constexpr aclError kUnsupported = ACL_ERROR_RT_FEATURE_NOT_SUPPORT;

void ignored(void*) {}

aclError launch_kernel(aclrtStream stream) {
  return try_launch(stream, [] {});
}

template <class T>
T* made_up(std::uintptr_t value) {
  return reinterpret_cast<T*>(value);
}

struct Row {
  const char* what;
  std::function<aclError()> call;
  aclError code;
};

// Makes every call; each failure must leave a text, and the machine as it was.
void check(std::initializer_list<Row> rows) {
  const aclsimStats before = stats();
  for (const Row& row : rows) {
    aclGetRecentErrMsg();
    INFO(row.what);
    CHECK(row.call() == row.code);
    if (row.code != ACL_SUCCESS) CHECK_FALSE(recent_message().empty());
  }
  const aclsimStats after = stats();
  CHECK(after.streams == before.streams);
  CHECK(after.events == before.events);
  CHECK(after.contexts == before.contexts);
  CHECK(after.deviceAllocations == before.deviceAllocations);
  CHECK(after.hostAllocations == before.hostAllocations);
  CHECK(after.subscriptions == before.subscriptions);
}

#define ROW(call, code)                             \
  Row {                                             \
#call, [&]() -> aclError { return call; }, code \
  }

// Addresses on a program's stack and heap, and arbitrary numbers; none of them is a handle.
struct Garbage {
  int on_stack[16] = {};
  std::unique_ptr<char[]> on_heap = std::make_unique<char[]>(4096);
  std::vector<void*> all() {
    return {made_up<void>(0xFFFF),
            made_up<void>(1),
            made_up<void>(8),
            made_up<void>(~std::uintptr_t{0}),
            on_stack,
            on_heap.get(),
            on_heap.get() + 1,
            reinterpret_cast<void*>(&launch_kernel)};
  }
};

void refuse_null_contexts() {
  check({
      ROW(aclrtGetDevice(nullptr), kParam),
      ROW(aclrtGetDeviceCount(nullptr), kParam),
      ROW(aclrtGetRunMode(nullptr), kParam),
      ROW(aclrtGetVersion(nullptr, nullptr, nullptr), kParam),
      ROW(aclrtCreateContext(nullptr, 0), kParam),
      ROW(aclrtDestroyContext(nullptr), kParam),
      ROW(aclrtSetCurrentContext(nullptr), kParam),
      ROW(aclrtGetCurrentContext(nullptr), kParam),
      ROW(aclrtCtxGetCurrentDefaultStream(nullptr), kParam),
  });
}

void refuse_null_streams(aclrtStream stream) {
  aclrtStreamStatus stream_status{};
  check({
      ROW(aclrtCreateStream(nullptr), kParam),
      ROW(aclrtCreateStreamWithConfig(nullptr, 0, 0), kParam),
      ROW(aclrtDestroyStream(nullptr), kParam),
      ROW(aclrtDestroyStreamForce(nullptr), kParam),
      ROW(aclrtStreamQuery(stream, nullptr), kParam),
      ROW(aclrtStreamQuery(nullptr, &stream_status), ACL_SUCCESS),
      ROW(aclrtSynchronizeStream(nullptr), ACL_SUCCESS),
      ROW(aclrtStreamStop(nullptr), kRtParam),
  });
}

void refuse_null_events(aclrtStream stream, aclrtEvent event) {
  float ms = 0;
  aclrtEventStatus event_status{};
  aclrtEventRecordedStatus recorded_status{};
  aclrtEventWaitStatus wait_status{};
  std::uint64_t timestamp = 0;
  check({
      ROW(aclrtCreateEvent(nullptr), kParam),
      ROW(aclrtCreateEventWithFlag(nullptr, ACL_EVENT_SYNC), kParam),
      ROW(aclrtCreateEventExWithFlag(nullptr, ACL_EVENT_SYNC), kParam),
      ROW(aclrtDestroyEvent(nullptr), kParam),
      ROW(aclrtRecordEvent(nullptr, stream), kParam),
      ROW(aclrtRecordEvent(nullptr, nullptr), kParam),
      ROW(aclrtResetEvent(nullptr, stream), kParam),
      ROW(aclrtQueryEvent(nullptr, &event_status), kParam),
      ROW(aclrtQueryEvent(event, nullptr), kParam),
      ROW(aclrtQueryEventStatus(nullptr, &recorded_status), kParam),
      ROW(aclrtQueryEventStatus(event, nullptr), kParam),
      ROW(aclrtQueryEventWaitStatus(nullptr, &wait_status), kParam),
      ROW(aclrtQueryEventWaitStatus(event, nullptr), kParam),
      ROW(aclrtSynchronizeEvent(nullptr), kParam),
      ROW(aclrtStreamWaitEvent(stream, nullptr), kParam),
      ROW(aclrtStreamWaitEvent(nullptr, nullptr), kParam),
      ROW(aclrtStreamWaitEventWithTimeout(stream, nullptr, 1), kRtParam),
      ROW(aclrtEventElapsedTime(nullptr, event, event), kParam),
      ROW(aclrtEventElapsedTime(&ms, nullptr, event), kParam),
      ROW(aclrtEventElapsedTime(&ms, event, nullptr), kParam),
      ROW(aclrtEventGetTimestamp(nullptr, &timestamp), kParam),
      ROW(aclrtEventGetTimestamp(event, nullptr), kParam),
      ROW(aclrtGetEventId(event, nullptr), kParam),
  });
}

void refuse_null_callbacks(aclrtStream stream) {
  check({
      ROW(aclrtLaunchCallback(nullptr, nullptr, ACL_CALLBACK_BLOCK, stream), kRtParam),
      ROW(aclrtLaunchHostFunc(stream, nullptr, nullptr), kRtParam),
      ROW(aclrtProcessReport(0), kParam),
      ROW(aclrtProcessHostFunc(0), kRtParam),
      ROW(aclrtSubscribeHostFunc(1, nullptr), kRtParam),
  });
}

void refuse_null_memory(aclrtStream stream) {
  const DeviceMemory memory(64);
  const HostMemory host(64);
  std::size_t free = 0;
  void* pointer = nullptr;
  aclrtPtrAttributes attributes{};
  check({
      ROW(aclrtMalloc(nullptr, 64, ACL_MEM_MALLOC_HUGE_FIRST), kParam),
      ROW(aclrtMalloc(&pointer, 0, ACL_MEM_MALLOC_HUGE_FIRST), kParam),
      ROW(aclrtMallocAlign32(nullptr, 64, ACL_MEM_MALLOC_HUGE_FIRST), kParam),
      ROW(aclrtMallocAlign32(&pointer, 0, ACL_MEM_MALLOC_HUGE_FIRST), kParam),
      ROW(acldvppMalloc(nullptr, 64), kParam),
      ROW(acldvppMalloc(&pointer, 0), kParam),
      ROW(acldvppMalloc(&pointer, SIZE_MAX), kParam),
      ROW(acldvppFree(nullptr), kParam),
      ROW(aclsimRefuse(nullptr, "feature"), kParam),
      ROW(aclsimRefuse("function", nullptr), kParam),
      ROW(aclsimRefuse("function", "feature"), kUnsupported),
      ROW(aclsimReportError(nullptr, 1, "text"), kParam),
      ROW(aclsimReportError("function", 1, nullptr), kParam),
      ROW(aclrtMallocHost(nullptr, 64), kParam),
      ROW(aclrtMallocHost(&pointer, 0), kParam),
      ROW(aclrtFree(nullptr), kParam),
      ROW(aclrtFreeHost(nullptr), kParam),
      ROW(aclrtFreeWithDevSync(nullptr), kParam),
      ROW(aclrtFreeHostWithDevSync(nullptr), kParam),
      ROW(aclrtMemcpy(nullptr, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE), kParam),
      ROW(aclrtMemcpy(memory, 64, nullptr, 64, ACL_MEMCPY_HOST_TO_DEVICE), kParam),
      ROW(aclrtMemcpy(nullptr, 0, nullptr, 0, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS),
      ROW(aclrtMemcpyAsync(nullptr, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream), kParam),
      ROW(aclrtMemcpyAsync(memory, 64, nullptr, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream), kParam),
      ROW(aclrtMemcpyAsync(nullptr, 0, nullptr, 0, ACL_MEMCPY_DEFAULT, stream), ACL_SUCCESS),
      ROW(aclrtMemset(nullptr, 64, 0, 64), kParam),
      ROW(aclrtMemset(nullptr, 0, 0, 0), ACL_SUCCESS),
      ROW(aclrtMemsetAsync(nullptr, 64, 0, 64, stream), kParam),
      ROW(aclrtMemsetAsync(nullptr, 0, 0, 0, stream), ACL_SUCCESS),
      ROW(aclrtGetMemInfo(ACL_HBM_MEM, nullptr, &free), kParam),
      ROW(aclrtGetMemInfo(ACL_HBM_MEM, &free, nullptr), kParam),
      ROW(aclrtPointerGetAttributes(memory, nullptr), kParam),
      ROW(aclrtPointerGetAttributes(nullptr, &attributes), kParam),
      ROW(aclrtDeviceCanAccessPeer(nullptr, 0, 1), kRtParam),
  });
}

}  // namespace

TEST_CASE("null and zero arguments are refused with the documented codes") {
  const Device device;
  const Stream stream;
  const Event event;
  refuse_null_contexts();
  refuse_null_streams(stream);
  refuse_null_events(stream, event);
  refuse_null_callbacks(stream);
  refuse_null_memory(stream);
}

TEST_CASE("some null arguments are refused with either of two codes") {
  const Device device;
  for (const aclError code :
       {aclrtSynchronizeEventWithTimeout(nullptr, 10), aclrtStreamGetId(nullptr, nullptr)}) {
    CHECK((code == kParam || code == kRtParam));
  }
}

TEST_CASE("outputs are cleared when a call fails") {
  const Garbage garbage;
  aclrtStream stream = made_up<void>(5);
  CHECK_CODE(aclrtCreateStream(&stream), kNoContext);
  CHECK(stream == nullptr);
  aclrtContext context = made_up<void>(5);
  CHECK_CODE(aclrtCreateContext(&context, 99), kNoDevice);
  CHECK(context == nullptr);
  void* memory = made_up<void>(5);
  CHECK_CODE(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST), kNoContext);
  CHECK(memory == nullptr);
  aclrtEvent event = made_up<void>(5);
  CHECK_CODE(aclrtCreateEvent(&event), kNoContext);
  CHECK(event == nullptr);
}

namespace {

void refuse_devices_and_limits_out_of_range(aclrtStream stream) {
  aclrtStream new_stream = nullptr;
  aclrtContext context = nullptr;
  check({
      ROW(aclrtSetDevice(-1), kNoDevice),
      ROW(aclrtSetDevice(8), kNoDevice),
      ROW(aclrtResetDevice(8), kNoDevice),
      ROW(aclrtResetDeviceForce(8), kNoDevice),
      ROW(aclrtResetDevice(5), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR),
      ROW(aclrtResetDeviceForce(5), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR),
      ROW(aclrtCreateContext(&context, -1), kNoDevice),
      ROW(aclrtCreateContext(&context, 8), kNoDevice),
      ROW(aclrtSynchronizeDeviceWithTimeout(0), kRtParam),
      ROW(aclrtSynchronizeDeviceWithTimeout(-2), kRtParam),
      ROW(aclrtSynchronizeStreamWithTimeout(stream, 0), kRtParam),
      ROW(aclrtSynchronizeStreamWithTimeout(stream, -2), kRtParam),
      ROW(aclrtCreateStreamWithConfig(&new_stream, 0, ACL_STREAM_HUGE), kUnsupported),
  });
}

void refuse_events_out_of_range(aclrtStream stream) {
  const Event event;
  const Event stamp_only = Event::old(ACL_EVENT_TIME_LINE);
  aclrtEvent new_event = nullptr;
  check({
      ROW(aclrtCreateEventWithFlag(&new_event, 0), kRtParam),
      ROW(aclrtCreateEventWithFlag(&new_event, 0x100), kRtParam),
      ROW(aclrtCreateEventExWithFlag(&new_event, 0x100), kRtParam),
      ROW(aclrtCreateEventExWithFlag(&new_event, ACL_EVENT_EXTERNAL), kRtParam),
      ROW(aclrtSynchronizeEventWithTimeout(event, 0), kRtParam),
      ROW(aclrtSynchronizeEventWithTimeout(event, -2), kRtParam),
      ROW(aclrtStreamWaitEvent(stream, event), kRtParam),
      ROW(aclrtStreamWaitEvent(stream, stamp_only), kUnsupported),
      ROW(aclrtResetEvent(stamp_only, stream), kUnsupported),
  });
  REQUIRE_ACL(aclrtRecordEvent(event, stream));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  check({ROW(aclrtStreamWaitEventWithTimeout(stream, event, -1), kRtParam)});
}

void refuse_callbacks_out_of_range(aclrtStream stream) {
  check({
      ROW(aclrtLaunchCallback(ignored, nullptr, ACL_CALLBACK_BLOCK, stream),
          ACL_ERROR_RT_STREAM_NO_CB_REG),
      ROW(aclrtUnSubscribeReport(1, stream), ACL_ERROR_RT_STREAM_SUBSCRIBE),
      ROW(aclrtProcessReport(-2), kParam),
      ROW(aclrtProcessReport(1), ACL_ERROR_RT_THREAD_SUBSCRIBE),
      ROW(aclrtProcessHostFunc(-2), kRtParam),
  });
}

void refuse_memory_out_of_range(aclrtStream stream) {
  const DeviceMemory memory(64);
  const HostMemory host(64);
  std::size_t free = 0;
  const auto kind = [](int value) { return static_cast<aclrtMemcpyKind>(value); };
  check({
      ROW(aclrtMemcpy(memory, 63, host, 64, ACL_MEMCPY_HOST_TO_DEVICE), kRtParam),
      ROW(aclrtMemcpy(memory, 0, host, 64, ACL_MEMCPY_HOST_TO_DEVICE), kRtParam),
      ROW(aclrtMemcpy(memory, 64, host, 64, kind(6)), kParam),
      ROW(aclrtMemcpy(memory, 64, host, 64, kind(7)), kParam),
      ROW(aclrtMemcpy(memory, 64, host, 64, kind(8)), kParam),
      ROW(aclrtMemcpyAsync(memory, 63, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream), kRtParam),
      ROW(aclrtMemcpyAsync(memory, 64, host, 64, kind(6), stream), kParam),
      ROW(aclrtMemcpyAsync(memory, 64, host, 64, kind(8), stream), kParam),
      ROW(aclrtMemcpyAsync(host, 64, host.as() + 32, 32, ACL_MEMCPY_HOST_TO_HOST, stream),
          kUnsupported),
      ROW(aclrtMemcpy(memory, 128, host, 128, ACL_MEMCPY_HOST_TO_DEVICE), kRtParam),
      ROW(aclrtMemset(memory, 63, 0, 64), kRtParam),
      ROW(aclrtMemsetAsync(memory, 63, 0, 64, stream), kRtParam),
      ROW(aclrtMemset(memory, 4096, 0, 4096), kRtParam),
      ROW(aclrtGetMemInfo(static_cast<aclrtMemAttr>(18), &free, &free),
          ACL_ERROR_RT_INVALID_MEMORY_TYPE),
      ROW(aclrtFree(memory.as() + 32), kRtParam),
      ROW(aclrtFreeHost(host.as() + 32), kRtParam),
  });
}

void refuse_peers_out_of_range() {
  std::int32_t can = 0;
  check({
      ROW(aclrtDeviceCanAccessPeer(&can, 1, 1), kParam),
      ROW(aclrtDeviceCanAccessPeer(&can, 0, 8), kNoDevice),
      ROW(aclrtDeviceCanAccessPeer(&can, -1, 0), kNoDevice),
      ROW(aclrtDeviceEnablePeerAccess(0, 0), kParam),
      ROW(aclrtDeviceEnablePeerAccess(1, 2), ACL_ERROR_FEATURE_UNSUPPORTED),
      ROW(aclrtDeviceEnablePeerAccess(8, 0), kNoDevice),
      ROW(aclrtDeviceDisablePeerAccess(0), kParam),
      ROW(aclrtDeviceDisablePeerAccess(1), ACL_ERROR_RT_DRV_INTERNAL_ERROR),
  });
}

}  // namespace

TEST_CASE("values out of range are refused with the documented codes") {
  const Device device;
  const Stream stream;
  refuse_devices_and_limits_out_of_range(stream);
  refuse_events_out_of_range(stream);
  refuse_callbacks_out_of_range(stream);
  refuse_memory_out_of_range(stream);
  refuse_peers_out_of_range();
}

namespace {

/// As `check`, for threads other than the test's.
std::string wrong_codes(std::initializer_list<Row> rows) {
  std::string text;
  for (const Row& row : rows) {
    const aclError code = row.call();
    if (code != row.code) text += std::string(row.what) + ": " + std::to_string(code) + "\n";
  }
  return text;
}

std::string use_streams_without_context(aclrtStream live) {
  aclrtContext context = nullptr;
  aclrtStream stream = nullptr;
  std::int32_t number = 0;
  aclrtStreamStatus status{};
  return wrong_codes({
      ROW(aclrtGetDevice(&number), kNoContext),
      ROW(aclrtGetCurrentContext(&context), kNoContext),
      ROW(aclrtCtxGetCurrentDefaultStream(&stream), kNoContext),
      ROW(aclrtSynchronizeDevice(), kNoContext),
      ROW(aclrtSynchronizeDeviceWithTimeout(10), kNoContext),
      ROW(aclrtCreateStream(&stream), kNoContext),
      ROW(aclrtCreateStreamWithConfig(&stream, 0, 0), kNoContext),
      ROW(aclrtDestroyStream(live), kNoContext),
      ROW(aclrtDestroyStreamForce(live), kNoContext),
      ROW(aclrtSynchronizeStream(nullptr), kNoContext),
      ROW(aclrtSynchronizeStream(live), kNoContext),
      ROW(aclrtSynchronizeStreamWithTimeout(nullptr, 10), kNoContext),
      ROW(aclrtStreamQuery(nullptr, &status), kNoContext),
      ROW(aclrtStreamQuery(live, &status), kNoContext),
      ROW(aclrtStreamGetId(nullptr, &number), kNoContext),
      ROW(aclrtSetStreamFailureMode(nullptr, 1), kNoContext),
      ROW(aclrtStreamAbort(nullptr), kNoContext),
  });
}

std::string use_events_without_context(aclrtEvent live_event) {
  aclrtEvent event = nullptr;
  return wrong_codes({
      ROW(aclrtCreateEvent(&event), kNoContext),
      ROW(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC), kNoContext),
      ROW(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC), kNoContext),
      ROW(aclrtRecordEvent(live_event, nullptr), kNoContext),
      ROW(aclrtResetEvent(live_event, nullptr), kNoContext),
      ROW(aclrtStreamWaitEvent(nullptr, live_event), kNoContext),
      ROW(aclrtStreamWaitEventWithTimeout(nullptr, live_event, 1), kNoContext),
      ROW(aclrtSubscribeReport(1, nullptr), kNoContext),
      ROW(aclrtLaunchCallback(ignored, nullptr, ACL_CALLBACK_BLOCK, nullptr), kNoContext),
      ROW(aclrtLaunchHostFunc(nullptr, ignored, nullptr), kNoContext),
      ROW(launch_kernel(nullptr), kNoContext),
  });
}

std::string use_memory_without_context(const DeviceMemory& memory, const HostMemory& host) {
  void* pointer = nullptr;
  std::size_t size = 0;
  char bytes[64];
  aclrtPtrAttributes attributes{};
  return wrong_codes({
      ROW(aclrtMalloc(&pointer, 64, ACL_MEM_MALLOC_HUGE_FIRST), kNoContext),
      ROW(aclrtMallocAlign32(&pointer, 64, ACL_MEM_MALLOC_HUGE_FIRST), kNoContext),
      ROW(acldvppMalloc(&pointer, 64), kNoContext),
      ROW(aclrtMallocHost(&pointer, 64), kNoContext),
      ROW(aclrtMemcpy(bytes, 64, memory, 64, ACL_MEMCPY_DEVICE_TO_HOST), kNoContext),
      ROW(aclrtMemcpyAsync(host, 64, memory, 64, ACL_MEMCPY_DEVICE_TO_HOST, nullptr), kNoContext),
      ROW(aclrtMemset(memory, 64, 0, 64), kNoContext),
      ROW(aclrtMemsetAsync(memory, 64, 0, 64, nullptr), kNoContext),
      ROW(aclrtGetMemInfo(ACL_HBM_MEM, &size, &size), kNoContext),
      ROW(aclrtPointerGetAttributes(memory, &attributes), kNoContext),
      ROW(aclrtDeviceEnablePeerAccess(1, 0), kNoContext),
      ROW(aclrtDeviceDisablePeerAccess(1), kNoContext),
  });
}

}  // namespace

TEST_CASE("a thread without a context is refused with one code") {
  const Device device;
  const Stream live;
  const Event live_event;
  const DeviceMemory memory(64);
  const HostMemory host(64);
  CHECK(in_thread([&] {
          return use_streams_without_context(live) + use_events_without_context(live_event) +
                 use_memory_without_context(memory, host);
        }) == "");
}

TEST_CASE("whatever is no stream is refused by every function that takes one") {
  const Device device;
  const Event event;
  const Context context(0);
  const DeviceMemory memory(64);
  const HostMemory host(64);
  Garbage garbage;
  std::vector<void*> bad = garbage.all();
  aclrtStream destroyed = nullptr;
  REQUIRE_ACL(aclrtCreateStream(&destroyed));
  REQUIRE_ACL(aclrtDestroyStream(destroyed));
  Event gone;
  const aclrtEvent destroyed_event = gone.release();
  REQUIRE_ACL(aclrtDestroyEvent(destroyed_event));
  for (void* handle : {destroyed, aclrtStream(event), aclrtStream(context), destroyed_event,
                       static_cast<void*>(memory), static_cast<void*>(host)}) {
    bad.push_back(handle);
  }
  REQUIRE_ACL(aclrtRecordEvent(event, nullptr));
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));

  std::int32_t id = 0;
  aclrtStreamStatus status{};
  for (void* stream : bad) {
    CAPTURE(stream);
    check({
        ROW(aclrtDestroyStream(stream), kHandle),
        ROW(aclrtDestroyStreamForce(stream), kHandle),
        ROW(aclrtSynchronizeStream(stream), kHandle),
        ROW(aclrtSynchronizeStreamWithTimeout(stream, 10), kHandle),
        ROW(aclrtStreamQuery(stream, &status), kHandle),
        ROW(aclrtStreamGetId(stream, &id), kHandle),
        ROW(aclrtSetStreamFailureMode(stream, 1), kHandle),
        ROW(aclrtStreamAbort(stream), kHandle),
        ROW(aclrtStreamStop(stream), kHandle),
        ROW(aclrtRecordEvent(event, stream), kHandle),
        ROW(aclrtResetEvent(event, stream), kHandle),
        ROW(aclrtStreamWaitEvent(stream, event), kHandle),
        ROW(aclrtStreamWaitEventWithTimeout(stream, event, 1), kHandle),
        ROW(aclrtSubscribeReport(1, stream), kHandle),
        ROW(aclrtUnSubscribeReport(1, stream), kHandle),
        ROW(aclrtLaunchCallback(ignored, nullptr, ACL_CALLBACK_BLOCK, stream), kHandle),
        ROW(aclrtLaunchHostFunc(stream, ignored, nullptr), kHandle),
        ROW(aclrtSubscribeHostFunc(1, stream), kHandle),
        ROW(aclrtUnSubscribeHostFunc(1, stream), kHandle),
        ROW(aclrtMemcpyAsync(memory, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream), kHandle),
        ROW(aclrtMemsetAsync(memory, 64, 0, 64, stream), kHandle),
        ROW(launch_kernel(stream), kHandle),
    });
  }
}

TEST_CASE("whatever is no event is refused by every function that takes one") {
  const Device device;
  const Stream stream;
  const Event live;
  const Context context(0);
  const Stream own;
  Garbage garbage;
  std::vector<void*> bad = garbage.all();
  Event gone;
  const aclrtEvent destroyed = gone.release();
  REQUIRE_ACL(aclrtDestroyEvent(destroyed));
  for (void* handle : {destroyed, aclrtEvent(stream), aclrtEvent(context)}) bad.push_back(handle);

  float ms = 0;
  std::uint64_t timestamp = 0;
  std::uint32_t id = 0;
  aclrtEventStatus status{};
  aclrtEventRecordedStatus recorded_status{};
  aclrtEventWaitStatus wait_status{};
  for (void* event : bad) {
    CAPTURE(event);
    check({
        ROW(aclrtDestroyEvent(event), kHandle),
        ROW(aclrtRecordEvent(event, own), kHandle),
        ROW(aclrtResetEvent(event, own), kHandle),
        ROW(aclrtQueryEvent(event, &status), kHandle),
        ROW(aclrtQueryEventStatus(event, &recorded_status), kHandle),
        ROW(aclrtQueryEventWaitStatus(event, &wait_status), kHandle),
        ROW(aclrtSynchronizeEvent(event), kHandle),
        ROW(aclrtSynchronizeEventWithTimeout(event, 10), kHandle),
        ROW(aclrtStreamWaitEvent(own, event), kHandle),
        ROW(aclrtStreamWaitEventWithTimeout(own, event, 1), kHandle),
        ROW(aclrtEventElapsedTime(&ms, event, live), kHandle),
        ROW(aclrtEventElapsedTime(&ms, live, event), kHandle),
        ROW(aclrtEventGetTimestamp(event, &timestamp), kHandle),
        ROW(aclrtGetEventId(event, &id), kHandle),
    });
  }
}

TEST_CASE("whatever is no context is refused") {
  const Device device;
  const Stream stream;
  Garbage garbage;
  std::vector<void*> bad = garbage.all();
  aclrtContext destroyed = nullptr;
  REQUIRE_ACL(aclrtCreateContext(&destroyed, 1));
  REQUIRE_ACL(aclrtDestroyContext(destroyed));
  const Device again;
  bad.push_back(destroyed);
  bad.push_back(stream);
  for (void* context : bad) {
    CAPTURE(context);
    check({
        ROW(aclrtSetCurrentContext(context), kRtParam),
        ROW(aclrtDestroyContext(context), kNoContext),
    });
    CHECK(current_device() == 0);
  }
}

TEST_CASE("whatever is no allocation cannot be freed") {
  const Device device;
  const DeviceMemory memory(4096);
  const HostMemory host(4096);
  void* freed = nullptr;
  void* freed_host = nullptr;
  REQUIRE_ACL(aclrtMalloc(&freed, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  REQUIRE_ACL(aclrtFree(freed));
  REQUIRE_ACL(aclrtMallocHost(&freed_host, 64));
  REQUIRE_ACL(aclrtFreeHost(freed_host));
  int local = 0;
  check({
      ROW(aclrtFree(freed), kRtParam),
      ROW(aclrtFreeWithDevSync(freed), kRtParam),
      ROW(acldvppFree(freed), kRtParam),
      ROW(acldvppFree(memory.as() + 512), kRtParam),
      ROW(acldvppFree(made_up<void>(0xFFFF)), kRtParam),
      ROW(acldvppFree(host), kRtParam),
      ROW(aclrtFree(memory.as() + 512), kRtParam),
      ROW(aclrtFree(made_up<void>(0xFFFF)), kRtParam),
      ROW(aclrtFreeHost(freed_host), kRtParam),
      ROW(aclrtFreeHostWithDevSync(freed_host), kRtParam),
      ROW(aclrtFreeHost(host.as() + 512), kRtParam),
      ROW(aclrtFreeHost(&local), kRtParam),
      ROW(aclrtFreeHost(memory), kRtParam),
      ROW(aclrtFreeHost(made_up<void>(0xFFFF)), kRtParam),
  });
}
