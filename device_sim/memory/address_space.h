// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/base/owned_fd.h"
#include "device_sim/memory/free_ranges.h"

namespace sim {

/// The host's own pinned memory is kept like a device's, under this id.
inline constexpr int kHostDevice = -1;

/// One live piece of memory. `begin` is an address of the user's view.
struct Allocation {
  std::uintptr_t begin = 0;
  std::size_t size = 0;  // bytes asked for: an access past it is an overrun
  int device = 0;
  bool restricted = false;       // mapped, and not every device may touch it: see Mappings::rights
  std::uint64_t serial = 0;      // counts allocations of the process from 1
  const void* caller = nullptr;  // return address in the user's code, or null
  std::uint32_t label = 0;       // from the layer above; the machine only counts bytes by label

  std::uintptr_t end() const noexcept { return begin + size; }
  bool contains(std::uintptr_t address) const noexcept { return address - begin < size; }
};

class AddressSpace;

/// A limit that several address spaces share, in bytes. Pages of freed memory stay resident for the
/// next allocations ("stale"), within the limit and up to 1 GiB; further pages are returned to the
/// host.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::size_t limit) : limit_(limit) {}
  bool take(std::size_t bytes) noexcept;
  void give(std::size_t bytes) noexcept { used_.fetch_sub(bytes, std::memory_order_relaxed); }
  std::size_t limit() const noexcept { return limit_; }

  void join(AddressSpace& space);
  void leave(AddressSpace& space);
  void add_stale(std::size_t bytes) noexcept { stale_.fetch_add(bytes, std::memory_order_relaxed); }
  void drop_stale(std::size_t bytes) noexcept {
    stale_.fetch_sub(bytes, std::memory_order_relaxed);
  }
  /// Returns stale pages to the host when there are too many of them, or too many for `bytes` more.
  /// The caller holds the lock of no address space.
  void make_room(std::size_t bytes) EXCLUDES(mutex_);

  /// 80 % of the memory that the host has available now.
  static std::size_t host_share();

 private:
  const std::size_t limit_;
  std::atomic<std::size_t> used_{0};
  std::atomic<std::size_t> stale_{0};
  sim::Mutex mutex_;
  std::vector<AddressSpace*> spaces_ GUARDED_BY(mutex_);
};

/// The memory of one device: a range of addresses that it owns from start to end, backed by a
/// memfd (private memory for the host's pinned pool), from which allocations are made.
/// Fresh memory reads as zero; recycled memory keeps its old contents.
class AddressSpace {
 public:
  /// `user_base` and `engine_base` start two reserved ranges of `capacity` bytes; they are equal
  /// when the user's view and the engine's are one. Pages are mapped on the first allocation.
  struct Views {
    std::byte* user_base;
    std::byte* engine_base;
    bool closed = false;       // the user's view, to host threads
    bool closes_free = false;  // its pages without an allocation; then there are two
    bool two() const noexcept { return user_base != engine_base; }
  };
  AddressSpace(int device, std::size_t capacity, Views views, MemoryBudget* budget,
               std::atomic<std::uint64_t>* serials);
  ~AddressSpace();
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;

  /// Allocates `size` bytes aligned to `alignment` (a power of two), followed by `padding` reserved
  /// bytes. Throws MachineError(out_of_memory).
  void* allocate(std::size_t size, std::size_t alignment, std::size_t padding = 0,
                 const void* caller = nullptr, std::uint32_t label = 0);
  /// Frees the allocation that starts at `address`. False when no live allocation starts there.
  /// `caller` is the return address in the user's code, or null.
  bool free(const void* address, const void* caller = nullptr) {
    return free(address, caller, false);
  }
  /// As `free`, but the bytes are not allocated again, and stay readable and writable, until
  /// let_go. They no longer count as used.
  bool free_later(const void* address, const void* caller = nullptr) {
    return free(address, caller, true);
  }
  /// Registers a listener that is called once, right before the allocation that holds `address` is
  /// freed, by the thread that frees it and without a lock. It is not called if it has no owner any
  /// more. False, and nothing is registered, if no live allocation holds the address.
  using FreeListener = std::function<void()>;
  bool on_free(const void* address, std::weak_ptr<const FreeListener> listener);
  /// The live allocation that holds `address`, which may be any address inside it.
  std::optional<Allocation> find(const void* address) const;
  /// The allocations that a program may have meant by an address outside of all live allocations:
  /// the live neighbours on both sides, and the freed allocation that held the address. Freed
  /// allocations that are held are known, and the latest 256 others, as long as their bytes are not
  /// in use again.
  struct Freed {
    Allocation allocation;
    const void* caller = nullptr;
    bool held = false;  // its bytes stay readable and writable for now
  };
  struct Around {
    std::optional<Allocation> before;
    std::optional<Allocation> behind;
    std::optional<Freed> freed;
  };
  Around around(const void* address) const;
  /// As `find`, for a signal handler: returns nullopt while another thread holds the lock.
  std::optional<Allocation> try_find(const void* address) const;
  /// While held, freed memory is not allocated again and stays readable and writable, for a kernel
  /// that was abandoned and still runs. Counted.
  void hold_freed();
  void release_freed();
  /// As find, and also finds freed allocations that are held.
  std::optional<Allocation> find_held(const void* address) const;
  /// Returns the pages of all free memory to the host.
  void discard_free();
  /// Frees every allocation and resets the peaks; returns the number of allocations.
  std::size_t free_all();
  /// Whether free_all freed an allocation that starts here, and its bytes are not in use again.
  /// True once for each allocation.
  bool forget_freed_by_all(const void* address);

  int device() const noexcept { return device_; }
  std::size_t capacity() const noexcept { return capacity_; }
  std::size_t used() const;
  /// The most that was used at a time, since the process began.
  std::size_t peak() const;
  std::size_t live_count() const;
  std::vector<Allocation> live() const;
  /// Bytes under one label, padding included.
  struct Usage {
    std::size_t current = 0;
    std::size_t peak = 0;
  };
  /// By label, for all labels that were ever in use here.
  std::map<std::uint32_t, Usage> usage() const;
  /// A place in the device's file.
  struct FilePart {
    const OwnedFd* file;
    std::size_t offset;
  };
  /// The position of `address` in the device's file; nullopt if no live allocation holds the
  /// address or the device has no file. The bytes of the allocation are not allocated again, even
  /// after it is freed, until let_go was called as often as keep.
  std::optional<FilePart> keep(const void* address);
  /// The device's file and its address in the engine's view. Throws MachineError(out_of_memory).
  struct WholeFile {
    const OwnedFd* file;
    std::byte* engine;
  };
  WholeFile whole_file();
  void let_go(const void* address);
  /// Counts memory of this device that has no address here; throws MachineError(out_of_memory).
  void charge(std::size_t bytes);
  void refund(std::size_t bytes);
  /// Changes whenever an address that was found may no longer be found.
  const std::atomic<std::uint64_t>& epoch() const noexcept { return epoch_; }

 private:
  struct Entry {
    Allocation allocation;
    std::size_t span = 0;  // bytes taken from the range, padding included
    int kept = 0;          // times that keep() or free_later() was called without let_go()
    bool counted = true;   // as used
  };
  using Entries = std::map<std::size_t, Entry>;  // by offset

  bool free(const void* address, const void* caller, bool later) EXCLUDES(mutex_);
  void tell_free_listeners(const void* address) EXCLUDES(mutex_);
  void map_views() REQUIRES(mutex_);
  void open_pages(const Allocation& allocation) REQUIRES(mutex_);
  void close_pages(std::size_t offset, std::size_t span) REQUIRES(mutex_);
  /// `asked`: the size that the error message names.
  void take_share(std::size_t span, std::size_t asked) REQUIRES(mutex_);
  void give_share(std::size_t span) REQUIRES(mutex_);
  void discard_pages(std::size_t offset, std::size_t span) REQUIRES(mutex_);
  template <class Table>
  static auto* entry_in(Table& entries, std::size_t offset);
  static std::optional<Allocation> find_in(const Entries& entries, std::size_t offset);
  std::size_t offset_of(const void* address) const noexcept {
    return static_cast<std::size_t>(static_cast<const std::byte*>(address) - views_.user_base);
  }
  void remember(const Freed& freed) REQUIRES(mutex_);
  /// The entry no longer counts as used.
  void discount(Entry& entry) REQUIRES(mutex_);
  void recycle(std::size_t offset, Entry& entry) REQUIRES(mutex_);
  void take_stale(std::size_t offset, std::size_t span) REQUIRES(mutex_);
  void forget_freed_by_all(std::size_t offset, std::size_t span) REQUIRES(mutex_);

  const int device_;
  const std::size_t capacity_;
  Views views_;  // the addresses never change; closes_free changes with mutex_
  MemoryBudget* const budget_;
  std::atomic<std::uint64_t>* const serials_;

  mutable sim::Mutex mutex_;
  OwnedFd memfd_ GUARDED_BY(mutex_);
  bool mapped_ GUARDED_BY(mutex_) = false;
  std::size_t used_ GUARDED_BY(mutex_) = 0;
  std::size_t peak_ GUARDED_BY(mutex_) = 0;
  // Freed bytes whose pages may still be resident; never fewer than there are.
  std::size_t stale_ GUARDED_BY(mutex_) = 0;
  std::size_t used_end_ GUARDED_BY(mutex_) = 0;  // all later bytes are free and not resident
  std::size_t cold_ GUARDED_BY(mutex_) = 0;      // free bytes before it that are not resident
  std::map<std::uint32_t, Usage> usage_ GUARDED_BY(mutex_);  // by label
  Entries entries_ GUARDED_BY(mutex_);
  Entries held_ GUARDED_BY(mutex_);  // freed, but not to be handed out yet
  int holds_ GUARDED_BY(mutex_) = 0;
  // The latest ones, while pages without an allocation are closed.
  std::deque<Freed> freed_ GUARDED_BY(mutex_);
  // Offsets of the allocations that free_all freed.
  std::set<std::size_t> freed_by_all_ GUARDED_BY(mutex_);
  // By the offset of the allocation.
  std::multimap<std::size_t, std::weak_ptr<const FreeListener>> free_listeners_ GUARDED_BY(mutex_);
  std::atomic<bool> listened_{false};  // free_listeners_ was not empty once
  FreeRanges free_ GUARDED_BY(mutex_);
  std::atomic<std::uint64_t> epoch_{1};
};

}  // namespace sim
