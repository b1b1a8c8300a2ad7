// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/aclt/aclt_reader.h"

#include <algorithm>
#include <charconv>

#include "tools/trace/formats/format_table.h"
#include "tools/trace/outcome.h"
#include "tools/trace/words.h"

namespace trace {

using K = AcltKey;

// ---- values of a line ----

void AcltReader::refuse(std::string_view text) const {
  throw InputError(file_.path(), lines_.number(), text);
}

void AcltReader::lacks(AcltKey key, std::string_view what) const {
  refuse(fmt::format("{} lacks `{}`; expected {}", shown(what), word(key), "one"));
}

void AcltReader::need(AcltKey key, std::string_view what) const {
  if (!line_.has(key)) lacks(key, what);
}

std::uint32_t AcltReader::small(AcltKey key) const {
  const std::uint64_t number = line_.number(key);
  if (number < kNone) return static_cast<std::uint32_t>(number);
  refuse(fmt::format("`{}` is {}; expected at most 4294967294", word(key), number));
}

std::uint32_t AcltReader::find(const IdMap& map, AcltKey key, std::string_view what) const {
  const std::uint32_t index = map.find(line_.number(key));
  if (index != IdMap::kAbsent) return index;
  refuse(fmt::format("`{}` is {}; expected a {} that a line before defines", word(key),
                     line_.number(key), what));
}

/// Devices of copies and buffers: -1 is the host, absent is unknown.
std::int32_t AcltReader::device_or_host(AcltKey key) const {
  if (!line_.has(key)) return kUnknownDevice;
  if (line_.integer(key) == -1) return kHostMemory;
  if (line_.integer(key) < 0) {
    refuse(fmt::format("`{}` is {}; expected a device, or -1 for the host", word(key),
                       line_.integer(key)));
  }
  return static_cast<std::int32_t>(find(devices_, key, "device"));
}

/// "time:2" and the like.
AcltReader::How AcltReader::how_of(std::string_view text) const {
  const std::size_t colon = text.find(':');
  const auto how = provenance(text.substr(0, colon));
  How result{how.value_or(Provenance::none), 1};
  bool good = how.has_value();
  if (colon != std::string_view::npos) {
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data() + colon + 1, end, result.candidates);
    good = good && error == std::errc() && at == end;
  }
  if (good) return result;
  refuse(
      fmt::format("an edge is '{}'; expected exact, order, user, time:N or issue:N", shown(text)));
}

// ---- the file ----

void AcltReader::read() {
  bool first = true;
  while (const auto text = lines_.next()) {
    if (text->find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (!parser_.parse(first ? without_bom(*text) : *text)) {
      if (first || lines_.ended()) refuse(parser_.error());
      builder_.remark(Level::warning, "the last line is cut off; what it says is left out",
                      lines_.number());
      break;
    }
    if (first) {
      header();
    } else if (line_.has(K::op)) {
      op();
    } else if (line_.has(K::def)) {
      definition();
      skipped_ += format_ != kNativeFormat;
    } else {
      refuse("a line with neither `op` nor `def`; expected one of them");
    }
    first = false;
  }
  if (first) throw InputError(file_.path(), "is empty; expected a header {\"aclt\":1,...}");
  resolve();
}

void AcltReader::header() {
  if (!line_.has(K::aclt)) refuse("no header; expected {\"aclt\":1,...} as the first line");
  if (line_.number(K::aclt) != 1) {
    refuse(fmt::format("version {} of the format; expected 1", line_.number(K::aclt)));
  }
  if (line_.has(K::clock) && line_.text(K::clock) != "ns") {
    refuse(fmt::format("`clock` is '{}'; expected ns", shown(line_.text(K::clock))));
  }
  const std::string_view origin = line_.source.file;
  recording_ = line_.source.tool == kRecordingTool;
  builder_.source(origin.empty() ? std::string_view(file_.path()) : origin, format_,
                  line_.source.tool, file_.path());
  builder_.in_order();
  const Nanoseconds base = line_.integer(K::base_ns);
  if (base < 0 || base > Nanoseconds{1} << 61) {
    refuse(fmt::format("`base_ns` is {}; expected ns since 1970", base));
  }
  if (builder_.base_ns() == 0) builder_.base_ns(base);
  // Bases of files that have none are taken to be the same.
  if (base != 0) shift_ = base - builder_.base_ns();
  for (const std::uint64_t rank : line_.ranks) rank_of(rank);
}

// ---- definitions ----

void AcltReader::define(IdMap& map, std::uint64_t id, std::uint32_t index) {
  if (map.add(id, index)) return;
  refuse(fmt::format("{} {} is defined twice; expected one line", shown(line_.text(K::def)), id));
}

std::uint32_t AcltReader::rank_of(std::uint64_t id) {
  if (id > INT32_MAX) refuse(fmt::format("rank {}; expected at most 2147483647", id));
  // A process without a launcher takes itself for rank 0, and two recordings are two processes.
  if (const std::uint32_t known = ranks_.find(id); recording_ && known != IdMap::kAbsent) {
    return known;
  }
  const auto number = static_cast<std::int32_t>(id);
  const std::uint32_t index = recording_ ? builder_.new_rank(number) : builder_.rank(number);
  ranks_.add(id, index);
  return index;
}

void AcltReader::define_rank() {
  need(K::id, "the rank");
  Rank& rank = builder_.rank_at(rank_of(line_.number(K::id)));
  rank.clock_offset_ns = line_.integer(K::clock_offset_ns);
  rank.clock_bound_ns = line_.integer(K::clock_bound_ns);
  rank.clock_pairs = small(K::clock_pairs);
}

void AcltReader::define_device() {
  const std::uint32_t rank = rank_of(line_.number(K::rank));
  const std::int64_t number = line_.has(K::num) ? line_.integer(K::num) : line_.integer(K::id);
  if (number < INT32_MIN || number > INT32_MAX) {
    refuse(fmt::format("device {}; expected at most 2147483647", number));
  }
  const StringIndex name = builder_.text(line_.text(K::name));
  define(devices_, line_.number(K::id),
         builder_.device(rank, static_cast<std::int32_t>(number), name));
}

void AcltReader::define_stream() {
  need(K::dev, "the stream");
  const std::uint32_t device = find(devices_, K::dev, "device");
  const std::uint64_t number = line_.number(line_.has(K::num) ? K::num : K::id);
  const TrackIndex index = builder_.new_stream(device, number);
  define(streams_, line_.number(K::id), index);
  Track& track = builder_.track(index);
  track.priority = static_cast<std::int32_t>(line_.integer(K::prio));
  track.name = builder_.text(line_.text(K::name));
  if (line_.has(K::plane_of)) track.plane_of = find(streams_, K::plane_of, "stream");
  if (!line_.has(K::graph)) return;
  track.graph = find(graphs_, K::graph, "graph");
  builder_.graph_at(track.graph).tracks.push_back(index);
}

void AcltReader::define_host() {
  const std::uint32_t rank = rank_of(line_.number(K::rank));
  const std::uint64_t number = line_.number(line_.has(K::num) ? K::num : K::id);
  const std::uint16_t host = builder_.host(rank, number);
  define(hosts_, line_.number(K::id), host);
  builder_.track(builder_.host_track(host)).name = builder_.text(line_.text(K::name));
}

void AcltReader::define_group() {
  const std::uint32_t index = builder_.group(line_.text(K::name));
  define(groups_, line_.number(K::id), index);
  std::vector<std::uint32_t> members;
  for (const std::uint64_t rank : line_.ranks) members.push_back(rank_of(rank));
  if (!members.empty()) builder_.group_at(index).ranks = std::move(members);
  if (line_.has(K::size)) builder_.group_at(index).size = small(K::size);
}

void AcltReader::define_graph() {
  define(graphs_, line_.number(K::id),
         builder_.graph(line_.number(K::id), builder_.text(line_.text(K::name))));
}

/// How an op ended whose line was written before.
void AcltReader::define_times() {
  const OpIndex op = op_before(line_.number(K::id));
  builder_.times(op, time(K::t), duration());
  add_deps(op);
  add_ranges(op);
}

void AcltReader::define_peaks() {
  const std::uint32_t device = find(devices_, K::id, "device");
  builder_.peaks({device, std::string(line_.args)});
}

void AcltReader::definition() {
  const std::string_view what = line_.text(K::def);
  need(K::id, fmt::format("the {}", shown(what)));
  const std::uint64_t id = line_.number(K::id);
  if (what == "rank") return define_rank();
  if (what == "device") return define_device();
  if (what == "stream") return define_stream();
  if (what == "host") return define_host();
  if (what == "group") return define_group();
  if (what == "graph") return define_graph();
  if (what == "times") return define_times();
  if (what == "name") return define(names_, id, builder_.text(line_.text(K::s)));
  if (what == "buf") {
    const Buffer buffer{device_or_host(K::dev), id, line_.number(K::size)};
    return define(buffers_, id, builder_.buffer(buffer));
  }
  if (what == "peaks") return define_peaks();
  if (what == "remark") return builder_.remark(Level::warning, std::string(line_.text(K::s)));
  if (what == "end") return builder_.ended();
  if (line_.flag(K::opt)) return;
  refuse(
      fmt::format("`def` is '{}'; expected rank, device, stream, host, group, graph, name, buf or "
                  "times",
                  shown(what)));
}

// ---- the end of the file ----

void AcltReader::check_numbers() {
  if (ascending_) return;
  sorted_numbers_.reserve(numbers_.size());
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    sorted_numbers_.emplace_back(numbers_[i], first_op_ + static_cast<OpIndex>(i));
  }
  std::sort(sorted_numbers_.begin(), sorted_numbers_.end());
  for (std::size_t i = 1; i < sorted_numbers_.size(); ++i) {
    if (sorted_numbers_[i].first != sorted_numbers_[i - 1].first) continue;
    throw InputError(file_.path(),
                     fmt::format("op number {} is given twice; expected `i` to differ",
                                 sorted_numbers_[i].first));
  }
}

OpIndex AcltReader::op_numbered(const Open& open) const {
  if (ascending_) {
    const auto at = std::lower_bound(numbers_.begin(), numbers_.end(), open.to);
    if (at != numbers_.end() && *at == open.to) {
      return first_op_ + static_cast<OpIndex>(at - numbers_.begin());
    }
  } else {
    const auto at =
        std::lower_bound(sorted_numbers_.begin(), sorted_numbers_.end(), open.to,
                         [](const auto& row, std::uint64_t number) { return row.first < number; });
    if (at != sorted_numbers_.end() && at->first == open.to) return at->second;
  }
  throw InputError(file_.path(), open.line,
                   fmt::format("an edge to op {}, which the file does not have; expected the `i` "
                               "of an op",
                               open.to));
}

/// The op of a line before this one.
OpIndex AcltReader::op_before(std::uint64_t number) const {
  auto at = numbers_.end();
  if (ascending_) {
    at = std::lower_bound(numbers_.begin(), numbers_.end(), number);
    if (at != numbers_.end() && *at != number) at = numbers_.end();
  } else {
    at = std::find(numbers_.begin(), numbers_.end(), number);
  }
  if (at != numbers_.end()) return first_op_ + static_cast<OpIndex>(at - numbers_.begin());
  refuse(fmt::format("`id` is {}; expected the `i` of an op that a line before has", number));
}

/// The record of a generation that was not the last one when the wait was read.
OpIndex AcltReader::record_of(const Open& open) const {
  const auto& records = events_[open.object].records;
  const auto found = std::lower_bound(
      records.begin(), records.end(), open.to,
      [](const Event::Record& row, std::uint64_t gen) { return row.generation < gen; });
  return found == records.end() || found->generation != open.to ? kNone : found->op;
}

void AcltReader::resolve(const Open& open) {
  Trace& trace = builder_.pending();
  if (open.what == Open::dep) {
    const OpIndex from = op_numbered(open);
    if (from == open.op) {
      throw InputError(file_.path(), open.line, "`dep` names the op itself; expected another op");
    }
    return builder_.edge({from, open.op, open.candidates, open.how});
  }
  if (open.what == Open::host) {
    trace.host(open.op).partner = open.object == kNone ? op_numbered(open) : record_of(open);
    return;
  }
  SyncUse& use = trace.sync(open.op);
  use.partner = record_of(open);
  if (use.partner == kNone) use.how = Provenance::none;
}

void AcltReader::resolve() {
  check_numbers();
  for (Event& event : events_) {
    std::vector<Event::Record>& records = event.records;
    std::sort(records.begin(), records.end(),
              [](const auto& a, const auto& b) { return a.generation < b.generation; });
    const auto twice = std::adjacent_find(
        records.begin(), records.end(),
        [](const auto& a, const auto& b) { return a.generation == b.generation; });
    if (twice == records.end()) continue;
    throw InputError(file_.path(), fmt::format("generation {} of an event is recorded twice; "
                                               "expected one record",
                                               twice->generation));
  }
  for (const Open& open : open_) resolve(open);
}

}  // namespace trace
