// SPDX-License-Identifier: Apache-2.0
// Schedules between hosts, each of which may have several ranks. Bytes go between hosts in lanes,
// of which there are as many as the smallest host has ranks: the first rank of each host deals with
// the first lane, the second with the second. Ranks beyond these have no steps.
#pragma once

#include <cstdint>

#include "runtime/hccl/board/hosts.h"
#include "runtime/hccl/board/schedule.h"

namespace hccl {

/// Each lane takes a part of the buffer. What a host brings is the sum of its ranks' bytes.
Schedule ring_all_reduce(const Hosts& hosts, int me, std::uint64_t bytes);
Schedule halving_doubling_all_reduce(const Hosts& hosts, int me, std::uint64_t bytes);

/// `bytes` of each rank. Those of the ranks of a host are dealt to the lanes, and are in the
/// receive buffers of all of its ranks.
Schedule ring_all_gather(const Hosts& hosts, int me, std::uint64_t bytes);

}  // namespace hccl
