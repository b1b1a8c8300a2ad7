// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_rt.h"

#include "runtime/acl/unsupported.h"

// event
ACL_UNSUPPORTED(aclError, aclrtRecordEventWithFlag, (aclrtEvent, aclrtStream, uint32_t),
                "external events of a captured graph");
ACL_UNSUPPORTED(aclError, aclrtStreamWaitEventWithFlag,
                (aclrtStream, aclrtEvent, uint32_t, uint32_t),
                "external events of a captured graph");
ACL_UNSUPPORTED(aclError, aclrtGetEventAvailNum, (uint32_t*), "count of free events");
ACL_UNSUPPORTED(aclError, aclrtIpcGetEventHandle, (aclrtEvent, aclrtIpcEventHandle*),
                "events shared between processes");
ACL_UNSUPPORTED(aclError, aclrtIpcOpenEventHandle, (aclrtIpcEventHandle, aclrtEvent*),
                "events shared between processes");
