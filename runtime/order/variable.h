// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>

#include "runtime/order/deed.h"
#include "runtime/order/vector_clock.h"

namespace order {

/// A number that some change and others wait for: a notify, a counter, a word of memory, an event
/// that is a flag. Who passes is ordered behind the change that let it pass, not behind later ones.
class Variable {
 public:
  using Test = std::function<bool(std::uint64_t)>;
  using Update = std::function<std::uint64_t(std::uint64_t)>;

  /// `adds`: the change builds on earlier ones (a counter), so who passes is behind those too.
  void change(const Update& update, bool adds, const VectorClock& clock);
  /// What a wait that has passed is ordered behind; null when nobody is known to have let it pass.
  const VectorClock* passed(const Test& test) const;
  /// As far as it is known.
  std::uint64_t value() const {
    if (read) return read();
    return changes_.empty() ? 0 : changes_.back().value;
  }

  bool closed = false;  // nobody but streams of this process changes it
  // Of a word of device memory, which any op may write: its address, and what stands there now.
  std::uintptr_t address = 0;
  std::function<std::uint64_t()> read;
  std::uint64_t records = 0;
  std::uint64_t waits = 0;
  Deed last;

 private:
  static constexpr std::size_t kMost = 64;
  struct Change {
    std::uint64_t value;
    VectorClock clock;
  };
  std::deque<Change> changes_;
  bool dropped_some_ = false;
};

}  // namespace order
