// SPDX-License-Identifier: Apache-2.0
// What a change did to a job, and why it did no more.
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
  bool comparable = true;  // false: the ops are others (--ranks), nothing is known of single ones
  std::uint64_t changed = 0;  // ops that take another time
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
/// `after` may be of another trace than `before`.
Effect effect_of(const Side& before, const Side& after);

std::string to_text(const Effect& effect);
nlohmann::ordered_json to_json(const Effect& effect);

}  // namespace replay
