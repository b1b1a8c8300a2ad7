// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_rt.h"

#include "runtime/acl/capi/unsupported.h"

// kernel load and launch
ACL_UNSUPPORTED(aclError, aclrtGetHardwareSyncAddr, (void**),
                "flags by which the cores of one kernel wait for each other");
