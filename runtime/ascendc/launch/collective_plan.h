// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ascendc/impl/hccl_context.h"
#include "ascendc/impl/hccl_machine.h"
#include "runtime/ascendc/ranks/turn.h"

namespace ascendc {

class Block;

/// A task of a kernel: a collective that is carried out `repeat` times, with other addresses each
/// time.
struct CollectivePlan {
  ranks::Kind kind{};
  std::uint32_t type = 0;
  ranks::Reduction reduction{};
  std::uint64_t count = 0;   // elements of a block
  std::uint64_t stride = 0;  // elements from a block to the next
  std::uint32_t repeat = 1;
  std::uint32_t rank = 0;
  std::uint32_t ranks = 0;
  bool skip_own = false;
  std::uintptr_t send = 0;  // as the program addresses it
  std::uintptr_t receive = 0;
  std::string place{};
  // Blocks of different sizes, by rank:
  std::vector<std::uint64_t> send_counts{}, send_begins{}, receive_counts{}, receive_begins{};

  /// Its turn with this number; without addresses.
  ranks::Turn turn(std::uint32_t number) const;
  /// The distance in bytes from the buffers of the first turn to the buffers of this turn.
  std::uint64_t shift(std::uint32_t number) const;
};

/// Checks the request, and that the buffers are allocated; ends the kernel if something is wrong.
CollectivePlan plan_of(Block& block, const aclsimHccl& object, const aclsimHcclRequest& request,
                       const aclsimHcclContext& context, const void* site);

}  // namespace ascendc
