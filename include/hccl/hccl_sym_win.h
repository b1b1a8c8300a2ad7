/* SPDX-License-Identifier: Apache-2.0 */
/* Symmetric windows: memory of all ranks under one handle. */
#ifndef HCCL_INCLUDE_HCCL_SYM_WIN_H_
#define HCCL_INCLUDE_HCCL_SYM_WIN_H_

#include "hccl/hccl_types.h"

#ifdef __cplusplus
extern "C" {
#endif

ACL_FUNC_VISIBILITY HcclResult HcclSymWinGetPeerPointer(HcclCommSymWindow winHandle, size_t offset,
                                                        uint32_t peerRank, void** ptr);

#ifdef __cplusplus
}
#endif

#endif /* HCCL_INCLUDE_HCCL_SYM_WIN_H_ */
