// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/hccl/base/error.h"

namespace hccl {

/// Translates the exception that is being handled into a code, and leaves its text with ACL. Never
/// called for a thread's cancellation.
HcclResult report_current_exception(const char* function) noexcept;

/// What stands around every C entry, once.
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

/// The calling thread's device. Raises HCCL_E_RUNTIME when it has none.
int require_device();

}  // namespace hccl
