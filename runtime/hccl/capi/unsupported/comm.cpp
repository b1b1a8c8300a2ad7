// SPDX-License-Identifier: Apache-2.0
#include "hccl/hccl_comm.h"

#include "runtime/hccl/base/unsupported.h"

HCCL_UNSUPPORTED(HcclResult, HcclCommSuspend, (HcclComm comm), "recovery of hardware", comm);
HCCL_UNSUPPORTED(HcclResult, HcclCommRegCommStateCallback,
                 (const char* regName, HcclCommStateCallback cb, void*),
                 "callbacks of communicators", regName, cb);
HCCL_UNSUPPORTED(HcclResult, HcclCommResume, (HcclComm comm), "recovery of hardware", comm);
HCCL_UNSUPPORTED(HcclResult, HcclCommSetMemoryRange,
                 (HcclComm comm, void* baseVirPtr, size_t, size_t, uint64_t),
                 "memory that peers use without a copy", comm, baseVirPtr);
HCCL_UNSUPPORTED(HcclResult, HcclCommUnsetMemoryRange, (HcclComm comm, void* baseVirPtr),
                 "memory that peers use without a copy", comm, baseVirPtr);
HCCL_UNSUPPORTED(HcclResult, HcclCommActivateCommMemory,
                 (HcclComm comm, void* virPtr, size_t, size_t, aclrtDrvMemHandle handle, uint64_t),
                 "memory that peers use without a copy", comm, virPtr, handle);
HCCL_UNSUPPORTED(HcclResult, HcclCommDeactivateCommMemory, (HcclComm comm, void* virPtr),
                 "memory that peers use without a copy", comm, virPtr);
HCCL_UNSUPPORTED(HcclResult, HcclCommWorkingDevNicSet,
                 (HcclComm comm, uint32_t* ranks, bool* useBackup, uint32_t),
                 "recovery of hardware", comm, ranks, useBackup);
HCCL_UNSUPPORTED(HcclResult, HcclCommSymWinRegister,
                 (HcclComm comm, void* addr, uint64_t, HcclCommSymWindow* winHandle, uint32_t),
                 "memory that peers use without a copy", comm, addr, winHandle);
HCCL_UNSUPPORTED(HcclResult, HcclCommSymWinDeregister, (HcclCommSymWindow winHandle),
                 "memory that peers use without a copy", winHandle);
HCCL_UNSUPPORTED(HcclResult, HcclCommSymWinGet,
                 (HcclComm comm, void* ptr, size_t, HcclCommSymWindow* winHandle, size_t* offset),
                 "memory that peers use without a copy", comm, ptr, winHandle, offset);
HCCL_UNSUPPORTED(HcclResult, HcclConfigGetInfo,
                 (HcclComm comm, HcclConfigType, uint32_t, void* info),
                 "settings of one communicator", comm, info);
