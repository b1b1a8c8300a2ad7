// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace aclsim {

/// Removes unnecessary entries (Zeller's delta debugging): returns a list that still fails, from
/// which no single entry can be removed. `first_failing(lists)` returns the index of a list that
/// fails, the lowest one if known, or nullopt if none fails or the time is up.
template <class Item, class FirstFailing>
std::vector<Item> minimise(std::vector<Item> list, FirstFailing first_failing) {
  using List = std::vector<Item>;
  if (list.empty()) return list;
  if (first_failing(std::vector<List>{List{}})) return {};
  for (std::size_t pieces = 2; list.size() > 1;) {
    pieces = std::min(pieces, list.size());
    std::vector<List> shorter;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      const auto from = static_cast<std::ptrdiff_t>(piece * list.size() / pieces);
      const auto to = static_cast<std::ptrdiff_t>((piece + 1) * list.size() / pieces);
      List& rest = shorter.emplace_back(list.begin(), list.begin() + from);
      rest.insert(rest.end(), list.begin() + to, list.end());
    }
    if (const std::optional<std::size_t> found = first_failing(shorter)) {
      list = std::move(shorter[*found]);
      pieces = std::max<std::size_t>(pieces - 1, 2);
    } else if (pieces == list.size()) {
      break;
    } else {
      pieces *= 2;
    }
  }
  return list;
}

}  // namespace aclsim
