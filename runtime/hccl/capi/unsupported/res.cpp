// SPDX-License-Identifier: Apache-2.0
#include "hccl/hccl_res.h"

#include "runtime/hccl/base/unsupported.h"

HCCL_UNSUPPORTED(HcclResult, HcclGetHcclBufferCleared, (HcclComm, void**, uint64_t*),
                 "threads, buffers and contexts of communicators");
HCCL_UNSUPPORTED(HcclResult, HcclThreadAcquireWithConfig,
                 (HcclComm, CommEngine, uint32_t, ThreadType, const ThreadConfig*, ThreadHandle*),
                 "threads, buffers and contexts of communicators");
HCCL_UNSUPPORTED(HcclResult, HcclDedicatedThreadAcquire,
                 (HcclComm, HcclDedicatedThreadType, uint32_t, ThreadHandle*),
                 "threads, buffers and contexts of communicators");
HCCL_UNSUPPORTED(HcclResult, HcclEngineCtxCreate,
                 (HcclComm, const char*, CommEngine, uint64_t, void**),
                 "threads, buffers and contexts of communicators");
HCCL_UNSUPPORTED(HcclResult, HcclEngineCtxGet,
                 (HcclComm, const char*, CommEngine, void**, uint64_t*),
                 "threads, buffers and contexts of communicators");
HCCL_UNSUPPORTED(HcclResult, HcclEngineCtxCopy,
                 (HcclComm, CommEngine, const char*, const void*, uint64_t, uint64_t),
                 "threads, buffers and contexts of communicators");
HCCL_UNSUPPORTED(HcclResult, HcclEngineCtxDestroy, (HcclComm, const char*, CommEngine),
                 "threads, buffers and contexts of communicators");
HCCL_UNSUPPORTED(HcclResult, HcclCommMemReg,
                 (HcclComm, const char*, const CommMem*, HcclMemHandle*),
                 "threads, buffers and contexts of communicators");
HCCL_UNSUPPORTED(HcclResult, HcclThreadExportToCommEngine,
                 (HcclComm, uint32_t, const ThreadHandle*, CommEngine, ThreadHandle*),
                 "threads, buffers and contexts of communicators");
HCCL_UNSUPPORTED(HcclResult, HcclGetNotifyNumInThread,
                 (HcclComm, ThreadHandle, CommEngine, uint32_t*),
                 "threads, buffers and contexts of communicators");
HCCL_UNSUPPORTED(HcclResult, HcclCommDeregMem, (HcclComm, const char*, const void*),
                 "threads, buffers and contexts of communicators");
