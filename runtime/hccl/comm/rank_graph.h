// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "hccl/hccl_rank_graph.h"
#include "runtime/hccl/comm/communicator.h"

namespace hccl {

/// How the ranks of a communicator are connected: each with each within a server (layer 0), through
/// a network between servers (layer 1, where there are several). Raises HCCL_E_PARA for layers and
/// ranks that there are not.
class RankGraph {
 public:
  static constexpr std::uint32_t kServer = 0;
  static constexpr std::uint32_t kNetwork = 1;

  explicit RankGraph(const Communicator& communicator) : communicator_(communicator) {}

  std::vector<std::uint32_t> layers() const;
  /// Those that this rank reaches in the layer, itself included.
  std::vector<std::uint32_t> ranks(std::uint32_t layer) const;
  CommTopo topology(std::uint32_t layer) const;
  /// How many ranks each instance of the layer has: servers, or the one network.
  std::vector<std::uint32_t> instance_sizes(std::uint32_t layer) const;
  /// None where the layer does not connect the two.
  std::vector<CommLink> links(std::uint32_t layer, std::uint32_t from, std::uint32_t to) const;

 private:
  void require_layer(std::uint32_t layer) const;
  EndpointDesc endpoint(std::uint32_t rank, CommProtocol protocol) const;
  const Communicator& communicator_;
};

}  // namespace hccl
