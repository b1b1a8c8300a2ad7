// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "acl/acl_rt.h"
#include "device_sim/base/lazy.h"
#include "device_sim/base/mutex.h"
#include "device_sim/base/spin_lock.h"
#include "device_sim/streams/driver.h"
#include "device_sim/streams/host_lane.h"
#include "device_sim/streams/stream.h"
#include "runtime/acl/base/handle_table.h"
#include "runtime/acl/core/stream_order.h"
#include "runtime/acl/core/stream_use.h"
#include "runtime/acl/core/task_sink.h"
#include "runtime/acl/watch/task_facts.h"

namespace acl {

class Context;
class Event;
class Runtime;
class Stream;

using StreamTable = HandleTable<Stream, HandleKind::stream>;

inline constexpr std::uint32_t kLeastPriority = 7;  // 0 is the greatest

/// Attributes of a stream that a program can set and query. They do not affect its tasks.
struct StreamAttributes {
  std::atomic<std::uint32_t> overflow_check{0};
  std::atomic<std::uint32_t> custom_tag{0};
  std::atomic<std::uint32_t> cache_op_info{0};
  std::array<std::atomic<std::uint32_t>, 2> core_limits{};  // by type; 0: as the device
};

/// The thread that serves host functions of a stream: set by the subscribe calls.
struct Subscription {
  std::uint64_t thread_id = 0;
  sim::RefStock<sim::HostLane> lane;  // null: not subscribed
  bool served_by(std::uint64_t thread) const noexcept { return lane && thread_id == thread; }
};

/// The lanes to which a stream sends its host functions.
struct HostCalls {
  sim::Mutex mutex;
  Subscription report GUARDED_BY(mutex);
  Subscription host_func GUARDED_BY(mutex);
  bool used_own_thread GUARDED_BY(mutex) = false;
  sim::RefStock<sim::HostLane> own_lane GUARDED_BY(mutex);  // of the context's own threads
};

/// The task that a thread enqueued last; number 0: none yet.
struct LastTask {
  std::uint32_t stream_id = 0;
  std::uint32_t task_id = 0;
  bool keeps_notes = false;
};

/// An ACL stream: an order of tasks on one device, within one context.
class Stream : public sim::RefCounted<Stream>, public sim::Recycled<Stream, 16> {
 public:
  struct Config {
    std::uint32_t priority = 0;
    std::uint32_t flags = 0;
    bool is_default = false;  // of its context
    StreamHolder holder = {};
  };
  Stream(Runtime& runtime, Context& context, Config config);
  ~Stream();

  Runtime& runtime() const noexcept;
  Context& context() const noexcept { return *context_; }
  int device() const noexcept { return device_; }
  /// The same as the program counts.
  int logical_device() const noexcept;
  std::uint32_t id() const noexcept { return id_; }
  std::uint32_t flags() const noexcept { return config_.flags; }
  const StreamHolder& holder() const noexcept { return config_.holder; }
  bool is_default() const noexcept { return config_.is_default; }
  std::uint32_t priority() const noexcept { return priority_.load(std::memory_order_relaxed); }
  void set_priority(std::uint32_t priority);
  bool stops_on_failure() const noexcept { return stop_on_failure_.load(); }
  StreamAttributes attributes;
  /// True for streams that a model or the device drives: synchronise returns at once.
  bool never_synchronized() const noexcept {
    return (config_.flags &
            (ACL_STREAM_PERSISTENT | ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY)) != 0;
  }

  /// Enqueues; raises the context's error when it stopped on a failure. Returns the sequence
  /// number. Takes over the references of the op. While the stream is redirected its sink gets the
  /// op, and the number is 0. `params`: the task's parameters that a model returns, or null.
  std::uint64_t submit(sim::Op&& op, const aclmdlRITaskParams* params = nullptr,
                       const TaskFacts& facts = {});
  /// Submits to the machine even while the stream is redirected: for ops that no sink may hold.
  /// Notes the enqueuing thread in the op.
  std::uint64_t submit_to_machine(sim::Op& op, const TaskFacts& facts = {});
  /// The calling thread enqueued that task to the machine.
  void note_task(LastTask& last, std::uint64_t sequence) const noexcept {
    last = {id_, static_cast<std::uint32_t>(sequence),
            attributes.cache_op_info.load(std::memory_order_relaxed) != 0};
  }
  /// Tasks go into `sink` from here on; false when they go into another one already.
  bool redirect(std::shared_ptr<TaskSink> sink);
  /// Tasks go to the machine again.
  void redirect_back();
  /// Null while tasks go to the machine.
  std::shared_ptr<TaskSink> sink() const;
  bool redirected() const noexcept { return redirected_.load(std::memory_order_acquire); }
  /// Raises ACL_ERROR_RT_STREAM_CAPTURED while tasks go into a capture.
  void require_not_captured() const;
  /// The stream is part of a model: it runs with it and cannot be destroyed before.
  bool in_model() const noexcept { return in_model_.load(std::memory_order_acquire); }
  void set_in_model(bool in_model) noexcept { in_model_ = in_model; }
  /// The machine's stream. Replaced by an abort; the old one lives as long as this object.
  sim::Stream& core() const noexcept { return *core_.load(std::memory_order_acquire); }
  /// A wait for something that is over was enqueued under this number.
  void note_over_wait(std::uint64_t sequence) noexcept {
    if (over_waits_end_.load(std::memory_order_relaxed) != sequence) {
      over_waits_begin_.store(sequence, std::memory_order_relaxed);
    }
    over_waits_end_.store(sequence + 1, std::memory_order_relaxed);
  }
  /// The task of that number is not over, and only waits that are over come before it in the
  /// stream.
  bool nothing_in_front(std::uint64_t sequence) const noexcept {
    const std::uint64_t head = core().retired() + 1;
    if (head == sequence) return true;
    return over_waits_end_.load(std::memory_order_relaxed) == sequence && head < sequence &&
           head >= over_waits_begin_.load(std::memory_order_relaxed);
  }
  std::uint64_t pending() const noexcept { return core().submitted() - core().retired(); }

  /// Waits for all that was enqueued so far; raises the task error of this stream.
  /// `asked`: the program named this stream; else it is one of many.
  void synchronize(const sim::Deadline& deadline, bool asked = true);
  /// The same for a usable context without listeners, if the calling thread can run the remaining
  /// tasks at once and none fails. False: the caller must synchronise in the usual way.
  bool synchronize_now() {
    if (stopped_.load(std::memory_order_acquire) || never_synchronized()) return false;
    sim::Stream& stream = core();
    const std::uint64_t target = stream.submitted();
    if (stream.retired() < target && !stream.driver().finish_now(stream, target)) return false;
    return !stream.failure() && !stream.abandoned();
  }
  void set_failure_mode(std::uint64_t mode);
  /// Reports to listeners that a call of the program is about to abort or stop it.
  void announce_abort();
  /// Drops the queued tasks and abandons the running one. Calls that wait for the stream fail with
  /// `code`.
  void abort(aclError code = ACL_ERROR_RT_STREAM_ABORT);
  /// True for the first caller, which calls the program's state callbacks.
  bool begins_to_end() noexcept { return !ending_.exchange(true); }
  void stop();
  /// Before `end(true)`: lets the stream's tasks run, up to the first one that waits, or that runs
  /// for 5 s.
  void run_ready_tasks();
  /// Abandons the machine's stream. Callbacks that it has sent and does not wait for are still
  /// served, except with `force`.
  void end(bool force);

  HostCalls& host_calls() { return host_calls_.get(); }
  /// Null: it has had none.
  HostCalls* host_calls_if_any() const noexcept { return host_calls_.if_made(); }
  /// The lane of the context's own threads. Throws sim::MachineError(no_thread) if it has none.
  /// `calls` belong to this stream.
  sim::Ref<sim::HostLane> own_host_lane(HostCalls& calls) const REQUIRES(calls.mutex);
  /// The thread serves callbacks or host functions of the stream.
  bool served_by(std::uint64_t thread) const;
  StreamOrder order;
  std::atomic<std::uint64_t> listener_slot{0};  // a listener's own; the stream never reads it

 private:
  std::uint64_t submit_elsewhere(sim::Op& op, const aclmdlRITaskParams* params,
                                 const TaskFacts& facts);
  std::uint64_t give(sim::Op& op, const TaskFacts& facts);
  std::uint64_t enqueue(const sim::Op& op, const TaskFacts& facts);
  std::uint64_t enqueue_ordered(const sim::Op& op, const TaskFacts& facts);
  sim::Ref<sim::Stream> make_core();
  void replace_core();
  void withdraw_calls(sim::Stream& core);
  [[noreturn]] void raise(sim::Failure failure) const;

  const sim::Ref<Context> context_;
  const int device_;
  const std::uint32_t id_;
  const Config config_;
  std::atomic<std::uint32_t> priority_;
  std::atomic<sim::Stream*> core_{nullptr};
  // The last waits in a row that had nothing to wait for: [begin, end). A hint, not more.
  std::atomic<std::uint64_t> over_waits_begin_{0};
  std::atomic<std::uint64_t> over_waits_end_{0};
  const sim::Ref<sim::Stream> first_core_;
  using Cores = std::vector<sim::Ref<sim::Stream>>;
  std::unique_ptr<Cores> later_cores_;  // one for each abort; the last one is in use;
                                        // guarded by the context's aborts_mutex
  std::atomic<bool> ending_{false};
  std::atomic<aclError> abort_code_{ACL_ERROR_RT_STREAM_ABORT};
  std::atomic<bool> stopped_{false};
  std::atomic<bool> stop_on_failure_{false};
  sim::Lazy<HostCalls> host_calls_;
  std::atomic<bool> redirected_{false};
  std::atomic<bool> in_model_{false};
  mutable sim::SpinLock sink_lock_;
  std::shared_ptr<TaskSink> sink_ GUARDED_BY(sink_lock_);
};

}  // namespace acl
