// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/direction.h"

#include <fmt/format.h>

#include "runtime/acl/check/checker.h"
#include "runtime/acl/memory_label.h"
#include "runtime/acl/runtime.h"
#include "runtime/acl/transfer.h"

namespace acl {
namespace {

/// Memory of both sides.
bool managed(const Place& place) {
  return place.allocation && !place.on_device() &&
         MemoryLabel::of(*place.allocation).use == MemoryLabel::Use::managed;
}

const char* side(bool device) { return device ? "device" : "host"; }

}  // namespace

void tell_of_direction(Runtime& runtime, aclrtMemcpyKind kind, const void* dst, const void* src) {
  if (kind == ACL_MEMCPY_DEFAULT) return;
  const Place to = find_place(runtime, dst);
  const Place from = find_place(runtime, src);
  if (managed(to) || managed(from)) return;
  const bool to_device = kind != ACL_MEMCPY_HOST_TO_HOST && kind != ACL_MEMCPY_DEVICE_TO_HOST;
  const bool from_device = kind == ACL_MEMCPY_DEVICE_TO_HOST || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
  if (to_device == to.on_device() && from_device == from.on_device()) return;
  runtime.checker()->tell(
      order::Rule::wrong_direction,
      fmt::format("the kind says {} to {}, the addresses are {} to {}", side(from_device),
                  side(to_device), side(from.on_device()), side(to.on_device())));
}

}  // namespace acl
