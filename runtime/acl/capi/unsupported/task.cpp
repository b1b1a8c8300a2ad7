// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_rt.h"

#include "runtime/acl/unsupported.h"

// reduce, random numbers and task update
ACL_UNSUPPORTED(aclError, aclrtGetThreadLastTaskId, (uint32_t*), "task ids");
ACL_UNSUPPORTED(aclError, aclrtReduceAsync,
                (void*, const void*, uint64_t, aclrtReduceKind, aclDataType, aclrtStream, void*),
                "reduction while copying");
ACL_UNSUPPORTED(aclError, aclrtRandomNumAsync,
                (const aclrtRandomNumTaskInfo*, const aclrtStream, void*), "random numbers");
ACL_UNSUPPORTED(aclError, aclrtTaskUpdateAsync,
                (aclrtStream, uint32_t, aclrtTaskUpdateInfo*, aclrtStream),
                "update of enqueued tasks");
ACL_UNSUPPORTED(aclError, aclrtCacheLastTaskOpInfo, (const void* const, const size_t),
                "operator information of tasks");
ACL_UNSUPPORTED(aclError, aclrtCacheLastTaskExtendInfo, (const char* const, const size_t),
                "operator information of tasks");

// cache maintenance
ACL_UNSUPPORTED(aclError, aclrtCmoAsync, (void*, size_t, aclrtCmoType, aclrtStream),
                "cache maintenance");
ACL_UNSUPPORTED(aclError, aclrtCmoAsyncWithBarrier,
                (void*, size_t, aclrtCmoType, uint32_t, aclrtStream), "cache maintenance");
ACL_UNSUPPORTED(aclError, aclrtCmoWaitBarrier, (aclrtBarrierTaskInfo*, aclrtStream, uint32_t),
                "cache maintenance");
ACL_UNSUPPORTED(aclError, aclrtCmoGetDescSize, (size_t*), "cache maintenance");
ACL_UNSUPPORTED(aclError, aclrtCmoSetDesc, (void*, void*, size_t), "cache maintenance");
ACL_UNSUPPORTED(aclError, aclrtCmoAsyncWithDesc, (void*, aclrtCmoType, aclrtStream, const void*),
                "cache maintenance");
