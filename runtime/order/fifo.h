// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace order {

/// First in, first out. Takes no room before its first use and keeps what it had: where things come
/// and go it allocates nothing, unlike a std::deque.
template <class T>
class Fifo {
 public:
  bool empty() const noexcept { return first_ == items_.size(); }
  T& front() noexcept { return items_[first_]; }
  const T& front() const noexcept { return items_[first_]; }
  T* begin() noexcept { return items_.data() + first_; }
  T* end() noexcept { return items_.data() + items_.size(); }
  const T* begin() const noexcept { return items_.data() + first_; }
  const T* end() const noexcept { return items_.data() + items_.size(); }

  void push_back(T item) {
    if (items_.size() == items_.capacity() && first_ > items_.size() / 2) close_up();
    items_.push_back(std::move(item));
  }
  void pop_front() {
    items_[first_++] = T{};
    if (!empty()) return;
    items_.clear();
    first_ = 0;
  }

 private:
  void close_up() {
    items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }

  std::vector<T> items_;
  std::size_t first_ = 0;
};

}  // namespace order
