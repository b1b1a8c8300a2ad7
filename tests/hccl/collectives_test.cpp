// SPDX-License-Identifier: Apache-2.0
// Operations between ranks against a plain reference: threads, processes, one thread for all.
#include <fmt/format.h>

#include <iostream>

#include "tests/hccl/exchange.h"
#include "tests/hccl/process_rank.h"
#include "tests/hccl/reference.h"
#include "tests/hccl/world.h"
#include "tests/support/child.h"
#include "tests/support/share.h"

using namespace hccltest;
using support::RunningChild;

namespace {

HcclRootInfo root_info() {
  const OnDevice device(0);
  HcclRootInfo info;
  REQUIRE(HcclGetRootInfo(&info) == HCCL_SUCCESS);
  return info;
}

void check_threads(std::uint32_t ranks) {
  const std::uint64_t seed = support::first_seed() + ranks;
  CAPTURE(seed);
  const HcclRootInfo info = root_info();
  const auto problems =
      as_threads(ranks, [&](std::uint32_t rank) { return run_rank(info, rank, ranks, seed); });
  for (const std::string& problem : problems) CHECK(problem == "");
}

/// RankArguments what RankArguments reads; runs, and answers in a line.
CHILD_PROGRAM(exchanges_as_rank) {
  const RankArguments arguments;
  const std::string problem =
      run_rank(arguments.info, arguments.rank, arguments.ranks, arguments.seed);
  std::cout << (problem.empty() ? "right" : problem) << std::endl;
  return problem.empty() ? 0 : 1;
}

void check_processes(std::uint32_t ranks) {
  const std::uint64_t seed = support::first_seed() + 100 + ranks;
  CAPTURE(seed);
  const HcclRootInfo info = root_info();
  std::vector<std::unique_ptr<RunningChild>> children;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    children.push_back(std::make_unique<RunningChild>("exchanges_as_rank", share_of_run()));
    children.back()->say(fmt::format("{} {} {} {}", rank, ranks, seed, hex_of(info)));
  }
  for (const auto& child : children) CHECK(child->hear() == "right");
}

}  // namespace

TEST_CASE("two ranks as threads get what a plain reference gets", "[hccl][exchange]") {
  check_threads(2);
}
TEST_CASE("three ranks as threads get what a plain reference gets", "[hccl][exchange]") {
  check_threads(3);
}
TEST_CASE("eight ranks as threads get what a plain reference gets", "[hccl][exchange]") {
  check_threads(8);
}
TEST_CASE("two ranks as processes get what a plain reference gets", "[hccl][exchange]") {
  check_processes(2);
}
TEST_CASE("three ranks as processes get what a plain reference gets", "[hccl][exchange]") {
  check_processes(3);
}
TEST_CASE("eight ranks as processes get what a plain reference gets", "[hccl][exchange]") {
  check_processes(8);
}
