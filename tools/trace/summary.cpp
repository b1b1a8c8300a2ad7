// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/summary.h"

#include <algorithm>
#include <vector>

#include "tools/trace/formats/format_table.h"

namespace trace {
namespace {

/// Whether the format of a track leaves out events.
bool leaves_out_records(const Trace& trace, const Track& track) {
  if (track.source >= trace.sources().size()) return false;
  const Format* const format = find_format(trace.text(trace.sources()[track.source].format));
  return format && format->profile;
}

void count_wait(const Trace& trace, OpIndex op, bool unknown, Summary& sum) {
  if (trace[op].use == kNone || trace.sync(op).partner == kNone) {
    ++(unknown ? sum.waits_unknown : sum.waits_unrecorded);
    return;
  }
  const SyncUse& use = trace.sync(op);
  ++sum.waits_paired;
  ++(inferred(use.how) ? sum.waits_inferred : sum.waits_exact);
  sum.waits_ambiguous += use.ambiguous();
}

void count_op(const Trace& trace, OpIndex op, bool unknown, Summary& sum) {
  const Op& it = trace[op];
  ++sum.by_kind[static_cast<std::size_t>(it.kind)];
  if (it.kind == OpKind::wait) count_wait(trace, op, unknown, sum);
  if (it.use == kNone) return;
  if (it.kind == OpKind::notify_wait) sum.notify_pairs += trace.sync(op).partner != kNone;
  if (it.kind == OpKind::send) sum.send_pairs += trace.comm(op).partner != kNone;
  if (it.kind == OpKind::copy && trace.copy(op).bytes != kUnknownBytes) {
    sum.copy_bytes += trace.copy(op).bytes;
  }
}

}  // namespace

Summary summarise(const Trace& trace) {
  Summary sum;
  std::vector<bool> ranks(trace.ranks().size());
  std::vector<bool> devices(trace.devices().size());
  Nanoseconds last = kNoTime;
  for (const Track& track : trace.tracks()) {
    if (track.kind == TrackKind::host) ++sum.host_threads;
    if (track.kind == TrackKind::stream) devices[track.device] = true;
    sum.streams += track.kind == TrackKind::stream && track.plane_of == kNone;
    ranks[track.rank] = true;
    const bool unknown = leaves_out_records(trace, track);
    for (OpIndex op = track.begin; op < track.end; ++op) {
      count_op(trace, op, unknown, sum);
      const Nanoseconds start = trace.start(op);
      if (start == kNoTime) continue;
      sum.first_ns = sum.first_ns == kNoTime ? start : std::min(sum.first_ns, start);
      last = std::max(last, start + trace.duration(op));
    }
  }
  sum.ranks = static_cast<std::uint32_t>(std::count(ranks.begin(), ranks.end(), true));
  sum.devices = static_cast<std::uint32_t>(std::count(devices.begin(), devices.end(), true));
  sum.edges = trace.edges().size();
  sum.evidence = weigh(trace);
  if (sum.first_ns != kNoTime) sum.span_ns = last - sum.first_ns;
  return sum;
}

}  // namespace trace
