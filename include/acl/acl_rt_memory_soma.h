/* SPDX-License-Identifier: Apache-2.0 */
/* Memory pools whose blocks are taken and returned in stream order. */
#ifndef ACL_INCLUDE_ACL_RT_MEMORY_SOMA_H_
#define ACL_INCLUDE_ACL_RT_MEMORY_SOMA_H_

#include "acl_base.h"
#include "acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- stream-ordered memory pools ------------------------------------------------------------- */

typedef void *aclrtMemPool;

/*
 * Attributes of a pool. The REUSE attributes are int32_t (0 or 1, initially 1). They allow the
 * reuse of freed blocks by other streams; the stream that freed a block can always reuse it:
 *   FOLLOW_EVENT_DEPENDENCIES    by a stream that waited for an event recorded after the free
 *   ALLOW_OPPORTUNISTIC          by any stream once the free has run
 *   ALLOW_INTERNAL_DEPENDENCIES  by any stream, which then waits for the free, if the pool can
 *                                neither reuse another block nor grow
 * The other attributes are uint64_t, in bytes. RELEASE_THRESHOLD (initially 0) is the amount that
 * the pool keeps when a stream of its device is synchronised. RESERVED is the size of the pool,
 * USED the amount in use; the HIGH marks may be set to 0, which restarts them.
 */
typedef enum aclrtMemPoolAttr {
  ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1,
  ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC = 2,
  ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3,
  ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD = 4,
  ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT = 5,
  ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH = 6,
  ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT = 7,
  ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH = 8
} aclrtMemPoolAttr;

/* maxSize: most bytes to reserve, 0 for no limit. */
typedef struct aclrtMemPoolProps {
  aclrtMemAllocationType allocType;
  aclrtMemHandleType handleType;
  aclrtMemLocation location;
  size_t maxSize;
  unsigned char reserved[32];
} aclrtMemPoolProps;

/* Makes a pool of pinned memory of one device. 100000 null, other kinds of memory, reserved not 0;
 * 107001 unknown device; 107002 no context; 207000 a handle type to share it. It ends with its
 * device. */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolCreate(aclrtMemPool *memPool,
                                                const aclrtMemPoolProps *poolProps);
/* Ends a pool. Blocks that are still handed out stay valid until they are given back. 100000 null,
 * 107017 stale handle, as for all that take a pool. */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolDestroy(const aclrtMemPool memPool);
/* 100000 null, 107000 unknown attribute, one that cannot be set, or a HIGH mark other than 0. */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolSetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr,
                                                 void *value);
ACL_FUNC_VISIBILITY aclError aclrtMemPoolGetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr,
                                                 void *value);
/* Stores a block of at least size bytes (aligned to 512) for tasks that are enqueued on the stream
 * from now on. Size 0 succeeds with null. 100000 null (the stream too), 107000 a stream of another
 * device, 107003 of another context, 107017 stale handles, 207000 a stream that is captured or
 * bound to a model, 207001 out of memory. */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolMallocAsync(void **ptr, size_t size, aclrtMemPool memPool,
                                                     aclrtStream stream);
/* Frees a block after the tasks that are in the stream. After the call no copy or fill may use it.
 * 100000 null (the stream too), 107000 no live block of a pool; streams as above. aclrtFree instead
 * frees a block at once, without any order. */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolFreeAsync(void *ptr, aclrtStream stream);
/* Releases blocks that nothing uses until at most minBytesToKeep bytes are reserved. */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolTrimTo(aclrtMemPool memPool, size_t minBytesToKeep);

#ifdef __cplusplus
}
#endif

#endif /* ACL_INCLUDE_ACL_RT_MEMORY_SOMA_H_ */
