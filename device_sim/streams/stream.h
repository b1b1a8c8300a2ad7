// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "device_sim/base/recycled.h"
#include "device_sim/base/ref.h"
#include "device_sim/base/spin_lock.h"
#include "device_sim/streams/op_queue.h"
#include "device_sim/streams/program.h"
#include "device_sim/streams/signal.h"

namespace sim {

class Driver;
class HostLane;
class Parker;
class ReadyList;

/// When the wait of a parked stream ends at the latest.
struct WaitLimit {
  WaitLimit(std::uint64_t nanoseconds, bool only_looks = false) noexcept
      : ns(nanoseconds), looks(only_looks) {}
  std::uint64_t ns;  // 0: never
  bool looks;        // the op looks why it waits, and mostly goes on waiting
};

/// The wait of a stream that nothing but another party can let go on.
struct Parked {
  Ref<WaitPoint> point{};  // null: a host function
  bool in_call = false;    // the host function runs, or a failure is being reported
  bool limited = false;    // the wait ends by itself, or its op looks from time to time
  OpKind kind = OpKind::host_call;
  std::uint32_t completion_id = 0;  // of the op; 0 for a host function
  Ref<Control> control{};           // of a control op
};

/// A host thread that sleeps until a stream has come far enough. Lives on that thread's stack.
struct HostWaiter {
  Parker* parker = nullptr;
  std::uint64_t target = 0;  // how many ops must have retired
  bool may_help = false;     // can be woken to run the next op itself
  std::atomic<bool> released{false};
  HostWaiter* next = nullptr;
};

/// Streams that fail together: once one of them that stops on failure has failed, the domain has.
class FailureDomain : public RefCounted<FailureDomain> {
 public:
  void fail(Failure failure) noexcept {
    std::uint64_t none = 0;
    failure_.compare_exchange_strong(none, failure.pack());
  }
  Failure failure() const noexcept {
    return Failure::unpack(failure_.load(std::memory_order_acquire));
  }
  bool failed() const noexcept { return failure_.load(std::memory_order_acquire) != 0; }

 private:
  std::atomic<std::uint64_t> failure_{0};
};

/// An ordered queue of ops and the rules by which it moves. At most one thread at a time, the
/// owner, moves it; between `idle`, `ready`, `running` and `parked` there is always exactly one
/// party that may make the next transition:
///
///   idle    -> ready     the thread that submits
///   ready   -> running   any driver thread that takes it (`try_own`)
///   running -> idle, parked or ready   the owner
///   parked  -> ready     the thread that completes the wait of the stream
///
/// No function of the class blocks, sleeps or starts a thread.
///
/// It has more than 60 functions, since it is one state machine: each transition touches the state,
/// the queue and the failure together, in the measured order of their cache lines.
class Stream : public RefCounted<Stream>, public Recycled<Stream, 16> {
  /// A program that the stream runs, and its position there.
  struct Frame {
    Ref<Program> program;
    Ref<DeferredReports> deferred;  // null: each op is reported
    OwnedOp* at = nullptr;
    OwnedOp* end = nullptr;
    Nanoseconds start_ns = 0;  // of the control op that entered it
  };

 public:
  enum class State : std::uint8_t { idle, ready, running, parked };

  struct Config {
    std::uint32_t id = 0;
    int device = 0;
    int priority = 0;  // 0 is the most urgent of 8
    Ref<FailureDomain> domain;
  };

  Stream(Driver& driver, Config config);
  ~Stream();

  // --- any thread ---

  /// Appends an op; returns its sequence number, counted from 1.
  std::uint64_t submit(const Op& op);
  /// The same in two parts, for callers that know that no observer is registered, and for an op
  /// that `make` constructs in place; not for changes of words. Returns 0, and does nothing, if the
  /// push would take longer than usual. Otherwise the references of the op pass to the stream, and
  /// the caller must call `leave_idle` if the stream idles.
  template <class Make>
  std::uint64_t try_enqueue(const Make& make) noexcept {
    return queue_.try_push(make);
  }
  bool idles() const noexcept { return state_.load(std::memory_order_seq_cst) == State::idle; }
  /// `first`: the op that ended it.
  void leave_idle(OpWeight first);
  std::uint64_t submitted() const noexcept { return queue_.pushed(); }
  /// The number of ops that have left the stream.
  std::uint64_t retired() const noexcept { return retired_.load(std::memory_order_seq_cst); }
  bool drained() const noexcept { return retired() >= submitted(); }
  State state() const noexcept {
    const State state = state_.load(std::memory_order_seq_cst);
    return state == State::running && awaits_call_.load(std::memory_order_acquire) ? State::parked
                                                                                   : state;
  }

  /// Returns and clears the first failure since the last call.
  Failure take_failure() noexcept;
  Failure failure() const noexcept {
    return Failure::unpack(failure_.load(std::memory_order_acquire));
  }
  /// From now on a failure drops all later ops and makes the domain fail.
  void stop_on_failure() noexcept { stop_on_failure_.store(true, std::memory_order_release); }
  bool stops_on_failure() const noexcept {
    return stop_on_failure_.load(std::memory_order_acquire);
  }
  /// A failure has stopped the stream: its remaining ops are dropped.
  bool stopped_by_failure() const noexcept { return dropping_.load(std::memory_order_relaxed); }
  void record_failure(Failure failure) noexcept;
  /// The same for a host function that the stream did not wait for: its op has retired already.
  void fail_detached(std::uint32_t task_id, std::uint32_t thread_id, Failure failure);

  /// Abandons the stream. Queued ops are dropped and their signals complete as aborted. A running
  /// op continues, but no thread waits for it. No op may be submitted to the stream afterwards.
  void abandon();
  /// After `abandon`: also drops the host functions in `lane` that have not begun.
  void withdraw(HostLane& lane);
  bool abandoned() const noexcept { return abandoned_.load(std::memory_order_seq_cst); }
  /// True when the op of that number had not left when the stream was abandoned.
  bool gave_up(std::uint64_t sequence) const noexcept {
    return abandoned() && abandoned_at_.load(std::memory_order_relaxed) < sequence;
  }

  /// False when the target is already reached (the waiter is then not kept).
  bool add_waiter(HostWaiter& waiter) noexcept;
  void remove_waiter(HostWaiter& waiter) noexcept;
  /// Wakes one sleeping host thread that may run the stream's next op. False if none sleeps.
  bool wake_helper() noexcept;
  bool has_waiters() const noexcept { return has_waiters_.load(std::memory_order_seq_cst); }

  /// The wait point of the parked stream; null if it is not parked on a wait point. `timed`:
  /// whether the wait has a time limit.
  Ref<WaitPoint> parked_on(bool* timed = nullptr) const noexcept;
  /// The wait of the stream. Nothing if the stream runs, may run, or is about to: its wait is over.
  std::optional<Parked> at_rest() const;
  /// True while a host function of the stream, or the report of a failure, runs.
  bool in_host_call() const noexcept { return in_host_call_.load(std::memory_order_acquire); }
  /// True while a kernel of the stream runs.
  bool in_kernel() const noexcept { return in_kernel_.load(std::memory_order_seq_cst); }
  /// The name of the kernel that runs, or ran last; null: none has.
  const char* kernel_name() const noexcept { return kernel_name_.load(std::memory_order_relaxed); }
  void host_call_started() noexcept { in_host_call_.store(true, std::memory_order_release); }

  Driver& driver() const noexcept { return driver_; }
  std::uint32_t id() const noexcept { return config_.id; }
  int device() const noexcept { return config_.device; }
  int priority() const noexcept { return priority_.load(std::memory_order_relaxed); }
  /// Takes effect when the stream becomes ready the next time.
  void set_priority(int priority) noexcept { priority_.store(priority, std::memory_order_relaxed); }
  FailureDomain* domain() const noexcept { return config_.domain.get(); }

  /// For a driver that checks streams periodically. Notes the progress of this stream, unless it
  /// was noted since check number `look`.
  void note_progress(std::uint8_t look) noexcept {
    if (noted_look_.load(std::memory_order_relaxed) == look) return;
    noted_look_.store(look, std::memory_order_relaxed);
    noted_submitted_.store(static_cast<std::uint16_t>(submitted()), std::memory_order_relaxed);
    noted_retired_.store(static_cast<std::uint16_t>(retired()), std::memory_order_relaxed);
  }
  /// At check number `look`: true when no op has ended since progress was noted, and either no op
  /// was submitted or ops were submitted at `most` consecutive checks. If two threads check at the
  /// same time, either answer is acceptable.
  bool is_settled(std::uint8_t look, int most) noexcept {
    const auto moved = [](const std::atomic<std::uint16_t>& noted, std::uint64_t now) {
      return noted.load(std::memory_order_relaxed) != static_cast<std::uint16_t>(now);
    };
    const bool runs = moved(noted_retired_, retired());
    const int looks = runs ? 0 : looks_.load(std::memory_order_relaxed) + 1;
    const bool settled = !runs && (!moved(noted_submitted_, submitted()) || looks >= most);
    looks_.store(static_cast<std::uint8_t>(settled ? 0 : looks), std::memory_order_relaxed);
    note_progress(look);
    return settled;
  }

  // --- order rules, for drivers ---

  /// ready -> running. True: the caller is now the owner.
  bool try_own() noexcept {
    State ready = State::ready;
    return state_.load(std::memory_order_seq_cst) == State::ready &&
           state_.compare_exchange_strong(ready, State::running);
  }

  enum class Step : std::uint8_t {
    moved,   // an op left the stream
    kernel,  // the head is a kernel: `run_kernel`, or give the stream to a thread that may
    parked,  // the stream waits; the caller no longer owns it
    idle,    // nothing is left; the caller no longer owns it
  };
  /// Owner only: moves the stream by one op.
  Step step();
  /// Owner only: the same by up to `most` ops, as long as they are short and need not be reported
  /// one by one.
  Step step_row(std::uint64_t most);
  /// Owner only: the head is a control op outside of programs that `step` would not wait for.
  bool head_is_prepared();
  /// Owner only: if the ops up to number `target` are short copies and fills only, runs them and
  /// lets go of the stream. False: the caller is still the owner and continues with `step`.
  bool finish_short(std::uint64_t target);
  /// Owner only: runs the kernel at the head. `parked` when its failure must first be reported. A
  /// kernel that ends its thread has failed, and the stream is let go before the thread ends.
  Step run_kernel() { return run_kernels(1); }
  /// The same, and then up to `most` - 1 kernels that follow directly and call the same function.
  /// Hooks are called once for all of them. For functions that return quickly.
  Step run_kernels(std::uint64_t most);
  /// The halves of run_kernel, for a driver that runs the kernel elsewhere.
  /// The next op, or null. Owner only.
  Op* head() noexcept { return frames_.empty() ? queue_.front() : head_in_program(); }
  /// The label of the innermost program that the stream is in and that has one; 0: none. Owner
  /// only, hence also for observers of `started` and `finished`.
  std::uint32_t program_label() const noexcept;
  /// Owner only: the head is an op of a program.
  bool in_program() const noexcept { return !frames_.empty(); }
  /// Owner only, `in_program`: of the innermost one.
  DeferredReports* deferred_reports() const noexcept { return frames_.back().deferred.get(); }
  /// True when the remaining ops of the stream will be dropped instead of run.
  bool dropping() const noexcept {
    return dropping_.load(std::memory_order_relaxed) | abandoned();  // mostly neither
  }
  /// Owner only: the op at the head begins now, for a driver whose clock moves before `step`.
  void begin_head();
  Failure execute_kernel();
  Step finish_kernel(Failure failure);
  /// Owner only: running -> ready, for another owner.
  void yield();
  /// Owner only: running -> idle when nothing is left, else as `yield`.
  void let_go();
  /// parked on a host function -> running: the caller becomes the owner; the function's op retires.
  /// `parked`, and not the caller's, when its failure must first be reported.
  Step host_call_returned(Failure failure);
  /// parked -> ready, called by the thread that completed the wait.
  void release_from_wait();
  /// parked -> running after `WaitPoint::unpark`: the wait fails and the caller becomes the owner.
  /// `parked`, and not the caller's, when the failure must first be reported.
  Step fail_wait(Failure failure);

 private:
  static constexpr int kMostUnannounced = 16;
  static constexpr std::size_t kShortBytes = std::size_t{64} << 10;  // a few microseconds

  friend class WaitPoint;
  friend class Word;
  friend class ReadyList;

  bool go_idle() noexcept;
  void drop_rest();
  void hold_memory();
  void release_memory();
  Op* head_in_program() noexcept;
  void retire_in_program() noexcept;
  void enter(Ref<Program> program, std::size_t index, Ref<DeferredReports> deferred);
  void leave_program();
  template <class TryPark>
  bool park_at(WaitPoint& point, WaitLimit limit, TryPark try_park);
  bool may_step_row() const noexcept;
  /// Hooks want to know of its end.
  static bool is_told(const Op& op) noexcept { return op.completion_id != 0; }
  /// The same while the hook for that is set. An operation of a program is reported unless its
  /// number says otherwise.
  bool is_reported(const Op& op) const noexcept {
    return op.completion_id != Op::kUnreported && (op.completion_id != 0 || !frames_.empty());
  }
  bool run_in_row(Op& op);
  void run_short(const Op& op);
  void release_wait(Op& op) noexcept;
  void pop_in_row() noexcept;
  bool meet_fault(Op& op, Step& step);
  Step step_control(Op& op);
  void copy(const CopyOp& copy);
  Step step_word_wait(Op& op);
  Step step_wait(Op& op);
  Step step_host_call(Op& op);
  std::uint64_t call_kernel();
  bool may_run_row() noexcept;
  template <bool kInProgram>
  std::uint64_t call_row(std::uint64_t most);
  KernelRun run_of(const Op& op) const noexcept;
  template <bool kInProgram>
  Op* next_in_row(KernelEntry entry, const void* function) noexcept;
  void retire_plainly(Op& op);
  Step fail_head(Op& op, Failure failure);
  void tell_before(const Op& op);
  void tell_after(const Op& op, const Failure& failure);
  void tell(const Op& op, const Failure& failure);
  bool defer_report() noexcept;
  void retire(Op& op, const Failure& failure);
  void drop_head(Op& op);
  static bool is_short(const Op& op) noexcept;
  void begin(const Op& op);
  void publish_retired(OpKind kind) noexcept;
  void announce() noexcept;
  void notify_waiters() noexcept;
  void wake_all_waiters() noexcept;
  void set_parked_on(WaitPoint* point, bool timed = false, const Op* op = nullptr) noexcept;
  void leave_park();

  // Rarely used members fill the cache line of the reference count.
  const Config config_;
  Ref<WaitPoint> stall_point_;  // owner: what an injected fault parks the head on
  Failure held_failure_;        // owner: what the head fails with afterwards, or nothing

  OpQueue queue_;

  // Submitters read this cache line; the owner writes the next one with every op.
  alignas(64) std::atomic<State> state_{State::idle};
  std::atomic<bool> has_waiters_{false};
  std::atomic<bool> abandoned_{false};
  std::atomic<bool> holds_memory_{false};  // freed memory is kept for the op that still runs
  std::atomic<bool> stop_on_failure_{false};
  std::atomic<bool> dropping_{false};           // everything that is left is skipped
  std::atomic<std::uint64_t> abandoned_at_{0};  // how many ops had left by then
  std::atomic<std::uint64_t> failure_{0};
  Driver& driver_;

  alignas(64) std::atomic<std::uint64_t> retired_{0};
  std::vector<Frame> frames_;  // owner: inside programs, the innermost last
  int unannounced_ = 0;        // owner: ops retired since the last announce
  // Parked until a host function has returned. Apart from state_, which submitters read with every
  // op.
  std::atomic<bool> awaits_call_{false};
  bool head_begun_ = false;  // owner: the observer knows that the head began
  bool head_asked_ = false;  // owner: op_begins was called for the head
  bool timed_park_ = false;  // the park has a time limit
  bool set_free_ = false;    // the wait at the head is over, even if its signal was reset
  bool returned_ = false;    // the control op at the head is back from a program
  Failure head_failure_;     // owner: of a head that is parked until its failure is reported
  std::uint64_t head_start_ns_ = 0;  // owner
  std::uint64_t park_serial_ = 0;    // counts parks; guarded by the wait point's lock
  WordTest word_test_;  // the condition of its wait for a word; guarded by the word's lock

  std::atomic<int> priority_;
  mutable SpinLock lock_;
  WaitPoint* parked_on_ GUARDED_BY(lock_) = nullptr;
  bool parked_timed_ GUARDED_BY(lock_) = false;
  const Op* parked_op_ GUARDED_BY(lock_) = nullptr;  // the head; null: not parked
  std::atomic<bool> in_host_call_{false};
  std::atomic<bool> in_kernel_{false};
  std::atomic<const char*> kernel_name_{nullptr};
  std::atomic<std::uint8_t> looks_{0};       // driver: at the stream while it is fresh
  std::atomic<std::uint8_t> noted_look_{0};  // driver: after which progress was noted
  HostWaiter* waiters_ GUARDED_BY(lock_) = nullptr;

  Stream* next_parked_ = nullptr;  // in a WaitPoint's list
  Stream* next_ready_ = nullptr;   // in a driver's ready list
  Stream* previous_ready_ = nullptr;
  int ready_level_ = 0;  // its priority when it was put there; guarded by the list
  std::atomic<std::uint16_t> noted_submitted_{0};  // driver: these two, modulo 65,536
  std::atomic<std::uint16_t> noted_retired_{0};
  std::atomic<ReadyList*> ready_list_{nullptr};  // the list that contains the stream
};

}  // namespace sim
