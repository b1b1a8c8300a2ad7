// SPDX-License-Identifier: Apache-2.0
#include "device_sim/drivers/worker_pool.h"

#include <cxxabi.h>

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <mutex>
#include <thread>

#include "device_sim/base/clock.h"
#include "device_sim/base/sanitizer.h"

namespace sim {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

constexpr auto kPatrolInterval = 100us;    // between two looks for work while there is activity
constexpr int kQuietPatrols = 10;          // looks that find nothing before the pool sleeps
constexpr auto kBusyPatrolInterval = 500us;  // the same while all workers run kernels
constexpr auto kStallLimit = 3ms;          // a device blocked for so long gets another thread
constexpr int kStallLooks = 4;             // if as many patrols saw it: one may just be late
constexpr int kMaxCompensation = 64;       // threads that may join beyond the pool's size
constexpr auto kClosePatience = 100ms;     // for kernels that run when the process ends

/// Counts the calling thread for a scope, also when a kernel ends the thread.
class Counted {
 public:
  explicit Counted(std::atomic<int>& count) noexcept : before_(count.fetch_add(1)), count_(count) {}
  ~Counted() { count_.fetch_sub(1); }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  int before() const noexcept { return before_; }

 private:
  const int before_;
  std::atomic<int>& count_;
};

int pool_size(const SystemConfig& config) {
  if (config.pool_threads > 0) return config.pool_threads;
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  return std::max(1, std::min(cores, config.devices * config.workers_per_device));
}

}  // namespace

struct WorkerPool::Threads {
  asio::io_context io;
  asio::executor_work_guard<asio::io_context::executor_type> keep{io.get_executor()};
  asio::steady_timer patrol_timer{io};
  std::mutex mutex;
  std::vector<std::thread> list;
};

WorkerPool::WorkerPool(const SystemConfig& config, Runner& runner)
    : runner_(runner),
      workers_per_device_(std::max(1, config.workers_per_device)),
      pool_size_(pool_size(config)),
      devices_(static_cast<std::size_t>(std::max(1, config.devices))),
      threads_(std::make_unique<Threads>()) {}

WorkerPool::~WorkerPool() { stop(); }

void WorkerPool::stop() {
  {
    const std::lock_guard guard(threads_->mutex);  // from here on no thread joins
    if (stopping_.exchange(true)) return;
  }
  threads_->keep.reset();
  threads_->io.stop();
  for (std::thread& thread : threads_->list) thread.join();
}

void WorkerPool::close() {
  closing_ = true;
  const Deadline patience = Deadline::in(kClosePatience);
  const auto running = [this] { return working_.load() != 0 || compensation_.load() != 0; };
  while (running() && !patience.passed()) std::this_thread::yield();
}

// ---- threads ----

void WorkerPool::start_threads() {
  const std::lock_guard guard(threads_->mutex);
  if (stopping_ || !threads_->list.empty()) return;
  // One more than may work: it keeps the patrol going while the others run kernels.
  for (int i = 0; i < pool_size_ + 1; ++i) add_thread();
}

void WorkerPool::add_thread() {
  threads_->list.emplace_back([this] { run_thread(); });
}

SIM_CATCHES_FORCED_UNWIND void WorkerPool::run_thread() {
  try {
    threads_->io.run();
  } catch (abi::__forced_unwind&) {  // a kernel ended its thread: another takes its place
    const std::lock_guard guard(threads_->mutex);
    if (!stopping_) add_thread();
    throw;
  }
}

WorkerPool::Timer WorkerPool::after(std::chrono::nanoseconds time, std::function<void()> function) {
  start_threads();
  auto timer = std::make_shared<asio::steady_timer>(threads_->io);
  timer->expires_after(time);
  timer->async_wait([function = std::move(function)](const boost::system::error_code& error) {
    if (!error) function();
  });
  return timer;
}

void WorkerPool::lend(std::function<void()> function) {
  start_threads();
  asio::post(threads_->io, std::move(function));
}

// ---- the patrol ----

void WorkerPool::ring() {
  if (awake_.exchange(true, std::memory_order_seq_cst)) return;
  start_threads();
  // A timer costs the caller less than waking a thread would; the work starts that much later.
  arm_patrol(kPatrolInterval);
}

bool WorkerPool::any_ready() const {
  return std::any_of(devices_.begin(), devices_.end(),
                     [](const Device& device) { return !device.ready.empty(); });
}

bool WorkerPool::any_listed() const {
  return std::any_of(devices_.begin(), devices_.end(), [](const Device& device) {
    return !device.ready.empty() || !device.fresh.empty();
  });
}

// The streams that are fresh now are to be run. A host thread that submits faster than the
// work is done would otherwise have a worker beside it that takes every single op from its hands.
void WorkerPool::gather() {
  gathered_.store(std::chrono::steady_clock::now().time_since_epoch().count(),
                  std::memory_order_relaxed);
  for (Device& device : devices_) {
    for (int left = device.fresh.size(); left > 0; --left) {
      const Ref<Stream> stream = device.fresh.pop();
      if (!stream) break;
      device.ready.push(*stream);
    }
  }
}

// The patrol comes less often while kernels run for long.
bool WorkerPool::gather_is_due() const {
  const std::chrono::steady_clock::duration last(gathered_.load(std::memory_order_relaxed));
  return std::chrono::steady_clock::now().time_since_epoch() - last >= kPatrolInterval;
}

void WorkerPool::arm_patrol(std::chrono::nanoseconds interval) {
  threads_->patrol_timer.expires_after(interval);
  threads_->patrol_timer.async_wait([this](const boost::system::error_code& error) {
    if (!error) patrol();
  });
}

// Exactly one patrol runs or is armed while awake_ is set. It arms the next one before it works
// itself, since a kernel may keep this thread for as long as it likes.
void WorkerPool::patrol() {
  gather();
  if (!any_ready()) {
    for (Device& device : devices_) device.taken_before = Device::kNever;
    if (++quiet_patrols_ < kQuietPatrols) {
      arm_patrol(kPatrolInterval);
      return;
    }
    quiet_patrols_ = 0;
    awake_.store(false, std::memory_order_seq_cst);
    // Pairs with push and push_fresh: their callers look at awake_ afterwards.
    if (any_listed()) ring();
    return;
  }
  quiet_patrols_ = 0;
  const bool moving = look_for_stalls();
  arm_patrol(moving ? kPatrolInterval : kBusyPatrolInterval);
  work();
}

// For each device by itself: progress of one does not help another that is blocked. True when
// workers have taken streams since the last look.
bool WorkerPool::look_for_stalls() {
  const auto now = std::chrono::steady_clock::now();
  bool moving = false;
  for (Device& device : devices_) {
    const std::uint64_t taken = device.taken.load(std::memory_order_relaxed);
    const bool moved = taken != device.taken_before;
    device.taken_before = taken;
    moving = moving || moved;
    if (!moved && !device.ready.empty()) {
      ++device.stuck_looks;
      const bool stalled =
          device.stuck_looks >= kStallLooks && now - device.stuck_since >= kStallLimit;
      if (!stalled || compensation_.load() >= kMaxCompensation) continue;
      compensate(device);
    }
    device.stuck_since = now;
    device.stuck_looks = 0;
  }
  return moving;
}

// Streams are ready, but kernels hold all workers that could take them: adds a thread.
void WorkerPool::compensate(Device& device) {
  const int joined = compensation_.fetch_add(1) + 1;
  {
    const std::lock_guard guard(threads_->mutex);
    if (stopping_) return;
    if (threads_->list.size() < static_cast<std::size_t>(pool_size_ + 1 + joined)) add_thread();
  }
  asio::post(threads_->io, [this, &device] {
    const Counted leaving(compensation_);  // in place of the count above
    compensation_.fetch_sub(1);
    work_on(device, true);
  });
}

// ---- work ----

// Runs ready streams until there are none left, or every device has its workers.
void WorkerPool::work() {
  const Counted counted(working_);
  if (counted.before() >= pool_size_) return;
  for (bool found = true; found && !stopping_ && !closing_;) {
    found = false;
    const std::size_t first = next_device_.fetch_add(1, std::memory_order_relaxed);
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      if (work_on(devices_[(first + i) % devices_.size()], false)) found = true;
    }
    if (found || !any_listed() || !gather_is_due()) continue;
    gather();
    found = any_ready();
    wake();  // the patrol may have looked while a stream was between the lists
  }
}

bool WorkerPool::work_on(Device& device, bool compensating) {
  if (device.ready.empty()) return false;
  const Counted counted(device.active);
  if (counted.before() >= workers_per_device_ && !compensating) return false;
  bool any = false;
  while (const Ref<Stream> stream = device.ready.pop()) {
    if (!stream->try_own()) continue;
    any = true;
    device.taken.fetch_add(1, std::memory_order_relaxed);
    if (any_ready()) call_worker();  // more to do than one thread can
    runner_.run(*stream);
    if (compensating || closing_) break;
  }
  return any;
}

void WorkerPool::call_worker() {
  if (working_.load() >= pool_size_ || called_.exchange(true)) return;
  asio::post(threads_->io, [this] {
    called_.store(false);
    work();
  });
}

}  // namespace sim
