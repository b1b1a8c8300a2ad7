// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/record/recorded_events.h"

#include <fmt/format.h>

namespace acl {

using sim::OpKind;

RecordedEvents::Flag& RecordedEvents::flag_of(const sim::Signal& signal) {
  Flag& flag = flags_[signal.id()];
  if (flag.event == 0) flag.event = Event::new_number();
  return flag;
}

std::uint64_t RecordedEvents::generation_of(const watch::EventRecord& record) const {
  if (!record.signal) return record.number;
  const auto flag = flags_.find(record.signal->id());
  return flag != flags_.end() ? flag->second.generation : record.number;
}

std::string RecordedEvents::expected_record(const sim::Op& op) const {
  if (op.kind != OpKind::wait) return {};
  const auto found = flags_.find(op.wait.signal->id());
  if (found == flags_.end()) return {};
  const Flag& flag = found->second;
  const bool called = flag.generation > flag.ran;
  const std::uint64_t next = called ? flag.generation : flag.generation + 1;
  return fmt::format(R"(,"gen":{})", op.wait.signal->done() ? flag.ran : next);
}

void RecordedEvents::enqueued(const sim::Op& op, std::uint64_t number) {
  if (op.kind != OpKind::record) return;
  const auto flag = flags_.find(op.record.signal->id());
  if (flag != flags_.end()) records_[number] = flag->second.generation;
}

void RecordedEvents::begun(const sim::Op& op, std::uint64_t number) {
  if (op.kind != OpKind::record) return;
  const auto flag = flags_.find(op.record.signal->id());
  if (flag == flags_.end()) return;
  const auto called = records_.find(number);
  flag->second.ran = called == records_.end() ? flag->second.generation : called->second;
  if (called != records_.end()) records_.erase(called);
}

void RecordedEvents::succeeded(const sim::Op& op, std::uint64_t number) {
  if (op.kind != OpKind::wait) return;
  const auto flag = flags_.find(op.wait.signal->id());
  trace_output::OpLine* const line = lines_.find(number);
  if (flag == flags_.end() || !line) return;
  line->late = fmt::format(R"(,"gen":{})", flag->second.ran);
}

}  // namespace acl
