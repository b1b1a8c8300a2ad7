// SPDX-License-Identifier: Apache-2.0
// Schedules between hosts with several ranks each. Rail k consists of rank k of each host and
// transfers the k-th share of the bytes. There are as many rails as the smallest host has ranks.
// Ranks beyond these have no steps.
#pragma once

#include <cstdint>

#include "runtime/hccl/board/hosts.h"
#include "runtime/hccl/board/schedule.h"

namespace hccl {

/// Each rail transfers a share of the buffer. The operand of a host is the sum of the operands of
/// its ranks.
Schedule ring_all_reduce(const Hosts& hosts, int me, std::uint64_t bytes);
Schedule halving_doubling_all_reduce(const Hosts& hosts, int me, std::uint64_t bytes);

/// `bytes`: the contribution of each rank. The contributions of a host's ranks are divided among
/// the rails, and are already in the receive buffers of all ranks of that host.
Schedule ring_all_gather(const Hosts& hosts, int me, std::uint64_t bytes);

}  // namespace hccl
