// SPDX-License-Identifier: Apache-2.0
// Ranks that are processes: how they receive their root info, and a complete run of one.
#pragma once

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "tests/hccl/exchange.h"
#include "tests/hccl/world.h"
#include "tests/support/child.h"
#include "tests/support/share.h"
#include "tests/support/two_hosts.h"

namespace hccltest {

inline std::string hex_of(const HcclRootInfo& info) {
  std::string text;
  for (int i = 0; i < 256; ++i) text += fmt::format("{:02x}", info.internal[i] & 0xff);
  return text;
}

inline HcclRootInfo root_info_of(const std::string& hex) {
  HcclRootInfo info{};
  for (std::size_t i = 0; i < 256; ++i) {
    info.internal[i] = static_cast<char>(std::stoi(hex.substr(2 * i, 2), nullptr, 16));
  }
  return info;
}

/// One rank from its beginning to its end; empty: all was right.
inline std::string run_rank(const HcclRootInfo& info, std::uint32_t rank, std::uint32_t ranks,
                            std::uint64_t seed, bool large = false) {
  HcclComm comm = nullptr;
  if (HcclCommInitRootInfo(ranks, &info, rank, &comm) != HCCL_SUCCESS) return message();
  std::vector<Exchange> all = all_exchanges(ranks, seed);
  if (large) {
    const auto more = large_exchanges(ranks, seed);
    all.insert(all.end(), more.begin(), more.end());
  }
  const std::string problem = exchange_all(comm, rank, ranks, all, seed);
  HcclCommDestroy(comm);
  return problem;
}

/// The share of this run, for ranks that use it: child processes do not inherit it otherwise.
inline support::Environment share_of_run() {
  const support::Share& mine = support::share();
  if (!kThreadSanitizer) {
    return {{"ACLSIM_TEST_SHARE", fmt::format("{}/{}", mine.number, mine.of)}};
  }
  // A quarter of the share. The seed of the run decides which quarter.
  const unsigned quarter = support::first_seed() % 4;
  return {
      {"ACLSIM_TEST_SHARE", fmt::format("{}/{}", mine.number + quarter * mine.of, mine.of * 4)}};
}

/// Starts one process for each rank with `start(rank)`. Each reads "rank ranks seed root-info". The
/// first one makes the root info and prints it.
template <class Start>
std::vector<std::unique_ptr<support::RunningChild>> start_ranks(std::size_t ranks,
                                                                std::uint64_t seed, Start&& start) {
  std::vector<std::unique_ptr<support::RunningChild>> children;
  std::string info = "-";
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    children.push_back(start(rank));
    children.back()->say(fmt::format("{} {} {} {}", rank, ranks, seed, info));
    if (rank == 0) info = children.back()->hear();
  }
  return children;
}

/// The same with all ranks on this host.
inline auto start_ranks_here(std::size_t ranks, const std::string& program,
                             const support::Environment& environment = {}) {
  return start_ranks(ranks, 0, [&](std::size_t) {
    return std::make_unique<support::RunningChild>(program, environment);
  });
}

/// And on the hosts that `layout` says.
class RanksOfHosts {
 public:
  RanksOfHosts(const support::TwoHosts& hosts, const std::vector<int>& layout,
               const std::string& program, std::uint64_t seed,
               const support::Environment& environment = {})
      : children(start_ranks(layout.size(), seed, [&](std::size_t rank) {
          return hosts.start(layout[rank], program, environment);
        })) {}
  std::vector<std::unique_ptr<support::RunningChild>> children;
};

/// The line that a rank reads first.
struct RankArguments {
  RankArguments() {
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
  ~RankArguments() { aclrtResetDevice(static_cast<int>(rank)); }
  std::uint32_t rank = 0;
  std::uint32_t ranks = 0;
  std::uint64_t seed = 0;
  HcclRootInfo info{};
};

/// A rank as `aclsim run` starts it: all that it needs is in its environment.
struct Launched {
  Launched() {
    must(aclrtSetDevice(device) == ACL_SUCCESS);
    must(HcclCommInitClusterInfo(support::environment_variable("RANK_TABLE_FILE").c_str(), rank,
                                 &comm) == HCCL_SUCCESS);
  }
  ~Launched() {
    HcclCommDestroy(comm);
    aclrtResetDevice(device);
  }
  static std::uint32_t number(const char* name) {
    return static_cast<std::uint32_t>(std::stoul(support::environment_variable(name)));
  }
  const std::uint32_t rank = number("RANK_ID");
  const std::int32_t device = static_cast<std::int32_t>(number("DEVICE_ID"));
  HcclComm comm = nullptr;
};

/// A stream of the calling thread's device, and memory that is zero.
struct StreamWithMemory {
  StreamWithMemory() {
    must(aclrtCreateStream(&stream) == ACL_SUCCESS);
    must(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
    must(aclrtMemset(memory, kBytes, 0, kBytes) == ACL_SUCCESS);
  }
  ~StreamWithMemory() {
    aclrtDestroyStreamForce(stream);
    aclrtFree(memory);
  }
  StreamWithMemory(const StreamWithMemory&) = delete;
  StreamWithMemory& operator=(const StreamWithMemory&) = delete;
  void add_up(std::uint64_t count, HcclComm comm) {
    must(HcclAllReduce(memory, memory, count, kInt, kSum, comm, stream) == HCCL_SUCCESS);
  }
  /// "CODE TEXT".
  std::string synchronize() {
    const aclError code = aclrtSynchronizeStreamWithTimeout(stream, 60000);
    return fmt::format("{} {}", code, code == ACL_SUCCESS ? "" : message());
  }
  static constexpr std::size_t kBytes = 1 << 20;
  aclrtStream stream = nullptr;
  void* memory = nullptr;
};

/// A rank that has read its line and joined its communicator.
struct Joined : RankArguments {
  Joined() { must(HcclCommInitRootInfo(ranks, &info, rank, &comm) == HCCL_SUCCESS); }
  ~Joined() { HcclCommDestroy(comm); }
  HcclComm comm = nullptr;
};

}  // namespace hccltest
