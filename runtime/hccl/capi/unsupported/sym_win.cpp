// SPDX-License-Identifier: Apache-2.0
#include "hccl/hccl_sym_win.h"

#include "runtime/hccl/base/unsupported.h"

HCCL_UNSUPPORTED(HcclResult, HcclSymWinGetPeerPointer,
                 (HcclCommSymWindow winHandle, size_t, uint32_t, void** ptr), "symmetric windows",
                 winHandle, ptr);
