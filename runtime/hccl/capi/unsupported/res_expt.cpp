// SPDX-License-Identifier: Apache-2.0
#include "hccl/hccl_res_expt.h"

#include "runtime/hccl/base/unsupported.h"

HCCL_UNSUPPORTED(HcclResult, HcclGetRemoteIpcHcclBuf,
                 (HcclComm comm, uint64_t, void** addr, uint64_t* size),
                 "experimental resources of communicators", comm, addr, size);
HCCL_UNSUPPORTED(HcclResult, HcclDevMemAcquire,
                 (HcclComm comm, const char* memTag, uint64_t* size, void** addr, bool* newCreated),
                 "experimental resources of communicators", comm, memTag, size, addr, newCreated);
HCCL_UNSUPPORTED(int32_t, HcclTaskRegister, (HcclComm comm, const char* msgTag, Callback cb),
                 "experimental resources of communicators", comm, msgTag, cb);
HCCL_UNSUPPORTED(int32_t, HcclTaskUnRegister, (HcclComm comm, const char* msgTag),
                 "experimental resources of communicators", comm, msgTag);
HCCL_UNSUPPORTED(HcclResult, HcclCommAddExchangeInfo, (HcclComm comm, const void* data, uint32_t),
                 "experimental resources of communicators", comm, data);
HCCL_UNSUPPORTED(HcclResult, HcclCommGetExchangeInfo,
                 (HcclComm comm, uint32_t, uint32_t, void* data, uint32_t* actualLength),
                 "experimental resources of communicators", comm, data, actualLength);
HCCL_UNSUPPORTED(HcclResult, HcclCommResetExchangeInfo, (HcclComm comm),
                 "experimental resources of communicators", comm);
