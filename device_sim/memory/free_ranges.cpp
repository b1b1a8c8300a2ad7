// SPDX-License-Identifier: Apache-2.0
#include "device_sim/memory/free_ranges.h"

#include <iterator>
#include <utility>

namespace sim {

/// Makes nodes for one more part in use: the cut may leave one more free part, and so may its end.
void FreeRanges::reserve() {
  const std::size_t wanted = in_use_ + 2;
  while (spare_parts_.size() < wanted) spare_parts_.emplace(spare_parts_.size(), 0);
  while (spare_sizes_.size() < wanted) spare_sizes_.emplace(spare_sizes_.size(), 0);
}

std::optional<std::size_t> FreeRanges::take(std::size_t span, std::size_t alignment) {
  reserve();
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
  reserve();
  auto it = by_offset_.upper_bound(offset);
  if (it == by_offset_.begin()) return false;
  --it;
  const std::size_t gap = offset - it->first;
  if (gap > it->second || it->second - gap < span) return false;
  cut(it, offset, span);
  return true;
}

void FreeRanges::give(std::size_t offset, std::size_t span) noexcept {
  --in_use_;
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

void FreeRanges::cut(Parts::iterator it, std::size_t offset, std::size_t span) noexcept {
  ++in_use_;
  const auto [begin, bytes] = *it;
  erase(it);
  if (offset != begin) insert(begin, offset - begin);
  const std::size_t behind = begin + bytes - offset - span;
  if (behind != 0) insert(offset + span, behind);
}

void FreeRanges::insert(std::size_t offset, std::size_t span) noexcept {
  Parts::node_type part = spare_parts_.extract(std::prev(spare_parts_.end()));
  part.key() = offset;
  part.mapped() = span;
  by_offset_.insert(std::move(part));
  Sizes::node_type size = spare_sizes_.extract(std::prev(spare_sizes_.end()));
  size.value() = {span, offset};
  by_size_.insert(std::move(size));
}

void FreeRanges::erase(Parts::iterator it) noexcept {
  Sizes::node_type size = by_size_.extract({it->second, it->first});
  size.value() = {spare_sizes_.size(), 0};
  spare_sizes_.insert(spare_sizes_.end(), std::move(size));
  Parts::node_type part = by_offset_.extract(it);
  part.key() = spare_parts_.size();
  spare_parts_.insert(spare_parts_.end(), std::move(part));
}

}  // namespace sim
