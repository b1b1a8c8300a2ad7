// SPDX-License-Identifier: Apache-2.0
// The way to ranks of other hosts. There are two of these functions' kind: over UCX, and, where the
// build has none, one that says so.
#pragma once

#include <memory>

#include "runtime/fabric/base/bytes.h"
#include "runtime/fabric/ranks/group.h"
#include "runtime/fabric/transport/memory.h"
#include "runtime/fabric/transport/transport.h"

namespace fabric {

/// Memory that ranks of other hosts reach, while this lives.
class Exposure {
 public:
  virtual ~Exposure() = default;
  /// What they need to reach it.
  virtual const Bytes& card() const noexcept = 0;
};

/// Null where this process has no way to other hosts; make_network_transport says why.
std::unique_ptr<Exposure> expose(const std::shared_ptr<Process>& process, const MemoryCard& card);

/// Throws FabricError(broken) where there is no way.
std::unique_ptr<Transport> make_network_transport(Group& group, int rank);

}  // namespace fabric
