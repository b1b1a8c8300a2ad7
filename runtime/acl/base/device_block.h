// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "acl/acl_base.h"

namespace acl {

/// The reason why a device currently refuses calls that enqueue or wait. Each reason is one
/// constant, and its address identifies it.
struct DeviceBlock {
  aclError code;
  const char* text;
};

}  // namespace acl
