// SPDX-License-Identifier: Apache-2.0
// hccl_rank_graph.h
#include "runtime/hccl/comm/rank_graph.h"

#include "hccl/hccl_rank_graph.h"
#include "runtime/hccl/base/guard.h"
#include "runtime/hccl/comm/registry.h"

using namespace hccl;

namespace {

/// Returns an array that lives as long as the communicator.
template <class T>
void give(Communicator& communicator, std::vector<T> values, T*& array, std::uint32_t& size) {
  size = static_cast<std::uint32_t>(values.size());
  array = values.empty() ? nullptr : communicator.keep(std::move(values));
}

}  // namespace

extern "C" {

HcclResult HcclRankGraphGetLayers(HcclComm comm, uint32_t** netLayers, uint32_t* netLayerNum) {
  return guarded(__func__, [&] {
    auto& array = require_out(netLayers, "netLayers");
    auto& size = require_out(netLayerNum, "netLayerNum");
    const auto communicator = Registry::instance().find(comm);
    give(*communicator, RankGraph(*communicator).layers(), array, size);
  });
}

HcclResult HcclRankGraphGetRanksByLayer(HcclComm comm, uint32_t netLayer, uint32_t** ranks,
                                        uint32_t* rankNum) {
  return guarded(__func__, [&] {
    auto& array = require_out(ranks, "ranks");
    auto& size = require_out(rankNum, "rankNum");
    const auto communicator = Registry::instance().find(comm);
    give(*communicator, RankGraph(*communicator).ranks(netLayer), array, size);
  });
}

HcclResult HcclRankGraphGetRankSizeByLayer(HcclComm comm, uint32_t netLayer, uint32_t* rankNum) {
  return guarded(__func__, [&] {
    auto& out = require_out(rankNum, "rankNum");
    const auto communicator = Registry::instance().find(comm);
    out = static_cast<std::uint32_t>(RankGraph(*communicator).ranks(netLayer).size());
  });
}

HcclResult HcclRankGraphGetTopoTypeByLayer(HcclComm comm, uint32_t netLayer, CommTopo* topoType) {
  return guarded(__func__, [&] {
    auto& out = require_out(topoType, "topoType");
    out = RankGraph(*Registry::instance().find(comm)).topology(netLayer);
  });
}

HcclResult HcclRankGraphGetInstSizeListByLayer(HcclComm comm, uint32_t netLayer,
                                               uint32_t** instSizeList, uint32_t* listSize) {
  return guarded(__func__, [&] {
    auto& array = require_out(instSizeList, "instSizeList");
    auto& size = require_out(listSize, "listSize");
    const auto communicator = Registry::instance().find(comm);
    give(*communicator, RankGraph(*communicator).instance_sizes(netLayer), array, size);
  });
}

HcclResult HcclRankGraphGetLinks(HcclComm comm, uint32_t netLayer, uint32_t srcRank,
                                 uint32_t dstRank, CommLink** links, uint32_t* linkNum) {
  return guarded(__func__, [&] {
    auto& array = require_out(links, "links");
    auto& size = require_out(linkNum, "linkNum");
    const auto communicator = Registry::instance().find(comm);
    give(*communicator, RankGraph(*communicator).links(netLayer, srcRank, dstRank), array, size);
  });
}

}  // extern "C"
