// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/direction.h"

#include <fmt/format.h>

#include "runtime/acl/check/checker.h"
#include "runtime/acl/core/runtime.h"

namespace acl {
namespace {

const char* side(bool device) { return device ? "device" : "host"; }

}  // namespace

void tell_of_wrong_direction(Runtime& runtime, aclrtMemcpyKind kind, const Place& to,
                             const Place& from) {
  if (to.gone || from.gone) return;             // the copy will fail, and not for its direction
  if (to.managed() || from.managed()) return;  // memory of both sides
  runtime.checker()->tell(order::Rule::wrong_direction,
                          fmt::format("the kind says {} to {}, but the addresses are {} to {}",
                                      side(comes_from_device(kind)), side(goes_to_device(kind)),
                                      side(from.on_device()), side(to.on_device())));
}

}  // namespace acl
