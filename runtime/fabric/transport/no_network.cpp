// SPDX-License-Identifier: Apache-2.0
// The implementation for builds without UCX.
#if !ACLSIM_HAVE_UCX
#include <string>

#include "runtime/fabric/transport/network.h"

namespace fabric {

std::unique_ptr<Exposure> expose(const std::shared_ptr<Process>&, const MemoryCard&) {
  return nullptr;
}

std::unique_ptr<Transport> make_network_transport(Group& group, int rank) {
  throw FabricError(Status::broken,
                    "rank " + std::to_string(rank) + " (process " +
                        std::to_string(group.peer(rank).process.pid) +
                        ") is on another host; this build has no transport between hosts: install "
                        "libucx-dev, configure and build again");
}

}  // namespace fabric
#endif
