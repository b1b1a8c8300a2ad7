// SPDX-License-Identifier: Apache-2.0
// The lives of events.
#include <utility>

#include "device_sim/streams/signal.h"
#include "runtime/acl/check/checker.h"
#include "runtime/acl/core/event.h"

namespace acl {

void Checker::made_flag(sim::Signal& signal) {
  const Entry guard(*this);
  auto& variable = attached(signal).variable = std::make_shared<order::Variable>();
  variable->closed = true;
}

// An early wait that orders nothing was probably meant for this record.
void Checker::event_recorded(const Event& event, sim::Signal& signal, sim::Signal* before,
                             bool queried) {
  const Entry guard(*this);
  const order::Node* const made = node_of(signal);
  if (!made) return;
  attached(signal).reported = true;
  if (!waited_early_.empty()) tell_early_wait(event, made->record);
  if (!before || !node_of(*before)) return;
  tell_moved_event(*node_of(*before), *made);
  if (!queried) let_go_of_node(*before);
}

void Checker::tell_early_wait(const Event& event, const order::OpInfo& record) {
  const auto early = waited_early_.find(&event);
  if (early == waited_early_.end()) return;
  if (early->second.stream != record.stream) {
    order::Finding finding(order::Rule::wait_before_record);
    finding.op_info = early->second;
    finding.other = record;
    finding.text = "{it} orders nothing; the event is recorded only later, by {other}";
    add(std::move(finding));
  }
  waited_early_.erase(early);
}

void Checker::tell_moved_event(const order::Node& from, const order::Node& to) {
  if (from.record.stream == to.record.stream) return;
  if (!engine_.may_be_waited_for(from, to)) return;
  order::Finding finding(order::Rule::record_moves_event);
  finding.op_info = to.record;
  finding.other = from.record;
  finding.text =
      "{it} records the event again while waits for {other} may be pending; later waits bind to "
      "the new record";
  add(std::move(finding));
}

void Checker::waited_for_nothing(const Event& event, Stream& stream) {
  const Entry guard(*this);
  const sim::Op op(sim::OpKind::wait);
  order::Finding finding(order::Rule::wait_never_recorded);
  finding.op_info = op_info(stream, op, actor(stream));
  finding.text =
      "{it} orders nothing, because the event was never recorded; the call returns success";
  waited_early_.emplace(&event, finding.op_info);
  some_waited_early_.store(true, std::memory_order_relaxed);
  add(std::move(finding));
}

void Checker::synchronized_with_nothing(const Event&) {
  tell(order::Rule::wait_never_recorded,
       "{it} waits for nothing, because the event was never recorded; the call returns success");
}

void Checker::wait_elided(Stream& stream, const watch::EventRecord& record, watch::Elided why) {
  if (why == watch::Elided::same_stream) return;
  if (why == watch::Elided::never_recorded) return waited_for_nothing(*record.event, stream);
  if (record.word) return waited(stream, *record.word, record.number);
  const Entry guard(*this);
  order::Node* const node = node_of(*record.signal);
  if (!node) return;
  const order::Actor to = actor(stream);
  engine_.wait(to, host(), op_info(stream, sim::name(sim::OpKind::wait), to), *node,
               record.signal->attached);
}

// A host that is informed that the record is complete may rely on it.
void Checker::event_queried(const watch::EventRecord& record, bool complete) {
  if (!complete) return;
  if (record.word) return synchronized(*record.word, record.number);
  synchronized(*record.signal);
}

void Checker::event_created(const Event& event) {
  if (const IpcEvent* const ipc = event.ipc()) {
    const SharedPage& page = ipc->page();
    made_shared(ipc->word(), "EVENT_RECORD",
                {{order::SharedObject::Kind::event, page.file_number(), page.offset()}});
  }
  if (sim::Signal* const flag = event.flag()) made_flag(*flag);
}

void Checker::event_destroyed(const Event& event) {
  if (!some_waited_early_.load(std::memory_order_relaxed)) return;
  const Entry guard(*this);
  waited_early_.erase(&event);
}

}  // namespace acl
