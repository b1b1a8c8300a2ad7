// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/memory/address_space.h"
#include "device_sim/memory/free_ranges.h"
#include "device_sim/memory/physical_memory.h"

namespace sim {

/// The accesses to mapped memory that a device or the host has.
enum class Access : std::uint8_t { none = 0, read = 1, read_write = 3 };

/// Addresses that are reserved first and to which memory is mapped later, one physical allocation
/// at a time.
///
/// In a guarded machine the host cannot touch the memory that is mapped here, except memory of the
/// host. Otherwise pages become accessible when the first device gets access, and stay accessible,
/// because work in flight may still use them. For the same reason unmapped addresses read as zero
/// and accept writes, which have no effect, until they are reserved again.
class Mappings {
 public:
  /// Addresses and sizes are multiples of this.
  static constexpr std::size_t kGranularity = std::size_t{2} << 20;
  using Views = AddressSpace::Views;
  /// Every device that is not named has `otherwise`; nullopt: what it may do with any memory of
  /// that device.
  struct Rights {
    std::optional<Access> otherwise;
    std::vector<std::pair<int, Access>> named;

    std::optional<Access> of(int device) const noexcept;
    Access strongest() const noexcept;
  };

  Mappings(Views views, std::size_t bytes, std::atomic<std::uint64_t>* serials);
  ~Mappings();

  /// Sets addresses aside, from `wanted` on when that is not null. Throws MachineError:
  /// invalid_argument when `wanted` is none of these addresses, out_of_memory when they are taken.
  void* reserve(std::size_t size, const void* wanted = nullptr);
  /// Ends a reservation. Throws invalid_argument when none starts there or something is mapped.
  void release(const void* at);

  /// Whether a reservation may hold memory of several devices, and of other processes beside one's
  /// own.
  enum class Neighbours { alike, any };
  /// Puts memory behind reserved addresses, from its byte `lead` (less than a page) on for `size`
  /// bytes; what is found there then starts at `at` + `lead`. Throws invalid_argument when the
  /// addresses are not reserved or not free, and when the reservation holds memory that
  /// `neighbours` does not allow.
  void map(void* at, Ref<PhysicalMemory> memory, const Rights& rights, const void* caller,
           std::size_t lead, std::size_t size, Neighbours neighbours = Neighbours::alike);
  void map(void* at, const Ref<PhysicalMemory>& memory, const Rights& rights,
           const void* caller = nullptr) {
    map(at, memory, rights, caller, 0, memory->size());
  }
  /// Ends the mapping that starts at `at`. Throws not_found.
  void unmap(const void* at);
  /// Ends every mapping of memory of this device; returns how many there were.
  std::size_t unmap_all(int device);
  /// Ends everything.
  void clear();

  /// Names rights of devices for the mapping that is exactly [at, at + size). Throws not_found.
  void set_access(const void* at, std::size_t size,
                  const std::vector<std::pair<int, Access>>& named);
  /// The rights in the mapping that holds `address`; throws not_found.
  Rights rights(const void* address) const;

  /// The mapping that holds `address`.
  std::optional<Allocation> find(const void* address) const;
  /// As `find`, for a signal handler: returns nullopt while another thread holds the lock.
  std::optional<Allocation> try_find(const void* address) const;
  /// The memory that is mapped at `address`, or null.
  Ref<PhysicalMemory> memory_at(const void* address) const;
  std::vector<Allocation> live() const;
  std::size_t reservation_count() const;

  bool holds(const void* address) const noexcept { return offset_of(address) < bytes_; }
  bool holds(const Allocation& allocation) const noexcept {
    return holds(reinterpret_cast<const void*>(allocation.begin));
  }
  void* begin() const noexcept { return views_.user_base; }
  std::size_t bytes() const noexcept { return bytes_; }
  /// Moves whenever what was found may no longer be so.
  const std::atomic<std::uint64_t>& epoch() const noexcept { return epoch_; }

  /// Guarded mode: lets kernels touch the pages of a mapping; false when no device has access.
  bool open_pages(const Allocation& allocation) noexcept;
  void close_pages(const Allocation& allocation) noexcept;

 private:
  struct Mapping {
    Allocation allocation;
    Ref<PhysicalMemory> memory;
    Rights rights;
    bool closed = false;  // no view of it is open yet
  };
  using Table = std::map<std::size_t, Mapping>;  // by offset

  std::size_t offset_of(const void* address) const noexcept {
    return static_cast<std::size_t>(static_cast<const std::byte*>(address) - views_.user_base);
  }
  bool two_views() const noexcept { return views_.two(); }
  Table::const_iterator locate(std::size_t offset) const REQUIRES(mutex_);
  Table::iterator starting_at(const void* at) REQUIRES(mutex_);
  std::map<std::size_t, std::size_t>::const_iterator reservation_of(std::size_t offset,
                                                                    std::size_t span) const
      REQUIRES(mutex_);
  void require_free(const void* at, const PhysicalMemory& memory, Neighbours neighbours) const
      REQUIRES(mutex_);
  void map_pages(std::size_t offset, const Mapping& mapping);
  void unmap_pages(std::size_t offset, std::size_t span);
  void forget_pages(std::size_t offset, std::size_t span);
  Table::iterator erase(Table::iterator it) REQUIRES(mutex_);

  const Views views_;
  const std::size_t bytes_;
  std::atomic<std::uint64_t>* const serials_;
  mutable sim::Mutex mutex_;
  FreeRanges free_ GUARDED_BY(mutex_);
  std::map<std::size_t, std::size_t> reservations_ GUARDED_BY(mutex_);  // offset -> bytes
  Table mappings_ GUARDED_BY(mutex_);
  std::atomic<std::uint64_t> epoch_{1};
};

}  // namespace sim
