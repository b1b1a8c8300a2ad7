// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "hccl/hccl_types.h"

namespace hccl {

/// Reduces `count` elements of all sources into each target, source by source in their order. Sums
/// of integers wrap; 16-bit floats are reduced in fp32 and rounded once, to the nearest even. A
/// target may be a source; otherwise they do not overlap. Addresses need no alignment. The type and
/// operation must be `reducible`.
void reduce(HcclDataType type, HcclReduceOp op, std::span<const std::byte* const> sources,
            std::span<std::byte* const> targets, std::size_t count);

}  // namespace hccl
