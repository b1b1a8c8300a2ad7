// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "acl/acl_rt.h"

namespace acl {

/// The content of a list of allocation attributes. The last of two equal attributes counts. Host
/// and device always use one address, as ACL_RT_MEM_ATTR_VA_FLAG asks for.
struct MallocConfig {
  std::uint16_t module = 0;
  int device = -1;  // as the program counts devices; -1: the current one

  /// Null means an empty list. Raises ACL_ERROR_INVALID_PARAM for an unknown attribute or value.
  static MallocConfig parse(const aclrtMallocConfig* config);
};

}  // namespace acl
