// SPDX-License-Identifier: Apache-2.0
#include "device_sim/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "device_sim/error.h"

namespace sim {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kLeastMemory = std::size_t{64} << 20;

std::size_t round_up(std::size_t value, std::size_t to) { return (value + to - 1) / to * to; }

struct CachedLookup {
  std::uint64_t machine = 0;
  std::uint64_t epoch = 0;
  const AddressSpace* space = nullptr;
  Allocation allocation;
};

// A copy names two addresses; a kernel a few more.
constexpr std::size_t kCacheSize = 4;

struct LookupCache {
  CachedLookup entries[kCacheSize];
  std::size_t next = 0;
};

std::uint64_t next_machine_id() {
  static std::atomic<std::uint64_t> id{0};
  return ++id;
}

}  // namespace

Memory::Memory(const SystemConfig& config)
    : budget_(config.memory_budget_bytes != 0 ? config.memory_budget_bytes
                                              : MemoryBudget::host_share()),
      id_(next_machine_id()) {
  reserve_views(config);
  const auto at = [](std::uintptr_t base, std::size_t offset) {
    return reinterpret_cast<std::byte*>(base + offset);
  };
  for (int d = 0; d < config.devices; ++d) {
    const std::size_t offset = stride_ * static_cast<std::size_t>(d);
    spaces_.push_back(std::make_unique<AddressSpace>(
        d, std::min(config.memory_bytes, stride_),
        AddressSpace::Views{at(user_base_, offset), at(engine_base_, offset)}, &budget_,
        &serials_));
  }
  spaces_.push_back(std::make_unique<AddressSpace>(
      kHostDevice, total_bytes_ - device_bytes_,
      AddressSpace::Views{at(user_base_, device_bytes_), at(user_base_, device_bytes_)}, &budget_,
      &serials_));
}

Memory::~Memory() {
  spaces_.clear();
  munmap(reinterpret_cast<void*>(user_base_), total_bytes_);
  if (guarded()) munmap(reinterpret_cast<void*>(engine_base_), device_bytes_);
}

// Addresses cost nothing, unless the process may not have that many (ulimit -v, a checking tool):
// then the machine gets as much memory as fits.
void Memory::reserve_views(const SystemConfig& config) {
  std::size_t device = config.memory_bytes;
  std::size_t pinned = config.pinned_bytes;
  for (;;) {
    stride_ = round_up(device, kHugePage);
    device_bytes_ = stride_ * static_cast<std::size_t>(config.devices);
    total_bytes_ = device_bytes_ + round_up(pinned, kHugePage);
    user_base_ = reserve(total_bytes_);
    const bool two = config.host_access == HostAccess::guard && device_bytes_ != 0;
    engine_base_ = two && user_base_ != 0 ? reserve(device_bytes_) : user_base_;
    if (engine_base_ != 0) return;
    if (user_base_ != 0) munmap(reinterpret_cast<void*>(user_base_), total_bytes_);
    if (device <= kLeastMemory && pinned <= kLeastMemory) {
      throw MachineError(Error::out_of_memory,
                         "cannot reserve " + std::to_string(total_bytes_) +
                             " bytes of addresses for device memory: " + std::strerror(errno));
    }
    device = std::max(device / 2, std::min(device, kLeastMemory));
    pinned = std::max(pinned / 2, std::min(pinned, kLeastMemory));
  }
}

// 0 when the process may not have so many addresses.
std::uintptr_t Memory::reserve(std::size_t bytes) {
  // Reserved with room to start on a huge page; the slack is given back.
  const std::size_t padded = bytes + kHugePage;
  void* const at =
      mmap(nullptr, padded, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return 0;
  const auto raw = reinterpret_cast<std::uintptr_t>(at);
  const std::uintptr_t base = round_up(raw, kHugePage);
  if (base != raw) munmap(at, base - raw);
  if (raw + padded != base + bytes) {
    munmap(reinterpret_cast<void*>(base + bytes), raw + padded - base - bytes);
  }
  return base;
}

AddressSpace* Memory::space_of(const void* address) const noexcept {
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(address) - user_base_;
  if (offset >= total_bytes_) return nullptr;
  const std::size_t index = offset < device_bytes_ ? offset / stride_ : spaces_.size() - 1;
  return spaces_[index].get();
}

std::optional<Allocation> Memory::find(const void* address) const {
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  if (value - user_base_ >= total_bytes_) return std::nullopt;
  thread_local LookupCache cache;
  for (const CachedLookup& entry : cache.entries) {
    if (entry.machine == id_ && entry.allocation.contains(value) &&
        entry.epoch == entry.space->epoch()) {
      return entry.allocation;
    }
  }
  const AddressSpace* const space = space_of(address);
  const std::uint64_t epoch = space->epoch();
  auto found = space->find(address);
  if (found) {
    cache.entries[cache.next] = {id_, epoch, space, *found};
    cache.next = (cache.next + 1) % kCacheSize;
  }
  return found;
}

namespace {
void protect(const Allocation& allocation, int protection) noexcept {
  constexpr std::uintptr_t kPage = 4096;
  const std::uintptr_t first = allocation.begin / kPage * kPage;
  const std::uintptr_t last = round_up(allocation.end(), kPage);
  mprotect(reinterpret_cast<void*>(first), last - first, protection);
}
}  // namespace

void Memory::open_pages(const Allocation& allocation) const noexcept {
  protect(allocation, PROT_READ | PROT_WRITE);
}

void Memory::close_pages(const Allocation& allocation) const noexcept {
  protect(allocation, PROT_NONE);
}

}  // namespace sim
