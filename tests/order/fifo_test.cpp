// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/fifo.h"

#include <deque>
#include <memory>

#include "tests/support/catch.h"

using order::Fifo;

TEST_CASE("a fifo answers as a deque does", "[fifo]") {
  Fifo<int> fifo;
  std::deque<int> plain;
  std::uint32_t random = 4711;
  const auto next = [&] { return (random = random * 1664525 + 1013904223) >> 8; };
  for (int i = 0; i < 50'000; ++i) {
    // Waves, so that it grows, shrinks and is empty at times.
    const bool grows = next() % 8 < ((i / 500) % 2 == 0 ? 5U : 3U);
    if (grows) {
      fifo.push_back(i);
      plain.push_back(i);
    } else if (!plain.empty()) {
      REQUIRE(fifo.front() == plain.front());
      fifo.pop_front();
      plain.pop_front();
    }
    REQUIRE(fifo.empty() == plain.empty());
  }
  CHECK(std::equal(fifo.begin(), fifo.end(), plain.begin(), plain.end()));
}

TEST_CASE("a fifo lets go of what was taken out", "[fifo]") {
  Fifo<std::shared_ptr<int>> fifo;
  const auto first = std::make_shared<int>(1);
  fifo.push_back(first);
  fifo.push_back(std::make_shared<int>(2));
  fifo.pop_front();
  CHECK(first.use_count() == 1);
  CHECK(*fifo.front() == 2);
}
