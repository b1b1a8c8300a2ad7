// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/order/report/report.h"
#include "tools/trace/trace.h"

namespace check {

using trace::OpIndex;
using trace::TrackIndex;

/// The findings, one for each pair of places. A place is the call site if the trace has one, else
/// the name of the op and its track.
class Findings {
 public:
  explicit Findings(const trace::Trace& trace) : trace_(trace) {}

  struct About {
    order::Rule rule;
    order::Level level;
    OpIndex op;
    OpIndex other = trace::kNone;
    /// An event, a buffer, ...: findings with another one are different findings.
    std::uint32_t subject = trace::kNone;
    bool recorded_later = false;  // a wait that orders nothing, because the record comes later
  };
  /// The new finding, for its text to be added; null if it is known (and counted) or if its
  /// rule has too many findings.
  order::PlacedFinding* add(const About& about);
  /// Adds a remark of a reader.
  void add(const trace::Remark& remark);

  /// Makes notes of the waits that come before the first record of their event, if no operation of
  /// the same track after the wait is unordered. Applies to recordings, which have the memory that
  /// operations access. To be called when all other findings are made.
  void weigh_early_waits();
  std::vector<order::PlacedFinding> take();
  /// Pairs of unordered accesses, in the order in which they were found.
  const std::vector<std::pair<OpIndex, OpIndex>>& unordered() const { return unordered_; }
  std::uint64_t left_out() const { return left_out_; }

 private:
  struct Side {
    TrackIndex track = trace::kNone;
    trace::StringIndex name = 0;
    const void* site = nullptr;
    trace::OpKind kind = trace::OpKind::kernel;
    bool operator==(const Side&) const = default;
  };
  struct Key {
    order::Rule rule;
    order::Level level;
    std::uint32_t subject;
    Side op, other;
    bool operator==(const Key&) const = default;
  };
  struct HashOfKey {
    std::size_t operator()(const Key& key) const;
  };
  static constexpr std::uint32_t kMost = 1000;

  Side side(OpIndex op) const;
  order::Place recorded_at(OpIndex op, TrackIndex track) const;
  order::PlacedOp placed(OpIndex op) const;
  void name_ranks(const About& about, order::PlacedFinding& made) const;

  const trace::Trace& trace_;
  std::deque<order::PlacedFinding> found_;
  struct Known {
    order::PlacedFinding* finding = nullptr;
    OpIndex counted = trace::kNone;  // the operation that was counted last: each counts once
  };
  std::unordered_map<Key, Known, HashOfKey> known_;
  std::array<std::array<std::uint32_t, 3>, static_cast<std::size_t>(order::Rule::count)> counts_{};
  std::vector<std::pair<OpIndex, OpIndex>> unordered_;
  std::vector<std::pair<OpIndex, order::PlacedFinding*>> early_waits_;
  std::uint64_t left_out_ = 0;
};

/// "train.cpp:12 in step" as a place; a text without a line is a file.
order::Place parse_site(const std::string& site);

}  // namespace check
