// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "device_sim/base/per_thread.h"
#include "device_sim/base/system_config.h"
#include "device_sim/memory/address_space.h"
#include "device_sim/memory/mappings.h"

namespace sim {

enum class HostRights : std::uint8_t { none, read, all };

/// All memory of the machine side by side in one reserved range, so that an address names its
/// device without a search: the devices', addresses that programs map memory at, and the host's
/// pinned pool.
///
/// In guarded mode (`HostAccess::guard`) the range exists twice: the user's view cannot be
/// touched by the host, the engine's can. Otherwise both are the same.
class Memory {
 public:
  explicit Memory(const SystemConfig& config);
  ~Memory();

  AddressSpace& device(int id) { return *spaces_[static_cast<std::size_t>(id)]; }
  const AddressSpace& device(int id) const { return *spaces_[static_cast<std::size_t>(id)]; }
  AddressSpace& host() { return *spaces_.back(); }
  const AddressSpace& host() const { return *spaces_.back(); }
  int device_count() const noexcept { return static_cast<int>(spaces_.size()) - 1; }

  Mappings& mappings() noexcept { return *mappings_; }
  const Mappings& mappings() const noexcept { return *mappings_; }

  /// The live piece, or mapping, that holds `address`; nullopt for any other host memory.
  /// Keeps the last answers per thread, so repeated look-ups cost a few nanoseconds.
  std::optional<Allocation> find(const void* address) const;
  /// The same where the calling thread has the answer at hand; null: ask `find`. Valid until the
  /// thread looks for something else.
  const Allocation* recall(const void* address) const noexcept {
    LookupCache* const cache = per_thread_if_made<LookupCache>();
    if (!cache) [[unlikely]]
      return nullptr;
    const auto value = reinterpret_cast<std::uintptr_t>(address);
    const CachedLookup& entry = cache->at(value);
    return answers(entry, value) ? &entry.allocation : nullptr;
  }
  /// The space whose range holds `address`, live or not; null for addresses of mappings and other
  /// host memory.
  AddressSpace* space_of(const void* address) const noexcept;

  /// Whether the byte at `address` belongs to the machine, allocated or not.
  bool owns(const void* address) const noexcept {
    return reinterpret_cast<std::uintptr_t>(address) - user_base_ < total_bytes_;
  }

  /// The address in the engine's view of the byte at `address` in the user's view.
  void* engine(const void* address) const noexcept {
    const auto offset = reinterpret_cast<std::uintptr_t>(address) - user_base_;
    return reinterpret_cast<void*>(offset < doubled_bytes_ ? engine_base_ + offset
                                                           : user_base_ + offset);
  }

  bool guarded() const noexcept { return guarded_; }
  /// SystemConfig::bars_hosts: all memory of the machine exists twice. The engine keeps its access.
  bool bars_hosts() const noexcept { return bars_hosts_; }
  /// SystemConfig::closes_free: devices' memory exists twice. The engine keeps its access.
  bool closes_free() const noexcept { return closes_free_; }
  /// Sets what host threads may do with the pages of these bytes, of one allocation. Callable from
  /// a signal handler.
  void limit_hosts(std::uintptr_t begin, std::size_t size, HostRights rights) const noexcept;
  /// Guarded mode: lets the host touch the pages of `allocation` (false when no device may either)
  /// / takes that back.
  bool open_pages(const Allocation& allocation) const noexcept;
  void close_pages(const Allocation& allocation) const noexcept;

 private:
  struct CachedLookup {
    std::uint64_t machine = 0;
    std::uint64_t epoch = 0;
    const std::atomic<std::uint64_t>* epoch_now = nullptr;
    Allocation allocation;
  };
  /// The last answers of a thread, each at the place that its address names. Large allocations have
  /// several places, small ones may share one.
  class LookupCache {
   public:
    CachedLookup& at(std::uintptr_t address) noexcept {
      const std::uint64_t mixed = (address / kGrain) * 0x9e3779b97f4a7c15u;
      return entries_[mixed >> (64 - kBits)];
    }

   private:
    static constexpr std::size_t kGrain = 64;  // allocations begin at multiples of it
    static constexpr int kBits = 6;
    std::array<CachedLookup, std::size_t{1} << kBits> entries_;
  };
  bool answers(const CachedLookup& entry, std::uintptr_t address) const noexcept {
    return entry.machine == id_ && entry.allocation.contains(address) &&
           entry.epoch == entry.epoch_now->load(std::memory_order_acquire);
  }
  std::optional<Allocation> find_anew(const void* address, CachedLookup& entry) const;
  void reserve_views(const SystemConfig& config);
  bool try_reserve(bool two_views, std::size_t pinned);

  std::uintptr_t user_base_ = 0;
  std::uintptr_t engine_base_ = 0;
  std::size_t device_bytes_ = 0;   // the devices' part of the range
  std::size_t viewed_bytes_ = 0;   // with the mappings': what exists twice in guarded mode
  std::size_t doubled_bytes_ = 0;  // bytes that exist twice, or may
  bool guarded_ = false;
  bool bars_hosts_ = false;
  bool closes_free_ = false;
  std::size_t total_bytes_ = 0;  // with the host's pinned pool
  std::size_t stride_ = 0;
  MemoryBudget budget_;
  std::atomic<std::uint64_t> serials_{0};
  std::vector<std::unique_ptr<AddressSpace>> spaces_;  // devices, then the host
  std::unique_ptr<Mappings> mappings_;
  const std::uint64_t id_;  // distinguishes this machine from earlier ones in per-thread caches
};

}  // namespace sim
