// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_rt.h"

#include "runtime/acl/unsupported.h"

// memory
ACL_UNSUPPORTED(aclError, aclrtMallocCached, (void**, size_t, aclrtMemMallocPolicy),
                "cached device memory");
ACL_UNSUPPORTED(aclError, aclrtMallocWithCfg,
                (void**, size_t, aclrtMemMallocPolicy, aclrtMallocConfig*),
                "allocation with attributes");
ACL_UNSUPPORTED(aclError, aclrtMallocForTaskScheduler,
                (void**, size_t, aclrtMemMallocPolicy, aclrtMallocConfig*),
                "memory for the task scheduler");
ACL_UNSUPPORTED(aclError, aclrtMallocHostWithCfg, (void**, uint64_t, aclrtMallocConfig*),
                "allocation with attributes");
ACL_UNSUPPORTED(aclError, aclrtHostRegister, (void*, uint64_t, aclrtHostRegisterType, void**),
                "registered host memory");
ACL_UNSUPPORTED(aclError, aclrtHostRegisterV2, (void*, uint64_t, uint32_t),
                "registered host memory");
ACL_UNSUPPORTED(aclError, aclrtHostGetDevicePointer, (void*, void**, uint32_t),
                "registered host memory");
ACL_UNSUPPORTED(aclError, aclrtHostUnregister, (void*), "registered host memory");
ACL_UNSUPPORTED(aclError, aclrtHostMemMapCapabilities,
                (uint32_t, aclrtHacType, aclrtHostMemMapCapability*),
                "host memory mapping capabilities");
ACL_UNSUPPORTED(aclError, aclrtMemFlush, (void*, size_t), "cached device memory");
ACL_UNSUPPORTED(aclError, aclrtMemInvalidate, (void*, size_t), "cached device memory");
ACL_UNSUPPORTED(aclError, aclrtGetMemUsageInfo, (int32_t, aclrtMemUsageInfo*, size_t, size_t*),
                "memory usage by module");
ACL_UNSUPPORTED(aclError, aclrtCheckMemType, (void**, uint32_t, uint32_t, uint32_t*, uint32_t),
                "memory type check");
ACL_UNSUPPORTED(aclError, aclrtDeviceL2CacheFlush, (void*), "L2 cache flush");

// managed memory
ACL_UNSUPPORTED(aclError, aclrtMemManagedGetAttr,
                (aclrtMemManagedRangeAttribute, const void*, size_t, void*, size_t),
                "managed memory");
ACL_UNSUPPORTED(aclError, aclrtMemManagedGetAttrs,
                (aclrtMemManagedRangeAttribute*, size_t, const void*, size_t, void**, size_t*),
                "managed memory");
ACL_UNSUPPORTED(aclError, aclrtMemAllocManaged, (void**, uint64_t, uint32_t), "managed memory");
ACL_UNSUPPORTED(aclError, aclrtMemManagedAdvise,
                (const void* const, uint64_t, aclrtMemManagedAdviseType, aclrtMemManagedLocation),
                "managed memory");
ACL_UNSUPPORTED(aclError, aclrtMemManagedPrefetchAsync,
                (const void*, size_t, aclrtMemManagedLocation, uint32_t, aclrtStream),
                "managed memory");
ACL_UNSUPPORTED(aclError, aclrtMemManagedPrefetchBatchAsync,
                (const void**, size_t*, size_t, aclrtMemManagedLocation*, size_t*, size_t, uint64_t,
                 aclrtStream),
                "managed memory");
