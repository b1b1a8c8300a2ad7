// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/pairing/event_inference.h"

#include <algorithm>
#include <numeric>

namespace trace {
namespace {

constexpr Nanoseconds kWindow = 1000;
/// The profiler's clocks of host and device differ by a little.
constexpr Nanoseconds kSlack = 1000;
/// How many more records may be looked at for one of the same thread.
constexpr int kLookOn = 64;

using Points = std::vector<EventPoint>;
using Order = std::vector<std::uint32_t>;

template <class Key>
Order sorted_by(const Points& points, Key key) {
  Order order(points.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return key(points[a]) < key(points[b]);
  });
  return order;
}

InferredRecord by_time(const Points& records, const Order& by_end, const EventPoint& wait) {
  InferredRecord result;
  std::vector<std::uint64_t> streams;
  auto at =
      std::upper_bound(by_end.begin(), by_end.end(), wait.end,
                       [&](Nanoseconds end, std::uint32_t r) { return end < records[r].end; });
  while (at != by_end.begin()) {
    const EventPoint& record = records[*--at];
    if (record.end < wait.end - kWindow) break;
    if (record.stream == wait.stream) continue;
    if (result.record == kNone) result.record = *at;
    if (std::find(streams.begin(), streams.end(), record.stream) == streams.end()) {
      streams.push_back(record.stream);
    }
  }
  if (result.record != kNone) result.how = Provenance::time;
  result.streams = static_cast<std::uint16_t>(std::min<std::size_t>(streams.size(), UINT16_MAX));
  return result;
}

InferredRecord by_issue(const Points& records, const Order& by_call, const EventPoint& wait) {
  InferredRecord result;
  if (wait.issue == kNoTime) return result;
  auto at = std::upper_bound(
      by_call.begin(), by_call.end(), wait.issue,
      [&](Nanoseconds issue, std::uint32_t r) { return issue < records[r].issue; });
  for (int looked_on = 0; at != by_call.begin() && looked_on < kLookOn;) {
    const EventPoint& record = records[*--at];
    looked_on += result.record != kNone;
    if (record.issue == kNoTime) break;
    if (record.stream == wait.stream || record.end > wait.end + kSlack) continue;
    if (result.record == kNone) result = {*at, 1, Provenance::issue};
    if (record.thread == wait.thread) return {*at, 1, Provenance::issue};
  }
  return result;
}

}  // namespace

std::vector<InferredRecord> infer_records(const Points& records, const Points& waits) {
  const Order by_end = sorted_by(records, [](const EventPoint& p) { return p.end; });
  const Order by_call = sorted_by(records, [](const EventPoint& p) { return p.issue; });
  std::vector<InferredRecord> result;
  result.reserve(waits.size());
  for (const EventPoint& wait : waits) {
    const bool blocked = wait.end - wait.begin > kBlockedWait;
    result.push_back(blocked ? by_time(records, by_end, wait) : by_issue(records, by_call, wait));
  }
  return result;
}

}  // namespace trace
