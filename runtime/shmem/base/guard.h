// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/shmem/base/error.h"

namespace shmem {

/// Returns the code for the exception that is being handled, logs its text, and stores it as ACL's
/// recent error message. May not be called for the cancellation of a thread.
int report_current_exception(const char* function) noexcept;

/// Runs the body of a C entry. Returns its result, or `otherwise` if it throws. Every entry uses
/// it.
template <class Result, class Body>
Result guarded_value(const char* function, Result otherwise, Body&& body) {
  return fabric::guarded([&]() -> Result { return body(); },
                         [&] {
                           report_current_exception(function);
                           return otherwise;
                         });
}

/// Returns 0, or the code of the exception that `body` throws.
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

/// All exported functions that are not emulated call this. Returns ACLSHMEM_NOT_SUPPORTED.
int refuse_unsupported(const char* function, const char* feature) noexcept;

}  // namespace shmem
