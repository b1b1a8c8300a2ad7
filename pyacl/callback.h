// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pyacl/adapters.h"

namespace pyacl {

/// The exception info that the calling thread is being told of; null outside the callback.
const aclrtExceptionInfo* current_exception_info();

/// A getter that never follows a pointer which is not the current one.
template <std::uint32_t (*getter)(const aclrtExceptionInfo*)>
std::uint32_t exception_field(const aclrtExceptionInfo* info) {
  return getter(info == current_exception_info() ? info : nullptr);
}

}  // namespace pyacl
