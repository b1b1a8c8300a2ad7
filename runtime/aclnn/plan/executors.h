// SPDX-License-Identifier: Apache-2.0
// Operations on executors other than running them.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "runtime/aclnn/plan/plan.h"

struct aclOpExecutor {
  std::shared_ptr<const aclnn::Plan> plan;
  std::vector<void*> addresses;  // of the operands
  bool repeatable = false;
  bool busy = false;
};

namespace aclnn {

/// The operands among which a call looks for a tensor.
enum class Among : std::uint8_t { all, inputs, outputs };

aclnnStatus set_repeatable(const char* function, aclOpExecutor* executor) noexcept;
aclnnStatus destroy_executor(const char* function, aclOpExecutor* executor) noexcept;
/// Sets another address for each operand that is this tensor, and in the tensor. Without an
/// executor it sets the address in the tensor only, and returns kInnerNullPointer.
aclnnStatus set_address(const char* function, aclOpExecutor* executor, Among among,
                        aclTensor* tensor, void* address) noexcept;

}  // namespace aclnn
