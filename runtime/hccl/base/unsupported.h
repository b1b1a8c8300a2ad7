// SPDX-License-Identifier: Apache-2.0
// The one road of functions that are exported but not emulated.
#pragma once

#include "hccl/hccl_types.h"

namespace hccl {

/// Leaves "<function> is not emulated: <feature>" with ACL; returns HCCL_E_NOT_SUPPORT.
HcclResult refuse_unsupported(const char* function, const char* feature) noexcept;

}  // namespace hccl

// One row for each function: return type (HcclResult or an integer with its numbers), name,
// parameter types, and the feature it would need. The header that declares it must be included
// first, so that a wrong row does not compile.
#define HCCL_UNSUPPORTED(R, name, params, feature)                                                \
  extern "C" R name params { return static_cast<R>(::hccl::refuse_unsupported(#name, feature)); } \
  static_assert(true, "a row ends with a semicolon")

// The same for functions of headers that are not published: whatever they are called with.
#define HCCL_UNDECLARED(name)                                                                      \
  extern "C" ACL_FUNC_VISIBILITY HcclResult name() {                                               \
    return ::hccl::refuse_unsupported(#name, "interfaces between parts of the vendor's software"); \
  }                                                                                                \
  static_assert(true, "a row ends with a semicolon")
