// SPDX-License-Identifier: Apache-2.0
// Ranks of two hosts, which are network namespaces.
#include "tests/support/two_hosts.h"

#include <fmt/format.h>

#include <iostream>
#include <vector>

#include "tests/hccl/process_rank.h"
#include "tests/support/child.h"
#include "tests/support/share.h"

using namespace hccltest;
using support::TwoHosts;

namespace {

void check_hosts(const std::vector<int>& layout) {
  const auto hosts = TwoHosts::make();
  if (!hosts) return;
  const std::uint64_t seed = support::first_seed() + 200 + layout.size();
  CAPTURE(seed);
  const RanksOfHosts ranks(*hosts, layout, "exchanges_as_rank", seed);
  for (const auto& child : ranks.children) CHECK(child->hear() == "right");
}

}  // namespace

TEST_CASE("one rank on each of two hosts get what a plain reference gets", "[hccl][exchange][hosts]") {
  check_hosts({0, 1});
}
TEST_CASE("two ranks on each of two hosts get what a plain reference gets",
          "[hccl][exchange][hosts]") {
  check_hosts({0, 0, 1, 1});
}
TEST_CASE("two ranks on one host and one on another get what a plain reference gets",
          "[hccl][exchange][hosts]") {
  check_hosts({0, 0, 1});
}
TEST_CASE("ranks that alternate between two hosts get what a plain reference gets",
          "[hccl][exchange][hosts]") {
  check_hosts({0, 1, 0});
}
