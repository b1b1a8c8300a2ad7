// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "hccl/hccl_types.h"

namespace hccl {

/// Integers: the result of a reduction does not depend on the order of the operands.
bool is_integer(HcclDataType type) noexcept;

/// Returns the bytes of one element, or 0 for an unknown type or a type of unknown size.
std::size_t size_of(HcclDataType type) noexcept;
/// "fp32" or "sum"; "?" for an unknown value.
const char* name_of(HcclDataType type) noexcept;
const char* name_of(HcclReduceOp op) noexcept;
/// Whether the operation supports elements of this type.
bool reducible(HcclDataType type, HcclReduceOp op) noexcept;

}  // namespace hccl
