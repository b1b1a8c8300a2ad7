// SPDX-License-Identifier: Apache-2.0
#include "device_sim/seeded_driver.h"

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <unordered_map>
#include <vector>

#include "device_sim/parker.h"

namespace sim {
namespace {

using namespace std::chrono_literals;

constexpr auto kKernelPatience = 50ms;
constexpr auto kHostPatience = 200ms;

/// A thread that runs one kernel at a time for the driver.
class KernelThread {
 public:
  explicit KernelThread(std::function<void(KernelThread&, Stream&, Failure)> done)
      : done_(std::move(done)), thread_([this] { loop(); }) {}
  ~KernelThread() {
    {
      const std::lock_guard guard(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  void start(Ref<Stream> stream) {
    const std::lock_guard guard(mutex_);
    stream_ = std::move(stream);
    finished_ = false;
    late_ = false;
    changed_.notify_all();
  }
  /// True: the kernel returned in time and `failure` is its result. False: it is still running and
  /// `done` will be called when it returns.
  bool wait(std::chrono::nanoseconds patience, Failure& failure) {
    std::unique_lock guard(mutex_);
    if (!changed_.wait_for(guard, patience, [this] { return finished_; })) {
      late_ = true;
      return false;
    }
    failure = failure_;
    stream_ = nullptr;
    return true;
  }

 private:
  void loop() {
    std::unique_lock guard(mutex_);
    for (;;) {
      changed_.wait(guard, [this] { return stopping_ || (stream_ && !finished_); });
      if (stopping_) return;
      const Ref<Stream> stream = stream_;
      guard.unlock();
      const Failure failure = stream->execute_kernel();
      guard.lock();
      failure_ = failure;
      finished_ = true;
      changed_.notify_all();
      if (!late_) continue;
      stream_ = nullptr;
      guard.unlock();
      done_(*this, *stream, failure);
      guard.lock();
    }
  }

  std::function<void(KernelThread&, Stream&, Failure)> done_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Ref<Stream> stream_;
  Failure failure_;
  bool finished_ = true;
  bool late_ = false;
  bool stopping_ = false;
  std::thread thread_;
};

class Seeded final : public SeededDriver {
 public:
  Seeded(const SystemConfig& config, Memory& memory, const Clock& clock)
      : SeededDriver(memory, clock), random_(config.seed), ticker_([this] { tick(); }) {}
  ~Seeded() override;

  void on_ready(Stream& stream) override;
  void arm_timeout(Ref<Stream> stream, Ref<Signal> signal, std::uint64_t serial,
                   Nanoseconds timeout_ns) override;
  void disarm_timeout(Stream& stream, std::uint64_t serial) override;
  void host_call_returned(Stream& stream, Failure failure, bool kernels) override;
  void yield_point() override;
  void close() override;
  void forget(Stream& stream) override;
  WaitResult wait(Stream& stream, std::uint64_t target, const Deadline& deadline,
                  bool may_help) override;
  bool diverged() const noexcept override { return diverged_.load(); }

 private:
  struct Timeout {
    Deadline at = Deadline::never();
    Ref<Stream> stream;
    Ref<Signal> signal;
    std::uint64_t serial = 0;
  };

  void sleep(Stream& stream, HostWaiter& waiter, const Deadline& deadline);
  bool step();                    // with turn_
  void run_kernel(Stream& stream);  // with turn_
  void leave(Stream& stream, Stream::Step step);
  void kernel_done(KernelThread& thread, Stream& stream, Failure failure);
  Ref<Stream> choose();
  void wake_all();
  void tick();
  void fire_timeouts();
  Deadline next_timeout() const;  // with mutex_

  std::mutex turn_;  // whoever holds it moves the machine
  std::mt19937_64 random_;
  std::vector<KernelThread*> idle_kernel_threads_;             // with turn_
  std::vector<std::unique_ptr<KernelThread>> kernel_threads_;  // with turn_

  std::mutex mutex_;  // guards what follows; never held while the machine moves
  std::condition_variable changed_;
  std::map<std::pair<std::uint32_t, Stream*>, Ref<Stream>> ready_;  // by id: the same every run
  std::unordered_map<const Stream*, Timeout> timeouts_;
  std::vector<Parker*> sleepers_;
  std::uint64_t armed_ = 0;  // counts time limits
  bool stopping_ = false;
  std::atomic<std::uint64_t> activity_{0};
  std::atomic<bool> diverged_{false};
  std::atomic<bool> closing_{false};
  std::thread ticker_;
};

Seeded::~Seeded() {
  {
    const std::lock_guard guard(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (ticker_.joinable()) ticker_.join();
  kernel_threads_.clear();  // a late kernel still uses everything else when it returns
}

void Seeded::close() {
  {
    const std::lock_guard guard(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  closing_ = true;
  // Whoever moves the machine now gets a moment to come to the end of its step.
  const Deadline patience = Deadline::in(2 * kKernelPatience);
  while (!turn_.try_lock()) {
    if (patience.passed()) return;
    std::this_thread::yield();
  }
  turn_.unlock();
  ticker_.join();  // nothing holds it up now
}

void Seeded::on_ready(Stream& stream) {
  {
    const std::lock_guard guard(mutex_);
    ready_.try_emplace({stream.id(), &stream}, Ref<Stream>::share(&stream));
  }
  changed_.notify_all();
  wake_all();
}

void Seeded::forget(Stream& stream) {
  const std::lock_guard guard(mutex_);
  ready_.erase({stream.id(), &stream});
}

void Seeded::wake_all() {
  const std::lock_guard guard(mutex_);
  for (Parker* parker : sleepers_) parker->unpark();
}

Ref<Stream> Seeded::choose() {
  const std::lock_guard guard(mutex_);
  if (ready_.empty()) return {};
  const auto index = static_cast<std::ptrdiff_t>(random_() % ready_.size());
  const auto it = std::next(ready_.begin(), index);
  Ref<Stream> stream = std::move(it->second);
  ready_.erase(it);
  return stream;
}

bool Seeded::step() {
  const Ref<Stream> stream = choose();
  if (!stream) return false;
  if (!stream->try_own()) return true;
  const Stream::Step result = stream->step();
  if (result == Stream::Step::kernel) {
    run_kernel(*stream);
  } else {
    leave(*stream, result);
  }
  return true;
}

void Seeded::leave(Stream& stream, Stream::Step step) {
  if (step != Stream::Step::moved) return;
  // Going idle is no choice of the schedule's.
  if (!stream.head() && stream.step() == Stream::Step::idle) return;
  stream.yield();
}

void Seeded::run_kernel(Stream& stream) {
  if (idle_kernel_threads_.empty()) {
    kernel_threads_.push_back(std::make_unique<KernelThread>(
        [this](KernelThread& thread, Stream& s, Failure failure) { kernel_done(thread, s, failure); }));
    idle_kernel_threads_.push_back(kernel_threads_.back().get());
  }
  KernelThread& thread = *idle_kernel_threads_.back();
  idle_kernel_threads_.pop_back();
  thread.start(Ref<Stream>::share(&stream));
  Failure failure;
  if (thread.wait(kKernelPatience, failure)) {
    idle_kernel_threads_.push_back(&thread);
    leave(stream, stream.finish_kernel(failure));
  } else {
    diverged_ = true;
  }
}

void Seeded::kernel_done(KernelThread& thread, Stream& stream, Failure failure) {
  const std::lock_guard turn(turn_);
  idle_kernel_threads_.push_back(&thread);
  leave(stream, stream.finish_kernel(failure));
  wake_all();
}

void Seeded::yield_point() {
  activity_.fetch_add(1, std::memory_order_relaxed);
  const std::lock_guard turn(turn_);
  for (auto steps = random_() % 3; steps > 0 && step(); --steps) {
  }
}

void Seeded::host_call_returned(Stream& stream, Failure failure, bool) {
  diverged_ = true;  // it returned when its thread got there, which no seed decides
  const std::lock_guard turn(turn_);
  stream.host_call_returned(failure);
  leave(stream, Stream::Step::moved);
  wake_all();
}

Driver::WaitResult Seeded::wait(Stream& stream, std::uint64_t target, const Deadline& deadline,
                                bool /*may_help: kernels have their own threads*/) {
  HostWaiter waiter;
  waiter.parker = &Parker::mine();
  waiter.target = target;
  for (;;) {
    activity_.fetch_add(1, std::memory_order_relaxed);
    {
      const std::lock_guard turn(turn_);
      if (stream.retired() >= target) return WaitResult::reached;
      if (stream.abandoned()) return WaitResult::abandoned;
      if (deadline.passed()) return WaitResult::timed_out;
      if (step()) continue;
      const std::lock_guard guard(mutex_);
      if (!ready_.empty()) continue;
      sleepers_.push_back(waiter.parker);
    }
    sleep(stream, waiter, deadline);
  }
}

// Up to when something can move, or the stream has come far enough or is given up.
void Seeded::sleep(Stream& stream, HostWaiter& waiter, const Deadline& deadline) {
  waiter.released.store(false, std::memory_order_relaxed);
  if (stream.add_waiter(waiter)) {
    {
      const HostWait counted(*this);
      waiter.parker->park(deadline);
    }
    if (!waiter.released.load(std::memory_order_acquire)) stream.remove_waiter(waiter);
  }
  const std::lock_guard guard(mutex_);
  sleepers_.erase(std::find(sleepers_.begin(), sleepers_.end(), waiter.parker));
}

void Seeded::arm_timeout(Ref<Stream> stream, Ref<Signal> signal, std::uint64_t serial,
                         Nanoseconds timeout_ns) {
  {
    const std::lock_guard guard(mutex_);
    Timeout& current = timeouts_[stream.get()];
    if (current.serial > serial) return;
    current = {Deadline::in(std::chrono::nanoseconds(timeout_ns)), stream, signal, serial};
    ++armed_;
  }
  changed_.notify_all();
}

void Seeded::disarm_timeout(Stream& stream, std::uint64_t serial) {
  Timeout gone;  // released outside the lock
  const std::lock_guard guard(mutex_);
  const auto it = timeouts_.find(&stream);
  if (it == timeouts_.end() || it->second.serial > serial) return;
  gone = std::move(it->second);
  timeouts_.erase(it);
}

// Fails the waits whose time is up.
void Seeded::fire_timeouts() {
  std::vector<Timeout> due;
  {
    const std::lock_guard guard(mutex_);
    for (auto it = timeouts_.begin(); it != timeouts_.end();) {
      if (it->second.at.passed()) {
        due.push_back(std::move(it->second));
        it = timeouts_.erase(it);
      } else {
        ++it;
      }
    }
  }
  for (const Timeout& timeout : due) {
    const std::lock_guard turn(turn_);
    if (!timeout.signal->unpark(*timeout.stream, timeout.serial)) continue;
    timeout.stream->fail_wait({Error::wait_timeout, 0});
    leave(*timeout.stream, Stream::Step::moved);
    wake_all();
  }
}

Deadline Seeded::next_timeout() const {
  Deadline next = Deadline::never();
  for (const auto& [stream, timeout] : timeouts_) {
    if (next.is_never() || timeout.at.at() < next.at()) next = timeout.at;
  }
  return next;
}

// Moves the machine when the program makes no calls, and ends waits that have a time limit.
void Seeded::tick() {
  for (;;) {
    fire_timeouts();
    const std::uint64_t activity = activity_.load(std::memory_order_relaxed);
    {
      std::unique_lock guard(mutex_);
      const bool idle = ready_.empty();
      const Deadline next = next_timeout();
      const auto patience = std::chrono::steady_clock::now() + kHostPatience;
      const auto changed = [this, idle, armed = armed_] {
        return stopping_ || armed != armed_ || (idle && !ready_.empty());
      };
      bool early = false;
      if (!idle) {
        early = changed_.wait_until(guard, std::min(patience, next.at()), changed);
      } else if (next.is_never()) {
        changed_.wait(guard, changed);
      } else {
        changed_.wait_until(guard, next.at(), changed);
      }
      if (stopping_) return;
      if (idle || early || std::chrono::steady_clock::now() < patience) continue;
      if (ready_.empty()) continue;
    }
    if (activity != activity_.load(std::memory_order_relaxed)) continue;
    diverged_ = true;
    const std::lock_guard turn(turn_);
    while (!closing_ && step()) {
    }
    wake_all();
  }
}

}  // namespace

std::unique_ptr<SeededDriver> make_seeded_driver(const SystemConfig& config, Memory& memory,
                                                 const Clock& clock) {
  return std::make_unique<Seeded>(config, memory, clock);
}

}  // namespace sim
