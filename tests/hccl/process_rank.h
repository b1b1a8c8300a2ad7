// SPDX-License-Identifier: Apache-2.0
// Ranks that are processes: how they are told where they meet, and a whole run of one.
#pragma once

#include <fmt/format.h>

#include <string>

#include "tests/hccl/exchange.h"
#include "tests/hccl/world.h"

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
                            std::uint64_t seed) {
  HcclComm comm = nullptr;
  if (HcclCommInitRootInfo(ranks, &info, rank, &comm) != HCCL_SUCCESS) return message();
  const std::string problem = exchange_all(comm, rank, ranks, all_exchanges(ranks, seed), seed);
  HcclCommDestroy(comm);
  return problem;
}

}  // namespace hccltest
