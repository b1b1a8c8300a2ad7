// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "acl/acl_rt.h"
#include "runtime/acl/memory/transfer.h"

namespace acl {

class Runtime;

constexpr bool goes_to_device(aclrtMemcpyKind kind) {
  return kind != ACL_MEMCPY_HOST_TO_HOST && kind != ACL_MEMCPY_DEVICE_TO_HOST;
}
constexpr bool comes_from_device(aclrtMemcpyKind kind) {
  return kind == ACL_MEMCPY_DEVICE_TO_HOST || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
}

/// The copy's kind is not what its addresses are.
void tell_of_wrong_direction(Runtime& runtime, aclrtMemcpyKind kind, const Place& to,
                             const Place& from);
/// Tells of that, if it is so. Only while the checker is on.
inline void tell_of_direction(Runtime& runtime, aclrtMemcpyKind kind, const Place& to,
                              const Place& from) {
  const bool as_told =
      goes_to_device(kind) == to.on_device() && comes_from_device(kind) == from.on_device();
  if (!as_told && kind != ACL_MEMCPY_DEFAULT) tell_of_wrong_direction(runtime, kind, to, from);
}

}  // namespace acl
