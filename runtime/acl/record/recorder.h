// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "device_sim/base/mutex.h"
#include "device_sim/streams/op.h"
#include "runtime/acl/record/op_texts.h"
#include "runtime/acl/record/record_thread.h"
#include "runtime/acl/record/recorded_buffers.h"
#include "runtime/acl/record/recorded_callbacks.h"
#include "runtime/acl/record/recorded_events.h"
#include "runtime/acl/record/recorded_findings.h"
#include "runtime/acl/record/recorded_graphs.h"
#include "runtime/acl/record/recorded_hosts.h"
#include "runtime/acl/record/recorded_kernels.h"
#include "runtime/acl/record/recorded_ops.h"
#include "runtime/acl/record/recorded_ranges.h"
#include "runtime/acl/record/recorded_sites.h"
#include "runtime/acl/record/recorded_streams.h"
#include "runtime/acl/watch/listener.h"
#include "runtime/trace/flusher.h"
#include "runtime/trace/forks.h"
#include "runtime/trace/op_lines.h"

namespace acl {

class Runtime;

/// Writes the run as a trace in the native format (docs/trace-format.md): each call of the program
/// in the order of the calls, and how its tasks ran. The recorder exists while `run.record` is set,
/// and is never destroyed. Any thread may call its functions; a forked child writes nothing. The
/// recorder has the lock; each of its parts records the objects of one kind. It has more than 60
/// functions, since the listener has one for each event.
class Recorder final : public watch::Listener {
 public:
  Recorder(Runtime& runtime, const std::string& path);

  // --- calls that fail; recorder_outcomes.cpp ---
  void call_failed(std::int32_t code, const char* text) override;
  void library_call_failed(std::int32_t code, const char* text) override;
  void errors_read() override;
  void misused(watch::Misuse misuse, const std::string& text) override;
  void no_memory_found(const void* address, const char* argument) override;
  void nothing_to_free(const void* address) override;
  void no_object_found(const void* handle) override;
  void handle_ended(const void* handle) override { found_.handle_ended(handle); }
  bool found_in_kernel(const watch::KernelFinding& found) override;

  // --- tasks ---
  void submitting(Stream& stream, sim::Op& op) override;
  void captured(Stream& stream, sim::Op& op) override;
  void enqueueing(Stream& stream, const sim::Op& op, const TaskFacts& facts) override;
  void wait_elided(Stream& stream, const watch::EventRecord& record, watch::Elided why) override;
  void pool_allocated(Stream& stream, const void* begin, std::size_t size, std::size_t span,
                      bool over) override;
  void kernel_accessed(std::uint32_t stream_id, std::uint32_t task_id,
                       std::span<const sim::MemoryRange> ranges) override;
  void pool_freeing(Stream& stream, const void* begin, std::size_t span) override;
  void function_begins(const sim::Stream& stream, std::uint32_t completion_id) override;
  void function_ended(const sim::Stream& stream, std::uint32_t completion_id) override;

  // --- events ---
  void event_created(const Event& event) override;
  void event_destroyed(const Event& event) override;
  void synchronized_with_nothing(const Event& event) override;
  void event_queried(const watch::EventRecord& record, bool complete) override;

  void notify_reset(const Notify&) override { add_unknown("notifies"); }
  void writes_anywhere() override { add_unknown("memory"); }
  void block_taken_back(const void*, std::size_t) override { add_unknown("blocks"); }

  // --- graphs ---
  void graph_launching(const Model& model) override;
  void run_begins(const Model& model, sim::Stream& launcher) override;
  void branch_begins(const Model& model, const sim::Stream& branch, const sim::Program& program,
                     sim::Ref<sim::DeferredReports>& deferred) override;
  void branch_ends(const Model& model, const sim::Stream& branch) override;

  // --- the host; recorder_host.cpp ---
  void call_begins() override;
  void host_copied(std::span<const sim::MemoryRange> ranges) override;
  void host_filled(const sim::MemoryRange& range) override;
  void host_accessed(const sim::MemoryRange& range) override;
  void memory_touched(const sim::MemoryRange& byte, std::uint64_t site) override;
  void allocated(const void* begin, std::size_t size, int device) override;
  void freeing(const void* begin, std::size_t size, watch::Freed what) override;
  void reused(const void* begin, std::size_t size, bool on_host) override;
  void reused_in_order(Stream& stream, const void* begin, std::size_t size) override;
  void memory_shared(const watch::SharedRange& range) override;
  void released(const void* object) override;
  void acquired(const void* object) override;
  void stream_queried(Stream& stream, bool complete) override;
  bool wait_begins(const watch::Wait& wait, watch::WaitState& state) override;
  void wait_ended(const watch::Wait& wait, const watch::WaitState& state, bool reached) override;

  // --- the end of streams and of the process; recorder_outcomes.cpp ---
  void stream_aborting(Stream& stream) override;
  void stream_ended(Stream& stream, bool dropped) override;
  void finalizing() override;
  void ends_in_hang() override;
  void process_ends() override;
  void crashing() override;

  // --- spans ---
  void api_call(const char* name, sim::Nanoseconds start, sim::Nanoseconds end) noexcept override;
  void range_opened(const trace_output::Range& range) noexcept override;
  void range_closed(std::uint64_t id, sim::Nanoseconds end) noexcept override;
  void mark(const trace_output::Range& mark) noexcept override;
  void started(const sim::Stream& stream, const sim::Op& op, sim::Nanoseconds now) override;
  void step_ended(const sim::Stream& stream, const sim::Op& op, const sim::OpStep& step) override;
  void finished(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                sim::Nanoseconds start, sim::Nanoseconds end) override;

 private:
  /// Adds whole lines or none: some callers are destructors and device threads, which never throw.
  template <class Body>
  void report(Body&& body) noexcept EXCLUDES(mutex_) {
    if (in_forked_child()) return;
    try {
      const sim::LockGuard guard(mutex_);
      if (!file_.usable()) return;
      changed_ = true;
      body();
    } catch (const std::bad_alloc&) {
      // One op is missing.
    }
  }
  bool in_forked_child() const noexcept { return trace_output::forks() != forks_; }

  void define_machine() REQUIRES(mutex_);
  void flush_if_changed() EXCLUDES(mutex_);
  void add_failure(std::int32_t code, const char* text, bool checked) EXCLUDES(mutex_);
  /// Adds a mark, once for each word: the recording lacks data for some rule from here on.
  void add_unknown(const char* word) EXCLUDES(mutex_);
  /// The thread is ordered after all that was issued to the stream, by the current call.
  void add_end_of_work(const Stream& stream) REQUIRES(mutex_);
  void add_free(const RecordedBuffers::Segment& gone) REQUIRES(mutex_);
  /// Adds a mark with a finding about the current call.
  void add_finding(const order::Finding& finding) REQUIRES(mutex_);
  /// The objects that a program has not released.
  struct LiveObjects {
    std::string text;                     // empty: all was released
    std::optional<std::uintptr_t> first;  // where the first allocation was made
  };
  LiveObjects live_objects() const EXCLUDES(mutex_);
  /// Adds a mark that lists the live objects, once. `when`: its text; null: the current call.
  void add_alive(const LiveObjects& alive, const char* when) REQUIRES(mutex_);
  bool drops_callbacks(const Stream& stream) const;

  std::string stream_members(const Stream& stream) REQUIRES(mutex_);
  std::string event_members(const watch::EventRecord& record) const REQUIRES(mutex_);
  std::uint64_t begin_wait(const watch::Wait& wait) REQUIRES(mutex_);

  Runtime& runtime_;
  const unsigned forks_;
  const std::uint32_t rank_;  // of this process in its job
  sim::Mutex mutex_;
  trace_output::TraceFile file_ GUARDED_BY(mutex_);
  RecordedSites sites_ GUARDED_BY(mutex_);
  trace_output::OpLines lines_ GUARDED_BY(mutex_);
  RecordedBuffers buffers_ GUARDED_BY(mutex_);
  RecordedRanges ranges_ GUARDED_BY(mutex_);
  RecordedHosts hosts_ GUARDED_BY(mutex_);
  RecordedStreams streams_ GUARDED_BY(mutex_);
  RecordedEvents events_ GUARDED_BY(mutex_);
  RecordedKernels kernels_ GUARDED_BY(mutex_);
  OpTexts texts_ GUARDED_BY(mutex_);
  RecordedGraphs graphs_ GUARDED_BY(mutex_);
  RecordedCallbacks callbacks_ GUARDED_BY(mutex_);
  RecordedOps ops_ GUARDED_BY(mutex_);
  RecordedFindings found_;                         // guarded by mutex_, except for handles
  bool changed_ GUARDED_BY(mutex_) = false;        // since the last flush
  bool alive_added_ GUARDED_BY(mutex_) = false;    // see add_alive()
  bool hangs_ GUARDED_BY(mutex_) = false;          // the process ends because of that
  bool shares_memory_ GUARDED_BY(mutex_) = false;  // with other processes
  std::set<std::string_view> unknown_ GUARDED_BY(mutex_);
  std::unique_ptr<trace_output::Flusher> flusher_;
};

}  // namespace acl
