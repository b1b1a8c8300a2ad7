// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_rt.h"

#include "runtime/acl/capi/unsupported.h"

// label

// graph capture and built models
ACL_UNSUPPORTED(aclError, aclmdlRIKernelTaskGetAttribute,
                (aclmdlRITask, aclrtLaunchKernelAttrId, aclrtLaunchKernelAttrValue*),
                "launch attributes of the kernels of a graph");
