// SPDX-License-Identifier: Apache-2.0
// The engine against a brute-force oracle on random programs: nothing missed, nothing made up.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <functional>
#include <set>
#include <string>

#include "tests/order/generator.h"
#include "tests/order/oracle.h"
#include "tests/order/run.h"
#include "tests/order/seeds.h"
#include "tests/support/catch.h"

namespace {

using order::Finding;
using order::Level;
using order::Rule;
using ordertest::Generator;
using ordertest::kPrograms;
using ordertest::Oracle;
using ordertest::Pace;
using ordertest::Program;
using ordertest::Run;
using ordertest::What;

constexpr std::uintptr_t kDeviceBase = 0x100000;
constexpr std::uintptr_t kHostBase = 0x900000;

struct Pair {
  std::size_t earlier;
  std::size_t later;
  std::size_t begin;
  std::size_t size;
};

Pair pair_of(const Finding& finding) {
  const std::uintptr_t base = finding.where.host ? kHostBase : kDeviceBase;
  return {static_cast<std::size_t>(finding.other->site - 1),
          static_cast<std::size_t>(finding.op_info.site - 1), finding.where.begin - base,
          finding.where.size};
}

/// The mistake in a finding; empty: none.
std::string verdict_on(const Oracle& oracle, const Program& program, const Finding& finding) {
  const Pair pair = pair_of(finding);
  const auto text = [&](const char* wrong) {
    return fmt::format("{} {} of calls {} and {}, [{}, {}): {}", name(finding.level),
                       info(finding.rule).id, pair.earlier, pair.later, pair.begin,
                       pair.begin + pair.size, wrong);
  };
  // If an op had not been taken in when its memory was freed, the finding has all of its bytes.
  const bool freed = program.calls[pair.later].what == What::free;
  const auto races = oracle.races_of(pair.later);
  const bool with_free = std::any_of(races.begin(), races.end(), [&](const Oracle::Race& race) {
    return std::min(pair.earlier, pair.later) == race.first;
  });
  const bool raced =
      freed ? with_free : oracle.race_between(pair.earlier, pair.later, pair.begin, pair.size);
  if (!raced) return text("they do not race");
  if (pair.earlier > pair.later) return text("they are named in the wrong order");
  const bool note = finding.rule == Rule::host_threads_only;
  if (note && !oracle.host_may_have_known(pair.earlier, pair.later)) return text("no note");
  if (!note && oracle.host_knew(pair.earlier, pair.later)) return text("no more than a note");
  return {};
}

/// Whose clock the accesses of the call belong to.
int actor_of(const Program& program, std::size_t call) {
  const ordertest::Call& it = program.calls[call];
  constexpr int kServers = 100, kHosts = 200;
  if (it.what == What::callback) return kServers + it.stream;
  return it.stream >= 0 ? it.stream : kHosts + it.host;
}

/// The order that the repair of the pair establishes orders the race too.
bool covers(const Program& program, const Pair& pair, const Oracle::Race& race) {
  return pair.later <= race.second && pair.earlier >= race.first &&
         actor_of(program, pair.earlier) == actor_of(program, race.first) &&
         actor_of(program, pair.later) == actor_of(program, race.second);
}

/// Bytes with a race that no finding reports.
std::string missed(const Oracle& oracle, const Program& program, const std::vector<Pair>& told) {
  std::vector<Oracle::Race> covered;
  for (const Oracle::Race& race : oracle.races()) {
    const auto is = [&](const Pair& pair) { return covers(program, pair, race); };
    if (std::any_of(told.begin(), told.end(), is)) covered.push_back(race);
  }
  for (const Oracle::Race& race : oracle.races()) {
    for (std::size_t byte = race.begin; byte < race.begin + race.size; ++byte) {
      const bool found =
          std::any_of(covered.begin(), covered.end(), [&](const Oracle::Race& other) {
            return other.begin <= byte && byte < other.begin + other.size;
          });
      if (!found) {
        return fmt::format("byte {} of calls {} and {} is missed", byte, race.first, race.second);
      }
    }
  }
  return {};
}

/// The disagreement of a run and the oracle; empty: none.
std::string disagreement(const Program& program, Pace pace, std::uint64_t seed) {
  const Oracle oracle(program);
  if (!oracle.well_formed()) return {};
  const Run run(program, pace, seed);
  if (!run.stuck().empty()) return {};
  std::vector<Pair> told;
  std::set<std::size_t> redundant;
  for (const Finding& finding : run.found()) {
    if (finding.rule == Rule::redundant_wait) {
      redundant.insert(finding.op_info.site - 1);
      continue;
    }
    std::string wrong = verdict_on(oracle, program, finding);
    if (!wrong.empty()) return wrong;
    told.push_back(pair_of(finding));
  }
  std::string wrong = missed(oracle, program, told);
  if (!wrong.empty()) return wrong;
  for (std::size_t i = 0; i < program.calls.size(); ++i) {
    if (oracle.is_bound(i) && oracle.redundant(i) != (redundant.count(i) != 0)) {
      return fmt::format("wait {} is told as {}", i, redundant.count(i) ? "redundant" : "needed");
    }
  }
  for (const auto& [call, advanced] : run.advanced()) {
    if (oracle.learns(call).value_or(advanced) != advanced) {
      return fmt::format("sync {} learns {}", call, advanced ? "something" : "nothing");
    }
  }
  return {};
}

/// Takes calls out as long as the program still fails.
Program shrink(Program program, const std::function<bool(const Program&)>& fails) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t i = program.calls.size(); i-- > 0;) {
      if (i >= program.calls.size()) continue;
      Program less = without(program, i);
      if (!fails(less)) continue;
      program = std::move(less);
      smaller = true;
    }
  }
  return program;
}

void check(const Program& program, std::uint64_t seed) {
  for (const Pace pace : {Pace::eager, Pace::random, Pace::lazy}) {
    if (disagreement(program, pace, seed).empty()) continue;
    const Program small = shrink(
        program, [&](const Program& less) { return !disagreement(less, pace, seed).empty(); });
    FAIL("ACLSIM_TEST_SEED=" << ordertest::first_seed() << ", program " << seed << ", pace "
                             << static_cast<int>(pace) << ": " << disagreement(small, pace, seed)
                             << "\n"
                             << to_text(small));
  }
}

/// The call at which the program is blocked; empty: none.
std::string stuck(const Program& program) { return Run(program, Pace::lazy, 1).stuck(); }

std::size_t count(const Run& run, bool (*counts)(const Finding&)) {
  return static_cast<std::size_t>(std::count_if(run.found().begin(), run.found().end(), counts));
}

bool is_finding(const Finding& finding) { return finding.level >= Level::warning; }
bool is_race(const Finding& finding) { return finding.rule != Rule::redundant_wait; }

}  // namespace

TEST_CASE("a thousand programs in which all conflicts are ordered have no finding",
          "[order][random]") {
  std::fprintf(stderr, "random programs with ACLSIM_TEST_SEED=%llu\n",
               static_cast<unsigned long long>(ordertest::first_seed()));
  for (const std::uint64_t seed : ordertest::seeds(kPrograms)) {
    const Program program = Generator(seed).clean();
    REQUIRE(Oracle(program).well_formed());
    REQUIRE(Oracle(program).races().empty());
    INFO("program " << seed << "\n" << to_text(program));
    REQUIRE(stuck(program) == "");
    check(program, seed);
    CHECK(count(Run(program, Pace::random, seed), is_race) == 0);
  }
}

TEST_CASE("a thousand programs with one edge missing are all found out, whatever the schedule",
          "[order][random]") {
  std::size_t planted = 0;
  for (std::uint64_t seed = ordertest::first_program(); planted < kPrograms; ++seed) {
    Generator generator(seed);
    const auto program = generator.with_bug(generator.clean());
    if (!program || !stuck(*program).empty()) continue;
    if (!support::in_share(planted++)) continue;
    check(*program, seed);
    for (const Pace pace : {Pace::eager, Pace::random, Pace::lazy}) {
      INFO(to_text(*program));
      CHECK(count(Run(*program, pace, seed), is_finding) > 0);
    }
  }
}

TEST_CASE("what only a message between host threads could order is told at least as a note",
          "[order][random]") {
  for (const std::uint64_t seed : ordertest::seeds(kPrograms / 2)) {
    Generator generator(seed);
    const auto program = generator.with_bug(generator.clean(), false);
    if (!program || !stuck(*program).empty()) continue;
    check(*program, seed);
    for (const Pace pace : {Pace::eager, Pace::random, Pace::lazy}) {
      INFO(to_text(*program));
      CHECK(count(Run(*program, pace, seed), is_race) > 0);
    }
  }
}

TEST_CASE("of wild programs exactly those bytes are told that race", "[order][random]") {
  for (const std::uint64_t seed : ordertest::seeds(kPrograms)) {
    Generator generator(seed);
    const Program program = generator.wild(seed % 2 == 0 ? 5 : 60);
    REQUIRE(Oracle(program).well_formed());
    REQUIRE(stuck(program) == "");
    check(program, seed);
  }
}
