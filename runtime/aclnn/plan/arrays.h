// SPDX-License-Identifier: Apache-2.0
// Operands as arrays of a dump.
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/acl/embedding/embedding.h"
#include "runtime/aclnn/plan/plan.h"

namespace aclnn {

/// Its type and shape. What arrays of numpy do not have is shown as what holds it: bf16 as f32,
/// numbers of four bits as bytes.
acl::embedding::Kernel::Array array_of(const Operand& operand);
/// Its elements in order.
std::vector<std::byte> elements_of(const Operand& operand, const std::byte* base);

}  // namespace aclnn
