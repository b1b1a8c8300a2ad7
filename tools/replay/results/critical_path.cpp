// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/results/critical_path.h"

#include <algorithm>

namespace replay {

using trace::kNone;
using trace::OpKind;

const char* word(Share share) {
  constexpr std::array<const char*, kShares> words{"kernels",   "copies", "communication", "sync",
                                                   "callbacks", "launch", "gaps"};
  return words[static_cast<std::size_t>(share)];
}

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

CriticalPath critical_path(const trace::Trace& trace, const Run& run) {
  CriticalPath path;
  const auto add = [&path](Share share, Nanoseconds ns) {
    path.shares[static_cast<std::size_t>(share)] += ns;
  };
  std::uint64_t left = run.done_ops;  // a run ends; a wrong one must not hang us
  for (OpIndex op = run.last; op != kNone && left-- > 0;) {
    const OpIndex cause = run.cause(op);
    const Nanoseconds from =
        cause == kNone || !run.done(cause) ? 0 : std::min(run.end(cause), run.end(op));
    const Nanoseconds start = std::clamp(run.start(op), from, run.end(op));
    path.steps.push_back({op, from, run.end(op)});
    add(share_of(trace[op].kind), run.end(op) - start);
    const bool by_host =
        cause == kNone || trace.lanes()[trace.lane_of(cause)].kind == trace::LaneKind::host;
    add(by_host ? Share::launch : Share::gaps, start - from);
    op = cause;
  }
  std::reverse(path.steps.begin(), path.steps.end());
  return path;
}

}  // namespace replay
