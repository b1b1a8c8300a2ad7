// SPDX-License-Identifier: Apache-2.0
// Streams that are given up: aclrtStreamAbort and aclrtStreamStop.
#include "tests/acl/world.h"

using namespace world;

TEST_CASE("aborting an idle stream changes nothing") {
  const Device device;
  const Stream stream;
  REQUIRE_ACL(aclrtStreamAbort(stream));
  bool ran = false;
  launch(stream, [&] { ran = true; });
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(ran);
}

TEST_CASE("an abort drops the tasks that have not started") {
  const Device device;
  const Stream busy;
  const Stream stream;
  const Event event;
  std::atomic<bool> ran{false};
  Gate gate;
  gate.hold(busy);
  REQUIRE_ACL(aclrtRecordEvent(event, busy));
  REQUIRE_ACL(aclrtStreamWaitEvent(stream, event));
  launch(stream, [&] { ran = true; });
  REQUIRE_ACL(aclrtStreamAbort(stream));
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(busy));
  aclrtSynchronizeStream(stream);
  CHECK_FALSE(ran);
}

TEST_CASE("an abort returns though a kernel does not") {
  const Device device;
  const Stream stream;
  std::atomic<bool> ran{false};
  Gate gate;
  gate.hold(stream);
  launch(stream, [&] { ran = true; });
  REQUIRE_ACL(aclrtStreamAbort(stream));
  CHECK_FALSE(gate.left());
  gate.open();
  CHECK(eventually([&] { return gate.left(); }));
  aclrtSynchronizeStream(stream);
  CHECK_FALSE(ran);
}

namespace {

struct Spin {
  std::atomic<bool> entered{false};
  std::atomic<bool> stop{false};
  std::atomic<bool> left{false};
  ~Spin() {
    stop = true;
    eventually([this] { return left || !entered; });
  }
  // A function of its own: the runtime has not seen it run yet.
  static std::int32_t run(const aclsimKernelContext*, const void* args) {
    Spin& spin = **static_cast<Spin* const*>(args);
    spin.entered = true;
    eventually([&] { return spin.stop.load(); });
    spin.left = true;
    return 0;
  }
  void launch_on(aclrtStream stream) {
    Spin* const self = this;
    aclsimLaunch launch{};
    launch.size = sizeof launch;
    launch.name = "spin";
    launch.kernel = run;
    launch.numBlocks = 1;
    launch.args = &self;
    launch.argsSize = sizeof self;
    REQUIRE_ACL(aclsimLaunchKernel(&launch, stream));
  }
};

}  // namespace

TEST_CASE("a synchronise that overlaps an abort is told so at once") {
  const auto device = std::make_unique<Device>();
  const aclrtContext context = current_context();
  aclrtStream stream = nullptr;
  REQUIRE_ACL(aclrtCreateStream(&stream));
  Spin spin;
  spin.launch_on(stream);
  std::atomic<int> code{-1};
  std::thread waiter([&] {
    aclrtSetCurrentContext(context);
    code = aclrtSynchronizeStream(stream);
  });
  // Only the waiting thread makes the kernel start within its call; it may start before.
  REQUIRE(eventually([&] { return spin.entered.load(); }));
  SECTION("an abort of the stream") { REQUIRE_ACL(aclrtStreamAbort(stream)); }
  SECTION("a forced reset of the device") { REQUIRE_ACL(aclrtResetDeviceForce(device->id())); }
  waiter.join();
  CHECK_FALSE(spin.left);
  // A thread that comes after the abort finds an empty stream, or no stream.
  CHECK((code == ACL_ERROR_RT_STREAM_ABORT || code == ACL_SUCCESS ||
         code == ACL_ERROR_RT_INVALID_HANDLE || code == ACL_ERROR_RT_CONTEXT_NULL));
  aclrtDestroyStream(stream);
}

TEST_CASE("a stream works again after an abort") {
  const Device device;
  const Stream stream;
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(aclrtStreamAbort(stream));
  gate.open();
  CHECK(eventually([&] { return gate.left(); }));
  aclrtSynchronizeStream(stream);  // may report the abort
  bool ran = false;
  launch(stream, [&] { ran = true; });
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(ran);
}

TEST_CASE("the default stream can be aborted by its null name") {
  const Device device;
  const Event never = Event::old(ACL_EVENT_SYNC);
  std::atomic<bool> ran{false};
  REQUIRE_ACL(aclrtStreamWaitEvent(nullptr, never));
  launch(nullptr, [&] { ran = true; });
  REQUIRE_ACL(aclrtStreamAbort(nullptr));
  aclrtSynchronizeStream(nullptr);
  CHECK(query(nullptr) == ACL_STREAM_STATUS_COMPLETE);
  CHECK_FALSE(ran);
}

TEST_CASE("an abort leaves other streams alone") {
  const Device device;
  const Stream stream;
  const Stream other;
  const Event event;
  std::vector<int> order;
  Gate gate;
  gate.hold(other);
  for (int i = 0; i < 10; ++i) launch(other, [&order, i] { order.push_back(i); });
  REQUIRE_ACL(aclrtStreamAbort(stream));
  CHECK(query(other) == ACL_STREAM_STATUS_NOT_READY);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(other));
  CHECK(order.size() == 10);
}

TEST_CASE("streams that wait for an aborted record go on") {
  const Device device;
  const Stream stream;
  const Stream other;
  const Event never = Event::old(ACL_EVENT_SYNC);
  const Event event;
  REQUIRE_ACL(aclrtStreamWaitEvent(stream, never));
  REQUIRE_ACL(aclrtRecordEvent(event, stream));
  REQUIRE_ACL(aclrtStreamWaitEvent(other, event));
  REQUIRE_ACL(aclrtStreamAbort(stream));
  aclrtSynchronizeStreamWithTimeout(other, 10000);
  CHECK(query(other) == ACL_STREAM_STATUS_COMPLETE);
  aclrtSynchronizeStream(stream);
}

TEST_CASE("a stream may be destroyed after an abort while its kernel still runs") {
  const Device device;
  Gate gate;
  {
    const Stream stream;
    gate.hold(stream);
    REQUIRE_ACL(aclrtStreamAbort(stream));
  }
  CHECK_FALSE(gate.left());
  gate.open();
  CHECK(eventually([&] { return gate.left(); }));
}

TEST_CASE("a kernel that was given up may still use its memory") {
  const Device device;
  const Stream stream;
  void* memory = nullptr;
  REQUIRE_ACL(aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
  std::atomic<bool> entered{false};
  std::atomic<bool> open{false};
  std::atomic<bool> left{false};
  launch(stream, [&, bytes = static_cast<char*>(memory)] {
    entered = true;
    eventually([&] { return open.load(); });
    std::memset(bytes, 1, 4096);
    left = true;
  });
  CHECK(eventually([&] { return query(stream) == ACL_STREAM_STATUS_NOT_READY && entered; }));
  REQUIRE_ACL(aclrtStreamAbort(stream));
  REQUIRE_ACL(aclrtFree(memory));
  open = true;
  CHECK(eventually([&] { return left.load(); }));
}

TEST_CASE("a stop needs a stream") {
  const Device device;
  CHECK_CODE(aclrtStreamStop(nullptr), ACL_ERROR_RT_PARAM_INVALID);
  aclrtStream destroyed = nullptr;
  REQUIRE_ACL(aclrtCreateStream(&destroyed));
  REQUIRE_ACL(aclrtDestroyStream(destroyed));
  CHECK_CODE(aclrtStreamStop(destroyed), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtStreamAbort(destroyed), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_CASE("a stopped stream says so to those who synchronise") {
  const Device device;
  const Stream stream;
  const Event never = Event::old(ACL_EVENT_SYNC);
  std::atomic<bool> ran{false};
  REQUIRE_ACL(aclrtStreamWaitEvent(stream, never));
  launch(stream, [&] { ran = true; });
  REQUIRE_ACL(aclrtStreamStop(stream));
  CHECK_CODE(aclrtSynchronizeStreamWithTimeout(stream, 10000), ACL_ERROR_RT_INTERNAL_ERROR);
  CHECK_FALSE(ran);
}

TEST_CASE("an event whose record was aborted says so, before and after the kernel returns") {
  const Device device;
  const Stream stream;
  aclrtEvent event = nullptr;
  REQUIRE_ACL(aclrtCreateEvent(&event));
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(aclrtRecordEvent(event, stream));
  REQUIRE_ACL(aclrtStreamAbort(stream));
  std::uint64_t time = 0;
  CHECK_CODE(aclrtSynchronizeEvent(event), ACL_ERROR_RT_STREAM_ABORT);
  CHECK_CODE(aclrtEventGetTimestamp(event, &time), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
  gate.open();
  CHECK(eventually([&] { return gate.left(); }));
  CHECK_CODE(aclrtSynchronizeEvent(event), ACL_ERROR_RT_STREAM_ABORT);
  CHECK_CODE(aclrtEventGetTimestamp(event, &time), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
  REQUIRE_ACL(aclrtDestroyEvent(event));
}

TEST_CASE("a wait with a time limit ends on time though the kernel before its event does not") {
  const Device device;
  const Stream producer;
  const Stream waiting;
  aclrtEvent event = nullptr;
  REQUIRE_ACL(aclrtCreateEvent(&event));
  Gate gate;
  gate.hold_later(producer);
  REQUIRE_ACL(aclrtRecordEvent(event, producer));
  REQUIRE_ACL(aclrtStreamWaitEventWithTimeout(waiting, event, 1));
  // The calling thread must not be the one that runs the kernel, or it would never come back.
  CHECK_CODE(aclrtSynchronizeStream(waiting), ACL_ERROR_RT_WAIT_TIMEOUT);
  CHECK_FALSE(gate.left());
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(producer));
  REQUIRE_ACL(aclrtDestroyEvent(event));
}

TEST_CASE("a forced reset does not wait for a host function that runs") {
  REQUIRE_ACL(aclrtSetDevice(0));
  struct StallPoint {
    std::atomic<bool> entered{false};
    std::atomic<bool> open{false};
    std::atomic<bool> left{false};
  };
  static StallPoint hold;
  REQUIRE_ACL(aclrtLaunchHostFunc(
      nullptr,
      [](void*) {
        hold.entered = true;
        while (!hold.open) std::this_thread::yield();
        hold.left = true;
      },
      nullptr));
  REQUIRE(eventually([&] {
    aclrtStreamStatus status{};
    aclrtStreamQuery(nullptr, &status);
    return hold.entered.load();
  }));
  REQUIRE_ACL(aclrtResetDeviceForce(0));
  CHECK_FALSE(hold.left);
  hold.open = true;
  CHECK(eventually([&] { return hold.left.load(); }));
}
