// SPDX-License-Identifier: Apache-2.0
// Waits for events that were not recorded yet: a note if the record comes later and nothing races.
#include <vector>

#include "tests/check/cases.h"

using namespace check;
using world::Event;

namespace {

/// A loop over two buffers, in which each stream waits for the other one's last use of the buffer.
struct Loop {
  const Desk desk;
  std::vector<Event> full, free;
  Loop() {
    for (int i = 0; i < 2; ++i) {
      full.push_back(Event::ex());
      free.push_back(Event::ex());
    }
  }
  void* buffer(int k) const { return k == 0 ? desk.x : desk.y; }
  /// The wait for a free buffer is called in the rounds up to `last_waiting_round`.
  void run(int rounds, int last_waiting_round) const {
    for (int i = 0; i < rounds; ++i) {
      const auto k = static_cast<std::size_t>(i % 2);
      if (i <= last_waiting_round) wait(desk.a, free[k]);
      copy(desk.a, buffer(i % 2), desk.in);
      record(full[k], desk.a);
      wait(desk.b, full[k]);
      copy(desk.b, desk.z, buffer(i % 2));
      record(free[k], desk.b);
    }
    join(desk.b);
  }
};

}  // namespace

TEST_CASE("the wait of the first round of a double buffer is a note", "[early_wait]") {
  const Loop loop;
  loop.run(6, 6);
  CHECK(found_from("warning") == 0);
  CHECK(found_from("note") != 0);
}

TEST_CASE("the wait of the first round is a warning if a race follows", "[early_wait]") {
  if (!bugs_may_run()) return;
  const Loop loop;
  loop.run(6, 1);                     // later rounds do not wait
  CHECK(found_from("error") == 1);    // the race
  CHECK(found_from("warning") == 2);  // and the wait
}

TEST_CASE("a race that is found before the record makes the wait a warning", "[early_wait]") {
  if (!bugs_may_run()) return;
  const Desk desk;
  const auto event = Event::ex();
  wait(desk.b, event);
  fill(desk.a, desk.x);
  copy(desk.b, desk.y, desk.x);
  record(event, desk.a);
  CHECK(found_from("error") == 1);
  CHECK(found_from("warning") == 2);
}

TEST_CASE("a race before the wait leaves the wait a note", "[early_wait]") {
  if (!bugs_may_run()) return;
  const Desk desk;
  const auto event = Event::ex();
  fill(desk.a, desk.x);
  fill(desk.b, desk.x);
  wait(desk.b, event);
  record(event, desk.a);
  CHECK(found_from("error") == 1);
  CHECK(found_from("warning") == 1);
}

TEST_CASE("a wait for an event that the same stream records later is a note", "[early_wait]") {
  const Desk desk;
  const auto event = Event::ex();
  for (int i = 0; i < 3; ++i) {
    wait(desk.a, event);
    fill(desk.a, desk.x);
    record(event, desk.a);
  }
  join(desk.a);
  CHECK(found_from("warning") == 0);
}

TEST_CASE("a host thread that synchronises in the first round gets a note", "[early_wait]") {
  const Desk desk;
  const auto event = Event::ex();
  for (int i = 0; i < 3; ++i) {
    REQUIRE_ACL(aclrtSynchronizeEvent(event));
    std::memset(desk.in, i, kSize);
    copy(desk.a, desk.x, desk.in);
    record(event, desk.a);
  }
  join(desk.a);
  CHECK(found_from("warning") == 0);
  CHECK(found_from("note") != 0);
}

TEST_CASE("a wait for an event that nothing records stays a warning", "[early_wait]") {
  const auto wait_only = [](bool destroys) {
    const Desk desk;
    aclrtEvent event = nullptr;
    REQUIRE_ACL(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
    wait(desk.a, event);
    if (destroys) REQUIRE_ACL(aclrtDestroyEvent(event));
    CHECK(found_from("warning") == 1);
    if (!destroys) REQUIRE_ACL(aclrtDestroyEvent(event));
    CHECK(found_from("warning") == 1);
  };
  SECTION("while the event exists") { wait_only(false); }
  SECTION("after the event is destroyed") { wait_only(true); }
}

TEST_CASE("a wait that is refused is one warning, whether the event is recorded later or not",
          "[early_wait]") {
  const Desk desk;
  const Event event;
  CHECK(aclrtStreamWaitEvent(desk.b, event) != ACL_SUCCESS);
  CHECK(found_from("warning") == 1);  // and the failed call is no second one
  record(event, desk.a);
  join(desk.a);
  CHECK(found_from("warning") == 1);
  CHECK(found_from("note") == 1);
}
