// SPDX-License-Identifier: Apache-2.0
// All exported functions that are not emulated use this file.
#pragma once

#include <initializer_list>

#include "runtime/hccl/base/guard.h"

namespace hccl {

/// Stores "<function> is not emulated: <feature>" as the recent error message and returns
/// HCCL_E_NOT_SUPPORT.
HcclResult refuse_unsupported(const char* function, const char* feature) noexcept;

/// Returns HCCL_E_PTR for the first of `names` ("a, b") that is null or 0, otherwise as above.
HcclResult refuse_unsupported(const char* function, const char* feature, const char* names,
                              std::initializer_list<bool> given) noexcept;

template <class... Arguments>
HcclResult refuse_with(const char* function, const char* feature, const char* names,
                       Arguments... arguments) noexcept {
  return refuse_unsupported(function, feature, names, {static_cast<bool>(arguments)...});
}

/// For functions whose other arguments are checked first. `check` raises an error for a wrong
/// argument.
template <class Check>
HcclResult refuse_after(const char* function, const char* feature, Check&& check) {
  const HcclResult code = guarded(function, check);
  return code == HCCL_SUCCESS ? refuse_unsupported(function, feature) : code;
}

}  // namespace hccl

// One row for each function: return type (HcclResult or an integer type with the same values),
// name, parameters, the missing feature, and the parameters that may not be null or 0. As in the
// real library, a null parameter is reported before the missing feature. The header that declares
// the function must be included first, so that a wrong row does not compile.
#define HCCL_UNSUPPORTED(R, name, params, feature, ...)                                \
  extern "C" R name params {                                                           \
    return static_cast<R>(                                                             \
        ::hccl::refuse_with(#name, feature, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)); \
  }                                                                                    \
  static_assert(true, "a row ends with a semicolon")

// A row whose arguments are checked by the statements after the feature.
#define HCCL_UNSUPPORTED_AFTER(R, name, params, feature, ...)                 \
  extern "C" R name params {                                                  \
    using namespace hccl;                                                     \
    return static_cast<R>(refuse_after(#name, feature, [&] { __VA_ARGS__ })); \
  }                                                                           \
  static_assert(true, "a row ends with a semicolon")

// A row for a function that no published header declares. Its arguments are ignored.
#define HCCL_UNDECLARED(name) HCCL_UNDECLARED_AS(HcclResult, name, HCCL_E_NOT_SUPPORT)

// The same for a function that does not return a code; it returns `answer`.
#define HCCL_UNDECLARED_AS(R, name, answer)                                                 \
  extern "C" ACL_FUNC_VISIBILITY R name() {                                                 \
    ::hccl::refuse_unsupported(#name, "interfaces between parts of the vendor's software"); \
    return answer;                                                                          \
  }                                                                                         \
  static_assert(true, "a row ends with a semicolon")
