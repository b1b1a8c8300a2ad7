// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/results/compare_traces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <tuple>

#include "tools/replay/results/naming.h"
#include "tools/replay/results/track_pairs.h"

namespace replay {
namespace {

using trace::kNone;
using trace::kNoTime;
using trace::OpKind;

constexpr OpIndex kSkip = 64;
constexpr std::size_t kKept = 1000;

bool moves_bytes(OpKind kind) {
  return kind == OpKind::copy || kind == OpKind::fill || kind == OpKind::reduce;
}
bool exchanges(OpKind kind) {
  return kind == OpKind::send || kind == OpKind::recv || kind == OpKind::collective ||
         kind == OpKind::barrier;
}

/// Bytes that an op moves; kUnknownBytes: the trace does not record them.
std::uint64_t shape_bytes(const trace::Trace& trace, OpIndex op) {
  const trace::Op& it = trace[op];
  if (it.use == kNone) return trace::kUnknownBytes;
  if (moves_bytes(it.kind)) return trace.copy(op).bytes;
  return exchanges(it.kind) ? trace.comm(op).bytes : trace::kUnknownBytes;
}

std::string titled(const trace::Trace& trace, OpIndex op) {
  const std::uint64_t bytes = shape_bytes(trace, op);
  if (bytes == trace::kUnknownBytes) return op_title(trace, op);
  return fmt::format("{} of {} bytes", op_title(trace, op), bytes);
}

class Comparison {
 public:
  Comparison(const TraceWithRun& a, const TraceWithRun& b, bool recorded)
      : a_(a), b_(b), recorded_(recorded), partner_(a.trace.size(), kNone) {}

  TraceDifference compare() {
    TrackPairs pairs = pair_tracks(a_.trace, b_.trace);
    found_.renamed = std::move(pairs.renamed);
    for (const auto& [x, y] : pairs.tracks) {
      if (x == kNone) {
        only_track(y, true);
      } else if (y == kNone) {
        only_track(x, false);
      } else {
        walk(x, y);
      }
    }
    compare_waits();
    finish();
    return std::move(found_);
  }

 private:
  static Nanoseconds weight(const OpDelta& it) { return std::abs(it.length_b - it.length_a); }

  const TraceWithRun& side(bool in_b) const { return in_b ? b_ : a_; }

  bool same(OpIndex x, OpIndex y) const {
    if (a_.trace[x].kind != b_.trace[y].kind || op_title(a_.trace, x) != op_title(b_.trace, y)) {
      return false;
    }
    const std::uint64_t bytes_a = shape_bytes(a_.trace, x);
    const std::uint64_t bytes_b = shape_bytes(b_.trace, y);
    const bool known = bytes_a != trace::kUnknownBytes && bytes_b != trace::kUnknownBytes;
    return !known || bytes_a == bytes_b;
  }

  // ---- structure ----

  Nanoseconds moment(OpIndex op, bool in_b) const {
    const TraceWithRun& of = side(in_b);
    if (!recorded_) return of.run.done(op) ? of.run.start(op) : INT64_MAX - 1;
    const OpIndex end = of.trace.tracks()[of.trace.track_of(op)].end;
    for (; op < end; ++op) {  // an op without a time gets the time of the next timed op
      if (of.trace.start(op) != kNoTime) return of.trace.start(op) - of.run.origin_ns;
    }
    return INT64_MAX - 1;
  }

  void differ(Nanoseconds when, std::string text) {
    if (!found_.first.empty() && when >= found_.first_ns) return;
    found_.first_ns = when;
    found_.first = std::move(text);
  }

  void only_track(TrackIndex l, bool in_b) {
    const trace::Track& track = side(in_b).trace.tracks()[l];
    for (OpIndex op = track.begin; op < track.end; ++op) only(op, l, in_b);
    differ(moment(track.begin, in_b),
           fmt::format("{} has {} with {} ops, {} has no such track", in_b ? "b" : "a",
                       track_name(side(in_b).trace, l), track.size(), in_b ? "a" : "b"));
  }

  void only(OpIndex op, TrackIndex l, bool in_b) {
    ++(in_b ? found_.only_b : found_.only_a);
    const trace::Trace& trace = side(in_b).trace;
    OnlyRow& row = rows_[{in_b, l, titled(trace, op)}];
    if (row.count++ != 0) return;
    row.in_b = in_b;
    row.what = titled(trace, op);
    row.where = track_name(trace, l);
    row.first = trace.id(op);
  }

  /// `x` and `y`: where the tracks part; kNone: that track has ended.
  void part(OpIndex x, OpIndex y, OpIndex skip_a, OpIndex skip_b) {
    const Nanoseconds when = std::min(x == kNone ? INT64_MAX : moment(x, false),
                                      y == kNone ? INT64_MAX : moment(y, true));
    if (!found_.first.empty() && when >= found_.first_ns) return;
    const auto name = [&](OpIndex op, bool in_b) {
      return op == kNone ? std::string("nothing more") : op_name(side(in_b).trace, op);
    };
    std::string text = fmt::format("a has {}, b has {}", name(x, false), name(y, true));
    if (skip_a == 0 && skip_b != 0) text = fmt::format("only b has {}", name(y, true));
    if (skip_b == 0 && skip_a != 0) text = fmt::format("only a has {}", name(x, false));
    differ(when, std::move(text));
  }

  void walk(TrackIndex track_a, TrackIndex track_b) {
    const trace::Track& of_a = a_.trace.tracks()[track_a];
    const trace::Track& of_b = b_.trace.tracks()[track_b];
    OpIndex x = of_a.begin;
    OpIndex y = of_b.begin;
    while (x < of_a.end && y < of_b.end) {
      if (same(x, y)) {
        match(x++, y++);
        continue;
      }
      const auto [skip_a, skip_b] = rejoin(x, of_a.end, y, of_b.end);
      part(x, y, skip_a, skip_b);
      for (OpIndex i = 0; i < skip_a; ++i) only(x++, track_a, false);
      for (OpIndex i = 0; i < skip_b; ++i) only(y++, track_b, true);
    }
    if (x == of_a.end && y == of_b.end) return;
    part(x < of_a.end ? x : kNone, y < of_b.end ? y : kNone, of_a.end - x, of_b.end - y);
    while (x < of_a.end) only(x++, track_a, false);
    while (y < of_b.end) only(y++, track_b, true);
  }

  /// The fewest ops to leave out so that both go on with the same.
  std::pair<OpIndex, OpIndex> rejoin(OpIndex x, OpIndex end_a, OpIndex y, OpIndex end_b) const {
    for (OpIndex sum = 1; sum <= 2 * kSkip; ++sum) {
      for (OpIndex skip = sum > kSkip ? sum - kSkip : 0; skip <= std::min(sum, kSkip); ++skip) {
        if (x + skip >= end_a || y + (sum - skip) >= end_b) continue;
        if (same(x + skip, y + (sum - skip))) return {skip, sum - skip};
      }
    }
    return {1, 1};
  }

  static OpIndex waited_for(const trace::Trace& trace, OpIndex op) {
    const trace::Op& it = trace[op];
    if (it.use == kNone) return kNone;
    if (it.kind == OpKind::wait || it.kind == OpKind::notify_wait) return trace.sync(op).partner;
    return it.kind == OpKind::value_wait ? trace.value(op).partner : kNone;
  }

  /// Waits that are in both and wait for ops that are not each other.
  void compare_waits() {
    for (OpIndex x = 0; x < a_.trace.size(); ++x) {
      const OpIndex y = partner_[x];
      if (y == kNone || !trace::waits(a_.trace[x].kind)) continue;
      const OpIndex for_a = waited_for(a_.trace, x);
      const OpIndex for_b = waited_for(b_.trace, y);
      const bool alike = for_a == kNone ? for_b == kNone : partner_[for_a] == for_b;
      if (alike || moment(x, false) >= (found_.first.empty() ? INT64_MAX : found_.first_ns))
        continue;
      const auto name = [](const trace::Trace& trace, OpIndex op) {
        return op == kNone ? std::string("nothing in the trace") : op_name(trace, op);
      };
      differ(moment(x, false),
             fmt::format("{} waits for {} in a, for {} in b", op_name(a_.trace, x),
                         name(a_.trace, for_a), name(b_.trace, for_b)));
    }
  }

  // ---- times ----

  OpDelta times(OpIndex x, OpIndex y) const {
    OpDelta it;
    if (recorded_) {
      it.start_a = a_.trace.start(x) - a_.run.origin_ns;
      it.start_b = b_.trace.start(y) - b_.run.origin_ns;
      it.length_a = a_.trace.duration(x);
      it.length_b = b_.trace.duration(y);
    } else {
      it.start_a = a_.run.start(x);
      it.start_b = b_.run.start(y);
      it.length_a = a_.run.length(x);
      it.length_b = b_.run.length(y);
    }
    return it;
  }

  bool timed(OpIndex x, OpIndex y) const {
    if (recorded_) return a_.trace.start(x) != kNoTime && b_.trace.start(y) != kNoTime;
    return a_.run.done(x) && b_.run.done(y);
  }

  void match(OpIndex x, OpIndex y) {
    ++found_.matched;
    partner_[x] = y;
    if (!timed(x, y)) return;
    OpDelta it = times(x, y);
    if (it.length_a == it.length_b) return;
    if (found_.largest.size() >= kKept && weight(it) <= least_) return;
    it.name = op_name(a_.trace, x);
    found_.largest.push_back(std::move(it));
    if (found_.largest.size() < 2 * kKept) return;
    const auto middle = found_.largest.begin() + kKept;
    std::nth_element(found_.largest.begin(), middle, found_.largest.end(),
                     [](const OpDelta& p, const OpDelta& q) { return weight(p) > weight(q); });
    least_ = weight(*middle);
    found_.largest.resize(kKept);
  }

  void finish() {
    std::stable_sort(found_.largest.begin(), found_.largest.end(),
                     [](const OpDelta& x, const OpDelta& y) { return weight(x) > weight(y); });
    if (found_.largest.size() > kKept) found_.largest.resize(kKept);
    for (auto& [key, row] : rows_) found_.only.push_back(std::move(row));
    std::stable_sort(found_.only.begin(), found_.only.end(),
                     [](const OnlyRow& x, const OnlyRow& y) { return x.count > y.count; });
  }

  const TraceWithRun& a_;
  const TraceWithRun& b_;
  bool recorded_;
  std::vector<OpIndex> partner_;  // by op of a
  std::map<std::tuple<bool, TrackIndex, std::string>, OnlyRow> rows_;
  Nanoseconds least_ = 0;
  TraceDifference found_;
};

}  // namespace

TraceDifference compare_traces(const TraceWithRun& a, const TraceWithRun& b, bool recorded) {
  return Comparison(a, b, recorded).compare();
}

bool has_times(const trace::Trace& trace) {
  for (OpIndex op = 0; op < trace.size(); ++op) {
    if (trace.start(op) != kNoTime) return true;
  }
  return false;
}

}  // namespace replay
