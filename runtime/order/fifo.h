// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace order {

/// First in, first out, of things that are used again: `renew()` makes one as new, with the room that
/// it has. Takes no room before its first use, and where things come and go it allocates nothing.
template <class T>
class Fifo {
 public:
  bool empty() const noexcept { return size_ == 0; }
  std::size_t size() const noexcept { return size_; }
  T& operator[](std::size_t i) noexcept { return slots_[at(i)]; }
  const T& operator[](std::size_t i) const noexcept { return slots_[at(i)]; }
  T& front() noexcept { return slots_[first_]; }
  const T& front() const noexcept { return slots_[first_]; }

  T& back() noexcept { return slots_[at(size_ - 1)]; }

  /// A new last one.
  T& push() {
    if (size_ == slots_.size()) [[unlikely]] grow();
    return slots_[at(size_++)];
  }
  void pop_front() {
    slots_[first_].renew();
    first_ = at(1);
    if (--size_ == 0 && slots_.size() > kMostKept) [[unlikely]] *this = {};
  }

 private:
  static constexpr std::size_t kFirstRoom = 4;  // a power of two, as each is
  static constexpr std::size_t kMostKept = 1024;

  std::size_t at(std::size_t i) const noexcept { return (first_ + i) & (slots_.size() - 1); }

  void grow() {
    std::vector<T> more(std::max(kFirstRoom, 2 * size_));
    for (std::size_t i = 0; i < size_; ++i) more[i] = std::move((*this)[i]);
    slots_ = std::move(more);
    first_ = 0;
  }

  std::vector<T> slots_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace order
