/* SPDX-License-Identifier: Apache-2.0 */
/* The resources of a communicator for operators that use HCOMM: its buffer, threads and memories.
 */
#ifndef HCCL_INCLUDE_HCCL_RES_H_
#define HCCL_INCLUDE_HCCL_RES_H_

#include <string.h>

#include "hccl/hccl_channel.h"
#include "hccl/hccl_types.h"
#include "hcomm/hcomm_res_defs.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HCCL_RES_TAG_MAX_LEN 255

/* ---- memory ---- */

/* This rank's buffer, twice HCCL_BUFFSIZE. Every call returns the same buffer, which belongs to the
 * communicator. */
ACL_FUNC_VISIBILITY HcclResult HcclGetHcclBuffer(HcclComm comm, void** buffer, uint64_t* size);
ACL_FUNC_VISIBILITY HcclResult HcclGetHcclBufferCleared(HcclComm comm, void** buffer,
                                                        uint64_t* size);
/* Registers memory that channels can expose (HcclChannelDesc.memHandles). A tag is used once. */
ACL_FUNC_VISIBILITY HcclResult HcclCommMemReg(HcclComm comm, const char* memTag, const CommMem* mem,
                                              HcclMemHandle* memHandle);
ACL_FUNC_VISIBILITY HcclResult HcclCommDeregMem(HcclComm comm, const char* memTag,
                                                const void* memHandle);

/* ---- threads: they live as long as the communicator ---- */

ACL_FUNC_VISIBILITY HcclResult HcclThreadAcquire(HcclComm comm, CommEngine engine,
                                                 uint32_t threadNum, uint32_t notifyNumPerThread,
                                                 ThreadHandle* threads);
ACL_FUNC_VISIBILITY HcclResult HcclThreadAcquireWithConfig(HcclComm comm, CommEngine engine,
                                                           uint32_t threadNum, ThreadType type,
                                                           const ThreadConfig* config,
                                                           ThreadHandle* threads);
/* The same stream gives the same thread. Its number of notifies grows if a call asks for more. */
ACL_FUNC_VISIBILITY HcclResult HcclThreadAcquireWithStream(HcclComm comm, CommEngine engine,
                                                           aclrtStream stream, uint32_t notifyNum,
                                                           ThreadHandle* thread);
ACL_FUNC_VISIBILITY HcclResult HcclDedicatedThreadAcquire(HcclComm comm,
                                                          HcclDedicatedThreadType useType,
                                                          uint32_t notifyNumPerThread,
                                                          ThreadHandle* thread);
/* infoLen: 8. *info becomes the stream. */
ACL_FUNC_VISIBILITY HcclResult HcclThreadResGetInfo(HcclComm comm, ThreadHandle thread,
                                                    ThreadResType resType, uint32_t infoLen,
                                                    void** info);
ACL_FUNC_VISIBILITY HcclResult HcclGetNotifyNumInThread(HcclComm comm, ThreadHandle thread,
                                                        CommEngine engine, uint32_t* notifyNum);
ACL_FUNC_VISIBILITY HcclResult HcclThreadExportToCommEngine(HcclComm comm, uint32_t threadNum,
                                                            const ThreadHandle* threads,
                                                            CommEngine dstCommEngine,
                                                            ThreadHandle* exportedThreads);

/* ---- contexts: a block of memory under a tag, for each engine ---- */

ACL_FUNC_VISIBILITY HcclResult HcclEngineCtxCreate(HcclComm comm, const char* ctxTag,
                                                   CommEngine engine, uint64_t size, void** ctx);
/* 6 if the context does not exist. */
ACL_FUNC_VISIBILITY HcclResult HcclEngineCtxGet(HcclComm comm, const char* ctxTag,
                                                CommEngine engine, void** ctx, uint64_t* size);
ACL_FUNC_VISIBILITY HcclResult HcclEngineCtxCopy(HcclComm comm, CommEngine engine,
                                                 const char* ctxTag, const void* srcCtx,
                                                 uint64_t size, uint64_t dstCtxOffset);
ACL_FUNC_VISIBILITY HcclResult HcclEngineCtxDestroy(HcclComm comm, const char* ctxTag,
                                                    CommEngine engine);

/* ---- names that older pages use ---- */

typedef enum HcclMemType {
  HCCL_MEM_TYPE_DEVICE = 0,
  HCCL_MEM_TYPE_HOST = 1,
  HCCL_MEM_TYPE_NUM = 2
} HcclMemType;
typedef ThreadHandle HcclThread;
#ifndef HCCL_NO_SHORT_NAMES /* for programs whose own u32 is another type */
typedef uint32_t u32;
#endif

#ifdef __cplusplus
}
#endif

#endif /* HCCL_INCLUDE_HCCL_RES_H_ */
