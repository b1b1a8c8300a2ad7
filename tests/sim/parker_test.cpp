// SPDX-License-Identifier: Apache-2.0
#include "device_sim/base/parker.h"

#include <sched.h>

#include <thread>

#include "tests/sim/machine.h"
#include "tests/support/catch.h"

using namespace simtest;
using sim::Deadline;
using sim::Parker;

TEST_CASE("a wake that comes first is kept, one of them", "[parker]") {
  Parker parker;
  parker.unpark();
  parker.unpark();
  CHECK(parker.park(soon()));
  CHECK_FALSE(parker.park(Deadline::in(std::chrono::milliseconds(1))));
}

TEST_CASE("a deadline ends the sleep, and not before its time", "[parker]") {
  Parker parker;
  const auto span = std::chrono::milliseconds(3);
  const auto start = std::chrono::steady_clock::now();
  CHECK_FALSE(parker.park(Deadline::in(span), GENERATE(0u, 10'000u)));
  CHECK(std::chrono::steady_clock::now() - start >= span);
  CHECK_FALSE(parker.park(Deadline::in(std::chrono::nanoseconds(-5))));
}

TEST_CASE("a sleeping thread is woken", "[parker]") {
  Parker here;
  Parker there;
  constexpr int kRounds = 5000;
  const auto spin = GENERATE(sim::Nanoseconds{0}, sim::Nanoseconds{20'000});
  int lost = 0;
  std::thread other([&] {
    for (int i = 0; i < kRounds; ++i) {
      if (!there.park(soon(), spin)) break;
      here.unpark();
    }
  });
  for (int i = 0; i < kRounds && lost == 0; ++i) {
    there.unpark();
    if (!here.park(soon(), spin)) ++lost;
  }
  other.join();
  CHECK(lost == 0);
}

TEST_CASE("threads that wake each other on one processor lose no wake", "[parker]") {
  cpu_set_t before, one;
  REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
  Parker here;
  Parker there;
  constexpr int kRounds = 2000;
  int served = 0;
  std::thread other([&] {  // on the same processor
    while (served < kRounds && there.park(soon(), 20'000)) {
      ++served;
      here.unpark();
    }
  });
  int answered = 0;
  while (answered < kRounds) {
    there.unpark();
    if (!here.park(soon(), 20'000)) break;
    ++answered;
  }
  other.join();
  sched_setaffinity(0, sizeof before, &before);
  CHECK(served == kRounds);
  CHECK(answered == kRounds);
}

TEST_CASE("wakes and deadlines that meet lose no wake", "[parker]") {
  Parker parker;
  std::atomic<int> given{0};
  std::atomic<int> taken{0};
  std::thread waker([&] {
    for (int i = 0; i < 3000; ++i) {
      ++given;
      parker.unpark();
      if (!eventually([&] { return taken == given; })) return;
    }
  });
  // Short deadlines: every wake must still be seen by one of the parks.
  const Deadline end = soon();
  while (taken < 3000 && !end.passed()) {
    if (!parker.park(Deadline::in(std::chrono::microseconds(20)))) continue;
    if (taken == given) break;
    ++taken;
  }
  waker.join();
  CHECK(taken == 3000);
}

TEST_CASE("each thread has its own parker, and the next thread may get it", "[parker]") {
  Parker* const mine = &Parker::mine();
  CHECK(mine == &Parker::mine());
  Parker* other = nullptr;
  std::thread([&] { other = &Parker::mine(); }).join();
  CHECK(other != mine);
  other->unpark();  // its thread is gone: the address is still good
  std::thread([] {
    // A wake that was meant for an earlier thread may be left in it.
    Parker::mine().park(Deadline::in(std::chrono::nanoseconds(0)));
  }).join();
}
