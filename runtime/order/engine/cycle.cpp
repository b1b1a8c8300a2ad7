// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/cycle.h"

#include <algorithm>
#include <deque>

namespace order {
namespace {

std::vector<std::uint32_t> way_back(const WaitsFor& edges, std::uint32_t start) {
  std::unordered_map<std::uint32_t, std::uint32_t> waiter_of;
  std::deque<std::uint32_t> next{start};
  while (!next.empty()) {
    const std::uint32_t at = next.front();
    next.pop_front();
    const auto others = edges.find(at);
    if (others == edges.end()) continue;
    for (const std::uint32_t other : others->second) {
      if (other != start) {
        if (waiter_of.emplace(other, at).second) next.push_back(other);
        continue;
      }
      std::vector<std::uint32_t> way{at};
      while (way.back() != start) way.push_back(waiter_of.at(way.back()));
      std::reverse(way.begin(), way.end());
      return way;
    }
  }
  return {};
}

}  // namespace

std::vector<std::uint32_t> shortest_cycle(const WaitsFor& edges,
                                          std::span<const std::uint32_t> through) {
  std::vector<std::uint32_t> shortest;
  for (const std::uint32_t one : through) {
    const std::vector<std::uint32_t> way = way_back(edges, one);
    if (!way.empty() && (shortest.empty() || way.size() < shortest.size())) shortest = way;
  }
  return shortest;
}

}  // namespace order
