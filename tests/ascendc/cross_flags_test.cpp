// SPDX-License-Identifier: Apache-2.0
// The cores that count a flag between cores, in each mode.
#include "runtime/ascendc/core/cross_flags.h"

#include "tests/support/catch.h"

using ascendc::CrossFlags;
using ascendc::Seen;

namespace {

using Units = std::vector<std::uint32_t>;

/// Groups of a cube core and two vector cores: units 0, 1, 2; 3, 4, 5 ...
struct Machine {
  CrossFlags flags;
  explicit Machine(CrossFlags::Cores cores) : flags(std::move(cores)) {}
  Units set(std::uint32_t mode, std::uint32_t flag, std::uint32_t unit, bool cube) {
    bool full = false;
    const Units told = flags.set({unit, cube, mode, flag, this}, {}, full);
    CHECK(!full);
    return told;
  }
  bool take(std::uint32_t unit, std::uint32_t flag) {
    Seen told;
    return flags.take(unit, flag, told);
  }
};

}  // namespace

TEST_CASE("in mode 0 all cores of a kind meet, and the other kind is not told", "[cross_flags]") {
  Machine mix({2, {}, 3});
  CHECK(mix.set(0, 1, 1, false).empty());
  CHECK(mix.set(0, 1, 2, false).empty());
  CHECK(mix.set(0, 1, 0, true).empty());
  CHECK(mix.set(0, 1, 5, false).empty());
  CHECK(mix.set(0, 1, 4, false) == Units{1, 2, 4, 5});
  CHECK(mix.set(0, 1, 3, true) == Units{0, 3});
  CHECK(mix.take(4, 1));
  CHECK(!mix.take(4, 1));
  Machine vectors({3, {}, 1});
  CHECK(vectors.set(0, 1, 2, false).empty());
  CHECK(vectors.set(0, 1, 0, false).empty());
  CHECK(vectors.set(0, 1, 1, false) == Units{0, 1, 2});
}

TEST_CASE("where some blocks of a launch run, these meet in mode 0", "[cross_flags]") {
  Machine two({2, {5, 1}, 1});
  CHECK(two.set(0, 3, 1, false).empty());
  CHECK(two.set(0, 3, 5, false) == Units{5, 1});
}

TEST_CASE("in mode 1 the vector cores of a group meet", "[cross_flags]") {
  Machine mix({2, {}, 3});
  CHECK(mix.set(1, 2, 4, false).empty());
  CHECK(mix.set(1, 2, 1, false).empty());
  CHECK(mix.set(1, 2, 5, false) == Units{4, 5});
  CHECK(!mix.flags.can_set(true, 1));
}

TEST_CASE("in mode 2 a cube core tells its vector cores, and these together tell it",
          "[cross_flags]") {
  Machine mix({2, {}, 3});
  CHECK(mix.set(2, 7, 3, true) == Units{4, 5});
  CHECK(mix.set(2, 7, 5, false).empty());
  CHECK(mix.set(2, 7, 5, false).empty());
  CHECK(mix.set(2, 7, 4, false) == Units{3});
  CHECK(mix.set(2, 7, 4, false) == Units{3});
  CHECK(!CrossFlags({2, {}, 1}).can_set(false, 2));
}

TEST_CASE("in mode 4 a flag from 16 on is the second vector core's, on the cube core",
          "[cross_flags]") {
  Machine mix({1, {}, 3});
  CHECK(mix.set(4, 3, 0, true) == Units{1});
  CHECK(mix.set(4, 19, 0, true) == Units{2});
  CHECK((mix.take(1, 3) && mix.take(2, 3)));
  CHECK(mix.set(4, 3, 1, false) == Units{0});
  CHECK((mix.take(0, 3) && !mix.take(0, 19)));
  CHECK(mix.set(4, 3, 2, false) == Units{0});
  CHECK(mix.take(0, 19));
}

TEST_CASE("a flag that no wait took is left, and so is one that not all have set",
          "[cross_flags]") {
  Machine mix({1, {}, 3});
  CHECK(mix.flags.left().empty());
  mix.set(2, 4, 0, true);
  mix.set(2, 4, 0, true);
  CHECK(mix.take(1, 4));
  CHECK(mix.take(1, 4));
  CHECK(mix.take(2, 4));
  mix.set(2, 5, 2, false);
  const auto left = mix.flags.left();
  REQUIRE(left.size() == 2);
  CHECK((left[0].unit == 2 && left[0].flag == 4 && left[0].count == 1));
  CHECK((left[1].unit == 2 && left[1].flag == 5 && left[1].count == 0));
  CHECK((left[1].mode == 2 && left[1].missing == 1));
}

TEST_CASE("a core counts no further than 15 sets, and then nobody does", "[cross_flags]") {
  Machine mix({1, {}, 3});
  for (int i = 0; i < 15; ++i) mix.set(2, 1, 0, true);
  CHECK(mix.take(1, 1));
  bool full = false;
  CHECK(mix.flags.set({0, true, 2, 1, nullptr}, {}, full).empty());
  CHECK(full);
  CHECK(mix.flags.deliver({0, true, 2, 1, nullptr}, full).empty());
  CHECK(full);
  CHECK(mix.take(2, 1));
  CHECK(mix.flags.deliver({0, true, 2, 1, nullptr}, full) == Units{1, 2});
  CHECK(!full);
  for (int i = 0; i < 15; ++i) CHECK((mix.take(1, 1) && mix.take(2, 1)));
  CHECK(!mix.take(1, 1));
}

TEST_CASE("kept clocks stay where they are while others are added", "[cross_flags]") {
  ascendc::KeptClocks kept;
  const ascendc::Clock* first = nullptr;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    CHECK(kept.add({i, i + 1}) == i);
    if (i == 0) first = &kept[0];
  }
  CHECK(first == &kept[0]);
  bool same = true;
  for (std::uint32_t i = 0; i < 1000; ++i) same &= kept[i][0] == i && kept[i][1] == i + 1;
  CHECK(same);
}

TEST_CASE("of two sets of a flag the first wait learns of the first", "[cross_flags]") {
  CrossFlags flags({1, {}, 3});
  bool full = false;
  flags.set({0, true, 2, 1, nullptr}, {{1, 1}}, full);
  flags.set({0, true, 2, 1, nullptr}, {{2, 2}}, full);
  Seen told;
  REQUIRE(flags.take(1, 1, told));
  CHECK((told == Seen{{1, 1}}));
  REQUIRE(flags.take(1, 1, told));
  CHECK((told == Seen{{2, 2}}));
}

TEST_CASE("who takes a flag has seen what each of those had that set it", "[cross_flags]") {
  CrossFlags flags({2, {}, 1});
  bool full = false;
  flags.set({0, false, 0, 1, nullptr}, {{4, 1}}, full);
  flags.set({1, false, 0, 1, nullptr}, {{}, {9, 2}}, full);
  Seen told;
  REQUIRE(flags.take(0, 1, told));
  CHECK((told == Seen{{4, 1}, {9, 2}}));
}
