// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/shadow.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/order/oracle.h"
#include "tests/order/run.h"
#include "tests/order/seeds.h"
#include "tests/support/catch.h"

namespace {

using order::Actor;
using order::Shadow;
using ordertest::How;
using ordertest::kHows;

struct Fixture {
  Shadow shadow;
  order::VectorClock nothing;
  std::uint32_t count = 0;

  /// The conflicts of an access by an actor with this clock: "actor.count[begin+size)".
  std::string touch(std::uintptr_t begin, std::size_t size, bool write, Actor actor,
                    const order::VectorClock& known) {
    std::vector<Shadow::Conflict> conflicts;
    order::OpInfo op_info;
    op_info.site = ++count;
    shadow.touch({begin, size, write, false}, {actor, count}, known, op_info, conflicts);
    std::string text;
    for (const Shadow::Conflict& conflict : conflicts) {
      text += (conflict.earlier.write ? "w" : "r") + std::to_string(conflict.earlier.when.count) +
              "[" + std::to_string(conflict.bytes.begin) + "+" +
              std::to_string(conflict.bytes.size) + ")";
    }
    return text;
  }
  /// Whether the actor's access to ten bytes collides with any before.
  bool collides(How how, Actor actor, const order::VectorClock& known, bool frees = false) {
    std::vector<Shadow::Conflict> conflicts;
    order::OpInfo op_info;
    op_info.site = ++count;
    order::Access access = ordertest::access(0, 10, how);
    access.frees = frees;
    shadow.touch(access, {actor, count}, known, op_info, conflicts);
    return !conflicts.empty();
  }
  std::string write(std::uintptr_t begin, std::size_t size, Actor actor) {
    return touch(begin, size, true, actor, nothing);
  }
  std::string read(std::uintptr_t begin, std::size_t size, Actor actor) {
    return touch(begin, size, false, actor, nothing);
  }
};

}  // namespace

TEST_CASE("a read collides with a write of the same bytes, and with no read", "[shadow]") {
  Fixture f;
  CHECK(f.write(100, 50, 0).empty());
  CHECK(f.read(100, 50, 1) == "w1[100+50)");
  CHECK(f.read(200, 50, 0).empty());
  CHECK(f.read(200, 50, 1).empty());
}

TEST_CASE("a write collides with each reader since the last write", "[shadow]") {
  Fixture f;
  f.read(0, 10, 0);
  f.read(0, 10, 1);
  CHECK(f.write(0, 10, 2) == "r1[0+10)r2[0+10)");
  CHECK(f.write(0, 10, 0) == "w3[0+10)");
}

TEST_CASE("what follows an access on its stream does not hide it from others", "[shadow]") {
  for (std::size_t kinds = 0; kinds < kHows * kHows * kHows; ++kinds) {
    const auto first = static_cast<How>(kinds % kHows);
    const auto next = static_cast<How>(kinds / kHows % kHows);
    const auto other = static_cast<How>(kinds / kHows / kHows);
    INFO(name(first) << ", " << name(next) << "; by another: " << name(other));
    Fixture f;
    order::VectorClock own;
    own.set(0, 2);
    f.collides(first, 0, own);
    f.collides(next, 0, own);
    const bool races =
        ordertest::Oracle::clash(first, other) || ordertest::Oracle::clash(next, other);
    CHECK(f.collides(other, 1, f.nothing) == races);
  }
}

TEST_CASE("an access that is ordered after the first of a row and not the next still collides",
          "[shadow]") {
  for (std::size_t kinds = 0; kinds < kHows * kHows * kHows; ++kinds) {
    const auto first = static_cast<How>(kinds % kHows);
    const auto next = static_cast<How>(kinds / kHows % kHows);
    const auto other = static_cast<How>(kinds / kHows / kHows);
    INFO(name(first) << ", " << name(next) << "; by another: " << name(other));
    Fixture f;
    order::VectorClock own, known;
    own.set(0, 2);
    known.set(0, 1);
    f.collides(first, 0, own);
    f.collides(next, 0, own);
    CHECK(f.collides(other, 1, known) == ordertest::Oracle::clash(next, other));
  }
}

TEST_CASE("a wait for a word that no write waits for is in the way of its free", "[shadow]") {
  Fixture f;
  f.collides(How::wait_word, 0, f.nothing);
  CHECK_FALSE(f.collides(How::write, 1, f.nothing));
  order::VectorClock of_the_writer;
  of_the_writer.set(1, 2);
  CHECK_FALSE(f.collides(How::read, 2, of_the_writer));
  CHECK(f.collides(How::write, 2, of_the_writer, true));
}

TEST_CASE("whatever comes to freed bytes collides, ordered after the free or not", "[shadow]") {
  for (std::size_t kind = 0; kind < kHows; ++kind) {
    const auto how = static_cast<How>(kind);
    INFO(name(how));
    order::VectorClock known;
    known.set(0, 1);
    for (const bool ordered : {false, true}) {
      Fixture f;
      for (int i = 0; i < 2; ++i) f.write(0, 10, 0);  // so that the quick way finds the bytes
      REQUIRE(f.shadow.touch_again(ordertest::access(0, 10, How::write), {0, 1}, f.nothing, {}));
      order::Access free = ordertest::access(0, 10, How::write);
      free.frees = true;
      REQUIRE(f.shadow.touch_again(free, {0, 1}, f.nothing, {}));
      CHECK_FALSE(f.shadow.touch_again(ordertest::access(0, 10, how), {1, 1}, known, {}));
      std::vector<Shadow::Conflict> conflicts;
      f.shadow.touch(ordertest::access(0, 10, how), {1, 2}, ordered ? known : f.nothing, {},
                     conflicts);
      REQUIRE(conflicts.size() == 1);
      CHECK(conflicts[0].ordered == ordered);
    }
  }
}

TEST_CASE("bytes that are handed out are nobody's, unless that raced with who wrote them",
          "[shadow]") {
  Fixture f;
  order::VectorClock known;
  known.set(0, 1);
  const auto hand_out = [&](const order::VectorClock& clock) {
    std::vector<Shadow::Conflict> conflicts;
    order::Access block = ordertest::access(0, 10, How::write);
    block.hands_out = true;
    f.shadow.touch(block, {1, 1}, clock, {}, conflicts);
  };
  f.collides(How::write, 0, f.nothing);
  SECTION("ordered") {
    hand_out(known);
    CHECK_FALSE(f.shadow.written(0, 10));
    f.collides(How::sum, 1, known);
    CHECK(f.shadow.written(0, 10));
  }
  SECTION("not ordered") {
    hand_out(f.nothing);
    CHECK(f.shadow.written(0, 10));
  }
}

TEST_CASE("who knows of the earlier access does not collide with it", "[shadow]") {
  Fixture f;
  f.write(0, 10, 0);
  order::VectorClock known;
  known.set(0, 1);
  CHECK(f.touch(0, 10, false, 1, known).empty());
  CHECK(f.touch(0, 10, true, 0, known) == "r2[0+10)");
}

TEST_CASE("only the bytes that both touch are told", "[shadow]") {
  Fixture f;
  f.write(100, 100, 0);
  CHECK(f.read(150, 100, 1) == "w1[150+50)");
  CHECK(f.write(90, 20, 2) == "w1[100+10)");
  CHECK(f.write(120, 10, 3) == "w1[120+10)");
  CHECK(f.read(0, 90, 1).empty());
  CHECK(f.read(250, 10, 2).empty());
}

TEST_CASE("an access over several ranges keeps apart what was touched by whom", "[shadow]") {
  Fixture f;
  f.write(0, 10, 0);
  f.write(20, 10, 1);
  CHECK(f.read(5, 20, 2) == "w1[5+5)w2[20+5)");
  CHECK(f.write(10, 10, 0) == "r3[10+10)");  // the hole was read too
  CHECK(f.write(0, 5, 3) == "w1[0+5)");      // not read
  CHECK(f.write(0, 30, 4) == "w5[0+5)w1[5+5)r3[5+5)w4[10+10)w2[20+5)");
  CHECK(f.shadow.size() == 1);
}

TEST_CASE("the same pair of operations is reported once for an access, however the bytes lie",
          "[shadow]") {
  Fixture f;
  f.write(0, 100, 0);
  f.read(40, 10, 0);
  CHECK(f.read(0, 100, 1) == "w1[0+40)");
}

TEST_CASE("bytes count as written only where a write was", "[shadow]") {
  Fixture f;
  CHECK_FALSE(f.shadow.written(0, 1));
  CHECK(f.shadow.written(0, 0));
  f.write(0, 10, 0);
  f.write(10, 10, 1);
  f.read(20, 10, 0);
  CHECK(f.shadow.written(0, 20));
  CHECK(f.shadow.written(5, 15));
  CHECK_FALSE(f.shadow.written(5, 16));
  f.shadow.erase(8, 4);
  CHECK_FALSE(f.shadow.written(0, 20));
  CHECK(f.shadow.written(0, 8));
  CHECK(f.shadow.written(12, 8));
}

TEST_CASE("what is erased collides with nothing any more, its neighbours do", "[shadow]") {
  Fixture f;
  f.write(0, 30, 0);
  f.shadow.erase(10, 10);
  CHECK(f.shadow.size() == 2);
  CHECK(f.write(10, 10, 1).empty());
  CHECK(f.read(0, 30, 2) == "w1[0+10)w2[10+10)");
  f.shadow.erase(0, 30);
  CHECK(f.shadow.size() == 0);
}

TEST_CASE("an access of no bytes leaves nothing", "[shadow]") {
  Fixture f;
  f.write(0, 10, 0);
  CHECK(f.write(5, 0, 1).empty());
  CHECK(f.shadow.size() == 1);
}

TEST_CASE("the last byte of the address space can be touched", "[shadow]") {
  Fixture f;
  constexpr std::uintptr_t kTop = ~std::uintptr_t{0} - 16;
  f.write(kTop, 16, 0);
  CHECK(f.read(kTop + 8, 8, 1) == "w1[" + std::to_string(kTop + 8) + "+8)");
}

TEST_CASE("ranges collide exactly where single bytes do", "[shadow]") {
  constexpr std::size_t kBytes = 64;
  for (const std::uint64_t seed : ordertest::seeds(50)) {
    INFO("ACLSIM_TEST_SEED=" << ordertest::first_seed() << ", seed " << seed);
    std::mt19937_64 random(seed);
    const auto below = [&](std::uint64_t bound) { return random() % bound; };
    Fixture ranges;
    std::vector<Fixture> single(kBytes);
    for (int i = 0; i < 300; ++i) {
      const std::size_t begin = below(kBytes);
      const std::size_t size = 1 + below(std::min<std::uint64_t>(kBytes - begin, 20));
      const auto actor = static_cast<Actor>(below(4));
      const bool write = below(2) == 0;
      order::VectorClock known;
      for (Actor other = 0; other < 4; ++other) {
        known.set(other, static_cast<std::uint32_t>(below(static_cast<std::uint64_t>(i) + 1)));
      }
      known.set(actor, static_cast<std::uint32_t>(i) + 1);
      const bool together = !ranges.touch(begin, size, write, actor, known).empty();
      bool apart = false;
      for (std::size_t byte = 0; byte < kBytes; ++byte) {
        if (byte < begin || byte >= begin + size) {
          ++single[byte].count;
          continue;
        }
        apart |= !single[byte].touch(byte, 1, write, actor, known).empty();
      }
      REQUIRE(together == apart);
    }
  }
}
