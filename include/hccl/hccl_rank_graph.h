/* SPDX-License-Identifier: Apache-2.0 */
/* The topology. Layer 0 is within a server, layer 1 between servers. Returned arrays belong to the
 * library and live until the communicator is destroyed. */
#ifndef HCCL_INCLUDE_HCCL_RANK_GRAPH_H_
#define HCCL_INCLUDE_HCCL_RANK_GRAPH_H_

#include "hccl/hccl_types.h"
#include "hcomm/hcomm_res_defs.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CommTopo {
  COMM_TOPO_RESERVED = -1,
  COMM_TOPO_CLOS = 0,
  COMM_TOPO_1DMESH = 1,
  COMM_TOPO_910_93 = 2,
  COMM_TOPO_310P = 3,
  COMM_TOPO_A2AXSERVER = 4,
  COMM_TOPO_CUSTOM = 5
} CommTopo;

typedef enum HcclHeterogMode {
  HCCL_HETEROG_MODE_INVALID = -1,
  HCCL_HETEROG_MODE_HOMOGENEOUS = 0,
  HCCL_HETEROG_MODE_MIX_A2_A3 = 1
} HcclHeterogMode;

#define COMM_LINK_MAGIC_WORD 0x0f0e0f0fU
#define COMM_LINK_VERSION 1U

typedef struct CommLink {
  CommAbiHeader header;
  EndpointDesc srcEndpointDesc;
  EndpointDesc dstEndpointDesc;
  union {
    uint8_t raws[128];
    __extension__ struct {
      CommProtocol linkProtocol;
      uint8_t hop;
    };
  } linkAttr;
} CommLink;

/* Every byte 0xff, then header and ends without a value; HCCL_E_PTR for NULL. */
static inline HcclResult CommLinkInit(CommLink* commLink, uint32_t linkNum) {
  uint32_t i;
  if (commLink == NULL) return HCCL_E_PTR;
  for (i = 0; i < linkNum; ++i) {
    CommLink* const link = &commLink[i];
    memset((void*)link, 0xff, sizeof *link);
    link->header.version = COMM_LINK_VERSION;
    link->header.magicWord = COMM_LINK_MAGIC_WORD;
    link->header.size = (uint32_t)sizeof *link;
    link->header.reserved = 0;
    (void)EndpointDescInit(&link->srcEndpointDesc, 1);
    (void)EndpointDescInit(&link->dstEndpointDesc, 1);
    link->linkAttr.linkProtocol = COMM_PROTOCOL_RESERVED;
  }
  return HCCL_SUCCESS;
}

ACL_FUNC_VISIBILITY HcclResult HcclRankGraphGetLayers(HcclComm comm, uint32_t** netLayers,
                                                      uint32_t* netLayerNum);
ACL_FUNC_VISIBILITY HcclResult HcclRankGraphGetRanksByLayer(HcclComm comm, uint32_t netLayer,
                                                            uint32_t** ranks, uint32_t* rankNum);
ACL_FUNC_VISIBILITY HcclResult HcclRankGraphGetRankSizeByLayer(HcclComm comm, uint32_t netLayer,
                                                               uint32_t* rankNum);
ACL_FUNC_VISIBILITY HcclResult HcclRankGraphGetTopoTypeByLayer(HcclComm comm, uint32_t netLayer,
                                                               CommTopo* topoType);
ACL_FUNC_VISIBILITY HcclResult HcclRankGraphGetInstSizeListByLayer(HcclComm comm, uint32_t netLayer,
                                                                   uint32_t** instSizeList,
                                                                   uint32_t* listSize);
/* The number of links is 0 if the layer does not connect the two. */
ACL_FUNC_VISIBILITY HcclResult HcclRankGraphGetLinks(HcclComm comm, uint32_t netLayer,
                                                     uint32_t srcRank, uint32_t dstRank,
                                                     CommLink** links, uint32_t* linkNum);
ACL_FUNC_VISIBILITY HcclResult HcclRankGraphGetTopoInstsByLayer(HcclComm comm, uint32_t netLayer,
                                                                uint32_t** topoInsts,
                                                                uint32_t* topoInstNum);
ACL_FUNC_VISIBILITY HcclResult HcclRankGraphGetTopoType(HcclComm comm, uint32_t netLayer,
                                                        uint32_t topoInstId, CommTopo* topoType);
ACL_FUNC_VISIBILITY HcclResult HcclRankGraphGetRanksByTopoInst(HcclComm comm, uint32_t netLayer,
                                                               uint32_t topoInstId,
                                                               uint32_t** ranks, uint32_t* rankNum);
ACL_FUNC_VISIBILITY HcclResult HcclRankGraphGetEndpointNum(HcclComm comm, uint32_t layer,
                                                           uint32_t topoInstId, uint32_t* num);
ACL_FUNC_VISIBILITY HcclResult HcclRankGraphGetEndpointDesc(HcclComm comm, uint32_t layer,
                                                            uint32_t topoInstId, uint32_t* descNum,
                                                            EndpointDesc* endpointDesc);
ACL_FUNC_VISIBILITY HcclResult HcclRankGraphGetEndpointInfo(HcclComm comm, uint32_t rankId,
                                                            const EndpointDesc* endpointDesc,
                                                            EndpointAttr endpointAttr,
                                                            uint32_t infoLen, void* info);
ACL_FUNC_VISIBILITY HcclResult HcclGetHeterogMode(HcclComm comm, HcclHeterogMode* mode);

#ifdef __cplusplus
}
#endif

#endif /* HCCL_INCLUDE_HCCL_RANK_GRAPH_H_ */
