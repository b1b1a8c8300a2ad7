// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/base/ref.h"
#include "device_sim/base/spin_lock.h"

namespace acl {

enum class HandleKind : std::uint64_t {
  context = 1,
  stream,
  event,
  notify,
  cnt_notify,
  label,
  label_list,
  model,
  model_task,
  task_group,
  condition,
  binary,
  function,
  arguments,
  parameter,
  physical_memory,
  memory_pool,
  allocator,
  stream_config,
  binary_data,
  data_buffer,
  group_info,
  tensor_channel,
  data_item,
  data_set,
  buffer,
  queue_attributes,
  queue_route,
  queue_route_list,
  queue_route_query,
  profile_config,
  profile_subscription,
  profile_step,
  profile_stamp,
  tensor_desc,
  exception,
  rtc_program,
};

inline constexpr std::uint64_t kHandleMark = 0x5;
inline constexpr int kHandleKindShift = 54;
/// The kind that is encoded in a handle, live or not.
inline HandleKind kind_of_handle(const void* handle) noexcept {
  return static_cast<HandleKind>(reinterpret_cast<std::uintptr_t>(handle) >> kHandleKindShift &
                                 0x3f);
}

/// Called for each handle that ends, in the call that ends it; may be null.
inline std::atomic<void (*)(const void* handle) noexcept> handle_ended{nullptr};

/// Handles are numbers in pointer types: a mark (4 bits), the kind (6), a slot (22) and the slot's
/// generation (32). They are never dereferenced, so destroyed, foreign, wrong-kind and random
/// values all end in "not found". An object that is in use by one thread while another destroys
/// its handle lives until the first lets go of it.
template <class T, HandleKind Kind>
class HandleTable {
  static constexpr std::uint32_t kNoSlot = ~0U;
  struct Slot {
    std::atomic<std::uint64_t> word{kFree};  // generation << 32 | kLive | kFree | pins
    std::atomic<T*> object{nullptr};         // one reference while not free
    std::uint32_t index = 0;
    std::uint32_t next_free = kNoSlot;  // of a free slot, guarded by lock_
  };

 public:
  /// Keeps an object alive and its slot in place.
  class Pin {
   public:
    Pin() = default;
    Pin(Pin&& other) noexcept : table_(other.table_), slot_(std::exchange(other.slot_, nullptr)) {}
    Pin& operator=(Pin&& other) noexcept {
      std::swap(table_, other.table_);
      std::swap(slot_, other.slot_);
      return *this;
    }
    ~Pin() {
      if (slot_) table_->unpin(*slot_);
    }
    T* get() const noexcept {
      return slot_ ? slot_->object.load(std::memory_order_relaxed) : nullptr;
    }
    T* operator->() const noexcept { return get(); }
    T& operator*() const noexcept { return *get(); }
    explicit operator bool() const noexcept { return slot_ != nullptr; }

   private:
    friend class HandleTable;
    Pin(HandleTable& table, Slot& slot) noexcept : table_(&table), slot_(&slot) {}
    HandleTable* table_ = nullptr;
    Slot* slot_ = nullptr;
  };

  /// Takes over the reference; returns the handle, or null when the table is full.
  void* add(sim::Ref<T> object) {
    Slot* const slot = take_slot();
    if (!slot) return nullptr;
    slot->object.store(object.detach(), std::memory_order_relaxed);
    const std::uint64_t generation = slot->word.load(std::memory_order_relaxed) >> 32;
    // Stale lookups may hold pins for a moment: add, do not store.
    slot->word.fetch_add(kLive - kFree, std::memory_order_release);
    return made_of(*slot, generation);
  }

  /// An empty pin when the handle does not name a live object of this kind.
  Pin find(const void* handle) noexcept {
    const auto value = reinterpret_cast<std::uint64_t>(handle);
    if ((value >> kHandleKindShift) != ((kHandleMark << 6) | static_cast<std::uint64_t>(Kind)))
      return {};
    Slot* const slot = slot_at(slot_of(handle));
    if (!slot) return {};
    const std::uint64_t before = slot->word.fetch_add(1, std::memory_order_acquire);
    if ((before >> 32) != (value & 0xffffffff) || !(before & kLive)) [[unlikely]] {
      unpin(*slot);
      return {};
    }
    return Pin(*this, *slot);
  }

  /// The slot that a handle names; any number if the value is not a handle.
  static std::uint32_t slot_of(const void* handle) noexcept {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(handle) >> 32) & kSlots;
  }

  /// True while the pinned object's handle has not been removed.
  static bool live(const Pin& pin) noexcept {
    return (pin.slot_->word.load(std::memory_order_acquire) & kLive) != 0;
  }

  /// Ends the handle: true for exactly one caller. The object goes when the last pin does.
  bool remove(const Pin& pin) noexcept {
    if (!(pin.slot_->word.fetch_and(~kLive, std::memory_order_acq_rel) & kLive)) return false;
    {
      const sim::LockGuard guard(lock_);
      change_count(-1);
    }
    if (auto* const told = handle_ended.load(std::memory_order_acquire)) [[unlikely]]
      told(handle_of(pin));
    return true;
  }

  /// The same, and releases the pin. If it is the only pin and handle_ended is null, the handle and
  /// the object end in one step.
  bool remove(Pin&& pin) noexcept {
    Slot& slot = *pin.slot_;
    std::uint64_t word = slot.word.load(std::memory_order_relaxed);
    const bool sole = (word & (kLive | kPins)) == (kLive | 1);
    if (!sole || handle_ended.load(std::memory_order_acquire) || !free_from(slot, word)) {
      return remove(pin);
    }
    pin.slot_ = nullptr;
    slot.object.load(std::memory_order_relaxed)->release_as_last();
    const sim::LockGuard guard(lock_);
    change_count(-1);
    give_back(slot);
    return true;
  }

  /// The handle under which the object was found.
  static void* handle_of(const Pin& pin) noexcept {
    return made_of(*pin.slot_, pin.slot_->word.load(std::memory_order_relaxed) >> 32);
  }

  std::size_t count() const noexcept { return count_.load(std::memory_order_relaxed); }

  /// Pins every live object in turn.
  template <class F>
  void for_each(F&& f) {
    const std::uint32_t used = used_.load(std::memory_order_acquire);
    for (std::uint32_t i = 0; i < used; ++i) {
      Slot* const slot = slot_at(i);
      const std::uint64_t before = slot->word.fetch_add(1, std::memory_order_acquire);
      Pin pin(*this, *slot);
      if (before & kLive) f(pin);
    }
  }

 private:
  static constexpr std::uint32_t kSlots = (1u << 22) - 1;
  static constexpr std::uint64_t kLive = std::uint64_t{1} << 31;
  static constexpr std::uint64_t kFree = std::uint64_t{1} << 30;
  static constexpr std::uint64_t kPins = kFree - 1;
  static constexpr std::uint32_t kChunkSize = 1024;
  static constexpr std::uint32_t kChunks = (kSlots + 1) / kChunkSize;
  using Chunk = std::array<Slot, kChunkSize>;

  static void* made_of(const Slot& slot, std::uint64_t generation) noexcept {
    return reinterpret_cast<void*>((kHandleMark << 60) |
                                   (static_cast<std::uint64_t>(Kind) << kHandleKindShift) |
                                   (static_cast<std::uint64_t>(slot.index) << 32) | generation);
  }

  Slot* slot_at(std::uint32_t index) noexcept {
    if (index >= used_.load(std::memory_order_acquire)) return nullptr;
    return &(*chunks_[index / kChunkSize].load(std::memory_order_acquire))[index % kChunkSize];
  }

  // Takes a slot for a handle that is about to be live.
  Slot* take_slot() {
    const sim::LockGuard guard(lock_);
    Slot* const slot = free_ == kNoSlot ? new_slot() : slot_at(free_);
    if (!slot) return nullptr;
    if (free_ != kNoSlot) free_ = slot->next_free;
    change_count(1);
    return slot;
  }

  // A list through the slots: the end of a handle must not need memory.
  void give_back(Slot& slot) noexcept REQUIRES(lock_) {
    slot.next_free = free_;
    free_ = slot.index;
  }

  Slot* new_slot() REQUIRES(lock_) {
    const std::uint32_t index = used_.load(std::memory_order_relaxed);
    if (index == kChunks * kChunkSize) return nullptr;
    if (index % kChunkSize == 0)
      chunks_[index / kChunkSize].store(new Chunk, std::memory_order_release);
    Slot& slot = (*chunks_[index / kChunkSize].load(std::memory_order_relaxed))[index % kChunkSize];
    slot.index = index;
    used_.store(index + 1, std::memory_order_release);
    return &slot;
  }

  void unpin(Slot& slot) noexcept {
    const std::uint64_t after = slot.word.fetch_sub(1, std::memory_order_acq_rel) - 1;
    if (!(after & (kLive | kFree | kPins))) [[unlikely]]
      end(slot, after);
  }

  // The thread that moves a slot to the next generation frees it.
  static bool free_from(Slot& slot, std::uint64_t word) noexcept {
    const std::uint64_t next = (((word >> 32) + 1) << 32) | kFree;
    return slot.word.compare_exchange_strong(word, next, std::memory_order_acq_rel);
  }

  void change_count(std::ptrdiff_t by) noexcept REQUIRES(lock_) {
    count_.store(count_.load(std::memory_order_relaxed) + static_cast<std::size_t>(by),
                 std::memory_order_relaxed);
  }

  // Ends a slot that is dead and has no pin. Not inlined, because every call unpins.
  [[gnu::noinline, gnu::cold]] void end(Slot& slot, std::uint64_t after) noexcept {
    T* const object = slot.object.load(std::memory_order_relaxed);
    if (!free_from(slot, after)) return;
    object->release_as_last();
    const sim::LockGuard guard(lock_);
    give_back(slot);
  }

  // Chunks are never given back: a stale handle may still be looked up.
  std::array<std::atomic<Chunk*>, kChunks> chunks_{};
  std::atomic<std::uint32_t> used_{0};
  std::atomic<std::size_t> count_{0};  // live ones; changed with lock_
  sim::SpinLock lock_;
  std::uint32_t free_ GUARDED_BY(lock_) = kNoSlot;  // the slot that was freed last
};

}  // namespace acl
