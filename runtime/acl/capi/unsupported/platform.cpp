// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_platform.h"

#include "runtime/acl/capi/unsupported.h"

// platform description
ACL_UNSUPPORTED(aclError, aclplatformGetInstructionInfo,
                (aclplatformCoreType, const char*, char*, uint32_t),
                "instructions of the emulated cores: kernels are host functions");
