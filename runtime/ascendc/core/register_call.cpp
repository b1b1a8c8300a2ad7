// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/core/register_call.h"

#include <algorithm>

namespace ascendc {

void RegisterCall::begin(std::uint64_t memory_bytes) {
  open_ = true;
  ++epoch_;
  ++call_;
  accesses_.clear();
  if (blocks_.size() * kBlock < memory_bytes) {
    blocks_.assign(static_cast<std::size_t>((memory_bytes + kBlock - 1) / kBlock), {});
  }
}

std::uint32_t RegisterCall::bits(std::uint64_t block, std::uint64_t begin,
                                 std::uint64_t end) noexcept {
  const std::uint64_t first = block * kBlock;
  const std::uint64_t low = begin > first ? begin - first : 0;
  const std::uint64_t high = std::min(end - first, kBlock);
  return static_cast<std::uint32_t>(((std::uint64_t{1} << (high - low)) - 1) << low);
}

RegisterCall::Store RegisterCall::read(const Access& access, const void* data) {
  record(access);
  for (std::uint64_t b = access.begin / kBlock; b * kBlock < access.end; ++b) {
    const Block& block = blocks_[static_cast<std::size_t>(b)];
    if (block.epoch != epoch_ || block.data == data) continue;
    if ((block.bytes & bits(b, access.begin, access.end)) == 0) continue;
    return {block.site, block.name};
  }
  return {};
}

void RegisterCall::write(const Access& access, const void* data) {
  record(access);
  for (std::uint64_t b = access.begin / kBlock; b * kBlock < access.end; ++b) {
    Block& block = blocks_[static_cast<std::size_t>(b)];
    const std::uint32_t stored = bits(b, access.begin, access.end);
    const std::uint32_t before = block.epoch == epoch_ ? block.bytes : 0;
    block = {epoch_, before | stored, data, access.site, access.name};
  }
}

void RegisterCall::record(const Access& access) {
  Recent& recent = recent_[(reinterpret_cast<std::uintptr_t>(access.site) >> 1) % 64];
  if (recent.call == call_ && recent.site == access.site) {
    Access& last = accesses_[recent.number];
    const bool adjoins = access.begin <= last.end && access.end >= last.begin;
    if (last.write == access.write && (adjoins || accesses_.size() >= kMost)) {
      last.begin = std::min(last.begin, access.begin);
      last.end = std::max(last.end, access.end);
      return;
    }
  }
  recent = {access.site, call_, static_cast<std::uint32_t>(accesses_.size())};
  accesses_.push_back(access);
}

void PointedTensors::add(std::uint64_t begin, std::uint64_t end) {
  for (const Range& range : ranges_) {
    if (range.begin <= begin && end <= range.end) return;
  }
  if (ranges_.size() >= kMost) ranges_.erase(ranges_.begin());
  ranges_.push_back({begin, end});
}

PointedTensors::Range PointedTensors::around(std::uint64_t offset) const noexcept {
  Range found{0, 0};
  for (const Range& range : ranges_) {
    if (range.begin <= offset && offset < range.end && range.end > found.end) found = range;
  }
  return found;
}

}  // namespace ascendc
