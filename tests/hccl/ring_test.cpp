// SPDX-License-Identifier: Apache-2.0
// Ranks of which each has a host of its own, as the rank table says: they reach each other over the
// network alone, and their operations go by schedules.
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "tests/hccl/process_rank.h"
#include "tests/hccl/world.h"
#include "tests/support/child.h"
#include "tests/support/share.h"
#include "tests/support/temp_dir.h"

using namespace hccltest;
using catch_compat::ContainsSubstring;
using support::RunningChild;

namespace {

struct ServersOfOne {
  explicit ServersOfOne(std::uint32_t ranks) {
    std::string servers;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      servers += fmt::format(
          R"({}{{"server_id": "127.0.0.{}", "device": [{{"device_id": "{}", "rank_id": "{}"}}]}})",
          rank == 0 ? "" : ", ", rank + 1, rank, rank);
    }
    path = folder.write("ranks.json", fmt::format(
        R"({{"status": "completed", "version": "1.0", "server_count": "{}", "server_list": [{}]}})",
        ranks, servers));
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
  Children(std::uint32_t ranks, const char* program, std::uint64_t seed = 0,
           const std::string& timelines = {})
      : table(ranks) {
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      support::Environment environment;
      if (!timelines.empty()) {
        environment.emplace_back("ACLSIM_TIMELINE", fmt::format("{}/{}.json", timelines, rank));
      }
      all.push_back(std::make_unique<RunningChild>(program, environment));
      all.back()->say(fmt::format("{} {} {} {}", table.path, rank, ranks, seed));
    }
  }
  ServersOfOne table;
  std::vector<std::unique_ptr<RunningChild>> all;
};

CHILD_PROGRAM(exchanges_between_servers) {
  const ByTable own;
  std::vector<Exchange> all = long_exchanges(own.ranks, own.seed);
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  all.resize(1);  // the plain reference takes minutes
#else
  const auto more = large_exchanges(own.ranks, own.seed);
  all.insert(all.end(), more.begin(), more.end());
#endif
  const std::string problem = exchange_all(own.comm, own.rank, own.ranks, all, own.seed);
  std::cout << (problem.empty() ? "right" : problem) << std::endl;
  return 0;
}

/// All-reduces of 64 KiB and 16 MiB, one more of the large ones each time it is told so.
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
    std::cout << (code == ACL_SUCCESS ? "done" : fmt::format("{} {}", code, message())) << std::endl;
  } while (std::cin >> word && word != "end");
  aclrtDestroyStreamForce(stream);
  aclrtFree(memory);
  return 0;
}

}  // namespace

TEST_CASE("three and four ranks of a host each get what a plain reference gets, bit by bit",
          "[hccl][exchange][ring]") {
  for (const std::uint32_t ranks : {3u, 4u}) {
    if (!support::in_share(ranks, 2)) continue;
    const std::uint64_t seed = support::first_seed() + ranks;
    CAPTURE(ranks, seed);
    const Children children(ranks, "exchanges_between_servers", seed);
    for (const auto& child : children.all) CHECK(child->hear() == "right");
  }
}

TEST_CASE("timelines say that an operation went around, or by halving and doubling",
          "[hccl][ring]") {
  const support::TempDir folder;
  const Children children(4, "reduces_between_servers", 0, folder.path().string());
  for (const auto& child : children.all) {
    CHECK(child->hear() == "done");
    child->say("end");
  }
  for (const auto& child : children.all) CHECK(child->hear() == "(nothing)");  // it has ended
  for (std::uint32_t rank = 0; rank < 4; ++rank) {
    CHECK_THAT(folder.read(fmt::format("{}.json", rank)),
               ContainsSubstring("HCCL_RING") && ContainsSubstring("HCCL_HALVING_DOUBLING"));
  }
}

TEST_CASE("the others fail when a rank of a ring dies", "[hccl][fail][ring]") {
  const Children children(4, "reduces_between_servers");
  for (const auto& child : children.all) CHECK(child->hear() == "done");
  for (const std::size_t rank : {0u, 1u, 3u}) children.all[rank]->say("more");
  children.all[2]->kill();
  for (const std::size_t rank : {0u, 1u, 3u}) {
    CHECK_THAT(children.all[rank]->hear(), ContainsSubstring("rank 2 "));
    children.all[rank]->say("end");
  }
}
