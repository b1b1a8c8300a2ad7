// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/hccl/base/error.h"

namespace hccl {

/// Returns the code for the exception that is being handled, and stores its text as ACL's recent
/// error message. May not be called for the cancellation of a thread.
HcclResult report_current_exception(const char* function) noexcept;

/// Runs the body of a C entry and turns exceptions into codes. Every entry uses it.
template <class Body>
HcclResult guarded(const char* function, Body&& body) {
  return fabric::guarded(
      [&] {
        body();
        return HCCL_SUCCESS;
      },
      [&] { return report_current_exception(function); });
}

template <class T>
T& require_out(T* out, const char* argument) {
  if (!out) fail(HCCL_E_PTR, "{} is null; expected a place for the result", argument);
  return *out;
}

template <class T>
T require_input(T pointer, const char* argument) {
  if (!pointer) fail(HCCL_E_PTR, "{} is null", argument);
  return pointer;
}

/// Returns the calling thread's device. Raises HCCL_E_RUNTIME if it has none.
int require_device();

}  // namespace hccl
