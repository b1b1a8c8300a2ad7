// SPDX-License-Identifier: Apache-2.0
// Failed calls, functions that never ran, and objects that are live at the end: marks with `args`
// (docs/trace-format.md).
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "device_sim/base/mutex.h"
#include "device_sim/streams/stream.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/core/usage.h"
#include "runtime/acl/record/recorder.h"
#include "runtime/acl/watch/loss.h"
#include "runtime/trace/json_text.h"

namespace acl {

// ---- calls ----

void Recorder::call_failed(std::int32_t code, const char* text) {
  if (thread_state().in_library_call) return;
  const bool explained = std::exchange(record_thread().explained, false);
  add_failure(code, text, !explained && !rule_of_code(code));
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
    if (!checked) args += R"(,"judged":false)";
    hosts_.add_mark(thread.call, args, call_site_of(thread));
    record_thread().failed = true;
  });
}

void Recorder::errors_read() {
  if (!record_thread().failed) return;
  report([&]() REQUIRES(mutex_) { hosts_.add_mark("errors read", R"("failed":"")", 0); });
}

// Adds a second free of a buffer that has ended. No other address is known.
void Recorder::nothing_to_free(const void* address) {
  report([&]() REQUIRES(mutex_) {
    const RecordedBuffers::Segment gone = buffers_.ended(address);
    record_thread().explained = true;
    if (gone.size == 0) return;
    hosts_.add("free", fmt::format(R"(,"buf":{},"size":{})", gone.buffer, gone.size), true);
  });
}

/// The mark belongs to the first thread. The calling thread is one of the machine's and is not in
/// the recording; a number of its own would change the other threads' numbers from run to run.
bool Recorder::found_in_kernel(bool race, const std::string& text) {
  report([&]() REQUIRES(mutex_) {
    const ThreadState& thread = thread_state();
    const std::string args = fmt::format(R"("rule":"{}","found":{})", race ? "ACL035" : "ACL036",
                                         trace_output::json_string(text));
    hosts_.add_mark(thread.call, args, call_site_of(thread), 1);
  });
  return false;  // the recorder does not report the finding
}

// ---- functions of the program ----

void Recorder::stream_aborting(Stream& stream) {
  report([&]() REQUIRES(mutex_) { callbacks_.stream_aborting(stream.id()); });
}

/// Functions after a failure, or on a lost device, are expected not to run.
bool Recorder::drops_callbacks(const Stream& stream) const {
  return runtime_.device_block(stream.device()).load(std::memory_order_acquire) ||
         stream.core().stopped_by_failure();
}

// If nothing was dropped, a thread that also serves other streams may still run the functions of
// this one.
void Recorder::stream_ended(Stream& stream, bool) {
  const bool dropped = drops_callbacks(stream);
  report([&]() REQUIRES(mutex_) { callbacks_.stream_ended(stream.id(), dropped); });
}

// ---- the end ----

void Recorder::add_alive(const char* when) {
  if (std::exchange(alive_added_, true)) return;
  const std::string alive = describe_alive(usage_of(runtime_));
  if (alive.empty()) return;
  std::string args = R"("alive":)" + trace_output::json_string(alive);
  if (const auto first = first_allocation(runtime_.memory())) {
    args += R"(,"first":)" +
            trace_output::json_string(sites_.text(reinterpret_cast<std::uintptr_t>(first->caller)));
  }
  hosts_.add_mark(when ? when : thread_state().call, args, call_site_of(thread_state()));
}

void Recorder::finalizing() {
  report([&]() REQUIRES(mutex_) { add_alive(nullptr); });
}

void Recorder::process_ends() {
  std::map<std::uint32_t, bool> streams;
  runtime_.streams().for_each(
      [&](const StreamTable::Pin& stream) { streams[stream->id()] = drops_callbacks(*stream); });
  report([&]() REQUIRES(mutex_) {
    add_alive("the end of the program");
    for (const auto& [stream, dropped] : streams) callbacks_.stream_ended(stream, dropped);
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
