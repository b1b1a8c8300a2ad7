// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "runtime/acl/base/check_config.h"
#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/call_races.h"
#include "runtime/acl/check/callbacks.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/check/deadlocks.h"
#include "runtime/acl/check/events.h"
#include "runtime/acl/check/failures.h"
#include "runtime/acl/check/graph_runs.h"
#include "runtime/acl/check/group_reports.h"
#include "runtime/acl/check/hangs.h"
#include "runtime/acl/check/host_accesses.h"
#include "runtime/acl/check/host_waits.h"
#include "runtime/acl/check/kernel_findings.h"
#include "runtime/acl/check/memory_lives.h"
#include "runtime/acl/check/process_reports.h"
#include "runtime/acl/check/rank_operations.h"
#include "runtime/acl/check/stream_lives.h"
#include "runtime/acl/check/submissions.h"
#include "runtime/acl/check/task_ends.h"
#include "runtime/acl/findings/findings.h"
#include "runtime/acl/findings/process_group_log.h"
#include "runtime/acl/watch/host_threads.h"
#include "runtime/acl/watch/listener.h"

namespace acl {

/// Reports to the order engine what the program does with streams, events and memory. There is one
/// while `check` is on. Callers hold no lock that a hook of the machine may want.
///
/// It has more than 60 functions, since it overrides one function for each event that a listener
/// may hear. Each function only forwards the event to the class that handles it.
class Checker final : public watch::Listener {
 public:
  Checker(Runtime& runtime, const CheckConfig& config);
  ~Checker() override;

  /// The calling thread ends.
  void thread_ends();

  // --- calls ---
  void call_begins() override {
    call_races_.call_begins();
    failures_.call_begins();
  }
  void call_failed(std::int32_t code, const char* text) override {
    failures_.call_failed(code, text);
    hangs_.call_failed(code);
  }
  void library_call_failed(std::int32_t code, const char* text) override {
    failures_.library_call_failed(code, text);
  }
  void errors_read() override { failures_.errors_read(); }
  void misused(watch::Misuse misuse, const std::string& text) override;
  bool found_in_kernel(const watch::KernelFinding& found) override {
    kernel_findings_.add(found);
    return true;
  }
  void no_memory_found(const void* address, const char* argument) override {
    memory_lives_.no_memory_found(address, argument);
  }
  void nothing_to_free(const void* address) override { memory_lives_.nothing_to_free(address); }
  void no_object_found(const void* handle) override { failures_.no_object_found(handle); }
  void handle_ended(const void* handle) override { failures_.handle_ended(handle); }

  // --- tasks ---
  // The most common case, inline: an op of a batch, which is only counted.
  void submitting(Stream& stream, sim::Op& op) override {
    const CheckThread::TouchedNothing before = check_thread().touched_nothing;
    if (op.is_bare_kernel() && Actors::batched(stream).count(before.pass)) return;
    call_races_.enqueueing(stream, op);
    submissions_.submit(stream, op, before);
  }
  void captured(Stream& stream, sim::Op& op) override { graph_runs_.captured(stream, op); }
  void wait_elided(Stream& stream, const watch::EventRecord& record, watch::Elided why) override {
    events_.wait_elided(stream, record, why);
  }

  // --- events and notifies ---
  void event_created(const Event& event) override { events_.created(event); }
  void event_destroyed(const Event& event) override { events_.destroyed(event); }
  void event_destroyed_in_use(const Event&, std::uint32_t waits, std::uint32_t threads) override {
    events_.destroyed_in_use(waits, threads);
  }
  void event_recorded(const Event& event, sim::Signal& signal, sim::Signal* before,
                      bool queried) override {
    events_.recorded(event, signal, before, queried);
  }
  void next_record_awaited(const Event& event, sim::Signal& signal) override {
    events_.next_awaited(event, signal);
  }
  void synchronized_with_nothing(const Event& event) override {
    events_.synchronized_with_nothing(event);
  }
  void event_queried(const watch::EventRecord& record, bool complete) override {
    host_waits_.event_queried(record, complete);
  }
  void notify_created(const Notify& notify) override { sync_.notify_created(notify); }
  void notify_destroying(const Notify& notify) override { sync_.notify_destroying(notify); }
  void notify_destroyed(const Notify& notify) override { sync_.notify_destroyed(notify); }
  void notify_reset(const Notify& notify) override { sync_.notify_reset(notify); }

  // --- streams, and host threads that wait ---
  void stream_queried(Stream& stream, bool complete) override {
    host_waits_.stream_queried(stream, complete);
  }
  void stream_aborting(Stream& stream) override { stream_lives_.aborting(stream); }
  void stream_ended(Stream& stream, bool dropped) override { stream_lives_.ended(stream, dropped); }
  bool wait_begins(const watch::Wait& wait, watch::WaitState& state) override {
    return host_waits_.begins(wait, state);
  }
  void wait_ended(const watch::Wait& wait, const watch::WaitState& state, bool reached) override {
    host_waits_.ended(wait, state, reached);
  }

  // --- memory ---
  void allocated(const void* begin, std::size_t size, int /*device*/) override {
    memory_lives_.allocated(begin, size);
  }
  void freeing(const void* begin, std::size_t size, watch::Freed what) override;
  void pool_allocated(Stream& stream, const void* begin, std::size_t /*size*/, std::size_t span,
                      bool over) override {
    memory_lives_.pool_allocated(stream, begin, span, over);
  }
  void pool_freeing(Stream& stream, const void* begin, std::size_t span) override {
    memory_lives_.pool_freeing(stream, begin, span);
  }
  void block_handed_out(const void* begin, std::size_t size) override {
    memory_lives_.block_handed_out(begin, size);
  }
  void block_taken_back(const void* begin, std::size_t size) override {
    memory_lives_.block_taken_back(begin, size);
  }
  void mapped(const void* begin, std::size_t size, const sim::PhysicalMemory* memory,
              bool fresh) override {
    memory_lives_.mapped(begin, size, memory, fresh);
  }
  void host_memory_ends(const void* begin, std::size_t size) override {
    memory_lives_.host_memory_ends(begin, size);
  }
  void device_memory_ending(int device) override { memory_lives_.device_memory_ending(device); }
  void peer_access_ending(int device, int peer) override;

  // --- accesses of host threads ---
  void host_copied(std::span<const sim::MemoryRange> ranges) override {
    host_accesses_.copied(ranges);
  }
  void host_filled(const sim::MemoryRange& range) override { host_accesses_.accessed(range); }
  void host_accessed(const sim::MemoryRange& range) override { host_accesses_.accessed(range); }
  void copying_to_host(Stream& stream, std::span<const sim::MemoryRange> ranges) override {
    host_accesses_.copying_to_host(stream, ranges);
  }
  bool settled(std::span<const sim::MemoryRange> ranges) override {
    return host_accesses_.settled(ranges);
  }
  void writes_anywhere() override { host_accesses_.writes_anywhere(); }
  void released(const void* object) override { host_accesses_.released(object); }
  void acquired(const void* object) override { host_accesses_.acquired(object); }
  /// An annotation of the program: from here on it uses the bytes for something else.
  void reused(const void* begin, std::size_t size, bool host) override {
    memory_lives_.reused(begin, size, host);
  }
  /// The same, in the order of the stream.
  void reused_in_order(Stream& stream, const void* begin, std::size_t size) override {
    memory_lives_.reused_in_order(stream, begin, size);
  }
  /// An annotation: the thread's next kernel accesses these bytes, besides the bytes of earlier
  /// calls.
  void next_kernel_accesses(const void* begin, std::size_t size, bool write) {
    submissions_.next_kernel_accesses(begin, size, write);
  }

  // --- what tasks do ---
  void kernel_ended() override {
    if (auto* const guarded = host_memory_.guarded()) guarded->close_again();
  }
  void kernel_accessed(std::uint32_t stream_id, std::uint32_t task_id,
                       std::span<const sim::MemoryRange> ranges) override {
    task_ends_.kernel_accessed(stream_id, task_id, ranges);
  }
  void function_begins(const sim::Stream& stream, std::uint32_t completion_id) override {
    callbacks_.function_begins(stream, completion_id);
  }
  void function_ended(const sim::Stream& stream, std::uint32_t completion_id) override {
    callbacks_.function_ended(stream, completion_id);
  }
  void task_ended(sim::Stream& stream, const sim::Op& op, sim::Failure failure) override {
    task_ends_.ended(stream, op, failure);
  }
  void task_failed(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                   bool program_told) override {
    failures_.task_failed(stream, op, failure, program_told);
  }

  // --- between processes ---
  void memory_shared(const watch::SharedRange& range) override { group_.memory_shared(range); }
  void memory_withdrawn(const void* begin, std::size_t size) override {
    group_.memory_withdrawn(begin, size);
  }
  void key_exported(std::uint64_t key) override { group_.key_exported(key); }
  void key_imported(std::uint64_t key) override { group_.key_imported(key); }
  void word_changes_seen(std::uint64_t key, const watch::SharedRange& word,
                         std::span<const watch::WordChange> changes) override {
    group_.word_changes_seen(key, word, changes);
  }
  void import_refused(const char* text) override {
    reporter_.report(order::Rule::import_refused, text);
  }

  // --- graphs ---
  void run_begins(const Model& model, sim::Stream& launcher) override {
    graph_runs_.run_begins(model, launcher);
  }
  void program_made(const sim::Stream& stream, sim::Program& program) override {
    graph_runs_.program_made(stream, program);
  }
  void branch_begins(const Model& model, const sim::Stream& branch, const sim::Program& program,
                     sim::Ref<sim::DeferredReports>& deferred) override {
    deferred = graph_runs_.branch_begins(model, branch, program);
  }
  void branch_ends(const Model& model, const sim::Stream& branch) override {
    graph_runs_.branch_ends(model, branch);
  }
  void branch_activating(const sim::Stream& by, std::shared_ptr<void>& kept) override {
    graph_runs_.branch_activating(by, kept);
  }
  void branch_activated(const sim::Stream& branch, const std::shared_ptr<void>& kept) override {
    graph_runs_.branch_activated(branch, kept);
  }
  void operation_begins(sim::Stream& stream, const sim::Op& op) override {
    rank_operations_.begins(stream, op);
  }
  void record_announced(Stream& launcher, sim::Signal& signal) override {
    graph_runs_.record_announced(launcher, signal);
  }
  void recorded_in_run(const sim::Stream& branch, sim::Signal& signal) override {
    graph_runs_.recorded(branch, signal);
  }
  void waited_in_run(const sim::Stream& branch, sim::Signal& signal) override {
    graph_runs_.waited(branch, signal);
  }

  // --- the process ---
  void finalizing() override { process_reports_.report_alive(nullptr); }
  void ends_in_hang() override { hangs_.ends_in_hang(); }
  /// Reports what is still alive, and writes the reports.
  void process_ends() override;
  void restarting() override;
  Findings& findings() { return process_reports_.findings(); }

 private:
  const CheckConfig config_;
  Findings findings_;
  const std::unique_ptr<ProcessGroupLog> group_log_;  // null: this process is checked alone
  CheckLock lock_;
  UnknownWriters unknown_writers_;
  FailedOps failed_ops_;
  Reporter reporter_;
  Actors actors_;
  KernelCensus kernels_;
  const watch::HostThreads host_threads_;
  HostMemoryInUse host_memory_;
  SyncObjects sync_;
  GroupReports group_;
  GraphOps graph_ops_;
  MemoryLives memory_lives_;
  StreamAccesses stream_accesses_;
  ReadChecks read_checks_;
  RankOperations rank_operations_;
  CallRaces call_races_;
  Submissions submissions_;
  GraphRuns graph_runs_;
  Events events_;
  RedundantWaits redundant_waits_;
  Deadlocks deadlocks_;
  Hangs hangs_;
  HostWaits host_waits_;
  HostAccesses host_accesses_;
  Failures failures_;
  KernelFindings kernel_findings_;
  StreamLives stream_lives_;
  Callbacks callbacks_;
  TaskEnds task_ends_;
  ProcessReports process_reports_;
};

/// The process's checker; null while nothing is checked.
Checker* checker() noexcept;

}  // namespace acl
