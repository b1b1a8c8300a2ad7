// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace order {

/// A queue that reuses its elements: `renew()` resets an element, which may keep capacity.
/// Allocates nothing before its first use, and nothing more while its size stays about the same.
template <class T>
class Fifo {
 public:
  bool empty() const noexcept { return size_ == 0; }
  std::size_t size() const noexcept { return size_; }
  T& operator[](std::size_t i) noexcept { return slot(first_ + i); }
  const T& operator[](std::size_t i) const noexcept { return slot(first_ + i); }
  T& front() noexcept { return slot(first_); }
  const T& front() const noexcept { return slot(first_); }
  T& back() noexcept { return slot(first_ + size_ - 1); }

  /// A new last one.
  T& push() {
    if ((first_ + size_) % kBlock == 0) [[unlikely]]
      begin_block();
    return slot(first_ + size_++);
  }
  void pop_front() {
    slot(first_).renew();
    first_ = at(first_ + 1);
    if (--size_ != 0) return;
    first_ = 0;  // the block used first is the likeliest in the cache
    if (ring_.size() > kMostKept) [[unlikely]]
      ring_ = Ring();
  }

 private:
  static constexpr std::size_t kBlock = 16;
  static constexpr std::size_t kMostKept = 64;  // blocks
  using Block = std::array<T, kBlock>;
  using Ring = std::vector<std::unique_ptr<Block>>;  // a power of two of them

  std::size_t at(std::size_t place) const noexcept { return place & (ring_.size() * kBlock - 1); }
  T& slot(std::size_t place) const noexcept { return (*ring_[at(place) / kBlock])[place % kBlock]; }
  void begin_block() {
    if (ring_.empty() || (size_ != 0 && at(first_ + size_) / kBlock == first_ / kBlock)) grow();
    std::unique_ptr<Block>& block = ring_[at(first_ + size_) / kBlock];
    if (!block) block = std::make_unique<Block>();
  }
  // Only the blocks' addresses move, however many things there are.
  void grow() {
    Ring more(std::max<std::size_t>(1, 2 * ring_.size()));
    std::rotate(ring_.begin(), ring_.begin() + first_ / kBlock, ring_.end());
    std::move(ring_.begin(), ring_.end(), more.begin());
    ring_ = std::move(more);
    first_ %= kBlock;
  }

  Ring ring_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace order
