// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "hccl/hccl_rank_graph.h"
#include "runtime/hccl/comm/communicator.h"

namespace hccl {

/// The topology of a communicator: all ranks of a server are connected (layer 0), and servers are
/// connected by a network (layer 1, if there are several). Raises HCCL_E_PARA for layers and ranks
/// that do not exist.
class RankGraph {
 public:
  static constexpr std::uint32_t kServer = 0;
  static constexpr std::uint32_t kNetwork = 1;

  explicit RankGraph(const Communicator& communicator) : communicator_(communicator) {}

  std::vector<std::uint32_t> layers() const;
  /// The ranks that this rank reaches in the layer, itself included.
  std::vector<std::uint32_t> ranks(std::uint32_t layer) const;
  CommTopo topology(std::uint32_t layer) const;
  /// The number of ranks of each instance of the layer. An instance is a server, or the network.
  std::vector<std::uint32_t> instance_sizes(std::uint32_t layer) const;
  /// Returns nothing if the layer does not connect the two.
  std::vector<CommLink> links(std::uint32_t layer, std::uint32_t from, std::uint32_t to) const;

 private:
  void require_layer(std::uint32_t layer) const;
  EndpointDesc endpoint(std::uint32_t rank, CommProtocol protocol) const;
  const Communicator& communicator_;
};

}  // namespace hccl
