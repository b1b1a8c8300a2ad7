// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace order {

/// The wait-for graph: for each blocked actor, other actors of which one has to proceed first.
using WaitsFor = std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>;

/// The shortest cycle that contains one of the actors; empty when no such cycle exists.
std::vector<std::uint32_t> shortest_cycle(const WaitsFor& edges,
                                          std::span<const std::uint32_t> through);

}  // namespace order
