// SPDX-License-Identifier: Apache-2.0
#include <climits>

#include "tests/acl/world.h"

using namespace world;

TEST_CASE("devices can be counted before one is in use") {
  std::uint32_t count = 0;
  REQUIRE_ACL(aclrtGetDeviceCount(&count));
  CHECK(count == machine().devices);
  CHECK(count == 8);
}

TEST_CASE("aclrtSetDevice makes the device current in the calling thread only") {
  const Device device(3);
  CHECK(current_device() == 3);
  CHECK(in_thread([] {
          std::int32_t id = -1;
          return aclrtGetDevice(&id);
        }) == ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_CASE("each thread has its own current device") {
  const Device first(0);
  CHECK(in_thread([] {
          std::int32_t id = -1;
          if (aclrtSetDevice(5) != ACL_SUCCESS) return -1;
          if (aclrtGetDevice(&id) != ACL_SUCCESS) return -2;
          return aclrtResetDevice(5) == ACL_SUCCESS ? id : -3;
        }) == 5);
  CHECK(current_device() == 0);
}

TEST_CASE("a device that does not exist changes nothing") {
  const Device device(2);
  for (const std::int32_t id : {-1, 8, 64, INT_MAX, INT_MIN}) {
    CAPTURE(id);
    CHECK_CODE(aclrtSetDevice(id), ACL_ERROR_RT_INVALID_DEVICEID);
    CHECK_CODE(aclrtResetDevice(id), ACL_ERROR_RT_INVALID_DEVICEID);
    CHECK_CODE(aclrtResetDeviceForce(id), ACL_ERROR_RT_INVALID_DEVICEID);
    CHECK(current_device() == 2);
  }
}

TEST_CASE("threads that set the same device share its primary context and default stream") {
  const Device device(1);
  const aclrtContext context = current_context();
  const aclrtStream stream = default_stream();
  Problems problems;
  in_threads(4, [&](int) {
    EXPECT_ACL(problems, aclrtSetDevice(1));
    aclrtContext mine = nullptr;
    EXPECT_ACL(problems, aclrtGetCurrentContext(&mine));
    EXPECT_TRUE(problems, mine == context);
    aclrtStream my_stream = nullptr;
    EXPECT_ACL(problems, aclrtCtxGetCurrentDefaultStream(&my_stream));
    EXPECT_TRUE(problems, my_stream == stream);
    EXPECT_ACL(problems, aclrtResetDevice(1));
  });
  CHECK(problems.text().empty());
  CHECK(current_context() == context);
}

TEST_CASE("a device is reset as often as it was set") {
  REQUIRE_ACL(aclrtSetDevice(0));
  REQUIRE_ACL(aclrtSetDevice(0));
  REQUIRE_ACL(aclrtResetDevice(0));
  CHECK(current_device() == 0);
  REQUIRE_ACL(aclrtResetDevice(0));
  CHECK_CODE(aclrtResetDevice(0), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
  std::int32_t id = -1;
  CHECK_CODE(aclrtGetDevice(&id), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_CASE("a device that was never set cannot be reset") {
  CHECK_CODE(aclrtResetDevice(4), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
  CHECK_CODE(aclrtResetDeviceForce(4), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
}

TEST_CASE("a forced reset ends all uses at once") {
  for (int i = 0; i < 3; ++i) REQUIRE_ACL(aclrtSetDevice(0));
  REQUIRE_ACL(aclrtResetDeviceForce(0));
  CHECK_CODE(aclrtResetDevice(0), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
  CHECK_CODE(aclrtResetDeviceForce(0), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
  CHECK(stats().contexts == 0);
}

TEST_CASE("the last reset waits for the work of the primary context") {
  REQUIRE_ACL(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  REQUIRE_ACL(aclrtCreateStream(&stream));
  std::atomic<int> done{0};
  const Caller caller;
  for (int i = 0; i < 3; ++i) {
    launch(stream, [&] {
      caller.await_blocked();
      ++done;
    });
  }
  launch(nullptr, [&] { ++done; });
  REQUIRE_ACL(aclrtResetDevice(0));
  CHECK(done == 4);
}

TEST_CASE("a reset that is not the last one waits for nothing and destroys nothing") {
  const Device device;
  REQUIRE_ACL(aclrtSetDevice(0));
  const Stream stream;
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(aclrtResetDevice(0));
  CHECK(query(stream) == ACL_STREAM_STATUS_NOT_READY);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
}

TEST_CASE("the last reset destroys streams, events and memory of the device") {
  REQUIRE_ACL(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;
  void* memory = nullptr;
  REQUIRE_ACL(aclrtCreateStream(&stream));
  REQUIRE_ACL(aclrtCreateEvent(&event));
  REQUIRE_ACL(aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
  REQUIRE_ACL(aclrtResetDevice(0));

  const Device again(0);
  CHECK_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtDestroyStream(stream), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtDestroyEvent(event), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK(stats().deviceAllocations == 0);
}

TEST_CASE("memory that the last reset freed may be freed once more") {
  REQUIRE_ACL(aclrtSetDevice(0));
  void *first = nullptr, *second = nullptr;
  REQUIRE_ACL(aclrtMalloc(&first, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
  REQUIRE_ACL(aclrtMalloc(&second, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
  REQUIRE_ACL(aclrtResetDevice(0));
  CHECK_CODE(aclrtFree(first), ACL_SUCCESS);
  CHECK_CODE(aclrtFree(first), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtFree(static_cast<char*>(second) + 64), ACL_ERROR_RT_PARAM_INVALID);

  const Device again(0);
  CHECK_CODE(aclrtFree(second), ACL_SUCCESS);
}

TEST_CASE("other threads see that a device was reset") {
  REQUIRE_ACL(aclrtSetDevice(0));
  std::atomic<int> stage{0};
  aclError after = ACL_SUCCESS;
  std::thread other([&] {
    aclrtSetDevice(0);
    aclrtResetDevice(0);  // still current: the other use keeps the context alive
    stage = 1;
    eventually([&] { return stage == 2; });
    aclrtStream stream = nullptr;
    after = aclrtCreateStream(&stream);
  });
  eventually([&] { return stage == 1; });
  REQUIRE_ACL(aclrtResetDevice(0));
  stage = 2;
  other.join();
  CHECK(after == ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_CASE("a device works again after its reset") {
  for (int round = 0; round < 3; ++round) {
    const Device device(6);
    bool ran = false;
    launch(nullptr, [&] { ran = true; });
    REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
    CHECK(ran);
  }
}

TEST_CASE("aclrtSetDevice takes the place of an explicit context") {
  const Device device;
  const aclrtContext primary = current_context();
  const Context context(1);
  CHECK(current_device() == 1);
  const Device again(0);
  CHECK(current_context() == primary);
  CHECK(current_device() == 0);
}

TEST_CASE("a forced reset drops the work that waits") {
  REQUIRE_ACL(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  REQUIRE_ACL(aclrtCreateStream(&stream));
  Event never = Event::old(ACL_EVENT_SYNC);
  REQUIRE_ACL(aclrtStreamWaitEvent(stream, never));
  std::atomic<bool> ran{false};
  launch(stream, [&] { ran = true; });
  never.release();
  REQUIRE_ACL(aclrtResetDeviceForce(0));
  CHECK_FALSE(ran);
}

TEST_CASE("a forced reset while other threads copy crashes nothing") {
  REQUIRE_ACL(aclrtSetDevice(0));
  void* device = nullptr;
  void* host = nullptr;
  constexpr std::size_t kSize = 4096;
  REQUIRE_ACL(aclrtMalloc(&device, kSize, ACL_MEM_MALLOC_HUGE_FIRST));
  REQUIRE_ACL(aclrtMallocHost(&host, kSize));
  std::atomic<int> running{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      aclrtSetDevice(0);
      ++running;
      aclError code = ACL_SUCCESS;
      for (int n = 0; n < 10000 && code == ACL_SUCCESS; ++n) {
        code = aclrtMemcpyAsync(device, kSize, host, kSize, ACL_MEMCPY_HOST_TO_DEVICE, nullptr);
      }
    });
  }
  eventually([&] { return running == 3; });
  REQUIRE_ACL(aclrtResetDeviceForce(0));
  for (std::thread& thread : threads) thread.join();
  aclrtFreeHost(host);

  const Device again(0);
  bool ran = false;
  launch(nullptr, [&] { ran = true; });
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  CHECK(ran);
}

TEST_CASE("the state of the primary context follows set and reset") {
  std::int32_t active = -1;
  REQUIRE_ACL(aclrtGetPrimaryCtxState(2, nullptr, &active));
  CHECK(active == 0);
  {
    const Device device(2);
    REQUIRE_ACL(aclrtGetPrimaryCtxState(2, nullptr, &active));
    CHECK(active == 1);
    REQUIRE_ACL(aclrtGetPrimaryCtxState(3, nullptr, &active));
    CHECK(active == 0);
  }
  REQUIRE_ACL(aclrtGetPrimaryCtxState(2, nullptr, &active));
  CHECK(active == 0);
  std::uint32_t flags = 0;
  CHECK_CODE(aclrtGetPrimaryCtxState(2, &flags, &active), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtGetPrimaryCtxState(2, nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtGetPrimaryCtxState(8, nullptr, &active), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST_CASE("a healthy device says so") {
  const Device device;
  aclrtDeviceStatus status = ACL_RT_DEVICE_STATUS_END;
  REQUIRE_ACL(aclrtQueryDeviceStatus(0, &status));
  CHECK(status == ACL_RT_DEVICE_STATUS_NORMAL);
}

// ---- aclrtSynchronizeDevice
// --------------------------------------------------------------------------

TEST_CASE("synchronising a device without work returns at once") {
  const Device device;
  const Stream stream;
  REQUIRE_ACL(aclrtSynchronizeDevice());
  REQUIRE_ACL(aclrtSynchronizeDeviceWithTimeout(-1));
  REQUIRE_ACL(aclrtSynchronizeDeviceWithTimeout(100));
}

TEST_CASE("results are there after synchronising the device and not before") {
  const Device device;
  const Stream first;
  const Stream second;
  int results[3] = {0, 0, 0};
  std::atomic<bool> any{false};
  Gate gate;
  gate.hold(first);
  launch(first, [&] { results[0] = 1, any = true; });
  CHECK_FALSE(any);
  launch(second, [&] { results[1] = 2; });
  launch(nullptr, [&] { results[2] = 3; });
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeDevice());
  CHECK(results[0] == 1);
  CHECK(results[1] == 2);
  CHECK(results[2] == 3);
}

TEST_CASE("synchronising a device waits for the current context only") {
  const Device device;
  const Stream other;
  Gate gate;
  gate.hold(other);
  {
    const Context context(0);
    bool ran = false;
    launch(nullptr, [&] { ran = true; });
    REQUIRE_ACL(aclrtSynchronizeDevice());
    CHECK(ran);
  }
  const Device again;
  CHECK(query(other) == ACL_STREAM_STATUS_NOT_READY);
}

TEST_CASE("synchronising a device leaves other devices alone") {
  const Device other(1);
  const Stream busy;
  Gate gate;
  gate.hold(busy);
  const aclrtContext context = current_context();
  const Device device(0);
  REQUIRE_ACL(aclrtSynchronizeDevice());
  CHECK(query(busy) == ACL_STREAM_STATUS_NOT_READY);
  gate.open();
  const Within within(context);
  REQUIRE_ACL(aclrtSynchronizeDevice());
}

TEST_CASE("synchronising a device gives up in time and the work goes on") {
  const Device device;
  const Stream stream;
  Gate gate;
  gate.hold(stream);
  REQUIRE_CODE(aclrtSynchronizeDeviceWithTimeout(20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  CHECK_FALSE(gate.left());
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeDeviceWithTimeout(10000));
  CHECK(gate.left());
}

TEST_CASE("synchronising a device reports the failure of a task") {
  const Device device;
  const Stream stream;
  launch(stream, [] { return ACL_ERROR_RT_AICORE_EXCEPTION; });
  REQUIRE_CODE(aclrtSynchronizeDevice(), ACL_ERROR_RT_AICORE_EXCEPTION);
  REQUIRE_ACL(aclrtSynchronizeDevice());
}

// ---- utilisation and schedulers
// ------------------------------------------------------------------------

TEST_CASE("a device that runs kernels is in use and one that does not is idle") {
  const Device device;
  const Stream stream;
  const auto load = [](int id) {
    aclrtUtilizationInfo info{};
    REQUIRE_ACL(aclrtGetDeviceUtilizationRate(id, &info));
    CHECK(info.cubeUtilization == info.vectorUtilization);
    CHECK(info.aicpuUtilization == 0);
    CHECK(info.memoryUtilization == -1);
    return info.cubeUtilization;
  };
  CHECK(load(0) == 0);
  Gate gate;
  gate.hold(stream);
  CHECK(load(0) > 0);
  CHECK(load(0) <= 100);
  CHECK(load(1) == 0);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(eventually([&] { return load(0) == 0; }));
}

TEST_CASE("utilisation is asked of a device that exists, without an extension") {
  aclrtUtilizationInfo info{};
  CHECK_CODE(aclrtGetDeviceUtilizationRate(0, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtGetDeviceUtilizationRate(8, &info), ACL_ERROR_RT_INVALID_DEVICEID);
  info.utilizationExtend = reinterpret_cast<aclrtUtilizationExtendInfo*>(&info);
  CHECK_CODE(aclrtGetDeviceUtilizationRate(0, &info), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("either task scheduler can be chosen and no other") {
  const Device device;
  REQUIRE_ACL(aclrtSetTsDevice(ACL_TS_ID_AICORE));
  REQUIRE_ACL(aclrtSetTsDevice(ACL_TS_ID_AIVECTOR));
  CHECK_CODE(aclrtSetTsDevice(ACL_TS_ID_RESERVED), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtSetTsDevice(static_cast<aclrtTsId>(-1)), ACL_ERROR_INVALID_PARAM);
}

// ---- what is left
// ------------------------------------------------------------------------------------

TEST_CASE("what a device has left of streams goes down and up with them") {
  std::uint32_t before = 0;
  CHECK_CODE(aclrtGetStreamAvailableNum(&before), ACL_ERROR_RT_CONTEXT_NULL);
  const Device device;
  CHECK_CODE(aclrtGetStreamAvailableNum(nullptr), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclrtGetStreamAvailableNum(&before));
  CHECK(before == 1983);  // the default stream counts
  std::uint32_t now = 0;
  {
    const Stream first;
    const Stream second;
    REQUIRE_ACL(aclrtGetStreamAvailableNum(&now));
    CHECK(now == before - 2);
    {
      const Context elsewhere(1);
      REQUIRE_ACL(aclrtGetStreamAvailableNum(&now));
      CHECK(now == before);
    }
    const Device again;  // current once more, so that the streams can end
  }
  REQUIRE_ACL(aclrtGetStreamAvailableNum(&now));
  CHECK(now == before);
}

TEST_CASE("what a device has left of events counts those with a hardware number") {
  std::uint32_t before = 0;
  CHECK_CODE(aclrtGetEventAvailNum(&before), ACL_ERROR_RT_CONTEXT_NULL);
  const Device device;
  CHECK_CODE(aclrtGetEventAvailNum(nullptr), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclrtGetEventAvailNum(&before));
  CHECK(before == 65536);
  std::uint32_t now = 0;
  {
    const Event numbered = Event::old(ACL_EVENT_SYNC);
    const Event free = Event::ex();
    REQUIRE_ACL(aclrtGetEventAvailNum(&now));
    CHECK(now == before - 1);
  }
  CHECK(eventually([&] {
    REQUIRE_ACL(aclrtGetEventAvailNum(&now));
    return now == before;
  }));
}
