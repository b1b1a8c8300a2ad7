// SPDX-License-Identifier: Apache-2.0
#include "hccl/hccl_res.h"

#include "runtime/hccl/base/unsupported.h"

HCCL_UNSUPPORTED(HcclResult, HcclGetHcclBufferCleared,
                 (HcclComm comm, void** buffer, uint64_t* size),
                 "threads, buffers and contexts of communicators", comm, buffer, size);

HCCL_UNSUPPORTED_AFTER(HcclResult, HcclDedicatedThreadAcquire,
                       (HcclComm comm, HcclDedicatedThreadType useType, uint32_t,
                        ThreadHandle* thread),
                       "threads, buffers and contexts of communicators", {
                         require_input(comm, "comm");
                         require_input(thread, "thread");
                         if (useType < HCCL_DED_THREAD_TYPE_AICPU_LAUNCH ||
                             useType > HCCL_DED_THREAD_TYPE_AICPU_ORDER_LAUNCH_DEVICE) {
                           fail(HCCL_E_PARA,
                                "useType is {}; expected 0 to {} (HcclDedicatedThreadType)",
                                static_cast<int>(useType),
                                static_cast<int>(HCCL_DED_THREAD_TYPE_AICPU_ORDER_LAUNCH_DEVICE));
                         }
                       });
