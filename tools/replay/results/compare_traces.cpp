// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/results/compare_traces.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <tuple>

#include "tools/replay/results/naming.h"

namespace replay {
namespace {

using trace::kNone;
using trace::kNoTime;

constexpr OpIndex kSkip = 64;
constexpr std::size_t kKept = 1000;

class Comparison {
 public:
  Comparison(const TraceWithRun& a, const TraceWithRun& b, bool recorded)
      : a_(a), b_(b), recorded_(recorded) {}

  TraceDifference compare() {
    std::map<Key, std::pair<LaneIndex, LaneIndex>> lanes;
    for (const auto& [key, lane] : keys(a_.trace))
      lanes.try_emplace(key, kNone, kNone).first->second.first = lane;
    for (const auto& [key, lane] : keys(b_.trace))
      lanes.try_emplace(key, kNone, kNone).first->second.second = lane;
    for (const auto& [key, pair] : lanes) {
      if (pair.first == kNone)
        found_.only_b += b_.trace.lanes()[pair.second].size();
      else if (pair.second == kNone)
        found_.only_a += a_.trace.lanes()[pair.first].size();
      else
        walk(a_.trace.lanes()[pair.first], b_.trace.lanes()[pair.second]);
    }
    std::stable_sort(found_.largest.begin(), found_.largest.end(),
                     [](const OpDelta& x, const OpDelta& y) { return weight(x) > weight(y); });
    if (found_.largest.size() > kKept) found_.largest.resize(kKept);
    return std::move(found_);
  }

 private:
  /// Rank, device, kind, number and, among equal ones, the how many-th.
  using Key = std::tuple<std::int32_t, std::int32_t, int, std::uint64_t, int>;

  static std::map<Key, LaneIndex> keys(const trace::Trace& trace) {
    std::map<Key, LaneIndex> found;
    for (LaneIndex l = 0; l < trace.lanes().size(); ++l) {
      const trace::Lane& lane = trace.lanes()[l];
      const std::int32_t device = lane.device == kNone ? -1 : trace.devices()[lane.device].id;
      Key key{trace.ranks()[lane.rank].id, device, static_cast<int>(lane.kind), lane.id, 0};
      while (!found.try_emplace(key, l).second) ++std::get<4>(key);
    }
    return found;
  }

  static Nanoseconds weight(const OpDelta& it) { return std::abs(it.length_b - it.length_a); }

  bool same(OpIndex x, OpIndex y) const {
    return a_.trace[x].kind == b_.trace[y].kind && a_.trace.name(x) == b_.trace.name(y);
  }

  void walk(const trace::Lane& of_a, const trace::Lane& of_b) {
    OpIndex x = of_a.begin;
    OpIndex y = of_b.begin;
    while (x < of_a.end && y < of_b.end) {
      if (same(x, y)) {
        match(x++, y++);
        continue;
      }
      const auto [skip_a, skip_b] = rejoin(x, of_a.end, y, of_b.end);
      found_.only_a += skip_a;
      found_.only_b += skip_b;
      x += skip_a;
      y += skip_b;
    }
    found_.only_a += of_a.end - x;
    found_.only_b += of_b.end - y;
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
    if (!timed(x, y)) return;
    OpDelta it = times(x, y);
    if (it.length_a == it.length_b) return;
    const bool first = !found_.first || it.start_a < found_.first->start_a;
    if (!first && found_.largest.size() >= kKept && weight(it) <= least_) return;
    it.name = op_name(a_.trace, x);
    if (first) found_.first = it;
    found_.largest.push_back(std::move(it));
    if (found_.largest.size() < 2 * kKept) return;
    const auto middle = found_.largest.begin() + kKept;
    std::nth_element(found_.largest.begin(), middle, found_.largest.end(),
                     [](const OpDelta& p, const OpDelta& q) { return weight(p) > weight(q); });
    least_ = weight(*middle);
    found_.largest.resize(kKept);
  }

  const TraceWithRun& a_;
  const TraceWithRun& b_;
  bool recorded_;
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
