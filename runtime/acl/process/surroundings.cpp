// SPDX-License-Identifier: Apache-2.0
// Puts the runtime together: the one place that knows who listens and who intervenes.
#include "runtime/acl/process/surroundings.h"

#include <memory>
#include <optional>

#include "device_sim/base/biased_lock.h"
#include "runtime/acl/check/checker.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/faults/fault_injector.h"
#include "runtime/acl/findings/exit_code.h"
#include "runtime/acl/memory/host_access.h"
#include "runtime/acl/process/decision_places.h"
#include "runtime/acl/process/machine_hooks.h"
#include "runtime/acl/process/turn_taking.h"
#include "runtime/acl/process/watchdog.h"
#include "runtime/acl/record/recorder.h"
#include "runtime/acl/watch/place_texts.h"
#include "runtime/acl/watch/registry.h"
#include "runtime/order/report/dwarf_lines.h"
#include "runtime/trace/timeline.h"

namespace acl {
namespace {

using watch::Interest;

// Never destroyed, like the runtime: threads may still call in while the process ends.
trace_output::Timeline* timeline = nullptr;
Recorder* recorder = nullptr;

/// The source location of the current call, which places findings in the timeline.
std::string place_of_call() {
  static PlaceTexts& texts = *new PlaceTexts(false);
  return texts.of(call_site_of(thread_state()));
}

/// The listeners and interveners that the configuration asks for, with one line of registration
/// each.
class Standard final : public Surroundings {
 public:
  void prepare(const Config&) override {
    sim::BiasedLock::prepare();  // while there are no workers; launches of kernels use the barrier
                                 // too
  }
  void furnish(Runtime& runtime) override {
    const Config& config = runtime.config();
    watch::observe(runtime.driver());
    if (config.check.on) {
      watch::add(*new Checker(runtime, config.check),
                 {.interests = Interest::acts | Interest::runs | Interest::ends});
    }
    if (config.system.schedule == sim::Schedule::seeded) {
      watch::add(*new TurnTaking(runtime.driver()));
    }
    if (config.system.schedule == sim::Schedule::seeded && !config.system.decisions_path.empty()) {
      watch::add(keep_decision_places(), {.ordered = true});
    }
    if (!config.faults.empty()) watch::add(runtime.section<FaultInjector>());
    if (!config.trace_path.empty()) {
      timeline =
          new trace_output::Timeline(config.trace_path, config.system.devices, runtime.driver(),
                                     config.check.on ? place_of_call : nullptr);
      watch::add_permanent_sink(*timeline);
    }
    if (!config.record_path.empty()) {
      recorder = new Recorder(runtime, config.record_path);
      watch::add(*recorder, {.interests = Interest::acts | Interest::spans | Interest::runs,
                             .ordered = true,
                             .call_begins = true});
    }
    set_machine_hooks(runtime);
    if (runtime.memory().guarded()) guard_device_memory(runtime);
    if (config.watchdog_s != 0) start_watchdog(runtime, config.watchdog_s, config.watchdog_aborts);
  }
  void at_exit(Runtime&) override { flush_timeline(); }
  void after_program(Runtime&) override {
    flush_timeline();
    if (auto* const listener = watch::listener()) listener->process_ends();
    order::DwarfLines::stop();
    end_after_program();
  }
};

}  // namespace

Surroundings& surroundings() {
  static Standard& standard = *new Standard;  // used after static objects are destroyed
  return standard;
}

void flush_timeline() {
  if (timeline) timeline->finish();
}

void mark_in_timeline(const char* text, sim::Nanoseconds now) {
  if (timeline) timeline->api_call(text, now, now);
}

}  // namespace acl
