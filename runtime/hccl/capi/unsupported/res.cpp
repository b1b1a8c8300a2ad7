// SPDX-License-Identifier: Apache-2.0
#include "hccl/hccl_res.h"

#include "runtime/hccl/base/unsupported.h"

HCCL_UNSUPPORTED(HcclResult, HcclGetHcclBufferCleared, (HcclComm, void**, uint64_t*),
                 "threads, buffers and contexts of communicators");
HCCL_UNSUPPORTED(HcclResult, HcclDedicatedThreadAcquire,
                 (HcclComm, HcclDedicatedThreadType, uint32_t, ThreadHandle*),
                 "threads, buffers and contexts of communicators");
