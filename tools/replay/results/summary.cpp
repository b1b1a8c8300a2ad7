// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/results/summary.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

#include "tools/replay/engine/simulator.h"

namespace replay {
namespace {

using trace::kNone;
using trace::kNoTime;
using trace::OpKind;
using trace::Provenance;
using trace::TrackKind;

bool waiting(OpKind kind) { return trace::waits(kind) || kind == OpKind::external; }

/// How long an op only waited for others.
Nanoseconds time_blocked(const trace::Trace& trace, const Execution& run, OpIndex op) {
  const OpKind kind = trace[op].kind;
  if (waiting(kind)) return run.length(op);
  const bool meets = kind == OpKind::recv || kind == OpKind::send || kind == OpKind::collective ||
                     kind == OpKind::barrier;
  const OpIndex cause = run.cause(op);
  if (!meets || cause == kNone || !run.done(cause)) return 0;
  return std::clamp<Nanoseconds>(run.end(cause) - run.start(op), 0, run.length(op));
}

StreamSummary stream(const trace::Trace& trace, const Execution& run, TrackIndex index) {
  StreamSummary sum;
  sum.track = index;
  const trace::Track& track = trace.tracks()[index];
  for (OpIndex op = track.begin; op < track.end; ++op) {
    if (!run.done(op)) continue;
    ++sum.ops;
    const Nanoseconds waited = time_blocked(trace, run, op);
    sum.wait_ns += waited;
    sum.busy_ns += run.length(op) - waited;
    if (waited > sum.longest_wait_ns) {
      sum.longest_wait = op;
      sum.longest_wait_ns = waited;
    }
  }
  sum.idle_ns = std::max<Nanoseconds>(0, run.makespan_ns - sum.busy_ns - sum.wait_ns);
  return sum;
}

// ---- links ----

struct Edge {
  Nanoseconds time;
  int step;  // +1 a transfer begins, -1 it ends; ends first
  double rate;
  bool operator<(const Edge& other) const {
    return time != other.time ? time < other.time : step < other.step;
  }
};

void sweep(std::vector<Edge>& edges, LinkSummary& link) {
  std::sort(edges.begin(), edges.end());
  std::uint32_t open = 0;
  double rate = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (open > 0) link.busy_ns += edges[i].time - edges[i - 1].time;
    open += static_cast<std::uint32_t>(edges[i].step);
    rate = open == 0 ? 0 : rate + edges[i].step * edges[i].rate;
    link.peak_transfers = std::max(link.peak_transfers, open);
    link.peak_bytes_per_s = std::max(link.peak_bytes_per_s, rate);
  }
}

std::vector<LinkSummary> links(const trace::Trace& trace, const Execution& run, const Cost& cost) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::pair<LinkSummary, std::vector<Edge>>> all;
  for (OpIndex op = 0; op < trace.size(); ++op) {
    const OpKind kind = trace[op].kind;
    const bool moves = kind == OpKind::copy || kind == OpKind::reduce || kind == OpKind::send;
    if (!moves || !run.done(op) || cost.bytes(op) == 0) continue;
    const Route route = cost.route(op);
    auto& [link, edges] = all[{route.from, route.to}];
    link.route = route;
    link.kind = cost.topology().link_word(route.from, route.to);
    ++link.transfers;
    link.bytes += cost.bytes(op);
    const Nanoseconds ns = std::max<Nanoseconds>(1, run.length(op) - time_blocked(trace, run, op));
    const double rate = static_cast<double>(cost.bytes(op)) * 1e9 / static_cast<double>(ns);
    edges.push_back({run.end(op) - ns, 1, rate});
    edges.push_back({run.end(op), -1, rate});
  }
  std::vector<LinkSummary> sorted;
  for (auto& [ends, entry] : all) {
    sweep(entry.second, entry.first);
    sorted.push_back(entry.first);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.busy_ns > b.busy_ns; });
  return sorted;
}

// ---- edges ----

void count_edge(EdgeSummary& sum, const trace::Op& op, OpIndex partner, Provenance how,
                std::uint32_t candidates, std::uint32_t generation) {
  if (partner != kNone) {
    ++sum.by_origin[static_cast<std::size_t>(how)];
    if (candidates > 1) ++sum.ambiguous;
  } else if (op.kind == OpKind::wait && generation == 0) {
    ++sum.unrecorded;
  } else {
    ++sum.missing;
  }
}

EdgeSummary edges(const trace::Trace& trace) {
  EdgeSummary sum;
  for (OpIndex op = 0; op < trace.size(); ++op) {
    const trace::Op& it = trace[op];
    if (it.use == kNone) continue;
    if (it.kind == OpKind::wait || it.kind == OpKind::notify_wait) {
      const trace::SyncUse& use = trace.sync(op);
      count_edge(sum, it, use.partner, use.how, use.candidates, use.generation);
    } else if (it.kind == OpKind::value_wait) {
      const trace::ValueUse& use = trace.value(op);
      count_edge(sum, it, use.partner, use.how, use.candidates, 0);
    } else if (it.kind == OpKind::recv) {
      count_edge(sum, it, trace.comm(op).partner, trace.comm(op).how, 1, 0);
    }
  }
  for (const trace::Edge& edge : trace.edges()) {
    ++sum.by_origin[static_cast<std::size_t>(edge.how)];
    if (edge.candidates > 1) ++sum.ambiguous;
  }
  return sum;
}

// ---- accuracy ----

std::optional<Accuracy> accuracy(const trace::Trace& trace, const Execution& run) {
  std::vector<Nanoseconds> errors;
  Accuracy found;
  Nanoseconds last = kNoTime;
  for (const trace::Track& track : trace.tracks()) {
    if (track.kind == TrackKind::host || track.graph != kNone) continue;
    for (OpIndex op = track.begin; op < track.end; ++op) {
      if (trace.start(op) == kNoTime || !run.done(op) || annotates(trace[op].kind)) continue;
      const Nanoseconds recorded = trace.start(op) - run.origin_ns;
      const Nanoseconds error = std::abs(run.start(op) - recorded);
      if (found.worst == kNone || error > found.max_ns) {
        found.worst = op;
        found.max_ns = error;
      }
      errors.push_back(error);
      last = std::max(last, recorded + trace.duration(op));
    }
  }
  if (errors.empty()) return {};
  const auto rank = [&](std::size_t part, std::size_t of) {
    const auto at = errors.begin() + static_cast<std::ptrdiff_t>((errors.size() - 1) * part / of);
    std::nth_element(errors.begin(), at, errors.end());
    return *at;
  };
  found.ops = errors.size();
  found.p50_ns = rank(50, 100);
  found.p99_ns = rank(99, 100);
  found.makespan_ns = last;
  return found;
}

}  // namespace

Summary summarise(const trace::Trace& trace, const Execution& run, const Cost& cost) {
  Summary sum;
  for (TrackIndex l = 0; l < trace.tracks().size(); ++l) {
    const trace::Track& track = trace.tracks()[l];
    if (track.kind == TrackKind::stream && track.size() != 0) {
      sum.streams.push_back(stream(trace, run, l));
    }
  }
  std::stable_sort(sum.streams.begin(), sum.streams.end(), [&](const auto& a, const auto& b) {
    const trace::Track& x = trace.tracks()[a.track];
    const trace::Track& y = trace.tracks()[b.track];
    return std::tuple(x.rank, x.device, x.id) < std::tuple(y.rank, y.device, y.id);
  });
  sum.links = links(trace, run, cost);
  sum.edges = edges(trace);
  sum.accuracy = accuracy(trace, run);
  sum.evidence = trace::weigh(trace);
  sum.path = critical_path(trace, run);
  return sum;
}

}  // namespace replay
