// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/results/breakdown.h"

#include <algorithm>
#include <map>
#include <set>

#include "tools/replay/engine/simulator.h"
#include "tools/replay/results/critical_path.h"
#include "tools/replay/results/spans.h"
#include "tools/trace/pairing/evidence.h"

namespace replay {
namespace {

using trace::kNone;
using trace::kNoTime;
using trace::OpKind;
using trace::TrackKind;

/// The kind of work that keeps a device busy; waiting is none.
enum class Work : std::uint8_t { none, compute, communication, copy };

bool between_ranks(OpKind kind) {
  return kind == OpKind::send || kind == OpKind::recv || kind == OpKind::collective ||
         kind == OpKind::barrier;
}

struct Clock {
  const trace::Trace& trace;
  const Execution* run;
  std::set<OpIndex> excluded{};

  bool has(OpIndex op) const {
    if (!excluded.empty() && excluded.contains(op)) return false;
    return run ? run->done(op) : trace.start(op) != kNoTime;
  }
  Nanoseconds start(OpIndex op) const { return run ? run->start(op) : trace.start(op); }
  Nanoseconds end(OpIndex op) const {
    return run ? run->end(op) : trace.start(op) + trace.duration(op);
  }
  Nanoseconds issue(OpIndex op) const { return run ? kNoTime : trace.issue(op); }
};

/// A part of a task that runs beside others on a plane: its work is counted with the whole task.
bool is_part(const trace::Trace& trace, const trace::Track& track) {
  return track.plane_of != kNone && trace.tracks()[track.plane_of].kind == TrackKind::stream &&
         trace.text(track.name).find(" plane ") != std::string::npos;
}

/// A whole communicates when one of its parts does.
Work work_of_join(const trace::Trace& trace, OpIndex op) {
  for (const trace::Edge& edge : trace.deps(op)) {
    const trace::Track& track = trace.tracks()[trace.track_of(edge.from)];
    for (OpIndex part = edge.from + 1; part-- > track.begin;) {
      const OpKind kind = trace[part].kind;
      if (kind == OpKind::notify || kind == OpKind::notify_wait || kind == OpKind::copy ||
          kind == OpKind::reduce) {
        return Work::communication;
      }
      if (trace.start(part) != kNoTime && trace.start(part) < trace.start(op)) break;
    }
  }
  return Work::compute;
}

Work work_of(const trace::Trace& trace, const Shares& shares, OpIndex op) {
  const OpKind kind = trace[op].kind;
  const bool task = kind == OpKind::kernel || kind == OpKind::join;
  if (task && shares.of(op) == Share::communication) return Work::communication;
  if (kind == OpKind::kernel) return Work::compute;
  if (between_ranks(kind)) return Work::communication;
  if (kind == OpKind::join) return work_of_join(trace, op);
  const bool moves = kind == OpKind::copy || kind == OpKind::reduce;
  if (moves && trace[op].use != kNone) {
    const trace::CopyUse& use = trace.copy(op);
    if (use.src >= 0 && use.dst >= 0 && use.src != use.dst) return Work::communication;
  }
  return moves || kind == OpKind::fill ? Work::copy : Work::none;
}

/// The ops of streams that overlap a part of an op before them on their track. A track has one op
/// at a time, or an op inside another one, so one of the two is wrong.
std::set<OpIndex> partial_overlaps(const trace::Trace& trace, const Shares& shares) {
  std::set<OpIndex> found;
  for (const trace::Track& track : trace.tracks()) {
    if (track.kind != TrackKind::stream) continue;
    Nanoseconds until = kNoTime;
    for (OpIndex op = track.begin; op < track.end; ++op) {
      const Nanoseconds start = trace.start(op);
      if (start == kNoTime || work_of(trace, shares, op) == Work::none) continue;
      const Nanoseconds end = start + trace.duration(op);
      if (until != kNoTime && until - start > trace::kClockSlack && end > until) {
        found.insert(op);
      } else {
        until = until == kNoTime ? end : std::max(until, end);
      }
    }
  }
  return found;
}

/// Why the device did nothing until `op` began.
class Idle {
 public:
  Idle(const trace::Trace& trace, const Clock& clock) : trace_(trace), clock_(clock) {}

  void add(RankBreakdown& into, Nanoseconds from, Nanoseconds to, OpIndex op, TrackIndex at) const {
    const Nanoseconds issue = clock_.issue(op);
    const Nanoseconds late =
        issue == kNoTime ? 0 : std::clamp<Nanoseconds>(issue - from, 0, to - from);
    into.idle_host_ns += late;
    const Nanoseconds rest = to - from - late;
    if (rest == 0) return;
    bool other_rank = false;
    const bool waited = held_up(op, at, from + late, other_rank);
    (!waited ? into.idle_other_ns : other_rank ? into.idle_rank_ns : into.idle_stream_ns) += rest;
  }

 private:
  /// Whether a wait just before the op was not over at `from`.
  bool held_up(OpIndex op, TrackIndex at, Nanoseconds from, bool& other_rank) const {
    const trace::Track& track = trace_.tracks()[at];
    for (OpIndex before = op; before-- > track.begin;) {
      const OpKind kind = trace_[before].kind;
      if (kind != OpKind::wait && kind != OpKind::notify_wait && kind != OpKind::value_wait) {
        if (kind == OpKind::record || kind == OpKind::mark) continue;
        return false;
      }
      if (clock_.has(before) && clock_.end(before) <= from) continue;
      const bool known = trace_[before].use != kNone && kind != OpKind::value_wait;
      const OpIndex partner = known ? trace_.sync(before).partner : kNone;
      other_rank = partner == kNone ? kind == OpKind::notify_wait
                                    : trace_.tracks()[trace_.track_of(partner)].rank != track.rank;
      return true;
    }
    return false;
  }

  const trace::Trace& trace_;
  const Clock& clock_;
};

struct Busy {
  Span span;
  OpIndex op;
  TrackIndex track;
};

class RankSum {
 public:
  RankSum(const trace::Trace& trace, const Shares& shares, const Clock& clock)
      : trace_(trace), shares_(shares), clock_(clock) {}

  void add(const trace::Track& track, TrackIndex index) {
    for (OpIndex op = track.begin; op < track.end; ++op) {
      if (!clock_.has(op)) continue;
      const Work work = work_of(trace_, shares_, op);
      if (work == Work::none) continue;
      const Span span{clock_.start(op), clock_.end(op)};
      busy_.push_back({span, op, index});
      (work == Work::compute ? compute_
       : work == Work::copy  ? copies_
                             : communication_)
          .push_back(span);
      const Nanoseconds issue = clock_.issue(op);
      if (issue != kNoTime && issue <= span.begin) calls_.push_back({issue, span.begin});
    }
  }
  bool empty() const { return busy_.empty(); }

  RankBreakdown finish(std::uint32_t rank) {
    RankBreakdown sum;
    sum.rank = rank;
    merge(compute_);
    merge(communication_);
    merge(copies_);
    sum.compute_ns = length(compute_);
    sum.overlapped_ns = shared(communication_, compute_);
    sum.exposed_ns = length(communication_) - sum.overlapped_ns;
    std::vector<Span> both = compute_;
    both.insert(both.end(), communication_.begin(), communication_.end());
    merge(both);
    sum.copies_ns = length(copies_) - shared(copies_, both);
    find_idle(sum);
    queue(sum);
    return sum;
  }

 private:
  void find_idle(RankBreakdown& sum) {
    std::sort(busy_.begin(), busy_.end(), [](const Busy& a, const Busy& b) {
      return a.span.begin != b.span.begin ? a.span.begin < b.span.begin : a.op < b.op;
    });
    const Idle idle(trace_, clock_);
    Nanoseconds until = busy_.front().span.begin;
    const Nanoseconds first = until;
    for (const Busy& one : busy_) {
      if (one.span.begin > until) idle.add(sum, until, one.span.begin, one.op, one.track);
      until = std::max(until, one.span.end);
    }
    sum.span_ns = until - first;
    sum.idle_ns = sum.idle_host_ns + sum.idle_stream_ns + sum.idle_rank_ns + sum.idle_other_ns;
  }

  void queue(RankBreakdown& sum) {
    sum.launches = calls_.size();
    if (calls_.empty()) return;
    std::vector<Nanoseconds> delays, begins;
    double area = 0;
    for (const Span& call : calls_) {
      delays.push_back(call.end - call.begin);
      area += static_cast<double>(call.end - call.begin);
      begins.push_back(call.end);
    }
    std::sort(delays.begin(), delays.end());
    sum.delay_median_ns = delays[(delays.size() - 1) / 2];
    sum.delay_p99_ns = delays[(delays.size() - 1) * 99 / 100];
    std::sort(calls_.begin(), calls_.end(),
              [](const Span& a, const Span& b) { return a.begin < b.begin; });
    std::sort(begins.begin(), begins.end());
    std::size_t begun = 0;
    for (std::size_t called = 0; called < calls_.size(); ++called) {
      while (begun < begins.size() && begins[begun] <= calls_[called].begin) ++begun;
      sum.queue_most =
          std::max<std::uint64_t>(sum.queue_most, called + 1 - std::min(begun, called + 1));
    }
    const Nanoseconds window = begins.back() - calls_.front().begin;
    sum.queue_mean = window == 0 ? 0 : area / static_cast<double>(window);
  }

  const trace::Trace& trace_;
  const Shares& shares_;
  const Clock& clock_;
  std::vector<Busy> busy_;
  std::vector<Span> compute_, communication_, copies_;
  std::vector<Span> calls_;  // from the call to the start
};

std::vector<KernelRow> kernels(const trace::Trace& trace, const Clock& clock) {
  std::map<trace::StringIndex, std::vector<Nanoseconds>> by_name;
  for (const trace::Track& track : trace.tracks()) {
    if (track.kind != TrackKind::stream) continue;
    for (OpIndex op = track.begin; op < track.end; ++op) {
      if (trace[op].kind != OpKind::kernel || !clock.has(op)) continue;
      by_name[trace[op].name].push_back(clock.end(op) - clock.start(op));
    }
  }
  std::vector<KernelRow> rows;
  for (auto& [name, lengths] : by_name) {
    KernelRow row{name, lengths.size(), 0, 0};
    for (const Nanoseconds ns : lengths) row.sum_ns += ns;
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>((lengths.size() - 1) / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    row.median_ns = *middle;
    rows.push_back(row);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const KernelRow& a, const KernelRow& b) { return a.sum_ns > b.sum_ns; });
  return rows;
}

std::vector<LinkRow> links(const trace::Trace& trace, const Clock& clock) {
  std::map<std::pair<std::int32_t, std::int32_t>, LinkRow> rows;
  for (OpIndex op = 0; op < trace.size(); ++op) {
    const OpKind kind = trace[op].kind;
    if ((kind != OpKind::copy && kind != OpKind::reduce) || trace[op].use == kNone) continue;
    const trace::CopyUse& use = trace.copy(op);
    const bool across = use.src >= 0 && use.dst >= 0 && use.src != use.dst;
    if (!across || use.bytes == trace::kUnknownBytes || use.bytes == 0 || !clock.has(op)) continue;
    LinkRow& row = rows[{use.src, use.dst}];
    row.from = use.src;
    row.to = use.dst;
    ++row.copies;
    row.bytes += use.bytes;
    row.sum_ns += clock.end(op) - clock.start(op);
  }
  std::vector<LinkRow> sorted;
  for (const auto& [ends, row] : rows) sorted.push_back(row);
  std::stable_sort(sorted.begin(), sorted.end(), [](const LinkRow& a, const LinkRow& b) {
    return a.bytes_per_s() < b.bytes_per_s();
  });
  return sorted;
}

bool has_times(const trace::Trace& trace) {
  for (const trace::Track& track : trace.tracks()) {
    if (track.kind != TrackKind::stream) continue;
    for (OpIndex op = track.begin; op < track.end; ++op) {
      if (trace.start(op) != kNoTime) return true;
    }
  }
  return false;
}

}  // namespace

Breakdown break_down(const trace::Trace& trace, const Execution* run) {
  Breakdown found;
  found.recorded = has_times(trace);
  if (!found.recorded && !run) return found;
  const Shares shares(trace);
  Clock clock{trace, found.recorded ? nullptr : run};
  if (found.recorded) clock.excluded = partial_overlaps(trace, shares);
  found.excluded = clock.excluded.size();
  std::vector<RankSum> ranks(trace.ranks().size(), RankSum(trace, shares, clock));
  for (TrackIndex l = 0; l < trace.tracks().size(); ++l) {
    const trace::Track& track = trace.tracks()[l];
    if (track.kind == TrackKind::stream && !is_part(trace, track)) ranks[track.rank].add(track, l);
  }
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    if (!ranks[r].empty()) found.ranks.push_back(ranks[r].finish(r));
  }
  std::sort(found.ranks.begin(), found.ranks.end(), [&](const auto& a, const auto& b) {
    return trace.ranks()[a.rank].id < trace.ranks()[b.rank].id;
  });
  for (std::size_t r = 1; r < found.ranks.size(); ++r) {
    if (found.ranks[r].compute_ns > found.ranks[found.slowest].compute_ns) found.slowest = r;
  }
  found.kernels = kernels(trace, clock);
  for (const KernelRow& row : found.kernels) found.kernels_ns += row.sum_ns;
  found.links = links(trace, clock);
  return found;
}

}  // namespace replay
