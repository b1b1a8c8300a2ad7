// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/process_reports.h"

#include <fmt/format.h>
#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl_sim.h"
#include "device_sim/streams/stream.h"
#include "runtime/acl/check/crash_watch.h"
#include "runtime/acl/check/deadlocks.h"
#include "runtime/acl/check/events.h"
#include "runtime/acl/check/failures.h"
#include "runtime/acl/check/hangs.h"
#include "runtime/acl/check/redundant_waits.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/core/usage.h"
#include "runtime/acl/findings/exit_code.h"
#include "runtime/acl/findings/reports.h"
#include "runtime/acl/watch/places.h"
#include "runtime/acl/watch/registry.h"
#include "runtime/order/engine/sentences.h"

namespace acl {
namespace {

std::string launched_at(std::uint64_t site) {
  if (site == 0) return {};
  Places places;
  return ", launched at " + order::position_from_here(places.of(site));
}

}  // namespace

Findings& ProcessReports::findings() {
  const CheckLock::Entry guard(lock_);
  redundant_waits_.report_counted();
  failures_.report_calls();
  deadlocks_.report_expired();
  events_.report_early_waits();
  return findings_;
}

// The program can release nothing any more. The first of aclFinalize and the end of the process
// reports that.
void ProcessReports::report_alive(const char* what) {
  {
    const CheckLock::Entry guard(lock_);
    if (std::exchange(ended_, true)) return;
    deadlocks_.program_ends();
  }
  const std::string text = describe_alive(usage_of(runtime_));
  if (text.empty()) return;
  order::Finding finding(order::Rule::unsynchronized_end);
  finding.text = order::sentences::ends_with(text);
  if (const auto first = first_allocation(runtime_.memory())) {
    finding.other = order::OpInfo{};
    finding.other->what = order::sentences::kFirstAllocation;
    finding.other->site = reinterpret_cast<std::uintptr_t>(first->caller);
  }
  const CheckLock::Entry guard(lock_);
  finding.op_info = op_info_of_call(what);
  reporter_.add(std::move(finding));
}

void ProcessReports::write() {
  const std::vector<order::Finding> found = findings().all();
  order::KernelCounts kernels;
  {
    const CheckLock::Entry guard(lock_);
    kernels = kernels_.counts();
  }
  if (write_reports(config_, found, kernels, peaks_of(runtime_), hangs_.lines())) fail_at_exit();
  findings_.reported();
}

// The thread that got the signal waits, so its stream has the op at its head.
void ProcessReports::describe_kernel(const sim::KernelRun& run, std::uint32_t block,
                                     order::Finding& finding) NO_THREAD_SAFETY_ANALYSIS {
  finding.op_info.stream = run.stream_id;
  finding.op_info.device = static_cast<std::int16_t>(runtime_.logical(run.device));
  finding.op_info.what = "kernel";
  runtime_.streams().for_each([&](const StreamTable::Pin& stream) {
    sim::Stream& core = stream->core();
    const sim::Op* const head = core.head();
    if (core.id() == run.stream_id && head && head->kind == sim::OpKind::kernel) {
      finding.op_info.what = head->kernel.name;
    }
  });
  finding.op_info.site = kernels_.site_of(finding.op_info.what);
  finding.text += fmt::format(" in kernel '{}', block {}, stream {}{}", finding.op_info.what, block,
                              run.stream_id, launched_at(finding.op_info.site));
}

void ProcessReports::crashed(const Crash& crash) NO_THREAD_SAFETY_ANALYSIS {
  order::Finding finding(order::Rule::crash);
  finding.text = fmt::format("signal {} ({})", crash.signal,
                             crash.signal == SIGABRT ? "abort" : strsignal(crash.signal));
  const ThreadState* const thread = crash.thread;
  const BegunCall begun = crash.checked ? crash.checked->begun.get() : BegunCall{};
  if (thread && thread->kernel_run) {
    const auto* const context = static_cast<const aclsimKernelContext*>(thread->kernel_context);
    describe_kernel(*thread->kernel_run, context ? context->blockIndex : 0, finding);
  } else if (crash.checked && crash.checked->in_callback) {
    finding.op_info = engine_.op_info_of(begun.completion_id);
    if (!*finding.op_info.what) finding.op_info.what = "host function";
    finding.text += fmt::format(" in a {}{}{}", finding.op_info.what,
                                begun.completion_id ? fmt::format(", stream {}", begun.stream) : "",
                                launched_at(finding.op_info.site));
  } else if (thread && *thread->call) {
    finding.op_info.what = thread->call;
    finding.op_info.site = call_site_of(*thread);
    finding.op_info.thread = thread->thread_id;
    finding.text += fmt::format(" in host thread {}; its last call was {{it}}", thread->thread_id);
  } else {
    finding.text += " in a thread that made no call";
  }
  if (crash.instruction != 0 &&
      crash.signal != SIGABRT) {  // abort() is an instruction of the C library
    finding.other.emplace();
    finding.other->what = "instruction";
    finding.other->site = crash.instruction + 1;  // as a return address would
  }
  findings_.add(std::move(finding));
  (void)write_reports(config_, findings().all(), kernels_.counts());
  findings_.reported();
  watch::listener()->crashing();
}

}  // namespace acl
