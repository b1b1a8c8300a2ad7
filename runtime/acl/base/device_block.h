// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "acl/acl_base.h"

namespace acl {

/// Why a device takes no calls that enqueue or wait for the time being. A constant: bars are told
/// apart by their addresses.
struct DeviceBlock {
  aclError code;
  const char* text;
};

}  // namespace acl
