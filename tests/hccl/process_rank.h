// SPDX-License-Identifier: Apache-2.0
// Ranks that are processes: how they are told where they meet, and a whole run of one.
#pragma once

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "tests/hccl/exchange.h"
#include "tests/hccl/world.h"
#include "tests/support/child.h"
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

/// One process a rank, on the hosts that `layout` says. Each is told "rank ranks seed root-info"; the
/// first one makes the root info and answers with it.
class RanksOfHosts {
 public:
  RanksOfHosts(const support::TwoHosts& hosts, const std::vector<int>& layout, const std::string& program,
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

}  // namespace hccltest
