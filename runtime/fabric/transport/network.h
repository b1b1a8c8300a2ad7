// SPDX-License-Identifier: Apache-2.0
// The connection to ranks of other hosts. The functions have two implementations: one over UCX, and
// one for builds without UCX, which reports that UCX is missing.
#pragma once

#include <memory>

#include "runtime/fabric/base/bytes.h"
#include "runtime/fabric/ranks/group.h"
#include "runtime/fabric/transport/memory.h"
#include "runtime/fabric/transport/transport.h"

namespace fabric {

/// Memory that ranks of other hosts can reach while this object lives.
class Exposure {
 public:
  virtual ~Exposure() = default;
  /// The data that they need to reach it.
  virtual const Bytes& card() const noexcept = 0;
};

/// Returns null if this process has no connection to other hosts; make_network_transport gives the
/// reason.
std::unique_ptr<Exposure> expose(const std::shared_ptr<Process>& process, const MemoryCard& card);

/// Throws FabricError(broken) if this process has no connection to other hosts.
std::unique_ptr<Transport> make_network_transport(Group& group, int rank);

}  // namespace fabric
