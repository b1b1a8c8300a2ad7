// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "device_sim/base/clock.h"
#include "device_sim/base/mutex.h"
#include "device_sim/base/spin_lock.h"
#include "device_sim/memory/memory.h"
#include "device_sim/streams/host_lane.h"
#include "device_sim/streams/observer.h"
#include "device_sim/streams/signal.h"
#include "device_sim/streams/stream.h"
#include "device_sim/streams/word.h"

namespace sim {

/// An injected fault of an op, which takes effect instead of or before its run.
struct OpFault {
  Failure failure;           // the op fails with this and does not run
  bool held = false;         // its stream waits before the op runs or fails
  Nanoseconds stall_ns = 0;  // the length of that wait; 0: until the stream is abandoned
};

/// Functions of the interface above that are called while ops run. They are plain functions, which
/// need no allocation and cost nothing when unset.
struct DriverHooks {
  /// Around every kernel, in the thread that runs it (which may be a host thread that helps).
  /// `entered`: the result of enter_kernel. Both are set, or neither.
  void* (*enter_kernel)(void* self, const KernelRun& run) = nullptr;
  void (*leave_kernel)(void* self, void* entered) = nullptr;
  /// The hooks are called for each kernel, even if several kernels of one function run in
  /// succession.
  bool kernels_apart = false;
  /// An op is about to run or to wait. Returns the fault of the op. Called once for each run of an
  /// op.
  OpFault (*op_begins)(void* self, Stream& stream, const Op& op) = nullptr;
  /// An op failed. True: `item` is to run before the op leaves its stream.
  bool (*op_failed)(void* self, Stream& stream, const Op& op, Failure failure, HostLane*& lane,
                    HostLane::Item& item) = nullptr;
  /// An op that has a completion id, or any op of a program, is about to leave its stream. Called
  /// before anything that waits for the op can continue.
  void (*completed)(void* self, Stream& stream, const Op& op, Failure failure) = nullptr;
  /// Around a host function whose op has a completion id, in the thread that runs it.
  void (*enter_call)(void* self, const Stream& stream, std::uint32_t completion_id) = nullptr;
  void (*leave_call)(void* self, const Stream& stream, std::uint32_t completion_id) = nullptr;
  /// The seed alone no longer decides a controlled schedule. Called once.
  void (*diverged)(void* self, const char* reason) = nullptr;
  /// Returns the source location of the call that enqueued op `number` (from 0) of a stream, for a
  /// record of decisions; "" if it is not known. Called with locks of the driver held.
  std::string (*place_of)(void* self, std::uint32_t stream, std::uint64_t number) = nullptr;
  void* self = nullptr;
};

/// Decides which thread moves a stream, and when. Stream defines the order rules.
class Driver {
 public:
  Driver(Memory& memory, const Clock& clock) : memory_(memory), clock_(clock) {}
  virtual ~Driver() = default;
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  /// A stream has become ready: the driver must have it run, without a further call.
  virtual void on_ready(Stream& stream) = 0;
  /// The same, because `first` was submitted to it while it was idle: more may follow at once.
  virtual void on_submitted(Stream& stream, OpWeight /*first*/) { on_ready(stream); }
  /// The op that was submitted last is at the head of the stream, and its time matters. The calling
  /// thread may run it, unless a schedule decides about that.
  virtual void run_now(Stream& /*stream*/) {}
  /// Operations that proceed in steps may have been submitted: the calling thread may run those
  /// steps of the stream that need no wait.
  virtual void nudge(Stream& /*stream*/) {}
  /// A parked stream has a time limit: fail its wait then, if it is still that park.
  virtual void arm_timeout(Ref<Stream> stream, Ref<WaitPoint> point, std::uint64_t park_serial,
                           WaitLimit limit) = 0;
  /// The stream no longer waits under the limit of that park, or of an earlier one. Limits may be
  /// armed late: a park that is over never takes the place of a newer one.
  virtual void disarm_timeout(Stream& stream, std::uint64_t park_serial) = 0;
  using Server = HostLane::Server;
  /// A blocking host function has returned: the stream goes on from the calling thread.
  virtual void host_call_returned(Stream& stream, Failure failure, Server server) = 0;
  /// A stream waits for a word that other parties write too: the driver must call `look_at_words`
  /// soon, and again while it returns true.
  void watch(Word& word);
  bool look_at_words();
  bool watching() const noexcept { return watched_count_.load(std::memory_order_relaxed) != 0; }

  /// The size from which one thread cannot saturate the bandwidth of the memory.
  static constexpr std::size_t kLargeCopy = std::size_t{64} << 20;  // waking a thread pays off
  void copy_large(void* dst, const void* src, std::size_t size);
  /// Calls piece(0) to piece(pieces - 1), each once, and returns when all are over. Idle threads of
  /// the driver, `helpers` at most, may take some. Pieces must not throw.
  virtual void share(std::size_t pieces, int helpers,
                     const std::function<void(std::size_t)>& piece);

  /// A host function is about to be put into a lane. Returns the ticket that is passed to
  /// host_call_over when the function has returned, unless it is a blocking one. Only a controlled
  /// schedule uses this.
  virtual std::uint64_t host_call_posted(HostLane&) { return 0; }
  virtual void host_call_over(std::uint64_t /*ticket*/) {}
  /// The calling thread is about to wait for other threads of the program: for host functions in
  /// `lane`, or for something else that they do (null).
  virtual void before_waiting(const HostLane* /*lane*/) {}
  /// A call of the program begins, or has ended: a controlled schedule may then move streams.
  virtual void yield_point() {}
  virtual void yield_behind() {}
  /// After Stream::abandon: returns once the copy, fill or task that the stream was running is
  /// over. The program may touch or free its memory then. Kernels are not waited for.
  virtual void let_short_op_end(const Stream& /*stream*/) {}
  /// The stream leaves the machine: no list of the driver may hold it any longer.
  virtual void forget(Stream& stream) = 0;

  /// The process is about to end: no thread of the driver starts another kernel, and threads that
  /// run one get a moment to return. Host threads that still synchronise run what they wait for.
  virtual void close() {}

  enum class WaitResult : std::uint8_t { reached, timed_out, abandoned, no_thread };
  /// Waits until `target` ops of the stream have retired. With `may_help` the calling thread may
  /// run kernels of this stream and of the streams that it depends on.
  virtual WaitResult wait(Stream& stream, std::uint64_t target, const Deadline& deadline,
                          bool may_help) = 0;

  /// The same if the calling thread can run the remaining ops at once, including kernels that are
  /// known to be quick. False: it could not run all of them.
  virtual bool finish_now(Stream& /*stream*/, std::uint64_t /*target*/) { return false; }

  /// For a host thread that waits for the progress of streams without `wait`, or polls for it: if
  /// the system refuses threads to the driver, does as much of their work as it can. False when
  /// ready streams have had no thread for long: then the caller shall give up.
  virtual bool stand_in() { return true; }
  /// The reason of the last refusal of a thread.
  virtual std::string thread_refusal() const { return {}; }
  /// The time up to which the caller may sleep before it calls stand_in; `deadline` if that is
  /// earlier.
  virtual Deadline stand_in_at(const Deadline& deadline) const { return deadline; }

  /// The number of host threads that wait for streams now.
  int host_waits() const noexcept { return host_waits_.load(std::memory_order_relaxed); }
  /// A number of the calling thread.
  static std::uint64_t host_thread() noexcept;
  /// The system's numbers of the host threads that sleep now, without a limit, until a stream
  /// progresses.
  std::vector<pid_t> sleeping_threads() const;
  /// The host threads that sleep, without a limit, until that stream or a stream that waits for it
  /// progresses.
  std::vector<std::uint64_t> host_threads_behind(const Stream& stream);

  Memory& memory() const noexcept { return memory_; }
  Nanoseconds now_ns() const noexcept { return clock_.now_ns(); }
  Observer* observer() const noexcept { return observer_.load(std::memory_order_acquire); }
  void set_observer(Observer* observer) noexcept { observer_.store(observer); }
  const DriverHooks& hooks() const noexcept { return hooks_; }
  /// Before the first stream.
  void set_hooks(const DriverHooks& hooks) noexcept { hooks_ = hooks; }
  /// A kernel that takes longer has failed when it returns; 0: no limit.
  Nanoseconds kernel_limit_ns() const noexcept {
    return kernel_limit_ns_.load(std::memory_order_relaxed);
  }
  void set_kernel_limit_ns(Nanoseconds limit) noexcept { kernel_limit_ns_.store(limit); }
  /// Unique numbers by which observers distinguish ops and signals.
  std::uint64_t next_id() noexcept { return ids_.fetch_add(1, std::memory_order_relaxed) + 1; }

 protected:
  /// The result of a wait that can end now; nothing when it must go on.
  static std::optional<WaitResult> outcome(const Stream& stream, std::uint64_t target,
                                           const Deadline& deadline) noexcept {
    if (stream.gave_up(target)) return WaitResult::abandoned;
    if (stream.retired() >= target) return WaitResult::reached;
    if (deadline.passed()) return WaitResult::timed_out;
    return {};
  }

  /// The first word is being watched.
  virtual void watch_started() {}

  /// Around the sleep of a host thread that waits for a stream.
  class HostWait {
   public:
    HostWait(Driver& driver, Stream& stream, bool has_limit) noexcept;
    ~HostWait();
    HostWait(const HostWait&) = delete;
    HostWait& operator=(const HostWait&) = delete;

   private:
    friend class Driver;
    Driver& driver_;
    Stream& stream_;
    const std::uint64_t thread_;
    const pid_t system_number_;  // of the thread; 0: not needed
    const bool has_limit_;
    // Both guarded by the driver's sleeping_lock_.
    HostWait* next_ = nullptr;  // the next wait without a limit
    HostWait** at_ = nullptr;   // the pointer that leads to this wait
  };

 private:
  Memory& memory_;
  const Clock& clock_;
  std::atomic<Observer*> observer_{nullptr};
  DriverHooks hooks_;
  sim::Mutex watched_mutex_;
  std::vector<Ref<Word>> watched_ GUARDED_BY(watched_mutex_);
  std::atomic<std::size_t> watched_count_{0};
  std::atomic<int> host_waits_{0};
  mutable SpinLock sleeping_lock_;
  HostWait* sleeping_ GUARDED_BY(sleeping_lock_) = nullptr;  // without a limit
  std::atomic<Nanoseconds> kernel_limit_ns_{0};
  std::atomic<std::uint64_t> ids_{0};
};

}  // namespace sim
