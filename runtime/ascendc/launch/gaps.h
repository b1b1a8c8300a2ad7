// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "runtime/ascendc/core/host.h"
#include "runtime/ascendc/launch/global_writes.h"

namespace ascendc {

/// Bytes between what two blocks wrote that no block wrote.
struct Gap {
  std::uint64_t begin;
  std::uint64_t end;
  GlobalWrites::Cell before;  // the last writer before the gap
  GlobalWrites::Cell behind;
};

/// Gaps that are likely a mistake in how a tensor was cut into parts: each block wrote one piece of
/// the allocation, and the gap is smaller than the pieces on both sides. Parts that lie further
/// apart are meant so, like the slots of a workspace. `find`: the allocation at an address.
using FindAllocation = std::function<bool(std::uintptr_t address, GmRange& piece)>;
std::vector<Gap> gaps_of(const GlobalWrites& writes, const FindAllocation& find);

}  // namespace ascendc
