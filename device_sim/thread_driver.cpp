// SPDX-License-Identifier: Apache-2.0
#include "device_sim/thread_driver.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include "device_sim/parker.h"
#include "device_sim/ready_list.h"

namespace sim {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

constexpr auto kPatrolInterval = 100us;    // between two looks for work while there is activity
constexpr int kQuietPatrols = 10;          // looks that find nothing before the pool sleeps
constexpr auto kBusyPatrolInterval = 1ms;  // the same while all workers run kernels
constexpr int kStalledPatrols = 3;         // of those, before another thread joins the pool
constexpr int kMaxCompensation = 64;       // threads that may join beyond the pool's size
constexpr Nanoseconds kSpinNs = 30'000;    // about what one wake-up costs
constexpr int kChaseDepth = 256;           // streams that a helper follows through their waits

struct Device {
  ReadyList ready;
  std::atomic<int> active{0};  // workers on this device
};

class ThreadDriver final : public Driver {
 public:
  ThreadDriver(const SystemConfig& config, Memory& memory, const Clock& clock);
  ~ThreadDriver() override;

  void on_ready(Stream& stream) override;
  void arm_timeout(Ref<Stream> stream, Ref<Signal> signal, std::uint64_t serial,
                   Nanoseconds timeout_ns) override;
  void disarm_timeout(Stream& stream) override;
  void host_call_returned(Stream& stream, Failure failure) override;
  void forget(Stream& stream) override { device(stream).ready.remove(stream); }
  WaitResult wait(Stream& stream, std::uint64_t target, const Deadline& deadline,
                  bool may_help) override;

 private:
  Device& device(const Stream& stream) { return devices_[static_cast<std::size_t>(stream.device())]; }

  // Workers.
  void start_threads();
  void add_thread();
  void ring();
  void patrol();
  void arm_patrol(std::chrono::nanoseconds interval);
  void compensate();
  void work();
  void call_another();
  bool work_on(Device& device, bool compensating);
  bool any_ready() const;

  // Moving one owned stream.
  enum class Drive { reached, parked, idle, kernel };
  template <class Done>
  Drive drive(Stream& stream, bool kernels, Done done);

  // Helping.
  bool help(Stream& stream, std::uint64_t target, bool kernels);
  bool help_towards(Ref<Signal> until, bool kernels);

  const int workers_per_device_;
  const int pool_size_;
  std::vector<Device> devices_;

  asio::io_context io_;
  asio::executor_work_guard<asio::io_context::executor_type> keep_{io_.get_executor()};
  asio::steady_timer patrol_timer_{io_};
  std::mutex timeouts_mutex_;
  std::unordered_map<const Stream*, std::shared_ptr<asio::steady_timer>> timeouts_;
  std::mutex threads_mutex_;
  std::vector<std::thread> threads_;
  std::atomic<bool> awake_{false};      // a patrol is under way or armed
  std::atomic<int> working_{0};         // threads inside work()
  std::atomic<bool> called_{false};     // a posted work() has not started yet
  std::atomic<int> compensation_{0};    // threads that may work beyond pool_size_
  std::atomic<std::size_t> next_device_{0};
  std::atomic<bool> stopping_{false};
  int quiet_patrols_ = 0;               // patrol only
  int stalled_patrols_ = 0;             // patrol only
  std::atomic<std::uint64_t> taken_{0}; // streams that workers took, to see a stall
  std::uint64_t taken_before_ = 0;      // patrol only
};

ThreadDriver::ThreadDriver(const SystemConfig& config, Memory& memory, const Clock& clock)
    : Driver(memory, clock),
      workers_per_device_(std::max(1, config.workers_per_device)),
      pool_size_(config.pool_threads > 0
                     ? config.pool_threads
                     : std::max(1, std::min<int>(static_cast<int>(std::thread::hardware_concurrency()),
                                                 config.devices * config.workers_per_device))),
      devices_(static_cast<std::size_t>(std::max(1, config.devices))) {}

ThreadDriver::~ThreadDriver() {
  stopping_ = true;
  keep_.reset();
  io_.stop();
  for (std::thread& thread : threads_) thread.join();
}

// ---- workers ----

void ThreadDriver::start_threads() {
  const std::lock_guard guard(threads_mutex_);
  if (!threads_.empty()) return;
  // One more than may work: it keeps the patrol going while the others run kernels.
  for (int i = 0; i < pool_size_ + 1; ++i) add_thread();
}

void ThreadDriver::add_thread() {
  threads_.emplace_back([this] { io_.run(); });
}

void ThreadDriver::on_ready(Stream& stream) {
  device(stream).ready.push(stream);
  if (stream.wake_helper()) return;
  if (!awake_.load(std::memory_order_seq_cst)) ring();
}

void ThreadDriver::ring() {
  if (awake_.exchange(true, std::memory_order_seq_cst)) return;
  start_threads();
  asio::post(io_, [this] { patrol(); });
}

bool ThreadDriver::any_ready() const {
  return std::any_of(devices_.begin(), devices_.end(),
                     [](const Device& device) { return !device.ready.empty(); });
}

void ThreadDriver::arm_patrol(std::chrono::nanoseconds interval) {
  patrol_timer_.expires_after(interval);
  patrol_timer_.async_wait([this](const boost::system::error_code& error) {
    if (!error) patrol();
  });
}

// Exactly one patrol runs or is armed while awake_ is set. It arms the next one before it works
// itself, since a kernel may keep this thread for as long as it likes.
void ThreadDriver::patrol() {
  if (!any_ready()) {
    stalled_patrols_ = 0;
    if (++quiet_patrols_ < kQuietPatrols) {
      arm_patrol(kPatrolInterval);
      return;
    }
    quiet_patrols_ = 0;
    awake_.store(false, std::memory_order_seq_cst);
    // Pairs with on_ready: it pushed before it looked at awake_.
    if (any_ready()) ring();
    return;
  }
  quiet_patrols_ = 0;
  const std::uint64_t taken = taken_.load(std::memory_order_relaxed);
  const bool moving = taken != taken_before_;
  taken_before_ = taken;
  stalled_patrols_ = moving ? 0 : stalled_patrols_ + 1;
  if (stalled_patrols_ > kStalledPatrols && compensation_.load() < kMaxCompensation) {
    stalled_patrols_ = 0;
    compensate();
  }
  arm_patrol(stalled_patrols_ > 1 ? std::chrono::nanoseconds(kBusyPatrolInterval)
                                  : std::chrono::nanoseconds(kPatrolInterval));
  work();
}

// Ready streams, but every worker that might take them is inside a kernel: one more thread.
void ThreadDriver::compensate() {
  const int joined = compensation_.fetch_add(1) + 1;
  {
    const std::lock_guard guard(threads_mutex_);
    if (stopping_) return;
    if (threads_.size() < static_cast<std::size_t>(pool_size_ + 1 + joined)) add_thread();
  }
  asio::post(io_, [this] {
    for (Device& device : devices_) {
      if (work_on(device, true)) break;
    }
    compensation_.fetch_sub(1);
  });
}

// Runs ready streams until there are none left, or every device has its workers.
void ThreadDriver::work() {
  if (working_.fetch_add(1) >= pool_size_) {
    working_.fetch_sub(1);
    return;
  }
  for (bool found = true; found && !stopping_;) {
    found = false;
    const std::size_t first = next_device_.fetch_add(1, std::memory_order_relaxed);
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      if (work_on(devices_[(first + i) % devices_.size()], false)) found = true;
    }
  }
  working_.fetch_sub(1);
}

// More to do than one thread can: call another one, if one is free and none is on its way.
void ThreadDriver::call_another() {
  if (working_.load() >= pool_size_ || !any_ready()) return;
  if (called_.exchange(true)) return;
  asio::post(io_, [this] {
    called_.store(false);
    work();
  });
}

bool ThreadDriver::work_on(Device& device, bool compensating) {
  if (device.ready.empty()) return false;
  if (device.active.fetch_add(1) >= workers_per_device_ && !compensating) {
    device.active.fetch_sub(1);
    return false;
  }
  bool any = false;
  while (const Ref<Stream> stream = device.ready.pop()) {
    if (!stream->try_own()) continue;
    any = true;
    taken_.fetch_add(1, std::memory_order_relaxed);
    call_another();
    drive(*stream, true, [] { return false; });
    if (compensating) break;
  }
  device.active.fetch_sub(1);
  return any;
}

// ---- moving one stream ----

template <class Done>
ThreadDriver::Drive ThreadDriver::drive(Stream& stream, bool kernels, Done done) {
  for (;;) {
    if (done()) {
      stream.yield();
      return Drive::reached;
    }
    Stream::Step step = stream.step();
    if (step == Stream::Step::kernel) {
      if (!kernels) {
        stream.yield();
        return Drive::kernel;
      }
      step = stream.run_kernel();
    }
    if (step == Stream::Step::parked) return Drive::parked;
    if (step == Stream::Step::idle) return Drive::idle;
  }
}

void ThreadDriver::host_call_returned(Stream& stream, Failure failure) {
  stream.host_call_returned(failure);
  drive(stream, false, [] { return false; });
}

void ThreadDriver::arm_timeout(Ref<Stream> stream, Ref<Signal> signal, std::uint64_t serial,
                               Nanoseconds timeout_ns) {
  start_threads();
  auto timer = std::make_shared<asio::steady_timer>(io_);
  const std::lock_guard guard(timeouts_mutex_);
  timer->expires_after(std::chrono::nanoseconds(timeout_ns));
  timer->async_wait([this, stream, signal, serial](const boost::system::error_code& error) {
    if (error || !signal->unpark(*stream, serial)) return;
    stream->fail_wait({Error::wait_timeout, 0});
    drive(*stream, false, [] { return false; });
  });
  timeouts_[stream.get()] = std::move(timer);
}

void ThreadDriver::disarm_timeout(Stream& stream) {
  const std::lock_guard guard(timeouts_mutex_);
  const auto it = timeouts_.find(&stream);
  if (it == timeouts_.end()) return;
  it->second->cancel();
  timeouts_.erase(it);
}

// ---- helping and waiting ----

// Follows the waits from stream to stream until one is found that can move, and moves it until
// what is waited for is done. True when something moved.
bool ThreadDriver::help_towards(Ref<Signal> until, bool kernels) {
  for (int depth = 0; until && depth < kChaseDepth; ++depth) {
    const Ref<Stream> stream = until->producer();
    if (!stream) return false;
    if (stream->try_own()) {
      return drive(*stream, kernels, [&] { return until->done(); }) != Drive::kernel;
    }
    until = stream->parked_on();
  }
  return false;
}

bool ThreadDriver::help(Stream& stream, std::uint64_t target, bool kernels) {
  if (stream.try_own()) {
    return drive(stream, kernels, [&] { return stream.retired() >= target; }) != Drive::kernel;
  }
  return help_towards(stream.parked_on(), kernels);
}

Driver::WaitResult ThreadDriver::wait(Stream& stream, std::uint64_t target,
                                      const Deadline& deadline, bool may_help) {
  HostWaiter waiter;
  waiter.parker = &Parker::mine();
  waiter.target = target;
  waiter.may_help = may_help;
  for (;;) {
    if (stream.retired() >= target) return WaitResult::reached;
    if (stream.abandoned()) return WaitResult::abandoned;
    if (help(stream, target, may_help)) continue;
    if (stream.retired() >= target) return WaitResult::reached;
    if (deadline.passed()) return WaitResult::timed_out;
    waiter.released.store(false, std::memory_order_relaxed);
    if (!stream.add_waiter(waiter)) continue;
    // Between the look above and now the stream may have become ready without seeing a helper.
    if (!(may_help && stream.state() == Stream::State::ready)) {
      waiter.parker->park(deadline, kSpinNs);
    }
    if (!waiter.released.load(std::memory_order_acquire)) stream.remove_waiter(waiter);
  }
}

}  // namespace

std::unique_ptr<Driver> make_thread_driver(const SystemConfig& config, Memory& memory,
                                           const Clock& clock) {
  return std::make_unique<ThreadDriver>(config, memory, clock);
}

}  // namespace sim
