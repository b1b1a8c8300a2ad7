// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

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
/// no room.
class VectorClock {
 public:
  std::uint32_t of(Actor actor) const noexcept {
    return actor < counts_.size() ? counts_[actor] : 0;
  }
  bool covers(Epoch epoch) const noexcept { return of(epoch.actor) >= epoch.count; }
  bool covers(const VectorClock& other) const noexcept {
    for (std::size_t i = 0; i < other.counts_.size(); ++i) {
      if (other.counts_[i] > of(static_cast<Actor>(i))) return false;
    }
    return true;
  }

  void set(Actor actor, std::uint32_t count) {
    if (actor >= counts_.size()) grow(actor + 1);
    counts_[actor] = count;
  }
  void raise(Epoch epoch) {
    if (of(epoch.actor) < epoch.count) set(epoch.actor, epoch.count);
  }
  void join(const VectorClock& other) {
    if (other.counts_.size() > counts_.size()) grow(other.counts_.size());
    std::uint32_t* const mine = counts_.data();
    const std::uint32_t* const theirs = other.counts_.data();
    const std::size_t size = other.counts_.size();
    for (std::size_t i = 0; i < size; ++i) mine[i] = std::max(mine[i], theirs[i]);
  }
  /// Behind the last actor that was heard of.
  Actor end() const noexcept { return static_cast<Actor>(counts_.size()); }
  void clear() noexcept { counts_.clear(); }
  bool empty() const noexcept { return counts_.empty(); }

 private:
  // Rare; and GCC 12 misreads the loop where it is inlined (-Warray-bounds).
  [[gnu::noinline]] void grow(std::size_t size) { counts_.resize(size, 0); }

  std::vector<std::uint32_t> counts_;
};

}  // namespace order
