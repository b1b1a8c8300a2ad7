// SPDX-License-Identifier: Apache-2.0
// Operands as arrays of a dump.
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/acl/embedding/embedding.h"
#include "runtime/aclnn/plan/plan.h"

namespace aclnn {

/// Its type and shape. Types that numpy lacks are written as a larger type: bf16 as f32, numbers of
/// four bits as bytes.
acl::embedding::Kernel::Array array_of(const Operand& operand);
/// Its elements in order.
std::vector<std::byte> elements_of(const Operand& operand, const std::byte* base);

}  // namespace aclnn
