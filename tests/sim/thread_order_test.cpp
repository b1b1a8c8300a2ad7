// SPDX-License-Identifier: Apache-2.0
#include "device_sim/drivers/thread_order.h"

#include "tests/support/catch.h"

namespace {
constexpr long kNumbers = 32768;
constexpr long kProcess = 500;
}  // namespace

TEST_CASE("threads stand in the order of their numbers, whichever is asked for first") {
  for (const long first : {1000L, 1001L, 1002L}) {
    sim::ThreadOrder order(kNumbers);
    order.of(first, kProcess);
    CHECK(order.of(1000, kProcess) < order.of(1001, kProcess));
    CHECK(order.of(1001, kProcess) < order.of(1002, kProcess));
  }
}

TEST_CASE("threads stand in the order of their making where the numbers begin again between them") {
  for (const long first : {32766L, 32767L, 300L, 301L}) {
    sim::ThreadOrder order(kNumbers);
    order.of(first, kProcess);
    CHECK(order.of(32766, kProcess) < order.of(32767, kProcess));
    CHECK(order.of(32767, kProcess) < order.of(300, kProcess));
    CHECK(order.of(300, kProcess) < order.of(301, kProcess));
  }
}

TEST_CASE("no two threads have one place, even where their numbers are more than there are") {
  sim::ThreadOrder order(kNumbers);
  CHECK(order.of(1000, kProcess) != order.of(1000 + kNumbers, kProcess));
  CHECK(order.of(kProcess, kProcess) < order.of(1000 + 5 * kNumbers, kProcess));
}

TEST_CASE("the first thread of a process comes before the others, whatever their numbers are") {
  for (const long process : {300L, 16000L, 32767L}) {
    sim::ThreadOrder order(kNumbers);
    CHECK(order.of(20000, process) > order.of(process, process));
    CHECK(order.of(299, process) > order.of(process, process));
  }
}
