// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tools/replay/engine/options.h"
#include "tools/replay/topology/hops.h"
#include "tools/replay/topology/topology.h"
#include "tools/trace/trace.h"

namespace replay {

/// The route of bytes between two devices, by their numbers; -1 is the host's side of the other.
struct Route {
  std::int32_t from = -1;
  std::int32_t to = -1;
  bool operator==(const Route&) const = default;
};

/// The cost of each op.
class Cost {
 public:
  Cost(const trace::Trace& trace, const Topology& topology, const Options& options);

  /// How long the op occupies its stream if nothing delays it; 0 for waits. For a member of a
  /// collective: the recorded or modelled duration of that member. `track`: the track of the op,
  /// if the caller knows it.
  Nanoseconds of(OpIndex op, TrackIndex track = trace::kNone) const;
  /// Whether the model costs this transfer, so that it can meet others on its link.
  bool modelled(OpIndex op) const { return !recorded(op, trace::kNone); }
  /// Whether the op was removed: it costs nothing and does not wait.
  bool removed(OpIndex op) const { return !removed_.empty() && removed_[op]; }
  /// A factor of the time that the host needs between its calls.
  double host_factor() const { return host_factor_; }
  /// Transfers and collectives that would be modelled, if the trace had their bytes.
  bool lacks_bytes(OpIndex op) const;
  /// The link of a copy, fill, reduce or send, with the numbers of the topology.
  Route route(OpIndex op, TrackIndex track = trace::kNone) const;
  /// Their bytes; 0: not known.
  std::uint64_t bytes(OpIndex op) const;
  /// The loads of a collective of one byte on its hops.
  std::vector<Load> loads(OpIndex op) const;
  /// Its duration with 0 bytes.
  Nanoseconds latency(OpIndex op) const;
  /// The time from the issue to the start.
  Nanoseconds launch(OpIndex op) const;
  Nanoseconds wake_ns() const { return wake_ns_; }
  const Topology& topology() const { return *topology_; }

  /// One more than the largest number of a device.
  std::int32_t numbers() const;
  /// The number of a device in the topology, by its index in the trace.
  std::int32_t number(std::int32_t device) const {
    return device < 0 ? -1 : numbers_[static_cast<std::size_t>(device)];
  }

 private:
  bool recorded(OpIndex op, TrackIndex track) const {
    const trace::Op& it = trace_[op];
    if (options_.cost == CostSource::recorded) return true;
    if (options_.cost == CostSource::model || !it.has(trace::kHasDuration)) return false;
    return plain_ || !told(op, track);
  }
  bool told(OpIndex op, TrackIndex track) const;
  bool on_links(OpIndex op, TrackIndex track) const;
  void prepare_names();
  double factor(OpIndex op, TrackIndex track) const;
  Nanoseconds changed(OpIndex op, TrackIndex track, Nanoseconds ns) const;
  Nanoseconds model(OpIndex op, TrackIndex track, const Topology& topology) const;
  Nanoseconds collective_cost(OpIndex op, const Topology& topology) const;
  std::vector<std::int32_t> members(const trace::CommUse& use) const;
  Nanoseconds jittered(OpIndex op, Nanoseconds ns) const;
  std::int32_t device_of_rank(std::uint32_t rank) const;

  const trace::Trace& trace_;
  std::shared_ptr<const Topology> own_;  // a copy with changed bandwidths
  const Topology& base_;
  const Topology* topology_;
  const Options& options_;
  bool plain_;                   // no change of the recording was asked for
  std::vector<bool> removed_;    // by op
  std::vector<double> factors_;  // by op; empty: names have none
  double kernels_ = 1, copies_ = 1, communication_ = 1, host_factor_ = 1;
  Nanoseconds wake_ns_;
  std::vector<std::int32_t> numbers_;        // by device
  std::vector<std::int32_t> first_of_rank_;  // device index by rank, -1: none
};

}  // namespace replay
