// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "runtime/order/engine/op_info.h"

namespace order {

/// An op of a graph with its accesses, prepared for many runs: a copy or a fill.
struct GraphOp {
  OpInfo op_info;  // each run sets `called`
  std::array<Access, 2> accesses;
  std::uint32_t count = 0;

  std::span<const Access> all_accesses() const noexcept { return {accesses.data(), count}; }
};

}  // namespace order
