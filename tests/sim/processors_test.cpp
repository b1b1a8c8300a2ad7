// SPDX-License-Identifier: Apache-2.0
#include "device_sim/base/processors.h"

#include <sched.h>

#include <thread>

#include "tests/support/catch.h"

using sim::Processors;

namespace {

cpu_set_t allowed() {
  cpu_set_t set{};
  sched_getaffinity(0, sizeof set, &set);
  return set;
}

cpu_set_t pin_here() {
  cpu_set_t here{};
  CPU_SET(static_cast<unsigned>(sched_getcpu()), &here);
  sched_setaffinity(0, sizeof here, &here);
  return here;
}

}  // namespace

TEST_CASE("a thread leaves the processors of others, and may run on all as before",
          "[processors]") {
  std::thread([] {
    const cpu_set_t before = allowed();
    if (CPU_COUNT(&before) < 2) return;
    constexpr int kTimes = 20;
    int moved = 0;
    for (int i = 0; i < kTimes; ++i) {
      Processors busy;
      pin_here();
      CHECK(busy.add_own());
      CHECK_FALSE(busy.add_own());
      const int was = sched_getcpu();
      sched_setaffinity(0, sizeof before, &before);
      busy.leave();
      if (sched_getcpu() != was) ++moved;
      const cpu_set_t after = allowed();
      CHECK(CPU_EQUAL(&before, &after));
    }
    CHECK(moved > kTimes / 2);  // the system may have moved it back
  }).join();
}

TEST_CASE("a thread that may run on one processor only stays there", "[processors]") {
  std::thread([] {
    const cpu_set_t here = pin_here();
    Processors busy;
    busy.add_own();
    busy.leave();
    const cpu_set_t after = allowed();
    CHECK(CPU_EQUAL(&here, &after));
  }).join();
}
