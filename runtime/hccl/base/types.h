// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "hccl/hccl_types.h"

namespace hccl {

/// Its elements may be reduced in any order: the result is the same.
bool is_integer(HcclDataType type) noexcept;

/// Bytes of one element; 0: no data type, or one of no known size.
std::size_t size_of(HcclDataType type) noexcept;
/// "fp32", "sum"; of what is none: "?".
const char* name_of(HcclDataType type) noexcept;
const char* name_of(HcclReduceOp op) noexcept;
/// Whether elements of the type can be reduced by the operation.
bool reducible(HcclDataType type, HcclReduceOp op) noexcept;

}  // namespace hccl
