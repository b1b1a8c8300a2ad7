// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "acl/acl_rt.h"

namespace acl {

/// dst[i] = dst[i] op src[i]. Sums of integers wrap around; sums of floating-point numbers round to
/// nearest, ties to even, and overflow to infinity; NaN wins every comparison. Reductions onto the
/// same memory that run at the same time all count.
using ReduceFunction = void (*)(void* dst, const void* src, std::size_t bytes);

struct Reduction {
  ReduceFunction run;
  std::size_t element_size;  // bytes
  std::uint16_t number;      // of the kind and the type, from 1
};

/// Raises ACL_ERROR_INVALID_PARAM for a kind or type that the copy engine does not reduce.
Reduction find_reduction(aclrtReduceKind kind, aclDataType type);
/// "sum:int32", of a Reduction's number.
std::string reduction_name(std::uint16_t number);

}  // namespace acl
