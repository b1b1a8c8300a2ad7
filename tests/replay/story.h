// SPDX-License-Identifier: Apache-2.0
// A small vocabulary to write traces with.
#pragma once

#include <string_view>

#include "tools/replay/engine/simulator.h"
#include "tools/trace/builder.h"

namespace story {

using trace::OpIndex;
using trace::OpKind;

/// Ops go to tracks "device.stream"; the indices that it hands out are those before finish().
class Story {
 public:
  trace::Builder b;

  trace::TrackIndex track(int device, int stream, int rank = 0) {
    return b.stream(b.device(b.rank(rank), device), static_cast<std::uint64_t>(stream));
  }
  trace::NewOp op(OpKind kind, trace::TrackIndex track, trace::Nanoseconds ns = trace::kNoTime) {
    trace::NewOp made;
    made.kind = kind;
    made.track = track;
    made.duration = ns;
    return made;
  }
  OpIndex kernel(trace::TrackIndex track, trace::Nanoseconds ns, std::string_view name = {}) {
    trace::NewOp made = op(OpKind::kernel, track, ns);
    made.name = b.text(name);
    return b.add(made);
  }
  OpIndex record(trace::TrackIndex track, std::uint64_t event, std::uint32_t generation = 1) {
    return b.add(op(OpKind::record, track),
                 trace::SyncUse{b.object(trace::ObjectKind::event, 0, event), generation,
                                trace::kNone, 0, trace::Provenance::exact});
  }
  OpIndex wait(trace::TrackIndex track, std::uint64_t event, OpIndex record,
               std::uint32_t generation = 1) {
    return b.add(op(OpKind::wait, track),
                 trace::SyncUse{b.object(trace::ObjectKind::event, 0, event), generation, record, 1,
                                trace::Provenance::exact});
  }
  OpIndex notify(trace::TrackIndex track, std::uint64_t id, std::uint32_t count = 1) {
    return b.add(op(OpKind::notify, track),
                 trace::SyncUse{b.object(trace::ObjectKind::notify, trace::kNone, id), count});
  }
  OpIndex notify_wait(trace::TrackIndex track, std::uint64_t id, OpIndex notify = trace::kNone,
                      std::uint32_t count = 1) {
    return b.add(op(OpKind::notify_wait, track),
                 trace::SyncUse{b.object(trace::ObjectKind::notify, trace::kNone, id), count,
                                notify, 1, trace::Provenance::order});
  }
  OpIndex copy(trace::TrackIndex track, std::uint64_t bytes, int from, int to,
               trace::Nanoseconds ns = trace::kNoTime) {
    return b.add(op(OpKind::copy, track, ns), trace::CopyUse{bytes, from, to});
  }
  /// A pair; returns the send.
  OpIndex message(trace::TrackIndex from, trace::TrackIndex to, std::uint64_t bytes,
                  std::uint32_t to_rank) {
    trace::CommUse use;
    use.bytes = bytes;
    use.peer = to_rank;
    const OpIndex send = b.add(op(OpKind::send, from), use);
    use.partner = send;
    b.pending().comm(send).partner = b.add(op(OpKind::recv, to), use);
    return send;
  }
  OpIndex collective(trace::TrackIndex track, std::string_view group, std::uint32_t number,
                     trace::Nanoseconds ns = trace::kNoTime) {
    trace::CommUse use;
    use.group = b.group(group);
    use.tag = number;
    use.kind = trace::Collective::all_reduce;
    use.bytes = 1 << 20;
    return b.add(op(OpKind::collective, track, ns), use);
  }
};

/// Signals that cost nothing, and links of a byte per ns.
inline replay::Topology plain() {
  replay::Topology topology;
  topology.record_ns = topology.wake_ns = topology.notify_ns = topology.launch_ns = 0;
  for (replay::LinkCost& link : topology.kinds) link = {0, 1e9};
  return topology;
}

}  // namespace story
