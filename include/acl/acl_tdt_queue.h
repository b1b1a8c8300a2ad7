/* SPDX-License-Identifier: Apache-2.0 */
/* Queues of shared buffers and routes between them. */
#ifndef ACL_INCLUDE_ACL_TDT_QUEUE_H_
#define ACL_INCLUDE_ACL_TDT_QUEUE_H_

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- types ----------------------------------------------------------------------------------- */

#define ACL_TDT_QUEUE_PERMISSION_MANAGE 1
#define ACL_TDT_QUEUE_PERMISSION_DEQUEUE 2
#define ACL_TDT_QUEUE_PERMISSION_ENQUEUE 4

#define ACL_TDT_QUEUE_ROUTE_UNBIND 0
#define ACL_TDT_QUEUE_ROUTE_BIND 1
#define ACL_TDT_QUEUE_ROUTE_BIND_ABNORMAL 2

typedef void *acltdtBuf;
typedef struct tagMemQueueAttr acltdtQueueAttr;
typedef struct acltdtQueueRoute acltdtQueueRoute;
typedef struct acltdtQueueRouteList acltdtQueueRouteList;
typedef struct acltdtQueueRouteQueryInfo acltdtQueueRouteQueryInfo;

typedef enum acltdtQueueAttrType {
  ACL_TDT_QUEUE_NAME_PTR = 0,
  ACL_TDT_QUEUE_DEPTH_UINT32 = 1
} acltdtQueueAttrType;

typedef enum acltdtQueueRouteParamType {
  ACL_TDT_QUEUE_ROUTE_SRC_UINT32 = 0,
  ACL_TDT_QUEUE_ROUTE_DST_UINT32 = 1,
  ACL_TDT_QUEUE_ROUTE_STATUS_INT32 = 2
} acltdtQueueRouteParamType;

typedef enum acltdtQueueRouteQueryMode {
  ACL_TDT_QUEUE_ROUTE_QUERY_SRC = 0,
  ACL_TDT_QUEUE_ROUTE_QUERY_DST = 1,
  ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST = 2,
  ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL = 100
} acltdtQueueRouteQueryMode;

typedef enum acltdtQueueRouteQueryInfoParamType {
  ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM = 0,
  ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32 = 1,
  ACL_TDT_QUEUE_ROUTE_QUERY_DST_ID_UINT32 = 2
} acltdtQueueRouteQueryInfoParamType;

typedef enum acltdtAllocBufType {
  ACL_TDT_NORMAL_MEM = 0,
  ACL_TDT_DVPP_MEM = 1
} acltdtAllocBufType;

/* ---- queues ---------------------------------------------------------------------------------- */

/* All functions here return 100000 for a null argument, 107017 for a destroyed or invalid handle
   (functions that return pointers return null then), 107000 for a qid that does not exist, or is
   destroyed while the call waits. Timeouts are in ms: -1 waits without limit, 0 does not wait, less
   than -1 is 100000. Queues belong to this process; their ids are never used twice. */

/* Creates a queue on the current context's device (107002 without one) and stores its id. It ends
   when the device is reset for the last time. attr can be used again. */
ACL_FUNC_VISIBILITY aclError acltdtCreateQueue(const acltdtQueueAttr *attr, uint32_t *qid);

/* Destroys a queue and the buffers in it; its routes become abnormal. */
ACL_FUNC_VISIBILITY aclError acltdtDestroyQueue(uint32_t qid);

/* Moves a buffer, with the buffers chained to it, into a queue: until a thread takes it out, calls
   with its handle return 107017. 207014 if the queue is full; then the caller keeps the buffer. */
ACL_FUNC_VISIBILITY aclError acltdtEnqueue(uint32_t qid, acltdtBuf buf, int32_t timeout);

/* Takes the next buffer out, which then is the caller's to free. 207013 when the queue is empty. */
ACL_FUNC_VISIBILITY aclError acltdtDequeue(uint32_t qid, acltdtBuf *buf, int32_t timeout);

/* Enqueues a copy of host or device memory, and at most 96 bytes beside it (userData may be null,
   with size 0). rsv must be 0. */
ACL_FUNC_VISIBILITY aclError acltdtEnqueueData(uint32_t qid, const void *data, size_t dataSize,
                                               const void *userData, size_t userDataSize,
                                               int32_t timeout, uint32_t rsv);

/* Takes the next buffer out, copies its bytes (of a chain: all, in order) and stores their number.
   100000 when data is too small for them: the buffer stays in the queue. */
ACL_FUNC_VISIBILITY aclError acltdtDequeueData(uint32_t qid, void *data, size_t dataSize,
                                               size_t *retDataSize, void *userData,
                                               size_t userDataSize, int32_t timeout);

/* Lets a process use a queue; permission is an OR of ACL_TDT_QUEUE_PERMISSION_... Only for this
   process itself: 207000 for the pid of any other one. The creator needs no grant. */
ACL_FUNC_VISIBILITY aclError acltdtGrantQueue(uint32_t qid, int32_t pid, uint32_t permission,
                                              int32_t timeout);

/* Waits until this process has been granted the queue and stores the permission; 207006 when that
   does not happen in time. */
ACL_FUNC_VISIBILITY aclError acltdtAttachQueue(uint32_t qid, int32_t timeout, uint32_t *permission);

/* ---- queue attributes ------------------------------------------------------------------------ */

/* New attributes: no name, depth 2. */
ACL_FUNC_VISIBILITY acltdtQueueAttr *acltdtCreateQueueAttr(void);

/* Destroys attributes. */
ACL_FUNC_VISIBILITY aclError acltdtDestroyQueueAttr(const acltdtQueueAttr *attr);

/* Sets one attribute; len is the size of its type, and param points to the value (for the name: to
   a const char *, which is copied). 100000 for an unknown one, a wrong size, a name of more than
   127 characters, or a depth outside 2 to 8192. */
ACL_FUNC_VISIBILITY aclError acltdtSetQueueAttr(acltdtQueueAttr *attr, acltdtQueueAttrType type,
                                                size_t len, const void *param);

/* Copies one attribute out and stores its size. The name comes as a const char *, valid as long as
   the attributes. */
ACL_FUNC_VISIBILITY aclError acltdtGetQueueAttr(const acltdtQueueAttr *attr,
                                                acltdtQueueAttrType type, size_t len,
                                                size_t *paramRetSize, void *param);

/* ---- routes ---------------------------------------------------------------------------------- */

/* Connects queues; the status of each route in the list is set to 1. A buffer in a source then
   moves on to its destination as soon as that has room, and to each destination if it has several.
   All routes are bound or none: 107000 when a queue is missing or the routes would close a ring,
   100000 for an empty list. A route that is bound already stays so. */
ACL_FUNC_VISIBILITY aclError acltdtBindQueueRoutes(acltdtQueueRouteList *qRouteList);

/* Disconnects queues; the status of each route in the list is set to 0. All or none: 107000 for a
   route that is not bound. */
ACL_FUNC_VISIBILITY aclError acltdtUnbindQueueRoutes(acltdtQueueRouteList *qRouteList);

/* Replaces the content of a list by the routes that fit the query. 100000 when the query lacks what
   its mode needs. */
ACL_FUNC_VISIBILITY aclError acltdtQueryQueueRoutes(const acltdtQueueRouteQueryInfo *queryInfo,
                                                    acltdtQueueRouteList *qRouteList);

/* A route from one queue to another; nothing moves before it is bound. */
ACL_FUNC_VISIBILITY acltdtQueueRoute *acltdtCreateQueueRoute(uint32_t srcId, uint32_t dstId);

/* Destroys a description of a route: lists and bound routes are copies. */
ACL_FUNC_VISIBILITY aclError acltdtDestroyQueueRoute(const acltdtQueueRoute *route);

/* Copies one field of a route out and stores its size. The status is 0 (not bound), 1 (bound) or 2
   (one of its queues was destroyed) as of the bind, unbind or query that set it. */
ACL_FUNC_VISIBILITY aclError acltdtGetQueueRouteParam(const acltdtQueueRoute *route,
                                                      acltdtQueueRouteParamType type, size_t len,
                                                      size_t *paramRetSize, void *param);

/* A new empty list of routes. */
ACL_FUNC_VISIBILITY acltdtQueueRouteList *acltdtCreateQueueRouteList(void);

/* Destroys a list. */
ACL_FUNC_VISIBILITY aclError acltdtDestroyQueueRouteList(const acltdtQueueRouteList *routeList);

/* Appends a copy of a route. */
ACL_FUNC_VISIBILITY aclError acltdtAddQueueRoute(acltdtQueueRouteList *routeList,
                                                 const acltdtQueueRoute *route);

/* Copies a route out of a list, into one that exists. */
ACL_FUNC_VISIBILITY aclError acltdtGetQueueRoute(const acltdtQueueRouteList *routeList,
                                                 size_t index, acltdtQueueRoute *route);

/* Number of routes in a list. */
ACL_FUNC_VISIBILITY size_t acltdtGetQueueRouteNum(const acltdtQueueRouteList *routeList);

/* A new query. */
ACL_FUNC_VISIBILITY acltdtQueueRouteQueryInfo *acltdtCreateQueueRouteQueryInfo(void);

/* Destroys a query. */
ACL_FUNC_VISIBILITY aclError
acltdtDestroyQueueRouteQueryInfo(const acltdtQueueRouteQueryInfo *info);

/* Sets one field of a query. */
ACL_FUNC_VISIBILITY aclError acltdtSetQueueRouteQueryInfo(acltdtQueueRouteQueryInfo *param,
                                                          acltdtQueueRouteQueryInfoParamType type,
                                                          size_t len, const void *value);

/* ---- buffers --------------------------------------------------------------------------------- */

/* A buffer has data in host memory, the length of the valid data, and 96 bytes for the program.
   These functions are the aclrt...Buf functions of acl_rt.h under other names. */

/* type is an acltdtAllocBufType, without difference here. */
ACL_FUNC_VISIBILITY aclError acltdtAllocBuf(size_t size, uint32_t type, acltdtBuf *buf);
ACL_FUNC_VISIBILITY aclError acltdtFreeBuf(acltdtBuf buf);
ACL_FUNC_VISIBILITY aclError acltdtGetBufData(const acltdtBuf buf, void **dataPtr, size_t *size);
ACL_FUNC_VISIBILITY aclError acltdtSetBufDataLen(acltdtBuf buf, size_t len);
ACL_FUNC_VISIBILITY aclError acltdtGetBufDataLen(acltdtBuf buf, size_t *len);
ACL_FUNC_VISIBILITY aclError acltdtAppendBufChain(acltdtBuf headBuf, acltdtBuf buf);
ACL_FUNC_VISIBILITY aclError acltdtGetBufChainNum(acltdtBuf headBuf, uint32_t *num);
ACL_FUNC_VISIBILITY aclError acltdtGetBufFromChain(acltdtBuf headBuf, uint32_t index,
                                                   acltdtBuf *buf);
ACL_FUNC_VISIBILITY aclError acltdtGetBufUserData(const acltdtBuf buf, void *dataPtr, size_t size,
                                                  size_t offset);
ACL_FUNC_VISIBILITY aclError acltdtSetBufUserData(acltdtBuf buf, const void *dataPtr, size_t size,
                                                  size_t offset);
ACL_FUNC_VISIBILITY aclError acltdtCopyBufRef(const acltdtBuf buf, acltdtBuf *newBuf);

#ifdef __cplusplus
}
#endif

#endif /* ACL_INCLUDE_ACL_TDT_QUEUE_H_ */
