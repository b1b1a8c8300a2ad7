// SPDX-License-Identifier: Apache-2.0
// Failed calls, functions that never ran, and objects that are live at the end: marks with `args`
// (docs/trace-format.md).
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/streams/stream.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/core/usage.h"
#include "runtime/acl/record/recorder.h"
#include "runtime/acl/watch/loss.h"
#include "runtime/order/engine/sentences.h"
#include "runtime/trace/json_text.h"

namespace acl {

namespace {

/// The definition with the most objects that a device had at a time, each with its limit.
std::string peaks_line(const order::DevicePeaks& peaks) {
  const auto pair = [](const char* name, const order::Peak& peak) {
    return fmt::format(R"("{}":[{},{}])", name, peak.most, peak.limit);
  };
  std::string graphs;
  for (const order::GraphsAt& row : peaks.graphs) {
    graphs += fmt::format(R"({}{{"at":{},"graphs":{},"streams":{}}})", graphs.empty() ? "" : ",",
                          trace_output::json_string(row.place), row.graphs, row.streams);
  }
  return fmt::format(R"({{"def":"peaks","id":{},"opt":true,"args":{{{},{},{},{},"graphs":[{}]}}}})",
                     peaks.device, pair("streams", peaks.streams), pair("events", peaks.events),
                     pair("notifies", peaks.notifies), pair("bytes", peaks.bytes), graphs);
}

}  // namespace

// ---- calls ----

void Recorder::call_failed(std::int32_t code, const char* text) {
  RecordThread& recorded = record_thread();
  const bool by_handle = std::exchange(recorded.told_of_handle, false);
  bool explained = std::exchange(recorded.explained, false) || by_handle;
  if (const auto rule = rule_of_code(code); rule && !by_handle) {
    order::Finding finding(*rule);
    finding.text = order::sentences::failed_by_rule(text, code);
    report([&]() REQUIRES(mutex_) { add_finding(finding); });
    recorded.explained = false;
    explained = true;
  }
  if (thread_state().in_library_call) return;
  add_failure(code, text, !explained);
}

void Recorder::library_call_failed(std::int32_t code, const char* text) {
  add_failure(code, text, true);
}

void Recorder::add_failure(std::int32_t code, const char* text, bool checked) {
  const ThreadState& thread = thread_state();
  const order::Loss loss = loss_of(thread.call, code);
  if (loss == order::Loss::nothing) return;
  report([&]() REQUIRES(mutex_) {
    std::string args =
        fmt::format(R"("failed":{},"returns":{})", trace_output::json_string(text), code);
    if (order::loses_work(loss)) args += R"(,"loses":true)";
    if (!checked) args += R"(,"judged":false,"shown":true)";
    hosts_.add_mark(thread.call, args, call_site_of(thread));
    record_thread().failed = true;
  });
}

void Recorder::errors_read() {
  if (!record_thread().failed) return;
  report([&]() REQUIRES(mutex_) { hosts_.add_mark("errors read", R"("failed":"")", 0); });
}

// A second free of a buffer that has ended is an op.
void Recorder::nothing_to_free(const void* address) {
  report([&]() REQUIRES(mutex_) {
    const RecordedBuffers::Segment gone = buffers_.ended(address);
    record_thread().explained = true;
    if (gone.size != 0) return add_free(gone);
    add_finding(RecordedFindings::nothing_to_free());
  });
}

void Recorder::add_finding(const order::Finding& finding) {
  const ThreadState& thread = thread_state();
  const auto place = [this](std::uint64_t site) REQUIRES(mutex_) { return sites_.text(site); };
  const bool of_machine = *thread.call == 0;
  hosts_.add_mark(thread.call, found_args(finding, place), call_site_of(thread),
                  of_machine ? 1 : 0);
  if (finding.level > order::Level::note) record_thread().explained = true;
}

void Recorder::misused(watch::Misuse misuse, const std::string& text) {
  order::Finding finding(rule_of(misuse));
  finding.text = text;
  report([&]() REQUIRES(mutex_) { add_finding(finding); });
}

void Recorder::no_memory_found(const void* address, const char* argument) {
  if (*thread_state().call == 0) return;  // a thread of the machine
  report([&]() REQUIRES(mutex_) {
    if (const auto finding = found_.memory(address, argument)) add_finding(*finding);
  });
}

void Recorder::no_object_found(const void* handle) {
  const auto finding = found_.handle(handle);
  if (!finding) return;
  report([&]() REQUIRES(mutex_) { add_finding(*finding); });
  record_thread().told_of_handle = true;
}

/// The mark belongs to the first thread. The calling thread is one of the machine's and is not in
/// the recording; a number of its own would change the other threads' numbers from run to run.
bool Recorder::found_in_kernel(const watch::KernelFinding& found) {
  report([&]() REQUIRES(mutex_) {
    const ThreadState& thread = thread_state();
    std::string args =
        fmt::format(R"("rule":"{}","found":{},"stream":{})", found.race ? "ACL035" : "ACL036",
                    trace_output::json_string(found.text), found.stream_id);
    const auto add = [&args](const char* key, const std::string& text) {
      if (text.empty()) return;
      args += fmt::format(R"(,"{}":{})", key, trace_output::json_string(text));
    };
    if (found.device >= 0) args += fmt::format(R"(,"device":{})", found.device);
    if (found.warning) args += R"(,"warning":true)";
    add("repair", found.repair);
    if (found.other) {
      add("other", found.other_what);
      add("at", sites_.text(reinterpret_cast<std::uintptr_t>(found.other)));
    }
    hosts_.add_mark(thread.call, args, call_site_of(thread), 1);
  });
  return false;  // the recorder does not report the finding
}

// ---- functions of the program ----

void Recorder::add_unknown(const char* word) {
  report([&]() REQUIRES(mutex_) {
    if (!unknown_.insert(word).second) return;
    hosts_.add_mark("unknown", fmt::format(R"("unknown":"{}")", word),
                    call_site_of(thread_state()));
  });
}

void Recorder::add_end_of_work(const Stream& stream) {
  const char* const call = thread_state().call;
  if (*call == 0 || !streams_.known(stream.core())) return;
  const std::string name = R"(,"n":)" + trace_output::json_string(call);
  hosts_.add("hsync", stream_members(stream) + name, true);
}

void Recorder::stream_aborting(Stream& stream) {
  report([&]() REQUIRES(mutex_) {
    callbacks_.stream_aborting(stream.id());
    add_end_of_work(stream);
  });
}

/// Functions after a failure, or on a lost device, are expected not to run.
bool Recorder::drops_callbacks(const Stream& stream) const {
  return runtime_.device_block(stream.device()).load(std::memory_order_acquire) ||
         stream.core().stopped_by_failure();
}

// If nothing was dropped, a thread that also serves other streams may still run the functions of
// this one.
void Recorder::stream_ended(Stream& stream, bool drops_work) {
  const bool dropped = drops_callbacks(stream);
  report([&]() REQUIRES(mutex_) {
    callbacks_.stream_ended(stream.id(), dropped);
    if (drops_work) add_end_of_work(stream);
  });
}

// ---- the end ----

// Counting takes the locks of the tables, and some tables report while they hold their lock.
Recorder::LiveObjects Recorder::live_objects() const {
  LiveObjects found;
  found.text = describe_alive(usage_of(runtime_));
  if (found.text.empty()) return found;
  if (const auto first = first_allocation(runtime_.memory())) {
    found.first = reinterpret_cast<std::uintptr_t>(first->caller);
  }
  return found;
}

void Recorder::add_alive(const LiveObjects& alive, const char* when) {
  if (std::exchange(alive_added_, true) || alive.text.empty()) return;
  std::string args = R"("alive":)" + trace_output::json_string(alive.text);
  if (alive.first) args += R"(,"first":)" + trace_output::json_string(sites_.text(*alive.first));
  hosts_.add_mark(when ? when : thread_state().call, args, call_site_of(thread_state()));
}

void Recorder::finalizing() {
  const LiveObjects alive = live_objects();
  report([&]() REQUIRES(mutex_) { add_alive(alive, nullptr); });
}

void Recorder::ends_in_hang() {
  report([&]() REQUIRES(mutex_) { hangs_ = true; });
}

// The program could not do the work that is left after a hang, so it gets no marks.
void Recorder::process_ends() {
  std::map<std::uint32_t, bool> streams;
  runtime_.streams().for_each(
      [&](const StreamTable::Pin& stream) { streams[stream->id()] = drops_callbacks(*stream); });
  const std::vector<order::DevicePeaks> peaks = peaks_of(runtime_);
  const LiveObjects alive = live_objects();
  report([&]() REQUIRES(mutex_) {
    if (!hangs_) {
      add_alive(alive, "the end of the program");
      for (const auto& [stream, dropped] : streams) callbacks_.stream_ended(stream, dropped);
    }
    for (const order::DevicePeaks& one : peaks) lines_.define(peaks_line(one));
    lines_.define(R"({"def":"end","id":0,"opt":true})");
    lines_.finish();
  });
}

// If another thread holds the lock, that thread may be blocked: the file stays as it is.
void Recorder::crashing() {
  if (!mutex_.try_lock()) return;
  const sim::LockGuard guard(mutex_, std::adopt_lock);
  if (file_.usable()) lines_.flush();
}

}  // namespace acl
