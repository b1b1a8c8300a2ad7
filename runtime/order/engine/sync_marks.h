// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/order/engine/snapshot.h"

namespace order {

/// The items of one stream that pending synchronise calls wait for: the last item that was issued
/// when the call began. Keeps the stream's clock at each of them.
class SyncMarks {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// The number of the first marked item that the stream has not passed.
  std::uint32_t next() const noexcept { return next_; }
  /// Marks the item `issued`, the last one of the stream, for one more synchronise.
  void add(std::uint32_t issued) {
    const bool first = next_ == kNone && marks_.empty();
    if (!first) return add_more(issued);
    next_ = issued;
  }
  /// The stream passes the item `next()` and has this clock there.
  void pass(const VectorClock& clock);
  /// Ends a synchronise that waits for the item, if it is the only one and the stream has not
  /// passed the item. False: nothing was done.
  bool end_only(std::uint32_t issued) {
    if (next_ != issued || !marks_.empty()) return false;
    next_ = kNone;
    return true;
  }
  struct Mark {
    std::uint32_t issued;
    std::uint32_t users;
    Snapshot passed;  // the clock of the stream there; null: the stream has not passed the item
  };
  /// Null: the mark was dropped.
  Mark* find(std::uint32_t issued);
  /// One of the synchronise calls that wait for the marked item ends.
  void end_one(Mark& mark);
  void clear() {
    marks_.clear();
    next_ = kNone;
  }

 private:
  static constexpr std::size_t kMost = 8;

  void add_more(std::uint32_t issued);
  void list();
  void find_next();

  std::uint32_t next_ = kNone;
  std::vector<Mark> marks_;  // by `issued`; empty while next_ is the only one, with one user
};

}  // namespace order
