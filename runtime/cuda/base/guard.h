// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cxxabi.h>

#include "device_sim/base/sanitizer.h"
#include "runtime/cuda/base/error.h"

namespace cuda {

/// Translates the exception that is being handled into a code, and leaves its text where
/// aclGetRecentErrMsg finds it. Never called for a thread's cancellation.
CUresult report_current_exception(const char* function) noexcept;

/// Raises the code of CUDA for a failed call of ACL; the text is ACL's. `what` names the call.
void require_acl(int error, const char* what);

/// The common part of every C entry.
template <class Body>
SIM_CATCHES_FORCED_UNWIND CUresult guarded(const char* function, Body&& body) {
  try {
    body();
    return CUDA_SUCCESS;
  } catch (abi::__forced_unwind&) {
    throw;  // the calling thread is being cancelled
  } catch (...) {
    return report_current_exception(function);
  }
}

template <class T>
T& require_out(T* out, const char* argument) {
  if (!out) refuse("{} is null; expected a place for the result", argument);
  return *out;
}

template <class T>
T require_input(T pointer, const char* argument) {
  if (!pointer) refuse("{} is null", argument);
  return pointer;
}

inline void require_zero(unsigned long long value, const char* argument) {
  if (value != 0) refuse("{} is {:#x}; it is reserved and must be 0", argument, value);
}

}  // namespace cuda
