/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives and point-to-point operations. Each call enqueues one operation on the stream and
 * returns. Results are available when the stream has been synchronised. Counts refer to one
 * rank, in elements. Arrays of counts and displacements are uint64_t in host memory and are read
 * during the call. */
#ifndef HCCL_INCLUDE_HCCL_H_
#define HCCL_INCLUDE_HCCL_H_

#include "hccl/hccl_comm.h"
#include "hccl/hccl_types.h"

#ifdef __cplusplus
extern "C" {
#endif

ACL_FUNC_VISIBILITY HcclResult HcclAllReduce(void* sendBuf, void* recvBuf, uint64_t count,
                                             HcclDataType dataType, HcclReduceOp op, HcclComm comm,
                                             aclrtStream stream);
ACL_FUNC_VISIBILITY HcclResult HcclBroadcast(void* buf, uint64_t count, HcclDataType dataType,
                                             uint32_t root, HcclComm comm, aclrtStream stream);
ACL_FUNC_VISIBILITY HcclResult HcclReduceScatter(void* sendBuf, void* recvBuf, uint64_t recvCount,
                                                 HcclDataType dataType, HcclReduceOp op,
                                                 HcclComm comm, aclrtStream stream);
ACL_FUNC_VISIBILITY HcclResult HcclReduceScatterV(void* sendBuf, const void* sendCounts,
                                                  const void* sendDispls, void* recvBuf,
                                                  uint64_t recvCount, HcclDataType dataType,
                                                  HcclReduceOp op, HcclComm comm,
                                                  aclrtStream stream);
/* sendBuf: used at the root; the other ranks may pass NULL. */
ACL_FUNC_VISIBILITY HcclResult HcclScatter(void* sendBuf, void* recvBuf, uint64_t recvCount,
                                           HcclDataType dataType, uint32_t root, HcclComm comm,
                                           aclrtStream stream);
ACL_FUNC_VISIBILITY HcclResult HcclAllGather(void* sendBuf, void* recvBuf, uint64_t sendCount,
                                             HcclDataType dataType, HcclComm comm,
                                             aclrtStream stream);
ACL_FUNC_VISIBILITY HcclResult HcclAllGatherV(void* sendBuf, uint64_t sendCount, void* recvBuf,
                                              const void* recvCounts, const void* recvDispls,
                                              HcclDataType dataType, HcclComm comm,
                                              aclrtStream stream);
/* Only the root's recvBuf is written. */
ACL_FUNC_VISIBILITY HcclResult HcclReduce(void* sendBuf, void* recvBuf, uint64_t count,
                                          HcclDataType dataType, HcclReduceOp op, uint32_t root,
                                          HcclComm comm, aclrtStream stream);
ACL_FUNC_VISIBILITY HcclResult HcclAlltoAll(const void* sendBuf, uint64_t sendCount,
                                            HcclDataType sendType, const void* recvBuf,
                                            uint64_t recvCount, HcclDataType recvType,
                                            HcclComm comm, aclrtStream stream);
ACL_FUNC_VISIBILITY HcclResult HcclAlltoAllV(const void* sendBuf, const void* sendCounts,
                                             const void* sdispls, HcclDataType sendType,
                                             const void* recvBuf, const void* recvCounts,
                                             const void* rdispls, HcclDataType recvType,
                                             HcclComm comm, aclrtStream stream);
/* sendCountMatrix: element i * ranks + j is the count that rank i sends to rank j; the matrix is
 * equal on all ranks. */
ACL_FUNC_VISIBILITY HcclResult HcclAlltoAllVC(const void* sendBuf, const void* sendCountMatrix,
                                              HcclDataType sendType, const void* recvBuf,
                                              HcclDataType recvType, HcclComm comm,
                                              aclrtStream stream);

/* Sends and receives between two ranks match in the order of the calls. */
ACL_FUNC_VISIBILITY HcclResult HcclSend(void* sendBuf, uint64_t count, HcclDataType dataType,
                                        uint32_t destRank, HcclComm comm, aclrtStream stream);
ACL_FUNC_VISIBILITY HcclResult HcclRecv(void* recvBuf, uint64_t count, HcclDataType dataType,
                                        uint32_t srcRank, HcclComm comm, aclrtStream stream);
/* All items run concurrently, so rings do not block. */
ACL_FUNC_VISIBILITY HcclResult HcclBatchSendRecv(HcclSendRecvItem* sendRecvInfo, uint32_t itemNum,
                                                 HcclComm comm, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* HCCL_INCLUDE_HCCL_H_ */
