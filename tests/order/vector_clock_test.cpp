// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/vector_clock.h"

#include <algorithm>
#include <array>
#include <map>

#include "tests/support/catch.h"

using order::VectorClock;

TEST_CASE("a clock has heard nothing of actors that it was not told about", "[clock]") {
  VectorClock clock;
  CHECK(clock.empty());
  CHECK(clock.of(7) == 0);
  CHECK(clock.covers(order::Epoch{7, 0}));
  CHECK_FALSE(clock.covers(order::Epoch{7, 1}));
  clock.set(2, 5);
  CHECK(clock.of(0) == 0);
  CHECK(clock.of(2) == 5);
  CHECK(clock.covers(order::Epoch{2, 5}));
  CHECK_FALSE(clock.covers(order::Epoch{2, 6}));
}

TEST_CASE("joined clocks know what either knew", "[clock]") {
  VectorClock small;
  small.set(0, 4);
  VectorClock large;
  large.set(0, 1);
  large.set(20, 3);
  VectorClock both = small;
  both.join(large);
  CHECK(both.of(0) == 4);
  CHECK(both.of(20) == 3);
  CHECK(both.covers(small));
  CHECK(both.covers(large));
  CHECK_FALSE(small.covers(large));
  CHECK_FALSE(large.covers(small));
  large.join(small);
  CHECK(large.covers(both));
}

TEST_CASE("raising a clock never takes it back", "[clock]") {
  VectorClock clock;
  clock.raise({3, 4});
  clock.raise({3, 2});
  CHECK(clock.of(3) == 4);
  clock.clear();
  CHECK(clock.of(3) == 0);
}

TEST_CASE("a copied clock goes its own way", "[clock]") {
  VectorClock clock;
  clock.set(1, 1);
  clock.set(40, 2);
  VectorClock copy = clock;
  copy.set(1, 9);
  CHECK(clock.of(1) == 1);
  clock = copy;
  CHECK(clock.of(1) == 9);
  const VectorClock moved = std::move(copy);
  CHECK(moved.of(40) == 2);
}

TEST_CASE("clocks of few and of many actors take each other's place", "[clock]") {
  VectorClock few, many;
  few.set(3, 7);
  for (order::Actor actor = 0; actor < 100; ++actor) many.set(actor, actor + 1);
  VectorClock clock = many;
  clock = few;
  CHECK(clock.end() == 4);
  CHECK(clock.of(3) == 7);
  CHECK(clock.of(50) == 0);
  clock.set(60, 1);
  CHECK(clock.of(50) == 0);  // nothing of its former counts is left
  clock = std::move(few);
  CHECK(clock.of(3) == 7);
  clock = std::move(many);
  CHECK(clock.of(99) == 100);
  CHECK(clock.end() == 100);
}

TEST_CASE("clocks of any size answer as plain maps do", "[clock]") {
  using Plain = std::map<order::Actor, std::uint32_t>;
  std::uint32_t random = 99;
  const auto next = [&] { return (random = random * 1664525 + 1013904223) >> 8; };
  std::array<VectorClock, 4> clocks;
  std::array<Plain, 4> plain;
  const auto covers = [](const Plain& a, const Plain& b) {
    return std::all_of(b.begin(), b.end(), [&](const auto& entry) {
      const auto at = a.find(entry.first);
      return entry.second == 0 || (at != a.end() && at->second >= entry.second);
    });
  };
  for (int i = 0; i < 20'000; ++i) {
    const std::size_t a = next() % 4, b = next() % 4;
    const order::Actor actor = next() % (i % 3 == 0 ? 40 : 14);
    // Counts with the highest bit too: they are compared as unsigned ones.
    const std::uint32_t count = next() % 3 == 0 ? 0x8000'0000U + next() % 4 : next() % 4;
    REQUIRE(clocks[a].covers(clocks[b]) == covers(plain[a], plain[b]));
    switch (next() % 8) {
      case 0:
      case 1:
        REQUIRE(clocks[a].join(clocks[b]) != covers(plain[a], plain[b]));
        for (const auto& [of, known] : plain[b]) plain[a][of] = std::max(plain[a][of], known);
        break;
      case 2:
        clocks[a] = clocks[b];
        if (a != b) plain[a] = plain[b];
        break;
      case 3:
        if (next() % 4 == 0) {
          clocks[a].clear();
          plain[a].clear();
        }
        break;
      default:
        clocks[a].set(actor, count);
        plain[a][actor] = count;
    }
    REQUIRE(clocks[a].of(actor) == (plain[a].contains(actor) ? plain[a][actor] : 0));
  }
}
