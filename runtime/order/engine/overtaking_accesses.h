// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "runtime/order/engine/op_info.h"
#include "runtime/order/engine/shadow.h"
#include "runtime/order/engine/vector_clock.h"

namespace order {

/// The accesses that are taken in while some stream is blocked. Operations of that stream that the
/// program called for before are taken in after them, when `Shadow` keeps only the last accesses.
class OvertakingAccesses {
 public:
  void add(Epoch when, const OpInfo& op_info, const Access& access);
  /// Forgets the accesses to bytes of the range.
  void erase(const Access& range);
  void clear() noexcept {
    taken_.clear();
    oldest_ = 0;
  }
  /// Appends the conflicts of an operation that is taken in now: for each actor with its last
  /// access that was called before the operation, and with the first one after it; with further
  /// ones if these are guesses. `known`: the clock of the operation.
  void look(Actor actor, const OpInfo& now, std::span<const Access> accesses,
            const VectorClock& known, std::vector<Shadow::Conflict>& conflicts) const;
  /// Appends the accesses of the operation that was taken in at this moment.
  void accesses_of(Epoch when, std::vector<Access>& accesses) const;

 private:
  static constexpr std::size_t kMost = 4096;
  struct Taken {
    Epoch when;
    OpInfo op_info;
    Access access;
  };

  std::vector<Taken> taken_;  // a ring once it is full
  std::size_t oldest_ = 0;
};

}  // namespace order
