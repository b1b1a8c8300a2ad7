// SPDX-License-Identifier: Apache-2.0
// The effect of a change on a job, and the limits of that effect.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tools/replay/engine/cost.h"
#include "tools/replay/engine/execution.h"

namespace replay {

struct Effect {
  Nanoseconds before_ns = 0;  // makespans
  Nanoseconds after_ns = 0;
  bool comparable = true;     // false: the ops differ (--ranks), so single ops are not compared
  std::uint64_t changed = 0;  // ops with another duration
  Nanoseconds changed_before_ns = 0;
  Nanoseconds changed_after_ns = 0;
  Nanoseconds on_path_ns = 0;  // of the critical path before: in these ops
  std::uint64_t sizeless = 0;  // transfers and collectives that keep their time: bytes unknown
  std::string why;             // why it hardly moved; empty: it moved
};

/// A trace, its run, and the costs of its ops.
struct Side {
  const trace::Trace& trace;
  const Execution& run;
  const Cost& cost;
};
/// `after` may belong to another trace than `before`.
Effect effect_of(const Side& before, const Side& after);

std::string to_text(const Effect& effect);
nlohmann::ordered_json to_json(const Effect& effect);

}  // namespace replay
