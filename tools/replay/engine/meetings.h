// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tools/replay/engine/cost.h"
#include "tools/replay/engine/options.h"
#include "tools/trace/trace.h"

namespace replay {

/// Ops that begin together: the members of a collective or barrier, a send and its receive.
struct Meeting {
  std::vector<OpIndex> members;
  std::vector<std::uint32_t> absent;  // ranks of the group that have no such op
  OpIndex transfer = trace::kNone;    // the send, of a rendezvous
  Nanoseconds cost = 0;
  bool modelled = false;  // a collective whose cost is the model's, and whose bytes are known
  // while it runs
  std::uint32_t arrived = 0;
  Nanoseconds latest = 0;
  OpIndex cause = trace::kNone;
  TrackIndex tracks = trace::kNone;  // those that are blocked here, linked
};

class Meetings {
 public:
  Meetings(const trace::Trace& trace, const Cost& cost, Sends sends);

  /// The meeting that an op takes part in; nullptr: none.
  Meeting* of(OpIndex op) {
    const std::uint32_t use = trace_[op].use;
    if (use == trace::kNone || by_use_.empty() || by_use_[use] == trace::kNone) return nullptr;
    return &meetings_[by_use_[use]];
  }
  std::uint32_t index(const Meeting& meeting) const {
    return static_cast<std::uint32_t>(&meeting - meetings_.data());
  }
  Meeting& operator[](std::uint32_t index) { return meetings_[index]; }
  const Meeting& operator[](std::uint32_t index) const { return meetings_[index]; }

 private:
  void add_pairs(const Cost& cost, Sends sends);
  void add_groups(const Cost& cost);
  void find_absent(Meeting& meeting, const std::vector<bool>& present);
  void place(OpIndex op, std::uint32_t meeting);

  const trace::Trace& trace_;
  std::vector<Meeting> meetings_;
  std::vector<std::uint32_t> by_use_;
};

}  // namespace replay
