// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "aclnn/aclnn_base.h"

namespace aclnn {

class Planner;
struct Plan;

/// A function of the caller, for the duration of a call. Unlike std::function it needs no memory,
/// so entries can pass their bodies to a frame that reports a lack of it.
template <class... Args>
class Body {
 public:
  template <class F>
  Body(F&& function) noexcept  // from any function
      : function_(const_cast<void*>(static_cast<const void*>(&function))),
        call_([](void* called, Args... args) {
          (*static_cast<std::remove_reference_t<F>*>(called))(args...);
        }) {}
  void operator()(Args... args) const { call_(function_, args...); }

 private:
  void* function_;
  void (*call_)(void* function, Args... args);
};

/// The first phase of an operator: checks the two places of the result, has `make` plan the work,
/// and hands out an executor. `function` is the operator's name, a literal; the executor is set on
/// success only.
aclnnStatus first_phase(const char* function, std::uint64_t* workspace_size,
                        aclOpExecutor** executor, const Body<Planner&>& make) noexcept;

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
aclnnStatus guarded(const char* function, const Body<>& body) noexcept;

}  // namespace aclnn

/// The second phase of every operator.
#define ACLNN_SECOND_PHASE(Name)                                                     \
  aclnnStatus Name(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, \
                   aclrtStream stream) {                                             \
    return ::aclnn::second_phase(#Name, workspace, workspaceSize, executor, stream,  \
                                 __builtin_return_address(0));                       \
  }
