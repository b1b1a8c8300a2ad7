// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/kernel_findings.h"

#include <utility>

#include "device_sim/streams/stream.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"

namespace acl {

// The stream of a graph has no handle. Its device is known from the thread, if that is the thread
// that runs the launch.
KernelFindings::Running KernelFindings::running(const watch::KernelFinding& found) const {
  Running running{0, found.device};
  runtime_.streams().for_each([&](const StreamTable::Pin& stream) {
    if (stream->id() != found.stream_id) return;
    running.device = stream->logical_device();
    const sim::Op* const head = stream->core().head();
    if (head && head->kind == sim::OpKind::kernel) running.completion_id = head->completion_id;
  });
  const sim::KernelRun* const run = thread_state().kernel_run;
  if (running.device < 0 && run) running.device = runtime_.logical(run->device);
  return running;
}

order::OpInfo KernelFindings::launch_of(const watch::KernelFinding& found, const char* kernel,
                                        const Running& running) const {
  order::OpInfo launch;
  const std::uint32_t id = running.completion_id;
  if (const GraphOps::Captured* const captured = graph_ops_.find(id)) {
    launch = captured->op_info;
  } else if (id != 0 && id != sim::Op::kUnreported) {
    launch = engine_.op_info_of(id);
  }
  if (launch.site == 0) launch.site = kernels_.site_of(kernel);
  launch.what = kernel;
  launch.stream = found.stream_id;
  launch.device = static_cast<std::int16_t>(running.device);
  launch.in_graph = id == 0 || GraphOps::is_in_graph(id);
  return launch;
}

void KernelFindings::add(const watch::KernelFinding& found) {
  order::Finding finding(found.race ? order::Rule::kernel_race : order::Rule::kernel_rule);
  if (found.warning) finding.level = order::Level::warning;
  finding.op_info = op_info_of_call();
  const Running running = this->running(found);
  finding.text = found.text;
  finding.repair = found.repair;
  const CheckLock::Entry guard(lock_);
  finding.launch = launch_of(found, finding.op_info.what, running);
  const auto runs_as_launched = [&](order::OpInfo& op) {
    op.stream = finding.launch->stream;
    op.device = finding.launch->device;
    op.number = finding.launch->number;
    op.thread = finding.launch->thread;
    op.on_default_stream = finding.launch->on_default_stream;
    op.in_graph = finding.launch->in_graph;
  };
  runs_as_launched(finding.op_info);
  if (found.other) {
    finding.other.emplace();
    finding.other->what = *found.other_what ? found.other_what : finding.op_info.what;
    finding.other->site = reinterpret_cast<std::uintptr_t>(found.other);
    runs_as_launched(*finding.other);
  }
  reporter_.add(std::move(finding));
}

}  // namespace acl
