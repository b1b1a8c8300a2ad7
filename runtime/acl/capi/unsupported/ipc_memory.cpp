// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_rt.h"

#include "runtime/acl/unsupported.h"

// memory shared between processes
ACL_UNSUPPORTED(aclError, aclrtIpcMemGetExportKey, (void*, size_t, char*, size_t, uint64_t),
                "memory shared between processes");
ACL_UNSUPPORTED(aclError, aclrtIpcMemClose, (const char*), "memory shared between processes");
ACL_UNSUPPORTED(aclError, aclrtIpcMemImportByKey, (void**, const char*, uint64_t),
                "memory shared between processes");
ACL_UNSUPPORTED(aclError, aclrtIpcMemSetImportPid, (const char*, int32_t*, size_t),
                "memory shared between processes");
ACL_UNSUPPORTED(aclError, aclrtIpcMemSetAttr, (const char*, aclrtIpcMemAttrType, uint64_t),
                "memory shared between processes");
ACL_UNSUPPORTED(aclError, aclrtIpcMemImportPidInterServer, (const char*, aclrtServerPid*, size_t),
                "memory shared between processes");
