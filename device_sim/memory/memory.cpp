// SPDX-License-Identifier: Apache-2.0
#include "device_sim/memory/memory.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

#include "device_sim/base/error.h"
#include "device_sim/base/per_thread.h"
#include "device_sim/base/valgrind.h"
#include "device_sim/memory/pages.h"

namespace sim {

namespace {

constexpr std::size_t kLeastMemory = std::size_t{64} << 20;

// memcheck keeps notes about all addresses of a process, also about reserved ones: the usual
// terabytes take minutes and all memory of the host.
constexpr std::size_t kUnderValgrind = std::size_t{32} << 30;

// Programs expect the addresses that they reserve from 16 TiB on.
constexpr std::uintptr_t kMappingsBegin = std::uintptr_t{16} << 40;

std::uint64_t next_machine_id() {
  static std::atomic<std::uint64_t> id{0};
  return ++id;
}

}  // namespace

Memory::Memory(const SystemConfig& config)
    : budget_(config.memory_budget_bytes != 0 ? config.memory_budget_bytes
                                              : MemoryBudget::host_share()),
      id_(next_machine_id()) {
  bars_hosts_ = config.bars_hosts;
  closes_free_ =
      config.closes_free && config.host_access != HostAccess::guard && config.devices != 0;
  reserve_views(config);
  const auto at = [](std::uintptr_t base, std::size_t offset) {
    return reinterpret_cast<std::byte*>(base + offset);
  };
  for (int d = 0; d < config.devices; ++d) {
    const std::size_t offset = stride_ * static_cast<std::size_t>(d);
    spaces_.push_back(std::make_unique<AddressSpace>(
        d, std::min(config.memory_bytes, stride_),
        AddressSpace::Views{at(user_base_, offset), at(engine_base_, offset), guarded_,
                            closes_free_},
        &budget_, &serials_));
  }
  spaces_.push_back(std::make_unique<AddressSpace>(
      kHostDevice, total_bytes_ - viewed_bytes_,
      AddressSpace::Views{at(user_base_, viewed_bytes_),
                          at(bars_hosts_ ? engine_base_ : user_base_, viewed_bytes_)},
      &budget_, &serials_));
  mappings_ = std::make_unique<Mappings>(
      AddressSpace::Views{at(user_base_, device_bytes_), at(engine_base_, device_bytes_), guarded_},
      viewed_bytes_ - device_bytes_, &serials_);
}

Memory::~Memory() {
  mappings_.reset();
  spaces_.clear();
  munmap(reinterpret_cast<void*>(user_base_), total_bytes_);
  if (engine_base_ != user_base_) munmap(reinterpret_cast<void*>(engine_base_), doubled_bytes_);
}

namespace {

// 0 when the process may not have so many addresses. `wanted` is where to start if that is free.
std::uintptr_t reserve(std::size_t bytes, std::uintptr_t wanted) {
  // Reserved with room to start on a huge page; the slack is given back.
  const std::size_t padded = bytes + kHugePage;
  void* const at = mmap(reinterpret_cast<void*>(wanted), padded, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return 0;
  const auto raw = reinterpret_cast<std::uintptr_t>(at);
  const std::uintptr_t base = round_up(raw, kHugePage);
  if (base != raw) munmap(at, base - raw);
  if (raw + padded != base + bytes) {
    munmap(reinterpret_cast<void*>(base + bytes), raw + padded - base - bytes);
  }
  return base;
}

}  // namespace

namespace {

// Half of the addresses that a limit of the process (ulimit -v) leaves: the rest is for the
// program, its threads, and the memory of other processes that it maps.
std::size_t address_share() {
  if (on_valgrind()) return kUnderValgrind;
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
  std::size_t used_pages = 0;
  std::ifstream("/proc/self/statm") >> used_pages;
  const std::size_t used = used_pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return limit.rlim_cur > used ? (limit.rlim_cur - used) / 2 : 0;
}

}  // namespace

// Addresses cost nothing, but the process may not be allowed so many (ulimit -v, a checking tool).
// Then the machine gets as many as fit; the range for mappings shrinks first, down to the devices'
// size. Sizes are mostly powers of two, and way predictors (AMD) confuse addresses that differ in
// high bits only: a copy between the beginnings of two spaces would keep evicting its lines from
// the first-level cache. Therefore each space begins one huge page further than its size requires.
void Memory::reserve_views(const SystemConfig& config) {
  std::size_t device = config.memory_bytes;
  std::size_t pinned = config.pinned_bytes;
  std::size_t mapped = config.mapping_bytes;
  const std::size_t share = address_share();
  for (;;) {
    stride_ = round_up(device, kHugePage) + kHugePage;
    device_bytes_ = stride_ * static_cast<std::size_t>(config.devices);
    viewed_bytes_ = device_bytes_ + round_up(mapped, kHugePage) + kHugePage;
    guarded_ = config.host_access == HostAccess::guard && config.devices != 0;
    const bool two_views = guarded_ || bars_hosts_ || closes_free_;
    const std::size_t with_pinned = viewed_bytes_ + round_up(pinned, kHugePage);
    const std::size_t second_view = bars_hosts_ ? with_pinned : viewed_bytes_;
    const bool least = std::max({device, pinned, mapped}) <= kLeastMemory;
    const bool fits = least || with_pinned + (two_views ? second_view : 0) <= share;
    if (fits && try_reserve(two_views, round_up(pinned, kHugePage))) return;
    if (mapped > std::max(device_bytes_, kLeastMemory)) {
      mapped = std::max({mapped / 2, device_bytes_, kLeastMemory});
      continue;
    }
    if (least) {
      throw MachineError(Error::out_of_memory,
                         "cannot reserve " + std::to_string(total_bytes_) +
                             " bytes of addresses for device memory: " + std::strerror(errno));
    }
    for (std::size_t* const bytes : {&device, &pinned, &mapped}) {
      *bytes = std::max(*bytes / 2, std::min(*bytes, kLeastMemory));
    }
  }
}

bool Memory::try_reserve(bool two_views, std::size_t pinned) {
  total_bytes_ = viewed_bytes_ + pinned;
  doubled_bytes_ = bars_hosts_ ? total_bytes_ : viewed_bytes_;
  const std::uintptr_t wanted =
      kSanitized || device_bytes_ >= kMappingsBegin ? 0 : kMappingsBegin - device_bytes_;
  user_base_ = reserve(total_bytes_, wanted);
  if (user_base_ == 0) return false;
  engine_base_ = two_views ? reserve(doubled_bytes_, 0) : user_base_;
  if (engine_base_ != 0) return true;
  munmap(reinterpret_cast<void*>(user_base_), total_bytes_);
  return false;
}

AddressSpace* Memory::space_of(const void* address) const noexcept {
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(address) - user_base_;
  if (offset >= total_bytes_) return nullptr;
  if (offset < device_bytes_) return spaces_[offset / stride_].get();
  return offset < viewed_bytes_ ? nullptr : spaces_.back().get();
}

std::optional<Allocation> Memory::find(const void* address) const {
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  if (value - user_base_ >= total_bytes_) return std::nullopt;
  CachedLookup& entry = per_thread<LookupCache>().at(value);
  if (answers(entry, value)) [[likely]]
    return entry.allocation;
  return find_anew(address, entry);
}

std::optional<Allocation> Memory::find_anew(const void* address, CachedLookup& entry) const {
  const AddressSpace* const space = space_of(address);
  const std::atomic<std::uint64_t>& epoch_now = space ? space->epoch() : mappings_->epoch();
  const std::uint64_t epoch = epoch_now.load(std::memory_order_acquire);
  auto found = space ? space->find(address) : mappings_->find(address);
  if (found) entry = {id_, epoch, &epoch_now, *found};
  return found;
}

namespace {
void protect(const Allocation& allocation, int protection) noexcept {
  const std::uintptr_t first = allocation.begin / kPage * kPage;
  const std::uintptr_t last = round_up(allocation.end(), kPage);
  mprotect(reinterpret_cast<void*>(first), last - first, protection);
}
}  // namespace

bool Memory::open_pages(const Allocation& allocation) const noexcept {
  if (mappings_->holds(allocation)) return mappings_->open_pages(allocation);
  protect(allocation, PROT_READ | PROT_WRITE);
  return true;
}

void Memory::close_pages(const Allocation& allocation) const noexcept {
  if (mappings_->holds(allocation)) return mappings_->close_pages(allocation);
  protect(allocation, PROT_NONE);
}

// A guarded machine closes device memory to the host at all times.
void Memory::limit_hosts(std::uintptr_t begin, std::size_t size, HostRights rights) const noexcept {
  const bool pinned = begin - user_base_ >= viewed_bytes_;
  if (!bars_hosts_ || (guarded_ && !pinned)) return;
  Allocation pages;
  pages.begin = begin;
  pages.size = size;
  protect(pages, rights == HostRights::none   ? PROT_NONE
                 : rights == HostRights::read ? PROT_READ
                                              : PROT_READ | PROT_WRITE);
}

}  // namespace sim
