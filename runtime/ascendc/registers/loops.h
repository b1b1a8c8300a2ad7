// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ascendc/impl/instruction.h"
#include "runtime/ascendc/vector/loops.h"

namespace ascendc::vector {

/// The bytes of an element of a register.
constexpr unsigned bytes_of_element(std::uint8_t element) {
  switch (element) {
    case ACLSIM_INT16:
    case ACLSIM_UINT16:
    case ACLSIM_HALF:
    case ACLSIM_BFLOAT16:
      return 2;
    case ACLSIM_INT32:
    case ACLSIM_UINT32:
    case ACLSIM_FLOAT:
      return 4;
    case ACLSIM_INT64:
    case ACLSIM_UINT64:
    case ACLSIM_DOUBLE:
      return 8;
    default:
      return 1;
  }
}

namespace plain {
Loop find_register(std::uint16_t operation, std::uint8_t element);
}
namespace avx2 {
Loop find_register(std::uint16_t operation, std::uint8_t element);
}

}  // namespace ascendc::vector
