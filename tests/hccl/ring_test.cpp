// SPDX-License-Identifier: Apache-2.0
// Ranks on three or more hosts by the rank table. Ranks of different hosts reach each other only
// over the network, and operations follow schedules.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <iterator>
#include <memory>
#include <numeric>

#include "tests/hccl/process_rank.h"
#include "tests/hccl/world.h"
#include "tests/support/child.h"
#include "tests/support/share.h"
#include "tests/support/temp_dir.h"

using namespace hccltest;
using catch_compat::ContainsSubstring;
using support::RunningChild;

namespace {

/// How many ranks each server has.
using PerServer = std::vector<std::uint32_t>;
const PerServer kFourOfOne = {1, 1, 1, 1};

std::uint32_t ranks_of(const PerServer& layout) {
  return std::accumulate(layout.begin(), layout.end(), 0u);
}

struct Servers {
  explicit Servers(const PerServer& layout) {
    std::vector<std::string> servers;
    std::uint32_t rank = 0;
    for (const std::uint32_t count : layout) {
      std::vector<std::string> devices;
      for (std::uint32_t i = 0; i < count; ++i, ++rank) {
        devices.push_back(fmt::format(R"({{"device_id": "{0}", "rank_id": "{0}"}})", rank));
      }
      servers.push_back(fmt::format(R"({{"server_id": "127.0.0.{}", "device": [{}]}})",
                                    servers.size() + 1, fmt::join(devices, ", ")));
    }
    path = folder.write(
        "ranks.json",
        fmt::format(
            R"({{"status": "completed", "version": "1.0", "server_count": "{}", "server_list": [{}]}})",
            layout.size(), fmt::join(servers, ", ")));
  }
  support::TempDir folder;
  std::string path;
};

/// Reads where the rank table is, and who it is.
struct ByTable {
  ByTable() {
    std::string path;
    std::cin >> path >> rank >> ranks >> seed;
    must(aclrtSetDevice(static_cast<int>(rank)) == ACL_SUCCESS);
    must(HcclCommInitClusterInfo(path.c_str(), rank, &comm) == HCCL_SUCCESS);
  }
  ~ByTable() {
    HcclCommDestroy(comm);
    aclrtResetDevice(static_cast<int>(rank));
  }
  HcclComm comm = nullptr;
  std::uint32_t rank = 0;
  std::uint32_t ranks = 0;
  std::uint64_t seed = 0;
};

struct Children {
  /// Each writes its timeline into the folder, if there is one.
  Children(const PerServer& layout, const char* program, std::uint64_t seed = 0,
           const std::string& timelines = {})
      : table(layout) {
    const std::uint32_t ranks = ranks_of(layout);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      support::Environment environment;
      if (!timelines.empty()) {
        environment.emplace_back("ACLSIM_TIMELINE", fmt::format("{}/{}.json", timelines, rank));
      }
      all.push_back(std::make_unique<RunningChild>(program, environment));
      all.back()->say(fmt::format("{} {} {} {}", table.path, rank, ranks, seed));
    }
  }
  Servers table;
  std::vector<std::unique_ptr<RunningChild>> all;
};

CHILD_PROGRAM(exchanges_between_servers) {
  const ByTable own;
  std::vector<Exchange> all = long_exchanges(own.ranks, own.seed);
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  all = {all[1]};  // the one with the fewest elements: the reference takes seconds for each
#else
  const auto more = large_exchanges(own.ranks, own.seed);
  all.insert(all.end(), more.begin(), more.end());
#endif
  const std::string problem = exchange_all(own.comm, own.rank, own.ranks, all, own.seed);
  std::cout << (problem.empty() ? "right" : problem) << std::endl;
  return 0;
}

/// All-reduces of 64 KiB and 16 MiB, and one more large one for each line that it reads.
CHILD_PROGRAM(reduces_between_servers) {
  const ByTable own;
  aclrtStream stream = nullptr;
  must(aclrtCreateStream(&stream) == ACL_SUCCESS);
  constexpr std::size_t kElements = 1 << 22;
  void* memory = nullptr;
  must(aclrtMalloc(&memory, kElements * 4, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  must(aclrtMemset(memory, kElements * 4, 0, kElements * 4) == ACL_SUCCESS);
  must(HcclAllReduce(memory, memory, 1 << 14, kInt, kSum, own.comm, stream) == HCCL_SUCCESS);
  std::string word;
  do {
    must(HcclAllReduce(memory, memory, kElements, kInt, kSum, own.comm, stream) == HCCL_SUCCESS);
    const aclError code = aclrtSynchronizeStreamWithTimeout(stream, 60000);
    std::cout << (code == ACL_SUCCESS ? "done" : fmt::format("{} {}", code, message()))
              << std::endl;
  } while (std::cin >> word && word != "end");
  aclrtDestroyStreamForce(stream);
  aclrtFree(memory);
  return 0;
}

}  // namespace

TEST_CASE("ranks of three and four hosts get what a plain reference gets, bit by bit",
          "[hccl][exchange][ring]") {
  const PerServer layouts[] = {{1, 1, 1}, kFourOfOne, {2, 1, 2}, {2, 2, 1, 1}};
  for (std::size_t i = 0; i < std::size(layouts); ++i) {
    if (!support::in_share(i)) continue;
    const std::uint64_t seed = support::first_seed() + ranks_of(layouts[i]);
    CAPTURE(i, seed);
    const Children children(layouts[i], "exchanges_between_servers", seed);
    for (const auto& child : children.all) CHECK(child->hear() == "right");
  }
}

TEST_CASE("timelines say that an operation went around, or by halving and doubling",
          "[hccl][ring]") {
  const bool layered = GENERATE(false, true);
  const PerServer layout = layered ? PerServer{2, 1, 1, 1} : kFourOfOne;
  const std::string prefix = layered ? "HCCL_HIERARCHICAL_" : "HCCL_";
  const support::TempDir folder;
  const Children children(layout, "reduces_between_servers", 0, folder.path().string());
  for (const auto& child : children.all) {
    CHECK(child->hear() == "done");
    child->say("end");
  }
  for (const auto& child : children.all) CHECK(child->hear() == "(nothing)");  // it has ended
  for (std::uint32_t rank = 0; rank < ranks_of(layout); ++rank) {
    CHECK_THAT(folder.read(fmt::format("{}.json", rank)),
               ContainsSubstring(prefix + "RING") &&
                   ContainsSubstring(prefix + "HALVING_DOUBLING") &&
                   ContainsSubstring(R"("cat":"step","name":"Notify_Wait")"));
  }
  CHECK_THAT(folder.read("0.json"), ContainsSubstring(R"("cat":"step","name":"RDMASend")"));
}

TEST_CASE("the others fail when a rank of a ring dies", "[hccl][fail][ring]") {
  const bool layered = GENERATE(false, true);
  const PerServer layout = layered ? PerServer{1, 1, 2} : kFourOfOne;
  const Children children(layout, "reduces_between_servers");
  for (const auto& child : children.all) CHECK(child->hear() == "done");
  for (const std::size_t rank : {0u, 1u, 3u}) children.all[rank]->say("more");
  children.all[2]->kill();
  for (const std::size_t rank : {0u, 1u, 3u}) {
    CHECK_THAT(children.all[rank]->hear(), ContainsSubstring("rank 2 "));
  }
  for (const std::size_t rank : {0u, 1u, 3u}) children.all[rank]->say("end");
}
