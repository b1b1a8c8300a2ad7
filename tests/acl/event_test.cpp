// SPDX-License-Identifier: Apache-2.0
#include "tests/acl/world.h"

using namespace world;

namespace {

constexpr std::uint32_t kSync = ACL_EVENT_SYNC;
constexpr std::uint32_t kProgress = ACL_EVENT_CAPTURE_STREAM_PROGRESS;
constexpr std::uint32_t kTimeLine = ACL_EVENT_TIME_LINE;

aclrtEventStatus query_old(aclrtEvent event) {
  auto status = ACL_EVENT_STATUS_RESERVED;
  REQUIRE_ACL(aclrtQueryEvent(event, &status));
  return status;
}

aclError elapsed(aclrtEvent start, aclrtEvent end) {
  float ms = 0;
  return aclrtEventElapsedTime(&ms, start, end);
}

aclError timestamp(aclrtEvent event) {
  std::uint64_t us = 0;
  return aclrtEventGetTimestamp(event, &us);
}

}  // namespace

// ---- creation
// ------------------------------------------------------------------------------------------

TEST_CASE("events of the older kind take any of their flags") {
  const Device device;
  for (const std::uint32_t flags :
       {kSync, kProgress, kTimeLine, kSync | kProgress, kSync | kTimeLine, kProgress | kTimeLine,
        kSync | kProgress | kTimeLine, ACL_EVENT_DEVICE_USE_ONLY, ACL_EVENT_EXTERNAL}) {
    CAPTURE(flags);
    const Event event = Event::old(flags);
    CHECK(static_cast<aclrtEvent>(event) != nullptr);
  }
}

TEST_CASE("events of the older kind refuse other flags") {
  const Device device;
  for (const std::uint32_t flags :
       {0U, ACL_EVENT_IPC, 0x80U, 0x80000000U, kSync | ACL_EVENT_DEVICE_USE_ONLY,
        kSync | ACL_EVENT_EXTERNAL, ACL_EVENT_EXTERNAL | ACL_EVENT_DEVICE_USE_ONLY}) {
    CAPTURE(flags);
    aclrtEvent event = nullptr;
    CHECK_CODE(aclrtCreateEventWithFlag(&event, flags), ACL_ERROR_RT_PARAM_INVALID);
    CHECK(event == nullptr);
  }
}

TEST_CASE("events of the newer kind take any of their flags, or none") {
  const Device device;
  for (const std::uint32_t flags :
       {0U, kSync, kProgress, kTimeLine, kSync | kTimeLine, kSync | kProgress | kTimeLine}) {
    CAPTURE(flags);
    const Event event = Event::ex(flags);
    CHECK(recorded(event) == ACL_EVENT_RECORDED_STATUS_COMPLETE);
  }
}

TEST_CASE("events of the newer kind refuse other flags") {
  const Device device;
  for (const std::uint32_t flags : {ACL_EVENT_DEVICE_USE_ONLY, ACL_EVENT_EXTERNAL, 0x80U,
                                    kSync | ACL_EVENT_IPC, kSync | ACL_EVENT_EXTERNAL}) {
    CAPTURE(flags);
    aclrtEvent event = nullptr;
    CHECK_CODE(aclrtCreateEventExWithFlag(&event, flags), ACL_ERROR_RT_PARAM_INVALID);
    CHECK(event == nullptr);
  }
}

TEST_CASE("events of every kind can be recorded and synchronised") {
  const Device device;
  const Stream stream;
  std::vector<Event> events;
  events.emplace_back();
  for (const std::uint32_t flags : {kSync, kProgress, kTimeLine, kSync | kProgress | kTimeLine}) {
    events.push_back(Event::old(flags));
    events.push_back(Event::ex(flags));
  }
  for (const Event& event : events) {
    int value = 0;
    launch(stream, [&] { value = 1; });
    REQUIRE_ACL(aclrtRecordEvent(event, stream));
    REQUIRE_ACL(aclrtSynchronizeEvent(event));
    CHECK(value == 1);
    CHECK(recorded(event) == ACL_EVENT_RECORDED_STATUS_COMPLETE);
  }
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
}

TEST_CASE("an event is destroyed once") {
  const Device device;
  aclrtEvent event = nullptr;
  REQUIRE_ACL(aclrtCreateEvent(&event));
  REQUIRE_ACL(aclrtDestroyEvent(event));
  CHECK_CODE(aclrtDestroyEvent(event), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtDestroyEvent(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("bursts of events come and go") {
  const Device device;
  std::vector<Event> events;
  for (std::size_t burst = 1; burst <= 1024; burst *= 4) {
    for (std::size_t i = 0; i < burst; ++i) {
      events.push_back(i % 3 == 0 ? Event() : i % 3 == 1 ? Event::ex() : Event::old(kSync));
    }
    CHECK(stats().events == burst);
    events.clear();
  }
  CHECK(stats().events == 0);
}

TEST_CASE("events with an id tell it") {
  const Device device;
  const Event sync = Event::old(kSync);
  std::uint32_t id = 0xffffffff;
  REQUIRE_ACL(aclrtGetEventId(sync, &id));
  CHECK(id < 65536);
  const Event other = Event::old(kSync);
  std::uint32_t other_id = id;
  REQUIRE_ACL(aclrtGetEventId(other, &other_id));
  CHECK(other_id != id);
  const Event plain;  // takes its id when it is recorded
  CHECK_CODE(aclrtGetEventId(plain, &id), ACL_ERROR_RT_INTERNAL_ERROR);
  REQUIRE_ACL(aclrtRecordEvent(plain, nullptr));
  CHECK_CODE(aclrtGetEventId(plain, &id), ACL_SUCCESS);
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
}

// ---- the three ways to ask
// -------------------------------------------------------------------------------

TEST_CASE("a plain event before, while and after its record is pending") {
  const Device device;
  const Stream stream;
  const Event event;
  CHECK(recorded(event) == ACL_EVENT_RECORDED_STATUS_NOT_READY);
  CHECK(query_old(event) == ACL_EVENT_STATUS_COMPLETE);
  CHECK(waited(event) == ACL_EVENT_WAIT_STATUS_COMPLETE);
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(aclrtRecordEvent(event, stream));
  CHECK(recorded(event) == ACL_EVENT_RECORDED_STATUS_NOT_READY);
  CHECK(query_old(event) == ACL_EVENT_STATUS_NOT_READY);
  CHECK(waited(event) == ACL_EVENT_WAIT_STATUS_COMPLETE);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeEvent(event));
  CHECK(recorded(event) == ACL_EVENT_RECORDED_STATUS_COMPLETE);
  CHECK(query_old(event) == ACL_EVENT_STATUS_COMPLETE);
  CHECK(waited(event) == ACL_EVENT_WAIT_STATUS_COMPLETE);
}

TEST_CASE("a newer event before, while and after its record is pending") {
  const Device device;
  const Stream stream;
  const Event event = Event::ex();
  CHECK(recorded(event) == ACL_EVENT_RECORDED_STATUS_COMPLETE);
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(aclrtRecordEvent(event, stream));
  CHECK(recorded(event) == ACL_EVENT_RECORDED_STATUS_NOT_READY);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeEvent(event));
  CHECK(recorded(event) == ACL_EVENT_RECORDED_STATUS_COMPLETE);
}

TEST_CASE("newer events know neither the older query, nor waits, nor reset") {
  const Device device;
  const Event event = Event::ex();
  aclrtEventStatus status{};
  aclrtEventWaitStatus wait_status{};
  CHECK_CODE(aclrtQueryEvent(event, &status), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK_CODE(aclrtQueryEventWaitStatus(event, &wait_status), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK_CODE(aclrtResetEvent(event, nullptr), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_CASE("two events of one stream are asked for separately, from any device") {
  const Device device(0);
  const Stream stream;
  const Event done;
  const Event pending;
  REQUIRE_ACL(aclrtRecordEvent(done, stream));
  REQUIRE_ACL(aclrtSynchronizeEvent(done));
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(aclrtRecordEvent(pending, stream));
  CHECK(recorded(done) == ACL_EVENT_RECORDED_STATUS_COMPLETE);
  CHECK(recorded(pending) == ACL_EVENT_RECORDED_STATUS_NOT_READY);
  {
    const Device other(1);
    CHECK(recorded(done) == ACL_EVENT_RECORDED_STATUS_COMPLETE);
    CHECK(recorded(pending) == ACL_EVENT_RECORDED_STATUS_NOT_READY);
  }
  const Device again(0);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
}

TEST_CASE("the wait status counts waits and never records") {
  const Device device;
  const Stream recording;
  const Stream waiting;
  const Event event;
  Gate gate;
  gate.hold(recording);
  REQUIRE_ACL(aclrtRecordEvent(event, recording));
  CHECK(waited(event) == ACL_EVENT_WAIT_STATUS_COMPLETE);
  REQUIRE_ACL(aclrtStreamWaitEvent(waiting, event));
  CHECK(waited(event) == ACL_EVENT_WAIT_STATUS_NOT_READY);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(waiting));
  CHECK(waited(event) == ACL_EVENT_WAIT_STATUS_COMPLETE);
}

// ---- synchronise
// -----------------------------------------------------------------------------------------

TEST_CASE("synchronising an event that was never recorded returns at once") {
  const Device device;
  const Event plain;
  const Event newer = Event::ex();
  const Event sync = Event::old(kSync);
  for (const aclrtEvent event : {aclrtEvent(plain), aclrtEvent(newer), aclrtEvent(sync)}) {
    REQUIRE_ACL(aclrtSynchronizeEvent(event));
    REQUIRE_ACL(aclrtSynchronizeEventWithTimeout(event, 10));
  }
}

TEST_CASE("after synchronising an event the work before its record is visible") {
  const Device device;
  const Stream stream;
  const Event event;
  int values[64] = {};
  launch(stream, [&] {
    for (int i = 0; i < 64; ++i) values[i] = i;
  });
  REQUIRE_ACL(aclrtRecordEvent(event, stream));
  REQUIRE_ACL(aclrtSynchronizeEvent(event));
  for (int i = 0; i < 64; ++i) CHECK(values[i] == i);
}

TEST_CASE("synchronising an event does not wait for what comes after the record") {
  const Device device;
  const Stream stream;
  const Event event;
  int value = 0;
  launch(stream, [&] { value = 1; });
  REQUIRE_ACL(aclrtRecordEvent(event, stream));
  Gate gate;
  gate.hold_later(stream);
  REQUIRE_ACL(aclrtSynchronizeEvent(event));
  CHECK(value == 1);
  CHECK_FALSE(gate.left());
}

TEST_CASE("synchronising an event gives up in time") {
  const Device device;
  const Stream stream;
  const Event event;
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(aclrtRecordEvent(event, stream));
  REQUIRE_CODE(aclrtSynchronizeEventWithTimeout(event, 20), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
  CHECK_CODE(aclrtSynchronizeEventWithTimeout(event, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtSynchronizeEventWithTimeout(event, -2), ACL_ERROR_RT_PARAM_INVALID);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeEventWithTimeout(event, -1));
  REQUIRE_ACL(aclrtSynchronizeEventWithTimeout(event, 1));
}

TEST_CASE("an event that is synchronised with a timeout runs no kernel in the caller") {
  const Device device;
  const Stream stream;
  const Event event;
  const auto me = std::this_thread::get_id();
  std::atomic<int> mine{0};
  for (int i = 0; i < 100; ++i) {
    launch(stream, [&] {
      if (std::this_thread::get_id() == me) ++mine;
    });
    REQUIRE_ACL(aclrtRecordEvent(event, stream));
    REQUIRE_ACL(aclrtSynchronizeEventWithTimeout(event, 10000));
  }
  CHECK(mine == 0);
}

TEST_CASE("external events cannot be synchronised by the host") {
  const Device device;
  const Event event = Event::old(ACL_EVENT_EXTERNAL);
  CHECK_CODE(aclrtSynchronizeEvent(event), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_CASE("an event may be destroyed while its record is pending") {
  const Device device;
  const Stream stream;
  std::atomic<bool> ran{false};
  Gate gate;
  gate.hold(stream);
  for (const bool newer : {false, true}) {
    Event event = newer ? Event::ex() : Event();
    REQUIRE_ACL(aclrtRecordEvent(event, stream));
    const aclrtEvent handle = event.release();
    REQUIRE_ACL(aclrtDestroyEvent(handle));
    CHECK_CODE(aclrtSynchronizeEvent(handle), ACL_ERROR_RT_INVALID_HANDLE);
    CHECK_CODE(aclrtRecordEvent(handle, stream), ACL_ERROR_RT_INVALID_HANDLE);
  }
  launch(stream, [&] { ran = true; });
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(ran);
}

TEST_CASE("a thread that synchronises an event survives its destruction") {
  const Device device;
  const aclrtContext context = current_context();
  const Stream stream;
  Event event;
  const aclrtEvent handle = event;
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(aclrtRecordEvent(event, stream));
  std::atomic<bool> inside{false};
  std::thread waiter([&] {
    aclrtSetCurrentContext(context);
    inside = true;
    aclrtSynchronizeEvent(handle);
  });
  eventually([&] { return inside.load(); });
  REQUIRE_ACL(aclrtDestroyEvent(event.release()));
  gate.open();
  waiter.join();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
}

// ---- time
// ------------------------------------------------------------------------------------------------

TEST_CASE("elapsed time is measured between the records, in milliseconds") {
  const Device device;
  const Stream stream;
  const Event start;
  const Event end;
  REQUIRE_ACL(aclrtRecordEvent(start, stream));
  launch(stream, [] { let_time_pass(5ms); });
  REQUIRE_ACL(aclrtRecordEvent(end, stream));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  float ms = 0;
  REQUIRE_ACL(aclrtEventElapsedTime(&ms, start, end));
  CHECK(ms >= 4.9F);
  CHECK(ms < 10000.0F);
  float swapped = 0;
  REQUIRE_ACL(aclrtEventElapsedTime(&swapped, end, start));
  CHECK(swapped == -ms);
  float same = 1;
  REQUIRE_ACL(aclrtEventElapsedTime(&same, start, start));
  CHECK(same == 0.0F);
}

TEST_CASE("a record on an idle stream gets the time of its call") {
  const Device device;
  const Stream stream;
  const Event start;
  const Event end;
  REQUIRE_ACL(aclrtRecordEvent(start, stream));
  let_time_pass(5ms);
  REQUIRE_ACL(aclrtRecordEvent(end, stream));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  float ms = 0;
  REQUIRE_ACL(aclrtEventElapsedTime(&ms, start, end));
  CHECK(ms >= (machine().seeded != 0 ? 0.0F : 4.9F));  // a seed decides when records run
}

TEST_CASE("a record behind waits that are over gets the time of its call") {
  const Device device;
  const Event plain;
  const Event sync = Event::old(kSync);
  for (const Event* const event : {&plain, &sync}) {
    const Stream recording;
    const Stream waiting;
    const Event start;
    const Event end;
    REQUIRE_ACL(aclrtRecordEvent(*event, recording));
    REQUIRE_ACL(aclrtSynchronizeStream(recording));
    for (int i = 0; i < 3; ++i) REQUIRE_ACL(aclrtStreamWaitEvent(waiting, *event));
    REQUIRE_ACL(aclrtRecordEvent(start, waiting));
    let_time_pass(5ms);
    REQUIRE_ACL(aclrtStreamWaitEvent(waiting, *event));
    REQUIRE_ACL(aclrtRecordEvent(end, waiting));
    REQUIRE_ACL(aclrtSynchronizeStream(waiting));
    float ms = 0;
    REQUIRE_ACL(aclrtEventElapsedTime(&ms, start, end));
    CHECK(ms >= (machine().seeded != 0 ? 0.0F : 4.9F));
  }
}

TEST_CASE("elapsed time needs records that have run") {
  const Device device;
  const Stream stream;
  const Event start;
  const Event end;
  CHECK_CODE(elapsed(start, end), ACL_ERROR_RT_INTERNAL_ERROR);
  CHECK_CODE(timestamp(start), ACL_ERROR_RT_INTERNAL_ERROR);
  REQUIRE_ACL(aclrtRecordEvent(start, stream));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK_CODE(elapsed(start, end), ACL_ERROR_RT_INTERNAL_ERROR);
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(aclrtRecordEvent(end, stream));
  CHECK_CODE(elapsed(start, end), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
  CHECK_CODE(timestamp(end), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK_CODE(elapsed(start, end), ACL_SUCCESS);
  CHECK_CODE(timestamp(end), ACL_SUCCESS);
}

TEST_CASE("events without time stamps have no elapsed time") {
  const Device device;
  const Stream stream;
  for (const bool newer : {false, true}) {
    const Event event = newer ? Event::ex(kSync) : Event::old(kSync);
    REQUIRE_ACL(aclrtRecordEvent(event, stream));
    REQUIRE_ACL(aclrtSynchronizeStream(stream));
    CHECK_CODE(elapsed(event, event), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
    CHECK_CODE(timestamp(event), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
  }
}

TEST_CASE("newer events with time stamps can be timed") {
  const Device device;
  const Stream stream;
  const Event start = Event::ex(kTimeLine);
  const Event end = Event::ex(kTimeLine | kSync);
  REQUIRE_ACL(aclrtRecordEvent(start, stream));
  launch(stream, [] { let_time_pass(1ms); });
  REQUIRE_ACL(aclrtRecordEvent(end, stream));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  float ms = 0;
  REQUIRE_ACL(aclrtEventElapsedTime(&ms, start, end));
  CHECK(ms > 0.9F);
}

TEST_CASE("external events have no elapsed time") {
  const Device device;
  const Event event = Event::old(ACL_EVENT_EXTERNAL);
  CHECK_CODE(elapsed(event, event), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_CASE("time stamps of one stream never decrease") {
  const Device device;
  const Stream stream;
  std::vector<Event> events(50);
  for (const Event& event : events) {
    launch(stream, [] {});
    REQUIRE_ACL(aclrtRecordEvent(event, stream));
  }
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  std::uint64_t before = 0;
  for (const Event& event : events) {
    std::uint64_t us = 0;
    REQUIRE_ACL(aclrtEventGetTimestamp(event, &us));
    CHECK(us >= before);
    before = us;
  }
}

TEST_CASE("a second record replaces the time of the first") {
  const Device device;
  const Stream stream;
  const Event start;
  const Event event;
  REQUIRE_ACL(aclrtRecordEvent(start, stream));
  REQUIRE_ACL(aclrtRecordEvent(event, stream));
  launch(stream, [] { let_time_pass(3ms); });
  REQUIRE_ACL(aclrtRecordEvent(event, stream));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  float ms = 0;
  REQUIRE_ACL(aclrtEventElapsedTime(&ms, start, event));
  CHECK(ms > 2.9F);
}

// ---- reset
// -----------------------------------------------------------------------------------------------

TEST_CASE("a plain event can be reset, recorded and waited for again") {
  const Device device;
  const Stream first;
  const Stream second;
  const Event event;
  for (int round = 0; round < 3; ++round) {
    int value = 0;
    launch(first, [&] { value = 1; });
    REQUIRE_ACL(aclrtRecordEvent(event, first));
    REQUIRE_ACL(aclrtStreamWaitEvent(second, event));
    launch(second, [&] { value += 1; });
    REQUIRE_ACL(aclrtResetEvent(event, second));
    REQUIRE_ACL(aclrtSynchronizeStream(second));
    REQUIRE_ACL(aclrtSynchronizeStream(first));
    CHECK(value == 2);
    CHECK(recorded(event) == ACL_EVENT_RECORDED_STATUS_NOT_READY);
  }
}

TEST_CASE("a reset waits for its turn in the stream") {
  const Device device;
  const Stream stream;
  const Stream other;
  const Event event = Event::old(kSync);
  REQUIRE_ACL(aclrtRecordEvent(event, other));
  REQUIRE_ACL(aclrtSynchronizeStream(other));
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(aclrtResetEvent(event, stream));
  CHECK(recorded(event) == ACL_EVENT_RECORDED_STATUS_COMPLETE);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(recorded(event) == ACL_EVENT_RECORDED_STATUS_NOT_READY);
}

TEST_CASE("events that cannot be waited for cannot be reset") {
  const Device device;
  for (const std::uint32_t flags : {kTimeLine, kProgress, kTimeLine | kProgress}) {
    const Event event = Event::old(flags);
    CHECK_CODE(aclrtResetEvent(event, nullptr), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  }
}
