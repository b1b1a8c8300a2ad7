// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/record/recorder.h"

#include <errno.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "device_sim/base/mutex.h"
#include "device_sim/streams/program.h"
#include "device_sim/streams/signal.h"
#include "device_sim/streams/word.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/event.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/graph/external_event.h"
#include "runtime/acl/graph/model.h"
#include "runtime/acl/record/record_thread.h"
#include "runtime/acl/watch/next_kernel.h"
#include "runtime/trace/json_text.h"

namespace acl {

using sim::Nanoseconds;
using sim::OpKind;
using trace_output::kNotYet;

namespace {

constexpr std::uint32_t kMostHosts = 60'000;  // threads that are told apart

/// As launchers of jobs tell it; 0 where there is none.
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
  return op.kind == OpKind::control &&
         std::string_view(op.control.control->name()) == "MODEL_STREAM";
}

bool is_launch(const sim::Op& op) {
  return op.kind == OpKind::control &&
         std::string_view(op.control.control->name()) == "MODEL_EXECUTE";
}

std::string failure_text(sim::Failure failure) {
  if (!failure) return {};
  std::string text =
      R"(,"args":{"failed":)" + trace_output::json_string(sim::describe(failure.error));
  const bool told = failure.error == sim::Error::operation_failed;
  const bool own =
      failure.error != sim::Error::aborted && failure.error != sim::Error::wait_timeout;
  if (own) text += fmt::format(R"(,"returns":{})", code_of(failure));
  if (failure.detail != 0) {
    text += fmt::format(R"(,"code":{})", told ? code_of(failure) : failure.detail);
  }
  return text + "}";
}

}  // namespace

// ---- the file ----

Recorder::Recorder(Runtime& runtime, const std::string& path)
    : runtime_(runtime),
      forks_(trace_output::count_forks()),
      rank_(rank_of_process()),
      file_(path, trace_output::TraceFile::kNoLimit),
      lines_(file_, [this](std::uint64_t site) { return site_text(site); }),
      buffers_(runtime.memory(), [this](std::uint64_t buffer, int device, std::size_t size) {
        lines_.define(fmt::format(R"({{"def":"buf","id":{},"dev":{},"size":{}}})", buffer,
                                  device_of(device), size));
      }) {
  define_machine();
  watch::NextKernel::wanted = true;
  flusher_ = std::make_unique<trace_output::Flusher>([this] { flush_now_and_then(); });
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

void Recorder::flush_now_and_then() {
  const sim::LockGuard guard(mutex_);
  if (changed_) lines_.flush();
  changed_ = false;
}

std::string Recorder::site_text(std::uint64_t site) {
  const auto [at, added] = sites_.try_emplace(site);
  if (!added) return at->second;
  if (!places_) places_ = std::make_unique<Places>();
  const order::Place place = places_->of(site);
  if (!place.file.empty()) {
    at->second = fmt::format("{}:{}", place.file, place.line);
  } else if (!place.module.empty()) {
    const auto module = std::filesystem::path(place.module).filename().string();
    at->second = fmt::format("{}+{:#x}", module, place.offset);
  }
  return at->second;
}

// ---- who ----

int Recorder::device_of(int physical) const {
  return physical == sim::kHostDevice ? -1 : runtime_.logical(physical);
}

std::uint32_t Recorder::host() {
  RecordThread& recorded = record_thread();
  if (recorded.host == 0) {
    const bool fresh = hosts_ < kMostHosts;  // those beyond count as the last one
    recorded.host = fresh ? ++hosts_ : hosts_;
    const bool main = thread_state().thread_id == static_cast<std::uint32_t>(::getpid());
    if (fresh) {
      lines_.define(fmt::format(R"({{"def":"host","id":{},"rank":{}{}}})", hosts_, rank_,
                                main ? R"(,"name":"main")" : ""));
    }
  }
  return recorded.host;
}

Recorder::Lane& Recorder::lane(const sim::Stream& stream, bool is_default) {
  const auto [at, added] = lanes_.try_emplace(stream.id());
  if (added) {
    std::string line = fmt::format(R"({{"def":"stream","id":{},"dev":{})", stream.id(),
                                   device_of(stream.device()));
    if (stream.priority() != 0) line += fmt::format(R"(,"prio":{})", stream.priority());
    if (is_default) line += R"(,"name":"default")";
    lines_.define(line + "}");
  }
  return at->second;
}

// ---- ops on streams ----

/// Of the calling thread.
std::string Recorder::on_stream(const char* op, const sim::Stream& stream) {
  return fmt::format(R"("op":"{}","st":{},"h":{},"iss":{})", op, stream.id(), host(),
                     record_thread().call_time);
}

std::uint64_t Recorder::add(sim::Stream& stream, std::string text, bool over) {
  ++record_thread().lines;
  Lane& at = lane(stream);
  trace_output::OpLine line{.text = std::move(text),
                            .late = {},
                            .site = call_site_of(thread_state()),
                            .duration = over ? 0 : kNotYet,
                            .over = over};
  return at.last = lines_.add(std::move(line));
}

void Recorder::enqueueing(Stream& stream, const sim::Op& op, const TaskFacts& facts) {
  sim::Stream& core = stream.core();
  report([&] {
    lane(core, stream.is_default());
    std::string members;
    std::uint64_t number = 0;
    if (facts.what == TaskFacts::What::launch) {
      number = add_launch(core, fmt::format(R"(,"graph":{})", facts.id));
    } else {
      append_task(members, op, facts);
      const std::size_t word = members.find(',');
      number = add(core, on_stream(members.substr(0, word).c_str(), core) + members.substr(word));
    }
    expect_accesses(number);
    if (trace_output::OpLine* const line = lines_.find(number)) line->late = expected_record(op);
    if (op.kind == OpKind::record && flags_.contains(op.record.signal->id())) {
      flag_records_[number] = flags_[op.record.signal->id()].generation;
    }
    if (op.kind == OpKind::host_call) {
      calls_[op.completion_id] = {stream.id(), call_site_of(thread_state())};
    }
    if (facts.what == TaskFacts::What::pool_free) pool_frees_[facts.id] = number;
    queues_[&core].pending.push_back(number);
  });
}

/// Two ops: the start of the graph, behind which its branches begin, and its end, which comes
/// behind theirs.
std::uint64_t Recorder::add_launch(sim::Stream& core, const std::string& members) {
  add(core, on_stream("launch", core) + members);
  return add(core, on_stream("join", core) + R"(,"n":"graph")");
}

void Recorder::wait_elided(Stream& stream, const watch::EventRecord& record, watch::Elided) {
  report([&] {
    sim::Stream& core = stream.core();
    lane(core, stream.is_default());
    add(core,
        on_stream("wait", core) +
            fmt::format(R"(,"ev":{},"gen":{})", record.event->number(), record.number),
        true);
  });
}

void Recorder::pool_allocated(Stream& stream, const void* begin, std::size_t size, std::size_t,
                              bool) {
  report([&] {
    sim::Stream& core = stream.core();
    lane(core, stream.is_default());
    const std::uint64_t buffer = buffers_.start(begin, size, stream.device());
    add(core,
        on_stream("alloc", core) +
            fmt::format(R"(,"buf":{},"size":{},"ordered":true)", buffer, size),
        true);
  });
}

void Recorder::started(const sim::Stream& stream, const sim::Op& op, Nanoseconds now) {
  if (is_branch_run(op)) return;
  report([&] {
    Lane& at = lane(stream);
    now = std::max(now, at.end);
    if (stream.in_program()) return begin_in_graph(const_cast<sim::Stream&>(stream), op, now);
    const auto queue = queues_.find(&stream);
    if (queue == queues_.end() || queue->second.pending.empty()) return;
    queue->second.begun = true;
    const std::uint64_t number = queue->second.pending.front();
    note_change(op, number);
    note_record(op, number);
    if (trace_output::OpLine* const line = lines_.find(number)) line->start = now;
  });
}

void Recorder::step_ended(const sim::Stream& stream, const sim::Op&, const sim::OpStep& step) {
  report([&] {
    const auto queue = queues_.find(&stream);
    if (stream.in_program() || queue == queues_.end() || !queue->second.begun) return;
    std::string& steps = queue->second.steps;
    steps += fmt::format(R"({}["{}",{},{},{},{}])", steps.empty() ? "" : ",", step.name, step.rank,
                         step.bytes, step.start, step.end - step.start);
  });
}

void Recorder::finished(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                        Nanoseconds start, Nanoseconds end) {
  if (is_branch_run(op)) return;
  report([&] {
    Lane& at = lane(stream);
    start = std::max(start, at.end);
    end = at.end = std::max(end, start);
    const std::string failed = failure ? failure_text(failure) : released_by(op);
    if (stream.in_program()) return end_in_graph(stream, op, start, end, failed);
    const auto queue = queues_.find(&stream);
    if (queue == queues_.end() || queue->second.pending.empty()) return;
    const std::uint64_t number = queue->second.pending.front();
    queue->second.pending.pop_front();
    if (!std::exchange(queue->second.begun, false)) start = end = kNotYet;
    if (is_launch(op)) {
      end_launch(number, start, end, failed);
    } else {
      if (!failure) bind_wait(op, number);
      const std::string steps = std::exchange(queue->second.steps, {});
      const bool tells = failed.empty() && !steps.empty();
      const std::string args = tells ? fmt::format(R"(,"args":{{"steps":[{}]}})", steps) : failed;
      lines_.end(number, start, start == kNotYet ? 0 : end - start,
                 take_accessed(stream, op, number) + args);
    }
    if (queue->second.pending.empty()) queues_.erase(queue);
  });
}

void Recorder::note_change(const sim::Op& op, std::uint64_t number) {
  if (op.kind == OpKind::word_change) changes_[op.word_change.word->id()] = number;
}

// ---- graphs ----

void Recorder::graph_launching(const Model& model) {
  report([&] {
    if (!graphs_.insert(model.id()).second) return;
    lines_.define(fmt::format(R"({{"def":"graph","id":{},"name":{}}})", model.id(),
                              trace_output::json_string(model.name())));
  });
}

void Recorder::run_begins(const Model& model, sim::Stream& launcher) {
  report([&] {
    Run run;
    Queue& queue = queues_[&launcher];
    if (!launcher.in_program()) {
      if (queue.pending.empty()) return;
      run.join = queue.pending.front();
    } else {  // a graph inside of a graph: a condition chose it
      Lane& at = lane(launcher);
      const Nanoseconds now = std::max(runtime_.driver().now_ns(), at.end);
      if (queue.in_graph != 0) end_launch(std::exchange(queue.in_graph, 0), now, now, {});
      const auto add_here = [&](const char* op) {
        return at.last = lines_.add({.text = fmt::format(R"("op":"{}","st":{},"n":"graph inside")",
                                                         op, launcher.id()),
                                     .late = {},
                                     .start = now});
      };
      add_here("mark");
      run.join = queue.in_graph = add_here("join");
    }
    run.after = run.join - 1;
    const trace_output::OpLine* const join = lines_.find(run.join);
    lines_.end(run.after, join ? join->start : kNotYet, 0);
    runs_[&model] = run;
  });
}

void Recorder::branch_begins(const Model& model, const sim::Stream& branch) {
  report([&] {
    const auto run = runs_.find(&model);
    if (run == runs_.end()) return;
    Lane& at = lane(branch);
    at.after = run->second.after;
    at.branch = at.last;
  });
}

void Recorder::branch_ends(const Model& model, const sim::Stream& branch) {
  report([&] {
    const auto run = runs_.find(&model);
    Lane& at = lane(branch);
    at.after = 0;
    if (run != runs_.end() && at.last != at.branch) run->second.lasts.push_back(at.last);
  });
}

void Recorder::end_launch(std::uint64_t join, Nanoseconds start, Nanoseconds end,
                          const std::string& failure) {
  const auto run = std::find_if(runs_.begin(), runs_.end(),
                                [&](const auto& entry) { return entry.second.join == join; });
  std::string late = failure;
  if (const trace_output::OpLine* const line = lines_.find(join); line && line->start != kNotYet) {
    start = line->start;
  }
  if (run == runs_.end()) {  // it was dropped before it began
    lines_.end(join - 1, start, 0);
  } else {
    std::sort(run->second.lasts.begin(), run->second.lasts.end());
    if (!run->second.lasts.empty()) {
      late += fmt::format(R"(,"dep":[{}])", fmt::join(run->second.lasts, ","));
    }
    runs_.erase(run);
  }
  lines_.end(join, start, start == kNotYet ? 0 : end - start, late);
}

void Recorder::begin_in_graph(sim::Stream& stream, const sim::Op& op, Nanoseconds now) {
  if (sim::only_leads(op)) return;  // what it leads to is written
  std::string members;
  append_task(members, op, {});
  const std::size_t word = members.find(',');
  std::string text = fmt::format(R"("op":"{}","st":{}{})", members.substr(0, word), stream.id(),
                                 members.substr(word));
  if (const std::uint64_t after = std::exchange(lane(stream).after, 0)) {
    text += fmt::format(R"(,"dep":[{}])", after);
  }
  const auto site = graph_sites_.find(op.completion_id);
  const std::uint64_t number = lines_.add({.text = std::move(text),
                                           .late = expected_record(op),
                                           .site = site == graph_sites_.end() ? 0 : site->second,
                                           .start = now});
  expect_accesses(number);
  note_change(op, number);
  note_record(op, number);
  lane(stream).last = queues_[&stream].in_graph = number;
}

void Recorder::end_in_graph(const sim::Stream& stream, const sim::Op& op, Nanoseconds start,
                            Nanoseconds end, const std::string& failure) {
  Queue& queue = queues_[&stream];
  const std::uint64_t number = std::exchange(queue.in_graph, 0);
  if (sim::only_leads(op)) {
    if (number != 0) end_launch(number, start, end, failure);
    if (const auto* const wait = dynamic_cast<const ExternalWait*>(op.control.control)) {
      const TaskFacts facts = wait->facts();
      std::string text = fmt::format(R"("op":"wait","st":{},"ev":{},"gen":{})", stream.id(),
                                     facts.id, facts.generation);
      if (const std::uint64_t after = std::exchange(lane(stream).after, 0)) {
        text += fmt::format(R"(,"dep":[{}])", after);
      }
      lane(stream).last = lines_.add({.text = std::move(text),
                                      .late = failure,
                                      .start = start,
                                      .duration = end - start,
                                      .over = true});
    }
  } else if (number != 0) {
    if (failure.empty()) bind_wait(op, number);
    lines_.end(number, start, end - start, take_accessed(stream, op, number) + failure);
  }
  if (queue.pending.empty() && queue.in_graph == 0) queues_.erase(&stream);
}

}  // namespace acl
