// SPDX-License-Identifier: Apache-2.0
// The choice of the rank that represents a host.
#include "runtime/hccl/board/hosts.h"

#include <set>

#include "tests/support/catch.h"

using hccl::Hosts;

TEST_CASE("ranks of other hosts are counted without those of the own one", "[hosts]") {
  const Hosts hosts({0, 1, 0, 2, 1});
  CHECK(hosts.count() == 3);
  CHECK(hosts.layered());
  CHECK(hosts.ranks_of(0) == std::vector<int>{0, 2});
  CHECK(hosts.ranks_of(1) == std::vector<int>{1, 4});
  CHECK(hosts.place_of_rank(1, 0) == 0);
  CHECK(hosts.place_of_rank(3, 0) == 1);
  CHECK(hosts.place_of_rank(4, 2) == 2);
  CHECK(hosts.place_of_rank(3, 1) == 2);
  CHECK(hosts.place_of_host(1, 0) == 0);
  CHECK(hosts.place_of_host(2, 0) == 1);
  CHECK(hosts.place_of_host(0, 3) == 0);
  CHECK(hosts.place_of_host(2, 1) == 1);
}

TEST_CASE("every rank of a host has its turn as the one that stands for it", "[hosts]") {
  const Hosts hosts({0, 0, 0, 1, 1, 1});
  for (const std::uint32_t host : {0u, 1u}) {
    std::set<int> agents;
    for (const int other : hosts.ranks_of(1 - host)) {
      CHECK(hosts.host_of(hosts.agent(host, other)) == host);
      agents.insert(hosts.agent(host, other));
    }
    CHECK(agents.size() == 3);
  }
}

TEST_CASE("hosts of one rank each, and a single host, have no layers", "[hosts]") {
  CHECK_FALSE(Hosts({0, 1, 2}).layered());
  CHECK_FALSE(Hosts({0, 0}).layered());
  CHECK(Hosts({0, 0, 1}).layered());
}

TEST_CASE("hosts are in order when the ranks of each follow each other", "[hosts]") {
  CHECK(Hosts({0, 0, 1, 2, 2}).in_order());
  CHECK_FALSE(Hosts({0, 1, 0}).in_order());
}

TEST_CASE("ranks have places on their host, of which each host has some", "[hosts]") {
  const Hosts hosts({0, 1, 0, 0, 1});
  CHECK(hosts.place_on_host(0) == 0);
  CHECK(hosts.place_on_host(3) == 2);
  CHECK(hosts.place_on_host(4) == 1);
  CHECK(hosts.fewest_ranks() == 2);
}
