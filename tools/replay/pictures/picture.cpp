// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/pictures/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "tools/replay/results/naming.h"

namespace replay {
namespace {

using trace::kNone;
using trace::kNoTime;
using trace::OpKind;
using trace::TrackKind;

bool is_wait(OpKind kind) {
  return trace::waits(kind) || kind == OpKind::external || kind == OpKind::sync;
}

class Painter {
 public:
  struct Times {
    std::function<Nanoseconds(OpIndex)> start;  // kNoTime: not to be drawn
    std::function<Nanoseconds(OpIndex)> length;
  };

  Painter(const trace::Trace& trace, const Execution& run, const Summary& summary, Times times)
      : trace_(trace), shares_(trace), times_(std::move(times)), critical_(trace.size(), false) {
    for (const CriticalPath::Step& step : summary.path.steps) {
      critical_[step.op] = true;
      if (run.cause(step.op) != kNone) causes_[step.op] = run.cause(step.op);
    }
  }

  Picture paint(const PictureLimits& limits, const OpPairs& findings) {
    for (const TrackIndex track : order()) paint_track(track);
    for (PictureRow& row : picture_.rows) {
      std::stable_sort(row.slices.begin(), row.slices.end(),
                       [](const Slice& a, const Slice& b) { return a.start < b.start; });
    }
    merge_short(limits.slices);
    paint_arrows(limits.arrows);
    for (const auto& [from, to] : findings) paint_arrow(from, to, false, true);
    return std::move(picture_);
  }

 private:
  std::vector<TrackIndex> order() const {
    const auto tracks = trace_.tracks();
    std::vector<TrackIndex> sorted(tracks.size());
    std::iota(sorted.begin(), sorted.end(), 0U);
    const auto key = [&](TrackIndex l) {
      return std::tuple(tracks[l].rank, tracks[l].kind == TrackKind::stream, tracks[l].device,
                        tracks[l].id, l);
    };
    std::sort(sorted.begin(), sorted.end(), [&](auto a, auto b) { return key(a) < key(b); });
    return sorted;
  }

  std::uint32_t name(OpIndex op) {
    const std::string& text = op_title(trace_, op);
    const auto [at, fresh] =
        names_.try_emplace(text, static_cast<std::uint32_t>(picture_.names.size()));
    if (fresh) picture_.names.push_back(text);
    return at->second;
  }

  void paint_track(TrackIndex l) {
    const trace::Track& track = trace_.tracks()[l];
    PictureRow row;
    const std::int32_t rank = trace_.ranks()[track.rank].id;
    row.group = track.kind == TrackKind::host
                    ? fmt::format("rank {} host", rank)
                    : fmt::format("rank {} device {}", rank, trace_.devices()[track.device].id);
    row.title = track_title(trace_, l);
    for (OpIndex op = track.begin; op < track.end; ++op) {
      const Nanoseconds start = times_.start(op);
      if (start == kNoTime) continue;
      const OpKind kind = trace_[op].kind;
      row.slices.push_back({start, times_.length(op), name(op), shares_.of(op), is_wait(kind),
                            critical_[op], 1, trace_.id(op)});
      picture_.end = std::max(picture_.end, start + times_.length(op));
    }
    if (row.slices.empty()) return;
    rows_[l] = static_cast<std::uint32_t>(picture_.rows.size());
    picture_.rows.push_back(std::move(row));
  }

  // ---- fewer slices ----

  std::size_t count() const {
    std::size_t sum = 0;
    for (const PictureRow& row : picture_.rows) sum += row.slices.size();
    return sum;
  }

  /// Draws neighbours within a span as one; the span grows until few enough bars are left.
  void merge_short(std::size_t limit) {
    const std::size_t before = count();
    Nanoseconds span = std::max<Nanoseconds>(1, picture_.end / static_cast<Nanoseconds>(limit + 1));
    for (; count() > limit && span <= 2 * picture_.end; span *= 2) {
      for (PictureRow& row : picture_.rows) merge_row(row, span);
    }
    picture_.merged = before - count();
  }

  static void merge_row(PictureRow& row, Nanoseconds span) {
    std::vector<Slice> kept;
    for (const Slice& slice : row.slices) {
      const Nanoseconds end = slice.start + slice.length;
      if (!kept.empty() && end - kept.back().start <= span) {
        Slice& last = kept.back();
        last.length = std::max(last.length, end - last.start);
        last.ops += slice.ops;
        last.critical = last.critical || slice.critical;
        last.wait = last.wait && slice.wait;
      } else {
        kept.push_back(slice);
      }
    }
    row.slices.swap(kept);
  }

  // ---- arrows ----

  void paint_arrows(std::size_t limit) {
    for (OpIndex op = 0; op < trace_.size() && picture_.arrows.size() < limit; ++op) {
      const trace::Op& it = trace_[op];
      if (it.use != kNone) paint_partner(op, it);
    }
    for (const trace::Edge& edge : trace_.edges()) {
      if (picture_.arrows.size() >= limit) break;
      paint_arrow(edge.from, edge.to, trace::inferred(edge.how));
    }
  }

  void paint_partner(OpIndex op, const trace::Op& it) {
    if (it.kind == OpKind::wait || it.kind == OpKind::notify_wait) {
      paint_arrow(trace_.sync(op).partner, op, trace::inferred(trace_.sync(op).how));
    } else if (it.kind == OpKind::value_wait) {
      paint_arrow(trace_.value(op).partner, op, trace::inferred(trace_.value(op).how));
    } else if (it.kind == OpKind::recv) {
      paint_arrow(trace_.comm(op).partner, op, trace::inferred(trace_.comm(op).how));
    }
  }

  void paint_arrow(OpIndex from, OpIndex to, bool inferred, bool finding = false) {
    if (from == kNone || times_.start(from) == kNoTime || times_.start(to) == kNoTime) return;
    const auto from_row = rows_.find(trace_.track_of(from));
    const auto to_row = rows_.find(trace_.track_of(to));
    if (from_row == rows_.end() || to_row == rows_.end()) return;
    if (from_row->second == to_row->second) return;
    const bool ends = is_wait(trace_[to].kind) || trace_[to].kind == OpKind::recv;
    const auto cause = causes_.find(to);
    picture_.arrows.push_back({from_row->second, to_row->second,
                               times_.start(from) + times_.length(from),
                               times_.start(to) + (ends ? times_.length(to) : 0), inferred,
                               cause != causes_.end() && cause->second == from, finding});
  }

  const trace::Trace& trace_;
  Shares shares_;
  Times times_;
  std::vector<bool> critical_;
  std::unordered_map<OpIndex, OpIndex> causes_;  // of the critical path
  std::unordered_map<std::string, std::uint32_t> names_;
  std::unordered_map<TrackIndex, std::uint32_t> rows_;
  Picture picture_;
};

void add_facts(Picture& picture, const trace::Trace& trace, const Execution& run,
               const Summary& summary) {
  std::string path = "critical path:";
  for (int s = 0; s < kShares; ++s) {
    const Nanoseconds ns = summary.path.shares[static_cast<std::size_t>(s)];
    if (ns == 0) continue;
    path += fmt::format(" {} {:.1f} %", word(static_cast<Share>(s)),
                        100.0 * static_cast<double>(ns) / static_cast<double>(run.makespan_ns));
  }
  picture.facts.push_back(fmt::format("makespan {}, {} ops, {} streams", time_text(run.makespan_ns),
                                      count_text(trace.size()), summary.streams.size()));
  if (summary.path.others_ns != 0) {
    path += fmt::format("  other ranks {}", time_text(summary.path.others_ns));
  }
  picture.facts.push_back(path);
  if (picture.merged != 0) {
    picture.facts.push_back(
        fmt::format("{} short ops are drawn with their neighbours", count_text(picture.merged)));
  }
}

}  // namespace

Picture draw_run(const trace::Trace& trace, const Execution& run, const Summary& summary,
                 const PictureLimits& limits, const OpPairs& findings) {
  Picture picture = Painter(trace, run, summary,
                            {[&](OpIndex op) { return run.done(op) ? run.start(op) : kNoTime; },
                             [&](OpIndex op) { return run.length(op); }})
                        .paint(limits, findings);
  add_facts(picture, trace, run, summary);
  return picture;
}

Picture draw_recording(const trace::Trace& trace, const Execution& run, const Summary& summary,
                       const PictureLimits& limits, const OpPairs& findings) {
  Picture picture =
      Painter(trace, run, summary,
              {[&](OpIndex op) {
                 return trace.start(op) == kNoTime
                            ? kNoTime
                            : std::max<Nanoseconds>(0, trace.start(op) - run.origin_ns);
               },
               [&](OpIndex op) { return trace.duration(op); }})
          .paint(limits, findings);
  add_facts(picture, trace, run, summary);
  return picture;
}

void cut(Picture& picture, Nanoseconds begin, Nanoseconds end) {
  picture.begin = begin;
  picture.end = std::min(end, picture.end);
  for (PictureRow& row : picture.rows) {
    std::erase_if(row.slices, [=](const Slice& slice) {
      return slice.start > end || slice.start + slice.length < begin;
    });
  }
  std::erase_if(picture.arrows,
                [=](const Arrow& arrow) { return arrow.to < begin || arrow.from > end; });
}

}  // namespace replay
