// SPDX-License-Identifier: Apache-2.0
// Events through which a running model meets what is outside of it.
#pragma once

#include "device_sim/streams/program.h"
#include "device_sim/streams/task.h"
#include "runtime/acl/core/event.h"

namespace acl {

/// Records the event: the record that the launch of the model announced.
class ExternalRecord final : public sim::Task {
 public:
  explicit ExternalRecord(Event& event) : event_(sim::Ref<Event>::share(&event)) {}
  const char* name() const noexcept override { return "EVENT_RECORD"; }
  bool sets_free() const noexcept override { return true; }
  sim::Failure run(sim::Stream& stream) const override;
  TaskFacts facts() const { return event_->announced(); }

 private:
  const sim::Ref<Event> event_;
};

/// Waits for the event's latest record at the time when the run comes here; for its first one when
/// there was none.
class ExternalWait final : public sim::Control {
 public:
  explicit ExternalWait(Event& event) : event_(sim::Ref<Event>::share(&event)) {}
  const char* name() const noexcept override { return "EVENT_WAIT"; }
  sim::Flow decide(sim::Stream& stream, bool returned) override;
  TaskFacts facts() const { return event_->latest_facts(); }

 private:
  const sim::Ref<Event> event_;
};

}  // namespace acl
