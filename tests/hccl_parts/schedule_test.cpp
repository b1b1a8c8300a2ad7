// SPDX-License-Identifier: Apache-2.0
// Schedules of collectives, followed by ranks that get ahead of each other as chance has it. A
// grain of 64 bytes is the list of the ranks whose contributions it holds, in the order of the
// reduction.
#include "runtime/hccl/board/schedule.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <utility>

#include "tests/support/catch.h"
#include "tests/support/share.h"

using hccl::Schedule;
using hccl::Step;

namespace {

constexpr std::uint64_t kGrain = 64;
using Grain = std::vector<int>;
using Memory = std::vector<Grain>;

std::size_t grains(std::uint64_t bytes) { return (bytes + kGrain - 1) / kGrain; }

struct Rank {
  Schedule schedule;
  Memory own, receive, staging;
  std::size_t next = 0;
  std::map<int, std::uint64_t> came;  // by peer
};

/// False: it has to wait.
bool step(std::vector<Rank>& ranks, int me) {
  Rank& rank = ranks[static_cast<std::size_t>(me)];
  if (rank.next == rank.schedule.steps.size()) return false;
  const Step& step = rank.schedule.steps[rank.next];
  const Step::Part& taken = step.taken;
  if (taken.peer >= 0 && rank.came[taken.peer] < taken.number) return false;
  if (taken.peer >= 0 && taken.staged) {
    for (std::size_t i = 0; i < grains(taken.bytes); ++i) {
      const std::size_t at = taken.offset / kGrain + i;
      Grain sum = rank.staging[taken.place / kGrain + i];
      const Grain& mine = step.own ? rank.own[at] : rank.receive[at];
      sum.insert(sum.end(), mine.begin(), mine.end());
      rank.receive[at] = sum;
    }
  }
  const Step::Part& given = step.given;
  if (given.peer >= 0) {
    Rank& peer = ranks[static_cast<std::size_t>(given.peer)];
    const Memory& from = step.own && taken.peer < 0 ? rank.own : rank.receive;
    for (std::size_t i = 0; i < grains(given.bytes); ++i) {
      Memory& into = given.staged ? peer.staging : peer.receive;
      into[(given.staged ? given.place : given.offset) / kGrain + i] =
          from[given.offset / kGrain + i];
    }
    CHECK(peer.came[me] + 1 == given.number);
    peer.came[me] = given.number;
  }
  ++rank.next;
  return true;
}

/// Ranks take their steps until none can. In between one goes as far ahead as it can.
void follow(std::vector<Rank>& ranks, std::mt19937_64& random) {
  for (bool went = true; went;) {
    for (int turn = 0; turn < 3; ++turn) {
      const auto ahead = static_cast<int>(random() % ranks.size());
      while (random() % 8 != 0 && step(ranks, ahead)) continue;
    }
    went = false;
    for (int me = 0; me < static_cast<int>(ranks.size()); ++me) went = step(ranks, me) || went;
  }
}

using Make = Schedule(int, int, std::uint64_t);
constexpr Make* kRing = hccl::ring_all_reduce;
constexpr Make* kHalvingDoubling = hccl::halving_doubling_all_reduce;

template <class Make>
std::vector<Rank> ranks_of(int count, std::uint64_t bytes, Make make) {
  std::vector<Rank> ranks(static_cast<std::size_t>(count));
  for (int me = 0; me < count; ++me) {
    Rank& rank = ranks[static_cast<std::size_t>(me)];
    rank.schedule = make(me, count, bytes);
    rank.own.assign(grains(bytes), Grain{me});
    rank.receive.resize(grains(bytes));
    rank.staging.resize(grains(rank.schedule.staging_bytes));
  }
  return ranks;
}

Grain ascending(int count) {
  Grain all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

void check_done(const std::vector<Rank>& ranks) {
  for (const Rank& rank : ranks) CHECK(rank.next == rank.schedule.steps.size());
}

}  // namespace

TEST_CASE("a ring reduces each element in the order of the ranks, and all get it", "[schedule]") {
  std::mt19937_64 random(support::first_seed());
  for (const int count : {2, 3, 4, 7}) {
    for (const std::uint64_t bytes : {64ull, 4160ull, 1ull << 20, (5ull << 20) + 8}) {
      CAPTURE(count, bytes);
      auto ranks = ranks_of(count, bytes, kRing);
      follow(ranks, random);
      check_done(ranks);
      for (const Rank& rank : ranks) {
        CHECK(rank.receive == Memory(grains(bytes), ascending(count)));
      }
    }
  }
}

TEST_CASE("halving and doubling takes each rank's contribution once, and all get the same",
          "[schedule]") {
  std::mt19937_64 random(support::first_seed());
  for (const int count : {2, 4, 8, 16}) {
    for (const std::uint64_t bytes : {8ull, 64ull, 200ull, 4100ull, 70000ull, 1000000ull}) {
      CAPTURE(count, bytes);
      auto ranks = ranks_of(count, bytes, kHalvingDoubling);
      follow(ranks, random);
      check_done(ranks);
      for (const Rank& rank : ranks) {
        CHECK(rank.receive == ranks.front().receive);
        CHECK(rank.schedule.staging_bytes <= bytes + 64ull * 16);
      }
      for (Grain sum : ranks.front().receive) {
        std::sort(sum.begin(), sum.end());
        CHECK(sum == ascending(count));
      }
    }
  }
}

TEST_CASE("halving and doubling has two steps for each bit of the number of ranks, both ways",
          "[schedule]") {
  CHECK(hccl::halving_doubling_all_reduce(5, 8, 1 << 16).steps.size() == 12);
}

TEST_CASE("a ring brings each rank's part to all", "[schedule]") {
  std::mt19937_64 random(support::first_seed());
  for (const int count : {2, 3, 5}) {
    constexpr std::uint64_t kBytes = 640;
    auto ranks = ranks_of(count, kBytes, [](int me, int of, std::uint64_t bytes) {
      std::vector<std::vector<hccl::Range>> ranges;
      for (std::uint64_t rank = 0; rank < static_cast<std::uint64_t>(of); ++rank) {
        ranges.push_back({{rank * bytes, (rank + 1) * bytes}});
      }
      return hccl::ring_all_gather(me, ranges);
    });
    Memory all;
    for (int me = 0; me < count; ++me) all.insert(all.end(), grains(kBytes), Grain{me});
    for (int me = 0; me < count; ++me) {
      Memory& receive = ranks[static_cast<std::size_t>(me)].receive;
      receive.assign(all.size(), Grain{});
      std::fill_n(receive.begin() + me * 10, 10, Grain{me});
    }
    follow(ranks, random);
    check_done(ranks);
    for (const Rank& rank : ranks) CHECK(rank.receive == all);
  }
}

TEST_CASE("each rank of a ring gives to the next one alone", "[schedule]") {
  for (const Step& step : hccl::ring_all_reduce(2, 4, 3 << 20).steps) {
    CHECK((step.given.peer == 3 || step.given.peer == -1));
    CHECK((step.taken.peer == 1 || step.taken.peer == -1));
  }
}
