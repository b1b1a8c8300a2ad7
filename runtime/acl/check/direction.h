// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "acl/acl_rt.h"

namespace acl {

class Runtime;
struct Place;

/// Tells of a copy whose kind is not what its addresses are. Only while the checker is on.
void tell_of_direction(Runtime& runtime, aclrtMemcpyKind kind, const Place& to, const Place& from);

}  // namespace acl
