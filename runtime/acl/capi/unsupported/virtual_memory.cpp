// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_rt.h"

#include "runtime/acl/unsupported.h"

// virtual memory
ACL_UNSUPPORTED(aclError, aclrtReserveMemAddress, (void**, size_t, size_t, void*, uint64_t),
                "virtual memory management");
ACL_UNSUPPORTED(aclError, aclrtReleaseMemAddress, (void*), "virtual memory management");
ACL_UNSUPPORTED(aclError, aclrtMallocPhysical,
                (aclrtDrvMemHandle*, size_t, const aclrtPhysicalMemProp*, uint64_t),
                "virtual memory management");
ACL_UNSUPPORTED(aclError, aclrtFreePhysical, (aclrtDrvMemHandle), "virtual memory management");
ACL_UNSUPPORTED(aclError, aclrtMapMem, (void*, size_t, size_t, aclrtDrvMemHandle, uint64_t),
                "virtual memory management");
ACL_UNSUPPORTED(aclError, aclrtUnmapMem, (void*), "virtual memory management");
ACL_UNSUPPORTED(aclError, aclrtMemMapNoAccess, (void*, size_t, size_t, aclrtDrvMemHandle, uint64_t),
                "virtual memory management");
ACL_UNSUPPORTED(aclError, aclrtMemExportToShareableHandle,
                (aclrtDrvMemHandle, aclrtMemHandleType, uint64_t, uint64_t*),
                "shareable memory handles");
ACL_UNSUPPORTED(aclError, aclrtMemExportToShareableHandleV2,
                (aclrtDrvMemHandle, uint64_t, aclrtMemSharedHandleType, void*),
                "shareable memory handles");
ACL_UNSUPPORTED(aclError, aclrtMemImportFromShareableHandle,
                (uint64_t, int32_t, aclrtDrvMemHandle*), "shareable memory handles");
ACL_UNSUPPORTED(aclError, aclrtMemImportFromShareableHandleV2,
                (void*, aclrtMemSharedHandleType, uint64_t, aclrtDrvMemHandle*),
                "shareable memory handles");
ACL_UNSUPPORTED(aclError, aclrtMemSetPidToShareableHandle, (uint64_t, int32_t*, size_t),
                "shareable memory handles");
ACL_UNSUPPORTED(aclError, aclrtMemSetPidToShareableHandleV2,
                (void*, aclrtMemSharedHandleType, int32_t*, size_t), "shareable memory handles");
ACL_UNSUPPORTED(aclError, aclrtMemGetAllocationGranularity,
                (aclrtPhysicalMemProp*, aclrtMemGranularityOptions, size_t*),
                "virtual memory management");
ACL_UNSUPPORTED(aclError, aclrtMemSetAccess, (void*, size_t, aclrtMemAccessDesc*, size_t),
                "virtual memory management");
ACL_UNSUPPORTED(aclError, aclrtMemGetAccess, (void*, aclrtMemLocation*, uint64_t*),
                "virtual memory management");
ACL_UNSUPPORTED(aclError, aclrtMemRetainAllocationHandle, (void*, aclrtDrvMemHandle*),
                "virtual memory management");
ACL_UNSUPPORTED(aclError, aclrtMemGetAllocationPropertiesFromHandle,
                (aclrtDrvMemHandle, aclrtPhysicalMemProp*), "virtual memory management");
ACL_UNSUPPORTED(aclError, aclrtReserveMemAddressNoUCMemory,
                (void**, size_t, size_t, void*, uint64_t), "virtual memory management");
ACL_UNSUPPORTED(aclError, aclrtMemGetAddressRange, (void*, void**, size_t*),
                "virtual memory management");
ACL_UNSUPPORTED(aclError, aclrtMemMapSelectedLink, (void*, size_t, void*, uint32_t),
                "virtual memory management");
ACL_UNSUPPORTED(aclError, aclrtMemMapSetLink, (aclrtDrvMemHandle, aclrtMemLinkType),
                "virtual memory management");
