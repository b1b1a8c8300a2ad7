// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>

#include "runtime/order/engine/op_info.h"

namespace acl {

/// The operation that freed each address last; keeps the latest frees only.
class FreedMemory {
 public:
  void add(std::uintptr_t begin, std::size_t size, const order::OpInfo& by) {
    forget(begin, size);
    pieces_[begin] = {begin + size, by};
    order_.push_back(begin);
    if (order_.size() <= kMost) return;
    pieces_.erase(order_.front());
    order_.pop_front();
  }
  /// Null: no freed allocation contained the address.
  const order::OpInfo* find(std::uintptr_t address) const {
    const auto next = pieces_.upper_bound(address);
    if (next == pieces_.begin()) return nullptr;
    const Piece& piece = std::prev(next)->second;
    return address < piece.end ? &piece.by : nullptr;
  }
  bool empty() const { return pieces_.empty(); }
  /// The first freed piece that shares a byte with the range; null: none.
  const order::OpInfo* find_within(std::uintptr_t begin, std::size_t size) const {
    if (const order::OpInfo* const by = find(begin)) return by;
    const auto behind = pieces_.upper_bound(begin);
    return behind != pieces_.end() && behind->first - begin < size ? &behind->second.by : nullptr;
  }
  void clear() {
    pieces_.clear();
    order_.clear();
  }
  /// The range is in use again.
  void forget(std::uintptr_t begin, std::size_t size) {
    auto at = pieces_.upper_bound(begin);
    if (at != pieces_.begin() && std::prev(at)->second.end > begin) --at;
    while (at != pieces_.end() && at->first < begin + size) at = pieces_.erase(at);
  }

 private:
  static constexpr std::size_t kMost = 4096;
  struct Piece {
    std::uintptr_t end = 0;
    order::OpInfo by;
  };

  std::map<std::uintptr_t, Piece> pieces_;  // by begin; they do not overlap
  std::deque<std::uintptr_t> order_;        // of the frees
};

}  // namespace acl
