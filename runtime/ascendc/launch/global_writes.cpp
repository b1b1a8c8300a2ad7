// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/global_writes.h"

#include <algorithm>
#include <cstring>

#include "runtime/ascendc/launch/block.h"

namespace ascendc {

// The first cell that ends behind `begin`.
std::map<std::uint64_t, GlobalWrites::Cell>::iterator GlobalWrites::first_from(std::uint64_t begin) {
  const auto it = cells_.upper_bound(begin);
  return it != cells_.begin() && std::prev(it)->second.end > begin ? std::prev(it) : it;
}

void GlobalWrites::write(const Block& block, std::uint64_t begin, const void* from,
                         std::uint64_t bytes, bool atomic, const void* site) {
  const std::uint64_t end = begin + bytes;
  std::unique_lock lock(mutex_);
  auto it = first_from(begin);
  if (it != cells_.end() && it->first < end) {
    // Values are compared: those of others have to be there. The cells may change meanwhile.
    ++waiting_;
    settled_.wait(lock, [this] { return given_up_ || under_way_ == 0; });
    --waiting_;
    it = first_from(begin);
  }
  for (; it != cells_.end() && it->first < end; ++it) {
    const Cell& cell = it->second;
    const bool seen = cell.unit < block.seen.size() && block.seen[cell.unit] >= cell.time;
    if (cell.unit == block.unit || seen || (cell.atomic && atomic)) continue;
    if (!told_.insert({cell.site, site}).second) continue;
    const std::uint64_t first = std::max(begin, it->first);
    const std::uint64_t last = std::min(end, cell.end);
    const auto* const now = reinterpret_cast<const void*>(first);
    const bool differ =
        atomic || cell.atomic || !from ||
        std::memcmp(now, static_cast<const char*>(from) + (first - begin), last - first) != 0;
    meetings_.push_back({first, last, cell.unit, block.unit, cell.site, site, false, differ});
    if (!differ) told_.erase({cell.site, site});  // others at this place may
  }
  put(begin, {end, block.unit, block.time, site, atomic});
  if (from) ++under_way_;
}

void GlobalWrites::written() {
  if (--under_way_ != 0 || waiting_ == 0) return;
  const std::lock_guard guard(mutex_);
  settled_.notify_all();
}

void GlobalWrites::give_up() {
  const std::lock_guard guard(mutex_);
  given_up_ = true;
  settled_.notify_all();
}

void GlobalWrites::put(std::uint64_t begin, const Cell& cell) {
  auto it = cells_.lower_bound(begin);
  if (it != cells_.begin() && std::prev(it)->second.end > begin) {
    const auto before = std::prev(it);
    if (before->second.end > cell.end) {
      it = cells_.emplace_hint(it, cell.end, before->second);
    }
    before->second.end = begin;
  }
  while (it != cells_.end() && it->first < cell.end) {
    if (it->second.end > cell.end) {
      cells_.emplace(cell.end, it->second);
    }
    it = cells_.erase(it);
  }
  if (it != cells_.begin()) {
    Cell& before = std::prev(it)->second;
    if (before.end == begin && before.unit == cell.unit && before.time == cell.time &&
        before.site == cell.site && before.atomic == cell.atomic) {
      before.end = cell.end;
      return;
    }
  }
  cells_.emplace(begin, cell);
}

void GlobalWrites::add_reads(const std::vector<Read>& reads) {
  const std::lock_guard guard(mutex_);
  reads_.insert(reads_.end(), reads.begin(), reads.end());
}

}  // namespace ascendc
