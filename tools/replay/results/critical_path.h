// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tools/replay/engine/execution.h"

namespace replay {

/// The categories of time on the critical path.
enum class Share : std::uint8_t { kernels, copies, communication, sync, callbacks, launch, gaps };
inline constexpr int kShares = 7;
const char* word(Share share);

/// The chain of ops that ends with the last op of the run; each op was delayed by the op before it.
struct CriticalPath {
  struct Step {
    OpIndex op;
    Nanoseconds from;      // when the op before it ended
    Nanoseconds to;        // its end
    Nanoseconds start;     // its own; before it: the host's time, or a gap
    bool outside = false;  // it waited for a rank that is not in the trace
  };
  std::vector<Step> steps;  // in the order of time; they join and fill the makespan
  std::array<Nanoseconds, kShares> shares{};
  Nanoseconds others_ns = 0;  // waits for ranks that are not in the trace; with `shares` all of it

  /// The longest steps, in the order of time.
  std::vector<Step> longest(std::size_t count) const;
};

CriticalPath critical_path(const trace::Trace& trace, const Execution& run);

/// The category of each op. An op with a name that collective libraries give to their kernels
/// counts as communication, even if the file records another kind of op.
class Shares {
 public:
  explicit Shares(const trace::Trace& trace);
  Share of(OpIndex op) const;

 private:
  const trace::Trace& trace_;
  std::vector<bool> collective_;  // by name
};

}  // namespace replay
