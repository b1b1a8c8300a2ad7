// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/drivers/awaited_calls.h"
#include "device_sim/drivers/kernel_thread.h"
#include "device_sim/drivers/ready_streams.h"
#include "device_sim/drivers/seeded_driver.h"
#include "device_sim/drivers/turn_token.h"
#include "device_sim/drivers/wait_limits.h"

namespace sim {

/// The implementation of SeededDriver. seeded_driver.cpp contains the moves of streams and kernels,
/// seeded_hosts.cpp the calls and functions of host threads, and seeded_ticker.cpp the thread that
/// moves the machine while the program makes no calls.
class Seeded final : public SeededDriver {
 public:
  Seeded(const SystemConfig& config, Memory& memory, const Clock& clock);
  ~Seeded() override;

  void on_ready(Stream& stream) override;
  void arm_timeout(Ref<Stream> stream, Ref<WaitPoint> point, std::uint64_t serial,
                   WaitLimit limit) override;
  void disarm_timeout(Stream& stream, std::uint64_t serial) override;
  void host_call_returned(Stream& stream, Failure failure, Server server) override;
  std::uint64_t host_call_posted(HostLane& lane) override;
  void host_call_over(std::uint64_t ticket) override;
  void before_waiting(const HostLane* lane) override;
  void yield_point() override;
  void yield_behind() override;
  void close() override;
  void forget(Stream& stream) override;
  WaitResult wait(Stream& stream, std::uint64_t target, const Deadline& deadline,
                  bool may_help) override;
  bool diverged() const noexcept override { return diverged_.load(); }

 private:
  void watch_started() override { changed_.notify_all(); }
  void sleep(Stream& stream, HostWaiter& waiter, const Deadline& deadline, bool has_limit);
  /// Moves a stream. Then waits until the host functions that it sent to lanes have returned.
  template <class Move>
  void move(Move move) REQUIRES(turn_);
  bool settle_once() REQUIRES(turn_);  // false: no host function was awaited
  bool attended(HostLane& lane) const;
  bool excused();  // inside a kernel or host function that the schedule waits for
  void diverge(const char* reason);
  void diverge_if(bool real_time) {
    if (real_time) diverge("several host threads make calls at the same time");
  }
  using Phase = ReadyStreams::Phase;
  /// Consecutive steps of the machine, and the conditions that end them.
  struct Batch {
    Phase phase = Phase::blocked;  // of the next decision
    int most = INT_MAX;
    const HostLane* lane = nullptr;  // ends when something is queued there
    const Stream* stream = nullptr;  // ends when `target` of its ops have left, or at `deadline`
    std::uint64_t target = 0;
    Deadline deadline = Deadline::never();
    bool dry = false;  // the host goes on, or nothing is ready
  };
  void go(Batch& batch) REQUIRES(turn_);
  /// Null: the batch is over.
  Ref<Stream> go_up_to_kernel(Batch& batch) REQUIRES(turn_);
  void step_until_host() REQUIRES(turn_);
  /// Runs the kernel and the rest of the batch.
  void run_kernel(Stream& stream, Batch& batch) REQUIRES(turn_);
  void finish_kernel(Stream& stream, Failure failure) REQUIRES(turn_);
  bool add_kernel_thread() REQUIRES(turn_);  // false: the system refuses a thread
  static void leave(Stream& stream, Stream::Step step);
  void kernel_done(KernelThread& thread, Stream& stream, Failure failure);

  // The ticker: the thread that moves the machine while the program makes no calls.
  void tick();
  void end_waits();
  enum class Silence : std::uint8_t { broken, lasting, stopping };
  Silence await_silence();

  /// The driver whose machine the calling thread moves now.
  static inline constinit thread_local const Driver* moving_ = nullptr;

  sim::Mutex turn_;                              // its holder moves the machine
  ReadyStreams ready_;                           // only the holder of turn_ takes from it
  const std::shared_ptr<TurnToken> turn_token_;  // whose holder may make calls
  AwaitedCalls awaited_;
  std::vector<KernelThread*> idle_kernel_threads_ GUARDED_BY(turn_);
  std::vector<std::unique_ptr<KernelThread>> kernel_threads_ GUARDED_BY(turn_);

  sim::Mutex mutex_;  // never held while the machine moves
  sim::CondVar changed_;
  WaitLimits limits_ GUARDED_BY(mutex_);
  std::uint64_t armed_ GUARDED_BY(mutex_) = 0;  // counts time limits
  bool stopping_ GUARDED_BY(mutex_) = false;
  // The ticker sleeps until a stream is ready.
  bool ticker_idle_ GUARDED_BY(mutex_) = false;
  // A stream became ready meanwhile. The ticker is woken once for that.
  bool stirred_ GUARDED_BY(mutex_) = false;
  std::atomic<std::uint64_t> activity_{0};
  std::atomic<bool> diverged_{false};
  std::atomic<bool> closing_{false};
  std::thread ticker_;
};

template <class Move>
void Seeded::move(Move move) {
  moving_ = this;
  move();
  while (settle_once()) {
  }
  moving_ = nullptr;
  turn_token_->wake_reached();
}

}  // namespace sim
