// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/pictures/chrome_timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include "tools/replay/results/json_text.h"
#include "tools/replay/results/naming.h"

namespace replay {
namespace {

using trace::kNone;
using trace::OpKind;
using trace::Provenance;
using trace::TrackKind;

// Layers of the vendor's process numbers: (host << 10) | (layer << 5) | device.
constexpr int kHardware = 13;
constexpr int kPlanes = 15;
constexpr int kHost = 7;
constexpr int kLinks = 30;

const char* task_type(OpKind kind) {
  switch (kind) {
    case OpKind::kernel:
      return "AI_CORE";
    case OpKind::copy:
    case OpKind::fill:
    case OpKind::reduce:
      return "SDMA_SQE";
    case OpKind::record:
      return "EVENT_RECORD_SQE";
    case OpKind::wait:
      return "EVENT_WAIT_SQE";
    case OpKind::notify:
      return "NOTIFY_RECORD_SQE";
    case OpKind::notify_wait:
      return "NOTIFY_WAIT_SQE";
    case OpKind::value_write:
      return "WRITE_VALUE_SQE";
    default:
      return trace::word(kind);
  }
}

class Writer {
 public:
  Writer(const trace::Trace& trace, const Execution& run, const Cost& cost,
         const std::function<void(std::string_view)>& put)
      : trace_(trace), run_(run), cost_(cost), put_(put), rows_(trace.tracks().size()) {}

  void write() {
    text_.reserve(kPiece + 4096);
    text_.push_back('[');
    place_tracks();
    for (TrackIndex l = 0; l < rows_.size(); ++l) write_track(l);
    write_arrows();
    write_links();
    write_counters();
    text_ += "\n]\n";
    put_(text_);
  }

 private:
  static constexpr std::size_t kPiece = 1 << 20;
  struct Row {
    std::uint64_t pid = 0;
    std::uint64_t tid = 0;
  };

  void us(Nanoseconds ns) {
    fmt::format_to(std::back_inserter(text_), "{}.{:03}", ns / 1000, ns % 1000);
  }
  void begin() {
    if (text_.size() > kPiece) {
      put_(text_);
      text_.clear();
      text_ += ",\n";
    } else {
      text_ += first_ ? "\n" : ",\n";
    }
    first_ = false;
  }

  std::uint64_t pid(std::uint32_t rank, int layer, std::int32_t device) const {
    const auto host = static_cast<std::uint64_t>(trace_.ranks()[rank].id) + 1;
    return (host << 10) | (static_cast<std::uint64_t>(layer) << 5) |
           (static_cast<std::uint64_t>(device) & 31);
  }

  void name(const char* what, std::uint64_t pid, std::uint64_t tid, const std::string& text) {
    begin();
    const char* const key = std::string_view(what) == "process_labels" ? "labels" : "name";
    fmt::format_to(std::back_inserter(text_),
                   R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"{}":{}}}}})", what, pid,
                   tid, key, json_text(text));
  }

  void name_process(std::uint64_t pid, const char* title, const std::string& label) {
    if (!processes_.insert(pid).second) return;
    name("process_name", pid, 0, title);
    name("process_labels", pid, 0, label);
  }

  /// Streams of a device have their number as row; a second track of one number (a plane of a
  /// collective) goes to a process of its own.
  void place_tracks() {
    std::set<std::pair<std::uint64_t, std::uint64_t>> taken;
    for (TrackIndex l = 0; l < rows_.size(); ++l) {
      const trace::Track& track = trace_.tracks()[l];
      if (track.size() == 0) continue;
      Row& row = rows_[l];
      row.tid = track.id;
      if (track.kind == TrackKind::host) {
        row.pid = pid(track.rank, kHost, 0);
        name_process(row.pid, "CANN", "CPU");
      } else {
        const std::int32_t device = trace_.devices()[track.device].id;
        row.pid = pid(track.rank, kHardware, device);
        const bool plane = !taken.insert({row.pid, row.tid}).second;
        if (plane) row = {pid(track.rank, kPlanes, device), l};
        name_process(row.pid, plane ? "Communication" : "Ascend Hardware", "NPU");
      }
      name("thread_name", row.pid, row.tid, track_title(trace_, l));
    }
  }

  const std::string& title(OpIndex op) {
    const trace::StringIndex name = trace_[op].name;
    const std::size_t key = name != 0 ? name : static_cast<std::size_t>(trace_[op].kind);
    auto& cache = name != 0 ? names_ : kinds_;
    if (cache.size() <= key) cache.resize(key + 1);
    if (cache[key].empty()) cache[key] = json_text(op_word(trace_, op));
    return cache[key];
  }

  void write_track(TrackIndex l) {
    const trace::Track& track = trace_.tracks()[l];
    for (OpIndex op = track.begin; op < track.end; ++op) {
      if (run_.done(op)) write_slice(rows_[l], op);
    }
  }

  void write_slice(const Row& row, OpIndex op) {
    begin();
    const auto out = std::back_inserter(text_);
    fmt::format_to(out, R"({{"ph":"X","name":{},"pid":{},"tid":{},"ts":)", title(op), row.pid,
                   row.tid);
    us(run_.start(op));
    text_ += R"(,"dur":)";
    us(run_.length(op));
    fmt::format_to(out, R"(,"args":{{"op":{})", trace_.id(op));
    if ((row.pid >> 5 & 31) == kHardware) {  // elsewhere it stands a second time
      fmt::format_to(out, R"(,"Task Id":{},"Task Type":"{}")", trace_.id(op),
                     task_type(trace_[op].kind));
    }
    if (cost_moves(op)) fmt::format_to(out, ",\"size(B)\":{}", cost_.bytes(op));
    const Partner partner = partner_of(op);
    if (partner.op != kNone) {
      fmt::format_to(out, R"(,"waits for op":{},"edge":"{}")", trace_.id(partner.op),
                     trace::word(partner.how));
      if (trace::inferred(partner.how)) text_ += R"(,"inferred":true)";
      if (partner.candidates > 1) fmt::format_to(out, R"(,"candidates":{})", partner.candidates);
    }
    text_ += "}}";
  }

  bool cost_moves(OpIndex op) const {
    const OpKind kind = trace_[op].kind;
    return kind == OpKind::copy || kind == OpKind::reduce || kind == OpKind::send ||
           kind == OpKind::collective || kind == OpKind::fill;
  }

  struct Partner {
    OpIndex op = kNone;
    Provenance how = Provenance::none;
    std::uint32_t candidates = 0;
  };
  Partner partner_of(OpIndex op) const {
    const trace::Op& it = trace_[op];
    if (it.use == kNone) return {};
    if (it.kind == OpKind::wait || it.kind == OpKind::notify_wait) {
      const trace::SyncUse& use = trace_.sync(op);
      return {use.partner, use.how, use.candidates};
    }
    if (it.kind == OpKind::value_wait) {
      const trace::ValueUse& use = trace_.value(op);
      return {use.partner, use.how, use.candidates};
    }
    if (it.kind == OpKind::recv) return {trace_.comm(op).partner, trace_.comm(op).how, 1};
    return {};
  }

  // ---- arrows ----

  void write_arrows() {
    for (TrackIndex l = 0; l < rows_.size(); ++l) {
      const trace::Track& track = trace_.tracks()[l];
      for (OpIndex op = track.begin; op < track.end; ++op) {
        const Partner partner = partner_of(op);
        if (partner.op != kNone) write_arrow(partner.op, op, l);
      }
    }
    for (const trace::Edge& edge : trace_.edges()) {
      write_arrow(edge.from, edge.to, trace_.track_of(edge.to));
    }
  }

  void write_arrow(OpIndex from, OpIndex to, TrackIndex track) {
    if (!run_.done(from) || !run_.done(to)) return;
    const Row& start = rows_[trace_.track_of(from)];
    const Row& end = rows_[track];
    const bool waits = trace::waits(trace_[to].kind) || trace_[to].kind == OpKind::recv;
    // Into a wait: just before its end; it must not end before it begins.
    const Nanoseconds head = waits ? run_.end(to) - (run_.length(to) > 0 ? 1 : 0) : run_.start(to);
    ++arrows_;
    end_of_arrow("s", "", start, run_.start(from));
    end_of_arrow("f", R"("bp":"e",)", end, std::max(head, run_.start(from)));
  }

  void end_of_arrow(const char* phase, const char* more, const Row& row, Nanoseconds at) {
    begin();
    fmt::format_to(std::back_inserter(text_),
                   R"({{"ph":"{}",{}"cat":"record_wait","name":"record_wait","id":{},"pid":{},)"
                   R"("tid":{},"ts":)",
                   phase, more, arrows_, row.pid, row.tid);
    us(at);
    text_ += "}";
  }

  // ---- links ----

  struct Transfer {
    Nanoseconds start;
    OpIndex op;
  };

  void write_links() {
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<Transfer>> links;
    for (OpIndex op = 0; op < trace_.size(); ++op) {
      const OpKind kind = trace_[op].kind;
      const bool moves = kind == OpKind::copy || kind == OpKind::reduce || kind == OpKind::send;
      if (!moves || !run_.done(op) || cost_.bytes(op) == 0) continue;
      const Route route = cost_.route(op);
      if (route.from != route.to) links[{route.from, route.to}].push_back({run_.start(op), op});
    }
    for (auto& [ends, transfers] : links) write_link(Route{ends.first, ends.second}, transfers);
  }

  /// Slices of one row must not overlap: a transfer goes to the first row that is free.
  void write_link(const Route& route, std::vector<Transfer>& transfers) {
    const std::uint64_t pid = std::uint64_t{kLinks} << 5;
    name_process(pid, "Links", "NPU");
    std::sort(transfers.begin(), transfers.end(), [](const Transfer& a, const Transfer& b) {
      return a.start != b.start ? a.start < b.start : a.op < b.op;
    });
    const auto end = [](std::int32_t d) { return d < 0 ? std::string("host") : std::to_string(d); };
    const std::string title = fmt::format("{}->{} {}", end(route.from), end(route.to),
                                          word(cost_.topology().kind(route.from, route.to)));
    std::vector<Nanoseconds> free_at;
    const std::uint64_t first = link_rows_;
    for (const Transfer& transfer : transfers) {
      std::size_t row = 0;
      while (row < free_at.size() && free_at[row] > transfer.start) ++row;
      if (row == free_at.size()) {
        free_at.push_back(0);
        name("thread_name", pid, first + row,
             row == 0 ? title : fmt::format("{} #{}", title, row + 1));
      }
      free_at[row] = run_.end(transfer.op);
      write_slice({pid, first + row}, transfer.op);
    }
    link_rows_ += free_at.size();
    write_counter(pid, "bytes in flight " + title, changes_of(transfers));
  }

  // ---- counters ----

  using Changes = std::map<Nanoseconds, std::int64_t>;

  Changes changes_of(const std::vector<Transfer>& transfers) const {
    Changes changes;
    for (const Transfer& transfer : transfers) {
      const auto bytes = static_cast<std::int64_t>(cost_.bytes(transfer.op));
      changes[transfer.start] += bytes;
      changes[run_.end(transfer.op)] -= bytes;
    }
    return changes;
  }

  void write_counter(std::uint64_t pid, const std::string& title, const Changes& changes) {
    std::int64_t value = 0;
    const std::string quoted = json_text(title);
    for (const auto& [time, change] : changes) {
      if (change == 0) continue;
      value += change;
      begin();
      fmt::format_to(std::back_inserter(text_), R"({{"ph":"C","name":{},"pid":{},"tid":0,"ts":)",
                     quoted, pid);
      us(time);
      fmt::format_to(std::back_inserter(text_), R"(,"args":{{"value":{}}}}})", value);
    }
  }

  void write_counters() {
    std::vector<std::vector<std::pair<Nanoseconds, int>>> busy(trace_.devices().size());
    for (const trace::Track& track : trace_.tracks()) {
      if (track.kind == TrackKind::host) continue;
      for (OpIndex op = track.begin; op < track.end; ++op) {
        const OpKind kind = trace_[op].kind;
        if (!run_.done(op) || run_.length(op) == 0 || trace::waits(kind)) continue;
        busy[track.device].emplace_back(run_.start(op), 1);
        busy[track.device].emplace_back(run_.end(op), -1);
      }
    }
    for (std::uint32_t d = 0; d < busy.size(); ++d) write_busy(d, busy[d]);
  }

  void write_busy(std::uint32_t device, std::vector<std::pair<Nanoseconds, int>>& changes) {
    std::sort(changes.begin(), changes.end());
    const trace::Device& it = trace_.devices()[device];
    const std::uint64_t process = pid(it.rank, kHardware, it.id);
    int value = 0;
    int told = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      value += changes[i].second;
      if (i + 1 < changes.size() && changes[i + 1].first == changes[i].first) continue;
      if (value == told) continue;
      told = value;
      begin();
      fmt::format_to(std::back_inserter(text_),
                     R"({{"ph":"C","name":"busy streams","pid":{},"tid":0,"ts":)", process);
      us(changes[i].first);
      fmt::format_to(std::back_inserter(text_), R"(,"args":{{"value":{}}}}})", value);
    }
  }

  const trace::Trace& trace_;
  const Execution& run_;
  const Cost& cost_;
  const std::function<void(std::string_view)>& put_;
  std::string text_;
  bool first_ = true;
  std::uint64_t arrows_ = 0;
  std::uint64_t link_rows_ = 1;
  std::vector<Row> rows_;
  std::set<std::uint64_t> processes_;
  std::vector<std::string> names_;
  std::vector<std::string> kinds_;
};

}  // namespace

void write_chrome(const trace::Trace& trace, const Execution& run, const Cost& cost,
                  const std::function<void(std::string_view)>& put) {
  Writer(trace, run, cost, put).write();
}

}  // namespace replay
