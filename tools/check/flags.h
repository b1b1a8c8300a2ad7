// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>
#include <vector>

#include "tools/check/findings.h"
#include "tools/trace/trace.h"

namespace check {

/// Events that stay set after a record until the program resets them (ACL_EVENT_SYNC of the old
/// kind). A wait passes as soon as the first record since the last reset has run, so later records
/// order nothing, although the wait may have met one of them in this run.
class Flags {
 public:
  explicit Flags(const trace::Trace& trace);

  /// The record that the wait is ordered after; `met`: the one that it met.
  trace::OpIndex record_of(trace::OpIndex wait, trace::OpIndex met) const {
    const auto found = first_.find(wait);
    return found == first_.end() ? met : found->second;
  }
  /// ACL030 for each wait that is meant for a later record.
  void tell(Findings& findings) const;

 private:
  struct Stale {
    trace::OpIndex wait, before;
  };

  void follow(const trace::Trace& trace, const std::vector<trace::OpIndex>& uses);

  std::unordered_map<trace::OpIndex, trace::OpIndex> first_;  // by wait
  std::vector<Stale> stale_;
};

}  // namespace check
