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

/// Which tensor of an executor is meant.
struct TensorPlace {
  enum class Of : std::uint8_t { all, inputs, outputs };
  Of of = Of::all;
  std::size_t index = 0;  // of the plain tensors, or of the lists
  bool list = false;
  std::size_t member = 0;  // of the list

  bool counts(const Operand& operand) const noexcept {
    if ((operand.member >= 0) != list) return false;
    return of == Of::all ||
           (of == Of::outputs ? operand.role == Role::out : operand.role != Role::out);
  }
};

aclnnStatus set_repeatable(const char* function, aclOpExecutor* executor) noexcept;
aclnnStatus destroy_executor(const char* function, aclOpExecutor* executor) noexcept;
aclnnStatus set_address(const char* function, aclOpExecutor* executor, const TensorPlace& place,
                        aclTensor* tensor, void* address) noexcept;

}  // namespace aclnn
