// SPDX-License-Identifier: Apache-2.0
#include "tools/check/outcomes.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/order/engine/sentences.h"
#include "runtime/order/report/call_loss.h"
#include "tools/check/functions.h"
#include "tools/trace/outcome.h"

namespace check {
namespace {

using order::Level;
using order::Rule;
using trace::kNone;
using trace::OpKind;
using trace::Outcome;

constexpr std::string_view kErrorsRead = "errors read";

struct Row {
  OpIndex op;
  Outcome outcome;
};

class Outcomes {
 public:
  Outcomes(const trace::Trace& trace, Findings& findings)
      : trace_(trace), findings_(findings), functions_(trace) {}

  std::size_t tell() {
    for (TrackIndex l = 0; l < trace_.tracks().size(); ++l) {
      const trace::Track& track = trace_.tracks()[l];
      for (OpIndex op = track.begin; op < track.end; ++op) {
        if (trace_.args(op).empty()) continue;
        take({op, trace::outcome_of(trace_, op)}, track);
      }
    }
    for (const Row& row : calls_) tell_call(row);
    for (const Row& row : tasks_) tell_task(row);
    return unchecked_;
  }

 private:
  bool is_mark(OpIndex op) const { return trace_[op].kind == OpKind::mark; }

  void take(Row row, const trace::Track& track) {
    if (track.kind == trace::TrackKind::stream) {
      // The first failure of a stream is the one that a synchronise reports.
      const bool first = tasks_.empty() || tasks_.back().op < track.begin;
      if (row.outcome.limit && trace::waits(trace_[row.op].kind)) tell_limit(row);
      if (first && row.outcome.fails && row.outcome.returns != 0) tasks_.push_back(row);
    } else if (!is_mark(row.op)) {
      if (row.outcome.limit) tell_limit_of_call(row.op);
    } else if (!row.outcome.alive.empty()) {
      tell_alive(row);
    } else if (!row.outcome.rule.empty()) {
      tell_found(row);
    } else if (row.outcome.returns == 0 && row.outcome.failed == "never ran") {
      tell_unserved(row.op);
    } else if (row.outcome.returns != 0) {
      codes_.insert(row.outcome.returns);
      if (row.outcome.checked) calls_.push_back(row);
      if (!row.outcome.checked && !row.outcome.shown) ++unchecked_;
    }
  }

  /// The calls of a thread, by their lines.
  struct Thread {
    std::vector<OpIndex> calls;
    std::uint32_t asked = 0;  // the last line where it asks for its errors
    std::unordered_map<std::string, std::uint32_t> succeeded;  // the last such line, by place
  };

  const Thread& thread(TrackIndex own) {
    const auto [at, added] = threads_.try_emplace(own);
    if (!added) return at->second;
    Thread& made = at->second;
    for (TrackIndex l = 0; l < trace_.tracks().size(); ++l) {
      const trace::Track& track = trace_.tracks()[l];
      for (OpIndex op = track.begin; op < track.end; ++op) {
        const std::uint16_t host = trace_[op].host;
        const bool called = host != trace::kNoHost && trace_.hosts()[host] == own;
        if (l == own || called) made.calls.push_back(op);
      }
    }
    std::sort(made.calls.begin(), made.calls.end(),
              [&](OpIndex a, OpIndex b) { return trace_.line(a) < trace_.line(b); });
    for (std::size_t i = 0; i < made.calls.size(); ++i) note(made, i);
    return made;
  }

  void note(Thread& by, std::size_t index) const {
    const OpIndex op = by.calls[index];
    if (is_mark(op)) {
      if (trace_.name(op) == kErrorsRead) by.asked = trace_.line(op);
      return;
    }
    const std::string& site = trace_.site(op);
    if (site.empty()) return;
    const OpIndex next = index + 1 < by.calls.size() ? by.calls[index + 1] : kNone;
    const bool fails = next != kNone && is_mark(next) && trace_.site(next) == site &&
                       trace::outcome_of(trace_, next).fails;
    if (!fails) by.succeeded[site] = trace_.line(op);
  }

  /// The thread asks for the error, or repeats the call with success (order::repeats).
  bool answered(const Row& row) {
    const Thread& by = thread(trace_.track_of(row.op));
    const std::uint32_t line = trace_.line(row.op);
    if (by.asked > line) return true;
    const auto loss = order::loss_of(trace_.name(row.op)).value_or(order::Loss::little);
    const auto again = by.succeeded.find(trace_.site(row.op));
    const bool at_same_place = again != by.succeeded.end() && again->second > line;
    if (order::repeats(loss, {.same_place = at_same_place})) return true;
    const auto next = std::upper_bound(by.calls.begin(), by.calls.end(), line,
                                       [&](auto at, OpIndex op) { return at < trace_.line(op); });
    if (next == by.calls.end()) return false;
    return order::repeats(loss, {.next = true, .allocates = trace_[*next].kind == OpKind::alloc});
  }

  void tell_call(const Row& row) {
    const bool unanswered = row.outcome.loses && !answered(row);
    const Level level = unanswered ? Level::warning : Level::note;
    auto* const made = findings_.add({Rule::failed_call, level, row.op});
    if (!made) return;
    made->op_info.what = trace_.name(row.op);
    made->text =
        order::sentences::failed_call(row.outcome.returns, row.outcome.failed, !unanswered);
  }

  /// A call that failed with its code has reported it.
  void tell_task(const Row& row) {
    if (codes_.count(row.outcome.returns) != 0 || trace_[row.op].kind == OpKind::callback) return;
    auto* const made = findings_.add({Rule::failed_call, Level::warning, row.op});
    if (!made) return;
    made->title = order::sentences::kFailedTaskTitle;
    made->text = order::sentences::failed_task(row.outcome.returns, row.outcome.failed);
    made->repair = order::sentences::kFailedTaskRepair;
  }

  void tell_limit(const Row& row) {
    auto* const made =
        findings_.add({Rule::wait_timed_out, order::info(Rule::wait_timed_out).level, row.op});
    if (made) made->text = "{it} reached its time limit; later operations are not ordered by it";
  }

  /// If the op that the call waited for runs in the end, the call came too early; otherwise there
  /// may be a deadlock, which the trace does not show.
  void tell_limit_of_call(OpIndex call) {
    if (is_made_again(call)) return;
    const OpIndex waited = first_not_over(call);
    if (waited == kNone) return;
    const OpIndex running = cause_of(waited, call);
    if (running == kNone) return;
    auto* const made = findings_.add({Rule::wait_timed_out, Level::warning, call, waited});
    if (!made) return;
    made->text =
        running == waited ? order::sentences::kTimedOutOnRunning : order::sentences::kTimedOut;
  }

  /// The thread makes a later call at the same place: it polls, and that call shows the end.
  bool is_made_again(OpIndex call) {
    const Thread& by = thread(trace_.track_of(call));
    const auto again = by.succeeded.find(trace_.site(call));
    return again != by.succeeded.end() && again->second > trace_.line(call);
  }

  bool over_before_end(OpIndex op, OpIndex call) const {
    const trace::Nanoseconds end = trace_.start(call) + trace_.duration(call);
    return trace_.start(op) != trace::kNoTime && trace_[op].has(trace::kHasDuration) &&
           trace_.start(op) + trace_.duration(op) <= end;
  }

  /// The first op of the stream that had not ended when the call returned.
  OpIndex first_not_over(OpIndex call) const {
    if (trace_[call].use == kNone || trace_.start(call) == trace::kNoTime) return kNone;
    const trace::HostUse& use = trace_.host(call);
    const OpIndex last = use.partner;
    if (use.target == trace::Target::device || last == kNone) return kNone;
    OpIndex op = trace_.tracks()[trace_.track_of(last)].begin;
    while (op < last && over_before_end(op, call)) ++op;
    return over_before_end(op, call) ? kNone : op;
  }

  /// The op that ran at the end of the call, after which `waited` goes on; kNone: none did.
  OpIndex cause_of(OpIndex waited, OpIndex call) const {
    constexpr int kMost = 64;
    for (int i = 0; i < kMost; ++i) {
      if (!trace::waits(trace_[waited].kind)) break;
      const bool named = trace_[waited].kind != OpKind::value_wait && trace_[waited].use != kNone;
      const OpIndex from = named ? trace_.sync(waited).partner : kNone;
      if (from == kNone) return kNone;
      waited = trace_.tracks()[trace_.track_of(from)].begin;
      while (waited < from && over_before_end(waited, call)) ++waited;
    }
    const trace::Nanoseconds end = trace_.start(call) + trace_.duration(call);
    const bool runs = trace_.start(waited) != trace::kNoTime && trace_.start(waited) <= end;
    if (!runs || trace::waits(trace_[waited].kind)) return kNone;
    const Functions::Row* const function = functions_.of(waited);
    return !function || runs_elsewhere(*function, call) ? waited : kNone;
  }

  /// Whether another thread than the caller's had begun the function when the call ended.
  bool runs_elsewhere(const Functions::Row& function, OpIndex call) const {
    if (function.begin == kNone || trace_[function.begin].host == trace_[call].host) return false;
    return trace_.start(function.begin) <= trace_.start(call) + trace_.duration(call);
  }

  /// The check finds these itself.
  static bool is_of_order(Rule rule) {
    return rule == Rule::race || rule == Rule::host_buffer || rule == Rule::host_threads_only ||
           rule == Rule::freed_in_use || rule == Rule::deadlock;
  }

  /// About a call, or inside of an AscendC kernel: at the mark's place.
  void tell_found(const Row& row) {
    const order::RuleInfo* const rule = order::find_rule(row.outcome.rule);
    if (!rule || is_of_order(rule->rule)) return;
    const trace::Outcome& found = row.outcome;
    const Level level = found.warning ? Level::warning : rule->level;
    auto* const made = findings_.add({rule->rule, level, row.op});
    if (!made) return;
    made->op_info.what = trace_.name(row.op);
    made->text = found.found;
    made->title = found.title;
    made->repair = found.repair;
    ran_in(found, made->op_info);
    if (found.at.empty() && found.other.empty()) return;
    made->other.emplace();
    made->other->what = found.other.empty() ? made->op_info.what : found.other;
    made->other->place = parse_site(found.at);
    ran_in(found, *made->other);
  }

  /// The mark is one of a host thread, but a kernel ran in a stream.
  static void ran_in(const trace::Outcome& found, order::PlacedOp& op) {
    if (found.stream < 0) return;
    op.stream = static_cast<std::uint32_t>(found.stream);
    op.device = static_cast<std::int32_t>(found.device);
    op.number = op.thread = 0;
  }

  void tell_unserved(OpIndex op) {
    auto* const made =
        findings_.add({Rule::callback_unserved, order::info(Rule::callback_unserved).level, op});
    if (!made) return;
    made->op_info.what = trace_.name(op);
    made->text = order::sentences::kUnservedCallback;
  }

  void tell_alive(const Row& row) {
    auto* const made = findings_.add({Rule::unsynchronized_end, Level::note, row.op});
    if (!made) return;
    made->op_info.what = trace_.name(row.op);
    made->text = order::sentences::ends_with(row.outcome.alive);
    if (row.outcome.first.empty()) return;
    made->other.emplace();
    made->other->what = order::sentences::kFirstAllocation;
    made->other->place = parse_site(row.outcome.first);
  }

  const trace::Trace& trace_;
  Findings& findings_;
  const Functions functions_;
  std::vector<Row> calls_, tasks_;
  std::set<std::int64_t> codes_;          // of calls that failed
  std::map<TrackIndex, Thread> threads_;  // that failed
  std::size_t unchecked_ = 0;
};

}  // namespace

std::size_t lint_outcomes(const trace::Trace& trace, Findings& findings) {
  return Outcomes(trace, findings).tell();
}

}  // namespace check
