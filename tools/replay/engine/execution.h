// SPDX-License-Identifier: Apache-2.0
// The result of a replay: when each op ran, which op delayed it, and which tracks are blocked if
// nothing moves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "tools/replay/engine/options.h"
#include "tools/trace/trace.h"

namespace replay {

/// A track that cannot go on.
struct BlockedTrack {
  TrackIndex track = trace::kNone;
  OpIndex op = trace::kNone;       // at which it is blocked
  OpIndex on = trace::kNone;       // the op that it waits for, if it is one op
  std::vector<TrackIndex> tracks;  // which tracks could help; empty: none
  std::string reason;              // "waits for ..."
};

/// 16 bytes an op. Times in ns from the origin.
class Execution {
 public:
  static constexpr Nanoseconds kUnset = INT64_MIN;

  bool done(OpIndex op) const { return slots_[op] >= 0; }
  Nanoseconds end(OpIndex op) const { return slots_[op]; }
  Nanoseconds start(OpIndex op) const { return slots_[op] - length(op); }
  Nanoseconds length(OpIndex op) const {
    return lengths_[op] == UINT32_MAX ? long_lengths_.at(op) : lengths_[op];
  }
  /// The op whose end let this op begin, or let this wait end; kNone: only its issue.
  OpIndex cause(OpIndex op) const { return causes_[op]; }

  Sends sends = Sends::as_recorded;  // the mode of the run
  Nanoseconds origin_ns = 0;         // the recorded time that is 0 here
  Nanoseconds makespan_ns = 0;       // the last end of an op on a stream
  OpIndex last = trace::kNone;       // that op
  std::uint64_t done_ops = 0;        // ops of graphs count as often as they ran
  bool interrupted = false;
  bool queued = false;                // a transfer waited for a link, or shared it
  std::vector<BlockedTrack> blocked;  // not empty: a deadlock

  bool complete() const { return !interrupted && blocked.empty(); }
  std::size_t resident_bytes() const {
    return slots_.capacity() * sizeof slots_[0] + lengths_.capacity() * sizeof lengths_[0] +
           causes_.capacity() * sizeof causes_[0] + long_lengths_.size() * 32;
  }

 private:
  friend class Simulator;
  /// The end. Before the op has ended: kUnset, or the first track that waits for it (-1 - track).
  std::vector<Nanoseconds> slots_;
  std::vector<std::uint32_t> lengths_;
  std::vector<OpIndex> causes_;
  std::unordered_map<OpIndex, Nanoseconds> long_lengths_;
};

}  // namespace replay
