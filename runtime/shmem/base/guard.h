// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/shmem/base/error.h"

namespace shmem {

/// Translates the exception that is being handled into a code, logs it and leaves its text with
/// ACL. Never called for a thread's cancellation.
int report_current_exception(const char* function) noexcept;

/// What stands around every C entry, once: the result of `body`, or `otherwise` where it throws.
template <class Result, class Body>
Result guarded_value(const char* function, Result otherwise, Body&& body) {
  return fabric::guarded([&]() -> Result { return body(); },
                         [&] {
                           report_current_exception(function);
                           return otherwise;
                         });
}

/// 0, or the code of what `body` throws.
template <class Body>
int guarded(const char* function, Body&& body) {
  return fabric::guarded(
      [&]() -> int {
        body();
        return ACLSHMEM_SUCCESS;
      },
      [&] { return report_current_exception(function); });
}

template <class T>
T& require_out(T* out, const char* argument) {
  if (!out) {
    fail(ACLSHMEM_INVALID_PARAM, "{} is NULL; expected a place for the result", argument);
  }
  return *out;
}

/// The one road of functions that are exported but not emulated: ACLSHMEM_NOT_SUPPORTED.
int refuse_unsupported(const char* function, const char* feature) noexcept;

}  // namespace shmem
