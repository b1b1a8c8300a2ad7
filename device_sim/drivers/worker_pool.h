// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "device_sim/base/system_config.h"
#include "device_sim/drivers/ready_list.h"

namespace sim {

/// Threads that run ready streams. They sleep while no stream is ready; while streams are active,
/// one of them checks the lists every 100 us (the patrol). If kernels hold all workers, so that
/// ready streams find none for some milliseconds, one more thread joins.
class WorkerPool {
 public:
  class Runner {
   public:
    /// Moves a stream that the calling worker owns as far as possible, or until the pool is
    /// `closing`.
    virtual void run(Stream& stream) = 0;
    /// The same up to a kernel, in a thread that does not belong to the pool.
    virtual void run_up_to_kernel(Stream& stream) = 0;

   protected:
    ~Runner() = default;
  };

  WorkerPool(const SystemConfig& config, Runner& runner);
  ~WorkerPool();

  /// Lists a stream that a worker shall run at the next check of the lists.
  void push(Stream& stream) { device(stream).ready.push(stream); }
  /// Lists a stream that a worker shall run after a patrol finds that, since the last patrol, no op
  /// of the stream has ended and none was submitted; or that none has ended for a few patrols.
  void push_fresh(Stream& stream) {
    stream.note_progress(look_.load(std::memory_order_relaxed));
    device(stream).fresh.push_unlisted(stream);
  }
  /// Whether a worker finds something else to run on that device now.
  bool any_ready(const Stream& stream) { return !device(stream).ready.empty(); }
  /// After a push: makes sure that a worker will check the lists.
  void wake() {
    if (!awake()) ring();
  }
  /// A worker will check the lists without a call of wake.
  bool awake() const noexcept { return awake_.load(std::memory_order_seq_cst); }
  /// Wakes one free worker for each ready stream. True when it woke at least one and no worker is
  /// free afterwards.
  bool call_workers();

  /// The number of threads that the pool has or will have.
  int size() const noexcept { return pool_size_; }
  /// Calls the function in a thread of the pool at some later time.
  void lend(std::function<void()> function);

  /// Calls the function in a thread of the pool after that time, unless the timer has gone.
  using Timer = std::shared_ptr<void>;
  Timer after(std::chrono::nanoseconds time, std::function<void()> function);

  /// True while the system refuses threads that the pool wants.
  bool short_of_threads() const noexcept { return short_.load(std::memory_order_relaxed); }
  /// For a thread that waits for streams while the pool is short of threads: tries to start them,
  /// and does the part of their work that takes little time: timers, and streams up to their next
  /// kernel. It runs no kernel, because a kernel may need a later kernel. False when ready streams
  /// have had no thread for so long that the caller shall give up.
  bool stand_in();
  /// The system's error message.
  std::string refusal() const;

  /// Makes workers start no further op, and waits briefly for the workers that run one.
  void close();
  bool closing() const noexcept { return closing_.load(std::memory_order_relaxed); }
  /// Ends the threads.
  void stop();

 private:
  struct Device {
    ReadyList ready;                      // to be run as soon as a worker looks
    ReadyList fresh;                      // left first to the thread that submits or waits
    std::atomic<int> active{0};           // workers on this device
    std::atomic<std::uint64_t> taken{0};  // streams that workers took, to see a stall
    std::uint64_t taken_before = kNever;  // patrol only
    std::chrono::steady_clock::time_point stuck_since;  // patrol only
    int stuck_looks = 0;                                // patrol only
    std::uint64_t starving_taken = kNever;              // these two: stand_in only
    std::chrono::steady_clock::time_point starving_since;

    static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  };
  struct Threads;

  Device& device(const Stream& stream) {
    return devices_[static_cast<std::size_t>(stream.device())];
  }
  void start_threads();
  /// False when the pool has fewer threads than it wants. Called with the threads' mutex.
  bool fill();
  bool add_thread();  // false: refused; called with the threads' mutex
  void run_thread();
  void ring();
  void patrol();
  void arm_patrol(std::chrono::nanoseconds interval);
  bool look_for_stalls();
  void compensate(Device& device);
  void work();
  bool work_on(Device& device, bool compensating);
  void gather();
  bool any_fresh() const;
  bool all_work() const;
  bool gather_is_due() const;
  void move_ready_streams();
  bool starving();
  bool any_ready() const;
  bool any_listed() const;
  int ready() const;
  void call_worker();
  void post_work();

  Runner& runner_;
  const int workers_per_device_;
  const int pool_size_;
  std::vector<Device> devices_;
  std::atomic<bool> awake_{false};    // a patrol is under way or armed
  std::atomic<int> working_{0};       // threads inside work()
  std::atomic<int> called_{0};        // calls of work() that are posted and have not started yet
  std::atomic<int> compensation_{0};  // threads that may work beyond pool_size_
  std::atomic<std::chrono::steady_clock::rep> gathered_{
      0};                              // when fresh streams were last taken in
  std::atomic<std::uint8_t> look_{1};  // which look at fresh streams was the last, modulo 256
  std::atomic<std::size_t> next_device_{0};
  std::atomic<bool> short_{false};
  std::atomic<bool> starving_{false};  // as was seen last
  std::atomic<bool> stopping_{false};
  std::atomic<bool> closing_{false};
  int quiet_patrols_ = 0;  // patrol only
  const std::unique_ptr<Threads> threads_;
};

}  // namespace sim
