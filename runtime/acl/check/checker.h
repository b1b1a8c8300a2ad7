// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "device_sim/base/biased_lock.h"
#include "device_sim/base/mutex.h"
#include "device_sim/base/spin_lock.h"
#include "device_sim/streams/driver.h"
#include "runtime/acl/base/check_config.h"
#include "runtime/acl/check/blocked_hosts.h"
#include "runtime/acl/check/check_thread.h"
#include "runtime/acl/check/kernel_census.h"
#include "runtime/acl/check/op_accesses.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/findings/ended_handles.h"
#include "runtime/acl/findings/failed_calls.h"
#include "runtime/acl/findings/findings.h"
#include "runtime/acl/findings/process_group_log.h"
#include "runtime/acl/touches/freed_memory.h"
#include "runtime/acl/touches/guarded_reads.h"
#include "runtime/acl/touches/host_buffers.h"
#include "runtime/acl/watch/host_threads.h"
#include "runtime/acl/watch/listener.h"
#include "runtime/acl/watch/meeting.h"
#include "runtime/order/engine/batched_ops.h"
#include "runtime/order/engine/engine.h"

namespace sim {
class Signal;
class Word;
class PhysicalMemory;
struct KernelRun;
struct MemoryRange;
struct Op;
}  // namespace sim

namespace acl {

struct Crash;
class Event;
class Model;
class Runtime;
class Stream;

/// Reports to the order engine what the program does with streams, events and memory. There is one
/// while `check` is on. Callers hold no lock that a hook of the machine may want.
class Checker final : public watch::Listener {
 public:
  Checker(Runtime& runtime, const CheckConfig& config);
  ~Checker() override;

  /// The calling thread ends.
  void thread_ends();

  // --- calls ---
  void call_begins() override;
  void call_failed(std::int32_t code, const char* text) override;
  void library_call_failed(std::int32_t code, const char* text) override;
  void errors_read() override;
  void misused(watch::Misuse misuse, const std::string& text) override;
  bool found_in_kernel(bool race, const std::string& text) override;
  void no_memory_found(const void* address, const char* argument) override;
  void nothing_to_free(const void* address) override;
  void no_object_found(const void* handle) override;
  void handle_ended(const void* handle) override;

  // --- tasks ---
  // The most common case, inline: an op of a batch, which is only counted.
  void submitting(Stream& stream, sim::Op& op) override {
    const CheckThread::TouchedNothing before = check_thread().touched_nothing;
    if (op.is_bare_kernel() && batched(stream).count(before.pass)) return;
    submit(stream, op, before);
  }
  void captured(Stream& stream, sim::Op& op) override;
  void wait_elided(Stream& stream, const watch::EventRecord& record, watch::Elided why) override;

  // --- events and notifies ---
  void event_created(const Event& event) override;
  void event_destroyed(const Event& event) override;
  void event_recorded(const Event& event, sim::Signal& signal, sim::Signal* before,
                      bool queried) override;
  void synchronized_with_nothing(const Event& event) override;
  void event_queried(const watch::EventRecord& record, bool complete) override;
  void notify_created(const Notify& notify) override;
  void notify_destroying(const Notify& notify) override;
  void notify_destroyed(const Notify& notify) override;
  void notify_reset(const Notify& notify) override;

  // --- streams, and host threads that wait ---
  void stream_queried(Stream& stream, bool complete) override;
  void stream_aborting(Stream& stream) override;
  void stream_ended(Stream& stream, bool dropped) override;
  bool wait_begins(const watch::Wait& wait, watch::WaitState& state) override;
  void wait_ended(const watch::Wait& wait, const watch::WaitState& state, bool reached) override;

  // --- memory ---
  void allocated(const void* begin, std::size_t size, int device) override;
  void freeing(const void* begin, std::size_t size, watch::Freed what) override;
  void pool_allocated(Stream& stream, const void* begin, std::size_t size, std::size_t span,
                      bool over) override;
  void pool_freeing(Stream& stream, const void* begin, std::size_t span) override;
  void block_handed_out(const void* begin, std::size_t size) override;
  void block_taken_back(const void* begin, std::size_t size) override;
  void mapped(const void* begin, std::size_t size, const sim::PhysicalMemory* memory,
              bool fresh) override;
  void host_memory_ends(const void* begin, std::size_t size) override;
  void device_memory_ending(int device) override;
  void peer_access_ending(int device, int peer) override;

  // --- accesses of host threads ---
  void host_copied(std::span<const sim::MemoryRange> ranges) override;
  void host_filled(const sim::MemoryRange& range) override { host_accessed(range); }
  void host_accessed(const sim::MemoryRange& range) override;
  void copying_to_host(Stream& stream, std::span<const sim::MemoryRange> ranges) override;
  bool settled(std::span<const sim::MemoryRange> ranges) override;
  void writes_anywhere() override;
  void released(const void* object) override;
  void acquired(const void* object) override;
  /// An annotation of the program: from here on it uses the bytes for something else.
  void reused(const void* begin, std::size_t size, bool host);
  /// The same, in the order of the stream.
  void reused_in_order(Stream& stream, const void* begin, std::size_t size);

  /// The program touched memory that is barred.
  void host_touched(const HostTouch& touch);
  void mark_touch(const order::OpInfo& host);
  // --- what tasks do ---
  void kernel_ended() override { close_pages_again(); }
  void kernel_accessed(std::uint32_t stream_id, std::uint32_t task_id,
                       std::span<const sim::MemoryRange> ranges) override;
  void function_begins(const sim::Stream& stream, std::uint32_t completion_id) override;
  void function_ended(const sim::Stream& stream, std::uint32_t completion_id) override;
  void task_ended(sim::Stream& stream, const sim::Op& op, sim::Failure failure) override;
  void task_failed(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                   bool program_told) override;

  /// An annotation: the thread's next kernel accesses these bytes, and what else it was told so.
  void next_kernel_accesses(const void* begin, std::size_t size, bool write);

  // --- between processes ---
  void memory_shared(const watch::SharedRange& range) override;
  void memory_withdrawn(const void* begin, std::size_t size) override;
  void key_exported(std::uint64_t key) override;
  void key_imported(std::uint64_t key) override;
  void import_refused(const char* text) override;

  // --- graphs ---
  void run_begins(const Model& model, sim::Stream& launcher) override;
  void branch_begins(const Model& model, const sim::Stream& branch) override;
  void branch_ends(const Model& model, const sim::Stream& branch) override;
  void branch_activating(const sim::Stream& by, std::shared_ptr<void>& kept) override;
  void branch_activated(const sim::Stream& branch, const std::shared_ptr<void>& kept) override;
  void operation_begins(sim::Stream& stream, const sim::Op& op) override;
  void record_announced(Stream& launcher, sim::Signal& signal) override;
  void recorded_in_run(const sim::Stream& branch, sim::Signal& signal) override;
  void waited_in_run(const sim::Stream& branch, sim::Signal& signal) override;

  // --- the process ---
  void finalizing() override { report_alive(nullptr); }
  /// A signal is about to end the process: writes the reports with what is known so far.
  void crashed(const Crash& crash);
  /// Reports what is still alive, and writes the reports.
  void process_ends() override;
  void restarting() override;
  Findings& findings();

 private:
  /// A kernel or a function is over, for which barred pages may have been opened.
  void close_pages_again() {
    if (guarded_reads_) [[unlikely]]
      guarded_reads_->close_again();
  }
  void submit(Stream& stream, sim::Op& op, CheckThread::TouchedNothing before);
  /// Reports pending work and unreleased resources. `what`: where this is found; null: in the call
  /// that the thread is in.
  void report_alive(const char* what);
  /// Adds a finding of the call that the thread is in. `title`: a literal; empty: that of the rule.
  void tell(order::Rule rule, std::string text, std::string_view title = {});

  /// The state of a wait of a host thread, from its beginning on.
  struct Waiting {
    std::uint32_t issued = 0;
    order::Actor stream = 0;
    bool reported = false;   // a finding says that nothing ends the wait
    bool over = false;       // all that it waits for happens before the call: no clock to join
    bool asked = true;       // the program named this stream; else it is one of many
    bool announced = false;  // in the log of the process group
    bool blocked = false;    // among blocked_hosts_
  };
  void begin_wait(Stream& stream, bool asked, bool untimed, Waiting& waiting);
  bool begin_query(Stream& stream, bool asked, Waiting& waiting);
  void begin_wait(sim::Signal& signal, bool untimed, Waiting& waiting);
  void synchronized(sim::Signal& signal);
  void synchronized(sim::Word& word, std::uint64_t number);
  /// The calling thread begins to wait for what another process may have to complete first. True:
  /// that is in the log of the process group; call `goes_on` when the wait has ended.
  bool announce(Stream& stream);
  bool announce(sim::Signal& signal);
  bool announce(sim::Word& word, std::uint64_t number);
  void goes_on();
  void waited(Stream& stream, sim::Word& word, std::uint64_t number);
  void waited_for_nothing(const Event& event, Stream& stream);

  /// A value in a page that other processes may map too. `records`, `waits`: counters of a notify
  /// in the same page; null: an event, whose records are numbered.
  struct Shared {
    order::SharedObject object;
    std::atomic<std::uint64_t>* records = nullptr;
    std::atomic<std::uint64_t>* waits = nullptr;
  };
  void made_shared(sim::Word& word, const char* name, const Shared& shared);
  void made_flag(sim::Signal& signal);

  struct Use {
    order::Epoch when;
    order::OpInfo op_info;
  };
  /// What the checker attaches to a signal or a word.
  struct Attached {
    Attached() noexcept {}    // NOLINT: where it is defaulted, make_shared writes all zeros first
    order::Node node;         // of its record
    bool recorded = false;    // `node` is in use
    std::uint32_t place = 0;  // index of this object in recent_
    bool reported = false;    // `event_recorded` was called for it
    std::shared_ptr<order::Variable> variable;  // of a flag or a value
    // Of a flag, in the order of the calls: a wait followed its record; then another record did.
    bool waited = false;
    bool stale = false;
    std::unique_ptr<Shared> shared;  // null: not shared with other processes
    std::vector<Use> waits;          // of a notify: the last wait of each stream
  };
  // Completion ids of ops in graphs index a table of their own.
  static constexpr std::uint32_t kInGraph = 0x8000'0000;
  struct Template {  // an op of a graph
    order::OpInfo op_info;
    bool blocking = false;
  };
  /// A run of a graph: by an op with a completion id, or by a task of another run.
  struct Run {
    order::CompletionId launch = 0;  // 0: by a task
    order::Actor outer = 0;          // of the task: its stream
    order::VectorClock before;       // and the clock of that when the run began
  };
  struct SharedWait {
    order::SharedObject object;
    std::uint64_t generation;
  };
  /// Holds lock_. Takes in deferred callbacks first; with `QuietCalls::left` the holder does so,
  /// before it reads anything that they may change.
  class Entry {
   public:
    enum class QuietCalls { taken, left };
    [[gnu::always_inline]] explicit Entry(Checker& checker, QuietCalls quiet = QuietCalls::taken)
        : checker_(checker) {
      checker_.lock_.lock();
      CheckThread& thread = check_thread();
      thread.touched_nothing = {};
      const bool in_call = !thread.begun.empty();
      if (quiet == QuietCalls::taken || in_call) checker_.take_quiet_calls();
      if (in_call) [[unlikely]]
        checker_.take_begun_call();
    }
    ~Entry() { checker_.lock_.unlock(); }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

   private:
    Checker& checker_;
  };
  /// Defers the thread's callback, which has ended and did nothing the checker has to take in.
  void put_off(CheckThread& thread);

  // All with lock_ held.
  void take_quiet_calls() {
    if (some_quiet_.load(std::memory_order_acquire)) [[unlikely]]
      take_these_quiet_calls();
  }
  void take_these_quiet_calls();
  void take_begun_call();
  order::Engine make_engine();
  std::vector<order::Engine::Begun> begun_calls();
  void begin_call(std::uint32_t completion_id, order::Actor by);
  void end_call(std::uint32_t completion_id, order::Actor by);
  [[gnu::always_inline]] order::Actor host() {
    CheckThread& thread = check_thread();
    if (thread.generation != generation_.load(std::memory_order_relaxed)) [[unlikely]] {
      register_actor(thread);
    }
    return thread.actor;
  }
  void register_actor(CheckThread& thread);
  order::Actor register_actor(const Stream& stream);
  static order::BatchedOps batched(Stream& stream) noexcept {
    return order::BatchedOps(stream.listener_slot);
  }
  [[gnu::always_inline]] order::Actor actor(Stream& stream) {
    const std::uint32_t id = stream.id();
    const std::uint32_t batched = Checker::batched(stream).take();
    if (id >= stream_actors_.size() || stream_actors_[id] == 0) [[unlikely]]
      return register_actor(stream);
    const order::Actor known = stream_actors_[id] - 1;
    if (batched != 0) engine_.went_on(known, batched);
    return known;
  }
  order::Actor actor(std::uint32_t stream_id);
  /// Whether anything was issued to the stream. A query or a wait must not call `actor` where
  /// nothing was: that would order what is issued later after the asking thread.
  bool is_known(const Stream& stream) const noexcept {
    return stream.id() < stream_actors_.size() && stream_actors_[stream.id()] != 0;
  }
  order::OpInfo op_info(const char* what) const;
  order::OpInfo op_info(const Stream& stream, const sim::Op& op, order::Actor actor) const;
  order::OpInfo op_info(const Stream& stream, const char* what, order::Actor actor) const;
  /// Of a call that acts on memory in the order of the stream.
  order::OpInfo in_order_of(const Stream& stream) const;
  /// The stream's next item is issued now; what it accesses may be taken in only later.
  void note_issue(order::Actor to, bool waits = false) {
    if (!group_log_) return;
    if (waits || engine_.is_blocked(to)) group_log_->deferred({to, engine_.last(to) + 1});
  }
  static Attached& attached(sim::Signal& signal);
  /// Null: it was not recorded, or is a flag.
  static order::Node* node_of(const sim::Signal& signal);
  order::Node& new_node(sim::Signal& signal);
  /// The event has been recorded again, with another signal: releases the node of this one.
  void let_go_of_node(sim::Signal& signal);
  void tell_early_wait(const Event& event, const order::OpInfo& record);
  void tell_moved_event(const order::Node& from, const order::Node& to);
  std::shared_ptr<order::Variable> variable(sim::Word& word, const char* name);
  std::shared_ptr<order::Variable> value_at(std::uintptr_t address);
  bool submit_value_write(sim::Op& op, order::Actor actor, const order::OpInfo& op_info);
  bool submit_nothing(Stream& stream, order::Actor actor,
                      const CheckThread::TouchedNothing& before);
  void submit_accesses(Stream& stream, sim::Op& op, order::Actor actor,
                       const CheckThread::TouchedNothing& before);
  void submit_kernel(Stream& stream, sim::Op& op, order::Actor actor,
                     const CheckThread::TouchedNothing& before);
  void submit_observed(sim::Op& op, order::Actor to, const order::OpInfo& what);
  void may_have_used_pointers(const sim::Op& op, std::span<const order::Access> accessed);
  std::vector<order::Access> take_accessed(const sim::Stream& stream, const sim::Op& op);
  void require_written_reads(const order::OpInfo& what, std::span<const order::Access> accessed);
  void observed_kernel_ended(const sim::Stream& stream, const sim::Op& op);
  void submit_copy(const Stream& stream, const sim::Op& op, order::Actor actor);
  void submit_touching(order::Actor to, const order::OpInfo& what,
                       std::span<const order::Access> accesses);
  void start_batch(Stream& stream, const CheckThread::TouchedNothing& before);
  bool submit_wait_at_once(const sim::WaitOp& wait, order::Actor actor);
  [[gnu::always_inline]] void submit_record(sim::Op& op, order::Actor to, order::Actor by,
                                            const order::OpInfo& what);
  [[gnu::always_inline]] void submit_wait(sim::Op& op, order::Actor to, order::Actor by,
                                          const order::OpInfo& what);
  [[gnu::always_inline]] void submit_word_wait(sim::Op& op, order::Actor to, order::Actor by,
                                               const order::OpInfo& what);
  void submit_sync(sim::Op& op, order::Actor actor, const order::OpInfo& op_info);
  void submit_launch(sim::Op& op, order::Actor actor, order::OpInfo op_info);
  /// An operation of another library on its way, by its completion id: that of its last departure.
  struct Operation {
    std::vector<Meeting> meetings;
    std::vector<order::CompletionId> arrivals;  // that have not happened
    std::vector<order::CompletionId> departures;
    std::uint64_t key = 0;  // of a flag that is set
  };
  struct MeetingState {
    std::shared_ptr<order::Variable> arrived;  // counts
    std::uint32_t left = 0;                    // who has not gone on
  };
  MeetingState& state_of(const Meeting& meeting);
  void leave_meeting(const Meeting& meeting);
  const std::shared_ptr<order::Variable>& state_of(const FlagUse& use);
  void submit_flag(sim::Op& op, order::Actor to, const order::OpInfo& what, const FlagUse& use);
  /// False: it is none.
  bool submit_operation(sim::Op& op, order::Actor to, const order::OpInfo& what);
  void arrive(Operation& operation);
  void take_accesses(const sim::Op& op);
  void flag_taken(const sim::Op& op);
  void tell_key(std::uint64_t key, order::Epoch when, const order::VectorClock& known,
                const order::OpInfo& what);
  void tell_taken(std::uint64_t key, order::Epoch when, const order::OpInfo& what);
  void tell_departure(const Meeting& meeting, order::Epoch when, const order::OpInfo& what);
  bool operation_ran_in_graph(const sim::Stream& stream, const sim::Op& op);
  void operation_completed(const sim::Op& op, sim::Failure failure);
  order::OpInfo op_info_in_graph(const sim::Stream& stream, const sim::Op& op) const;
  void keep_buffer(order::Actor to, order::Actor by, const order::OpInfo& what,
                   const order::Access& read);
  /// The stream's last item writes these: the host is to keep away until it is ordered after it.
  void bar_hosts(order::Actor to, const order::OpInfo& what,
                 std::span<const order::Access> accesses) {
    if (guarded_reads_) [[unlikely]]
      guarded_reads_->add(accesses, {to, engine_.last(to)}, what);
  }
  void keep_buffers(order::Actor to, const order::OpInfo& what,
                    std::span<const order::Access> accesses);
  /// Null: the id is of no op in a graph.
  const Template* template_of(std::uint32_t completion_id) const;
  void ran_in_graph(sim::Stream& stream, const sim::Op& op);
  void ran_value_write_in_graph(order::Actor by, const sim::Op& op, const order::OpInfo& what);
  void ran_sync_in_graph(order::Actor actor, const sim::Op& op, const order::OpInfo& op_info);
  bool settled_here(const void* begin, std::size_t size);
  /// False when a finding was added.
  bool require_written(const void* src, std::size_t size, const order::OpInfo& op_info);
  void require_written(std::span<const sim::MemoryRange> ranges, const order::OpInfo& op_info);
  /// Of the reductions among accesses_.
  void require_written_targets(order::Actor to, const order::OpInfo& what);
  bool may_be_written(const void* src, std::size_t size) const;
  void tell_unwritten(const order::OpInfo& what, const order::Access& where, const char* text);
  void settle_buffers() {
    if (!host_buffers_.empty()) settle_buffers(host());
  }
  void settle_buffers(order::Actor by);
  void settle_buffers(const std::function<bool(order::Epoch)>& is_over);
  void tell_changed(const HostBuffers::Buffer& buffer);
  void access(const char* what, std::span<const order::Access> accesses);
  /// Reports what uses a block that its pool has taken back.
  void check_blocks(const order::OpInfo& what, std::span<const order::Access> accesses);
  bool is_live(const void* address) const;
  /// Who released the memory that the address points into; null: it is live, or never was.
  const order::OpInfo* gone(const void* address) const;
  /// Reports the first address that points into freed memory.
  void tell_gone(const order::OpInfo& what, std::span<const order::Access> accesses);
  /// Of a kernel that declares nothing: by the words among its arguments.
  void tell_gone_arguments(order::OpInfo what, const sim::Op& kernel);
  bool tell_if_gone(const order::OpInfo& what, const void* address);
  void join_clock_of(const Waiting& waiting);
  void add(order::Finding&& finding, std::uint64_t times = 1);
  order::Finding without_order(order::Rule rule, order::Epoch earlier) const;
  void describe_memory(order::Finding& finding) const;
  /// What a finding that rests on a guess is worth.
  void weigh_guess(order::Finding& finding) const;
  /// The first launch of a kernel that declares nothing.
  void tell_undeclared(const order::OpInfo& what);
  void tell_redundant_wait();
  void tell_redundant_waits(const order::OpInfo& what, std::uint64_t times);
  void tell_repeated();
  void tell_left_over();
  void take_stack() const;
  void keep_failed_call(std::int32_t code, const char* text);
  void tell_failed_calls();
  void describe_kernel(const sim::KernelRun& run, std::uint32_t block, order::Finding& finding);
  /// No synchronise has taken the failure of the stream away.
  void tell_failed_task(std::uint32_t stream);
  void keep_failure(const sim::Stream& stream, const sim::Op& op);
  void name_failure(order::Finding& finding);
  void tell_unserved_of(const Stream& stream, bool dropped);
  void tell_unpaired(order::Variable& notify, const char* when);
  void keep_wait(sim::Word& word, Use use);
  void finish_group_log();
  // --- waits that never end ---
  struct Stuck {
    std::vector<pid_t> threads;  // in ascending order
    bool any = false;            // one of them waits for the device
    std::uint64_t departures = 0;
  };
  using Deadlocks = std::vector<std::pair<pid_t, order::Finding>>;  // of which thread
  bool tell_if_for_ever(Stream& stream, bool untimed, Waiting& waiting);
  bool tell_now(order::Finding finding);
  order::Engine::Stuck stuck(const BlockedHost& host) const;
  /// The calling thread is; the lock is held.
  void blocked(BlockedHost host);
  void no_longer_blocked(bool reached);
  Stuck stuck_hosts(pid_t self);
  bool tell_deadlocks(pid_t self);
  std::optional<Deadlocks> deadlocks(const Stuck& of);
  void look_at_blocked_hosts();
  [[noreturn]] void look_now_and_then();
  void show_progress();
  bool drops_calls(const Stream& stream, bool blocking) const;
  /// Whether a function that the stream drops was to be served.
  bool was_expected(const sim::Stream& stream) const;
  static const Shared* shared_of(const sim::Op& op);
  void report_end_to_group(const sim::Stream& stream, const sim::Op& op, sim::Failure failure);
  void announce_to_group(const sim::Op& op, const order::OpInfo& op_info, order::Actor actor);
  void report_to_group(const sim::Op& op, const Shared& shared, order::Epoch when,
                       const order::VectorClock& known, const order::OpInfo& op_info);
  /// `own`: the shared object that the thread waits for, where the item is the thread's own.
  bool announce_item(order::Epoch item, const SharedWait* own = nullptr);
  void tell_blocked_waits();
  void tell_places();
  /// The name of a callback in findings, which depends on who serves it; a literal.
  static const char* name_of_call(const Stream& stream, const sim::Op& op);
  void tell_unserved(const order::OpInfo& callback);
  void tell_flag(order::OpInfo op_info);
  void tell_blocking_call();
  std::optional<order::Finding> waits_for_itself(const Stream& stream);
  std::optional<order::Finding> waits_for_its_server(const Stream& stream);
  std::optional<order::Finding> waits_for_stuck(const BlockedHost& host,
                                                const order::Engine::Stuck& stuck) const;

  Runtime& runtime_;
  const CheckConfig config_;
  Findings findings_{config_.group_mailbox};

  // Members that every call reads, next to each other.
  std::unique_ptr<ProcessGroupLog> group_log_;  // null: this process is checked alone
  sim::BiasedLock lock_;
  std::vector<order::Actor> stream_actors_;  // by stream id; 0: none yet, else the actor + 1
  std::uint32_t last_pass_ = 0;
  std::uint32_t next_recent_ = 0;
  // Counts restarts; each gives the threads new actors. Written with quiet_lock_ held.
  std::atomic<std::uint32_t> generation_{1};
  // A kernel of unknown accesses was enqueued, which may write anywhere.
  bool unknown_writers_ = false;
  bool tasks_write_host_ = false;  // a task that writes host memory was enqueued
  HostBuffers host_buffers_;
  std::unique_ptr<GuardedReads> guarded_reads_;  // null: host code is not watched
  order::Engine engine_;

  sim::SpinLock quiet_lock_;  // taken last
  std::atomic<bool> some_quiet_{false};
  std::vector<order::Engine::Call> quiet_calls_;
  std::vector<order::Engine::Call> taken_calls_;  // kept for its capacity
  RepeatedNotes redundant_waits_;
  KernelCensus kernels_;
  FailedCalls failed_calls_;
  struct FailedTask {
    order::OpInfo op_info;
    std::int32_t code = 0;
    std::string text;
    bool program_told = false;
    std::uint64_t when = 0;
  };
  std::unordered_map<std::uint32_t, FailedTask> failed_tasks_;  // the first of each stream
  struct Failure {
    order::OpInfo op_info;
    bool of_all = false;  // all streams of its device stop with it
  };
  std::vector<Failure> failures_;  // the first of each stream, until everything is reset
  std::array<std::shared_ptr<Attached>, 64> recent_;  // of recent records, for reuse
  std::vector<Template> templates_;  // at N - 1 the op with the completion id kInGraph | N
  std::vector<std::weak_ptr<order::Variable>> notifies_;
  std::unordered_map<const Model*, Run> runs_;  // the last one of each
  std::unordered_map<order::CompletionId, Operation> operations_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, MeetingState> meetings_;
  std::map<std::uint64_t, std::shared_ptr<order::Variable>> flags_;  // of other libraries
  std::unordered_map<const Event*, order::OpInfo> waited_early_;
  std::atomic<bool> some_waited_early_{false};  // some were ever: few programs do so
  std::unordered_map<const void*, order::VectorClock> annotations_;
  std::unordered_set<std::uintptr_t> shared_,
      given_;  // allocations; given to kernels that may have used pointers
  std::map<std::uintptr_t, std::size_t> peers_memory_;  // not in this process's own map of memory
  order::CompletionMap<SharedWait> shared_waits_;       // pending ones
  std::unordered_set<const sim::PhysicalMemory*> mapped_again_;  // may hold bytes written earlier
  FreedMemory freed_memory_;
  FreedMemory idle_blocks_;  // of programs' own pools; the memory around them is live
  EndedHandles ended_handles_;
  struct PeerCopy {
    int from, to;  // devices of the machine
    order::Epoch when;
    order::OpInfo op_info;
  };
  std::vector<PeerCopy> peer_copies_;
  std::unordered_set<std::uint64_t> stuck_sites_;  // sites of reported deadlocks
  std::unordered_set<std::uint64_t> shown_sites_;  // of waits that a line of progress was about
  BlockedHosts blocked_hosts_;
  const watch::HostThreads host_threads_;
  sim::Mutex looking_mutex_;
  sim::CondVar looking_;
  bool looks_ = false;                   // there is a thread for it
  bool some_blocked_ = false;            // it may find something
  std::vector<order::Access> accesses_;  // of one call; kept for its capacity
  const Settled settled_ = [this](const void* begin, std::size_t size) {
    return settled_here(begin, size);
  };
  bool ended_ = false;  // what is left alive has been reported
};

inline order::OpInfo Checker::op_info(const char* what) const {
  const ThreadState& thread = thread_state();
  order::OpInfo op_info;
  op_info.what = what ? what : thread.call;
  op_info.site = call_site_of(thread);
  op_info.thread = thread.thread_id;
  if (thread.in_library_call) [[unlikely]]
    op_info.cuda = thread.call[0] == 'c';
  return op_info;
}

inline order::OpInfo Checker::op_info(const Stream& stream, const char* what,
                                      order::Actor actor) const {
  order::OpInfo result = op_info(what);
  result.stream = stream.id();
  result.device = static_cast<std::int16_t>(stream.logical_device());
  result.number = engine_.last(actor) + 1;
  result.on_default_stream = stream.is_default();
  return result;
}

/// The process's checker; null while nothing is checked.
Checker* checker() noexcept;

}  // namespace acl
