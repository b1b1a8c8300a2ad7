// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "acl/acl_sim.h"

namespace acl {

class Runtime;

/// What is alive in this process; `size` is left for the caller.
aclsimStats usage_of(Runtime& runtime);

}  // namespace acl
