// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tools/replay/engine/options.h"
#include "tools/trace/trace.h"

namespace check {

using trace::OpIndex;
using trace::TrackIndex;

/// Ops that begin together: the members of a collective, one a device; a send and its receive
/// if the sender waits.
struct Rendezvous {
  std::vector<OpIndex> members;
  std::uint32_t arrived = 0;
};

inline bool waits_for_receive(const trace::CommUse& send, replay::Sends sends) {
  return sends == replay::Sends::rendezvous ||
         (sends == replay::Sends::as_recorded && send.mode == trace::SendMode::rendezvous);
}

/// The k-th use of a (group, number) by a device meets the k-th of the others.
class RendezvousTable {
 public:
  RendezvousTable(const trace::Trace& trace, replay::Sends sends);

  /// Null: the op takes part in no rendezvous.
  Rendezvous* of(OpIndex op) {
    const trace::Op& it = trace_[op];
    if (it.use >= by_use_.size() || !meets(it.kind)) return nullptr;
    return by_use_[it.use] == trace::kNone ? nullptr : &rendezvous_[by_use_[it.use]];
  }

  static bool collective(trace::OpKind kind) {
    return kind == trace::OpKind::collective || kind == trace::OpKind::barrier;
  }
  static bool meets(trace::OpKind kind) {
    return collective(kind) || kind == trace::OpKind::send || kind == trace::OpKind::recv;
  }

 private:
  void add_pairs(replay::Sends sends);
  void add_groups();
  void place(OpIndex op, std::size_t rendezvous);

  const trace::Trace& trace_;
  std::vector<Rendezvous> rendezvous_;
  std::vector<std::uint32_t> by_use_;
};

/// A device's uses of a group, in the order of their calls as far as the trace records it.
struct GroupUse {
  std::uint32_t group;
  std::uint32_t device;  // index
  std::vector<OpIndex> ops;
};
std::vector<GroupUse> group_uses(const trace::Trace& trace);

}  // namespace check
