// SPDX-License-Identifier: Apache-2.0
// The costs of collectives on the links of a topology.
#pragma once

#include <cstdint>
#include <span>

#include "tools/replay/topology/topology.h"

namespace replay {

/// The duration of a collective if all members begin together. `members`: numbers of devices, or
/// ranks of a network. `bytes`: the size of a rank's buffer; for an all-gather of the output, for a
/// reduce-scatter of the input.
///
/// Each dimension in which the members differ is a phase of its own: reduce-scatter goes through
/// them in order, all-gather back, and each phase works on the bytes that the one before left.
/// Members that do not fill a block of the network, and pairs of devices, are one dimension with
/// the slowest of their links.
Nanoseconds collective_ns(const Topology& topology, trace::Collective kind,
                          std::span<const std::int32_t> members, std::uint64_t bytes);

}  // namespace replay
