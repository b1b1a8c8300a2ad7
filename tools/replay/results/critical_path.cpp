// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/results/critical_path.h"

#include <algorithm>
#include <numeric>

#include "tools/trace/formats/collective_names.h"

namespace replay {

using trace::kNone;
using trace::OpKind;

const char* word(Share share) {
  constexpr std::array<const char*, kShares> words{"kernels",   "copies", "communication", "sync",
                                                   "callbacks", "launch", "gaps"};
  return words[static_cast<std::size_t>(share)];
}

namespace {

Share share_of(OpKind kind) {
  switch (kind) {
    case OpKind::copy:
    case OpKind::fill:
    case OpKind::reduce:
      return Share::copies;
    case OpKind::send:
    case OpKind::recv:
    case OpKind::collective:
    case OpKind::barrier:
      return Share::communication;
    case OpKind::record:
    case OpKind::wait:
    case OpKind::reset:
    case OpKind::notify:
    case OpKind::notify_wait:
    case OpKind::value_write:
    case OpKind::value_wait:
    case OpKind::external:
      return Share::sync;
    case OpKind::callback:
      return Share::callbacks;
    case OpKind::api:
    case OpKind::sync:
    case OpKind::query:
      return Share::launch;
    default:
      return Share::kernels;
  }
}

/// Whether a rank outside of the trace decided when a wait ended.
bool held_from_outside(const trace::Trace& trace, const Execution& run, OpIndex op) {
  const OpKind kind = trace[op].kind;
  if (run.cause(op) != kNone || run.length(op) == 0) return false;
  if (kind == OpKind::external) return true;
  if (!trace::waits(kind) || trace[op].use == kNone) return false;
  if (kind == OpKind::value_wait) return trace.value(op).partner == kNone;
  return trace.sync(op).partner == kNone;
}

/// The op that had to end before the track reached this op.
OpIndex before(const trace::Trace& trace, const Execution& run, OpIndex op) {
  const trace::Track& track = trace.tracks()[trace.track_of(op)];
  OpIndex last = op > track.begin && run.done(op - 1) ? op - 1 : kNone;
  for (const trace::Edge& edge : trace.deps(op)) {
    if (!run.done(edge.from) || run.end(edge.from) > run.start(op)) continue;
    if (last == kNone || run.end(edge.from) > run.end(last)) last = edge.from;
  }
  return last;
}

}  // namespace

std::vector<CriticalPath::Step> CriticalPath::longest(std::size_t count) const {
  std::vector<std::size_t> order(steps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return steps[a].to - steps[a].from > steps[b].to - steps[b].from;
  });
  order.resize(std::min(order.size(), count));
  std::sort(order.begin(), order.end());
  std::vector<Step> chosen;
  for (const std::size_t step : order) chosen.push_back(steps[step]);
  return chosen;
}

Shares::Shares(const trace::Trace& trace) : trace_(trace) {
  std::vector<bool> seen;
  for (const trace::Op& op : trace.ops()) {
    if (op.name == 0 || (op.kind != OpKind::kernel && op.kind != OpKind::join)) continue;
    if (seen.size() <= op.name) seen.resize(op.name + 1);
    if (seen[op.name]) continue;
    seen[op.name] = true;
    if (!trace::collective_by_name(trace.text(op.name))) continue;
    if (collective_.size() <= op.name) collective_.resize(op.name + 1);
    collective_[op.name] = true;
  }
}

Share Shares::of(OpIndex op) const {
  const trace::Op& it = trace_[op];
  const bool task = it.kind == OpKind::kernel || it.kind == OpKind::join;
  if (task && it.name < collective_.size() && collective_[it.name]) return Share::communication;
  return share_of(it.kind);
}

CriticalPath critical_path(const trace::Trace& trace, const Execution& run) {
  const Shares shares(trace);
  CriticalPath path;
  const auto add = [&path](Share share, Nanoseconds ns) {
    path.shares[static_cast<std::size_t>(share)] += ns;
  };
  std::uint64_t left = run.done_ops;  // a run ends; a wrong one must not hang us
  for (OpIndex op = run.last; op != kNone && left-- > 0;) {
    const bool outside = held_from_outside(trace, run, op);
    const OpIndex cause = outside ? before(trace, run, op) : run.cause(op);
    const Nanoseconds from =
        cause == kNone || !run.done(cause) ? 0 : std::min(run.end(cause), run.end(op));
    const Nanoseconds start = std::clamp(run.start(op), from, run.end(op));
    path.steps.push_back({op, from, run.end(op), start, outside});
    if (outside) {
      path.others_ns += run.end(op) - start;
    } else {
      add(shares.of(op), run.end(op) - start);
    }
    const bool by_host =
        cause == kNone || trace.tracks()[trace.track_of(cause)].kind == trace::TrackKind::host;
    add(by_host ? Share::launch : Share::gaps, start - from);
    op = cause;
  }
  std::reverse(path.steps.begin(), path.steps.end());
  return path;
}

}  // namespace replay
