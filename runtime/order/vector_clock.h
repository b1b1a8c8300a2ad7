// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
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
    const std::uint32_t* const theirs = other.counts();
    for (Actor i = 0; i < other.size_; ++i) {
      if (theirs[i] > of(i)) return false;
    }
    return true;
  }

  void set(Actor actor, std::uint32_t count) {
    if (actor >= size_) grow(actor + 1);
    counts()[actor] = count;
  }
  void raise(Epoch epoch) {
    if (of(epoch.actor) < epoch.count) set(epoch.actor, epoch.count);
  }
  void join(const VectorClock& other) {
    if (other.size_ > size_) grow(other.size_);
    std::uint32_t* const mine = counts();
    const std::uint32_t* const theirs = other.counts();
    for (Actor i = 0; i < other.size_; ++i) mine[i] = std::max(mine[i], theirs[i]);
  }
  /// Behind the last actor that was heard of.
  Actor end() const noexcept { return size_; }
  void clear() noexcept { size_ = 0; }
  bool empty() const noexcept { return size_ == 0; }

 private:
  static constexpr std::uint32_t kOwnRoom = 12;

  std::uint32_t* counts() noexcept { return more_ ? more_.get() : own_; }
  const std::uint32_t* counts() const noexcept { return more_ ? more_.get() : own_; }

  // Rare; and GCC 12 misreads the loop where it is inlined (-Warray-bounds).
  [[gnu::noinline]] void grow(std::uint32_t size) {
    if (size > room_) make_room(std::max(size, 2 * room_));
    std::fill(counts() + size_, counts() + size, 0);
    size_ = size;
  }
  void make_room(std::uint32_t room) {
    std::unique_ptr<std::uint32_t[]> made(new std::uint32_t[room]);
    std::copy(counts(), counts() + size_, made.get());
    more_ = std::move(made);
    room_ = room;
  }
  void assign(const VectorClock& other) {
    if (other.size_ > room_) {
      size_ = 0;
      make_room(other.size_);
    }
    size_ = other.size_;
    std::copy(other.counts(), other.counts() + size_, counts());
  }
  void take(VectorClock& other) noexcept {
    if (other.more_) {
      more_ = std::move(other.more_);
      room_ = std::exchange(other.room_, kOwnRoom);
    } else {
      std::copy(other.own_, other.own_ + other.size_, counts());
    }
    size_ = std::exchange(other.size_, 0);
  }

  std::uint32_t size_ = 0;
  std::uint32_t room_ = kOwnRoom;
  std::unique_ptr<std::uint32_t[]> more_;  // in place of own_
  std::uint32_t own_[kOwnRoom]{};
};

}  // namespace order
