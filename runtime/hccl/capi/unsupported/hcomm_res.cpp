// SPDX-License-Identifier: Apache-2.0
#include "hcomm/hcomm_res.h"

#include "runtime/hccl/base/unsupported.h"

HCCL_UNSUPPORTED(HcommResult, HcommEndpointCreate, (const EndpointDesc*, EndpointHandle*),
                 "endpoints");
HCCL_UNSUPPORTED(HcommResult, HcommEndpointDestroy, (EndpointHandle), "endpoints");
HCCL_UNSUPPORTED(HcommResult, HcommEndpointGetDescNum, (int32_t, uint32_t*), "endpoints");
HCCL_UNSUPPORTED(HcommResult, HcommEndpointGetDescs, (int32_t, uint32_t*, EndpointDesc*),
                 "endpoints");
HCCL_UNSUPPORTED(HcommResult, HcommMemReg,
                 (EndpointHandle, const char*, const CommMem*, HcommMemHandle*), "endpoints");
HCCL_UNSUPPORTED(HcommResult, HcommMemUnreg, (EndpointHandle, HcommMemHandle), "endpoints");
HCCL_UNSUPPORTED(HcommResult, HcommMemExport, (EndpointHandle, HcommMemHandle, void**, uint32_t*),
                 "endpoints");
HCCL_UNSUPPORTED(HcommResult, HcommMemImport, (EndpointHandle, const void*, uint32_t, CommMem*),
                 "endpoints");
HCCL_UNSUPPORTED(HcommResult, HcommMemUnimport, (EndpointHandle, const void*, uint32_t),
                 "endpoints");
HCCL_UNSUPPORTED(HcommResult, HcommThreadAlloc,
                 (CommEngine, uint32_t, const uint32_t*, ThreadHandle*), "endpoints");
HCCL_UNSUPPORTED(HcommResult, HcommThreadFree, (const ThreadHandle*, uint32_t), "endpoints");
HCCL_UNSUPPORTED(HcommResult, HcommEndpointGetListenPort, (EndpointHandle, uint32_t*), "endpoints");
HCCL_UNSUPPORTED(HcommResult, HcommThreadResGetInfo,
                 (ThreadHandle, ThreadResType, uint32_t, void**), "endpoints");
HCCL_UNSUPPORTED(HcommResult, HcommEndpointCheckFeature,
                 (HcommEndpointFeatureType, const EndpointDesc*, bool*), "endpoints");
HCCL_UNSUPPORTED(HcommResult, HcommMemAlloc, (void**, size_t), "endpoints");
HCCL_UNSUPPORTED(HcommResult, HcommMemFree, (void*), "endpoints");
