// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/builder.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "tools/trace/files/input_error.h"
#include "tools/trace/outcome.h"

namespace trace {
namespace {

template <class Row>
std::uint32_t append(std::vector<Row>& table, Row row) {
  table.push_back(std::move(row));
  return static_cast<std::uint32_t>(table.size() - 1);
}

/// Fills the earlier rows of a column that was added late.
template <class Value>
void put_cell(std::vector<Value>& column, bool keep, std::size_t op, Value value, Value nothing) {
  if (!keep || (column.empty() && value == nothing)) return;
  column.resize(op, nothing);
  column.push_back(value);
}

template <class Value>
void finish_column(std::vector<Value>& column, const std::vector<OpIndex>& place, Value nothing) {
  if (column.empty()) return;
  column.resize(place.size(), nothing);
  std::vector<Value> sorted(place.size());
  for (std::size_t i = 0; i < place.size(); ++i) sorted[place[i]] = column[i];
  column.swap(sorted);
}

void translate_index(OpIndex& op, const std::vector<OpIndex>& place) {
  if (op != kNone) op = place[op];
}

}  // namespace

// ---- definitions ----

std::uint32_t Builder::source(std::string_view path, std::string_view format, std::string_view tool,
                              std::string_view file) {
  return append(trace_.sources_,
                Source{text(path), text(format), text(tool), text(file.empty() ? path : file)});
}

std::uint32_t Builder::rank(std::int32_t id) {
  const auto [at, fresh] = known_.try_emplace(Key{'r', 0, static_cast<std::uint32_t>(id)}, 0);
  if (fresh) at->second = append(trace_.ranks_, Rank{id});
  return at->second;
}

std::uint32_t Builder::new_rank(std::int32_t id) {
  while (known_.contains(Key{'r', 0, static_cast<std::uint32_t>(id)})) {
    id = id == INT32_MAX ? 0 : id + 1;
  }
  return rank(id);
}

std::uint32_t Builder::device(std::uint32_t rank, std::int32_t id, StringIndex name) {
  const auto [at, fresh] = known_.try_emplace(Key{'d', rank, static_cast<std::uint32_t>(id)}, 0);
  if (!fresh) return at->second;
  const auto peer = known_.find(Key{'p', rank, 0});
  if (peer != known_.end() && trace_.devices_[peer->second].id == -1) {
    trace_.devices_[peer->second] = Device{id, rank, name};
    return known_[Key{'d', rank, static_cast<std::uint32_t>(id)}] = peer->second;
  }
  const std::uint32_t index = append(trace_.devices_, Device{id, rank, name});
  at->second = index;
  known_.try_emplace(Key{'p', rank, 0}, index);
  return index;
}

std::uint32_t Builder::peer_device(std::uint32_t rank) {
  const auto [at, fresh] = known_.try_emplace(Key{'p', rank, 0}, 0);
  if (fresh) at->second = append(trace_.devices_, Device{-1, rank, 0});
  return at->second;
}

TrackIndex Builder::new_track(const Track& track) {
  const std::size_t sources = trace_.sources_.size();
  Track placed = track;
  placed.source = static_cast<std::uint32_t>(sources == 0 ? 0 : sources - 1);
  return append(trace_.tracks_, placed);
}

TrackIndex Builder::new_stream(std::uint32_t device, std::uint64_t id) {
  Track track;
  track.device = device;
  track.rank = trace_.devices_.at(device).rank;
  track.id = id;
  return new_track(track);
}

TrackIndex Builder::stream(std::uint32_t device, std::uint64_t id) {
  const auto [at, fresh] = known_.try_emplace(Key{'s', device, id}, 0);
  if (fresh) at->second = new_stream(device, id);
  return at->second;
}

std::uint16_t Builder::host(std::uint32_t rank, std::uint64_t id) {
  const auto [at, fresh] = known_.try_emplace(Key{'h', rank, id}, 0);
  if (!fresh) return static_cast<std::uint16_t>(at->second);
  if (trace_.hosts_.size() >= kNoHost) {
    throw InputError("more than 65534 host threads in one trace; expected fewer");
  }
  Track track;
  track.kind = TrackKind::host;
  track.rank = rank;
  track.id = id;
  at->second = append(trace_.hosts_, new_track(track));
  return static_cast<std::uint16_t>(at->second);
}

std::uint32_t Builder::object(ObjectKind kind, std::uint32_t rank, std::uint64_t id) {
  const char sort = static_cast<char>('0' + static_cast<int>(kind));
  const auto [at, fresh] = known_.try_emplace(Key{sort, rank, id}, 0);
  if (fresh) at->second = new_object(kind, rank, id);
  return at->second;
}

std::uint32_t Builder::new_object(ObjectKind kind, std::uint32_t rank, std::uint64_t id) {
  return append(trace_.objects_, Object{kind, rank, id});
}

std::uint32_t Builder::group(std::string_view name) {
  const StringIndex index = text(name);
  const auto [at, fresh] = known_.try_emplace(Key{'g', 0, index}, 0);
  if (fresh) at->second = append(trace_.groups_, Group{index, {}});
  return at->second;
}

std::uint32_t Builder::buffer(const Buffer& buffer) { return append(trace_.buffers_, buffer); }

std::uint32_t Builder::graph(std::uint64_t id, StringIndex name) {
  return append(trace_.graphs_, Graph{id, name, {}});
}

void Builder::remark(Level level, std::string text, std::uint32_t line) {
  const std::size_t sources = trace_.sources_.size();
  const auto source = static_cast<std::uint32_t>(sources == 0 ? 0 : sources - 1);
  trace_.remarks_.push_back({level, std::move(text), source, line});
}

// ---- ops ----

OpIndex Builder::push(const NewOp& op, std::uint32_t use) {
  const std::size_t index = trace_.ops_.size();
  if (index >= kNone - 1)
    throw InputError("more than 4294967294 ops in one trace; expected fewer: cut it into windows");
  Op row;
  row.use = use;
  row.name = op.name;
  row.kind = op.kind;
  row.flags = op.flags;
  row.host = op.host;
  trace_.ops_.push_back(row);
  set_duration(static_cast<OpIndex>(index), op.duration);
  track_of_.push_back(op.track);
  put_cell(trace_.starts_, keep_.starts, index, op.start, kNoTime);
  put_cell(trace_.issues_, keep_.issues, index, op.issue, kNoTime);
  const std::uint32_t id = op.id != 0 ? op.id : static_cast<std::uint32_t>(index) + 1;
  put_cell(trace_.ids_, keep_.ids, index, id, 0U);
  put_cell(trace_.lines_, keep_.lines, index, op.line, 0U);
  put_cell(trace_.sites_, keep_.sites, index, op.site, 0U);
  return static_cast<OpIndex>(index);
}

void Builder::set_duration(OpIndex op, Nanoseconds duration) {
  if (duration == kNoTime) return;
  Op& row = trace_.ops_[op];
  row.flags |= kHasDuration;
  row.duration_low = static_cast<std::uint32_t>(duration);
  if (duration <= UINT32_MAX) return;
  row.flags |= kLongDuration;
  trace_.long_durations_[op] = duration;
}

void Builder::times(OpIndex op, Nanoseconds start, Nanoseconds duration) {
  set_duration(op, duration);
  if (start == kNoTime || !keep_.starts) return;
  if (trace_.starts_.size() <= op) trace_.starts_.resize(op + 1, kNoTime);
  trace_.starts_[op] = start;
}

void Builder::range(const Range& range) {
  if (!keep_.ranges) return;
  trace_.ranges_.push_back(range);
  trace_.ops_[range.op].flags |= kHasRanges;
}

void Builder::given(const Given& given) {
  if (keep_.ranges) trace_.given_.push_back(given);
}

void Builder::args(OpIndex op, std::string json) {
  if (!keep_.args && json.starts_with(R"({"steps":)")) json = R"({"shared":true})";
  if ((keep_.args || (keep_.outcomes && is_outcome(json))) && !json.empty())
    trace_.args_.push_back({op, std::move(json)});
}

// ---- finish ----

/// The new index of each op; sets begin and end of the tracks.
std::vector<OpIndex> Builder::new_places() {
  for (const TrackIndex track : track_of_) ++trace_.tracks_.at(track).end;
  OpIndex next = 0;
  for (Track& track : trace_.tracks_) {
    track.begin = next;
    next += std::exchange(track.end, next);
  }
  std::vector<OpIndex> place(track_of_.size());
  for (std::size_t i = 0; i < place.size(); ++i) place[i] = trace_.tracks_[track_of_[i]].end++;
  return place;
}

void Builder::translate(const std::vector<OpIndex>& place) {
  for (SyncUse& use : trace_.syncs_) translate_index(use.partner, place);
  for (ValueUse& use : trace_.values_) translate_index(use.partner, place);
  for (CommUse& use : trace_.comms_) translate_index(use.partner, place);
  for (HostUse& use : trace_.host_uses_) translate_index(use.partner, place);
  for (Edge& edge : trace_.edges_) {
    translate_index(edge.from, place);
    translate_index(edge.to, place);
    trace_.ops_[edge.to].flags |= kHasDeps;
  }
  for (Range& range : trace_.ranges_) translate_index(range.op, place);
  for (Given& given : trace_.given_) translate_index(given.op, place);
  for (auto& row : trace_.args_) translate_index(row.op, place);
  std::unordered_map<OpIndex, Nanoseconds> durations;
  for (const auto& [op, ns] : trace_.long_durations_) durations[place[op]] = ns;
  trace_.long_durations_.swap(durations);
}

Trace Builder::finish() {
  const std::vector<OpIndex> place = new_places();
  std::vector<TrackIndex>().swap(track_of_);
  finish_column(trace_.ops_, place, Op{});
  finish_column(trace_.starts_, place, kNoTime);
  finish_column(trace_.issues_, place, kNoTime);
  finish_column(trace_.ids_, place, 0U);
  finish_column(trace_.lines_, place, 0U);
  finish_column(trace_.sites_, place, 0U);
  translate(place);
  std::stable_sort(trace_.edges_.begin(), trace_.edges_.end(),
                   [](const Edge& a, const Edge& b) { return a.to < b.to; });
  std::stable_sort(trace_.ranges_.begin(), trace_.ranges_.end(),
                   [](const Range& a, const Range& b) { return a.op < b.op; });
  std::stable_sort(trace_.given_.begin(), trace_.given_.end(),
                   [](const Given& a, const Given& b) { return a.op < b.op; });
  std::stable_sort(trace_.args_.begin(), trace_.args_.end(),
                   [](const auto& a, const auto& b) { return a.op < b.op; });
  known_.clear();
  trace_.shrink();
  return std::exchange(trace_, Trace{});
}

}  // namespace trace
