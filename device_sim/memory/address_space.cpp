// SPDX-License-Identifier: Apache-2.0
#include "device_sim/memory/address_space.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>

#include "device_sim/base/error.h"
#include "device_sim/base/mutex.h"
#include "device_sim/base/sanitizer.h"
#include "device_sim/memory/pages.h"

namespace sim {
namespace {

constexpr std::size_t kGrain = 64;  // every allocation starts and ends on a cache line
constexpr std::size_t kStaleLimit = std::size_t{1} << 30;

}  // namespace

bool MemoryBudget::take(std::size_t bytes) noexcept {
  std::size_t used = used_.load(std::memory_order_relaxed);
  do {
    if (bytes > limit_ || used > limit_ - bytes) return false;
  } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  return true;
}

void MemoryBudget::join(AddressSpace& space) {
  const sim::LockGuard guard(mutex_);
  spaces_.push_back(&space);
}

void MemoryBudget::leave(AddressSpace& space) {
  const sim::LockGuard guard(mutex_);
  std::erase(spaces_, &space);
}

void MemoryBudget::make_room(std::size_t bytes) {
  const std::size_t stale = stale_.load(std::memory_order_relaxed);
  const std::size_t used = used_.load(std::memory_order_relaxed);
  if (stale == 0 ||
      (stale <= kStaleLimit && used + stale <= limit_ && bytes <= limit_ - used - stale)) {
    return;
  }
  const sim::LockGuard guard(mutex_);
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
    : device_(device),
      capacity_(capacity),
      views_(views),
      budget_(budget),
      serials_(serials),
      free_(capacity) {
  if (budget_) budget_->join(*this);
}

AddressSpace::~AddressSpace() {
  if (budget_) {
    budget_->leave(*this);
    budget_->drop_stale(stale_);
  }
}

void AddressSpace::map_views() {
  if (mapped_) return;
  if (device_ != kHostDevice || views_.two()) {
    char name[32];
    std::snprintf(name, sizeof name, "npu%d", device_);
    memfd_ = make_memory_file(name, capacity_);
  }
  map_fixed(views_.engine_base, capacity_, PROT_READ | PROT_WRITE, memfd_.get());
  if (views_.two()) {
    const bool closed = views_.closed || views_.closes_free;
    map_fixed(views_.user_base, capacity_, closed ? PROT_NONE : PROT_READ | PROT_WRITE,
              memfd_.get());
  }
  mapped_ = true;
}

// The number of mappings of a process is limited. If too many allocations split the range into
// mappings, all pages stay open from then on, which needs few mappings.
void AddressSpace::open_pages(const Allocation& allocation) {
  if (!views_.closes_free) return;
  const std::uintptr_t first = allocation.begin / kPage * kPage;
  const std::size_t bytes = round_up(allocation.end(), kPage) - first;
  if (mprotect(reinterpret_cast<void*>(first), bytes, PROT_READ | PROT_WRITE) == 0) return;
  const int error = errno;
  mprotect(views_.user_base, capacity_, PROT_READ | PROT_WRITE);
  views_.closes_free = false;
  std::fprintf(
      stderr,
      "aclsim: device %d: pages without an allocation are open from here on, and pointers of "
      "kernels that leave their "
      "allocation do not end them: the process may have no more mappings (vm.max_map_count): %s\n",
      device_, std::strerror(error));
}

// Closes the pages of a freed range that contain no other allocation.
void AddressSpace::close_pages(std::size_t offset, std::size_t span) {
  if (!views_.closes_free) return;
  std::size_t first = offset / kPage * kPage;
  std::size_t last = round_up(offset + span, kPage);
  for (const Entries* const entries : {&entries_, &held_}) {
    const auto after = entries->lower_bound(offset + span);
    if (after != entries->end()) last = std::min(last, after->first / kPage * kPage);
    auto before = entries->lower_bound(offset);
    if (before == entries->begin()) continue;
    --before;
    first = std::max(first, round_up(before->first + before->second.allocation.size, kPage));
  }
  if (first < last) mprotect(views_.user_base + first, last - first, PROT_NONE);
}

void AddressSpace::take_share(std::size_t span, std::size_t asked) {
  if (span < asked || span > capacity_ - used_) {
    throw MachineError(Error::out_of_memory, "the device has " + std::to_string(capacity_ - used_) +
                                                 " of " + std::to_string(capacity_) +
                                                 " bytes free, asked for " + std::to_string(asked));
  }
  if (budget_ && !budget_->take(span)) {
    throw MachineError(Error::out_of_memory,
                       "all devices together may hold " + std::to_string(budget_->limit()) +
                           " bytes of this host's memory, asked for " + std::to_string(asked));
  }
  used_ += span;
  peak_ = std::max(peak_, used_);
}

void AddressSpace::give_share(std::size_t span) {
  used_ -= span;
  if (budget_) budget_->give(span);
}

void AddressSpace::charge(std::size_t bytes) {
  if (budget_) budget_->make_room(bytes);
  const sim::LockGuard guard(mutex_);
  take_share(bytes, bytes);
}

void AddressSpace::refund(std::size_t bytes) {
  const sim::LockGuard guard(mutex_);
  give_share(bytes);
}

void* AddressSpace::allocate(std::size_t size, std::size_t alignment, std::size_t padding,
                             const void* caller, std::uint32_t label) {
  // No two allocations have the same address, not even empty ones.
  const std::size_t span = std::max(round_up(size + padding, kGrain), kGrain);
  if (budget_) budget_->make_room(span);
  const sim::LockGuard guard(mutex_);
  take_share(span, size);
  std::optional<std::size_t> offset;
  try {
    map_views();
    offset = free_.take(span, alignment);
  } catch (...) {
    give_share(span);
    throw;
  }
  if (!offset) {
    give_share(span);
    throw MachineError(Error::out_of_memory,
                       "no free range of " + std::to_string(size) + " bytes is left on the device");
  }
  Usage* usage = nullptr;
  try {
    usage = &usage_[label];
    entries_.try_emplace(*offset);
  } catch (...) {
    free_.give(*offset, span);
    give_share(span);
    throw;
  }
  usage->current += span;
  usage->peak = std::max(usage->peak, usage->current);
  take_stale(*offset, span);
  std::byte* const address = views_.user_base + *offset;
  unpoison(address, size);
  poison(address + size, span - size);
  const std::uint64_t serial = serials_->fetch_add(1, std::memory_order_relaxed) + 1;
  entries_[*offset] = {
      {reinterpret_cast<std::uintptr_t>(address), size, device_, false, serial, caller, label},
      span};
  open_pages(entries_[*offset].allocation);
  forget_freed_by_all(*offset, span);
  std::erase_if(freed_, [&](const Freed& one) {
    const std::size_t begin = offset_of(reinterpret_cast<const void*>(one.allocation.begin));
    return begin < *offset + span && *offset < begin + one.allocation.size;
  });
  return address;
}

bool AddressSpace::on_free(const void* address, std::weak_ptr<const FreeListener> listener) {
  const sim::LockGuard guard(mutex_);
  const auto found = find_in(entries_, offset_of(address));
  if (!found) return false;
  std::erase_if(free_listeners_, [](const auto& entry) { return entry.second.expired(); });
  free_listeners_.emplace(offset_of(reinterpret_cast<void*>(found->begin)), std::move(listener));
  listened_.store(true, std::memory_order_relaxed);
  return true;
}

void AddressSpace::tell_free_listeners(const void* address) {
  std::vector<std::weak_ptr<const FreeListener>> told;
  {
    const sim::LockGuard guard(mutex_);
    const auto [first, last] = free_listeners_.equal_range(offset_of(address));
    for (auto it = first; it != last; ++it) told.push_back(std::move(it->second));
    free_listeners_.erase(first, last);
  }
  for (const auto& weak : told) {
    if (const auto listener = weak.lock()) (*listener)();
  }
}

bool AddressSpace::free(const void* address, const void* caller, bool later) {
  if (listened_.load(std::memory_order_relaxed)) tell_free_listeners(address);
  {
    const sim::LockGuard guard(mutex_);
    const auto it = entries_.find(offset_of(address));
    if (it == entries_.end()) return false;
    epoch_.fetch_add(1, std::memory_order_acq_rel);
    if (views_.closes_free) remember({it->second.allocation, caller});
    if (later) {
      ++it->second.kept;
      discount(it->second);
    }
    if (holds_ > 0 || it->second.kept > 0) {
      held_.insert(entries_.extract(it));
    } else {
      recycle(it->first, it->second);
      entries_.erase(it);
    }
  }
  if (budget_) budget_->make_room(0);
  return true;
}

void AddressSpace::remember(const Freed& freed) {
  constexpr std::size_t kMost = 256;
  freed_.push_back(freed);
  if (freed_.size() > kMost) freed_.pop_front();
}

void AddressSpace::discount(Entry& entry) {
  if (!std::exchange(entry.counted, false)) return;
  give_share(entry.span);
  usage_[entry.allocation.label].current -= entry.span;
}

void AddressSpace::recycle(std::size_t offset, Entry& entry) {
  const std::size_t span = entry.span;
  discount(entry);
  poison(views_.user_base + offset, span);
  close_pages(offset, span);
  stale_ += span;
  if (budget_) budget_->add_stale(span);
  free_.give(offset, span);
}

/// Counts the stale bytes of a range that was free. Those behind all others were never used: with
/// fragments between live memory, new memory is mostly there, and the fragments stay resident.
void AddressSpace::take_stale(std::size_t offset, std::size_t span) {
  const std::size_t end = offset + span;
  const std::size_t reused = std::min(end, used_end_) - std::min(offset, used_end_);
  if (offset > used_end_) cold_ += offset - used_end_;
  used_end_ = std::max(used_end_, end);
  const std::size_t cold = std::min(cold_, reused);
  cold_ -= cold;
  const std::size_t warm = std::min(stale_, reused - cold);
  stale_ -= warm;
  if (budget_) budget_->drop_stale(warm);
}

void AddressSpace::discard_free() {
  const sim::LockGuard guard(mutex_);
  if (stale_ == 0) return;
  if (budget_) budget_->drop_stale(stale_);
  stale_ = cold_ = 0;
  for (const auto& [offset, span] : free_) {
    discard_pages(offset, span);
    if (offset + span >= used_end_) {
      used_end_ = std::min(used_end_, offset);
    } else {
      cold_ += span;
    }
  }
}

void AddressSpace::hold_freed() {
  const sim::LockGuard guard(mutex_);
  ++holds_;
}

void AddressSpace::release_freed() {
  const sim::LockGuard guard(mutex_);
  if (--holds_ > 0) return;
  for (auto it = held_.begin(); it != held_.end();) {
    if (it->second.kept > 0) {
      ++it;
      continue;
    }
    recycle(it->first, it->second);
    it = held_.erase(it);
  }
}

std::size_t AddressSpace::free_all() {
  std::vector<Allocation> all = live();
  {
    const sim::LockGuard guard(mutex_);
    freed_.clear();  // that was before
  }
  for (const Allocation& allocation : all) free(reinterpret_cast<void*>(allocation.begin));
  const sim::LockGuard guard(mutex_);
  for (auto& [label, usage] : usage_) usage.peak = usage.current;
  for (const Allocation& allocation : all) {
    freed_by_all_.insert(offset_of(reinterpret_cast<void*>(allocation.begin)));
  }
  return all.size();
}

bool AddressSpace::forget_freed_by_all(const void* address) {
  const sim::LockGuard guard(mutex_);
  return freed_by_all_.erase(offset_of(address)) != 0;
}

void AddressSpace::forget_freed_by_all(std::size_t offset, std::size_t span) {
  if (freed_by_all_.empty()) return;
  freed_by_all_.erase(freed_by_all_.lower_bound(offset), freed_by_all_.lower_bound(offset + span));
}

template <class Table>
auto* AddressSpace::entry_in(Table& entries, std::size_t offset) {
  const auto after = entries.upper_bound(offset);
  if (after == entries.begin()) return decltype(&after->second)(nullptr);
  const auto it = std::prev(after);
  return offset - it->first < it->second.allocation.size ? &it->second : nullptr;
}

std::optional<Allocation> AddressSpace::find_in(const Entries& entries, std::size_t offset) {
  const Entry* const entry = entry_in(entries, offset);
  return entry ? std::optional(entry->allocation) : std::nullopt;
}

AddressSpace::Around AddressSpace::around(const void* address) const {
  const sim::LockGuard guard(mutex_);
  Around found;
  const auto behind = entries_.upper_bound(offset_of(address));
  if (behind != entries_.end()) found.behind = behind->second.allocation;
  if (behind != entries_.begin()) found.before = std::prev(behind)->second.allocation;
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  const auto freed = std::find_if(freed_.rbegin(), freed_.rend(), [value](const Freed& one) {
    return one.allocation.contains(value);
  });
  if (freed != freed_.rend()) found.freed = *freed;
  // Memory that another process still uses is held as well, and is no longer this one's.
  const Entry* const held = entry_in(held_, offset_of(address));
  if (held && (!held->counted || holds_ > 0)) {
    const bool known = found.freed && found.freed->allocation.serial == held->allocation.serial;
    found.freed = {held->allocation, known ? found.freed->caller : nullptr, true};
  }
  return found;
}

std::optional<AddressSpace::FilePart> AddressSpace::keep(const void* address) {
  const sim::LockGuard guard(mutex_);
  Entry* const entry = entry_in(entries_, offset_of(address));
  if (!entry || !memfd_) return std::nullopt;
  ++entry->kept;
  return FilePart{&memfd_, offset_of(address)};
}

AddressSpace::WholeFile AddressSpace::whole_file() {
  const sim::LockGuard guard(mutex_);
  map_views();
  return {&memfd_, views_.engine_base};
}

void AddressSpace::let_go(const void* address) {
  const sim::LockGuard guard(mutex_);
  const std::size_t offset = offset_of(address);
  if (Entry* const entry = entry_in(entries_, offset)) {
    --entry->kept;
    return;
  }
  const auto it = std::prev(held_.upper_bound(offset));
  if (--it->second.kept > 0 || holds_ > 0) return;
  recycle(it->first, it->second);
  held_.erase(it);
}

std::optional<Allocation> AddressSpace::find(const void* address) const {
  const sim::LockGuard guard(mutex_);
  return find_in(entries_, offset_of(address));
}

std::optional<Allocation> AddressSpace::find_held(const void* address) const {
  const sim::LockGuard guard(mutex_);
  const auto live = find_in(entries_, offset_of(address));
  return live ? live : find_in(held_, offset_of(address));
}

std::optional<Allocation> AddressSpace::try_find(const void* address) const {
  if (!mutex_.try_lock()) return std::nullopt;
  const sim::LockGuard guard(mutex_, std::adopt_lock);
  return find_in(entries_, offset_of(address));
}

std::size_t AddressSpace::peak() const {
  const sim::LockGuard guard(mutex_);
  return peak_;
}

std::size_t AddressSpace::used() const {
  const sim::LockGuard guard(mutex_);
  return used_;
}

std::size_t AddressSpace::live_count() const {
  const sim::LockGuard guard(mutex_);
  return entries_.size();
}

std::vector<Allocation> AddressSpace::live() const {
  const sim::LockGuard guard(mutex_);
  std::vector<Allocation> all;
  all.reserve(entries_.size());
  for (const auto& [offset, entry] : entries_) all.push_back(entry.allocation);
  return all;
}

std::map<std::uint32_t, AddressSpace::Usage> AddressSpace::usage() const {
  const sim::LockGuard guard(mutex_);
  return usage_;
}

void AddressSpace::discard_pages(std::size_t offset, std::size_t span) {
  const std::size_t first = round_up(offset, kPage);
  const std::size_t last = (offset + span) / kPage * kPage;
  if (last <= first) return;
  if (memfd_) {
    fallocate(memfd_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(first),
              static_cast<off_t>(last - first));
  } else {
    madvise(views_.engine_base + first, last - first, MADV_DONTNEED);
  }
}

}  // namespace sim
