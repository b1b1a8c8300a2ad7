// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/device/broken_memory.h"

#include <algorithm>

#include "device_sim/base/mutex.h"

namespace acl {
namespace {

constexpr std::size_t kBrokenPage = 4096;

std::uintptr_t address_number(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

bool overlap(const BrokenMemory::Range& range, std::uintptr_t begin, std::size_t size) {
  return begin < range.begin + range.size && range.begin < begin + size;
}

}  // namespace

void BrokenMemory::add(int device, const void* address, std::uint16_t fault) {
  const std::uintptr_t begin = address_number(address) / kBrokenPage * kBrokenPage;
  const sim::LockGuard guard(mutex_);
  const auto same = [&](const Range& range) { return range.begin == begin; };
  if (std::any_of(ranges_.begin(), ranges_.end(), same)) return;
  ranges_.push_back({device, begin, kBrokenPage, fault});
  any_.store(true, std::memory_order_release);
}

std::vector<aclrtMemUceInfo> BrokenMemory::ranges(int device) const {
  std::vector<aclrtMemUceInfo> infos;
  const sim::LockGuard guard(mutex_);
  for (const Range& range : ranges_) {
    if (range.device != device) continue;
    aclrtMemUceInfo info{};
    info.addr = reinterpret_cast<void*>(range.begin);
    info.len = range.size;
    infos.push_back(info);
  }
  return infos;
}

template <class Gone>
void BrokenMemory::erase(Gone gone) {
  const sim::LockGuard guard(mutex_);
  std::erase_if(ranges_, gone);
  any_.store(!ranges_.empty(), std::memory_order_release);
}

void BrokenMemory::repair(int device, const void* begin, std::size_t size) {
  erase([&](const Range& range) {
    return range.device == device && overlap(range, address_number(begin), size);
  });
}

std::optional<BrokenMemory::Range> BrokenMemory::touched(const void* begin,
                                                         std::size_t size) const {
  const sim::LockGuard guard(mutex_);
  for (const Range& range : ranges_) {
    if (overlap(range, address_number(begin), size)) return range;
  }
  return std::nullopt;
}

void BrokenMemory::reset() {
  erase([](const Range&) { return true; });
}

void BrokenMemory::device_ends(int device) {
  erase([&](const Range& range) { return range.device == device; });
}

}  // namespace acl
