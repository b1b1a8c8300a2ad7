// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "tests/check/cases.h"
#include "tests/support/child.h"

using namespace check;

namespace {

std::uint64_t found_from(const char* level) {
  std::uint64_t count = 0;
  REQUIRE_ACL(aclsimCheckCount(level, &count));
  return count;
}

void require_reported_and_silent(const std::vector<Case>& cases) {
  for (const Case& row : cases) {
    const std::string name = std::string(row.number) + ": " + row.name;
    if (bugs_may_run()) {
      DYNAMIC_SECTION(name << " is told") {
        REQUIRE_ACL(aclsimCheckExpectBegin(row.rule));
        row.program(false);
        std::uint64_t times = 0;
        REQUIRE_ACL(aclsimCheckExpectEnd(&times));
        CHECK(times != 0);
      }
    }
    DYNAMIC_SECTION(name << ", repaired, is not") {
      std::uint64_t times = 0;
      REQUIRE_ACL(aclsimCheckExpectBegin(row.rule));
      row.program(true);
      REQUIRE_ACL(aclsimCheckExpectEnd(&times));
      CHECK(times == 0);
      CHECK(found_from("warning") == 0);
    }
  }
}

}  // namespace

TEST_CASE("the checker is on") {
  std::int32_t on = 0;
  REQUIRE_ACL(aclsimCheckIsOn(&on));
  REQUIRE(on == 1);
}

TEST_CASE("streams without order are told") { require_reported_and_silent(order_cases()); }

TEST_CASE("host memory that is touched under a copy is told") {
  require_reported_and_silent(host_cases());
}

TEST_CASE("memory and handles that end too early are told") {
  require_reported_and_silent(life_cases());
}

TEST_CASE("what cannot go on is told") { require_reported_and_silent(progress_cases()); }

TEST_CASE("wrong bytes, directions and devices are told") {
  require_reported_and_silent(value_cases());
}

TEST_CASE("numbers, graphs and reductions without order are told") {
  require_reported_and_silent(number_cases());
}

TEST_CASE("what is over without a synchronise is known, and what is not is told") {
  require_reported_and_silent(over_cases());
}

TEST_CASE("memory that is handed on, gone or new is known for that") {
  require_reported_and_silent(memory_cases());
}

TEST_CASE("a copy from freed memory is not told as one in the wrong direction") {
  const Desk desk;
  void* memory = nullptr;
  REQUIRE_ACL(aclrtMalloc(&memory, kSize, ACL_MEM_MALLOC_HUGE_FIRST));
  REQUIRE_ACL(aclrtFree(memory));
  REQUIRE_ACL(aclsimCheckExpectBegin("ACL020"));
  CHECK(aclrtMemcpy(desk.out, kSize, memory, kSize, ACL_MEMCPY_DEVICE_TO_HOST) ==
        ACL_ERROR_RT_PARAM_INVALID);
  std::uint64_t times = 0;
  REQUIRE_ACL(aclsimCheckExpectEnd(&times));
  CHECK(times == 1);
  CHECK(found_from("warning") == 0);
}

CHILD_PROGRAM(leave_a_host_function) {
  aclrtStream stream = nullptr;
  aclrtEvent never = nullptr;
  aclrtSetDevice(0);
  aclrtCreateStream(&stream);
  aclrtCreateEventWithFlag(&never, ACL_EVENT_SYNC);
  aclrtStreamWaitEvent(stream, never);
  return aclrtLaunchHostFunc(stream, [](void*) {}, nullptr);
}

// A callback on each side of a failing task of a stream that stops; nobody serves them.
CHILD_PROGRAM(leave_callbacks_around_a_failure) {
  aclrtStream stream = nullptr;
  aclrtSetDevice(0);
  aclrtCreateStream(&stream);
  aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE);
  std::atomic<std::uint64_t> id{0};
  std::atomic<bool> done{false};
  std::thread server([&] {
    id = world::this_thread_id();
    while (!done) std::this_thread::yield();
  });
  while (id == 0) std::this_thread::yield();
  aclrtSubscribeReport(id, stream);
  const auto callback = [](void*) {};
  if (std::getenv("ACLSIM_TEST_CALLBACK_BEFORE") != nullptr) {
    aclrtLaunchCallback(callback, nullptr, ACL_CALLBACK_NO_BLOCK, stream);
  }
  std::atomic<bool> go_on{false};
  world::try_launch(stream, [&] {
    while (!go_on) std::this_thread::yield();
    return ACL_ERROR_RT_AICORE_EXCEPTION;
  });
  aclrtLaunchCallback(callback, nullptr, ACL_CALLBACK_BLOCK, stream);
  go_on = true;
  const bool failed = aclrtSynchronizeStream(stream) == ACL_ERROR_RT_AICORE_EXCEPTION;
  done = true;
  server.join();
  return failed ? 0 : 1;
}

TEST_CASE("a callback behind the failed task of a stream that stops was not to be served") {
  const bool one_before = GENERATE(false, true);
  support::Environment variables{{"ACLSIM_CHECK", "1"}, {"ACLSIM_CHECK_QUIET", ""}};
  if (one_before) variables.emplace_back("ACLSIM_TEST_CALLBACK_BEFORE", "1");
  const auto result = support::run_child("leave_callbacks_around_a_failure", variables);
  INFO(result.output);
  CHECK((result.output.find("no thread serves the callbacks") != std::string::npos) == one_before);
}

TEST_CASE("a host function that has not run at the end asks for no report thread") {
  const auto result = support::run_child(
      "leave_a_host_function", {{"ACLSIM_CHECK", "1"}, {"ACLSIM_CHECK_QUIET", ""}});
  INFO(result.output);
  CHECK(result.output.find("host function on stream") != std::string::npos);
  CHECK(result.output.find("fix: synchronise with the stream before") != std::string::npos);
  CHECK(result.output.find("aclrtProcessReport") == std::string::npos);
}

// A block of what the checker keeps of a record is used again when nobody has it any more.
TEST_CASE("of hundreds of records each wait is behind its own one") {
  const Desk desk;
  const auto early = world::Event::ex();
  const auto again = world::Event::ex();
  fill(desk.a, desk.x);
  REQUIRE_ACL(aclrtRecordEvent(early, desk.a));
  for (int i = 0; i < 500; ++i) {
    REQUIRE_ACL(aclrtRecordEvent(again, desk.b));
    REQUIRE_ACL(aclrtStreamWaitEvent(desk.a, again));
  }
  std::uint64_t times = 0;
  SECTION("who waits for the early one may use what is before it") {
    REQUIRE_ACL(aclrtStreamWaitEvent(desk.b, early));
    copy(desk.b, desk.y, desk.x);
    CHECK(found_from("warning") == 0);
  }
  SECTION("who waits for another one may not") {
    if (!bugs_may_run()) return;
    REQUIRE_ACL(aclsimCheckExpectBegin("ACL007"));
    REQUIRE_ACL(aclrtStreamWaitEvent(desk.b, again));
    copy(desk.b, desk.y, desk.x);
    REQUIRE_ACL(aclsimCheckExpectEnd(&times));
    CHECK(times != 0);
  }
}

TEST_CASE("a buffer that a later task writes again, in order, was not changed by the host") {
  const Desk desk;
  std::memset(desk.in, 1, kSize);
  fill(desk.b, desk.y);
  copy(desk.a, desk.x, desk.in);
  behind(desk.a, desk.b);
  // The bytes are others now than when the first copy was asked for.
  REQUIRE_ACL(aclrtMemsetAsync(desk.y, kSize, 7, kSize, desk.b));
  copy(desk.b, desk.in, desk.y);
  join(desk.b);
  CHECK(found_from("warning") == 0);
}

TEST_CASE("a host function behind a copy may write the buffer that the copy read") {
  const Desk desk;
  for (int i = 0; i < 3; ++i) {
    copy(desk.a, desk.x, desk.in);
    REQUIRE_ACL(aclrtLaunchHostFunc(
        desk.a, [](void* bytes) { ++*static_cast<unsigned char*>(bytes); }, desk.in));
    join(desk.a);
  }
  CHECK(found_from("warning") == 0);
}

TEST_CASE("managed memory is of either side, whatever a copy says of its direction") {
  const Desk desk;
  void* managed = nullptr;
  REQUIRE_ACL(aclrtMemAllocManaged(&managed, kSize, ACL_RT_MEM_ATTACH_GLOBAL));
  REQUIRE_ACL(aclsimCheckExpectBegin("ACL023"));
  REQUIRE_ACL(aclrtMemcpy(managed, kSize, desk.out, kSize, ACL_MEMCPY_HOST_TO_HOST));
  REQUIRE_ACL(aclrtMemcpy(managed, kSize, desk.out, kSize, ACL_MEMCPY_HOST_TO_DEVICE));
  std::uint64_t times = 0;
  REQUIRE_ACL(aclsimCheckExpectEnd(&times));
  CHECK(times == 0);
  REQUIRE_ACL(aclrtFree(managed));
}
