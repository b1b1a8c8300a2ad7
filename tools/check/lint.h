// SPDX-License-Identifier: Apache-2.0
// Rules that need no order: they look at a pair, an op or a track alone.
#pragma once

#include <vector>

#include "tools/check/check.h"
#include "tools/check/findings.h"
#include "tools/check/flags.h"
#include "tools/check/outside.h"
#include "tools/trace/trace.h"

namespace check {

/// The part of a job that its trace holds.
class Coverage {
 public:
  explicit Coverage(const trace::Trace& trace);

  /// The file does not name the record that a wait waits for: the record was inferred or not found.
  bool infers(TrackIndex track) const { return infers_[trace_.tracks()[track].source]; }
  /// The other side of a notify or a message may be missing from the trace.
  bool partial(TrackIndex track) const {
    return absent_ || partial_[trace_.tracks()[track].source];
  }
  const Outside& outside() const { return outside_; }
  /// The trace has ops of the rank.
  bool holds(std::uint32_t rank) const { return present_[rank]; }
  /// It was recorded while it ran, to its end.
  bool ran(OpIndex op) const {
    return trace_.start(op) != trace::kNoTime && trace_[op].has(trace::kHasDuration);
  }

 private:
  const trace::Trace& trace_;
  Outside outside_;
  std::vector<bool> infers_, partial_;  // by source
  std::vector<bool> present_;           // by rank
  bool absent_ = false;                 // the trace names a rank and has no ops of it
};

void lint_events(const trace::Trace& trace, const Coverage& coverage, Findings& findings);
void lint_notifies(const trace::Trace& trace, const Coverage& coverage, Findings& findings);
void lint_messages(const trace::Trace& trace, const Coverage& coverage, Findings& findings);
void lint_collectives(const trace::Trace& trace, const Coverage& coverage, Findings& findings);
void lint_edges(const trace::Trace& trace, Findings& findings);
void lint_copies(const trace::Trace& trace, Findings& findings);
void lint_times(const trace::Trace& trace, const Flags& flags, Findings& findings);

}  // namespace check
