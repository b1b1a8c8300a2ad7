// SPDX-License-Identifier: Apache-2.0
// Callbacks that a thread of the program serves, and host functions that are routed to one.
#include <unistd.h>

#include <fstream>

#include "tests/acl/world.h"

using namespace world;

namespace {

void set_true(void* flag) { static_cast<std::atomic<bool>*>(flag)->store(true); }
void add_one(void* counter) { ++*static_cast<std::atomic<int>*>(counter); }
void unheard(void*) {}

aclError callback(void (*function)(void*), void* data, aclrtStream stream,
                  aclrtCallbackBlockType type = ACL_CALLBACK_BLOCK) {
  return aclrtLaunchCallback(function, data, type, stream);
}

}  // namespace

TEST_CASE("a callback runs in the serving thread, with its pointer") {
  const Device device;
  const Stream stream;
  ReportThread report;
  const Subscription subscription(report.id(), stream);
  struct Seen {
    std::uint64_t thread = 0;
    void* data = nullptr;
  } seen;
  REQUIRE_ACL(callback(
      [](void* data) {
        static_cast<Seen*>(data)->thread = this_thread_id();
        static_cast<Seen*>(data)->data = data;
      },
      &seen, stream));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(seen.thread == report.id());
  CHECK(seen.data == &seen);
}

TEST_CASE("a callback gets any pointer as it is") {
  const Device device;
  const Stream stream;
  ReportThread report;
  const Subscription subscription(report.id(), stream);
  static std::atomic<void*> got{nullptr};
  void* odd = reinterpret_cast<void*>(std::uintptr_t{0xffffffff});
  REQUIRE_ACL(callback([](void* data) { got = data; }, odd, stream));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(got == odd);
  REQUIRE_ACL(callback([](void* data) { got = data; }, nullptr, stream));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(got == nullptr);
}

TEST_CASE("a callback sees what the tasks before it have done") {
  const Device device;
  const bool explicit_stream = GENERATE(true, false);
  const Stream own;
  const aclrtStream stream = explicit_stream ? aclrtStream(own) : nullptr;
  ReportThread report;
  const Subscription subscription(report.id(), stream);
  const DeviceMemory memory(sizeof(int));
  const HostMemory host(2 * sizeof(int));
  int* const numbers = host.as<int>();
  numbers[0] = 20;
  static std::atomic<int> seen{0};
  seen = 0;
  REQUIRE_ACL(aclrtMemcpyAsync(memory, sizeof(int), numbers, sizeof(int), ACL_MEMCPY_HOST_TO_DEVICE,
                               stream));
  launch(stream, [value = memory.as<int>()] { *value += 1; });
  REQUIRE_ACL(aclrtMemcpyAsync(numbers + 1, sizeof(int), memory, sizeof(int),
                               ACL_MEMCPY_DEVICE_TO_HOST, stream));
  REQUIRE_ACL(callback([](void* data) { seen = *static_cast<int*>(data); }, numbers + 1, stream));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(seen == 21);
}

TEST_CASE("callbacks of a stream are served in order, every one once") {
  const Device device;
  const Stream stream;
  ReportThread report;
  const Subscription subscription(report.id(), stream);
  static std::vector<int> order;
  order.clear();
  for (std::intptr_t i = 0; i < 1000; ++i) {
    REQUIRE_ACL(callback(
        [](void* number) {
          order.push_back(static_cast<int>(reinterpret_cast<std::intptr_t>(number)));
        },
        reinterpret_cast<void*>(i), stream,
        i % 3 == 0 ? ACL_CALLBACK_BLOCK : ACL_CALLBACK_NO_BLOCK));
  }
  REQUIRE_ACL(callback(unheard, nullptr, stream));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  REQUIRE(order.size() == 1000);
  for (int i = 0; i < 1000; ++i) CHECK(order[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("a blocking callback holds its stream until it has returned") {
  const Device device;
  const Stream stream;
  const Stream other;
  ReportThread report;
  const Subscription subscription(report.id(), stream);
  struct Held {
    std::atomic<bool> entered{false};
    std::atomic<bool> open{false};
  } held;
  std::atomic<bool> after{false};
  REQUIRE_ACL(callback(
      [](void* data) {
        auto& state = *static_cast<Held*>(data);
        state.entered = true;
        eventually([&] { return state.open.load(); });
      },
      &held, stream));
  launch(stream, [&] { after = true; });
  REQUIRE(eventually([&] { return query(stream) == ACL_STREAM_STATUS_NOT_READY && held.entered; }));
  CHECK_FALSE(after);
  launch(other, [] {});
  REQUIRE_ACL(aclrtSynchronizeStream(other));  // others go on
  CHECK_FALSE(after);
  CHECK(query(stream) == ACL_STREAM_STATUS_NOT_READY);
  held.open = true;
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(after);
}

TEST_CASE("a callback that does not block lets its stream go on") {
  const Device device;
  const Stream stream;
  ReportThread report;
  const Subscription subscription(report.id(), stream);
  struct Held {
    std::atomic<bool> open{false};
    std::atomic<bool> left{false};
  } held;
  bool after = false;
  REQUIRE_ACL(callback(
      [](void* data) {
        auto& state = *static_cast<Held*>(data);
        eventually([&] { return state.open.load(); });
        state.left = true;
      },
      &held, stream, ACL_CALLBACK_NO_BLOCK));
  launch(stream, [&] { after = true; });
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(after);
  CHECK_FALSE(held.left);
  held.open = true;
  CHECK(eventually([&] { return held.left.load(); }));
}

TEST_CASE("a callback needs a stream that is served") {
  const Device device;
  const Stream stream;
  CHECK_CODE(callback(unheard, nullptr, stream), ACL_ERROR_RT_STREAM_NO_CB_REG);
  CHECK_CODE(callback(unheard, nullptr, nullptr), ACL_ERROR_RT_STREAM_NO_CB_REG);
  ReportThread report;
  const Subscription subscription(report.id(), stream);
  CHECK_CODE(callback(nullptr, nullptr, stream), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(callback(unheard, nullptr, stream, static_cast<aclrtCallbackBlockType>(2)),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(callback(unheard, nullptr, stream, static_cast<aclrtCallbackBlockType>(-1)),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(callback(unheard, nullptr, nullptr), ACL_ERROR_RT_STREAM_NO_CB_REG);
}

// ---- subscriptions
// -------------------------------------------------------------------------------------

TEST_CASE("a stream is served by one thread") {
  const Device device;
  const Stream stream;
  ReportThread report;
  ReportThread other;
  const Subscription subscription(report.id(), stream);
  CHECK_CODE(aclrtSubscribeReport(other.id(), stream), ACL_ERROR_RT_STREAM_SUBSCRIBE);
  CHECK_CODE(aclrtSubscribeReport(report.id(), stream), ACL_ERROR_RT_STREAM_SUBSCRIBE);
  CHECK_CODE(aclrtUnSubscribeReport(other.id(), stream), ACL_ERROR_RT_THREAD_SUBSCRIBE);
}

TEST_CASE("a stream that is not served cannot be unsubscribed") {
  const Device device;
  const Stream stream;
  CHECK_CODE(aclrtUnSubscribeReport(this_thread_id(), stream), ACL_ERROR_RT_STREAM_SUBSCRIBE);
}

TEST_CASE("a thread serves many streams of one device and none of another") {
  const Device device(0);
  const Stream first;
  const Stream second;
  ReportThread report;
  const Subscription one(report.id(), first);
  const Subscription two(report.id(), second);
  std::atomic<int> calls{0};
  REQUIRE_ACL(callback(add_one, &calls, first));
  REQUIRE_ACL(callback(add_one, &calls, second));
  REQUIRE_ACL(aclrtSynchronizeStream(first));
  REQUIRE_ACL(aclrtSynchronizeStream(second));
  CHECK(calls == 2);
  const aclrtContext primary = current_context();
  {
    const Context elsewhere(1);
    const Stream foreign;
    CHECK_CODE(aclrtSubscribeReport(report.id(), foreign), ACL_ERROR_RT_THREAD_SUBSCRIBE);
  }
  REQUIRE_ACL(aclrtSetCurrentContext(primary));
}

TEST_CASE("a stream can be served again by another thread") {
  const Device device;
  const Stream stream;
  for (int round = 0; round < 3; ++round) {
    ReportThread report;
    const Subscription subscription(report.id(), stream);
    std::atomic<int> calls{0};
    REQUIRE_ACL(callback(add_one, &calls, stream));
    REQUIRE_ACL(aclrtSynchronizeStream(stream));
    CHECK(calls == 1);
  }
}

TEST_CASE("destroying a stream ends its subscription") {
  const Device device;
  ReportThread report;
  {
    const Stream stream;
    REQUIRE_ACL(aclrtSubscribeReport(report.id(), stream));
    CHECK(stats().subscriptions == 1);
  }
  CHECK(stats().subscriptions == 0);
  const Context elsewhere(1);  // the thread is free for another device
  const Stream stream;
  const Subscription subscription(report.id(), stream);
  std::atomic<int> calls{0};
  REQUIRE_ACL(callback(add_one, &calls, stream));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(calls == 1);
}

TEST_CASE("a callback that waits is dropped with its stream") {
  const Device device;
  Stream stream;
  const Event never = Event::old(ACL_EVENT_SYNC);
  std::atomic<int> calls{0};
  ReportThread report;
  REQUIRE_ACL(aclrtSubscribeReport(report.id(), stream));
  REQUIRE_ACL(aclrtStreamWaitEvent(stream, never));
  REQUIRE_ACL(callback(add_one, &calls, stream));
  REQUIRE_ACL(aclrtDestroyStreamForce(stream.release()));
  report.stop();
  CHECK(calls == 0);
}

// ---- aclrtProcessReport
// --------------------------------------------------------------------------------

TEST_CASE("processing reports needs a sensible timeout") {
  for (const std::int32_t timeout : {0, -2, -1000}) {
    CHECK_CODE(aclrtProcessReport(timeout), ACL_ERROR_INVALID_PARAM);
  }
}

TEST_CASE("a thread that serves no stream is told so") {
  CHECK_CODE(aclrtProcessReport(5), ACL_ERROR_RT_THREAD_SUBSCRIBE);
  CHECK(in_thread([] { return aclrtProcessReport(5); }) == ACL_ERROR_RT_THREAD_SUBSCRIBE);
}

TEST_CASE("a serving thread for which nothing came is told so") {
  const Device device;
  const Stream stream;
  {
    const Subscription subscription(this_thread_id(), stream);
    CHECK_CODE(aclrtProcessReport(5), ACL_ERROR_RT_REPORT_TIMEOUT);
  }
  CHECK_CODE(aclrtProcessReport(5), ACL_ERROR_RT_THREAD_SUBSCRIBE);
}

TEST_CASE("the thread that launches callbacks may serve them itself, without a context") {
  const Device device;
  const Stream stream;
  const Subscription subscription(this_thread_id(), stream);
  std::atomic<int> calls{0};
  for (int i = 0; i < 3; ++i) REQUIRE_ACL(callback(add_one, &calls, stream));
  while (calls < 3) REQUIRE_ACL(aclrtProcessReport(20000));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(calls == 3);
}

TEST_CASE("one call serves every callback that is ready") {
  const Device device;
  const Stream stream;
  const Subscription subscription(this_thread_id(), stream);
  std::atomic<int> calls{0};
  for (int i = 0; i < 10; ++i) {
    REQUIRE_ACL(callback(add_one, &calls, stream, ACL_CALLBACK_NO_BLOCK));
  }
  REQUIRE_ACL(aclrtSynchronizeStream(stream));  // all of them have been handed over
  REQUIRE_ACL(aclrtProcessReport(20000));
  CHECK(calls == 10);
}

namespace {
// True if the kernel reports that a thread of this process sleeps; in its text the state follows
// the name.
bool asleep(pid_t tid) {
  std::ifstream stat("/proc/self/task/" + std::to_string(tid) + "/stat");
  std::string text;
  std::getline(stat, text);
  const std::size_t name_end = text.rfind(')');
  return name_end != std::string::npos && text.compare(name_end + 2, 1, "S") == 0;
}
}  // namespace

TEST_CASE("a serving thread without limit wakes up for a callback") {
  const Device device;
  const Stream stream;
  std::atomic<pid_t> tid{0};
  std::atomic<std::uint64_t> id{0};
  std::atomic<int> code{-1};
  std::thread server([&] {
    tid = gettid();
    id = this_thread_id();
    code = aclrtProcessReport(-1);  // starts before the subscription
  });
  REQUIRE(eventually([&] { return id != 0; }));
  // Before it sleeps, and when it does: either way it must be served.
  if (GENERATE(false, true)) REQUIRE(eventually([&] { return asleep(tid); }));
  {
    const Subscription subscription(id, stream);
    std::atomic<bool> called{false};
    REQUIRE_ACL(callback(set_true, &called, stream));
    REQUIRE_ACL(aclrtSynchronizeStream(stream));
    CHECK(called);
    server.join();
  }
  CHECK(code == ACL_SUCCESS);
}

TEST_CASE("a sleeping serving thread is woken at once and not at its next round") {
  const Device device;
  const Stream stream;
  std::atomic<std::uint64_t> id{0};
  std::atomic<bool> stop{false};
  std::thread server([&] {
    id = this_thread_id();
    while (!stop) aclrtProcessReport(20000);
  });
  REQUIRE(eventually([&] { return id != 0; }));
  const auto begin = std::chrono::steady_clock::now();
  {
    const Subscription subscription(id, stream);
    std::atomic<int> calls{0};
    for (int i = 0; i < 10; ++i) {
      REQUIRE_ACL(callback(add_one, &calls, stream));
      REQUIRE_ACL(aclrtSynchronizeStream(stream));
    }
    CHECK(calls == 10);
    REQUIRE_ACL(callback(set_true, &stop, stream));  // ends the serving thread from inside
    REQUIRE_ACL(aclrtSynchronizeStream(stream));
    server.join();
  }
  CHECK(std::chrono::steady_clock::now() - begin < 15s);
}

TEST_CASE("a subscription that ends lets a sleeping serving thread know") {
  const Device device;
  const Stream stream;
  std::atomic<std::uint64_t> id{0};
  std::atomic<int> code{-1};
  std::thread server([&] {
    id = this_thread_id();
    code = aclrtProcessReport(300);
  });
  REQUIRE(eventually([&] { return id != 0; }));
  REQUIRE_ACL(aclrtSubscribeReport(id, stream));
  REQUIRE_ACL(aclrtUnSubscribeReport(id, stream));
  server.join();
  CHECK((code == ACL_ERROR_RT_REPORT_TIMEOUT || code == ACL_ERROR_RT_THREAD_SUBSCRIBE));
}

TEST_CASE("teardown in the usual order leaves nothing behind") {
  const Device device;
  const Stream stream;
  ReportThread report;
  REQUIRE_ACL(aclrtSubscribeReport(report.id(), stream));
  std::atomic<int> calls{0};
  for (int i = 0; i < 5; ++i) REQUIRE_ACL(callback(add_one, &calls, stream));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  report.stop();
  REQUIRE_ACL(aclrtUnSubscribeReport(report.id(), stream));
  CHECK(calls == 5);
}

TEST_CASE("a stream goes on, with an error, when its pending callbacks can be served no more") {
  const Device device;
  aclrtStream stream = nullptr;
  REQUIRE_ACL(aclrtCreateStream(&stream));
  const Event event;
  std::atomic<int> calls{0};
  const bool host_func = GENERATE(false, true);
  const auto launch_one = [&](aclrtCallbackBlockType block) {
    return host_func ? aclrtLaunchHostFunc(stream, add_one, &calls)
                     : callback(add_one, &calls, stream, block);
  };
  const auto unsubscribe = host_func ? aclrtUnSubscribeHostFunc : aclrtUnSubscribeReport;
  REQUIRE_ACL(
      (host_func ? aclrtSubscribeHostFunc : aclrtSubscribeReport)(this_thread_id(), stream));
  REQUIRE_ACL(launch_one(ACL_CALLBACK_NO_BLOCK));
  for (int i = 0; i < 5; ++i) REQUIRE_ACL(launch_one(ACL_CALLBACK_BLOCK));
  REQUIRE_ACL(aclrtRecordEvent(event, stream));
  REQUIRE_CODE(aclrtSynchronizeStreamWithTimeout(stream, 5), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  SECTION("its thread is unsubscribed") {
    REQUIRE_ACL(unsubscribe(this_thread_id(), stream));
    CHECK_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_INTERNAL_ERROR);
    CHECK_THAT(aclGetRecentErrMsg(),
               catch_compat::ContainsSubstring("a host function was dropped"));
    CHECK_CODE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    REQUIRE_ACL(aclrtDestroyStream(stream));
  }
  SECTION("the thread that should serve it destroys it") {
    REQUIRE_ACL(aclrtDestroyStream(stream));
  }
  SECTION("it is destroyed by force") { REQUIRE_ACL(aclrtDestroyStreamForce(stream)); }
  CHECK(eventually([&] { return recorded(event) == ACL_EVENT_RECORDED_STATUS_COMPLETE; }));
  CHECK(calls == 0);
}

TEST_CASE("a callback that ends its serving thread fails, and its stream goes on") {
  const Device device;
  const Stream stream;
  pthread_t server{};
  REQUIRE(pthread_create(
              &server, nullptr, [](void*) -> void* { return aclrtProcessReport(20000), nullptr; },
              nullptr) == 0);
  const Subscription subscription(server, stream);
  bool ran = false;
  REQUIRE_ACL(callback([](void*) { pthread_exit(nullptr); }, nullptr, stream));
  launch(stream, [&] { ran = true; });
  CHECK_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_INTERNAL_ERROR);
  CHECK(ran);
  pthread_join(server, nullptr);
}

TEST_CASE("many threads launch callbacks on one stream and none is lost") {
  const Device device;
  const aclrtContext context = current_context();
  const Stream stream;
  ReportThread report;
  const Subscription subscription(report.id(), stream);
  std::atomic<int> calls{0};
  Problems problems;
  in_threads(16, [&](int) {
    EXPECT_ACL(problems, aclrtSetCurrentContext(context));
    for (int i = 0; i < 50; ++i) EXPECT_ACL(problems, callback(add_one, &calls, stream));
  });
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(problems.text().empty());
  CHECK(calls == 800);
}

TEST_CASE("callbacks of several streams may be served by several threads") {
  const Device device;
  constexpr std::size_t kStreams = 4;
  std::vector<Stream> streams(kStreams);
  std::vector<std::unique_ptr<ReportThread>> reports;
  std::vector<std::unique_ptr<Subscription>> subscriptions;
  std::atomic<int> calls{0};
  for (const Stream& stream : streams) {
    reports.push_back(std::make_unique<ReportThread>());
    subscriptions.push_back(std::make_unique<Subscription>(reports.back()->id(), stream));
  }
  for (int i = 0; i < 50; ++i) {
    for (const Stream& stream : streams) REQUIRE_ACL(callback(add_one, &calls, stream));
  }
  for (const Stream& stream : streams) REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(calls == 200);
  subscriptions.clear();
}

TEST_CASE("a callback that is late holds up its own stream only") {
  const Device device;
  const Stream unserved;
  const Stream stream;
  const Event event;
  REQUIRE_ACL(aclrtSubscribeReport(this_thread_id(), unserved));
  std::atomic<int> calls{0};
  REQUIRE_ACL(callback(add_one, &calls, unserved));
  REQUIRE_ACL(aclrtRecordEvent(event, unserved));
  bool ran = false;
  launch(stream, [&] { ran = true; });
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(ran);
  REQUIRE_CODE(aclrtSynchronizeStreamWithTimeout(unserved, 10), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  REQUIRE_CODE(aclrtSynchronizeEventWithTimeout(event, 10), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
  CHECK(calls == 0);
  REQUIRE_ACL(aclrtProcessReport(20000));
  REQUIRE_ACL(aclrtSynchronizeEvent(event));
  CHECK(calls == 1);
  REQUIRE_ACL(aclrtUnSubscribeReport(this_thread_id(), unserved));
}

TEST_CASE("a callback behind an event runs after it") {
  const Device device;
  const Stream first;
  const Stream second;
  const Event event;
  ReportThread report;
  const Subscription subscription(report.id(), second);
  static std::atomic<int> value{0};
  static std::atomic<int> seen{-1};
  value = 0;
  Gate gate;
  gate.hold(first);
  launch(first, [] { value = 8; });
  REQUIRE_ACL(aclrtRecordEvent(event, first));
  REQUIRE_ACL(aclrtStreamWaitEvent(second, event));
  REQUIRE_ACL(callback([](void*) { seen = value.load(); }, nullptr, second));
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(second));
  CHECK(seen == 8);
}

// ---- host functions that a thread of the program serves
// ------------------------------------------------

TEST_CASE("a routed host function runs in the thread that serves it") {
  const Device device;
  const Stream stream;
  ReportThread server(aclrtProcessHostFunc);
  REQUIRE_ACL(aclrtSubscribeHostFunc(server.id(), stream));
  std::uint64_t thread = 0;
  REQUIRE_ACL(aclrtLaunchHostFunc(
      stream, [](void* id) { *static_cast<std::uint64_t*>(id) = this_thread_id(); }, &thread));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(thread == server.id());
  REQUIRE_ACL(aclrtUnSubscribeHostFunc(server.id(), stream));
}

TEST_CASE("callbacks and routed host functions live side by side on one stream") {
  const Device device;
  const Stream stream;
  ReportThread report;
  ReportThread server(aclrtProcessHostFunc);
  REQUIRE_ACL(aclrtSubscribeReport(report.id(), stream));
  REQUIRE_ACL(aclrtSubscribeHostFunc(server.id(), stream));
  std::uint64_t threads[2] = {0, 0};
  const auto note = [](void* id) { *static_cast<std::uint64_t*>(id) = this_thread_id(); };
  for (int i = 0; i < 10; ++i) {
    REQUIRE_ACL(callback(note, &threads[0], stream));
    REQUIRE_ACL(aclrtLaunchHostFunc(stream, note, &threads[1]));
  }
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(threads[0] == report.id());
  CHECK(threads[1] == server.id());
  REQUIRE_ACL(aclrtUnSubscribeReport(report.id(), stream));
  REQUIRE_ACL(aclrtUnSubscribeHostFunc(server.id(), stream));
}

TEST_CASE("routing host functions is checked") {
  const Device device;
  const Stream stream;
  const std::uint64_t me = this_thread_id();
  CHECK_CODE(aclrtSubscribeHostFunc(me, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtUnSubscribeHostFunc(me, stream), ACL_ERROR_RT_STREAM_SUBSCRIBE);
  CHECK_CODE(aclrtProcessHostFunc(0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtProcessHostFunc(-2), ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(aclrtSubscribeHostFunc(me, stream));
  CHECK_CODE(aclrtSubscribeHostFunc(me, stream), ACL_ERROR_RT_STREAM_SUBSCRIBE);
  CHECK_CODE(aclrtUnSubscribeHostFunc(me + 1, stream), ACL_ERROR_RT_STREAM_SUBSCRIBE);
  CHECK_CODE(aclrtProcessHostFunc(5), ACL_ERROR_RT_REPORT_TIMEOUT);
  REQUIRE_ACL(aclrtUnSubscribeHostFunc(me, stream));
}
