// SPDX-License-Identifier: Apache-2.0
// Operations between ranks, and their results by a plain reference. Ranks derive everything from a
// seed, so they need not exchange data for the test.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hccl/hccl.h"

namespace hccltest {

enum class What {
  all_reduce,
  reduce,
  reduce_scatter,
  reduce_scatter_v,
  broadcast,
  scatter,
  all_gather,
  all_gather_v,
  all_to_all,
  all_to_all_v,
  all_to_all_vc,
  send_receive,
  ring,
  barrier,
};
constexpr int kWhats = static_cast<int>(What::barrier) + 1;

struct Exchange {
  What what = What::barrier;
  HcclDataType type = HCCL_DATA_TYPE_INT32;
  HcclReduceOp op = HCCL_REDUCE_SUM;
  std::uint64_t count = 0;
  std::uint32_t root = 0;
  bool in_place = false;
  std::uint32_t shift = 0;  // of the buffers, in elements
  std::uint64_t salt = 0;

  std::string text() const;
};

std::size_t size_of(HcclDataType type);
bool reduces(What what);
/// Every operation with every type, and with every reduction that HCCL has for it; of each a small
/// and a larger one. The exchanges of this run's share.
std::vector<Exchange> all_exchanges(std::uint32_t ranks, std::uint64_t seed);

/// Every operation once, with buffers that are large enough for the algorithms of large messages
/// between hosts.
std::vector<Exchange> large_exchanges(std::uint32_t ranks, std::uint64_t seed);

/// Buffers of 16 MiB and more, for the ring algorithms that are used if each rank has a host of its
/// own.
std::vector<Exchange> long_exchanges(std::uint32_t ranks, std::uint64_t seed);

/// Enqueues all of them on streams of the calling thread's device, waits, and compares. Empty: all
/// is as it must be.
std::string exchange_all(HcclComm comm, std::uint32_t me, std::uint32_t ranks,
                         const std::vector<Exchange>& all, std::uint64_t seed);

}  // namespace hccltest
