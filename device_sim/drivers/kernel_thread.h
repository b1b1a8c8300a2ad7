// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cxxabi.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>

#include "device_sim/base/load_aware_deadline.h"
#include "device_sim/base/own_thread.h"
#include "device_sim/base/parker.h"
#include "device_sim/base/sanitizer.h"
#include "device_sim/base/thread.h"
#include "device_sim/streams/stream.h"

namespace sim {

/// A thread that runs kernels for the driver, one at a time, while the thread that started them
/// waits. Between two kernels it does the work of the waiting thread, so that a sequence of kernels
/// needs only one change of threads.
class KernelThread {
 public:
  using ReturnedLate = std::function<void(KernelThread&, Stream&, Failure)>;
  /// Called on the kernel's thread when the kernel has returned; the result is a stream whose
  /// kernel is next, or null when it is the starter's turn again.
  using GoOn = std::function<Ref<Stream>(Stream&, Failure)>;

  explicit KernelThread(ReturnedLate returned_late)
      : returned_late_(std::move(returned_late)),
        thread_(start_thread(Signals::handled, [this] { loop(); })) {}
  ~KernelThread() {
    stopping_ = true;
    go_.unpark();
    thread_.join();
  }

  void start(Ref<Stream> stream, GoOn go_on) {
    stream_ = std::move(stream);
    go_on_ = std::move(go_on);
    began_ = Clock::now().time_since_epoch();
    state_ = State{state_.load().serial + 1, Phase::running};
    go_.unpark();
  }
  /// Waits for the starter's turn. False: a kernel has run for longer than `patience`, not for want
  /// of a processor; it is left alone, and `returned_late` will be called when it returns.
  bool wait(std::chrono::nanoseconds patience) {
    LoadAwareDeadline extension(patience);
    for (State seen = state_; seen.phase != Phase::idle; seen = state_) {
      const auto left = seen.phase == Phase::running
                            ? patience - (Clock::now().time_since_epoch() - began_.load())
                            : patience;
      if (left.count() > 0) {
        back_.park(Deadline::in(left));
        extension = LoadAwareDeadline(patience);
      } else if (seen.phase == Phase::going_on || extension.more()) {
        back_.park(LoadAwareDeadline::next_check());
      } else if (state_.compare_exchange_strong(seen, {seen.serial, Phase::late})) {
        return false;
      }
    }
    return true;
  }

  /// True in the thread of a kernel whose starter still waits for it.
  static bool awaited_here() { return here_ && here_->state_.load().phase == Phase::running; }
  /// The last kernel took the thread with it, and failed; no further one can be started.
  bool ended() const { return ended_; }
  /// Once it has ended: whose kernel did that.
  Stream& ended_by() const { return *stream_; }

 private:
  using Clock = std::chrono::steady_clock;
  enum class Phase : std::uint32_t { idle, running, going_on, late };
  struct State {
    std::uint32_t serial;  // counts kernels
    Phase phase;
  };

  SIM_CATCHES_FORCED_UNWIND void loop() {
    here_ = this;
    for (;;) {
      while (state_.load().phase == Phase::idle) {  // late: given up before this thread woke up
        if (stopping_) return;
        go_.park(Deadline::never());
      }
      try {
        while (run()) {
        }
      } catch (abi::__forced_unwind&) {  // the kernel ends this thread
        ended_ = true;
        returned({Error::kernel_failed, -1}, Phase::idle);
        throw;
      }
    }
  }
  /// False when there is no next kernel.
  bool run() {
    if (!returned(stream_->execute_kernel(), Phase::going_on)) return false;
    stream_ = go_on_(*stream_, failure_);
    const bool more = static_cast<bool>(stream_);  // the starter's again once the state is idle
    State now = state_;
    if (more) began_ = Clock::now().time_since_epoch();
    state_ = more ? State{now.serial + 1, Phase::running} : State{now.serial, Phase::idle};
    if (!more) back_.unpark();
    return more;
  }
  /// False when it was late.
  bool returned(Failure failure, Phase next) {
    failure_ = failure;
    State running = state_;
    if (running.phase == Phase::running &&
        state_.compare_exchange_strong(running, {running.serial, next})) {
      if (next == Phase::idle) back_.unpark();
      return true;
    }
    const Ref<Stream> stream = std::move(stream_);
    stream_ = nullptr;
    state_ = State{running.serial, Phase::idle};
    returned_late_(*this, *stream, failure);
    return false;
  }

  static inline thread_local KernelThread* here_ = nullptr;

  const ReturnedLate returned_late_;
  Parker go_;    // the thread sleeps on it
  Parker back_;  // the starter sleeps on it
  std::atomic<State> state_{State{0, Phase::idle}};
  std::atomic<Clock::duration> began_{Clock::duration(0)};  // the kernel that runs
  Ref<Stream> stream_;                                      // these change hands with the state
  GoOn go_on_;
  Failure failure_;
  std::atomic<bool> ended_{false};
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace sim
