// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/record/recorder.h"

#include <errno.h>
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "runtime/acl/core/event.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/record/recorded_device.h"
#include "runtime/acl/record/shared.h"
#include "runtime/acl/watch/next_kernel.h"
#include "runtime/trace/json_text.h"

namespace acl {

using sim::Nanoseconds;

namespace {

/// The rank as launchers of jobs pass it; 0 without a launcher.
std::uint32_t rank_of_process() {
  for (const char* name : {"RANK_ID", "RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    const char* const text = std::getenv(name);
    if (!text) continue;
    std::uint32_t rank = 0;
    const char* const end = text + std::strlen(text);
    const auto [at, error] = std::from_chars(text, end, rank);
    if (error == std::errc() && at == end && at != text && rank <= INT32_MAX) return rank;
  }
  return 0;
}

/// The op of a run's branch, which the machine enqueues itself.
bool is_branch_run(const sim::Op& op) {
  return op.kind == sim::OpKind::control &&
         std::string_view(op.control.control->name()) == "MODEL_STREAM";
}

}  // namespace

// ---- the file ----

Recorder::Recorder(Runtime& runtime, const std::string& path)
    : runtime_(runtime),
      forks_(trace_output::count_forks()),
      rank_(rank_of_process()),
      file_(path, trace_output::TraceFile::kNoLimit),
      lines_(file_, [this](std::uint64_t site) REQUIRES(mutex_) { return sites_.text(site); }),
      buffers_(runtime.memory(),
               [this](std::uint64_t buffer, int device, std::size_t size) REQUIRES(mutex_) {
                 lines_.define(fmt::format(R"({{"def":"buf","id":{},"dev":{},"size":{}}})", buffer,
                                           recorded_device(runtime_, device), size));
               }),
      ranges_(runtime, buffers_),
      hosts_(runtime, rank_, lines_, ranges_),
      streams_(runtime, lines_, hosts_),
      events_(lines_),
      kernels_(runtime.memory(), buffers_, lines_),
      texts_(runtime, buffers_, ranges_, events_, kernels_),
      graphs_(runtime, lines_, streams_),
      callbacks_(hosts_),
      ops_(lines_, streams_, texts_, events_, kernels_, graphs_, callbacks_) {
  define_machine();
  watch::NextKernel::wanted = true;
  flusher_ = std::make_unique<trace_output::Flusher>([this] { flush_if_changed(); });
}

void Recorder::define_machine() {
  using std::chrono::duration_cast;
  using std::chrono::nanoseconds;
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  const auto base = duration_cast<nanoseconds>(since_1970).count() -
                    static_cast<std::int64_t>(runtime_.driver().now_ns());
  lines_.define(fmt::format(
      R"({{"aclt":1,"clock":"ns","ranks":[{}],"source":{{"tool":"aclsim run --record","file":{}}},"base_ns":{}}})",
      rank_, trace_output::json_string(program_invocation_short_name), base));
  for (int d = 0; d < runtime_.visible_devices(); ++d) {
    lines_.define(fmt::format(R"({{"def":"device","id":{},"rank":{},"name":{}}})", d, rank_,
                              trace_output::json_string(runtime_.config().system.soc_name)));
  }
}

void Recorder::flush_if_changed() {
  const sim::LockGuard guard(mutex_);
  if (changed_) lines_.flush();
  changed_ = false;
}

// ---- tasks ----

void Recorder::submitting(Stream&, sim::Op& op) {
  if (op.kind != sim::OpKind::host_call || op.completion_id != 0) return;
  report([&]() REQUIRES(mutex_) { callbacks_.submitting(op); });
}

void Recorder::captured(Stream&, sim::Op& op) {
  report([&]() REQUIRES(mutex_) { callbacks_.captured(op, call_site_of(thread_state())); });
}

void Recorder::enqueueing(Stream& stream, const sim::Op& op, const TaskFacts& facts) {
  sim::Stream& core = stream.core();
  report([&]() REQUIRES(mutex_) {
    streams_.track(core, stream.is_default());
    ops_.enqueueing(core, op, facts, call_site_of(thread_state()));
  });
}

void Recorder::wait_elided(Stream& stream, const watch::EventRecord& record, watch::Elided why) {
  if (why == watch::Elided::refused)
    record_thread().explained = true;  // by the wait without record
  report([&]() REQUIRES(mutex_) {
    streams_.track(stream.core(), stream.is_default());
    const std::string members = fmt::format(R"(,"ev":{},"gen":{}{})", record.event->number(),
                                            record.number, record.signal ? "" : kShared);
    streams_.add(stream.core(), "wait", members, true);
  });
}

void Recorder::pool_allocated(Stream& stream, const void* begin, std::size_t size, std::size_t,
                              bool) {
  report([&]() REQUIRES(mutex_) {
    streams_.track(stream.core(), stream.is_default());
    const std::uint64_t buffer = buffers_.start(begin, size, stream.device());
    const std::string members = fmt::format(R"(,"buf":{},"size":{},"ordered":true)", buffer, size);
    streams_.add(stream.core(), "alloc", members, true);
  });
}

void Recorder::kernel_accessed(std::uint32_t stream_id, std::uint32_t task_id,
                               std::span<const sim::MemoryRange> ranges) {
  record_thread().accessed = {stream_id, task_id, {ranges.begin(), ranges.end()}};
}

void Recorder::pool_freeing(Stream&, const void* begin, std::size_t span) {
  report([&]() REQUIRES(mutex_) { found_.memory_ended(begin, span); });
}

// The op of a graph that runs is known by its stream.
void Recorder::function_begins(const sim::Stream& stream, std::uint32_t completion_id) {
  report([&]() REQUIRES(mutex_) {
    std::uint64_t number = callbacks_.function_begins(completion_id);
    if (const auto* const queue = number == 0 ? streams_.find_queue(stream) : nullptr) {
      number = queue->in_graph;
    }
    hosts_.function_begins(number);
  });
}

void Recorder::function_ended(const sim::Stream&, std::uint32_t) {
  report([&]() REQUIRES(mutex_) { hosts_.function_ended(); });
}

void Recorder::started(const sim::Stream& stream, const sim::Op& op, Nanoseconds now) {
  if (is_branch_run(op)) return;
  report([&]() REQUIRES(mutex_) { ops_.started(stream, op, now); });
}

void Recorder::step_ended(const sim::Stream& stream, const sim::Op&, const sim::OpStep& step) {
  report([&]() REQUIRES(mutex_) { ops_.step_ended(stream, step); });
}

void Recorder::finished(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                        Nanoseconds start, Nanoseconds end) {
  if (is_branch_run(op)) return;
  report([&]() REQUIRES(mutex_) { ops_.finished(stream, op, failure, start, end); });
}

// ---- events ----

void Recorder::event_created(const Event& event) {
  const sim::Signal* const flag = event.flag();
  if (!flag) return;
  report([&]() REQUIRES(mutex_) {
    events_.created(*flag, event.number());
    hosts_.add_mark("event", fmt::format(R"("stays_set":{})", event.number()),
                    call_site_of(thread_state()));
  });
}

void Recorder::event_destroyed(const Event& event) {
  const sim::Signal* const flag = event.flag();
  if (flag) report([&]() REQUIRES(mutex_) { events_.destroyed(*flag); });
}

// ---- graphs ----

void Recorder::graph_launching(const Model& model) {
  report([&]() REQUIRES(mutex_) { graphs_.launching(model); });
}

void Recorder::run_begins(const Model& model, sim::Stream& launcher) {
  report([&]() REQUIRES(mutex_) { graphs_.run_begins(model, launcher); });
}

void Recorder::branch_begins(const Model& model, const sim::Stream& branch,
                             const sim::Program& /*program*/,
                             sim::Ref<sim::DeferredReports>& /*deferred*/) {
  report([&]() REQUIRES(mutex_) { graphs_.branch_begins(model, branch); });
}

void Recorder::branch_ends(const Model& model, const sim::Stream& branch) {
  report([&]() REQUIRES(mutex_) { graphs_.branch_ends(model, branch); });
}

}  // namespace acl
