// SPDX-License-Identifier: Apache-2.0
// What fails, what never runs, and what is left at the end: marks with `args`
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
namespace {

// Completion ids that nobody else gives.
constexpr std::uint32_t kOwnIds = 0xC000'0000;

}  // namespace

/// `args`: members of a JSON object; `by`: a thread other than the calling one.
void Recorder::add_mark(std::string_view text, const std::string& args, std::uint64_t site,
                        std::uint32_t by) {
  const sim::Nanoseconds now = runtime_.driver().now_ns();
  lines_.add({.text = fmt::format(R"("op":"mark","h":{},"text":{},"args":{{{}}})",
                                  by != 0 ? by : host(), trace_output::json_string(text), args),
              .late = {},
              .site = site,
              .start = now,
              .duration = 0,
              .over = true});
}

// ---- calls ----

void Recorder::call_failed(std::int32_t code, const char* text) {
  if (thread_state().in_library_call) return;
  const bool told = std::exchange(record_thread().told, false);
  add_failure(code, text, !told && !rule_of_code(code));
}

void Recorder::library_call_failed(std::int32_t code, const char* text) {
  add_failure(code, text, true);
}

void Recorder::add_failure(std::int32_t code, const char* text, bool checked) {
  const ThreadState& thread = thread_state();
  const order::Loss loss = loss_of(thread.call, code);
  if (loss == order::Loss::nothing) return;
  report([&] {
    std::string args =
        fmt::format(R"("failed":{},"returns":{})", trace_output::json_string(text), code);
    if (order::loses_work(loss)) args += R"(,"loses":true)";
    if (!checked) args += R"(,"judged":false)";
    add_mark(thread.call, args, call_site_of(thread));
    record_thread().failed = true;
  });
}

void Recorder::errors_read() {
  if (!record_thread().failed) return;
  report([&] { add_mark("errors read", R"("failed":"")", 0); });
}

// The second time; of an address that never was one nothing is known.
void Recorder::nothing_to_free(const void* address) {
  report([&] {
    const RecordedBuffers::Piece gone = buffers_.ended(address);
    record_thread().told = true;
    if (gone.size == 0) return;
    add_host("free", fmt::format(R"(,"buf":{},"size":{})", gone.buffer, gone.size), true);
  });
}

// ---- functions of the program ----

void Recorder::submitting(Stream&, sim::Op& op) {
  if (op.kind != sim::OpKind::host_call || op.completion_id != 0) return;
  report([&] { op.completion_id = kOwnIds | ++last_id_; });
}

void Recorder::captured(Stream&, sim::Op& op) {
  report([&] {
    if (op.completion_id == sim::Op::kUnreported) return;
    if (op.completion_id == 0) op.completion_id = kOwnIds | ++last_id_;
    graph_sites_[op.completion_id] = call_site_of(thread_state());
  });
}

void Recorder::function_begins(const sim::Stream&, std::uint32_t completion_id) {
  report([&] { calls_.erase(completion_id); });
}

void Recorder::stream_aborting(Stream& stream) {
  report([&] {
    std::erase_if(calls_, [&](const auto& c) { return c.second.stream == stream.id(); });
  });
}

/// Behind a failure, or on a lost device, nobody misses them.
bool Recorder::drops_calls(const Stream& stream) const {
  return runtime_.device_block(stream.device()).load(std::memory_order_acquire) ||
         stream.core().stopped_by_failure();
}

void Recorder::name_unserved(std::uint32_t stream, bool dropped) {
  for (auto at = calls_.begin(); at != calls_.end();) {
    if (at->second.stream != stream) {
      ++at;
      continue;
    }
    if (!dropped) add_mark("callback", R"("failed":"never ran")", at->second.site);
    at = calls_.erase(at);
  }
}

// Where nothing was dropped, a thread that serves other streams too may still come to the others.
void Recorder::stream_ended(Stream& stream, bool) {
  const bool dropped = drops_calls(stream);
  report([&] { name_unserved(stream.id(), dropped); });
}

// ---- the end ----

void Recorder::name_alive(const char* when) {
  if (std::exchange(named_alive_, true)) return;
  const std::string alive = describe_alive(usage_of(runtime_));
  if (alive.empty()) return;
  std::string args = R"("alive":)" + trace_output::json_string(alive);
  if (const auto first = first_allocation(runtime_.memory())) {
    args += R"(,"first":)" +
            trace_output::json_string(site_text(reinterpret_cast<std::uintptr_t>(first->caller)));
  }
  add_mark(when ? when : thread_state().call, args, call_site_of(thread_state()));
}

void Recorder::finalizing() {
  report([&] { name_alive(nullptr); });
}

void Recorder::process_ends() {
  std::map<std::uint32_t, bool> streams;
  runtime_.streams().for_each(
      [&](const StreamTable::Pin& stream) { streams[stream->id()] = drops_calls(*stream); });
  report([&] {
    name_alive("the end of the program");
    for (const auto& [stream, dropped] : streams) name_unserved(stream, dropped);
    lines_.define(R"({"def":"end","id":0,"opt":true})");
    lines_.finish();
  });
}

// Whoever holds the lock may be the one who stands still; the file is then as far as it was.
void Recorder::crashing() {
  if (!mutex_.try_lock()) return;
  const sim::LockGuard guard(mutex_, std::adopt_lock);
  if (file_.usable()) lines_.flush();
}

}  // namespace acl
