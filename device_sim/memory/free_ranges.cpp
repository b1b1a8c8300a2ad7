// SPDX-License-Identifier: Apache-2.0
#include "device_sim/memory/free_ranges.h"

#include <iterator>

namespace sim {

std::optional<std::size_t> FreeRanges::take(std::size_t span, std::size_t alignment) {
  for (auto it = by_size_.lower_bound({span, 0}); it != by_size_.end(); ++it) {
    const auto [bytes, offset] = *it;
    const std::size_t start = (offset + alignment - 1) / alignment * alignment;
    const std::size_t gap = start - offset;
    if (gap > bytes || bytes - gap < span) continue;
    cut(by_offset_.find(offset), start, span);
    return start;
  }
  return std::nullopt;
}

bool FreeRanges::take_at(std::size_t offset, std::size_t span) {
  auto it = by_offset_.upper_bound(offset);
  if (it == by_offset_.begin()) return false;
  --it;
  const std::size_t gap = offset - it->first;
  if (gap > it->second || it->second - gap < span) return false;
  cut(it, offset, span);
  return true;
}

void FreeRanges::give(std::size_t offset, std::size_t span) {
  auto next = by_offset_.lower_bound(offset);
  if (next != by_offset_.end() && next->first == offset + span) {
    span += next->second;
    erase(next);
    next = by_offset_.lower_bound(offset);
  }
  if (next != by_offset_.begin()) {
    const auto previous = std::prev(next);
    if (previous->first + previous->second == offset) {
      offset = previous->first;
      span += previous->second;
      erase(previous);
    }
  }
  insert(offset, span);
}

void FreeRanges::cut(Parts::iterator it, std::size_t offset, std::size_t span) {
  const auto [begin, bytes] = *it;
  erase(it);
  if (offset != begin) insert(begin, offset - begin);
  const std::size_t behind = begin + bytes - offset - span;
  if (behind != 0) insert(offset + span, behind);
}

void FreeRanges::insert(std::size_t offset, std::size_t span) {
  by_offset_.emplace(offset, span);
  by_size_.emplace(span, offset);
}

void FreeRanges::erase(Parts::iterator it) {
  by_size_.erase({it->second, it->first});
  by_offset_.erase(it);
}

}  // namespace sim
