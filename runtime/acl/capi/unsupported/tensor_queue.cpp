// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_tdt_queue.h"

#include "runtime/acl/unsupported.h"

// queues
ACL_UNSUPPORTED(aclError, acltdtCreateQueue, (const acltdtQueueAttr*, uint32_t*), "queues");
ACL_UNSUPPORTED(aclError, acltdtDestroyQueue, (uint32_t), "queues");
ACL_UNSUPPORTED(aclError, acltdtEnqueue, (uint32_t, acltdtBuf, int32_t), "queues");
ACL_UNSUPPORTED(aclError, acltdtDequeue, (uint32_t, acltdtBuf*, int32_t), "queues");
ACL_UNSUPPORTED(aclError, acltdtEnqueueData,
                (uint32_t, const void*, size_t, const void*, size_t, int32_t, uint32_t), "queues");
ACL_UNSUPPORTED(aclError, acltdtDequeueData,
                (uint32_t, void*, size_t, size_t*, void*, size_t, int32_t), "queues");
ACL_UNSUPPORTED(aclError, acltdtGrantQueue, (uint32_t, int32_t, uint32_t, int32_t), "queues");
ACL_UNSUPPORTED(aclError, acltdtAttachQueue, (uint32_t, int32_t, uint32_t*), "queues");

// queue attributes
ACL_UNSUPPORTED(acltdtQueueAttr*, acltdtCreateQueueAttr, (), "queues");
ACL_UNSUPPORTED(aclError, acltdtDestroyQueueAttr, (const acltdtQueueAttr*), "queues");
ACL_UNSUPPORTED(aclError, acltdtSetQueueAttr,
                (acltdtQueueAttr*, acltdtQueueAttrType, size_t, const void*), "queues");
ACL_UNSUPPORTED(aclError, acltdtGetQueueAttr,
                (const acltdtQueueAttr*, acltdtQueueAttrType, size_t, size_t*, void*), "queues");

// routes
ACL_UNSUPPORTED(aclError, acltdtBindQueueRoutes, (acltdtQueueRouteList*), "queues");
ACL_UNSUPPORTED(aclError, acltdtUnbindQueueRoutes, (acltdtQueueRouteList*), "queues");
ACL_UNSUPPORTED(aclError, acltdtQueryQueueRoutes,
                (const acltdtQueueRouteQueryInfo*, acltdtQueueRouteList*), "queues");
ACL_UNSUPPORTED(acltdtQueueRoute*, acltdtCreateQueueRoute, (uint32_t, uint32_t), "queues");
ACL_UNSUPPORTED(aclError, acltdtDestroyQueueRoute, (const acltdtQueueRoute*), "queues");
ACL_UNSUPPORTED(aclError, acltdtGetQueueRouteParam,
                (const acltdtQueueRoute*, acltdtQueueRouteParamType, size_t, size_t*, void*),
                "queues");
ACL_UNSUPPORTED(acltdtQueueRouteList*, acltdtCreateQueueRouteList, (), "queues");
ACL_UNSUPPORTED(aclError, acltdtDestroyQueueRouteList, (const acltdtQueueRouteList*), "queues");
ACL_UNSUPPORTED(aclError, acltdtAddQueueRoute, (acltdtQueueRouteList*, const acltdtQueueRoute*),
                "queues");
ACL_UNSUPPORTED(aclError, acltdtGetQueueRoute,
                (const acltdtQueueRouteList*, size_t, acltdtQueueRoute*), "queues");
ACL_UNSUPPORTED(size_t, acltdtGetQueueRouteNum, (const acltdtQueueRouteList*), "queues");
ACL_UNSUPPORTED(acltdtQueueRouteQueryInfo*, acltdtCreateQueueRouteQueryInfo, (), "queues");
ACL_UNSUPPORTED(aclError, acltdtDestroyQueueRouteQueryInfo, (const acltdtQueueRouteQueryInfo*),
                "queues");
ACL_UNSUPPORTED(aclError, acltdtSetQueueRouteQueryInfo,
                (acltdtQueueRouteQueryInfo*, acltdtQueueRouteQueryInfoParamType, size_t,
                 const void*),
                "queues");

// buffers
ACL_UNSUPPORTED(aclError, acltdtAllocBuf, (size_t, uint32_t, acltdtBuf*), "queue buffers");
ACL_UNSUPPORTED(aclError, acltdtFreeBuf, (acltdtBuf), "queue buffers");
ACL_UNSUPPORTED(aclError, acltdtGetBufData, (const acltdtBuf, void**, size_t*), "queue buffers");
ACL_UNSUPPORTED(aclError, acltdtSetBufDataLen, (acltdtBuf, size_t), "queue buffers");
ACL_UNSUPPORTED(aclError, acltdtGetBufDataLen, (acltdtBuf, size_t*), "queue buffers");
ACL_UNSUPPORTED(aclError, acltdtAppendBufChain, (acltdtBuf, acltdtBuf), "queue buffers");
ACL_UNSUPPORTED(aclError, acltdtGetBufChainNum, (acltdtBuf, uint32_t*), "queue buffers");
ACL_UNSUPPORTED(aclError, acltdtGetBufFromChain, (acltdtBuf, uint32_t, acltdtBuf*),
                "queue buffers");
ACL_UNSUPPORTED(aclError, acltdtGetBufUserData, (const acltdtBuf, void*, size_t, size_t),
                "queue buffers");
ACL_UNSUPPORTED(aclError, acltdtSetBufUserData, (acltdtBuf, const void*, size_t, size_t),
                "queue buffers");
ACL_UNSUPPORTED(aclError, acltdtCopyBufRef, (const acltdtBuf, acltdtBuf*), "queue buffers");
