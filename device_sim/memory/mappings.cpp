// SPDX-License-Identifier: Apache-2.0
#include "device_sim/memory/mappings.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "device_sim/base/error.h"
#include "device_sim/base/mutex.h"
#include "device_sim/base/sanitizer.h"
#include "device_sim/memory/pages.h"

namespace sim {
namespace {

constexpr int kOpen = PROT_READ | PROT_WRITE;

std::string text_of(const void* address) {
  char text[32];
  std::snprintf(text, sizeof text, "%p", address);
  return text;
}

}  // namespace

std::optional<Access> Mappings::Rights::of(int device) const noexcept {
  for (const auto& [named_device, access] : named) {
    if (named_device == device) return access;
  }
  return otherwise;
}

Access Mappings::Rights::strongest() const noexcept {
  Access most = otherwise.value_or(Access::read_write);
  for (const auto& [device, access] : named) most = std::max(most, access);
  return most;
}

Mappings::Mappings(Views views, std::size_t bytes, std::atomic<std::uint64_t>* serials)
    : views_(views), bytes_(bytes), serials_(serials), free_(bytes) {}

Mappings::~Mappings() { clear(); }

// ---- reservations ----

void* Mappings::reserve(std::size_t size, const void* wanted) {
  const std::size_t span = round_up(size, kGranularity);
  const sim::LockGuard guard(mutex_);
  if (wanted && (!holds(wanted) || offset_of(wanted) % kGranularity != 0)) {
    throw MachineError(Error::invalid_argument, "address " + text_of(wanted) +
                                                    " cannot be reserved; expected a multiple of " +
                                                    std::to_string(kGranularity) + " from " +
                                                    text_of(views_.user_base) + " to " +
                                                    text_of(views_.user_base + bytes_));
  }
  std::optional<std::size_t> offset;
  if (span < size) {
    offset = std::nullopt;
  } else if (!wanted) {
    offset = free_.take(span, kGranularity);
  } else if (free_.take_at(offset_of(wanted), span)) {
    offset = offset_of(wanted);
  }
  if (!offset) {
    throw MachineError(Error::out_of_memory,
                       std::to_string(size) + " bytes of addresses are not free" +
                           (wanted ? " from " + text_of(wanted) + " on" : std::string()));
  }
  try {
    reservations_.emplace(*offset, span);
  } catch (...) {
    free_.give(*offset, span);
    throw;
  }
  // Pages of an earlier reservation are dropped only now.
  forget_pages(*offset, span);
  return views_.user_base + *offset;
}

void Mappings::release(const void* at) {
  const sim::LockGuard guard(mutex_);
  const auto it = reservations_.find(offset_of(at));
  if (it == reservations_.end()) {
    throw MachineError(Error::invalid_argument, "no reservation starts at " + text_of(at));
  }
  const auto [offset, span] = *it;
  const auto inside = mappings_.lower_bound(offset);
  if (inside != mappings_.end() && inside->first < offset + span) {
    throw MachineError(Error::invalid_argument, "memory is still mapped at " +
                                                    text_of(views_.user_base + inside->first) +
                                                    "; expected everything to be unmapped before");
  }
  free_.give(offset, span);
  reservations_.erase(it);
}

std::map<std::size_t, std::size_t>::const_iterator Mappings::reservation_of(
    std::size_t offset, std::size_t span) const {
  auto it = reservations_.upper_bound(offset);
  if (it == reservations_.begin()) return reservations_.end();
  --it;
  const std::size_t inner = offset - it->first;
  return inner <= it->second && it->second - inner >= span ? it : reservations_.end();
}

// ---- mappings ----

void Mappings::require_free(const void* at, const PhysicalMemory& memory,
                            Neighbours neighbours) const {
  const std::size_t offset = offset_of(at);
  const auto reservation = holds(at) ? reservation_of(offset, memory.size()) : reservations_.end();
  const auto refuse = [&](const std::string& why) {
    throw MachineError(Error::invalid_argument, "cannot map " + std::to_string(memory.size()) +
                                                    " bytes at " + text_of(at) + ": " + why);
  };
  if (offset % kGranularity != 0) refuse("no multiple of " + std::to_string(kGranularity));
  if (reservation == reservations_.end()) refuse("not inside one reservation");
  const std::size_t end = reservation->first + reservation->second;
  for (auto it = mappings_.lower_bound(reservation->first);
       it != mappings_.end() && it->first < end; ++it) {
    const PhysicalMemory& other = *it->second.memory;
    if (it->first < offset + memory.size() && offset < it->first + other.size()) {
      refuse("other memory is mapped there");
    }
    if (neighbours == Neighbours::any) continue;
    if (other.device() != memory.device()) refuse("the reservation holds memory of another device");
    if (other.adopted() != memory.adopted()) {
      refuse("the reservation cannot hold both own and imported memory");
    }
  }
}

void Mappings::map(void* at, Ref<PhysicalMemory> memory, const Rights& rights, const void* caller,
                   std::size_t lead, std::size_t size, Neighbours neighbours) {
  const sim::LockGuard guard(mutex_);
  require_free(at, *memory, neighbours);
  Mapping mapping;
  mapping.allocation.begin = reinterpret_cast<std::uintptr_t>(at) + lead;
  mapping.allocation.size = size;
  mapping.allocation.device = memory->device();
  mapping.allocation.restricted = rights.otherwise.has_value() || !rights.named.empty();
  mapping.allocation.serial = serials_->fetch_add(1, std::memory_order_relaxed) + 1;
  mapping.allocation.caller = caller;
  mapping.closed = rights.strongest() == Access::none;
  mapping.rights = rights;
  mapping.memory = std::move(memory);
  const std::size_t offset = offset_of(at);
  try {
    map_pages(offset, mapping);
  } catch (...) {
    forget_pages(offset, mapping.memory->size());
    throw;
  }
  mappings_.emplace(offset, std::move(mapping));
}

void Mappings::map_pages(std::size_t offset, const Mapping& mapping) {
  const PhysicalMemory& memory = *mapping.memory;
  const std::size_t span = round_up(memory.size(), kGranularity);
  if (two_views()) {
    map_fixed(views_.engine_base + offset, memory.size(), kOpen, memory.file().get(),
              memory.offset());
    const bool open = !views_.closed || memory.device() == kHostDevice;
    const bool hosts = open && !mapping.closed;
    map_fixed(views_.user_base + offset, memory.size(), hosts ? kOpen : PROT_NONE,
              memory.file().get(), memory.offset());
  } else {
    map_fixed(views_.user_base + offset, memory.size(), mapping.closed ? PROT_NONE : kOpen,
              memory.file().get(), memory.offset());
  }
  const Allocation& allocation = mapping.allocation;
  poison(views_.user_base + offset, span);
  unpoison(reinterpret_cast<void*>(allocation.begin), allocation.size);
}

void Mappings::unmap_pages(std::size_t offset, std::size_t span) {
  map_fixed(views_.engine_base + offset, span, kOpen, -1);
  if (two_views()) map_fixed(views_.user_base + offset, span, PROT_NONE, -1);
  poison(views_.user_base + offset, span);
}

void Mappings::forget_pages(std::size_t offset, std::size_t span) {
  map_fixed(views_.engine_base + offset, span, PROT_NONE, -1);
  if (two_views()) map_fixed(views_.user_base + offset, span, PROT_NONE, -1);
}

Mappings::Table::iterator Mappings::starting_at(const void* at) {
  const auto it = mappings_.find(offset_of(at) / kGranularity * kGranularity);
  if (it == mappings_.end() ||
      it->second.allocation.begin != reinterpret_cast<std::uintptr_t>(at)) {
    throw MachineError(Error::not_found, "nothing is mapped from " + text_of(at) + " on");
  }
  return it;
}

void Mappings::unmap(const void* at) {
  const sim::LockGuard guard(mutex_);
  erase(starting_at(at));
}

Mappings::Table::iterator Mappings::erase(Table::iterator it) {
  epoch_.fetch_add(1, std::memory_order_acq_rel);
  unmap_pages(it->first, it->second.memory->size());
  return mappings_.erase(it);
}

std::size_t Mappings::unmap_all(int device) {
  const sim::LockGuard guard(mutex_);
  std::size_t count = 0;
  for (auto it = mappings_.begin(); it != mappings_.end();) {
    const bool ends = it->second.memory->device() == device;
    count += ends ? 1 : 0;
    it = ends ? erase(it) : std::next(it);
  }
  return count;
}

void Mappings::clear() {
  const sim::LockGuard guard(mutex_);
  for (auto it = mappings_.begin(); it != mappings_.end();) it = erase(it);
  for (const auto& [offset, span] : reservations_) free_.give(offset, span);
  reservations_.clear();
}

// ---- rights ----

void Mappings::set_access(const void* at, std::size_t size,
                          const std::vector<std::pair<int, Access>>& named) {
  const sim::LockGuard guard(mutex_);
  const auto it = starting_at(at);
  Mapping& mapping = it->second;
  if (mapping.allocation.size != size) {
    throw MachineError(Error::not_found, std::to_string(mapping.allocation.size) +
                                             " bytes are mapped at " + text_of(at) + ", not " +
                                             std::to_string(size));
  }
  for (const auto& [device, access] : named) {
    std::erase_if(mapping.rights.named,
                  [d = device](const auto& entry) { return entry.first == d; });
    mapping.rights.named.emplace_back(device, access);
  }
  mapping.allocation.restricted = true;
  epoch_.fetch_add(1, std::memory_order_acq_rel);
  const bool hosts = !views_.closed || mapping.memory->device() == kHostDevice;
  if (mapping.closed && hosts && mapping.rights.strongest() != Access::none) {
    mprotect(views_.user_base + it->first, mapping.memory->size(), kOpen);
    mapping.closed = false;
  }
}

Mappings::Rights Mappings::rights(const void* address) const {
  const sim::LockGuard guard(mutex_);
  const auto it = locate(offset_of(address));
  if (it == mappings_.end()) {
    throw MachineError(Error::not_found, "nothing is mapped at " + text_of(address));
  }
  return it->second.rights;
}

bool Mappings::open_pages(const Allocation& allocation) noexcept {
  const sim::LockGuard guard(mutex_);
  const auto it = locate(allocation.begin - reinterpret_cast<std::uintptr_t>(views_.user_base));
  if (it == mappings_.end() || it->second.rights.strongest() == Access::none) return false;
  mprotect(views_.user_base + it->first, it->second.memory->size(), kOpen);
  return true;
}

void Mappings::close_pages(const Allocation& allocation) noexcept {
  const sim::LockGuard guard(mutex_);
  const auto it = locate(allocation.begin - reinterpret_cast<std::uintptr_t>(views_.user_base));
  if (it == mappings_.end() || it->second.memory->device() == kHostDevice) return;
  mprotect(views_.user_base + it->first, it->second.memory->size(), PROT_NONE);
}

// ---- look-ups ----

Mappings::Table::const_iterator Mappings::locate(std::size_t offset) const {
  auto it = mappings_.upper_bound(offset);
  if (it == mappings_.begin()) return mappings_.end();
  --it;
  const auto address = reinterpret_cast<std::uintptr_t>(views_.user_base) + offset;
  return it->second.allocation.contains(address) ? it : mappings_.end();
}

std::optional<Allocation> Mappings::find(const void* address) const {
  const sim::LockGuard guard(mutex_);
  const auto it = locate(offset_of(address));
  return it == mappings_.end() ? std::nullopt : std::optional(it->second.allocation);
}

std::optional<Allocation> Mappings::try_find(const void* address) const {
  if (!mutex_.try_lock()) return std::nullopt;
  const sim::LockGuard guard(mutex_, std::adopt_lock);
  const auto it = locate(offset_of(address));
  return it == mappings_.end() ? std::nullopt : std::optional(it->second.allocation);
}

Ref<PhysicalMemory> Mappings::memory_at(const void* address) const {
  const sim::LockGuard guard(mutex_);
  const auto it = locate(offset_of(address));
  return it == mappings_.end() ? Ref<PhysicalMemory>() : it->second.memory;
}

std::vector<Allocation> Mappings::live() const {
  const sim::LockGuard guard(mutex_);
  std::vector<Allocation> all;
  for (const auto& [offset, mapping] : mappings_) all.push_back(mapping.allocation);
  return all;
}

std::size_t Mappings::reservation_count() const {
  const sim::LockGuard guard(mutex_);
  return reservations_.size();
}

}  // namespace sim
