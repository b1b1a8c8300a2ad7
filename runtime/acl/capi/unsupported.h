// SPDX-License-Identifier: Apache-2.0
// The one road of functions that are declared and linked but not emulated.
#pragma once

#include <type_traits>

#include "acl/acl_base.h"

namespace acl {

// Leaves "function: feature is not emulated" as the recent error and returns
// ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
aclError refuse_unsupported(const char* function, const char* feature) noexcept;

// The result of a function that returns an enumeration and has no answer.
template <class Enum>
constexpr Enum undefined_value = static_cast<Enum>(-1);

// Refuses, in the return type of the function: the code where it returns codes, null for pointers,
// "undefined" for enumerations, -1 for other signed numbers, 0 for unsigned and floating ones.
template <class R>
R unsupported(const char* function, const char* feature) noexcept {
  [[maybe_unused]] const aclError code = refuse_unsupported(function, feature);
  if constexpr (std::is_same_v<R, aclError>) {
    return code;
  } else if constexpr (std::is_pointer_v<R>) {
    return nullptr;
  } else if constexpr (std::is_enum_v<R>) {
    return undefined_value<R>;
  } else if constexpr (std::is_integral_v<R> && std::is_signed_v<R>) {
    return static_cast<R>(-1);
  } else if constexpr (!std::is_void_v<R>) {
    return R{};
  }
}

}  // namespace acl

// One row for each function: return type, name, parameter types, and the feature it would need.
// The header that declares it must be included first, so that a wrong row does not compile.
// The rows are also data: cmake/ApiTable.cmake reads them, hence no other quotes inside a row.
#define ACL_UNSUPPORTED(R, name, params, feature)                            \
  extern "C" R name params { return ::acl::unsupported<R>(#name, feature); } \
  static_assert(true, "a row ends with a semicolon")
