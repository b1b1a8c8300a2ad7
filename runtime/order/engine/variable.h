// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>

#include "runtime/order/engine/notify_counts.h"
#include "runtime/order/engine/op_info.h"
#include "runtime/order/engine/vector_clock.h"

namespace order {

/// A number that some operations change and others wait for: a notify, a counter, a word of memory,
/// an event that is a flag. A wait is ordered after the change that satisfied it, not after later
/// ones.
class Variable {
 public:
  using Test = std::function<bool(std::uint64_t)>;
  using Update = std::function<std::uint64_t(std::uint64_t)>;

  /// `adds`: the change builds on earlier ones (a counter), so a wait is ordered after those too.
  void change(const Update& update, bool adds, const VectorClock& clock);
  /// Some operation wrote an unknown value there.
  void overwritten();
  /// The clock that a satisfied wait joins in any case; none when no known change satisfies the
  /// wait. If several unordered changes could each have satisfied it, the wait joins only the part
  /// that their clocks have in common.
  std::optional<VectorClock> passed(const Test& test) const;
  /// The last known value.
  std::uint64_t value() const {
    if (read) return read();
    return changes_.empty() ? 0 : changes_.back().value;
  }

  bool closed = false;                     // only streams of this process change it
  std::optional<std::uint64_t> first = 0;  // before any change; none: not known
  // For a word of device memory, which any op may write: its address, and its current value.
  std::uintptr_t address = 0;
  std::function<std::uint64_t()> read;
  NotifyCounts counts;  // of a notify
  OpInfo last;          // change
  OpInfo last_wait;

 private:
  static constexpr std::size_t kMost = 64;
  struct Change {
    std::uint64_t value;
    bool known;
    VectorClock own;
    VectorClock all;  // of all changes that the value results from
    Update update;
  };
  using Changes = std::deque<Change>;

  struct Passing {
    const Change* by;  // null: no change is known
    bool from_the_start;
  };
  Passing letting_pass(const Test& test) const;
  void push(Change change);

  Changes changes_;
};

}  // namespace order
