/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of HCOMM threads. A call of ...OnThread enqueues one operation on the thread's stream
 * and returns; its result only reports whether the arguments are valid. Operations of a thread run
 * in the order of the calls, together with other operations of its stream. Synchronising the stream
 * reports failures. Addresses are in bytes, counts in elements, time limits in seconds. */
#ifndef HCOMM_INCLUDE_HCOMM_PRIMITIVES_H_
#define HCOMM_INCLUDE_HCOMM_PRIMITIVES_H_

#include <stdbool.h>
#include <stdint.h>

#include "hcomm/hcomm_res_defs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Functions that set a time limit take a float. */
#define HCOMM_TIMEOUT_FLOAT_TYPE 1

typedef enum HcommDataType {
  HCOMM_DATA_TYPE_INT8 = 0,
  HCOMM_DATA_TYPE_INT16 = 1,
  HCOMM_DATA_TYPE_INT32 = 2,
  HCOMM_DATA_TYPE_FP16 = 3,
  HCOMM_DATA_TYPE_FP32 = 4,
  HCOMM_DATA_TYPE_INT64 = 5,
  HCOMM_DATA_TYPE_UINT64 = 6,
  HCOMM_DATA_TYPE_UINT8 = 7,
  HCOMM_DATA_TYPE_UINT16 = 8,
  HCOMM_DATA_TYPE_UINT32 = 9,
  HCOMM_DATA_TYPE_FP64 = 10,
  HCOMM_DATA_TYPE_BFP16 = 11,
  HCOMM_DATA_TYPE_INT128 = 12,
  HCOMM_DATA_TYPE_HIF8 = 14,
  HCOMM_DATA_TYPE_FP8E4M3 = 15,
  HCOMM_DATA_TYPE_FP8E5M2 = 16,
  HCOMM_DATA_TYPE_FP8E8M0 = 17,
  HCOMM_DATA_TYPE_RESERVED = 255
} HcommDataType;

typedef enum HcommReduceOp {
  HCOMM_REDUCE_SUM = 0,
  HCOMM_REDUCE_PROD = 1,
  HCOMM_REDUCE_MAX = 2,
  HCOMM_REDUCE_MIN = 3,
  HCOMM_REDUCE_RESERVED = 255
} HcommReduceOp;

typedef enum HcommTransferType {
  HCOMM_TRANSFER_TYPE_INVALID = -1,
  HCOMM_TRANSFER_TYPE_WRITE = 0,
  HCOMM_TRANSFER_TYPE_WRITE_REDUCE = 1,
  HCOMM_TRANSFER_TYPE_WRITE_WITH_NOTIFY = 2,
  HCOMM_TRANSFER_TYPE_WRITE_REDUCE_WITH_NOTIFY = 3,
  HCOMM_TRANSFER_TYPE_READ = 4,
  HCOMM_TRANSFER_TYPE_READ_REDUCE = 5,
  HCOMM_TRANSFER_TYPE_NOTIFY_RECORD = 6
} HcommTransferType;

/* One of several transfers that are enqueued at once. */
typedef struct HcommBatchTransferDesc {
  HcommTransferType transType;
  uint8_t reserved[4];
  union {
    uint8_t raws[56];
    struct {
      uint64_t len;
      void* dst;
      const void* src;
    } write;
    struct {
      uint64_t len;
      void* dst;
      const void* src;
    } read;
    struct {
      uint64_t count;
      void* dst;
      const void* src;
      HcommReduceOp reduceOp;
      HcommDataType dataType;
    } reduce;
    struct {
      uint32_t notifyIdx;
    } notifyRecord;
    struct {
      uint64_t len;
      void* dst;
      const void* src;
      uint32_t notifyIdx;
    } writeWithNotify;
    struct {
      uint64_t count;
      void* dst;
      const void* src;
      HcommReduceOp reduceOp;
      HcommDataType dataType;
      uint32_t notifyIdx;
    } writeReduceWithNotify;
  } transferInfo;
} HcommBatchTransferDesc;

/* ---- within one device -------------------------------------------------------------------------
 */

ACL_FUNC_VISIBILITY int32_t HcommLocalCopyOnThread(ThreadHandle thread, void* dst, const void* src,
                                                   uint64_t len);
/* dst = dst op src */
ACL_FUNC_VISIBILITY int32_t HcommLocalReduceOnThread(ThreadHandle thread, void* dst,
                                                     const void* src, uint64_t count,
                                                     HcommDataType dataType,
                                                     HcommReduceOp reduceOp);

/* ---- notifies of threads: flags, which a record sets and a wait takes ---- */

ACL_FUNC_VISIBILITY int32_t HcommThreadNotifyRecordOnThread(ThreadHandle thread,
                                                            ThreadHandle dstThread,
                                                            uint32_t dstNotifyIdx);
ACL_FUNC_VISIBILITY int32_t HcommThreadNotifyWaitOnThread(ThreadHandle thread, uint32_t notifyIdx,
                                                          uint32_t timeOut);
ACL_FUNC_VISIBILITY int32_t HcommThreadNotifyWaitOnThreadWithDefaultTimeout(ThreadHandle thread,
                                                                            uint32_t notifyIdx);
/* A notify of aclrtCreateNotify, by its number (aclrtGetNotifyId). */
ACL_FUNC_VISIBILITY int32_t HcommAclrtNotifyRecordOnThread(ThreadHandle thread,
                                                           uint64_t dstNotifyId);
ACL_FUNC_VISIBILITY int32_t HcommAclrtNotifyWaitOnThread(ThreadHandle thread, uint64_t notifyId,
                                                         uint32_t timeOut);

/* ---- to and from another rank ---- */

/* dst is the peer's memory for writes, src for reads; the other one is memory of this rank. */
ACL_FUNC_VISIBILITY int32_t HcommWriteOnThread(ThreadHandle thread, ChannelHandle channel,
                                               void* dst, const void* src, uint64_t len);
ACL_FUNC_VISIBILITY int32_t HcommWriteReduceOnThread(ThreadHandle thread, ChannelHandle channel,
                                                     void* dst, const void* src, uint64_t count,
                                                     HcommDataType dataType,
                                                     HcommReduceOp reduceOp);
ACL_FUNC_VISIBILITY int32_t HcommWriteWithNotifyOnThread(ThreadHandle thread, ChannelHandle channel,
                                                         void* dst, const void* src, uint64_t len,
                                                         uint32_t remoteNotifyIdx);
ACL_FUNC_VISIBILITY int32_t HcommWriteReduceWithNotifyOnThread(
    ThreadHandle thread, ChannelHandle channel, void* dst, const void* src, uint64_t count,
    HcommDataType dataType, HcommReduceOp reduceOp, uint32_t remoteNotifyIdx);
ACL_FUNC_VISIBILITY int32_t HcommReadOnThread(ThreadHandle thread, ChannelHandle channel, void* dst,
                                              const void* src, uint64_t len);
ACL_FUNC_VISIBILITY int32_t HcommReadReduceOnThread(ThreadHandle thread, ChannelHandle channel,
                                                    void* dst, const void* src, uint64_t count,
                                                    HcommDataType dataType, HcommReduceOp reduceOp);
ACL_FUNC_VISIBILITY int32_t HcommBatchTransferOnThread(ThreadHandle thread, ChannelHandle channel,
                                                       const HcommBatchTransferDesc* transferDescs,
                                                       uint32_t transferDescNum);
/* Without a thread: executed by the host, complete after a fence. */
ACL_FUNC_VISIBILITY int32_t HcommWriteNbiOnThread(ThreadHandle thread, ChannelHandle channel,
                                                  void* dst, const void* src, uint64_t len);
ACL_FUNC_VISIBILITY int32_t HcommWriteNbi(ChannelHandle channel, void* dst, const void* src,
                                          uint64_t len);
ACL_FUNC_VISIBILITY int32_t HcommWriteWithNotifyNbiOnThread(ThreadHandle thread,
                                                            ChannelHandle channel, void* dst,
                                                            const void* src, uint64_t len,
                                                            uint32_t remoteNotifyIdx);
ACL_FUNC_VISIBILITY int32_t HcommWriteWithNotifyNbi(ChannelHandle channel, void* dst,
                                                    const void* src, uint64_t len,
                                                    uint32_t remoteNotifyIdx);
ACL_FUNC_VISIBILITY int32_t HcommReadNbiOnThread(ThreadHandle thread, ChannelHandle channel,
                                                 void* dst, const void* src, uint64_t len);
ACL_FUNC_VISIBILITY int32_t HcommReadNbi(ChannelHandle channel, void* dst, const void* src,
                                         uint64_t len);

/* ---- notifies of channels: a record sets the peer's flag, a wait takes the own flag ---- */

ACL_FUNC_VISIBILITY int32_t HcommChannelNotifyRecordOnThread(ThreadHandle thread,
                                                             ChannelHandle channel,
                                                             uint32_t remoteNotifyIdx);
ACL_FUNC_VISIBILITY int32_t HcommChannelNotifyRecord(ChannelHandle channel,
                                                     uint32_t remoteNotifyIdx);
ACL_FUNC_VISIBILITY int32_t HcommChannelNotifyWaitOnThread(ThreadHandle thread,
                                                           ChannelHandle channel,
                                                           uint32_t localNotifyIdx,
                                                           uint32_t timeOut);
ACL_FUNC_VISIBILITY int32_t HcommChannelNotifyWait(ChannelHandle channel, uint32_t localNotifyIdx,
                                                   uint32_t timeOut);
ACL_FUNC_VISIBILITY int32_t HcommChannelNotifyWaitOnThreadWithDefaultTimeout(
    ThreadHandle thread, ChannelHandle channel, uint32_t localNotifyIdx);

/* ---- fences -------------------------------------------------------------------------------------
 */

ACL_FUNC_VISIBILITY int32_t HcommFenceOnThread(ThreadHandle thread);
ACL_FUNC_VISIBILITY int32_t HcommChannelFenceOnThread(ThreadHandle thread, ChannelHandle channel);
ACL_FUNC_VISIBILITY int32_t HcommChannelFence(ChannelHandle channel);
ACL_FUNC_VISIBILITY int32_t HcommChannelDrainOnThread(ThreadHandle thread, ChannelHandle channel);

/* ---- batches, locks, limits ---- */

/* Operations of this host thread between the two calls may be submitted together at the end. */
ACL_FUNC_VISIBILITY int32_t HcommBatchModeStart(const char* batchTag);
ACL_FUNC_VISIBILITY int32_t HcommBatchModeEnd(const char* batchTag);
ACL_FUNC_VISIBILITY int32_t HcommAcquireComm(const char* commId);
ACL_FUNC_VISIBILITY int32_t HcommReleaseComm(const char* commId);
/* Applies to waits of the calling host thread. Fractions of a second are dropped. */
ACL_FUNC_VISIBILITY int32_t HcommSetNotifyWaitTimeOut(float timeOut);
ACL_FUNC_VISIBILITY int32_t HcommThreadResAcquireTimeOut(float timeOut);

/* ---- recorded tasks of an AI CPU ---- */

ACL_FUNC_VISIBILITY HcommResult HcommAicpuTsTaskCacheLookup(const char* tag, bool* isHit);
ACL_FUNC_VISIBILITY HcommResult HcommAicpuTsTaskCacheStart(const char* tag, void** addrs,
                                                           uint64_t* sizes, uint64_t count);
ACL_FUNC_VISIBILITY HcommResult HcommAicpuTsTaskCacheEnd(const char* tag);
ACL_FUNC_VISIBILITY HcommResult HcommAicpuTsTaskCacheExecute(const char* tag, void** addrs,
                                                             uint64_t* sizes, uint64_t count);
ACL_FUNC_VISIBILITY HcommResult HcommAicpuTsTaskCacheClear(const char* tag);

#ifdef __cplusplus
}
#endif

#endif /* HCOMM_INCLUDE_HCOMM_PRIMITIVES_H_ */
