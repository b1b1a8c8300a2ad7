// SPDX-License-Identifier: Apache-2.0
// Any other Chrome trace: each track of the file becomes a track of the trace, its outermost slices
// become ops, and its arrows become edges.
#include <algorithm>
#include <map>

#include "tools/trace/formats/format_table.h"
#include "tools/trace/formats/json_events.h"
#include "tools/trace/formats/readers.h"

namespace trace {
namespace {

struct Slice {
  Nanoseconds start = 0;
  Nanoseconds end = 0;
  std::string name;
  std::uint32_t row = 0;
  OpIndex op = kNone;
};

/// One end of an arrow.
struct Point {
  std::size_t chrome_track = 0;
  Nanoseconds time = 0;
};

struct ChromeTrack {
  std::string pid, tid, name;
  std::vector<Slice> slices;
  std::vector<Slice> open;  // begun by B, not yet ended
};

class ChromeImport {
 public:
  ChromeImport(const Text& text, const FileContext& context, Builder& builder)
      : events_(text, context.path, context.watch), context_(context), builder_(builder) {}

  void run() {
    builder_.source(context_.path, context_.format->name);
    events_.walk([this](const JsonEvent& event) { take(event); });
    if (std::all_of(chrome_tracks_.begin(), chrome_tracks_.end(),
                    [](const ChromeTrack& t) { return t.slices.empty(); })) {
      throw InputError(context_.path, "has no slices; expected events of phase X, or B and E");
    }
    set_base();
    const std::uint32_t rank = builder_.rank(context_.rank);
    for (ChromeTrack& chrome_track : chrome_tracks_) add(chrome_track, rank);
    for (const auto& [id, points] : arrows_) add_arrow(points);
    if (nested_ != 0) {
      builder_.remark(Level::note,
                      fmt::format("{} slices inside other slices are left out", nested_));
    }
    if (loose_ != 0) {
      builder_.remark(Level::warning, fmt::format("{} arrows meet no slice; left out", loose_));
    }
  }

 private:
  void take(const JsonEvent& event);
  void take_meta(const JsonEvent& event);
  std::size_t chrome_track(const JsonEvent& event);
  void set_base();
  void add(ChromeTrack& chrome_track, std::uint32_t rank);
  void add_arrow(const std::vector<Point>& points);
  OpIndex slice_at(const Point& point) const;

  JsonEvents events_;
  const FileContext& context_;
  Builder& builder_;
  std::vector<ChromeTrack> chrome_tracks_;
  std::map<std::pair<std::string, std::string>, std::size_t> by_name_;
  std::map<std::string, std::int32_t> devices_;  // by pid
  std::map<std::string, std::string> process_names_;
  std::map<std::string, std::vector<Point>> arrows_;
  std::uint32_t nested_ = 0;
  std::uint32_t loose_ = 0;
};

std::size_t ChromeImport::chrome_track(const JsonEvent& event) {
  const std::pair key{std::string(event.pid.raw), std::string(event.tid.raw)};
  const auto [at, fresh] = by_name_.try_emplace(key, chrome_tracks_.size());
  if (fresh) chrome_tracks_.push_back({key.first, key.second, {}, {}, {}});
  return at->second;
}

void ChromeImport::take_meta(const JsonEvent& event) {
  if (event.name == "thread_name") chrome_tracks_[chrome_track(event)].name = event.arg("name").raw;
  if (event.name == "process_name") {
    process_names_[std::string(event.pid.raw)] = event.arg("name").raw;
  }
}

void ChromeImport::take(const JsonEvent& event) {
  if (event.phase == 'M') return take_meta(event);
  const bool arrow = event.phase == 's' || event.phase == 't' || event.phase == 'f';
  if (!arrow && event.phase != 'X' && event.phase != 'B' && event.phase != 'E') return;
  const Nanoseconds time = events_.time(event, event.ts, "ts");
  const std::size_t on = chrome_track(event);
  ChromeTrack& track = chrome_tracks_[on];
  if (arrow) {
    arrows_[fmt::format("{}/{}/{}", event.category, event.name, event.id.raw)].push_back(
        {on, time});
  } else if (event.phase == 'X') {
    const Nanoseconds length = event.dur.empty() ? 0 : events_.time(event, event.dur, "dur");
    if (time > INT64_MAX - length) {
      events_.refuse(event, "`dur` is too long; expected a duration");
    }
    track.slices.push_back({time, time + length, std::string(event.name), event.index});
  } else if (event.phase == 'B') {
    track.open.push_back({time, time, std::string(event.name), event.index});
  } else {
    if (track.open.empty()) events_.refuse(event, "an end without a begin on its track");
    if (time < track.open.back().start) {
      events_.refuse(event, fmt::format("ends before event {} began, which is its begin; expected "
                                        "an end that is not earlier",
                                        track.open.back().row));
    }
    track.open.back().end = time;
    track.slices.push_back(std::move(track.open.back()));
    track.open.pop_back();
  }
}

void ChromeImport::set_base() {
  if (builder_.base_ns() != 0) return;
  Nanoseconds first = INT64_MAX;
  for (const ChromeTrack& chrome_track : chrome_tracks_) {
    for (const Slice& slice : chrome_track.slices) first = std::min(first, slice.start);
  }
  // Small times are counted from the start of the run already.
  constexpr Nanoseconds kYear = 365LL * 86'400 * 1'000'000'000;
  if (first > kYear) builder_.base_ns(first);
}

void ChromeImport::add(ChromeTrack& chrome_track, std::uint32_t rank) {
  if (chrome_track.slices.empty()) return;
  const auto number = static_cast<std::int32_t>(devices_.size());
  const std::int32_t device_id = devices_.try_emplace(chrome_track.pid, number).first->second;
  const std::uint32_t device =
      builder_.device(rank, device_id, builder_.text(process_names_[chrome_track.pid]));
  const TrackIndex track =
      builder_.new_stream(device, JsonCell{chrome_track.tid}.number().value_or(by_name_.size()));
  builder_.track(track).name =
      builder_.text(chrome_track.name.empty() ? chrome_track.tid : chrome_track.name);
  std::stable_sort(chrome_track.slices.begin(), chrome_track.slices.end(),
                   [](const Slice& a, const Slice& b) {
                     return a.start != b.start ? a.start < b.start : a.end > b.end;
                   });
  std::vector<Slice> outer;
  for (Slice& slice : chrome_track.slices) {
    if (!outer.empty() && slice.start < outer.back().end && slice.end <= outer.back().end) {
      ++nested_;
      continue;
    }
    NewOp op;
    op.track = track;
    op.name = builder_.text(slice.name);
    op.start = slice.start - builder_.base_ns();
    op.duration = slice.end - slice.start;
    op.line = slice.row;
    slice.op = builder_.add(op);
    outer.push_back(std::move(slice));
  }
  chrome_track.slices = std::move(outer);
}

OpIndex ChromeImport::slice_at(const Point& point) const {
  const std::vector<Slice>& slices = chrome_tracks_[point.chrome_track].slices;
  auto at = std::upper_bound(slices.begin(), slices.end(), point.time,
                             [](Nanoseconds time, const Slice& s) { return time < s.start; });
  if (at == slices.begin() || (--at)->end < point.time) return kNone;
  return at->op;
}

void ChromeImport::add_arrow(const std::vector<Point>& points) {
  OpIndex from = kNone;
  for (const Point& point : points) {
    const OpIndex to = slice_at(point);
    loose_ += to == kNone;
    if (from != kNone && to != kNone && from != to) {
      builder_.edge({from, to, 1, Provenance::exact});
    }
    if (to != kNone) from = to;
  }
}

}  // namespace

void read_chrome(const Text& text, const FileContext& context, Builder& builder) {
  ChromeImport(text, context, builder).run();
}

}  // namespace trace
