// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "aclnn/aclnn_base.h"

namespace aclnn {

class Planner;
struct Plan;

/// The first phase of an operator: checks the two places of the result, has `make` plan the work,
/// and hands out an executor. `function` is the operator's name, a literal; the executor is set on
/// success only.
aclnnStatus first_phase(const char* function, std::uint64_t* workspace_size,
                        aclOpExecutor** executor,
                        const std::function<void(Planner&)>& make) noexcept;

/// The second phase: enqueues the executor's work on the stream, and takes the executor over.
aclnnStatus second_phase(const char* function, void* workspace, std::uint64_t workspace_size,
                         aclOpExecutor* executor, aclrtStream stream, const void* site) noexcept;

/// Tensors of the program, inputs before outputs.
struct DumpedTensors {
  aclTensor* const* tensors;
  std::size_t inputs, outputs;
};
/// While data is dumped, enqueues what writes them under the name; else does nothing.
aclnnStatus dump_tensors(const char* name, const DumpedTensors& given, aclrtStream stream,
                         const void* site) noexcept;

/// Wraps functions without two phases: reports the errors that they raise.
aclnnStatus guarded(const char* function, const std::function<void()>& body) noexcept;

}  // namespace aclnn

/// The second phase of every operator.
#define ACLNN_SECOND_PHASE(Name)                                                     \
  aclnnStatus Name(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, \
                   aclrtStream stream) {                                             \
    return ::aclnn::second_phase(#Name, workspace, workspaceSize, executor, stream,  \
                                 __builtin_return_address(0));                       \
  }
