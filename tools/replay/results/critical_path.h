// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tools/replay/engine/run.h"

namespace replay {

/// What the time on the critical path went into.
enum class Share : std::uint8_t { kernels, copies, communication, sync, callbacks, launch, gaps };
inline constexpr int kShares = 7;
const char* word(Share share);

/// The chain of ops, each held up by the one before, that ends with the last op of the run.
struct CriticalPath {
  struct Step {
    OpIndex op;
    Nanoseconds from;  // when what held it up had ended
    Nanoseconds to;    // its end
  };
  std::vector<Step> steps;  // in the order of time; they join and fill the makespan
  std::array<Nanoseconds, kShares> shares{};
};

CriticalPath critical_path(const trace::Trace& trace, const Run& run);

/// Where the time of a kind of op goes.
Share share_of(trace::OpKind kind);

}  // namespace replay
