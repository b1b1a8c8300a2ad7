/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Experimental resources of a communicator. HcclThreadExportToCommEngine (hccl_res.h) is emulated;
 * the other functions return HCCL_E_NOT_SUPPORT.
 */
#ifndef HCCL_INCLUDE_HCCL_RES_EXPT_H_
#define HCCL_INCLUDE_HCCL_RES_EXPT_H_

#include <stdbool.h>

#include "hccl/hccl_res.h"

#ifdef __cplusplus
extern "C" {
#endif

ACL_FUNC_VISIBILITY HcclResult HcclGetRemoteIpcHcclBuf(HcclComm comm, uint64_t remoteRank,
                                                       void** addr, uint64_t* size);
ACL_FUNC_VISIBILITY HcclResult HcclDevMemAcquire(HcclComm comm, const char* memTag, uint64_t* size,
                                                 void** addr, bool* newCreated);

/* A task of the host: the address and the size of its data. */
typedef int32_t(Callback)(uint64_t, int32_t);
ACL_FUNC_VISIBILITY int32_t HcclTaskRegister(HcclComm comm, const char* msgTag, Callback cb);
ACL_FUNC_VISIBILITY int32_t HcclTaskUnRegister(HcclComm comm, const char* msgTag);

/* Data that ranks compare when they connect. */
ACL_FUNC_VISIBILITY HcclResult HcclCommAddExchangeInfo(HcclComm comm, const void* data,
                                                       uint32_t length);
ACL_FUNC_VISIBILITY HcclResult HcclCommGetExchangeInfo(HcclComm comm, uint32_t remoteRank,
                                                       uint32_t length, void* data,
                                                       uint32_t* actualLength);
ACL_FUNC_VISIBILITY HcclResult HcclCommResetExchangeInfo(HcclComm comm);

#ifdef __cplusplus
}
#endif

#endif /* HCCL_INCLUDE_HCCL_RES_EXPT_H_ */
