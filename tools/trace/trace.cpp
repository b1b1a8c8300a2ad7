// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/trace.h"

namespace trace {
namespace {

const std::string kNothing;

template <class Row>
std::size_t bytes(const std::vector<Row>& rows) {
  return rows.capacity() * sizeof(Row);
}

/// The rows of one op in a table that is sorted by `op_of`.
template <class Row, class OpOf>
std::span<const Row> rows_of(const std::vector<Row>& table, OpIndex op, OpOf op_of) {
  const auto first = std::lower_bound(table.begin(), table.end(), op,
                                      [&](const Row& row, OpIndex at) { return op_of(row) < at; });
  auto last = first;
  while (last != table.end() && op_of(*last) == op) ++last;
  return {first, last};
}

}  // namespace

TrackIndex Trace::track_of(OpIndex op) const {
  const auto after =
      std::upper_bound(tracks_.begin(), tracks_.end(), op,
                       [](OpIndex at, const Track& track) { return at < track.begin; });
  return static_cast<TrackIndex>(after - tracks_.begin()) - 1;
}

const std::string& Trace::args(OpIndex op) const {
  const auto found = rows_of(args_, op, [](const ArgsOf& row) { return row.op; });
  return found.empty() ? kNothing : found.front().text;
}

std::span<const Edge> Trace::deps(OpIndex op) const {
  if (!ops_[op].has(kHasDeps)) return {};
  return rows_of(edges_, op, [](const Edge& edge) { return edge.to; });
}

std::span<const Range> Trace::ranges(OpIndex op) const {
  if (!ops_[op].has(kHasRanges)) return {};
  return rows_of(ranges_, op, [](const Range& range) { return range.op; });
}

std::span<const Given> Trace::given(OpIndex op) const {
  return rows_of(given_, op, [](const Given& row) { return row.op; });
}

std::size_t Trace::resident_bytes() const {
  return bytes(ops_) + bytes(starts_) + bytes(issues_) + bytes(ids_) + bytes(lines_) +
         bytes(sites_) + long_durations_.size() * 32 + bytes(args_) + bytes(syncs_) +
         bytes(values_) + bytes(copies_) + bytes(comms_) + bytes(host_uses_) + bytes(memory_uses_) +
         bytes(launches_) + bytes(edges_) + bytes(ranges_) + bytes(given_) + bytes(tracks_) +
         bytes(objects_);
}

void Trace::shift_clock(std::uint32_t rank, Nanoseconds offset_ns, Nanoseconds bound_ns,
                        std::uint32_t pairs) {
  for (const Track& track : tracks_) {
    if (track.rank != rank) continue;
    for (OpIndex op = track.begin; op < track.end; ++op) {
      if (!starts_.empty() && starts_[op] != kNoTime) starts_[op] += offset_ns;
      if (!issues_.empty() && issues_[op] != kNoTime) issues_[op] += offset_ns;
    }
  }
  ranks_[rank].clock_offset_ns += offset_ns;
  ranks_[rank].clock_bound_ns = bound_ns;
  ranks_[rank].clock_pairs = pairs;
}

void Trace::shrink() {
  args_.shrink_to_fit();
  syncs_.shrink_to_fit();
  values_.shrink_to_fit();
  copies_.shrink_to_fit();
  comms_.shrink_to_fit();
  host_uses_.shrink_to_fit();
  edges_.shrink_to_fit();
  ranges_.shrink_to_fit();
  given_.shrink_to_fit();
}

}  // namespace trace
