// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "device_sim/base/biased_lock.h"
#include "device_sim/base/spin_lock.h"
#include "device_sim/streams/driver.h"
#include "runtime/acl/base/check_config.h"
#include "runtime/acl/check/check_thread.h"
#include "runtime/acl/check/process_group_log.h"
#include "runtime/acl/check/findings.h"
#include "runtime/acl/check/freed_memory.h"
#include "runtime/acl/check/host_buffers.h"
#include "runtime/acl/check/op_accesses.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/watch/listener.h"
#include "runtime/order/engine.h"
#include "runtime/order/batched_ops.h"

namespace sim {
class Signal;
class Word;
class PhysicalMemory;
struct MemoryRange;
struct Op;
}

namespace acl {

class Event;
class Model;
class Runtime;
class Stream;

/// Tells the order engine what the program does, in terms of streams, events and memory. There is
/// one while `check` is on; whoever calls in here holds no lock that a hook of the machine may want.
class Checker final : public watch::Listener {
 public:
  Checker(Runtime& runtime, const CheckConfig& config);
  ~Checker() override;

  /// The calling thread ends.
  void thread_ends();

  // --- calls ---
  void call_failed(std::int32_t code, const char* text) override;
  void misused(watch::Misuse misuse, const std::string& text) override;
  void no_memory_found(const void* address, const char* argument) override;

  // --- tasks ---
  // The most common case, without a call: an op of a row that the thread need not report.
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
  /// The program says that it uses the bytes for something else from here on.
  void reused(const void* begin, std::size_t size, bool host);

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
  void record_announced(Stream& launcher, sim::Signal& signal) override;
  void recorded_in_run(const sim::Stream& branch, sim::Signal& signal) override;
  void waited_in_run(const sim::Stream& branch, sim::Signal& signal) override;

  // --- hooks of the machine ---
  void completed(sim::Stream& stream, const sim::Op& op, sim::Failure failure);
  void enter_call(const sim::Stream& stream, std::uint32_t completion_id);
  void leave_call(const sim::Stream& stream, std::uint32_t completion_id);

  // --- the process ---
  void finalizing() override { report_alive(nullptr); }
  /// What is left over is reported, reports are written.
  void process_ends() override;
  void restarting() override;
  Findings& findings();

 private:
  void submit(Stream& stream, sim::Op& op, CheckThread::TouchedNothing before);
  /// What is still alive is reported. `what`: who says so; null: the call that the thread is in.
  void report_alive(const char* what);
  /// Reports a rule that a call finds broken. `title`: a literal; empty: the title of the rule.
  void tell(order::Rule rule, std::string text, std::string_view title = {});

  /// What is known at the beginning of a wait of a host thread.
  struct Waiting {
    std::uint32_t issued = 0;
    order::Actor stream = 0;
    bool reported = false;     // the call will never return, which has been reported
    bool over = false;         // all of it happens before already: there is no clock to join
    bool asked = true;         // the program named this stream; else it is one of many
    bool announced = false;    // to the other processes
  };
  void begin_wait(Stream& stream, bool asked, Waiting& waiting);
  /// True when the call will never return, which has been reported.
  bool begin_wait(sim::Signal& signal);
  void synchronized(sim::Signal& signal);
  void synchronized(sim::Word& word, std::uint64_t number);
  /// The calling thread begins to wait for what cannot be over before another process did its part:
  /// true when that was reported, and `goes_on` is to follow.
  bool announce(Stream& stream);
  bool announce(sim::Signal& signal);
  bool announce(sim::Word& word, std::uint64_t number);
  void goes_on();
  void waited(Stream& stream, sim::Word& word, std::uint64_t number);
  void waited_for_nothing(const Event& event, Stream& stream);

  /// A number in a page that other processes may have too. `records`, `waits`: count what happens
  /// to a notify, in the same page; null: an event, whose records have numbers.
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
  /// What hangs on a signal or a word.
  struct Attached {
    Attached() noexcept {}  // NOLINT: where it is defaulted, make_shared writes all zeros first
    order::Node node;                           // of its record
    bool recorded = false;                      // the node is one
    std::uint32_t place = 0;                    // of that, in recent_
    bool reported = false;                      // `recorded` was called for it
    std::shared_ptr<order::Variable> variable;  // of a flag or a number
    // Of a flag, in the order of the calls: waited for since its record; recorded once more then.
    bool waited = false;
    bool stale = false;
    std::unique_ptr<Shared> shared;  // null: nobody else has it
    std::vector<Use> waits;          // of a notify: each stream's last one
  };
  // Completion ids of ops in graphs index a table of their own.
  static constexpr std::uint32_t kInGraph = 0x8000'0000;
  struct Template {  // an op of a graph
    order::OpInfo op_info;
    bool blocking = false;
  };
  struct SharedWait {
    order::SharedObject object;
    std::uint64_t generation;
  };
  /// Holds lock_. Callbacks that were put off are taken in first, so nobody sees the difference; or
  /// the holder does so before it reads anything that they may change.
  class Entry {
   public:
    enum class QuietCalls { taken, left };
    [[gnu::always_inline]] explicit Entry(Checker& checker, QuietCalls quiet = QuietCalls::taken)
        : checker_(checker) {
      checker_.lock_.lock();
      CheckThread& thread = check_thread();
      thread.touched_nothing = {};
      const bool in_call = thread.begun_call != 0;
      if (quiet == QuietCalls::taken || in_call) checker_.take_quiet_calls();
      if (in_call) [[unlikely]] checker_.take_begun_call();
    }
    ~Entry() { checker_.lock_.unlock(); }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

   private:
    Checker& checker_;
  };
  /// A callback ended that did nothing that matters here, on the thread with the actor.
  void put_off(std::uint32_t completion_id, order::Actor by, std::uint32_t generation);

  // All with lock_ held.
  void take_quiet_calls() {
    if (some_quiet_.load(std::memory_order_acquire)) [[unlikely]] take_these_quiet_calls();
  }
  void take_these_quiet_calls();
  void take_begun_call();
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
  order::OpInfo op_info(const char* what) const;
  order::OpInfo op_info(const Stream& stream, const sim::Op& op, order::Actor actor) const;
  order::OpInfo op_info(const Stream& stream, const char* what, order::Actor actor) const;
  static Attached& attached(sim::Signal& signal);
  /// Null: it was not recorded, or is a flag.
  static order::Node* node_of(const sim::Signal& signal);
  order::Node& new_node(sim::Signal& signal);
  /// The event has been recorded again, with another signal.
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
  void submit_copy(const Stream& stream, const sim::Op& op, order::Actor actor);
  void submit_touching(order::Actor to, const order::OpInfo& what,
                       std::span<const order::Access> accesses);
  void start_batch(Stream& stream, const CheckThread::TouchedNothing& before);
  bool submit_wait_at_once(const sim::WaitOp& wait, order::Actor actor);
  void submit_record(sim::Op& op, order::Actor to, order::Actor by, const order::OpInfo& what);
  void submit_wait(sim::Op& op, order::Actor to, order::Actor by, const order::OpInfo& what);
  void submit_word_wait(sim::Op& op, order::Actor to, order::Actor by, const order::OpInfo& what);
  void submit_sync(sim::Op& op, order::Actor actor, const order::OpInfo& op_info);
  void submit_launch(sim::Op& op, order::Actor actor, order::OpInfo op_info);
  void keep_buffer(order::Actor to, order::Actor by, const order::OpInfo& what,
                   const order::Access& read);
  void keep_buffers(order::Actor to, const order::OpInfo& what,
                    std::span<const order::Access> accesses);
  /// Null: the id is of no op in a graph.
  const Template* template_of(std::uint32_t completion_id) const;
  void ran_in_graph(sim::Stream& stream, const sim::Op& op);
  void ran_value_write_in_graph(order::Actor by, const sim::Op& op, const order::OpInfo& what);
  void ran_sync_in_graph(order::Actor actor, const sim::Op& op, const order::OpInfo& op_info);
  bool settled_here(const void* begin, std::size_t size);
  /// False when that was reported.
  bool require_written(const void* src, std::size_t size, const order::OpInfo& op_info);
  void require_written(std::span<const sim::MemoryRange> ranges, const order::OpInfo& op_info);
  void settle_buffers() {
    if (!host_buffers_.empty()) settle_buffers(host());
  }
  void settle_buffers(order::Actor by);
  void tell_changed(const HostBuffers::Buffer& buffer);
  void access(const char* what, std::span<const order::Access> accesses);
  /// Reports what uses a block that its pool has taken back.
  void check_blocks(const order::OpInfo& what, std::span<const order::Access> accesses);
  void join_clock_of(const Waiting& waiting);
  void add(order::Finding&& finding, std::uint64_t times = 1);
  void describe_memory(order::Finding& finding) const;
  void tell_redundant_wait();
  void tell_redundant_waits(const order::OpInfo& what, std::uint64_t times);
  void tell_repeated();
  void tell_left_over();
  void tell_unpaired(order::Variable& notify, const char* when);
  void keep_wait(sim::Word& word, Use use);
  void finish_group_log();
  bool tell_if_for_ever(Stream& stream, order::Actor actor);
  bool tell_now(order::Finding finding);
  static const Shared* shared_of(const sim::Op& op);
  void report_end_to_group(const sim::Stream& stream, const sim::Op& op, sim::Failure failure);
  void announce_to_group(const sim::Op& op, const order::OpInfo& op_info, order::Actor actor);
  void report_to_group(const sim::Op& op, const Shared& shared, order::Epoch when,
                       const order::VectorClock& known, const order::OpInfo& op_info);
  /// `own`: what the thread itself waits for, where the item is its own.
  bool announce_item(order::Epoch item, const SharedWait* own = nullptr);
  void tell_blocked_waits();
  void tell_places();
  /// Who is to serve the call; a literal.
  static const char* name_of_call(const Stream& stream, const sim::Op& op);
  void tell_unserved(const order::OpInfo& callback);
  void tell_flag(order::OpInfo op_info);
  void tell_blocking_call();
  std::optional<order::Finding> waits_for_itself(const Stream& stream);
  std::optional<order::Finding> waits_for_its_server(const Stream& stream);
  std::optional<order::Finding> waits_for_stuck(const order::Engine::Stuck& stuck);

  Runtime& runtime_;
  const CheckConfig config_;
  Findings findings_{config_.group_folder};

  // What every call reads lies together.
  std::unique_ptr<ProcessGroupLog> group_log_;  // null: other processes do not matter
  sim::BiasedLock lock_;
  std::vector<order::Actor> stream_actors_;  // by stream id; 0: none yet, else the actor + 1
  std::uint32_t last_pass_ = 0;
  std::uint32_t next_recent_ = 0;
  // Counts resets: threads get new actors then. Changes with quiet_lock_.
  std::atomic<std::uint32_t> generation_{1};
  bool unknown_writers_ = false;  // a kernel of which nothing is known: it may have written anywhere
  bool tasks_write_host_ = false;  // some have done so
  HostBuffers host_buffers_;
  order::Engine engine_;

  sim::SpinLock quiet_lock_;  // taken last
  std::atomic<bool> some_quiet_{false};
  std::vector<order::Engine::Call> quiet_calls_;
  std::vector<order::Engine::Call> taken_calls_;  // kept for its room
  RepeatedNotes redundant_waits_;
  std::array<std::shared_ptr<Attached>, 64> recent_;  // of records, to be used again
  std::vector<Template> templates_;  // by the rest of the completion id, from 1
  std::vector<std::weak_ptr<order::Variable>> notifies_;
  std::unordered_map<const Model*, order::CompletionId> launches_;
  std::unordered_map<const Event*, order::OpInfo> waited_early_;
  std::unordered_map<const void*, order::VectorClock> annotations_;
  std::unordered_set<std::uintptr_t> shared_;
  order::CompletionMap<SharedWait> shared_waits_;                // that are not over
  std::unordered_set<const sim::PhysicalMemory*> mapped_again_;  // what it holds is not known
  FreedMemory freed_memory_;
  FreedMemory idle_blocks_;  // of programs' own pools; the memory around them is live
  struct PeerCopy {
    int from, to;  // devices of the machine
    order::Epoch when;
    order::OpInfo op_info;
  };
  std::vector<PeerCopy> peer_copies_;
  std::unordered_set<std::uint64_t> stuck_sites_;  // that were reported
  std::vector<order::Access> accesses_;  // of one call; kept for its room
  const Settled settled_ = [this](const void* begin, std::size_t size) {
    return settled_here(begin, size);
  };
  bool ended_ = false;                   // what is left alive has been reported
};

/// The process's checker; null while nothing is checked.
Checker* checker() noexcept;

}  // namespace acl
