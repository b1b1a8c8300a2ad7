// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

namespace order {

/// Who does things one after the other: a stream, or a host thread. Small numbers, given out by
/// the engine.
using Actor = std::uint32_t;

/// A moment in the life of one actor: its count-th deed. Counts start at 1; 0 is "never".
struct Epoch {
  Actor actor = 0;
  std::uint32_t count = 0;
};

/// Of each actor, how many of its deeds have happened before. Actors that were never heard of take
/// no room, and few actors no allocation.
class VectorClock {
 public:
  VectorClock() = default;
  VectorClock(const VectorClock& other) { assign(other); }
  VectorClock(VectorClock&& other) noexcept { take(other); }
  VectorClock& operator=(const VectorClock& other) {
    if (this != &other) assign(other);
    return *this;
  }
  VectorClock& operator=(VectorClock&& other) noexcept {
    if (this != &other) take(other);
    return *this;
  }
  ~VectorClock() = default;

  std::uint32_t of(Actor actor) const noexcept { return actor < size_ ? counts()[actor] : 0; }
  bool covers(Epoch epoch) const noexcept { return of(epoch.actor) >= epoch.count; }
  bool covers(const VectorClock& other) const noexcept {
    const std::uint32_t* const mine = counts();
    const std::uint32_t* const theirs = other.counts();
    Lanes beyond{};
    Actor i = 0;
    for (; i < size_ && i < other.size_; i += kLanes) {
      beyond |= reinterpret_cast<Lanes>(lanes(theirs + i) > lanes(mine + i));
    }
    for (; i < other.size_; i += kLanes) beyond |= lanes(theirs + i);
    return !any(beyond);
  }

  void set(Actor actor, std::uint32_t count) {
    if (actor >= size_) grow(actor + 1);
    counts()[actor] = count;
  }
  void raise(Epoch epoch) {
    if (of(epoch.actor) < epoch.count) set(epoch.actor, epoch.count);
  }
  /// False when it covered the other.
  bool join(const VectorClock& other) {
    if (other.size_ > size_) grow(other.size_);
    std::uint32_t* const mine = counts();
    const std::uint32_t* const theirs = other.counts();
    Lanes beyond{};
    for (Actor i = 0; i < other.size_; i += kLanes) {
      const Lanes a = lanes(mine + i), b = lanes(theirs + i);
      const Lanes most = a > b ? a : b;
      beyond |= most ^ a;
      std::memcpy(mine + i, &most, sizeof most);
    }
    return any(beyond);
  }
  /// Behind the last actor that was heard of.
  Actor end() const noexcept { return size_; }
  void clear() noexcept { size_ = 0; }
  bool empty() const noexcept { return size_ == 0; }

 private:
  // Counts are handled four at a time: the room is a multiple of that, and zero behind the last.
  static constexpr std::uint32_t kLanes = 4;
  static constexpr std::uint32_t kOwnRoom = 3 * kLanes;
  using Lanes = std::uint32_t __attribute__((vector_size(kLanes * sizeof(std::uint32_t))));

  static Lanes lanes(const std::uint32_t* at) noexcept {
    Lanes read;
    std::memcpy(&read, at, sizeof read);
    return read;
  }
  static bool any(const Lanes& lanes) noexcept {
    return (lanes[0] | lanes[1] | lanes[2] | lanes[3]) != 0;
  }
  static std::uint32_t rounded(std::uint32_t size) noexcept {
    return (size + kLanes - 1) / kLanes * kLanes;
  }

  std::uint32_t* counts() noexcept { return more_ ? more_.get() : own_; }
  const std::uint32_t* counts() const noexcept { return more_ ? more_.get() : own_; }

  // Rare; and GCC 12 misreads the loop where it is inlined (-Warray-bounds).
  [[gnu::noinline]] void grow(std::uint32_t size) {
    if (size > room_) make_room(std::max(rounded(size), 2 * room_));
    std::fill(counts() + rounded(size_), counts() + rounded(size), 0);
    size_ = size;
  }
  void make_room(std::uint32_t room) {
    std::unique_ptr<std::uint32_t[]> made(new std::uint32_t[room]);
    std::copy(counts(), counts() + rounded(size_), made.get());
    more_ = std::move(made);
    room_ = room;
  }
  void assign(const VectorClock& other) {
    if (other.size_ > room_) {
      size_ = 0;
      make_room(rounded(other.size_));
    }
    size_ = other.size_;
    std::copy(other.counts(), other.counts() + rounded(size_), counts());
  }
  void take(VectorClock& other) noexcept {
    if (other.more_) {
      more_ = std::move(other.more_);
      room_ = std::exchange(other.room_, kOwnRoom);
    } else {
      std::copy(other.own_, other.own_ + rounded(other.size_), counts());
    }
    size_ = std::exchange(other.size_, 0);
  }

  std::uint32_t size_ = 0;
  std::uint32_t room_ = kOwnRoom;
  std::unique_ptr<std::uint32_t[]> more_;  // in place of own_
  std::uint32_t own_[kOwnRoom];
};

}  // namespace order
