// SPDX-License-Identifier: Apache-2.0
#include "hccl/hccl_rank_graph.h"

#include "runtime/hccl/base/unsupported.h"

HCCL_UNSUPPORTED(HcclResult, HcclRankGraphGetTopoInstsByLayer,
                 (HcclComm comm, uint32_t, uint32_t** topoInsts, uint32_t* topoInstNum),
                 "instances and endpoints of the rank graph", comm, topoInsts, topoInstNum);
HCCL_UNSUPPORTED(HcclResult, HcclRankGraphGetTopoType,
                 (HcclComm comm, uint32_t, uint32_t, CommTopo* topoType),
                 "instances and endpoints of the rank graph", comm, topoType);
HCCL_UNSUPPORTED(HcclResult, HcclRankGraphGetRanksByTopoInst,
                 (HcclComm comm, uint32_t, uint32_t, uint32_t** ranks, uint32_t* rankNum),
                 "instances and endpoints of the rank graph", comm, ranks, rankNum);
HCCL_UNSUPPORTED(HcclResult, HcclGetHeterogMode, (HcclComm comm, HcclHeterogMode* mode),
                 "instances and endpoints of the rank graph", comm, mode);
HCCL_UNSUPPORTED(HcclResult, HcclRankGraphGetEndpointNum,
                 (HcclComm comm, uint32_t, uint32_t, uint32_t* num),
                 "instances and endpoints of the rank graph", comm, num);
HCCL_UNSUPPORTED(HcclResult, HcclRankGraphGetEndpointDesc,
                 (HcclComm comm, uint32_t, uint32_t, uint32_t* descNum, EndpointDesc* endpointDesc),
                 "instances and endpoints of the rank graph", comm, descNum, endpointDesc);
HCCL_UNSUPPORTED(HcclResult, HcclRankGraphGetEndpointInfo,
                 (HcclComm comm, uint32_t, const EndpointDesc* endpointDesc, EndpointAttr, uint32_t,
                  void* info),
                 "instances and endpoints of the rank graph", comm, endpointDesc, info);
