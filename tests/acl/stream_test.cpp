// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "tests/acl/world.h"

using namespace world;

// ---- life cycle
// --------------------------------------------------------------------------------------

TEST_CASE("a new stream is not null and idle") {
  const Device device;
  const Stream stream;
  CHECK(static_cast<aclrtStream>(stream) != nullptr);
  CHECK(query(stream) == ACL_STREAM_STATUS_COMPLETE);
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
}

TEST_CASE("streams of any priority and with unknown flags work") {
  const Device device;
  for (const std::uint32_t priority : {0U, 1U, 7U, 8U, 0xffffffffU}) {
    for (const std::uint32_t flags : {0U, ACL_STREAM_FAST_LAUNCH, ACL_STREAM_FAST_SYNC,
                                      ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC, 0x80000000U}) {
      const Stream stream(priority, flags);
      bool ran = false;
      launch(stream, [&] { ran = true; });
      REQUIRE_ACL(aclrtSynchronizeStream(stream));
      CHECK(ran);
    }
  }
}

TEST_CASE("huge streams are not supported") {
  const Device device;
  aclrtStream stream = nullptr;
  CHECK_CODE(aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_HUGE),
             ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK(stream == nullptr);
}

TEST_CASE("streams whose tasks are not the host's business never keep it waiting") {
  const Device device;
  for (const std::uint32_t flag :
       {ACL_STREAM_PERSISTENT, ACL_STREAM_CPU_SCHEDULE, ACL_STREAM_DEVICE_USE_ONLY}) {
    const Stream stream(0, flag);
    Gate gate;
    gate.hold_later(stream);
    REQUIRE(eventually([&] {
      CHECK(query(stream) == ACL_STREAM_STATUS_COMPLETE);
      return gate.entered();
    }));
    REQUIRE_ACL(aclrtSynchronizeStream(stream));
    REQUIRE_ACL(aclrtSynchronizeStreamWithTimeout(stream, 1));
    CHECK_FALSE(gate.left());
  }
}

TEST_CASE("results do not depend on the priority") {
  const Device device;
  std::vector<Stream> streams;
  std::vector<int> values(8, 0);
  for (std::uint32_t priority = 0; priority < 8; ++priority) {
    streams.emplace_back(priority, 0U);
    for (int i = 0; i < 10; ++i) {
      launch(streams.back(), [&value = values[priority], i] { value = value * 3 + i; });
    }
  }
  REQUIRE_ACL(aclrtSynchronizeDevice());
  for (const int value : values) CHECK(value == values[0]);
}

TEST_CASE("a stream is destroyed once") {
  const Device device;
  aclrtStream stream = nullptr;
  REQUIRE_ACL(aclrtCreateStream(&stream));
  REQUIRE_ACL(aclrtDestroyStream(stream));
  CHECK_CODE(aclrtDestroyStream(stream), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtDestroyStreamForce(stream), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtDestroyStream(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtDestroyStreamForce(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("the handle of a destroyed stream names no later stream") {
  const Device device;
  std::set<aclrtStream> seen;
  for (int i = 0; i < 100; ++i) {
    Stream stream;
    CHECK(seen.insert(stream).second);
  }
}

TEST_CASE("finished work stays visible when its stream is destroyed") {
  const Device device;
  const DeviceMemory memory(sizeof(int));
  {
    const Stream stream;
    launch(stream, [value = memory.as<int>()] { *value = 42; });
    REQUIRE_ACL(aclrtSynchronizeStream(stream));
  }
  CHECK(fetch<int>(memory) == 42);
}

TEST_CASE("destroying a stream waits for its work") {
  const Device device;
  int done = 0;
  const Caller caller;
  {
    const Stream stream;
    for (int i = 0; i < 5; ++i) {
      launch(stream, [&] {
        caller.await_blocked();
        ++done;
      });
    }
  }
  CHECK(done == 5);
}

TEST_CASE("a stream destroyed by force drops the work that has not started") {
  const Device device;
  const Stream busy;
  const Event event;
  Stream stream;
  std::atomic<bool> ran{false};
  Gate gate;
  gate.hold(busy);
  REQUIRE_ACL(aclrtRecordEvent(event, busy));
  REQUIRE_ACL(aclrtStreamWaitEvent(stream, event));
  launch(stream, [&] { ran = true; });
  REQUIRE_ACL(aclrtDestroyStreamForce(stream.release()));
  CHECK(query(busy) == ACL_STREAM_STATUS_NOT_READY);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeDevice());
  CHECK_FALSE(ran);
}

TEST_CASE("a stream destroyed by force runs the tasks that wait for nothing") {
  const Device device;
  std::atomic<int> ran{0};
  const Event never = Event::old(ACL_EVENT_SYNC);
  for (int i = 0; i < 20; ++i) {
    Stream stream;
    for (int task = 0; task < 3; ++task) launch(stream, [&] { ++ran; });
    if (i % 2 == 1) REQUIRE_ACL(aclrtStreamWaitEvent(stream, never));
    if (i % 2 == 1) launch(stream, [&] { ran += 1000; });
    REQUIRE_ACL(aclrtDestroyStreamForce(stream.release()));
    CHECK(ran == 3 * (i + 1));
  }
}

TEST_CASE("a stream can be destroyed by force while its kernel runs") {
  const Device device;
  Stream stream;
  std::atomic<bool> calling{false};
  Gate gate;
  gate.hold(stream);
  std::thread opener([&] {
    eventually([&] { return calling.load(); });
    gate.open();
  });
  calling = true;
  CHECK_CODE(aclrtDestroyStreamForce(stream.release()), ACL_SUCCESS);
  opener.join();
  CHECK(eventually([&] { return gate.left(); }));
}

TEST_CASE("a dropped record still counts as done for those who wait") {
  const Device device;
  const Stream other;
  Stream stream;
  const Event never = Event::old(ACL_EVENT_SYNC);
  const Event event;
  REQUIRE_ACL(aclrtStreamWaitEvent(stream, never));
  REQUIRE_ACL(aclrtRecordEvent(event, stream));
  REQUIRE_ACL(aclrtStreamWaitEvent(other, event));
  REQUIRE_ACL(aclrtDestroyStreamForce(stream.release()));
  aclrtSynchronizeStreamWithTimeout(other, 10000);
  CHECK(query(other) == ACL_STREAM_STATUS_COMPLETE);
}

TEST_CASE("bursts of streams come and go") {
  const Device device;
  std::vector<Stream> streams;
  for (std::size_t burst = 1; burst <= 256; burst *= 2) {
    for (std::size_t i = 0; i < burst; ++i) streams.emplace_back();
    CHECK(stats().streams == burst);
    streams.clear();
    CHECK(stats().streams == 0);
  }
}

TEST_CASE("live streams of a device have different small ids") {
  const Device device;
  std::vector<Stream> streams(100);
  std::set<std::int32_t> ids{id_of(nullptr)};
  for (const Stream& stream : streams) {
    const std::int32_t id = id_of(stream);
    CHECK(id >= 0);
    CHECK(id < 100000);
    ids.insert(id);
  }
  CHECK(ids.size() == 101);
}

TEST_CASE("a device has a limited number of streams, the default stream included") {
  const Device device;
  std::vector<aclrtStream> streams;
  aclrtStream stream = nullptr;
  aclError code = ACL_SUCCESS;
  while ((code = aclrtCreateStream(&stream)) == ACL_SUCCESS && streams.size() < 5000) {
    streams.push_back(stream);
  }
  CHECK(code == ACL_ERROR_RT_NO_STREAM_RESOURCE);
  CHECK(streams.size() == 1983);
  {
    const Context other(1);
    const Stream elsewhere;
  }
  const Device again;
  REQUIRE_ACL(aclrtDestroyStream(streams.back()));
  REQUIRE_ACL(aclrtCreateStream(&streams.back()));
  for (aclrtStream each : streams) aclrtDestroyStream(each);
}

// ---- order
// -------------------------------------------------------------------------------------------

TEST_CASE("the tasks of a stream run one after the other, in the order of the calls") {
  const Device device;
  const Stream stream;
  std::vector<int> order;
  for (int i = 0; i < 1000; ++i) launch(stream, [&order, i] { order.push_back(i); });
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  REQUIRE(order.size() == 1000);
  CHECK(std::is_sorted(order.begin(), order.end()));
}

TEST_CASE("streams with copy, kernel and copy back each get their own result") {
  const Device device;
  constexpr std::size_t kStreams = 16;
  std::vector<Stream> streams(kStreams);
  std::vector<DeviceMemory> memory;
  const HostMemory input(kStreams * sizeof(int));
  const HostMemory output(kStreams * sizeof(int));
  for (std::size_t i = 0; i < kStreams; ++i) {
    memory.emplace_back(sizeof(int));
    input.as<int>()[i] = static_cast<int>(i);
    int* value = memory.back().as<int>();
    REQUIRE_ACL(aclrtMemcpyAsync(value, sizeof(int), input.as<int>() + i, sizeof(int),
                                 ACL_MEMCPY_HOST_TO_DEVICE, streams[i]));
    launch(streams[i], [value] { *value = *value * *value + 1; });
    REQUIRE_ACL(aclrtMemcpyAsync(output.as<int>() + i, sizeof(int), value, sizeof(int),
                                 ACL_MEMCPY_DEVICE_TO_HOST, streams[i]));
  }
  for (const Stream& stream : streams) REQUIRE_ACL(aclrtSynchronizeStream(stream));
  for (std::size_t i = 0; i < kStreams; ++i) {
    CHECK(output.as<int>()[i] == static_cast<int>(i * i + 1));
  }
}

// ---- query and synchronise
// ---------------------------------------------------------------------------

TEST_CASE("a stream is not ready while its task runs, and complete afterwards") {
  const Device device;
  const Stream stream;
  Gate gate;
  gate.hold(stream);
  CHECK(query(stream) == ACL_STREAM_STATUS_NOT_READY);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(query(stream) == ACL_STREAM_STATUS_COMPLETE);
}

TEST_CASE("asking again and again finds a stream complete in the end") {
  const Device device;
  const Stream stream;
  int done = 0;
  launch(stream, [&] { done = 1; });
  REQUIRE(eventually([&] { return query(stream) == ACL_STREAM_STATUS_COMPLETE; }));
  CHECK(done == 1);
}

TEST_CASE("synchronising one stream leaves another alone") {
  const Device device;
  const Stream slow;
  const Stream quick;
  Gate gate;
  gate.hold(slow);
  launch(quick, [] {});
  REQUIRE_ACL(aclrtSynchronizeStream(quick));
  CHECK(query(slow) == ACL_STREAM_STATUS_NOT_READY);
}

TEST_CASE("the default stream waits for no other stream, and no other for it") {
  const Device device;
  std::vector<Stream> streams(3);
  const Event event;
  Gate gate;
  gate.hold(streams[0]);
  REQUIRE_ACL(aclrtRecordEvent(event, streams[0]));
  for (const Stream& stream : streams) {
    REQUIRE_ACL(aclrtStreamWaitEvent(stream, event));
    launch(stream, [] {});
  }
  CHECK(query(nullptr) == ACL_STREAM_STATUS_COMPLETE);
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  bool ran = false;
  launch(nullptr, [&] { ran = true; });
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  CHECK(ran);
  for (const Stream& stream : streams) CHECK(query(stream) == ACL_STREAM_STATUS_NOT_READY);
}

TEST_CASE("a busy default stream holds up no other stream") {
  const Device device;
  const Stream stream;
  Gate gate;
  gate.hold(nullptr);
  CHECK(query(nullptr) == ACL_STREAM_STATUS_NOT_READY);
  bool ran = false;
  launch(stream, [&] { ran = true; });
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(ran);
  CHECK(query(nullptr) == ACL_STREAM_STATUS_NOT_READY);
}

TEST_CASE("work runs though nobody synchronises") {
  const Device device;
  const Stream first;
  const Stream second;
  const Event event;
  std::atomic<int> done{0};
  launch(first, [&] { ++done; });
  REQUIRE_ACL(aclrtRecordEvent(event, first));
  REQUIRE_ACL(aclrtStreamWaitEvent(second, event));
  launch(second, [&] { ++done; });
  CHECK(eventually([&] { return done == 2; }));
  REQUIRE_ACL(aclrtSynchronizeDevice());
}

TEST_CASE("work starts again though nobody synchronises after a pause") {
  const Device device;
  const Stream stream;
  for (int round = 0; round < 5; ++round) {
    std::atomic<bool> done{false};
    launch(stream, [&] { done = true; });
    CHECK(eventually([&] { return done.load(); }));
    let_time_pass(3ms);
  }
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
}

// ---- with a timeout
// ------------------------------------------------------------------------------------

TEST_CASE("synchronising a stream gives up in time and the work goes on") {
  const Device device;
  const Stream stream;
  Gate gate;
  gate.hold(stream);
  const auto begin = std::chrono::steady_clock::now();
  REQUIRE_CODE(aclrtSynchronizeStreamWithTimeout(stream, 30), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  const auto spent = std::chrono::steady_clock::now() - begin;
  CHECK(spent >= 29ms);
  CHECK(spent < 10s);
  CHECK_FALSE(gate.left());
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStreamWithTimeout(stream, -1));
  CHECK(gate.left());
}

TEST_CASE("a timeout lies above zero or is minus one") {
  const Device device;
  const Stream stream;
  for (const std::int32_t timeout : {0, -2, -1000}) {
    CHECK_CODE(aclrtSynchronizeStreamWithTimeout(stream, timeout), ACL_ERROR_RT_PARAM_INVALID);
    CHECK_CODE(aclrtSynchronizeDeviceWithTimeout(timeout), ACL_ERROR_RT_PARAM_INVALID);
  }
  REQUIRE_ACL(aclrtSynchronizeStreamWithTimeout(stream, 1));
}

TEST_CASE("a synchronise that may run out of time runs no kernel itself") {
  const Device device;
  const Stream stream;
  const auto me = std::this_thread::get_id();
  std::atomic<int> mine{0};
  for (int i = 0; i < 200; ++i) {
    launch(stream, [&] {
      if (std::this_thread::get_id() == me) ++mine;
    });
    REQUIRE_ACL(aclrtSynchronizeStreamWithTimeout(stream, 10000));
  }
  CHECK(mine == 0);
}

TEST_CASE("a synchronise with a timeout returns on time whatever long kernels are queued") {
  const Device device;
  const Stream stream;
  Gate gate;
  gate.hold_later(stream);  // may be picked up during the call
  REQUIRE_CODE(aclrtSynchronizeStreamWithTimeout(stream, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  REQUIRE_CODE(aclrtSynchronizeDeviceWithTimeout(20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
}

TEST_CASE("several threads may synchronise one stream") {
  const Device device;
  const aclrtContext context = current_context();
  const Stream stream;
  int value = 0;
  Problems problems;
  Gate gate;
  gate.hold(stream);
  launch(stream, [&] { value = 7; });
  std::thread opener([&] { gate.open(); });
  in_threads(4, [&](int i) {
    EXPECT_ACL(problems, aclrtSetCurrentContext(context));
    EXPECT_ACL(problems, i % 2 == 0 ? aclrtSynchronizeStream(stream)
                                    : aclrtSynchronizeStreamWithTimeout(stream, 20000));
    EXPECT_TRUE(problems, value == 7);
  });
  opener.join();
  CHECK(problems.text().empty());
}

// ---- progress
// ------------------------------------------------------------------------------------------

TEST_CASE("a kernel may spin on memory that a later stream writes") {
  const Device device;
  const Stream spinning;
  const Stream writing;
  const DeviceMemory flag(sizeof(int));
  store(flag, 0);
  bool seen = false;
  launch(spinning, [&seen, word = flag.as<int>()] {
    const std::atomic_ref<int> value(*word);
    seen = eventually([&] { return value.load() == 1; });
  });
  launch(writing, [word = flag.as<int>()] { std::atomic_ref<int>{*word}.store(1); });
  SECTION("while the host synchronises the spinning stream") {
    REQUIRE_ACL(aclrtSynchronizeStream(spinning));
  }
  SECTION("while the host synchronises with a timeout") {
    REQUIRE_ACL(aclrtSynchronizeStreamWithTimeout(spinning, 20000));
  }
  SECTION("while the host asks") {
    REQUIRE(eventually([&] { return query(spinning) == ACL_STREAM_STATUS_COMPLETE; }));
  }
  CHECK(seen);
  REQUIRE_ACL(aclrtSynchronizeDevice());
}

TEST_CASE("more kernels than workers may spin for each other") {
  const Device device;
  constexpr std::size_t kKernels = 6;
  std::vector<Stream> streams(kKernels);
  std::atomic<std::size_t> arrived{0};
  std::atomic<std::size_t> passed{0};
  for (const Stream& stream : streams) {
    launch(stream, [&] {
      ++arrived;
      if (eventually([&] { return arrived == kKernels; })) ++passed;
    });
  }
  REQUIRE_ACL(aclrtSynchronizeDevice());
  CHECK(passed == kKernels);
}

TEST_CASE("the thread that synchronises keeps its context and its last error") {
  const Device device(0);
  const aclrtContext primary = current_context();
  const Context context(1);
  std::vector<Stream> streams(4);
  for (int i = 0; i < 100; ++i) {
    for (const Stream& stream : streams) launch(stream, [] {});
  }
  const Within within(primary);
  aclrtStream no_stream = reinterpret_cast<aclrtStream>(std::uintptr_t{0xFFFF});
  REQUIRE_CODE(aclrtSynchronizeStream(no_stream), ACL_ERROR_RT_INVALID_HANDLE);
  for (const Stream& stream : streams) REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(current_context() == primary);
  CHECK(current_device() == 0);
  CHECK(aclrtGetLastError(ACL_RT_THREAD_LEVEL) == ACL_ERROR_RT_INVALID_HANDLE);
}
