// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/engine/host_times.h"

#include <algorithm>

#include "tools/trace/calls.h"

namespace replay {
namespace {

using trace::called;
using trace::kNoTime;
using trace::OpKind;
using trace::TrackKind;

/// Whether the host goes on only when the op has ended.
bool holds_host(const trace::Op& op) {
  return op.kind == OpKind::sync || (op.kind == OpKind::copy && op.has(trace::kBlocks));
}

}  // namespace

HostTimes::HostTimes(const trace::Trace& trace, Nanoseconds origin)
    : trace_(trace), origin_(origin), hosts_(trace.hosts().size()) {
  for (OpIndex op = 0; op < trace.size(); ++op) {
    const std::uint16_t host = trace[op].host;
    if (host != trace::kNoHost && called(trace, op) != kNoTime) hosts_[host].timed = true;
  }
  for (const trace::Track& track : trace.tracks()) {
    if (track.graph == trace::kNone) add_anchors(track);
  }
  borrow_anchors();
  for (Host& host : hosts_) {
    std::stable_sort(host.anchors.begin(), host.anchors.end(),
                     [](const Anchor& a, const Anchor& b) { return a.until < b.until; });
    any_ = any_ || host.timed || !host.anchors.empty();
  }
}

void HostTimes::add_anchors(const trace::Track& track) {
  for (OpIndex op = track.begin; op < track.end; ++op) {
    const trace::Op& it = trace_[op];
    if (it.host == trace::kNoHost) continue;
    Host& host = hosts_[it.host];
    if (!host.timed && (track.kind == TrackKind::host || holds_host(it))) {
      host.anchors.push_back({trace_.id(op), op});
    } else if (host.timed && holds_host(it)) {
      const Nanoseconds start = trace_.start(op) != kNoTime ? trace_.start(op) : called(trace_, op);
      // A call that ended before the first op was issued (the start of a program) delays no op.
      const bool matters = start != kNoTime && start + trace_.duration(op) > origin_;
      if (matters) host.anchors.push_back({start + trace_.duration(op), op});
    }
  }
}

void HostTimes::borrow_anchors() {
  std::vector<std::vector<Anchor>> of_rank(trace_.ranks().size());
  std::vector<std::size_t> threads(trace_.ranks().size());
  for (std::size_t h = 0; h < hosts_.size(); ++h) {
    if (!hosts_[h].timed) continue;
    const std::uint32_t rank = trace_.tracks()[trace_.hosts()[h]].rank;
    ++threads[rank];
    for (const Anchor& anchor : hosts_[h].anchors) {
      if (trace_[anchor.op].kind == OpKind::sync) of_rank[rank].push_back(anchor);
    }
  }
  std::vector<std::vector<Nanoseconds>> calls(hosts_.size());
  for (OpIndex op = 0; op < trace_.size(); ++op) {
    const std::uint16_t host = trace_[op].host;
    if (host == trace::kNoHost || !hosts_[host].timed) continue;
    const std::uint32_t rank = trace_.tracks()[trace_.hosts()[host]].rank;
    if (threads[rank] < 2 || of_rank[rank].empty()) continue;
    if (const Nanoseconds at = called(trace_, op); at != kNoTime) calls[host].push_back(at);
  }
  for (std::size_t h = 0; h < hosts_.size(); ++h) {
    if (calls[h].empty()) continue;
    std::sort(calls[h].begin(), calls[h].end());
    for (const Anchor& anchor : of_rank[trace_.tracks()[trace_.hosts()[h]].rank]) {
      if (trace_[anchor.op].host == h) continue;
      const auto next =
          std::lower_bound(calls[h].begin(), calls[h].end(), called(trace_, anchor.op));
      if (next != calls[h].end() && *next >= anchor.until) hosts_[h].anchors.push_back(anchor);
    }
  }
}

HostTimes::Issue HostTimes::of(OpIndex op) const {
  const std::uint16_t index = trace_[op].host;
  if (index == trace::kNoHost) return {};
  const Host& host = hosts_[index];
  const Nanoseconds at = host.timed ? called(trace_, op) : Nanoseconds{trace_.id(op)} - 1;
  if (host.timed && at == kNoTime) return {};
  auto after = std::upper_bound(host.anchors.begin(), host.anchors.end(), at,
                                [](Nanoseconds t, const Anchor& a) { return t < a.until; });
  while (after != host.anchors.begin() && std::prev(after)->op == op) --after;
  if (after == host.anchors.begin()) {
    return {trace::kNone, host.timed ? at - origin_ : 0, host.timed};
  }
  const Anchor& anchor = *std::prev(after);
  return {anchor.op, host.timed ? at - anchor.until : 0, true};
}

}  // namespace replay
