// SPDX-License-Identifier: Apache-2.0
// The one road of functions that are exported but not emulated.
#pragma once

#include <initializer_list>

#include "runtime/hccl/base/guard.h"

namespace hccl {

/// Leaves "<function> is not emulated: <feature>" with ACL; returns HCCL_E_NOT_SUPPORT.
HcclResult refuse_unsupported(const char* function, const char* feature) noexcept;

/// HCCL_E_PTR for the first of `names` ("a, b") that is not given; otherwise as above.
HcclResult refuse_unsupported(const char* function, const char* feature, const char* names,
                              std::initializer_list<bool> given) noexcept;

template <class... Arguments>
HcclResult refuse_with(const char* function, const char* feature, const char* names,
                       Arguments... arguments) noexcept {
  return refuse_unsupported(function, feature, names, {static_cast<bool>(arguments)...});
}

/// For functions whose other arguments are looked at first; `check` raises what is wrong with them.
template <class Check>
HcclResult refuse_after(const char* function, const char* feature, Check&& check) {
  const HcclResult code = guarded(function, check);
  return code == HCCL_SUCCESS ? refuse_unsupported(function, feature) : code;
}

}  // namespace hccl

// One row for each function: return type (HcclResult or an integer with its numbers), name,
// parameters, the feature it would need, and the parameters that may not be null or 0. Programs
// that probe for a function are told of these first, as by the real library. The header that
// declares it must be included first, so that a wrong row does not compile.
#define HCCL_UNSUPPORTED(R, name, params, feature, ...)                                \
  extern "C" R name params {                                                           \
    return static_cast<R>(                                                             \
        ::hccl::refuse_with(#name, feature, #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)); \
  }                                                                                    \
  static_assert(true, "a row ends with a semicolon")

// A row whose arguments are looked at in another way: by the statements behind the feature.
#define HCCL_UNSUPPORTED_AFTER(R, name, params, feature, ...)                 \
  extern "C" R name params {                                                  \
    using namespace hccl;                                                     \
    return static_cast<R>(refuse_after(#name, feature, [&] { __VA_ARGS__ })); \
  }                                                                           \
  static_assert(true, "a row ends with a semicolon")

// The same for functions of headers that are not published: whatever they are called with.
#define HCCL_UNDECLARED(name) HCCL_UNDECLARED_AS(HcclResult, name, HCCL_E_NOT_SUPPORT)

// And for those that return no code: what they answer.
#define HCCL_UNDECLARED_AS(R, name, answer)                                                 \
  extern "C" ACL_FUNC_VISIBILITY R name() {                                                 \
    ::hccl::refuse_unsupported(#name, "interfaces between parts of the vendor's software"); \
    return answer;                                                                          \
  }                                                                                         \
  static_assert(true, "a row ends with a semicolon")
