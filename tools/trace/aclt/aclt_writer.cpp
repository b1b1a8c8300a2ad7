// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/aclt/aclt_writer.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>
#include <vector>

#include "tools/trace/aclt/aclt_line.h"
#include "tools/trace/calls.h"
#include "tools/trace/outcome.h"
#include "tools/trace/words.h"

namespace trace {

std::string json_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

namespace {

using Sink = std::function<void(std::string_view)>;

class AcltWriter {
 public:
  /// `rank`: the only rank to write; kNone: all ranks.
  AcltWriter(const Trace& trace, Sink out, std::uint32_t rank = kNone)
      : trace_(trace), out_(std::move(out)), rank_(rank) {
    for (const Source& source : trace.sources()) {
      const auto index = static_cast<std::uint32_t>(&source - trace.sources().data());
      if (rank == kNone || has_source(index)) sources_.push_back(index);
    }
    const auto recorded = [&](std::uint32_t source) {
      return is_recording(trace_, trace_.sources()[source]);
    };
    alone_ = rank != kNone && std::any_of(sources_.begin(), sources_.end(), recorded);
  }

  void write() {
    head();
    order_ops();
    for (const OpIndex op : order_) write_op(op);
    end();
    flush();
  }
  /// The lines before the first op, then one text for each op.
  void write(const std::function<void(OpIndex op, std::string_view line)>& line,
             std::string& text) {
    head();
    end();
    flush();
    line(kNone, text);
    order_ops();
    for (const OpIndex op : order_) {
      text.clear();
      write_op(op);
      flush();
      line(op, text);
    }
  }

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
  }
  /// As put() with a compiled format, for the fields that every op has.
  template <class Format, class... Args>
  void quick(const Format& format, const Args&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, args...);
  }
  void flush() {
    out_({buffer_.data(), buffer_.size()});
    buffer_.clear();
  }
  void end_line() {
    quick(FMT_COMPILE("}}\n"));
    if (buffer_.size() > (1U << 16)) flush();
  }

  bool mine(const Track& track) const { return rank_ == kNone || track.rank == rank_; }
  bool has_source(std::uint32_t source) const {
    return std::any_of(trace_.tracks().begin(), trace_.tracks().end(), [&](const Track& track) {
      return mine(track) && track.source == source && track.size() != 0;
    });
  }
  /// A recording is one process: it knows devices and ranks of its own only.
  bool knows(std::int32_t device) const {
    if (device < 0 || !alone_) return device != kUnknownDevice;
    return trace_.devices()[static_cast<std::size_t>(device)].rank == rank_;
  }

  void head() {
    header();
    definitions();
  }
  void end();
  void header();
  void definitions();
  void remarks();
  void track(TrackIndex index);
  void names();
  void order_ops();
  bool order_by_lines();
  std::vector<OpIndex> syncs_by_place() const;
  void order_by_syncs();
  std::uint32_t number(OpIndex op) const { return numbers_[op]; }

  void write_op(OpIndex op);
  void common(OpIndex op, const Track& track);
  void use(OpIndex op);
  void event(const SyncUse& use, OpKind kind);
  void how(Provenance how, std::uint32_t candidates);
  void copy(const CopyUse& use);
  void comm(const CommUse& use, OpKind kind);
  void host(const HostUse& use);
  void value(const ValueUse& use);
  void flags(const Op& op);
  void deps(OpIndex op);
  void ranges(OpIndex op, AcltKey key);
  void given(OpIndex op);

  const Trace& trace_;
  Sink out_;
  std::uint32_t rank_;
  bool alone_ = false;                  // the rank is a recording
  std::vector<std::uint32_t> sources_;  // that are written
  fmt::memory_buffer buffer_;
  std::vector<OpIndex> order_;
  std::vector<std::uint32_t> numbers_;
  std::vector<TrackIndex> track_of_;
  std::vector<std::uint32_t> names_;  // by text: the number of its line
};

// ---- the head of the file ----

void AcltWriter::header() {
  std::vector<std::int32_t> ranks;
  for (std::uint32_t rank = 0; rank < trace_.ranks().size(); ++rank) {
    if (!alone_ || rank == rank_) ranks.push_back(trace_.ranks()[rank].id);
  }
  put("{{\"aclt\":1,\"clock\":\"ns\",\"ranks\":[{}]", fmt::join(ranks, ","));
  if (!sources_.empty()) {
    const Source& source = trace_.sources()[sources_.front()];
    put(",\"source\":{{\"tool\":{},\"file\":{}}}",
        json_text(trace_.text(source.tool != 0 ? source.tool : source.format)),
        json_text(trace_.text(source.path)));
  }
  if (trace_.base_ns() != 0) put(",\"base_ns\":{}", trace_.base_ns());
  end_line();
}

/// The mark that the recordings are complete.
void AcltWriter::end() {
  const bool whole = std::all_of(sources_.begin(), sources_.end(),
                                 [&](std::uint32_t s) { return trace_.sources()[s].ended; });
  if (whole && !sources_.empty()) put("{}", R"({"def":"end","id":0,"opt":true)"), end_line();
}

/// The warnings of the reader, which are findings of the check.
void AcltWriter::remarks() {
  std::uint32_t next = 0;
  for (const Remark& remark : trace_.remarks()) {
    if (remark.level != Level::warning) continue;
    const std::uint32_t source = remark.source == kNone ? 0 : remark.source;
    const bool here = std::find(sources_.begin(), sources_.end(), source) != sources_.end();
    if (rank_ != kNone && !here) continue;
    put("{{\"def\":\"remark\",\"id\":{},\"s\":{},\"opt\":true", ++next, json_text(remark.text));
    end_line();
  }
}

void AcltWriter::track(TrackIndex index) {
  const Track& track = trace_.tracks()[index];
  if (!mine(track)) return;
  if (track.kind == TrackKind::stream) {
    put("{{\"def\":\"stream\",\"id\":{},\"dev\":{}", index, track.device);
  } else {
    put("{{\"def\":\"host\",\"id\":{},\"rank\":{}", index, trace_.ranks()[track.rank].id);
  }
  if (track.id != index) put(",\"num\":{}", track.id);
  if (track.priority != 0) put(",\"prio\":{}", track.priority);
  if (track.name != 0) put(",\"name\":{}", json_text(trace_.text(track.name)));
  if (track.plane_of != kNone) put(",\"plane_of\":{}", track.plane_of);
  if (track.graph != kNone) put(",\"graph\":{}", track.graph);
  end_line();
}

/// Texts of ops, numbered in the order of their first use, so that reading and writing again gives
/// the same file.
void AcltWriter::names() {
  std::uint32_t next = 0;
  for (const Track& track : trace_.tracks()) {
    if (!mine(track)) continue;
    for (const Op& op : trace_.ops().subspan(track.begin, track.size())) {
      if (op.name == 0) continue;
      if (op.name >= names_.size()) names_.resize(op.name + 1);
      if (names_[op.name] != 0) continue;
      names_[op.name] = ++next;
      put("{{\"def\":\"name\",\"id\":{},\"s\":{}", next, json_text(trace_.text(op.name)));
      end_line();
    }
  }
}

void AcltWriter::definitions() {
  for (const Rank& rank : trace_.ranks()) {
    const bool other = rank_ != kNone && &rank != &trace_.ranks()[rank_];
    if (rank.clock_pairs == 0 || other) continue;
    put("{{\"def\":\"rank\",\"id\":{},\"clock_offset_ns\":{},\"clock_bound_ns\":{},"
        "\"clock_pairs\":{}",
        rank.id, rank.clock_offset_ns, rank.clock_bound_ns, rank.clock_pairs);
    end_line();
  }
  for (std::size_t i = 0; i < trace_.devices().size(); ++i) {
    const Device& device = trace_.devices()[i];
    if (!knows(static_cast<std::int32_t>(i))) continue;
    put("{{\"def\":\"device\",\"id\":{},\"rank\":{}", i, trace_.ranks()[device.rank].id);
    if (device.id != static_cast<std::int64_t>(i)) put(",\"num\":{}", device.id);
    if (device.name != 0) put(",\"name\":{}", json_text(trace_.text(device.name)));
    end_line();
  }
  for (std::size_t i = 0; i < trace_.graphs().size(); ++i) {
    const std::vector<TrackIndex>& tracks = trace_.graphs()[i].tracks;
    if (!tracks.empty() && !mine(trace_.tracks()[tracks.front()])) continue;
    put("{{\"def\":\"graph\",\"id\":{},\"name\":{}", i,
        json_text(trace_.text(trace_.graphs()[i].name)));
    end_line();
  }
  for (std::size_t i = 0; i < trace_.tracks().size(); ++i) track(static_cast<TrackIndex>(i));
  for (std::size_t i = 0; i < trace_.groups().size(); ++i) {
    const Group& group = trace_.groups()[i];
    std::vector<std::int32_t> ranks;
    for (const std::uint32_t rank : group.ranks) {
      if (!alone_ || rank == rank_) ranks.push_back(trace_.ranks()[rank].id);
    }
    put("{{\"def\":\"group\",\"id\":{},\"name\":{},\"ranks\":[{}]", i,
        json_text(trace_.text(group.name)), fmt::join(ranks, ","));
    if (group.size != 0) put(",\"size\":{}", group.size);
    end_line();
  }
  for (std::size_t i = 0; i < trace_.buffers().size(); ++i) {
    const Buffer& buffer = trace_.buffers()[i];
    put("{{\"def\":\"buf\",\"id\":{}", i);
    if (knows(buffer.device)) put(",\"dev\":{}", buffer.device);
    put(",\"size\":{}", buffer.bytes);
    end_line();
  }
  for (const Peaks& peaks : trace_.peaks()) {
    if (!knows(static_cast<std::int32_t>(peaks.device))) continue;
    put("{{\"def\":\"peaks\",\"id\":{},\"opt\":true,\"args\":{}", peaks.device, peaks.json);
    end_line();
  }
  names();
  remarks();
}

/// Ops are written in the order of their lines. Without lines they are written track by track, but
/// behind the synchronises that do not wait for them.
void AcltWriter::order_ops() {
  track_of_.resize(trace_.size());
  for (std::size_t i = 0; i < trace_.tracks().size(); ++i) {
    const Track& track = trace_.tracks()[i];
    std::fill(track_of_.begin() + track.begin, track_of_.begin() + track.end,
              static_cast<TrackIndex>(i));
  }
  if (!order_by_lines()) order_by_syncs();
  numbers_.resize(order_.size());
  std::erase_if(order_, [&](OpIndex op) { return !mine(trace_.tracks()[track_of_[op]]); });
  for (std::size_t i = 0; i < order_.size(); ++i) {
    numbers_[order_[i]] = static_cast<std::uint32_t>(i) + 1;
  }
}

/// False if ops have no lines, or an importer has sorted a track otherwise than its file: the order
/// of tracks comes first.
bool AcltWriter::order_by_lines() {
  const auto place = [&](OpIndex op) {
    const std::uint64_t source = trace_.tracks()[track_of_[op]].source;
    return source << 32 | trace_.line(op);
  };
  const auto before = [&](OpIndex a, OpIndex b) { return place(a) < place(b); };
  order_.resize(trace_.size());
  std::iota(order_.begin(), order_.end(), OpIndex{0});
  if (std::any_of(order_.begin(), order_.end(), [&](OpIndex op) { return trace_.line(op) == 0; })) {
    return false;
  }
  for (const Track& track : trace_.tracks()) {
    if (!std::is_sorted(order_.begin() + track.begin, order_.begin() + track.end, before)) {
      return false;
    }
  }
  std::stable_sort(order_.begin(), order_.end(), before);
  return true;
}

/// Readers let a synchronise wait for the ops of the lines before it, unless it names the last one.
std::vector<OpIndex> AcltWriter::syncs_by_place() const {
  std::vector<OpIndex> syncs;
  for (OpIndex op = 0; op < trace_.size(); ++op) {
    const OpKind kind = trace_[op].kind;
    if ((kind != OpKind::sync && kind != OpKind::query) || trace_[op].use == kNone) continue;
    const HostUse& use = trace_.host(op);
    const bool names_last = use.target == Target::stream && use.partner != kNone;
    if (use.target != Target::event && !names_last) syncs.push_back(op);
  }
  std::stable_sort(syncs.begin(), syncs.end(),
                   [&](OpIndex a, OpIndex b) { return called(trace_, a) < called(trace_, b); });
  return syncs;
}

void AcltWriter::order_by_syncs() {
  order_.clear();
  std::vector<OpIndex> next;
  for (const Track& track : trace_.tracks()) next.push_back(track.begin);
  const auto take_until = [&](std::size_t track, OpIndex end) {
    for (; next[track] < end; ++next[track]) order_.push_back(next[track]);
  };
  for (const OpIndex sync : syncs_by_place()) {
    const bool device = trace_.host(sync).target == Target::device;
    for (std::size_t i = 0; device && i < next.size(); ++i) {
      const OpIndex last = last_before_device_sync(trace_, sync, trace_.tracks()[i]);
      if (last != kNone) take_until(i, last + 1);
    }
    take_until(track_of_[sync], sync + 1);
  }
  for (std::size_t i = 0; i < next.size(); ++i) take_until(i, trace_.tracks()[i].end);
}

// ---- ops ----

void AcltWriter::common(OpIndex op, const Track& track) {
  const Op& it = trace_[op];
  quick(FMT_COMPILE("{{\"i\":{},\"op\":\"{}\""), number(op), word(it.kind));
  if (track.kind == TrackKind::stream) {
    quick(FMT_COMPILE(",\"st\":{}"), track_of_[op]);
    if (it.host != kNoHost) quick(FMT_COMPILE(",\"h\":{}"), trace_.hosts()[it.host]);
  } else {
    quick(FMT_COMPILE(",\"h\":{}"), track_of_[op]);
  }
  if (trace_.issue(op) != kNoTime) quick(FMT_COMPILE(",\"iss\":{}"), trace_.issue(op));
  if (trace_.start(op) != kNoTime) quick(FMT_COMPILE(",\"t\":{}"), trace_.start(op));
  if (it.has(kHasDuration)) quick(FMT_COMPILE(",\"d\":{}"), trace_.duration(op));
  if (it.name != 0) quick(FMT_COMPILE(",\"n\":{}"), names_[it.name]);
}

void AcltWriter::how(Provenance how, std::uint32_t candidates) {
  if (how == Provenance::exact || how == Provenance::none) return;
  quick(FMT_COMPILE(",\"inf\":\"{}"), word(how));
  if (inferred(how)) quick(FMT_COMPILE(":{}"), candidates);
  quick(FMT_COMPILE("\""));
}

void AcltWriter::event(const SyncUse& use, OpKind kind) {
  const std::uint64_t id = trace_.objects()[use.object].id;
  if (kind == OpKind::notify || kind == OpKind::notify_wait) {
    quick(FMT_COMPILE(",\"nid\":{}"), id);
    if (use.generation != 1) quick(FMT_COMPILE(",\"count\":{}"), use.generation);
    return;
  }
  quick(FMT_COMPILE(",\"ev\":{},\"gen\":{}"), id, use.generation);
  if (kind == OpKind::wait) how(use.how, use.candidates);
}

void AcltWriter::value(const ValueUse& use) {
  quick(FMT_COMPILE(",\"addr\":{},\"val\":{},\"cmp\":\"{}\""), trace_.objects()[use.object].id,
        use.value, word(use.compare));
}

void AcltWriter::copy(const CopyUse& use) {
  if (use.bytes != kUnknownBytes) quick(FMT_COMPILE(",\"bytes\":{}"), use.bytes);
  if (knows(use.src)) quick(FMT_COMPILE(",\"src\":{}"), use.src);
  if (knows(use.dst)) quick(FMT_COMPILE(",\"dst\":{}"), use.dst);
  if (use.reduction != 0) put(",\"kind\":{}", json_text(trace_.text(use.reduction)));
}

void AcltWriter::comm(const CommUse& use, OpKind kind) {
  if (kind == OpKind::collective) quick(FMT_COMPILE(",\"kind\":\"{}\""), word(use.kind));
  if (use.group != kNone) quick(FMT_COMPILE(",\"group\":{}"), use.group);
  if (use.peer != kNone) quick(FMT_COMPILE(",\"peer\":{}"), trace_.ranks()[use.peer].id);
  const bool point_to_point = kind == OpKind::send || kind == OpKind::recv;
  quick(FMT_COMPILE(",\"{}\":{}"), point_to_point ? "tag" : "seq", use.tag);
  if (use.bytes != kUnknownBytes) quick(FMT_COMPILE(",\"bytes\":{}"), use.bytes);
  if (use.algorithm != 0) put(",\"algo\":{}", json_text(trace_.text(use.algorithm)));
  if (use.mode != SendMode::unknown) put(",\"mode\":\"{}\"", word(use.mode));
}

void AcltWriter::host(const HostUse& use) {
  const bool event = use.target == Target::event;
  const std::uint64_t id = event ? trace_.objects()[use.index].id : use.index;
  quick(FMT_COMPILE(",\"what\":\"{}\",\"id\":{}"), word(use.target), id);
  if (event) quick(FMT_COMPILE(",\"gen\":{}"), use.generation);
  if (!event && use.partner != kNone) quick(FMT_COMPILE(",\"upto\":{}"), number(use.partner));
  if (use.saw != 0) quick(FMT_COMPILE(",\"saw\":true"));
}

void AcltWriter::use(OpIndex op) {
  const Op& it = trace_[op];
  switch (it.kind) {
    case OpKind::record:
    case OpKind::wait:
    case OpKind::reset:
    case OpKind::notify:
    case OpKind::notify_wait:
      return event(trace_.sync(op), it.kind);
    case OpKind::value_write:
    case OpKind::value_wait:
      return value(trace_.value(op));
    case OpKind::copy:
    case OpKind::fill:
    case OpKind::reduce:
      return copy(trace_.copy(op));
    case OpKind::send:
    case OpKind::recv:
    case OpKind::collective:
    case OpKind::barrier:
      return comm(trace_.comm(op), it.kind);
    case OpKind::join:
      if (it.use != kNone) comm(trace_.comm(op), OpKind::collective);
      return;
    case OpKind::sync:
    case OpKind::query:
      return host(trace_.host(op));
    case OpKind::alloc:
    case OpKind::free:
      put(",\"buf\":{},\"size\":{}", trace_.memory(op).buffer, trace_.memory(op).bytes);
      return;
    case OpKind::launch:
      put(",\"graph\":{}", trace_.launch(op).graph);
      return;
    default:
      return;
  }
}

void AcltWriter::flags(const Op& op) {
  const bool callback = op.kind == OpKind::callback;
  if (callback && !op.has(kBlocks)) put(",\"blocks\":false");
  if (!callback && op.has(kBlocks)) put(",\"sync\":true");
  if (op.has(kPageable)) put(",\"pageable\":true");
  if (op.has(kOrdered)) put(",\"ordered\":true");
  if (op.has(kOptional)) put(",\"opt\":true");
}

void AcltWriter::deps(OpIndex op) {
  const char* comma = ",\"dep\":[";
  for (const Edge& edge : trace_.deps(op)) {
    if (!mine(trace_.tracks()[track_of_[edge.from]])) continue;
    if (edge.how == Provenance::exact) {
      quick(FMT_COMPILE("{}{}"), comma, number(edge.from));
    } else if (inferred(edge.how)) {
      put("{}[{},\"{}:{}\"]", comma, number(edge.from), word(edge.how), edge.candidates);
    } else {
      put("{}[{},\"{}\"]", comma, number(edge.from), word(edge.how));
    }
    comma = ",";
  }
  if (comma[1] == 0) quick(FMT_COMPILE("]"));
}

void AcltWriter::ranges(OpIndex op, AcltKey key) {
  bool any = false;
  for (const Range& range : trace_.ranges(op)) {
    if (key != (range.reduced ? AcltKey::red : range.write ? AcltKey::wr : AcltKey::rd)) continue;
    if (!any) quick(FMT_COMPILE(",\"{}\":["), trace::word(key));
    quick(FMT_COMPILE("{}[{},{},{}]"), any ? "," : "", range.buffer, range.offset, range.bytes);
    any = true;
  }
  if (any) quick(FMT_COMPILE("]"));
}

void AcltWriter::given(OpIndex op) {
  const std::span<const Given> rows = trace_.given(op);
  if (rows.empty()) return;
  const char* comma = ",\"may\":[";
  for (const Given& row : rows) {
    if (row.buffer == kNone) continue;
    quick(FMT_COMPILE("{}{}"), comma, row.buffer);
    comma = ",";
  }
  put("{}]", rows.size() == 1 ? comma : "");
}

void AcltWriter::write_op(OpIndex op) {
  const Op& it = trace_[op];
  common(op, trace_.tracks()[track_of_[op]]);
  if (it.use != kNone) use(op);
  if (it.flags != 0 || it.kind == OpKind::callback) flags(it);
  if (it.has(kHasDeps)) deps(op);
  if (it.has(kHasRanges)) {
    for (const AcltKey key : {AcltKey::rd, AcltKey::wr, AcltKey::red}) ranges(op, key);
  }
  if (it.kind == OpKind::kernel) given(op);
  if (!trace_.site(op).empty()) put(",\"site\":{}", json_text(trace_.site(op)));
  if (!trace_.args(op).empty()) put(",\"args\":{}", trace_.args(op));
  end_line();
}

}  // namespace

void write_aclt(const Trace& trace, OutputFile& out) {
  AcltWriter(trace, [&](std::string_view text) { out.write(text); }).write();
}

void write_aclt_lines(const Trace& trace, std::uint32_t rank,
                      const std::function<void(OpIndex op, std::string_view line)>& line) {
  std::string text;
  AcltWriter(
      trace, [&](std::string_view part) { text += part; }, rank)
      .write(line, text);
}

std::string to_aclt(const Trace& trace) {
  std::string all;
  AcltWriter(trace, [&](std::string_view text) { all += text; }).write();
  return all;
}

}  // namespace trace
