// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/comm/rank_graph.h"

#include <algorithm>

#include "runtime/hccl/base/error.h"

namespace hccl {

std::vector<std::uint32_t> RankGraph::layers() const {
  const auto& servers = communicator_.servers();
  const bool several = *std::max_element(servers.begin(), servers.end()) > 0;
  return several ? std::vector{kServer, kNetwork} : std::vector{kServer};
}

void RankGraph::require_layer(std::uint32_t layer) const {
  const auto known = layers();
  if (std::find(known.begin(), known.end(), layer) != known.end()) return;
  fail(HCCL_E_PARA, "netLayer is {}; this communicator has {}", layer,
       known.size() == 1 ? "layer 0 alone" : "layers 0 and 1");
}

std::vector<std::uint32_t> RankGraph::ranks(std::uint32_t layer) const {
  require_layer(layer);
  std::vector<std::uint32_t> result;
  for (std::uint32_t rank = 0; rank < communicator_.size(); ++rank) {
    if (layer == kNetwork || communicator_.same_server(rank, communicator_.rank())) {
      result.push_back(rank);
    }
  }
  return result;
}

CommTopo RankGraph::topology(std::uint32_t layer) const {
  require_layer(layer);
  return layer == kServer ? COMM_TOPO_1DMESH : COMM_TOPO_CLOS;
}

std::vector<std::uint32_t> RankGraph::instance_sizes(std::uint32_t layer) const {
  require_layer(layer);
  if (layer == kNetwork) return {communicator_.size()};
  std::vector<std::uint32_t> sizes;
  for (const std::uint32_t server : communicator_.servers()) {
    if (server >= sizes.size()) sizes.resize(server + 1);
    ++sizes[server];
  }
  return sizes;
}

EndpointDesc RankGraph::endpoint(std::uint32_t rank, CommProtocol protocol) const {
  EndpointDesc desc;
  EndpointDescInit(&desc, 1);
  desc.protocol = protocol;
  desc.loc.locType = ENDPOINT_LOC_TYPE_DEVICE;
  desc.loc.device.devPhyId =
      static_cast<std::uint32_t>(communicator_.card_of(rank).physical_device);
  desc.loc.device.superDevId = 0;
  desc.loc.device.serverIdx = communicator_.servers().at(rank);
  desc.loc.device.superPodIdx = 0;
  return desc;
}

std::vector<CommLink> RankGraph::links(std::uint32_t layer, std::uint32_t from,
                                       std::uint32_t to) const {
  if (layer > kNetwork) fail(HCCL_E_PARA, "netLayer is {}; expected 0 or 1", layer);
  for (const std::uint32_t rank : {from, to}) {
    if (rank >= communicator_.size()) {
      fail(HCCL_E_PARA, "a rank is {}; expected less than {}", rank, communicator_.size());
    }
  }
  if (from == to) fail(HCCL_E_PARA, "srcRank and dstRank are both {}", from);
  if ((layer == kServer) != communicator_.same_server(from, to)) return {};
  const CommProtocol protocol = layer == kServer ? COMM_PROTOCOL_HCCS : COMM_PROTOCOL_ROCE;
  CommLink link;
  CommLinkInit(&link, 1);
  link.srcEndpointDesc = endpoint(from, protocol);
  link.dstEndpointDesc = endpoint(to, protocol);
  link.linkAttr.linkProtocol = protocol;
  link.linkAttr.hop = 1;
  return {link};
}

}  // namespace hccl
