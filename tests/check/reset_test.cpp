// SPDX-License-Identifier: Apache-2.0
// Waits for events that were reset: the checker orders them after the next record. Events that end.
#include <sys/types.h>

#include <atomic>
#include <thread>

#include "tests/check/cases.h"
#include "tests/support/bugs_may_run.h"
#include "tests/support/waiting.h"

using namespace check;
using world::Event;

namespace {

/// An event of each kind that can be reset, recorded and reset.
Event reset_event(const Desk& desk, bool flag) {
  Event event = flag ? Event::old(ACL_EVENT_SYNC) : Event();
  record(event, desk.a);
  join(desk.a);
  REQUIRE_ACL(aclrtResetEvent(event, desk.a));
  join(desk.a);
  return event;
}

}  // namespace

TEST_CASE("a stream that waits for a reset event is ordered after its next record", "[reset]") {
  for (const bool flag : {false, true}) {
    CAPTURE(flag);
    const Desk desk;
    const Event event = reset_event(desk, flag);
    wait(desk.b, event);
    copy(desk.b, desk.y, desk.x);
    fill(desk.a, desk.x);
    record(event, desk.a);
    if (!flag) wait(desk.c, event);  // a plain event needs no reset between two waits
    if (!flag) copy(desk.c, desk.z, desk.x);
    join(desk.b);
    join(desk.c);
    CHECK(found_from("note") == 0);
  }
}

TEST_CASE("a loop that resets a plain event between its uses has no finding", "[reset]") {
  const Desk desk;
  const Event event, back;
  for (int i = 0; i < 4; ++i) {
    fill(desk.a, desk.x);
    record(event, desk.a);
    wait(desk.b, event);
    REQUIRE_ACL(aclrtResetEvent(event, desk.b));
    copy(desk.b, desk.y, desk.x);
    record(back, desk.b);
    wait(desk.a, back);
    REQUIRE_ACL(aclrtResetEvent(back, desk.a));
  }
  join(desk.a);
  join(desk.b);
  CHECK(found_from("warning") == 0);
}

TEST_CASE("work behind the next record of a reset event is not covered by a wait for it",
          "[reset]") {
  if (!bugs_may_run()) return;
  const auto times = told("ACL007", [] {
    const Desk desk;
    const Event event = reset_event(desk, false);
    wait(desk.b, event);
    copy(desk.b, desk.y, desk.x);
    record(event, desk.a);
    fill(desk.a, desk.x);
    join(desk.a);
    join(desk.b);
  });
  CHECK(times == 1);
}

TEST_CASE("a host thread that synchronises with a reset event may use the data of the next record",
          "[reset]") {
  for (const bool flag : {false, true}) {
    CAPTURE(flag);
    const Desk desk;
    const aclrtContext context = this_context();
    const Event event = reset_event(desk, flag);
    world::Problems problems;
    std::thread waiting([&] {
      EXPECT_ACL(problems, aclrtSetCurrentContext(context));
      EXPECT_ACL(problems, aclrtSynchronizeEvent(event));
      EXPECT_ACL(problems, aclrtMemcpy(desk.out, kSize, desk.x, kSize, ACL_MEMCPY_DEVICE_TO_HOST));
    });
    fill(desk.a, desk.x);
    record(event, desk.a);
    waiting.join();
    join(desk.a);
    CHECK(problems.text().empty());
    CHECK(found_from("warning") == 0);
  }
}

TEST_CASE("a host thread that synchronises with a flag may use the data of its record", "[reset]") {
  const Desk desk;
  const Event flag = Event::old(ACL_EVENT_SYNC);
  fill(desk.a, desk.x);
  record(flag, desk.a);
  REQUIRE_ACL(aclrtSynchronizeEvent(flag));
  REQUIRE_ACL(aclrtMemcpy(desk.out, kSize, desk.x, kSize, ACL_MEMCPY_DEVICE_TO_HOST));
  CHECK(found_from("note") == 0);
}

TEST_CASE("a synchronise with a reset event that comes to its limit is reported", "[reset]") {
  if (!bugs_may_run()) return;
  const Desk desk;
  const Event event = reset_event(desk, false);
  REQUIRE_CODE(aclrtSynchronizeEventWithTimeout(event, 10), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
  CHECK(found_from("error") == 0);
}

// The documents of aclrtCreateEvent ask for the end of all waits before the event is destroyed; the
// documents of the other two calls promise a delayed release.
TEST_CASE(
    "an event that is destroyed under the wait of a thread is a note, one of a stream if plain",
    "[reset]") {
  struct Row {
    Event (*create)();
    bool of_thread;
    unsigned notes;
  };
  constexpr auto kPlain = [] { return Event(); };
  constexpr auto kFlag = [] { return Event::old(ACL_EVENT_SYNC); };
  constexpr auto kEx = [] { return Event::ex(); };
  const Row rows[] = {{kPlain, false, 1}, {kFlag, false, 0}, {kEx, false, 0},
                      {kPlain, true, 1},  {kFlag, true, 1},  {kEx, true, 1}};
  for (const auto& [create, of_thread, notes] : rows) {
    if (of_thread && support::is_seeded()) continue;  // it may block before it is in the call
    CAPTURE(of_thread, notes);
    const Desk desk;
    const aclrtContext context = this_context();
    world::Gate gate;
    gate.hold(desk.a);
    Event event = create();
    record(event, desk.a);
    if (!of_thread) wait(desk.b, event);
    world::Problems problems;
    std::atomic<pid_t> caller{0};
    std::thread waiting([&, handle = static_cast<aclrtEvent>(event)] {
      if (!of_thread) return;
      EXPECT_ACL(problems, aclrtSetCurrentContext(context));
      caller = support::this_thread_number();
      EXPECT_ACL(problems, aclrtSynchronizeEvent(handle));
    });
    if (of_thread) CHECK(support::eventually_blocked(caller));
    CHECK(told("ACL006", [&] { REQUIRE_ACL(aclrtDestroyEvent(event.release())); }) == notes);
    gate.open();
    waiting.join();
    join(desk.a);
    join(desk.b);
    CHECK(problems.text().empty());
    CHECK(found_from("warning") == 0);
  }
}

TEST_CASE("an event that is destroyed after its waits has no finding", "[reset]") {
  const Desk desk;
  for (const bool newer : {false, true}) {
    Event event = newer ? Event::ex() : Event();
    record(event, desk.a);
    wait(desk.b, event);
    REQUIRE_ACL(aclrtSynchronizeEvent(event));
    join(desk.b);
    CHECK(told("ACL006", [&] { REQUIRE_ACL(aclrtDestroyEvent(event.release())); }) == 0);
  }
}
