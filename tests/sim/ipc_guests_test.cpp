// SPDX-License-Identifier: Apache-2.0
// Which connections without a request keep their place, and for how long.
#include "device_sim/sharing/ipc_guests.h"

#include <unistd.h>

#include "tests/support/catch.h"

using sim::IpcGuests;

namespace {

const IpcGuests::Time kStart = IpcGuests::Time() + std::chrono::hours(1);

/// Adds `count` guests of one process, a millisecond apart; the process of the last one to leave,
/// or 0.
pid_t add_guests(IpcGuests& guests, pid_t process, std::size_t count, IpcGuests::Time& now) {
  pid_t left = 0;
  for (std::size_t i = 0; i < count; ++i, now += std::chrono::milliseconds(1)) {
    if (const auto leaves = guests.add({}, process, now)) left = leaves->process;
  }
  return left;
}

}  // namespace

TEST_CASE("a process with too many silent guests loses its oldest one for a newcomer", "[ipc]") {
  IpcGuests guests;
  IpcGuests::Time now = kStart;
  add_guests(guests, 1, 1, now);
  CHECK(add_guests(guests, 2, IpcGuests::kMostOfOneProcess, now) == 0);
  const IpcGuests::Time second = guests[2].leave;
  CHECK(add_guests(guests, 2, 1, now) == 2);
  CHECK(guests.size() == IpcGuests::kMostOfOneProcess + 1);
  CHECK(guests[0].process == 1);
  CHECK(guests[1].leave == second);
}

TEST_CASE("where many processes are silent, the one with most guests makes room", "[ipc]") {
  IpcGuests guests;
  IpcGuests::Time now = kStart;
  add_guests(guests, 1, 3, now);
  for (pid_t process = 2; guests.size() < IpcGuests::kMost; ++process) {
    add_guests(guests, process, 1, now);
  }
  CHECK(add_guests(guests, 1000, 1, now) == 1);
  CHECK(guests.size() == IpcGuests::kMost);
  CHECK(add_guests(guests, 1001, 1, now) == 1);
}

TEST_CASE("silent guests are late after a while, the oldest first", "[ipc]") {
  IpcGuests guests;
  IpcGuests::Time now = kStart;
  CHECK(guests.patience_ms(now) == -1);
  add_guests(guests, 1, 2, now);
  CHECK(guests.patience_ms(kStart) == IpcGuests::kPatience.count());
  CHECK(guests.take_late(kStart).empty());
  const IpcGuests::Time late = kStart + IpcGuests::kPatience;
  CHECK(guests.take_late(late).size() == 1);
  CHECK(guests.patience_ms(late) == 1);
  CHECK(guests.take_late(late + std::chrono::seconds(1)).size() == 1);
  CHECK(guests.size() == 0);
}

TEST_CASE("processes of the same user and of root may ask", "[ipc]") {
  CHECK(sim::ipc_may_ask(geteuid()));
  CHECK(sim::ipc_may_ask(0));
  CHECK_FALSE(sim::ipc_may_ask(geteuid() + 1));
}
