// SPDX-License-Identifier: Apache-2.0
// The division of bytes among the ranks of hosts with several ranks.
#include "runtime/hccl/board/rails.h"

#include <map>

#include "tests/support/catch.h"

using hccl::Hosts;
using hccl::Schedule;
using hccl::Step;

namespace {

constexpr std::uint64_t kBytes = 1 << 20;

/// How often each byte, in grains, is complete on a host.
std::map<std::uint64_t, int> completed(const Hosts& hosts, std::uint32_t host, std::uint64_t bytes,
                                       Schedule (*make)(const Hosts&, int, std::uint64_t)) {
  std::map<std::uint64_t, int> times;
  for (const int rank : hosts.ranks_of(host)) {
    for (const Step& step : make(hosts, rank, bytes).steps) {
      for (std::uint64_t at = 0; step.completes && at < step.taken.bytes; at += hccl::kGrain) {
        ++times[step.taken.offset + at];
      }
    }
  }
  return times;
}

}  // namespace

TEST_CASE("each byte of a sum is completed once on each host, whatever hosts have how many ranks",
          "[rails]") {
  for (const auto make :
       {static_cast<Schedule (*)(const Hosts&, int, std::uint64_t)>(hccl::ring_all_reduce),
        static_cast<Schedule (*)(const Hosts&, int, std::uint64_t)>(
            hccl::halving_doubling_all_reduce)}) {
    const Hosts hosts({0, 1, 0, 1, 2, 2, 0, 3, 3});
    for (const std::uint64_t bytes : {std::uint64_t{4160}, kBytes, kBytes + 64}) {
      for (std::uint32_t host = 0; host < hosts.count(); ++host) {
        CAPTURE(bytes, host);
        const auto times = completed(hosts, host, bytes, make);
        CHECK(times.size() == bytes / hccl::kGrain);
        for (const auto& [at, count] : times) CHECK(count == 1);
      }
    }
  }
}

TEST_CASE("what is gathered comes to each host once, but for what its own ranks have", "[rails]") {
  const Hosts hosts({0, 0, 1, 1, 1, 2, 2});
  for (std::uint32_t host = 0; host < hosts.count(); ++host) {
    CAPTURE(host);
    const auto times = completed(hosts, host, kBytes, hccl::ring_all_gather);
    const std::size_t others = hosts.ranks() - hosts.ranks_of(host).size();
    CHECK(times.size() == others * kBytes / hccl::kGrain);
    for (const auto& [at, count] : times) {
      CHECK(count == 1);
      CHECK(hosts.host_of(static_cast<int>(at / kBytes)) != host);
    }
  }
}

TEST_CASE("the ranks of a rail exchange with each other alone, and others have no steps",
          "[rails]") {
  const Hosts hosts({0, 0, 0, 1, 1, 2, 2});
  CHECK(hccl::ring_all_reduce(hosts, 2, kBytes).steps.empty());
  CHECK(hccl::ring_all_reduce(hosts, 2, kBytes).staging_bytes == 0);
  for (const Step& step : hccl::ring_all_reduce(hosts, 4, kBytes).steps) {
    CHECK((step.taken.peer == 1 || step.taken.peer == -1));
    CHECK((step.given.peer == 6 || step.given.peer == -1));
  }
}
