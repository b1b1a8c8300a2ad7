// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/direction.h"

#include <fmt/format.h>

#include "runtime/acl/check/checker.h"
#include "runtime/acl/runtime.h"
#include "runtime/acl/transfer.h"

namespace acl {
namespace {

const char* side(bool device) { return device ? "device" : "host"; }

}  // namespace

void tell_of_direction(Runtime& runtime, aclrtMemcpyKind kind, const Place& to, const Place& from) {
  if (kind == ACL_MEMCPY_DEFAULT) return;
  const bool to_device = kind != ACL_MEMCPY_HOST_TO_HOST && kind != ACL_MEMCPY_DEVICE_TO_HOST;
  const bool from_device = kind == ACL_MEMCPY_DEVICE_TO_HOST || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
  if (to_device == to.on_device() && from_device == from.on_device()) return;
  if (to.gone || from.gone) return;             // the copy will fail, and not for its direction
  if (to.managed() || from.managed()) return;  // memory of both sides
  runtime.checker()->tell(
      order::Rule::wrong_direction,
      fmt::format("the kind says {} to {}, the addresses are {} to {}", side(from_device),
                  side(to_device), side(from.on_device()), side(to.on_device())));
}

}  // namespace acl
