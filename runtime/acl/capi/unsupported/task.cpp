// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_rt.h"

#include "runtime/acl/capi/unsupported.h"

// A task leaves its stream when it has run: only tasks of a built model could be updated later.
ACL_UNSUPPORTED(aclError, aclrtTaskUpdateAsync,
                (aclrtStream, uint32_t, aclrtTaskUpdateInfo*, aclrtStream),
                "update of the tasks of a built model");
