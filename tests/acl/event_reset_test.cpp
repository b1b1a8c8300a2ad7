// SPDX-License-Identifier: Apache-2.0
// Events that were reset: queries, waits and times agree, and waits are for the next record.
#include "tests/acl/world.h"

using namespace world;

namespace {

aclError elapsed_between(aclrtEvent start, aclrtEvent end) {
  float ms = 0;
  return aclrtEventElapsedTime(&ms, start, end);
}

std::uint32_t free_numbers() {
  std::uint32_t count = 0;
  REQUIRE_ACL(aclrtGetEventAvailNum(&count));
  return count;
}

struct Kind {
  const char* name;
  Event (*create)();
};

/// All kinds of events that can be reset.
std::vector<Kind> resettable() {
  return {{"aclrtCreateEvent", [] { return Event(); }},
          {"ACL_EVENT_SYNC", [] { return Event::old(ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE); }},
          {"internal flag", [] { return Event::old(4 | ACL_EVENT_TIME_LINE); }}};
}

}  // namespace

TEST_CASE("an event that was reset is complete for no call until its next record", "[reset]") {
  const Device device;
  const Stream first, second;
  const Event start;
  REQUIRE_ACL(aclrtRecordEvent(start, first));
  for (const Kind& kind : resettable()) {
    CAPTURE(kind.name);
    const Event event = kind.create();
    REQUIRE_ACL(aclrtRecordEvent(event, first));
    REQUIRE_ACL(aclrtSynchronizeStream(first));
    for (int round = 0; round < 2; ++round) {
      CAPTURE(round);
      CHECK_CODE(elapsed_between(start, event), ACL_SUCCESS);
      REQUIRE_ACL(aclrtResetEvent(event, second));
      REQUIRE_ACL(aclrtSynchronizeStream(second));
      CHECK(recorded(event) == ACL_EVENT_RECORDED_STATUS_NOT_READY);
      CHECK_CODE(aclrtSynchronizeEventWithTimeout(event, 10), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
      CHECK_CODE(elapsed_between(start, event), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
      std::uint64_t us = 0;
      CHECK_CODE(aclrtEventGetTimestamp(event, &us), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
      REQUIRE_ACL(aclrtStreamWaitEvent(second, event));
      CHECK_CODE(aclrtSynchronizeStreamWithTimeout(second, 10), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
      CHECK(waited(event) == ACL_EVENT_WAIT_STATUS_NOT_READY);
      REQUIRE_ACL(aclrtRecordEvent(event, first));
      CHECK_CODE(aclrtSynchronizeEvent(event), ACL_SUCCESS);
      CHECK_CODE(aclrtSynchronizeStream(second), ACL_SUCCESS);
      CHECK(recorded(event) == ACL_EVENT_RECORDED_STATUS_COMPLETE);
      CHECK(waited(event) == ACL_EVENT_WAIT_STATUS_COMPLETE);
    }
  }
}

TEST_CASE("a host thread waits for the record that follows a reset", "[reset]") {
  const Device device;
  const aclrtContext context = current_context();
  const Stream stream;
  for (const Kind& kind : resettable()) {
    CAPTURE(kind.name);
    const Event event = kind.create();
    REQUIRE_ACL(aclrtRecordEvent(event, stream));
    REQUIRE_ACL(aclrtResetEvent(event, stream));
    REQUIRE_ACL(aclrtSynchronizeStream(stream));
    Problems problems;
    std::atomic<int> value{0};
    std::thread waiting([&] {
      EXPECT_ACL(problems, aclrtSetCurrentContext(context));
      EXPECT_ACL(problems, aclrtSynchronizeEvent(event));
      EXPECT_TRUE(problems, value == 1);
    });
    launch(stream, [&] { value = 1; });
    REQUIRE_ACL(aclrtRecordEvent(event, stream));
    waiting.join();
    CHECK(problems.text().empty());
    launch(stream, [&] { value = 0; });
    REQUIRE_ACL(aclrtSynchronizeStream(stream));
  }
}

TEST_CASE("waits that were enqueued before a reset keep their record", "[reset]") {
  const Device device;
  const Stream first, second, third;
  const Event event;
  Gate gate;
  gate.hold(first);
  REQUIRE_ACL(aclrtRecordEvent(event, first));
  REQUIRE_ACL(aclrtStreamWaitEvent(second, event));
  REQUIRE_ACL(aclrtStreamWaitEvent(third, event));
  REQUIRE_ACL(aclrtResetEvent(event, second));
  gate.open();
  CHECK_CODE(aclrtSynchronizeStream(second), ACL_SUCCESS);
  CHECK_CODE(aclrtSynchronizeStream(third), ACL_SUCCESS);
  CHECK(recorded(event) == ACL_EVENT_RECORDED_STATUS_NOT_READY);
}

TEST_CASE("an event stays complete until its reset runs", "[reset]") {
  const Device device;
  const Stream first, second, third;
  const Event event;
  REQUIRE_ACL(aclrtRecordEvent(event, first));
  REQUIRE_ACL(aclrtSynchronizeStream(first));
  const std::uint32_t before = free_numbers();
  Gate gate;
  gate.hold(second);
  REQUIRE_ACL(aclrtResetEvent(event, second));
  CHECK(recorded(event) == ACL_EVENT_RECORDED_STATUS_COMPLETE);
  CHECK_CODE(aclrtSynchronizeEvent(event), ACL_SUCCESS);
  CHECK_CODE(elapsed_between(event, event), ACL_SUCCESS);
  CHECK(free_numbers() == before);
  REQUIRE_ACL(aclrtStreamWaitEvent(third, event));
  CHECK_CODE(aclrtSynchronizeStream(third), ACL_SUCCESS);
  int value = 0, seen = 0;
  REQUIRE_ACL(aclrtStreamWaitEvent(second, event));  // its turn comes after the reset
  launch(second, [&] { seen = value; });
  gate.open();
  CHECK_CODE(aclrtSynchronizeStreamWithTimeout(second, 10), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  CHECK(free_numbers() == before + 1);
  launch(first, [&] { value = 1; });
  REQUIRE_ACL(aclrtRecordEvent(event, first));
  CHECK_CODE(aclrtSynchronizeStream(second), ACL_SUCCESS);
  CHECK(seen == 1);
}

TEST_CASE("an event that was never recorded is the same after a reset", "[reset]") {
  const Device device;
  const Stream stream;
  const Event event;
  REQUIRE_ACL(aclrtResetEvent(event, stream));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(recorded(event) == ACL_EVENT_RECORDED_STATUS_NOT_READY);
  auto status = ACL_EVENT_STATUS_RESERVED;
  REQUIRE_ACL(aclrtQueryEvent(event, &status));
  CHECK(status == ACL_EVENT_STATUS_COMPLETE);
  CHECK_CODE(aclrtSynchronizeEvent(event), ACL_SUCCESS);
  CHECK_CODE(aclrtStreamWaitEvent(stream, event), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(elapsed_between(event, event), ACL_ERROR_RT_INTERNAL_ERROR);
  REQUIRE_ACL(aclrtRecordEvent(event, stream));
  CHECK_CODE(aclrtSynchronizeEvent(event), ACL_SUCCESS);
  CHECK(recorded(event) == ACL_EVENT_RECORDED_STATUS_COMPLETE);
}

TEST_CASE("two resets without a record between them are like one", "[reset]") {
  const Device device;
  const Stream first, second, third;
  const Event event;
  REQUIRE_ACL(aclrtRecordEvent(event, first));
  REQUIRE_ACL(aclrtSynchronizeStream(first));
  REQUIRE_ACL(aclrtResetEvent(event, first));
  REQUIRE_ACL(aclrtSynchronizeStream(first));
  REQUIRE_ACL(aclrtStreamWaitEvent(second, event));
  REQUIRE_ACL(aclrtResetEvent(event, first));
  REQUIRE_ACL(aclrtSynchronizeStream(first));
  REQUIRE_ACL(aclrtStreamWaitEvent(third, event));
  REQUIRE_ACL(aclrtRecordEvent(event, first));
  CHECK_CODE(aclrtSynchronizeStream(second), ACL_SUCCESS);
  CHECK_CODE(aclrtSynchronizeStream(third), ACL_SUCCESS);
  CHECK(recorded(event) == ACL_EVENT_RECORDED_STATUS_COMPLETE);
}

TEST_CASE("a record that is refused leaves the waits for the next one", "[reset]") {
  const Device device;
  const Stream first, second;
  const Event event;
  REQUIRE_ACL(aclrtRecordEvent(event, first));
  REQUIRE_ACL(aclrtResetEvent(event, first));
  REQUIRE_ACL(aclrtSynchronizeStream(first));
  REQUIRE_ACL(aclrtStreamWaitEvent(second, event));
  {
    const Context failing;
    Stream stopped;
    const Event in_failing;
    REQUIRE_ACL(aclrtRecordEvent(in_failing, stopped));
    REQUIRE_ACL(aclrtSetStreamFailureMode(stopped, ACL_STOP_ON_FAILURE));
    REQUIRE_ACL(aclrtResetEvent(in_failing, stopped));
    REQUIRE_ACL(aclrtSynchronizeStream(stopped));
    launch(stopped, [] { return 1; });
    CHECK(aclrtSynchronizeStream(stopped) != ACL_SUCCESS);
    CHECK(aclrtRecordEvent(in_failing, stopped) != ACL_SUCCESS);
    CHECK(aclrtRecordEvent(in_failing, stopped) != ACL_SUCCESS);
  }
  REQUIRE_ACL(aclrtSetDevice(0));
  REQUIRE_ACL(aclrtRecordEvent(event, first));
  CHECK_CODE(aclrtSynchronizeStream(second), ACL_SUCCESS);
  REQUIRE_ACL(aclrtResetDevice(0));
}

TEST_CASE("a plain event holds a hardware number from its record to its reset", "[reset]") {
  const Device device;
  const Stream first, second;
  const std::uint32_t start = free_numbers();
  std::vector<Event> events(10);
  CHECK(free_numbers() == start);
  for (int round = 0; round < 2; ++round) {
    for (const Event& event : events) REQUIRE_ACL(aclrtRecordEvent(event, first));
    CHECK(free_numbers() == start - 10);
    for (const Event& event : events) REQUIRE_ACL(aclrtStreamWaitEvent(second, event));
    for (const Event& event : events) REQUIRE_ACL(aclrtResetEvent(event, second));
    REQUIRE_ACL(aclrtSynchronizeStream(second));
    CHECK(free_numbers() == start);
  }
  for (const Event& event : events) REQUIRE_ACL(aclrtRecordEvent(event, first));
  events.clear();
  CHECK(free_numbers() == start);
}

TEST_CASE("a flag holds its hardware number from its creation to its end", "[reset]") {
  const Device device;
  const Stream stream;
  const std::uint32_t start = free_numbers();
  {
    const Event flag = Event::old(ACL_EVENT_SYNC);
    CHECK(free_numbers() == start - 1);
    REQUIRE_ACL(aclrtRecordEvent(flag, stream));
    REQUIRE_ACL(aclrtResetEvent(flag, stream));
    REQUIRE_ACL(aclrtSynchronizeStream(stream));
    CHECK(free_numbers() == start - 1);
  }
  CHECK(free_numbers() == start);
}

TEST_CASE("records, resets and waits of several threads lose no wait", "[reset]") {
  const Device device;
  const aclrtContext context = current_context();
  constexpr int kRounds = 300;
  const Stream recording, resetting, waiting;
  const Event event;
  REQUIRE_ACL(aclrtRecordEvent(event, recording));
  Problems problems;
  in_threads(4, [&](int thread) {
    EXPECT_ACL(problems, aclrtSetCurrentContext(context));
    for (int i = 0; i < kRounds; ++i) {
      if (thread < 2) EXPECT_ACL(problems, aclrtRecordEvent(event, recording));
      if (thread == 2) EXPECT_ACL(problems, aclrtResetEvent(event, resetting));
      if (thread == 3) EXPECT_ACL(problems, aclrtStreamWaitEvent(waiting, event));
    }
  });
  REQUIRE_ACL(aclrtSynchronizeStream(resetting));
  REQUIRE_ACL(aclrtRecordEvent(event, recording));  // the last reset may have no record yet
  CHECK_CODE(aclrtSynchronizeStreamWithTimeout(waiting, 60'000), ACL_SUCCESS);
  CHECK_CODE(aclrtSynchronizeEvent(event), ACL_SUCCESS);
  CHECK(problems.text().empty());
}
