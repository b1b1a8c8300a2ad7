// SPDX-License-Identifier: Apache-2.0
// Ranks of two hosts, which are network namespaces.
#include "tests/support/two_hosts.h"

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <sstream>
#include <vector>

#include "tests/hccl/process_rank.h"
#include "tests/support/child.h"
#include "tests/support/share.h"

using namespace hccltest;
using support::TwoHosts;

namespace {

/// One process a rank, on the hosts that `layout` says. Each is told "rank ranks seed root-info"; the
/// first one makes the root info and answers with it.
class RanksOfHosts {
 public:
  RanksOfHosts(const TwoHosts& hosts, const std::vector<int>& layout, const std::string& program,
               std::uint64_t seed, const support::Environment& environment = {}) {
    std::string info = "-";
    for (std::size_t rank = 0; rank < layout.size(); ++rank) {
      children.push_back(hosts.start(layout[rank], program, environment));
      children.back()->say(fmt::format("{} {} {} {}", rank, layout.size(), seed, info));
      if (rank == 0) info = children.back()->hear();
    }
  }
  std::vector<std::unique_ptr<support::RunningChild>> children;
};

/// What a rank reads first.
struct Told {
  Told() {
    std::string hex;
    std::cin >> rank >> ranks >> seed >> hex;
    must(aclrtSetDevice(static_cast<int>(rank)) == ACL_SUCCESS);
    if (hex != "-") {
      info = root_info_of(hex);
    } else {
      must(HcclGetRootInfo(&info) == HCCL_SUCCESS);
      std::cout << hex_of(info) << std::endl;
    }
  }
  ~Told() { aclrtResetDevice(static_cast<int>(rank)); }
  std::uint32_t rank = 0;
  std::uint32_t ranks = 0;
  std::uint64_t seed = 0;
  HcclRootInfo info{};
};

CHILD_PROGRAM(exchanges_on_host) {
  const Told told;
  const std::string problem = run_rank(told.info, told.rank, told.ranks, told.seed);
  std::cout << (problem.empty() ? "right" : problem) << std::endl;
  return problem.empty() ? 0 : 1;
}

void check_hosts(const std::vector<int>& layout) {
  const auto hosts = TwoHosts::make();
  if (!hosts) return;
  const std::uint64_t seed = support::first_seed() + 200 + layout.size();
  CAPTURE(seed);
  const RanksOfHosts ranks(*hosts, layout, "exchanges_on_host", seed);
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
