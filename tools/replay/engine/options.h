// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "tools/replay/engine/what_if.h"
#include "tools/trace/op.h"

namespace replay {

using trace::Nanoseconds;
using trace::OpIndex;
using trace::TrackIndex;

/// The source of durations. recorded: the trace, or 0 if it has none. model: the topology, for
/// kernels the trace. mixed: the trace, or the topology if the trace has none.
enum class CostSource : std::uint8_t { recorded, model, mixed };

/// Transfers that want one link at a time. fifo: one after the other. share: max-min fair. off:
/// they do not see each other. This applies only to transfers whose cost is modelled: a recorded
/// duration already includes contention.
enum class Contention : std::uint8_t { fifo, share, off };

/// How sends meet their receives; as_recorded: the mode in the trace, eager if it has none.
enum class Sends : std::uint8_t { as_recorded, eager, rendezvous };

struct Options {
  CostSource cost = CostSource::mixed;
  Contention contention = Contention::fifo;
  Sends sends = Sends::as_recorded;
  /// Keep the recorded time between the moment at which an op could have begun (its stream had
  /// reached it, the host had issued it) and its start.
  bool gaps = true;
  double scale = 1;        // of kernels
  double jitter = 0;       // each duration times 1 + jitter * u, u in -1 .. 1
  std::uint64_t seed = 0;  // of the jitter
  WhatIf what_if;
  /// Called now and then; true ends the run early.
  std::function<bool(std::uint64_t done, Nanoseconds now)> stop;
};

}  // namespace replay
