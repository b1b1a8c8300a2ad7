// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tools/replay/engine/cost.h"
#include "tools/replay/engine/options.h"
#include "tools/trace/trace.h"

namespace replay {

/// Ops that begin together: the members of a collective or barrier, a send and its receive.
struct Rendezvous {
  std::vector<OpIndex> members;
  std::vector<std::uint32_t> absent;  // ranks of the group that have no such op
  OpIndex transfer = trace::kNone;    // the send, of a rendezvous
  Nanoseconds cost = 0;
  bool modelled = false;  // a collective with a modelled cost and known bytes
  // while it runs
  std::uint32_t arrived = 0;
  Nanoseconds latest = 0;
  OpIndex cause = trace::kNone;
  TrackIndex tracks = trace::kNone;  // the first of the tracks that are blocked here
};

class RendezvousTable {
 public:
  RendezvousTable(const trace::Trace& trace, const Cost& cost, Sends sends);

  /// The rendezvous that an op takes part in; nullptr: none.
  Rendezvous* of(OpIndex op) {
    const std::uint32_t use = trace_[op].use;
    if (use == trace::kNone || by_use_.empty() || by_use_[use] == trace::kNone) return nullptr;
    return &rendezvous_[by_use_[use]];
  }
  std::uint32_t index(const Rendezvous& rendezvous) const {
    return static_cast<std::uint32_t>(&rendezvous - rendezvous_.data());
  }
  Rendezvous& operator[](std::uint32_t index) { return rendezvous_[index]; }
  const Rendezvous& operator[](std::uint32_t index) const { return rendezvous_[index]; }

 private:
  void add_pairs(const Cost& cost, Sends sends);
  void add_groups(const Cost& cost);
  void find_absent(Rendezvous& rendezvous, const std::vector<bool>& present);
  void place(OpIndex op, std::uint32_t rendezvous);

  const trace::Trace& trace_;
  std::vector<Rendezvous> rendezvous_;
  std::vector<std::uint32_t> by_use_;
};

}  // namespace replay
