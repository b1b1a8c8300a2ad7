// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/gaps.h"

#include <algorithm>
#include <set>

namespace ascendc {
namespace {

struct Segment {
  std::uint64_t begin;
  GlobalWrites::Cell cell;  // to its end
  std::uint64_t size() const { return cell.end - begin; }
};

/// Bytes that one block wrote; contiguous writes of a block form one segment.
std::vector<Segment> pieces_of(const GlobalWrites& writes) {
  std::vector<Segment> pieces;
  for (const auto& [begin, cell] : writes.cells()) {
    if (!pieces.empty() && pieces.back().cell.end == begin &&
        pieces.back().cell.unit == cell.unit) {
      pieces.back().cell.end = cell.end;
    } else {
      pieces.push_back({begin, cell});
    }
  }
  return pieces;
}

bool one_of_each_block(const std::vector<Segment>& pieces, std::size_t first, std::size_t end) {
  std::set<std::uint32_t> units;
  for (std::size_t i = first; i < end; ++i) {
    if (!units.insert(pieces[i].cell.unit).second) return false;
  }
  return true;
}

}  // namespace

std::vector<Gap> gaps_of(const GlobalWrites& writes, const FindAllocation& find) {
  const std::vector<Segment> pieces = pieces_of(writes);
  std::vector<Gap> gaps;
  std::size_t end = 0;
  for (std::size_t first = 0; first < pieces.size(); first = end) {
    GmRange allocation;
    if (!find(pieces[first].begin, allocation)) allocation = {pieces[first].begin, 1};
    for (end = first + 1; end < pieces.size(); ++end) {
      if (pieces[end].begin - allocation.begin >= allocation.size) break;
    }
    if (end - first < 2 || !one_of_each_block(pieces, first, end)) continue;
    for (std::size_t i = first + 1; i < end; ++i) {
      const Segment &before = pieces[i - 1], &behind = pieces[i];
      const std::uint64_t size = behind.begin - before.cell.end;
      if (size == 0 || size >= std::min(before.size(), behind.size())) continue;
      gaps.push_back({before.cell.end, behind.begin, before.cell, behind.cell});
    }
  }
  return gaps;
}

}  // namespace ascendc
