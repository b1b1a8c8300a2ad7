// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

namespace order {

/// A sequence of operations: a stream, or a host thread. Small numbers, assigned by the engine.
using Actor = std::uint32_t;

/// One operation of an actor: its count-th. Counts start at 1; 0 is "never".
struct Epoch {
  Actor actor = 0;
  std::uint32_t count = 0;
};

/// For each actor, how many of its operations happen before a given moment. Actors after the last
/// one that is covered take no memory, and few actors no allocation.
class VectorClock {
 public:
  VectorClock() noexcept {}  // NOLINT: if defaulted, VectorClock{} writes all zeros twice
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
  bool covers(const VectorClock& other) const noexcept;

  [[gnu::always_inline]] void set(Actor actor, std::uint32_t count) {
    ++news_;
    if (actor >= size_) grow(actor + 1);
    // All lanes at once: joins read them so, and would have to wait for a narrower store.
    std::uint32_t* const at = counts() + actor / kLanes * kLanes;
    const Lanes old = lanes(at);
    store(at, kNumbers == actor % kLanes ? Lanes{} + count : old);
  }
  /// More operations of the actor.
  [[gnu::always_inline]] void advance(Actor actor, std::uint32_t ops = 1) {
    if (actor >= size_) grow(actor + 1);
    std::uint32_t* const at = counts() + actor / kLanes * kLanes;
    const Lanes old = lanes(at);
    store(at, kNumbers == actor % kLanes ? old + ops : old);
  }
  /// False when the clock covered that.
  [[gnu::always_inline]] bool raise(Epoch epoch) {
    const bool more = of(epoch.actor) < epoch.count;
    if (more) set(epoch.actor, epoch.count);
    return more;
  }
  /// A version of this clock: every change but `advance` increases it. A move carries it along.
  std::uint32_t news() const noexcept { return news_; }
  /// False when it covered the other.
  bool join(const VectorClock& other) {
    ++news_;
    if (other.size_ > size_) grow(other.size_);
    std::uint32_t* const mine = counts();
    if (other.more_) return join_many(mine, other.more_.get(), rounded(other.size_));
    Lanes beyond{};
#pragma GCC unroll 3
    for (std::uint32_t i = 0; i < kOwnRoom; i += kLanes) {
      const Lanes a = lanes(mine + i), b = lanes(other.own_ + i);
      const Lanes most = a > b ? a : b;
      beyond |= most ^ a;
      store(mine + i, most);
    }
    return any(beyond);
  }
  /// Joins both ways: afterwards the two are equal. False when this one covered the other.
  bool share(VectorClock& other) {
    const bool more = join(other);
    other = *this;
    return more;
  }
  /// Lowers each count to the smaller one of the two clocks.
  void meet(const VectorClock& other) {
    for (Actor actor = 0; actor < size_; ++actor) {
      set(actor, std::min(of(actor), other.of(actor)));
    }
  }
  /// One after the last actor that it covers.
  Actor end() const noexcept { return size_; }
  void clear() noexcept {
    ++news_;
    if (more_) [[unlikely]]
      zero_from(size_, 0);
    std::memset(own_, 0, sizeof own_);
    size_ = 0;
  }
  bool empty() const noexcept { return size_ == 0; }

 private:
  // Counts are handled four at a time: the room is a multiple of that, and zero after the last.
  static constexpr std::uint32_t kLanes = 4;
  static constexpr std::uint32_t kOwnRoom = 3 * kLanes;
  using Lanes = std::uint32_t __attribute__((vector_size(kLanes * sizeof(std::uint32_t))));
  static constexpr Lanes kNumbers{0, 1, 2, 3};

  static Lanes lanes(const std::uint32_t* at) noexcept {
    Lanes read;
    std::memcpy(&read, at, sizeof read);
    return read;
  }
  static void store(std::uint32_t* at, const Lanes& lanes) noexcept {
    std::memcpy(at, &lanes, sizeof lanes);
  }
  static bool any(const Lanes& lanes) noexcept {
    using Halves = std::uint64_t __attribute__((vector_size(sizeof(Lanes))));
    const auto halves = reinterpret_cast<Halves>(lanes);
    return (halves[0] | halves[1]) != 0;
  }
  static std::uint32_t rounded(std::uint32_t size) noexcept {
    return (size + kLanes - 1) / kLanes * kLanes;
  }
  static bool join_many(std::uint32_t* mine, const std::uint32_t* theirs, std::uint32_t count);

  std::uint32_t* counts() noexcept { return more_ ? more_.get() : own_; }
  const std::uint32_t* counts() const noexcept { return more_ ? more_.get() : own_; }

  void grow(std::uint32_t size) {
    if (size > room_) [[unlikely]]
      make_room(std::max(rounded(size), 2 * room_));
    size_ = size;
  }
  void zero_from(std::uint32_t end, std::uint32_t begin) noexcept {
    if (begin < end) std::fill(counts() + begin, counts() + end, 0);
  }
  void make_room(std::uint32_t room);
  void assign(const VectorClock& other) {
    news_ = std::max(news_, other.news_) + 1;
    if (!more_ && !other.more_) {
      std::memcpy(own_, other.own_, sizeof own_);
      size_ = other.size_;
    } else {
      assign_many(other);
    }
  }
  void assign_many(const VectorClock& other);
  void take(VectorClock& other) noexcept {
    news_ = std::max(news_, other.news_) + 1;
    ++other.news_;
    if (other.more_) {
      more_ = std::move(other.more_);
      room_ = std::exchange(other.room_, kOwnRoom);
    } else {
      more_ = nullptr;
      room_ = kOwnRoom;
      std::memcpy(own_, other.own_, sizeof own_);
    }
    std::memset(other.own_, 0, sizeof own_);
    size_ = std::exchange(other.size_, 0);
  }

  std::uint32_t size_ = 0;
  std::uint32_t room_ = kOwnRoom;
  std::unique_ptr<std::uint32_t[]> more_;  // in place of own_
  std::uint32_t own_[kOwnRoom] = {};
  std::uint32_t news_ = 0;
};

}  // namespace order
