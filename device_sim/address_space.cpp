// SPDX-License-Identifier: Apache-2.0
#include "device_sim/address_space.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "device_sim/error.h"
#include "device_sim/sanitizer.h"

namespace sim {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kGrain = 64;  // every piece starts and ends on a cache line
constexpr std::size_t kStaleLimit = std::size_t{1} << 30;

std::size_t round_up(std::size_t value, std::size_t to) { return (value + to - 1) / to * to; }

void map_fixed(std::byte* at, std::size_t bytes, int protection, int fd) {
  const int flags = MAP_FIXED | MAP_NORESERVE | (fd >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS);
  if (mmap(at, bytes, protection, flags, fd, 0) == MAP_FAILED) {
    throw MachineError(Error::out_of_memory,
                       std::string("cannot map device memory: ") + std::strerror(errno));
  }
  madvise(at, bytes, MADV_DONTDUMP);
  // A forked child must not write into its parent's devices.
  if (fd >= 0) madvise(at, bytes, MADV_DONTFORK);
}

}  // namespace

bool MemoryBudget::take(std::size_t bytes) noexcept {
  std::size_t used = used_.load(std::memory_order_relaxed);
  do {
    if (bytes > limit_ || used > limit_ - bytes) return false;
  } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  return true;
}

void MemoryBudget::join(AddressSpace& space) {
  const std::lock_guard guard(mutex_);
  spaces_.push_back(&space);
}

void MemoryBudget::leave(AddressSpace& space) {
  const std::lock_guard guard(mutex_);
  std::erase(spaces_, &space);
}

void MemoryBudget::make_room(std::size_t bytes) {
  const std::size_t stale = stale_.load(std::memory_order_relaxed);
  const std::size_t used = used_.load(std::memory_order_relaxed);
  if (stale == 0 || (stale <= kStaleLimit && used + stale <= limit_ &&
                     bytes <= limit_ - used - stale)) {
    return;
  }
  const std::lock_guard guard(mutex_);
  for (AddressSpace* space : spaces_) space->discard_free();
}

std::size_t MemoryBudget::host_share() {
  std::ifstream meminfo("/proc/meminfo");
  std::string key;
  std::size_t kib = 0;
  std::string unit;
  while (meminfo >> key >> kib >> unit) {
    if (key == "MemAvailable:") return kib * 1024 / 10 * 8;
    meminfo.ignore(256, '\n');
  }
  return std::size_t{4} << 30;
}

AddressSpace::AddressSpace(int device, std::size_t capacity, Views views, MemoryBudget* budget,
                           std::atomic<std::uint64_t>* serials)
    : device_(device), capacity_(capacity), views_(views), budget_(budget), serials_(serials) {
  insert_free(0, capacity_);
  if (budget_) budget_->join(*this);
}

AddressSpace::~AddressSpace() {
  if (budget_) {
    budget_->leave(*this);
    budget_->drop_stale(stale_);
  }
  if (memfd_ >= 0) close(memfd_);
}

void AddressSpace::map_views() {
  if (mapped_) return;
  const bool two_views = views_.user_base != views_.engine_base;
  if (device_ != kHostDevice) {
    char name[32];
    std::snprintf(name, sizeof name, "npu%d", device_);
    memfd_ = memfd_create(name, MFD_CLOEXEC);
    if (memfd_ < 0 || ftruncate(memfd_, static_cast<off_t>(capacity_)) != 0) {
      throw MachineError(Error::out_of_memory,
                         std::string("cannot create device memory: ") + std::strerror(errno));
    }
  }
  map_fixed(views_.engine_base, capacity_, PROT_READ | PROT_WRITE, memfd_);
  if (two_views) map_fixed(views_.user_base, capacity_, PROT_NONE, memfd_);
  mapped_ = true;
}

void* AddressSpace::allocate(std::size_t size, std::size_t alignment, std::size_t padding,
                             const void* caller) {
  // No two pieces share an address, not even those of no bytes.
  const std::size_t span = std::max(round_up(size + padding, kGrain), kGrain);
  if (budget_) budget_->make_room(span);
  const std::lock_guard guard(mutex_);
  if (span < size || span > capacity_ - used_) {
    throw MachineError(Error::out_of_memory, "the device has " + std::to_string(capacity_ - used_) +
                                                 " of " + std::to_string(capacity_) +
                                                 " bytes free, asked for " + std::to_string(size));
  }
  if (budget_ && !budget_->take(span)) {
    throw MachineError(Error::out_of_memory,
                       "all devices together may hold " + std::to_string(budget_->limit()) +
                           " bytes of this host's memory, asked for " + std::to_string(size));
  }
  std::optional<std::size_t> offset;
  try {
    map_views();
    offset = take_range(span, alignment);
  } catch (...) {
    if (budget_) budget_->give(span);
    throw;
  }
  if (!offset) {
    if (budget_) budget_->give(span);
    throw MachineError(Error::out_of_memory, "no free range of " + std::to_string(size) +
                                                 " bytes is left on the device");
  }
  used_ += span;
  const std::size_t warm = std::min(stale_, span);
  stale_ -= warm;
  if (budget_) budget_->drop_stale(warm);
  std::byte* const address = views_.user_base + *offset;
  unpoison(address, size);
  poison(address + size, span - size);
  const std::uint64_t serial = serials_->fetch_add(1, std::memory_order_relaxed) + 1;
  pieces_[*offset] = {{reinterpret_cast<std::uintptr_t>(address), size, device_, serial, caller},
                      span};
  return address;
}

bool AddressSpace::free(const void* address) {
  {
    const std::lock_guard guard(mutex_);
    const auto it = pieces_.find(offset_of(address));
    if (it == pieces_.end()) return false;
    epoch_.fetch_add(1, std::memory_order_acq_rel);
    if (holds_ > 0) {
      held_.insert(pieces_.extract(it));
    } else {
      const auto [offset, span] = std::pair(it->first, it->second.span);
      pieces_.erase(it);
      recycle(offset, span);
    }
  }
  if (budget_) budget_->make_room(0);
  return true;
}

void AddressSpace::recycle(std::size_t offset, std::size_t span) {
  used_ -= span;
  if (budget_) budget_->give(span);
  poison(views_.user_base + offset, span);
  return_range(offset, span);
}

void AddressSpace::discard_free() {
  const std::lock_guard guard(mutex_);
  if (stale_ == 0) return;
  if (budget_) budget_->drop_stale(stale_);
  stale_ = 0;
  for (const auto& [offset, span] : free_) discard_pages(offset, span);
}

void AddressSpace::hold_freed() {
  const std::lock_guard guard(mutex_);
  ++holds_;
}

void AddressSpace::release_freed() {
  const std::lock_guard guard(mutex_);
  if (--holds_ > 0) return;
  for (const auto& [offset, piece] : held_) recycle(offset, piece.span);
  held_.clear();
}

std::size_t AddressSpace::free_all() {
  std::vector<Allocation> all = live();
  for (const Allocation& allocation : all) free(reinterpret_cast<void*>(allocation.begin));
  return all.size();
}

std::optional<Allocation> AddressSpace::find_in(const std::map<std::size_t, Piece>& pieces,
                                                std::size_t offset) {
  auto it = pieces.upper_bound(offset);
  if (it == pieces.begin()) return std::nullopt;
  --it;
  const Allocation& allocation = it->second.allocation;
  if (offset - it->first >= allocation.size) return std::nullopt;
  return allocation;
}

std::optional<Allocation> AddressSpace::find(const void* address) const {
  const std::lock_guard guard(mutex_);
  return find_in(pieces_, offset_of(address));
}

std::optional<Allocation> AddressSpace::find_held(const void* address) const {
  const std::lock_guard guard(mutex_);
  const auto live = find_in(pieces_, offset_of(address));
  return live ? live : find_in(held_, offset_of(address));
}

std::optional<Allocation> AddressSpace::try_find(const void* address) const {
  const std::unique_lock guard(mutex_, std::try_to_lock);
  if (!guard.owns_lock()) return std::nullopt;
  return find_in(pieces_, offset_of(address));
}

std::size_t AddressSpace::used() const {
  const std::lock_guard guard(mutex_);
  return used_;
}

std::size_t AddressSpace::live_count() const {
  const std::lock_guard guard(mutex_);
  return pieces_.size();
}

std::vector<Allocation> AddressSpace::live() const {
  const std::lock_guard guard(mutex_);
  std::vector<Allocation> all;
  all.reserve(pieces_.size());
  for (const auto& [offset, piece] : pieces_) all.push_back(piece.allocation);
  return all;
}

// Best fit, lowest address first: pages that were touched once are used again.
std::optional<std::size_t> AddressSpace::take_range(std::size_t span, std::size_t alignment) {
  for (auto it = by_size_.lower_bound({span, 0}); it != by_size_.end(); ++it) {
    const auto [bytes, offset] = *it;
    const std::size_t start = round_up(offset, alignment);
    const std::size_t gap = start - offset;
    if (gap > bytes || bytes - gap < span) continue;
    erase_free(free_.find(offset));
    if (gap != 0) insert_free(offset, gap);
    if (bytes - gap > span) insert_free(start + span, bytes - gap - span);
    return start;
  }
  return std::nullopt;
}

void AddressSpace::return_range(std::size_t offset, std::size_t span) {
  stale_ += span;
  if (budget_) budget_->add_stale(span);
  auto next = free_.lower_bound(offset);
  if (next != free_.end() && next->first == offset + span) {
    span += next->second;
    erase_free(next);
    next = free_.lower_bound(offset);
  }
  if (next != free_.begin()) {
    const auto previous = std::prev(next);
    if (previous->first + previous->second == offset) {
      offset = previous->first;
      span += previous->second;
      erase_free(previous);
    }
  }
  insert_free(offset, span);
}

void AddressSpace::insert_free(std::size_t offset, std::size_t span) {
  free_.emplace(offset, span);
  by_size_.emplace(span, offset);
}

void AddressSpace::erase_free(FreeRanges::iterator it) {
  by_size_.erase({it->second, it->first});
  free_.erase(it);
}

void AddressSpace::discard_pages(std::size_t offset, std::size_t span) {
  const std::size_t first = round_up(offset, kPage);
  const std::size_t last = (offset + span) / kPage * kPage;
  if (last <= first) return;
  if (memfd_ >= 0) {
    fallocate(memfd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(first),
              static_cast<off_t>(last - first));
  } else {
    madvise(views_.engine_base + first, last - first, MADV_DONTNEED);
  }
}

}  // namespace sim
