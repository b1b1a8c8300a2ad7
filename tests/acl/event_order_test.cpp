// SPDX-License-Identifier: Apache-2.0
// The record for which a stream waits when it waits for an event.
#include <random>

#include "tests/acl/world.h"

using namespace world;

TEST_CASE("a waiting stream starts only after the event it waits for") {
  const Device device;
  const Stream first;
  const Stream second;
  const Stream third;
  const Event event;
  int value = 0;
  int seen = 0;
  Gate gate;
  gate.hold(first);
  launch(first, [&] { value = 42; });
  REQUIRE_ACL(aclrtRecordEvent(event, first));
  REQUIRE_ACL(aclrtStreamWaitEvent(second, event));
  launch(second, [&] { seen = value; });
  launch(third, [] {});
  REQUIRE_ACL(aclrtSynchronizeStream(third));
  CHECK(query(second) == ACL_STREAM_STATUS_NOT_READY);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(second));
  CHECK(seen == 42);
}

TEST_CASE("a stream goes on by itself after its wait") {
  const Device device;
  const Stream first;
  const Stream second;
  const Event event;
  Gate before;
  Gate after;
  before.hold(first);
  REQUIRE_ACL(aclrtRecordEvent(event, first));
  REQUIRE_ACL(aclrtStreamWaitEvent(second, event));
  after.hold_later(second);
  before.open();
  REQUIRE_ACL(aclrtSynchronizeStream(first));
  CHECK(query(second) == ACL_STREAM_STATUS_NOT_READY);
  after.open();
  REQUIRE_ACL(aclrtSynchronizeStream(second));
}

TEST_CASE("a wait in the stream that recorded the event is no deadlock") {
  const Device device;
  const Stream stream;
  const Event plain;
  const Event newer = Event::ex();
  const Event sync = Event::old(ACL_EVENT_SYNC);
  bool ran = false;
  for (const aclrtEvent event : {aclrtEvent(plain), aclrtEvent(newer), aclrtEvent(sync)}) {
    REQUIRE_ACL(aclrtRecordEvent(event, stream));
    REQUIRE_ACL(aclrtStreamWaitEvent(stream, event));
  }
  launch(stream, [&] { ran = true; });
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(ran);
}

TEST_CASE("an event that completed before the wait holds nobody") {
  const Device device;
  const Stream first;
  const Stream second;
  for (const bool newer : {false, true}) {
    const Event event = newer ? Event::ex() : Event();
    REQUIRE_ACL(aclrtRecordEvent(event, first));
    REQUIRE_ACL(aclrtSynchronizeStream(first));
    REQUIRE_ACL(aclrtStreamWaitEvent(second, event));
    bool ran = false;
    launch(second, [&] { ran = true; });
    REQUIRE_ACL(aclrtSynchronizeStream(second));
    CHECK(ran);
  }
}

TEST_CASE("a plain event must be recorded before a stream may wait for it") {
  const Device device;
  const Stream stream;
  const Event event;
  CHECK_CODE(aclrtStreamWaitEvent(stream, event), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtStreamWaitEventWithTimeout(stream, event, 1), ACL_ERROR_RT_PARAM_INVALID);
  CHECK(query(stream) == ACL_STREAM_STATUS_COMPLETE);
}

TEST_CASE("waiting for a newer event that was never recorded does nothing") {
  const Device device;
  const Stream stream;
  const Event event = Event::ex();
  REQUIRE_ACL(aclrtStreamWaitEvent(stream, event));
  REQUIRE_ACL(aclrtSynchronizeStreamWithTimeout(stream, 10000));
}

TEST_CASE("a sync event may be waited for before its record") {
  const Device device;
  const Stream first;
  const Stream second;
  const Event event = Event::old(ACL_EVENT_SYNC);
  int value = 0;
  int seen = -1;
  REQUIRE_ACL(aclrtStreamWaitEvent(second, event));
  launch(second, [&] { seen = value; });
  REQUIRE_CODE(aclrtSynchronizeStreamWithTimeout(second, 10), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  launch(first, [&] { value = 5; });
  REQUIRE_ACL(aclrtRecordEvent(event, first));
  REQUIRE_ACL(aclrtSynchronizeStream(second));
  CHECK(seen == 5);
}

TEST_CASE("events for time stamps only cannot be waited for") {
  const Device device;
  const Stream stream;
  for (const std::uint32_t flags : {ACL_EVENT_TIME_LINE, ACL_EVENT_CAPTURE_STREAM_PROGRESS,
                                    ACL_EVENT_TIME_LINE | ACL_EVENT_CAPTURE_STREAM_PROGRESS}) {
    const Event event = Event::old(flags);
    CHECK_CODE(aclrtStreamWaitEvent(stream, event), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    REQUIRE_ACL(aclrtRecordEvent(event, nullptr));
    CHECK_CODE(aclrtStreamWaitEvent(stream, event), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  }
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
}

TEST_CASE("a sync event lets waits pass until it is reset") {
  const Device device;
  const Stream first;
  const Stream second;
  const Event event = Event::old(ACL_EVENT_SYNC);
  REQUIRE_ACL(aclrtRecordEvent(event, first));
  for (int i = 0; i < 3; ++i) REQUIRE_ACL(aclrtStreamWaitEvent(second, event));
  REQUIRE_ACL(aclrtSynchronizeStream(second));
  REQUIRE_ACL(aclrtResetEvent(event, second));
  REQUIRE_ACL(aclrtSynchronizeStream(second));
  REQUIRE_ACL(aclrtStreamWaitEvent(second, event));
  REQUIRE_CODE(aclrtSynchronizeStreamWithTimeout(second, 10), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  REQUIRE_ACL(aclrtRecordEvent(event, first));
  REQUIRE_ACL(aclrtSynchronizeStream(second));
}

TEST_CASE("a wait is bound to the latest record at the time of the call") {
  const Device device;
  const Stream first;
  const Stream second;
  const Stream waiting;
  for (const bool newer : {false, true}) {
    const Event event = newer ? Event::ex() : Event();
    Gate one;
    Gate two;
    one.hold(first);
    REQUIRE_ACL(aclrtRecordEvent(event, first));
    REQUIRE_ACL(aclrtStreamWaitEvent(waiting, event));
    two.hold(second);
    REQUIRE_ACL(aclrtRecordEvent(event, second));
    CHECK(query(waiting) == ACL_STREAM_STATUS_NOT_READY);
    one.open();
    REQUIRE_ACL(aclrtSynchronizeStream(waiting));  // though the second record is pending
    CHECK(recorded(event) == ACL_EVENT_RECORDED_STATUS_NOT_READY);
    two.open();
    REQUIRE_ACL(aclrtSynchronizeStream(second));
    CHECK(recorded(event) == ACL_EVENT_RECORDED_STATUS_COMPLETE);
  }
}

TEST_CASE("a wait after two records follows the second one only") {
  const Device device;
  const Stream first;
  const Stream second;
  const Stream waiting;
  const Event event;
  Gate gate;
  gate.hold(first);
  REQUIRE_ACL(aclrtRecordEvent(event, first));
  REQUIRE_ACL(aclrtRecordEvent(event, second));
  REQUIRE_ACL(aclrtStreamWaitEvent(waiting, event));
  REQUIRE_ACL(aclrtSynchronizeStream(waiting));
  REQUIRE_ACL(aclrtSynchronizeEvent(event));
  CHECK(recorded(event) == ACL_EVENT_RECORDED_STATUS_COMPLETE);
  CHECK(query(first) == ACL_STREAM_STATUS_NOT_READY);
}

TEST_CASE("an event may be destroyed while a stream waits for it") {
  const Device device;
  const Stream first;
  const Stream second;
  int value = 0;
  int seen = 0;
  Gate gate;
  gate.hold(first);
  {
    const Event event;
    launch(first, [&] { value = 3; });
    REQUIRE_ACL(aclrtRecordEvent(event, first));
    REQUIRE_ACL(aclrtStreamWaitEvent(second, event));
  }
  launch(second, [&] { seen = value; });
  CHECK(query(second) == ACL_STREAM_STATUS_NOT_READY);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(second));
  CHECK(seen == 3);
}

TEST_CASE("a stream may be destroyed while others wait for its record") {
  const Device device;
  const Stream second;
  const Event event;
  int value = 0;
  int seen = 0;
  const Caller caller;
  {
    const Stream first;
    launch(first, [&] {
      caller.await_blocked();
      value = 9;
    });
    REQUIRE_ACL(aclrtRecordEvent(event, first));
    REQUIRE_ACL(aclrtStreamWaitEvent(second, event));
  }
  launch(second, [&] { seen = value; });
  REQUIRE_ACL(aclrtSynchronizeStream(second));
  CHECK(seen == 9);
}

TEST_CASE("a record releases every stream that waits") {
  const Device device;
  const Stream first;
  std::vector<Stream> waiting(64);
  const Event event;
  int value = 0;
  std::vector<int> seen(waiting.size(), 0);
  Gate gate;
  gate.hold(first);
  launch(first, [&] { value = 1; });
  REQUIRE_ACL(aclrtRecordEvent(event, first));
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    REQUIRE_ACL(aclrtStreamWaitEvent(waiting[i], event));
    launch(waiting[i], [&seen, &value, i] { seen[i] = value; });
  }
  gate.open();
  for (const Stream& stream : waiting) REQUIRE_ACL(aclrtSynchronizeStream(stream));
  for (const int each : seen) CHECK(each == 1);
}

TEST_CASE("a stream may wait for many others") {
  const Device device;
  std::vector<Stream> streams(16);
  std::vector<Event> events(streams.size());
  const Stream last;
  std::vector<int> values(streams.size(), 0);
  int sum = 0;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    launch(streams[i], [&values, i] { values[i] = 1; });
    REQUIRE_ACL(aclrtRecordEvent(events[i], streams[i]));
    REQUIRE_ACL(aclrtStreamWaitEvent(last, events[i]));
  }
  launch(last, [&] {
    for (const int value : values) sum += value;
  });
  REQUIRE_ACL(aclrtSynchronizeStream(last));
  CHECK(sum == 16);
}

TEST_CASE("a chain that hops between streams runs in order") {
  const Device device;
  constexpr int kHops = 500;
  std::vector<Stream> streams(2);
  std::vector<int> order;  // no lock: the events order the kernels
  const Event event;
  for (int i = 0; i < kHops; ++i) {
    const Stream& from = streams[static_cast<std::size_t>(i % 2)];
    const Stream& to = streams[static_cast<std::size_t>((i + 1) % 2)];
    launch(from, [&order, i] { order.push_back(i); });
    REQUIRE_ACL(aclrtRecordEvent(event, from));
    REQUIRE_ACL(aclrtStreamWaitEvent(to, event));
  }
  for (const Stream& stream : streams) REQUIRE_ACL(aclrtSynchronizeStream(stream));
  REQUIRE(order.size() == kHops);
  for (int i = 0; i < kHops; ++i) CHECK(order[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("an event orders streams of different devices") {
  const Device first_device(0);
  const Stream first;
  const aclrtContext first_context = current_context();
  const Device second_device(1);
  const Stream second;
  const aclrtContext second_context = current_context();
  const Event event;  // of device 1, recorded by device 0
  int value = 0;
  int seen = 0;
  Gate gate;
  {
    const Within within(first_context);
    gate.hold(first);
    launch(first, [&] { value = 11; });
    REQUIRE_ACL(aclrtRecordEvent(event, first));
  }
  {
    const Within within(second_context);
    REQUIRE_ACL(aclrtStreamWaitEvent(second, event));
    launch(second, [&] { seen = value; });
    CHECK(query(second) == ACL_STREAM_STATUS_NOT_READY);
    gate.open();
    REQUIRE_ACL(aclrtSynchronizeStream(second));
  }
  CHECK(seen == 11);
  aclrtSetCurrentContext(second_context);
}

TEST_CASE("an event is recorded on streams of the current context only") {
  const Device first_device(0);
  const Event event;
  const aclrtContext first_context = current_context();
  const Device second_device(1);
  const Stream second;
  const Within within(first_context);
  CHECK_CODE(aclrtRecordEvent(event, second), ACL_ERROR_RT_STREAM_CONTEXT);
  CHECK(recorded(event) == ACL_EVENT_RECORDED_STATUS_NOT_READY);
  CHECK_CODE(aclrtDestroyStream(second), ACL_ERROR_RT_STREAM_CONTEXT);
}

// A program of records, waits and kernels over several streams, drawn from a seed. Every kernel
// notes what it finds; the events say what it must find at least.
TEST_CASE("any mixture of records and waits keeps its order") {
  const auto seed = GENERATE(1U, 2U, 3U, 4U, 5U, 6U);
  CAPTURE(seed);
  constexpr std::size_t kStreams = 5;
  constexpr std::size_t kEvents = 4;
  using Clock = std::vector<int>;  // kernels of each stream that must have run

  const Device device;
  std::mt19937 random(seed);
  std::vector<Stream> streams(kStreams);
  std::vector<Event> events;
  for (std::size_t i = 0; i < kEvents; ++i) events.push_back(i % 2 == 0 ? Event() : Event::ex());
  std::vector<Clock> known(kStreams, Clock(kStreams, 0));
  std::vector<Clock> promised(kEvents);
  std::vector<std::atomic<int>> ran(kStreams);
  std::atomic<int> violations{0};

  for (int step = 0; step < 300; ++step) {
    const std::size_t s = random() % kStreams;
    const std::size_t e = random() % kEvents;
    switch (random() % 3) {
      case 0:
        launch(streams[s], [&ran, &violations, s, need = known[s]] {
          for (std::size_t i = 0; i < kStreams; ++i) {
            if (ran[i] < need[i]) ++violations;
          }
          ++ran[s];
        });
        ++known[s][s];
        break;
      case 1:
        REQUIRE_ACL(aclrtRecordEvent(events[e], streams[s]));
        promised[e] = known[s];
        break;
      default:
        if (promised[e].empty()) break;
        REQUIRE_ACL(aclrtStreamWaitEvent(streams[s], events[e]));
        for (std::size_t i = 0; i < kStreams; ++i) {
          known[s][i] = std::max(known[s][i], promised[e][i]);
        }
    }
  }
  REQUIRE_ACL(aclrtSynchronizeDevice());
  CHECK(violations == 0);
  for (std::size_t i = 0; i < kStreams; ++i) CHECK(ran[i] == known[i][i]);
}

TEST_CASE("a wait that takes too long fails its stream") {
  const Device device;
  const Stream limited;
  const Stream limited_by_default;
  const Stream patient;
  const Event never = Event::old(ACL_EVENT_SYNC);
  std::atomic<bool> went_on{false};
  REQUIRE_ACL(aclrtStreamWaitEventWithTimeout(limited, never, 1));
  REQUIRE_ACL(aclrtStreamWaitEventWithTimeout(patient, never, 0));
  launch(limited, [&] { went_on = true; });
  REQUIRE_ACL(aclrtSetOpWaitTimeout(1));
  REQUIRE_ACL(aclrtStreamWaitEvent(limited_by_default, never));
  REQUIRE_ACL(aclrtSetOpWaitTimeout(0));

  const aclError first = aclrtSynchronizeStream(limited);
  CHECK(first == ACL_ERROR_RT_WAIT_TIMEOUT);
  CHECK(went_on);
  REQUIRE_ACL(aclrtSynchronizeStream(limited));  // reported once
  const aclError second = aclrtSynchronizeStream(limited_by_default);
  CHECK(second == first);
  CHECK(query(patient) == ACL_STREAM_STATUS_NOT_READY);
  REQUIRE_ACL(aclrtRecordEvent(never, limited));
  REQUIRE_ACL(aclrtSynchronizeStream(patient));
}

TEST_CASE("a wait that ends in time does not fail") {
  const Device device;
  const Stream first;
  const Stream second;
  const Event event;
  for (int i = 0; i < 100; ++i) {
    launch(first, [] {});
    REQUIRE_ACL(aclrtRecordEvent(event, first));
    REQUIRE_ACL(aclrtStreamWaitEventWithTimeout(second, event, 60));
  }
  REQUIRE_ACL(aclrtSynchronizeStream(second));
  CHECK_CODE(aclrtStreamWaitEventWithTimeout(second, event, -1), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("a failed task completes the record behind it") {
  const Device device;
  const Stream first;
  const Stream second;
  const Event event;
  bool ran = false;
  launch(first, [] { return ACL_ERROR_RT_AICORE_EXCEPTION; });
  REQUIRE_ACL(aclrtRecordEvent(event, first));
  REQUIRE_ACL(aclrtStreamWaitEvent(second, event));
  launch(second, [&] { ran = true; });
  REQUIRE_ACL(aclrtSynchronizeStream(second));
  CHECK(ran);
  REQUIRE_CODE(aclrtSynchronizeStream(first), ACL_ERROR_RT_AICORE_EXCEPTION);
}
