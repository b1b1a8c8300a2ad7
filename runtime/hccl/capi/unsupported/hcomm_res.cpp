// SPDX-License-Identifier: Apache-2.0
#include "hcomm/hcomm_res.h"

#include "runtime/hccl/base/unsupported.h"

HCCL_UNSUPPORTED(HcommResult, HcommEndpointCreate,
                 (const EndpointDesc* endpoint, EndpointHandle* endpointHandle), "endpoints",
                 endpoint, endpointHandle);
HCCL_UNSUPPORTED(HcommResult, HcommEndpointDestroy, (EndpointHandle endpointHandle), "endpoints",
                 endpointHandle);
HCCL_UNSUPPORTED(HcommResult, HcommEndpointGetDescNum, (int32_t, uint32_t* descNum), "endpoints",
                 descNum);
HCCL_UNSUPPORTED(HcommResult, HcommEndpointGetDescs,
                 (int32_t, uint32_t* descNum, EndpointDesc* endpointDescs), "endpoints", descNum,
                 endpointDescs);
HCCL_UNSUPPORTED(HcommResult, HcommMemReg,
                 (EndpointHandle endpointHandle, const char* memTag, const CommMem* mem,
                  HcommMemHandle* memHandle),
                 "endpoints", endpointHandle, memTag, mem, memHandle);
HCCL_UNSUPPORTED(HcommResult, HcommMemUnreg,
                 (EndpointHandle endpointHandle, HcommMemHandle memHandle), "endpoints",
                 endpointHandle, memHandle);
HCCL_UNSUPPORTED(HcommResult, HcommMemExport,
                 (EndpointHandle endpointHandle, HcommMemHandle memHandle, void** memDesc,
                  uint32_t* memDescLen),
                 "endpoints", endpointHandle, memHandle, memDesc, memDescLen);
HCCL_UNSUPPORTED(HcommResult, HcommMemImport,
                 (EndpointHandle endpointHandle, const void* memDesc, uint32_t, CommMem* outMem),
                 "endpoints", endpointHandle, memDesc, outMem);
HCCL_UNSUPPORTED(HcommResult, HcommMemUnimport,
                 (EndpointHandle endpointHandle, const void* memDesc, uint32_t), "endpoints",
                 endpointHandle, memDesc);
HCCL_UNSUPPORTED(HcommResult, HcommThreadAlloc,
                 (CommEngine, uint32_t, const uint32_t* notifyNumPerThread, ThreadHandle* threads),
                 "endpoints", notifyNumPerThread, threads);
HCCL_UNSUPPORTED(HcommResult, HcommThreadFree, (const ThreadHandle* threads, uint32_t), "endpoints",
                 threads);
HCCL_UNSUPPORTED(HcommResult, HcommEndpointGetListenPort,
                 (EndpointHandle endpointHandle, uint32_t* port), "endpoints", endpointHandle,
                 port);
HCCL_UNSUPPORTED(HcommResult, HcommEndpointCheckFeature,
                 (HcommEndpointFeatureType, const EndpointDesc* endpointDesc, bool* value),
                 "endpoints", endpointDesc, value);
HCCL_UNSUPPORTED(HcommResult, HcommMemAlloc, (void** ptr, size_t), "endpoints", ptr);
HCCL_UNSUPPORTED(HcommResult, HcommMemFree, (void* ptr), "endpoints", ptr);

HCCL_UNSUPPORTED_AFTER(HcommResult, HcommThreadResGetInfo,
                       (ThreadHandle thread, ThreadResType, uint32_t infoLen, void** info),
                       "endpoints", {
                         require_input(thread, "thread");
                         require_input(info, "info");
                         if (infoLen != sizeof(aclrtStream)) {
                           fail(HCCL_E_PARA, "infoLen is {}; expected {}", infoLen,
                                sizeof(aclrtStream));
                         }
                       });
