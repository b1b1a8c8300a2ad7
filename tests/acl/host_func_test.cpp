// SPDX-License-Identifier: Apache-2.0
// Host functions that the runtime's own threads run.
#include <stdexcept>

#include "tests/acl/world.h"

using namespace world;

namespace {

void count_call(void* counter) { ++*static_cast<std::atomic<int>*>(counter); }
void nothing(void*) {}

struct Held {
  std::atomic<bool> entered{false};
  std::atomic<bool> open{false};
  ~Held() { open = true; }

  static void run(void* data) {
    auto& held = *static_cast<Held*>(data);
    held.entered = true;
    eventually([&] { return held.open.load(); });
  }
};

}  // namespace

TEST_CASE("a host function gets its pointer and needs no subscription") {
  const Device device;
  const Stream stream;
  std::atomic<int> calls{0};
  REQUIRE_ACL(aclrtLaunchHostFunc(stream, count_call, &calls));
  REQUIRE_ACL(aclrtLaunchHostFunc(nullptr, count_call, &calls));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  CHECK(calls == 2);
}

TEST_CASE("a host function must be given") {
  const Device device;
  const Stream stream;
  CHECK_CODE(aclrtLaunchHostFunc(stream, nullptr, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtLaunchHostFunc(nullptr, nullptr, nullptr), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("a host function runs in a thread of the runtime, never in the program's") {
  const Device device;
  const Stream stream;
  const std::uint64_t me = this_thread_id();
  std::vector<std::uint64_t> ids(50, me);
  for (std::uint64_t& id : ids) {
    REQUIRE_ACL(aclrtLaunchHostFunc(
        stream, [](void* out) { *static_cast<std::uint64_t*>(out) = this_thread_id(); }, &id));
    REQUIRE_ACL(aclrtSynchronizeStream(stream));
  }
  for (const std::uint64_t id : ids) CHECK(id != me);
}

TEST_CASE("the host functions of a context run one at a time") {
  const Device device;
  std::vector<Stream> streams(3);
  struct Shared {
    std::atomic<int> inside{0};
    std::atomic<int> overlaps{0};
    int calls = 0;  // no lock: only one function runs at a time
  } shared;
  for (std::size_t i = 0; i < 60; ++i) {
    REQUIRE_ACL(aclrtLaunchHostFunc(
        streams[i % 3],
        [](void* data) {
          auto& all = *static_cast<Shared*>(data);
          if (all.inside.fetch_add(1) != 0) ++all.overlaps;
          ++all.calls;
          std::this_thread::yield();
          --all.inside;
        },
        &shared));
  }
  REQUIRE_ACL(aclrtSynchronizeDevice());
  CHECK(shared.calls == 60);
  CHECK(shared.overlaps == 0);
}

TEST_CASE("a host function sees the copy before it") {
  const Device device;
  const bool explicit_stream = GENERATE(true, false);
  const Stream own;
  const aclrtStream stream = explicit_stream ? aclrtStream(own) : nullptr;
  const DeviceMemory memory(sizeof(int));
  const HostMemory host(sizeof(int));
  *host.as<int>() = 0;
  store(memory, 33);
  static int seen = 0;
  seen = 0;
  REQUIRE_ACL(
      aclrtMemcpyAsync(host, sizeof(int), memory, sizeof(int), ACL_MEMCPY_DEVICE_TO_HOST, stream));
  REQUIRE_ACL(aclrtLaunchHostFunc(
      stream, [](void* data) { seen = *static_cast<int*>(data); }, host));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(seen == 33);
}

TEST_CASE("a host function holds its stream until it has returned") {
  const Device device;
  const Stream stream;
  std::atomic<bool> after{false};
  Held held;
  REQUIRE_ACL(aclrtLaunchHostFunc(stream, Held::run, &held));
  launch(stream, [&] { after = true; });
  REQUIRE(eventually([&] { return query(stream) == ACL_STREAM_STATUS_NOT_READY && held.entered; }));
  REQUIRE_CODE(aclrtSynchronizeStreamWithTimeout(stream, 10), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  CHECK_FALSE(after);
  held.open = true;
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(after);
}

TEST_CASE("each host function sees its own stream's work") {
  const Device device;
  std::vector<Stream> streams(4);
  struct Each {
    int value = 0;
    int seen = 0;
  };
  std::vector<Each> each(streams.size());
  for (std::size_t i = 0; i < streams.size(); ++i) {
    launch(streams[i], [&each, i] { each[i].value = static_cast<int>(i) + 100; });
    REQUIRE_ACL(aclrtLaunchHostFunc(
        streams[i],
        [](void* data) { static_cast<Each*>(data)->seen = static_cast<Each*>(data)->value; },
        &each[i]));
  }
  REQUIRE_ACL(aclrtSynchronizeDevice());
  for (std::size_t i = 0; i < each.size(); ++i) CHECK(each[i].seen == static_cast<int>(i) + 100);
}

TEST_CASE("host functions go on while another stream works") {
  const Device device;
  const Stream busy;
  const Stream stream;
  std::atomic<int> calls{0};
  Gate gate;
  gate.hold(busy);
  for (int i = 0; i < 5; ++i) REQUIRE_ACL(aclrtLaunchHostFunc(stream, count_call, &calls));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(calls == 5);
  CHECK(query(busy) == ACL_STREAM_STATUS_NOT_READY);
}

TEST_CASE("a held host function holds up no kernels of other streams") {
  const Device device;
  const Stream held_stream;
  const Stream stream;
  Held held;
  REQUIRE_ACL(aclrtLaunchHostFunc(held_stream, Held::run, &held));
  int value = 0;
  for (int i = 0; i < 10; ++i) launch(stream, [&] { ++value; });
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(value == 10);
  held.open = true;
  REQUIRE_ACL(aclrtSynchronizeStream(held_stream));
}

TEST_CASE("a held host function of one context holds up none of another") {
  const Device device(0);
  const aclrtContext primary = current_context();
  const Stream held_stream;
  const Context other(1);
  Held held;
  {
    const Within within(primary);
    REQUIRE_ACL(aclrtLaunchHostFunc(held_stream, Held::run, &held));
  }
  std::atomic<int> calls{0};
  REQUIRE_ACL(aclrtLaunchHostFunc(nullptr, count_call, &calls));
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  CHECK(calls == 1);
  held.open = true;
  REQUIRE_ACL(aclrtSetCurrentContext(primary));
  REQUIRE_ACL(aclrtSynchronizeStream(held_stream));
}

TEST_CASE("every device has its host functions") {
  std::vector<std::unique_ptr<Device>> devices;
  std::atomic<int> calls{0};
  for (int id = 0; id < 8; ++id) {
    devices.push_back(std::make_unique<Device>(id));
    REQUIRE_ACL(aclrtLaunchHostFunc(nullptr, count_call, &calls));
    REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  }
  CHECK(calls == 8);
}

TEST_CASE("host functions work on streams of every priority") {
  const Device device;
  std::atomic<int> calls{0};
  for (std::uint32_t priority = 0; priority < 8; ++priority) {
    const Stream stream(priority, 0);
    REQUIRE_ACL(aclrtLaunchHostFunc(stream, count_call, &calls));
    REQUIRE_ACL(aclrtSynchronizeStream(stream));
  }
  CHECK(calls == 8);
}

TEST_CASE("host functions, records and waits in a loop over two streams finish") {
  const Device device;
  std::vector<Stream> streams(2);
  const Event event;
  std::atomic<int> calls{0};
  for (int i = 0; i < 200; ++i) {
    const Stream& from = streams[static_cast<std::size_t>(i % 2)];
    const Stream& to = streams[static_cast<std::size_t>((i + 1) % 2)];
    REQUIRE_ACL(aclrtLaunchHostFunc(from, count_call, &calls));
    REQUIRE_ACL(aclrtRecordEvent(event, from));
    REQUIRE_ACL(aclrtStreamWaitEvent(to, event));
  }
  for (const Stream& stream : streams) REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(calls == 200);
}

TEST_CASE("host functions and report subscriptions do not mix on one stream") {
  const Device device;
  const Stream reported;
  const Stream hosted;
  ReportThread report;
  const Subscription subscription(report.id(), reported);
  CHECK_CODE(aclrtLaunchHostFunc(reported, nothing, nullptr), ACL_ERROR_RT_STREAM_SUBSCRIBE);

  REQUIRE_ACL(aclrtLaunchHostFunc(hosted, nothing, nullptr));
  CHECK_CODE(aclrtSubscribeReport(report.id(), hosted), ACL_ERROR_RT_STREAM_SUBSCRIBE);
  CHECK_CODE(aclrtUnSubscribeReport(report.id(), hosted), ACL_ERROR_RT_STREAM_SUBSCRIBE);
  CHECK_CODE(aclrtLaunchCallback(nothing, nullptr, ACL_CALLBACK_BLOCK, hosted),
             ACL_ERROR_RT_STREAM_SUBSCRIBE);
  REQUIRE_ACL(aclrtSynchronizeStream(hosted));
}

TEST_CASE("a host function that throws fails its stream") {
  const Device device;
  const Stream stream;
  bool ran = false;
  REQUIRE_ACL(aclrtLaunchHostFunc(
      stream, [](void*) { throw std::runtime_error("on purpose"); }, nullptr));
  launch(stream, [&] { ran = true; });
  REQUIRE_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_INTERNAL_ERROR);
  CHECK(ran);
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
}

TEST_CASE("a stream with a host function can be destroyed at once") {
  const Device device;
  std::atomic<int> calls{0};
  for (int i = 0; i < 20; ++i) {
    const Stream stream;
    REQUIRE_ACL(aclrtLaunchHostFunc(stream, count_call, &calls));
  }
  CHECK(calls == 20);
}

TEST_CASE("a context with host functions can be destroyed and made again") {
  std::atomic<int> calls{0};
  for (int i = 0; i < 10; ++i) {
    const Context context(0);
    REQUIRE_ACL(aclrtLaunchHostFunc(nullptr, count_call, &calls));
    REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  }
  CHECK(calls == 10);
}
