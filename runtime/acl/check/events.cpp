// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/events.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "device_sim/streams/signal.h"
#include "runtime/acl/check/group_reports.h"
#include "runtime/acl/check/reporter.h"
#include "runtime/acl/core/event.h"
#include "runtime/acl/findings/findings.h"
#include "runtime/acl/graph/captured_records.h"
#include "runtime/order/engine/sentences.h"

namespace acl {

void Events::created(const Event& event) {
  if (const IpcEvent* const ipc = event.ipc()) {
    const SharedPage& page = ipc->page();
    sync_.make_shared(ipc->word(), "EVENT_RECORD",
                      {{order::SharedObject::Kind::event, page.file_number(), page.offset()}});
  }
  if (sim::Signal* const flag = event.flag()) sync_.make_flag(*flag);
}

void Events::destroyed(const Event& event) {
  captured_records::forget(event);
  if (!some_waited_early_.load(std::memory_order_relaxed)) return;
  const CheckLock::Entry guard(lock_);
  const auto early = waited_early_.find(&event);
  if (early == waited_early_.end()) return;
  report_never_recorded(early->second);
  waited_early_.erase(early);
}

// The waits keep what they need, so it is no mistake here; documents forbid it all the same.
void Events::destroyed_in_use(std::uint32_t waits, std::uint32_t threads) {
  if (thread_state().in_library_call) return;  // CUDA permits it
  std::string users;
  if (waits != 0) users = fmt::format("{} {} of streams", waits, waits == 1 ? "wait" : "waits");
  if (threads != 0) {
    users += fmt::format("{}{} host {}", users.empty() ? "" : " and ", threads,
                         threads == 1 ? "thread" : "threads");
  }
  order::Finding finding(order::Rule::freed_in_use);
  finding.level = order::Level::note;
  finding.title = "destroyed while in use";
  finding.op_info = op_info_of_call();
  finding.text = fmt::format(
      "{{it}} destroys the event before {} for it {} complete; the waits still end, but the "
      "documents do not promise that",
      users, waits + threads == 1 ? "is" : "are");
  finding.repair =
      "call {it} after a synchronise call with the streams that wait, and after the threads have "
      "returned from aclrtSynchronizeEvent";
  const CheckLock::Entry guard(lock_);
  reporter_.add(std::move(finding));
}

// An early wait that orders nothing was probably meant for this record, or it belongs to the first
// round of a loop.
void Events::recorded(const Event& event, sim::Signal& signal, sim::Signal* before, bool queried) {
  const CheckLock::Entry guard(lock_);
  const order::Node* const made = sync_.node_of(signal);
  if (!waited_early_.empty()) report_recorded_later(event, made ? &made->record : nullptr);
  if (!made) return;
  sync_.attached(signal).reported = true;
  if (!before || !sync_.node_of(*before)) return;
  report_moved_event(*sync_.node_of(*before), *made);
  if (!queried) sync_.release_node(*before);
}

void Events::report_recorded_later(const Event& event, const order::OpInfo* record) {
  const auto early = waited_early_.find(&event);
  if (early == waited_early_.end()) return;
  for (const EarlyWait& wait : early->second) {
    const bool elsewhere = record && wait.op_info.stream != order::OpInfo::kNoStream &&
                           wait.op_info.stream != record->stream;
    if (wait.reported && !elsewhere) continue;
    order::Finding finding(elsewhere ? order::Rule::wait_before_record
                                     : order::Rule::wait_never_recorded);
    finding.level = order::Level::note;
    finding.without_race = true;
    finding.op_info = wait.op_info;
    if (record) finding.other = *record;
    finding.when = wait.when;
    finding.text = record ? order::sentences::recorded_later("the event")
                          : "{it} orders nothing; the event is recorded only later";
    finding.repair = order::sentences::kFirstRoundRepair;
    reporter_.add(std::move(finding), wait.times);
  }
  waited_early_.erase(early);
}

void Events::report_never_recorded(EarlyWaits& waits) {
  for (EarlyWait& wait : waits) {
    if (std::exchange(wait.reported, true)) continue;
    const bool host = wait.op_info.stream == order::OpInfo::kNoStream;
    order::Finding finding(order::Rule::wait_never_recorded);
    finding.op_info = wait.op_info;
    finding.when = wait.when;
    finding.text = std::string(host ? "{it} waits for nothing" : "{it} orders nothing") +
                   ", because the event was never recorded; the call returns success";
    reporter_.add(std::move(finding), wait.times);
  }
}

void Events::report_early_waits() {
  for (auto& [event, waits] : waited_early_) report_never_recorded(waits);
}

void Events::report_moved_event(const order::Node& from, const order::Node& to) {
  if (from.record.stream == to.record.stream) return;
  if (!engine_.may_be_waited_for(from, to)) return;
  order::Finding finding(order::Rule::record_moves_event);
  finding.op_info = to.record;
  finding.other = from.record;
  finding.text =
      "{it} records the event again while waits for {other} may be pending; later waits bind to "
      "the new record";
  reporter_.add(std::move(finding));
}

void Events::wait_elided(Stream& stream, const watch::EventRecord& record, watch::Elided why) {
  if (why == watch::Elided::same_stream) return;
  if (why == watch::Elided::never_recorded) return waited_for_nothing(*record.event, stream);
  if (why == watch::Elided::refused) return wait_refused(*record.event, stream);
  if (record.word) return waited(stream, *record.word, record.number);
  const CheckLock::Entry guard(lock_);
  order::Node* const node = sync_.node_of(*record.signal);
  if (!node) return;
  const order::Actor to = actors_.actor(stream);
  engine_.wait(to, actors_.host(), actors_.op_info(stream, sim::name(sim::OpKind::wait), to), *node,
               record.signal->attached);
}

void Events::waited(Stream& stream, sim::Word& word, std::uint64_t number) {
  const CheckLock::Entry guard(lock_);
  const order::Actor to = actors_.actor(stream);
  const sim::Op op(sim::OpKind::wait);
  const order::OpInfo what = actors_.op_info(stream, op, to);
  const auto record = std::make_shared<order::Node>();
  record->resolved = true;
  const auto own = sync_.variable(word, "");
  if (const auto known = own->passed([&](std::uint64_t v) { return v >= number; })) {
    record->clock = *known;
    record->record = own->last;
  }
  engine_.wait(to, actors_.host(), what, *record, record);
  group_.waited(word, number, to, what);
}

// A record in a capture belongs to the graph: the event itself has no record of it.
bool Events::report_captured_record(const Event& event, const order::OpInfo& wait,
                                    const char* outcome) {
  order::Finding finding(order::Rule::wait_never_recorded);
  finding.other = captured_records::find(event);
  if (!finding.other) return false;
  finding.op_info = wait;
  finding.title = "record inside a capture";
  finding.text = fmt::format(
      "{{it}} orders nothing, because {{other}} is part of a capture: the event is recorded only "
      "inside the graph; the call {}",
      outcome);
  finding.repair =
      "call aclrtRecordEvent after the launch of the graph, on the stream that launches it, and "
      "before {it}";
  reporter_.add(std::move(finding));
  return true;
}

void Events::waited_for_nothing(const Event& event, Stream& stream) {
  const CheckLock::Entry guard(lock_);
  const sim::Op op(sim::OpKind::wait);
  keep_early_wait(event, actors_.op_info(stream, op, actors_.actor(stream)));
}

void Events::wait_refused(const Event& event, Stream& stream) {
  const CheckLock::Entry guard(lock_);
  const sim::Op op(sim::OpKind::wait);
  const order::OpInfo what = actors_.op_info(stream, op, actors_.actor(stream));
  if (report_captured_record(event, what, "fails")) return;
  order::Finding finding(order::Rule::wait_never_recorded);
  finding.op_info = what;
  finding.text = "{it} orders nothing, because the event was never recorded; the call fails";
  reporter_.add(std::move(finding));
}

void Events::next_awaited(const Event&, sim::Signal& signal) { sync_.make_flag_once(signal); }

void Events::synchronized_with_nothing(const Event& event) {
  const CheckLock::Entry guard(lock_);
  keep_early_wait(event, op_info_of_call());
}

void Events::keep_early_wait(const Event& event, const order::OpInfo& what) {
  if (report_captured_record(event, what, "returns success")) return;
  some_waited_early_.store(true, std::memory_order_relaxed);
  EarlyWaits& waits = waited_early_[&event];
  const auto known = std::find_if(waits.begin(), waits.end(), [&](const EarlyWait& wait) {
    return !wait.reported && wait.op_info.site == what.site && wait.op_info.stream == what.stream;
  });
  if (known != waits.end()) {
    ++known->times;
  } else {
    waits.push_back({what, findings_.now()});
  }
}

}  // namespace acl
