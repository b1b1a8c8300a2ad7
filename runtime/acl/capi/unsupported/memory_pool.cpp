// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_rt_memory_soma.h"

#include "runtime/acl/unsupported.h"

// stream-ordered memory pools
ACL_UNSUPPORTED(aclError, aclrtMemPoolCreate, (aclrtMemPool*, const aclrtMemPoolProps*),
                "stream-ordered memory pools");
ACL_UNSUPPORTED(aclError, aclrtMemPoolDestroy, (const aclrtMemPool), "stream-ordered memory pools");
ACL_UNSUPPORTED(aclError, aclrtMemPoolSetAttr, (aclrtMemPool, aclrtMemPoolAttr, void*),
                "stream-ordered memory pools");
ACL_UNSUPPORTED(aclError, aclrtMemPoolGetAttr, (aclrtMemPool, aclrtMemPoolAttr, void*),
                "stream-ordered memory pools");
ACL_UNSUPPORTED(aclError, aclrtMemPoolMallocAsync, (void**, size_t, aclrtMemPool, aclrtStream),
                "stream-ordered memory pools");
ACL_UNSUPPORTED(aclError, aclrtMemPoolFreeAsync, (void*, aclrtStream),
                "stream-ordered memory pools");
ACL_UNSUPPORTED(aclError, aclrtMemPoolTrimTo, (aclrtMemPool, size_t),
                "stream-ordered memory pools");
