// SPDX-License-Identifier: Apache-2.0
#include "hccl/hccl_rank_graph.h"

#include "runtime/hccl/base/unsupported.h"

HCCL_UNSUPPORTED(HcclResult, HcclRankGraphGetTopoInstsByLayer,
                 (HcclComm, uint32_t, uint32_t**, uint32_t*),
                 "instances and endpoints of the rank graph");
HCCL_UNSUPPORTED(HcclResult, HcclRankGraphGetTopoType, (HcclComm, uint32_t, uint32_t, CommTopo*),
                 "instances and endpoints of the rank graph");
HCCL_UNSUPPORTED(HcclResult, HcclRankGraphGetRanksByTopoInst,
                 (HcclComm, uint32_t, uint32_t, uint32_t**, uint32_t*),
                 "instances and endpoints of the rank graph");
HCCL_UNSUPPORTED(HcclResult, HcclGetHeterogMode, (HcclComm, HcclHeterogMode*),
                 "instances and endpoints of the rank graph");
HCCL_UNSUPPORTED(HcclResult, HcclRankGraphGetEndpointNum, (HcclComm, uint32_t, uint32_t, uint32_t*),
                 "instances and endpoints of the rank graph");
HCCL_UNSUPPORTED(HcclResult, HcclRankGraphGetEndpointDesc,
                 (HcclComm, uint32_t, uint32_t, uint32_t*, EndpointDesc*),
                 "instances and endpoints of the rank graph");
HCCL_UNSUPPORTED(HcclResult, HcclRankGraphGetEndpointInfo,
                 (HcclComm, uint32_t, const EndpointDesc*, EndpointAttr, uint32_t, void*),
                 "instances and endpoints of the rank graph");
