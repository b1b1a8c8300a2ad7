// SPDX-License-Identifier: Apache-2.0
// Calls in which the host waited, and the ops that it waited for.
#include <algorithm>
#include <iterator>

#include "tools/trace/formats/kineto.h"
#include "tools/trace/pairing/evidence.h"

namespace trace::kineto {
namespace {

/// Calls in which the host waits: of all devices' runtimes.
bool synchronises(std::string_view call) {
  return call.find("Synchronize") != std::string_view::npos;
}
bool of_device(std::string_view call) {
  return call.find("DeviceSynchronize") != std::string_view::npos ||
         call.find("CtxSynchronize") != std::string_view::npos;
}

}  // namespace

/// Calls that wait and that the file does not mark besides.
void KinetoImport::find_unmarked_syncs() {
  std::set<std::uint64_t> marked;
  for (const HostSync& sync : syncs_) marked.insert(sync.correlation);
  for (const auto& [correlation, call] : launches_) {
    if (!synchronises(call.name) || marked.contains(correlation)) continue;
    const bool device = of_device(call.name);
    syncs_.push_back({device ? HostSync::What::device : HostSync::What::guess, correlation,
                      kNoStream, streams_.begin()->first, 0});
  }
}

/// The last op of a stream that was called for before `time`.
OpIndex KinetoImport::issued_before(TrackIndex track, Nanoseconds time) const {
  const auto found = issued_.find(track);
  if (found == issued_.end()) return kNone;
  const auto after =
      std::upper_bound(found->second.begin(), found->second.end(), time,
                       [](Nanoseconds at, const auto& row) { return at < row.first; });
  return after == found->second.begin() ? kNone : std::prev(after)->second;
}

/// The op that a call waited for if the file does not name its stream: among the last ops of all
/// streams, the one that ended last but not after the call.
OpIndex KinetoImport::guess(const NewOp& op) const {
  OpIndex best = kNone;
  Nanoseconds latest = kNoTime;
  const trace::Trace& made = builder_.pending();
  for (const auto& [track, issued] : issued_) {
    OpIndex at = issued_before(track, op.issue);
    while (at != kNone && made.start(at) == kNoTime) at = issued_before(track, made.issue(at) - 1);
    if (at == kNone) continue;
    const Nanoseconds end = made.start(at) + made.duration(at);
    if (end > op.start + op.duration + kClockSlack || end <= latest) continue;
    latest = end;
    best = at;
  }
  return best;
}

/// The host's waits, at the time of their call.
void KinetoImport::add_syncs() {
  find_unmarked_syncs();
  const auto called = [&](const HostSync& sync) {
    const Launch* const call = launch(sync.correlation);
    return std::pair(call ? call->time : kNoTime, sync.correlation);
  };
  std::stable_sort(syncs_.begin(), syncs_.end(),
                   [&](const HostSync& a, const HostSync& b) { return called(a) < called(b); });
  for (auto& [track, issued] : issued_) {
    std::stable_sort(issued.begin(), issued.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
  }
  for (const HostSync& sync : syncs_) add_sync(sync);
}

void KinetoImport::add_sync(const HostSync& sync) {
  const Launch* const call = launch(sync.correlation);
  const bool of_stream = sync.what == HostSync::What::stream;
  // Nothing ran on such a stream.
  if (!call || (of_stream && !streams_.contains({sync.device, sync.stream}))) return;
  NewOp op;
  op.kind = OpKind::sync;
  op.host = builder_.host(rank_, call->thread);
  op.track = builder_.host_track(op.host);
  op.name = builder_.text(call->name);
  op.start = op.issue = call->time + base_ - builder_.base_ns();
  op.duration = call->duration;
  op.line = call->row;
  op.site = call->caller;
  HostUse use;
  use.target = sync.what == HostSync::What::device ? Target::device : Target::stream;
  if (use.target == Target::device) {
    use.index = builder_.device(rank_, sync.device);
    op.line = 0;  // the order of calls follows from times, not from places in the file
  } else if (of_stream) {
    use.index = builder_.stream(builder_.device(rank_, sync.device), sync.stream);
    const Launch* const record = sync.record == 0 ? nullptr : launch(sync.record);
    const Nanoseconds until = record ? record->time + base_ - builder_.base_ns() - 1 : op.issue;
    use.partner = issued_before(use.index, until);
  } else {
    use.partner = guess(op);
    if (use.partner == kNone) return;  // no op to wait for
    use.index = builder_.pending_track(use.partner);
  }
  builder_.add(op, use);
}

}  // namespace trace::kineto
