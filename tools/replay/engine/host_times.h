// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tools/replay/engine/options.h"
#include "tools/trace/trace.h"

namespace replay {

/// The times at which the host issues ops. A host thread keeps the pace of the recording. If it
/// waited for a device (a synchronise, a blocking copy), all later ops move with the end of that
/// wait.
///
/// A thread that issued nothing while another one of its rank waited is taken to have waited with
/// it: in many frameworks one thread synchronises and others launch.
///
/// Threads without any time keep only the order of the file: an op after a host op is issued when
/// that host op has ended.
class HostTimes {
 public:
  /// `origin`: the recorded time that is 0 in the replay.
  HostTimes(const trace::Trace& trace, Nanoseconds origin);

  /// The op is issued `after` ns after the end of `anchor`; kNone: after the origin.
  struct Issue {
    OpIndex anchor = trace::kNone;
    Nanoseconds after = 0;
    bool known = false;  // false: the trace does not record it
  };
  Issue of(OpIndex op) const;
  /// Whether of() can return a known time.
  bool any() const { return any_; }

 private:
  struct Anchor {
    Nanoseconds until;  // recorded end, or position in the file
    OpIndex op;
  };
  struct Host {
    std::vector<Anchor> anchors;  // ascending
    bool timed = false;
  };
  void add_anchors(const trace::Track& track);
  void borrow_anchors();

  const trace::Trace& trace_;
  Nanoseconds origin_;
  bool any_ = false;
  std::vector<Host> hosts_;
};

}  // namespace replay
