// SPDX-License-Identifier: Apache-2.0
#include "hccl/hccl_comm.h"

#include "runtime/hccl/base/unsupported.h"

HCCL_UNSUPPORTED(HcclResult, HcclCommSuspend, (HcclComm), "recovery of hardware");
HCCL_UNSUPPORTED(HcclResult, HcclCommRegCommStateCallback,
                 (const char*, HcclCommStateCallback, void*), "callbacks of communicators");
HCCL_UNSUPPORTED(HcclResult, HcclCommResume, (HcclComm), "recovery of hardware");
HCCL_UNSUPPORTED(HcclResult, HcclCommSetMemoryRange, (HcclComm, void*, size_t, size_t, uint64_t),
                 "memory that peers use without a copy");
HCCL_UNSUPPORTED(HcclResult, HcclCommUnsetMemoryRange, (HcclComm, void*),
                 "memory that peers use without a copy");
HCCL_UNSUPPORTED(HcclResult, HcclCommActivateCommMemory,
                 (HcclComm, void*, size_t, size_t, aclrtDrvMemHandle, uint64_t),
                 "memory that peers use without a copy");
HCCL_UNSUPPORTED(HcclResult, HcclCommDeactivateCommMemory, (HcclComm, void*),
                 "memory that peers use without a copy");
HCCL_UNSUPPORTED(HcclResult, HcclCommWorkingDevNicSet, (HcclComm, uint32_t*, bool*, uint32_t),
                 "recovery of hardware");
HCCL_UNSUPPORTED(HcclResult, HcclCommSymWinRegister,
                 (HcclComm, void*, uint64_t, HcclCommSymWindow*, uint32_t),
                 "memory that peers use without a copy");
HCCL_UNSUPPORTED(HcclResult, HcclCommSymWinDeregister, (HcclCommSymWindow),
                 "memory that peers use without a copy");
HCCL_UNSUPPORTED(HcclResult, HcclCommSymWinGet,
                 (HcclComm, void*, size_t, HcclCommSymWindow*, size_t*),
                 "memory that peers use without a copy");
HCCL_UNSUPPORTED(HcclResult, HcclConfigGetInfo, (HcclComm, HcclConfigType, uint32_t, void*),
                 "settings of one communicator");
