// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/fifo.h"

#include <deque>
#include <memory>
#include <vector>

#include "tests/support/catch.h"

using order::Fifo;

namespace {
struct Number {
  int value = 0;
  void renew() { value = 0; }
};
}  // namespace

TEST_CASE("a fifo answers as a deque does", "[fifo]") {
  Fifo<Number> fifo;
  std::deque<int> plain;
  std::uint32_t random = 4711;
  const auto next = [&] { return (random = random * 1664525 + 1013904223) >> 8; };
  for (int i = 1; i < 50'000; ++i) {
    // Waves, so that it grows, shrinks and is empty at times.
    const bool grows = next() % 8 < ((i / 5000) % 2 == 0 ? 5U : 3U);
    if (grows) {
      Number& pushed = fifo.push();
      REQUIRE(pushed.value == 0);
      pushed.value = i;
      plain.push_back(i);
    } else if (!plain.empty()) {
      REQUIRE(fifo.front().value == plain.front());
      fifo.pop_front();
      plain.pop_front();
    }
    REQUIRE(fifo.size() == plain.size());
    REQUIRE(fifo.empty() == plain.empty());
    if (!plain.empty()) {
      const std::size_t some = next() % plain.size();
      REQUIRE(fifo[some].value == plain[some]);
    }
  }
}

TEST_CASE("a fifo lets go of what was taken out, and keeps its room", "[fifo]") {
  struct Holder {
    std::shared_ptr<int> held;
    std::vector<int> room;
    void renew() {
      held.reset();
      room.clear();
    }
  };
  Fifo<Holder> fifo;
  const auto first = std::make_shared<int>(1);
  fifo.push().held = first;
  fifo.front().room.assign(100, 7);
  fifo.push().held = std::make_shared<int>(2);
  fifo.pop_front();
  CHECK(first.use_count() == 1);
  CHECK(*fifo.front().held == 2);
  fifo.pop_front();
  bool some_room = false;
  for (int i = 0; i < 4; ++i) some_room = some_room || fifo.push().room.capacity() >= 100;
  CHECK(some_room);
}
