// SPDX-License-Identifier: Apache-2.0
#include "device_sim/drivers/strategy.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>

#include "device_sim/drivers/decider.h"
#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"

using sim::Actor;
using sim::Candidate;
using sim::Decider;
using sim::Decision;
using sim::kHost;
using sim::parse_departures;
using sim::parse_strategy;

namespace {

const std::vector<std::string> kAll = {"random",      "pct:1",         "pct:3:40",
                                       "round-robin", "round-robin:3", "delays:2:40",
                                       "slow-copy",   "eager",         "lazy"};

/// A program that a strategy is tried on: rounds of calls that give each stream work, then a wait
/// for all of it. Written down as who went on: 'H', or a letter for each stream, small for copies.
std::string play(Decider& decider, int streams = 3, int rounds = 6) {
  std::vector<int> left(static_cast<std::size_t>(streams), 0);
  std::vector<int> next(static_cast<std::size_t>(streams), 0);
  std::uint64_t submitted = 0;
  std::string order;
  const auto copies = [&](std::size_t s) { return next[s] % 2 == 0; };
  const auto step = [&](bool host, bool first) {
    std::vector<Candidate> ready;
    for (std::size_t s = 0; s < left.size(); ++s) {
      if (left[s] > 0) ready.push_back({static_cast<std::uint32_t>(s + 1), copies(s), "op"});
    }
    if (ready.empty()) return false;
    const Actor actor = decider.decide({host, first, ready}, submitted);
    if (actor == kHost) {
      order += 'H';
      return false;
    }
    const std::size_t s = actor - 1;
    REQUIRE(s < left.size());
    REQUIRE(left[s] > 0);
    order += static_cast<char>((copies(s) ? 'a' : 'A') + s);
    --left[s];
    ++next[s];
    return true;
  };
  for (int call = 0; call < rounds * streams; ++call) {
    for (bool first = true; step(true, first); first = false) {
    }
    ++left[static_cast<std::size_t>(call % streams)];
    ++submitted;
    for (bool first = true; step(true, first); first = false) {
    }
  }
  while (step(false, false)) {
  }
  return order;
}

std::string play(const std::string& strategy, std::uint64_t seed) {
  Decider decider(parse_strategy(strategy), seed, "");
  return play(decider);
}

std::string without_host(std::string order) {
  order.erase(std::remove(order.begin(), order.end(), 'H'), order.end());
  return order;
}

}  // namespace

TEST_CASE("a strategy takes the same decisions for the same seed", "[strategy]") {
  for (const std::string& name : kAll) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      INFO(name << " seed " << seed);
      CHECK(play(name, seed) == play(name, seed));
    }
  }
}

TEST_CASE("each strategy with chance in it takes different decisions for different seeds",
          "[strategy]") {
  for (const std::string& name : kAll) {
    std::set<std::string> orders;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) orders.insert(play(name, seed));
    INFO(name);
    CHECK((orders.size() > 3) == (name != "lazy" && name != "eager"));
  }
}

TEST_CASE("whatever the strategy, everything moves in the end", "[strategy]") {
  for (const std::string& name : kAll) {
    INFO(name);
    CHECK(without_host(play(name, 7)).size() == 18);
  }
}

TEST_CASE("eager runs each op as soon as it is there", "[strategy]") {
  CHECK(play("eager", 3) == "abcABCabcABCabcABC");
}

TEST_CASE("lazy runs nothing before the host waits, then stream by stream", "[strategy]") {
  CHECK(without_host(play("lazy", 3)) == "aAaAaAbBbBbBcCcCcC");
  CHECK_THAT(play("lazy", 3), catch_compat::ContainsSubstring("HHHHaAaA"));
}

TEST_CASE("slow-copy leaves copies for last", "[strategy]") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    // The first op of each stream is a copy, so nothing but the end of the program moves any.
    const std::string order = play("slow-copy", seed);
    INFO(order);
    CHECK(order.find_first_of("abcABC") > order.find_last_of('H'));
    // And then a copy runs only while no other op could.
    std::map<char, int> copied;
    for (const char c : without_host(order)) {
      if (c >= 'a') {
        for (const char other : {'A', 'B', 'C'}) {
          const char copy = static_cast<char>(other + ('a' - 'A'));
          CHECK(copied[copy] == copied[other]);
        }
      }
      ++copied[c];
    }
  }
}

namespace {

/// The choices of a strategy if the host and streams 1 to 3 can always move, `length` times.
std::vector<Actor> all_able(const std::string& strategy, std::uint64_t seed, std::size_t length) {
  const auto made = sim::make_strategy(parse_strategy(strategy), seed);
  const Candidate ready[] = {{1, false, ""}, {2, false, ""}, {3, false, ""}};
  std::vector<Actor> order;
  while (order.size() < length) order.push_back(made->choose({true, order.empty(), ready, kHost}));
  return order;
}

/// How often the next choice differs from the previous one.
std::size_t changes(const std::vector<Actor>& order) {
  std::size_t count = 0;
  for (std::size_t i = 1; i < order.size(); ++i) count += order[i] != order[i - 1] ? 1 : 0;
  return count;
}

std::set<Actor> first_ones(const std::string& strategy) {
  std::set<Actor> first;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) first.insert(all_able(strategy, seed, 1)[0]);
  return first;
}

}  // namespace

TEST_CASE("round-robin gives everybody as many turns as it says, one after the other",
          "[strategy]") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const std::vector<Actor> order = all_able("round-robin:3", seed, 24);
    for (std::size_t i = 0; i < order.size(); ++i) {
      CHECK(order[i] == order[i / 3 * 3]);      // three turns each
      CHECK(order[i] == order[(i + 12) % 24]);  // and the same round again
    }
    CHECK(std::set<Actor>(order.begin(), order.end()).size() == 4);
  }
}

TEST_CASE("pct lets the most urgent one go on, and changes its mind depth - 1 times",
          "[strategy]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CHECK(changes(all_able("pct:1:50", seed, 50)) == 0);
    CHECK(changes(all_able("pct:3:50", seed, 50)) <= 2);
    CHECK(changes(all_able("pct:3:50", seed, 50)) >= 1);  // one may be at the very first decision
  }
  CHECK(first_ones("pct:1").size() == 4);
}

TEST_CASE("delays pass over whoever goes on as often as they say", "[strategy]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CHECK(changes(all_able("delays:0", seed, 50)) == 0);
    const std::size_t seen = changes(all_able("delays:3:50", seed, 50));
    CHECK((seen == 3 || seen == 2));  // one may be at the very first decision
  }
}

TEST_CASE("a run can be repeated from its departures from the plain order", "[strategy]") {
  const support::TempDir dir;
  const std::string path = (dir.path() / "record").string();
  for (const std::string& name : kAll) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      Decider recording(parse_strategy(name), seed, path);
      const std::string order = play(recording);
      recording.finish();
      INFO(name << " seed " << seed);
      CHECK(play("replay:@" + path, 99) == order);
      Decider again(parse_strategy("replay:@" + path), 1, path + "2");
      play(again);
      again.finish();
      CHECK(parse_departures(dir.read("record2")) == parse_departures(dir.read("record")));
    }
  }
}

TEST_CASE("the plain order is recorded as no departure at all", "[strategy]") {
  const support::TempDir dir;
  Decider decider(parse_strategy("lazy"), 1, (dir.path() / "record").string());
  play(decider, 2, 2);
  decider.finish();
  const std::string text = dir.read("record");
  CHECK(parse_departures(text).empty());
  CHECK_THAT(text, catch_compat::ContainsSubstring("0 departures from the plain order"));
}

TEST_CASE("a departure that is no longer possible is passed over", "[strategy]") {
  CHECK(play("replay:1=9,3=77", 1) == play("lazy", 1));
}

TEST_CASE("a host that only asks is made to wait now and then", "[strategy]") {
  Decider decider(parse_strategy("lazy"), 1, "");
  const Candidate ready[] = {{1, false, "op"}};
  int asked = 0;
  while (decider.decide({true, true, ready}, 1) == kHost && asked < 1'000) ++asked;
  CHECK(asked == 64);
}

TEST_CASE("so is a host that enqueues something with each question", "[strategy]") {
  Decider decider(parse_strategy("lazy"), 1, "");
  const Candidate ready[] = {{1, false, "op"}};
  std::uint64_t asked = 0;
  while (decider.decide({true, true, ready}, asked) == kHost && asked < 100'000) ++asked;
  CHECK(asked == 4'096);
}

TEST_CASE("a stream that never ends does not keep the host from going on", "[strategy]") {
  Decider decider(parse_strategy("eager"), 1, "");
  const Candidate ready[] = {{1, false, "op"}};
  int steps = 0;
  while (decider.decide({true, steps == 0, ready}, 1) != kHost && steps < 1'000'000) ++steps;
  CHECK(steps < 1'000'000);
}

TEST_CASE("a record that cannot be written is refused with its path", "[strategy]") {
  CHECK_THROWS_WITH(Decider(parse_strategy("lazy"), 1, "/nonexistent/record"),
                    catch_compat::ContainsSubstring("/nonexistent/record"));
}

TEST_CASE("wrong strategies are refused with what is expected", "[strategy]") {
  for (const char* text : {"", "chaos", "pct", "pct:0", "pct:65", "pct:x", "pct:2:0", "pct:2:3:4",
                           "random:1", "round-robin:0", "delays", "eager:", "replay", "lazy "}) {
    INFO(text);
    CHECK_THROWS_WITH(parse_strategy(text), catch_compat::ContainsSubstring("pct:DEPTH"));
  }
  for (const char* text : {"replay:5", "replay:0=1", "replay:3=1,2=1", "replay:1=x", "replay:=1",
                           "replay:1=4294967296"}) {
    INFO(text);
    CHECK_THROWS_WITH(parse_strategy(text), catch_compat::ContainsSubstring("DECISION=STREAM"));
  }
  CHECK_THROWS_WITH(parse_strategy("replay:@/nonexistent"),
                    catch_compat::ContainsSubstring("/nonexistent"));
}

TEST_CASE("departures are read from one line or many, with comments", "[strategy]") {
  const std::vector<sim::Departure> wanted = {{3, 5}, {7, kHost}, {12, 4}};
  CHECK(parse_departures("3=5,7=host,12=4") == wanted);
  CHECK(parse_departures("# a record\n3=5  # copy instead of host\n\n7=host\n12=4") == wanted);
}
