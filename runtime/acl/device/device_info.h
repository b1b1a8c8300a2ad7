// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "acl/acl_rt.h"

namespace acl {

class Runtime;

/// The device's value of an attribute; raises ACL_ERROR_INVALID_PARAM for unknown attributes.
std::int64_t device_info(Runtime& runtime, int physical_device, aclrtDevAttr attribute);

}  // namespace acl
