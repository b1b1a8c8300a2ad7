// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "tools/check/flags.h"
#include "tools/check/host_order.h"
#include "tools/replay/engine/options.h"
#include "tools/trace/trace.h"

namespace check {

using trace::TrackIndex;

/// An op that has to end before another op.
struct Need {
  enum class Why : std::uint8_t { event, notify, value, message, sync, edge, issue };
  OpIndex from = trace::kNone;
  Why why = Why::edge;
  trace::Provenance how = trace::Provenance::exact;
  bool guess = false;  // inferred, or one of several possible ops
};

/// The ops that each op waits for besides the op before it on its track.
class Needs {
 public:
  Needs(const trace::Trace& trace, const HostOrder& hosts, const Flags& flags, replay::Sends sends);

  /// Valid until the next call.
  std::span<const Need> of(OpIndex op, const trace::Track& track);
  /// Value waits that no write of the trace satisfies and that the trace does not show as passed.
  std::span<const OpIndex> never_written() const { return never_written_; }

 private:
  void add(const Need& need) { needs_.push_back(need); }
  bool waits_for_nothing(OpIndex op, const trace::Op& it) const;
  void add_partner(OpIndex op, const trace::Op& it);
  void add_sync(OpIndex op);
  void find_devices();
  void find_device(OpIndex op, std::unordered_map<std::uint64_t, OpIndex>& last);
  void find_values();
  void find_value(OpIndex op, TrackIndex track, const std::vector<OpIndex>& writes);
  bool shared(std::uint32_t notify) const { return shared_.size() > notify && shared_[notify]; }
  void find_shared();

  const trace::Trace& trace_;
  const HostOrder& hosts_;
  const Flags& flags_;
  replay::Sends sends_;
  std::vector<Need> needs_;
  std::unordered_map<OpIndex, std::vector<OpIndex>> device_syncs_;
  std::unordered_map<OpIndex, Need> values_;
  std::unordered_map<std::uint64_t, std::uint32_t>
      same_values_;  // waits of one track for one value
  std::vector<OpIndex> never_written_;
  std::vector<bool> shared_;  // by object: notifies that several tracks set
};

}  // namespace check
