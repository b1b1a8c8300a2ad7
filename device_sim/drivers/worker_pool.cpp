// SPDX-License-Identifier: Apache-2.0
#include "device_sim/drivers/worker_pool.h"

#include <cxxabi.h>

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "device_sim/base/clock.h"
#include "device_sim/base/error.h"
#include "device_sim/base/mutex.h"
#include "device_sim/base/sanitizer.h"
#include "device_sim/base/thread.h"
#include "device_sim/base/uncancelled.h"

namespace sim {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

constexpr auto kPatrolInterval = 100us;  // between two looks for work while there is activity
constexpr auto kFreshInterval = 200us;   // the same while ops are being submitted
constexpr int kFreshLooks = 5;           // patrols that leave a fresh stream to who submits to it
constexpr int kQuietPatrols = 2;         // looks that find nothing before the pool sleeps
constexpr auto kBusyPatrolInterval = 500us;  // the same while all workers run kernels
constexpr auto kStallLimit = 3ms;            // a device blocked for so long gets another thread
constexpr int kStallLooks = 4;               // if as many patrols saw it: one may just be late
constexpr int kMaxCompensation = 64;         // threads that may join beyond the pool's size
constexpr auto kClosePatience = 100ms;       // for kernels that run when the process ends
// How long a ready stream goes without a thread where the system refuses more of them:
constexpr auto kPatienceWithoutThreads = 1s;
constexpr auto kPatienceWithFewThreads = 10s;  // kernels hold all threads that the pool has

/// The calling thread does the pool's work, because the pool lacks threads. It does not run a
/// stream to its end.
thread_local bool standing_in = false;

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
  sim::Mutex mutex;
  std::vector<std::thread> list GUARDED_BY(mutex);
  int alive GUARDED_BY(mutex) = 0;
  bool started GUARDED_BY(mutex) = false;
  std::string refusal GUARDED_BY(mutex);

  sim::Mutex standing_in;  // held by the thread that does the pool's work in its place
};

WorkerPool::WorkerPool(const SystemConfig& config, Runner& runner)
    : runner_(runner),
      workers_per_device_(std::max(1, config.workers_per_device)),
      pool_size_(pool_size(config)),
      devices_(static_cast<std::size_t>(std::max(1, config.devices))),
      threads_(std::make_unique<Threads>()) {}

WorkerPool::~WorkerPool() { stop(); }

void WorkerPool::stop() {
  std::vector<std::thread> list;
  {
    const sim::LockGuard guard(threads_->mutex);
    if (stopping_.exchange(true)) return;
    list.swap(threads_->list);  // no thread is added to it any more
  }
  threads_->keep.reset();
  threads_->io.stop();
  for (std::thread& thread : list) thread.join();
}

void WorkerPool::close() {
  closing_ = true;
  const Deadline patience = Deadline::in(kClosePatience);
  const auto running = [this] { return working_.load() != 0 || compensation_.load() != 0; };
  while (running() && !patience.passed()) std::this_thread::yield();
}

// ---- threads ----

void WorkerPool::start_threads() {
  const sim::LockGuard guard(threads_->mutex);
  if (stopping_ || std::exchange(threads_->started, true)) return;
  fill();
}

bool WorkerPool::fill() {
  threads_->mutex.assert_held();  // by the caller; the header does not know Threads
  // One more than may work: it keeps the patrol going while the others run kernels.
  const int wanted = pool_size_ + 1 + compensation_.load();
  while (threads_->alive < wanted) {
    if (!add_thread()) return false;
  }
  // Workers may just have started. A host thread does the pool's work until they have taken the
  // ready streams.
  if (!any_ready()) short_.store(false, std::memory_order_relaxed);
  return true;
}

bool WorkerPool::add_thread() {
  threads_->mutex.assert_held();  // as in fill
  try {
    threads_->list.reserve(threads_->list.size() + 1);
    threads_->list.push_back(start_thread(Signals::handled, [this] { run_thread(); }));
    ++threads_->alive;
    return true;
  } catch (const MachineError& error) {
    threads_->refusal = error.what();
    short_.store(true, std::memory_order_relaxed);
    return false;
  } catch (const std::bad_alloc&) {
    short_.store(true, std::memory_order_relaxed);
    return false;
  }
}

SIM_CATCHES_FORCED_UNWIND void WorkerPool::run_thread() {
  try {
    threads_->io.run();
  } catch (abi::__forced_unwind&) {  // a kernel ended its thread: another takes its place
    const sim::LockGuard guard(threads_->mutex);
    --threads_->alive;
    if (stopping_) throw;  // it is joined
    std::vector<std::thread>& list = threads_->list;
    const auto self = std::find_if(list.begin(), list.end(), [](const std::thread& thread) {
      return thread.get_id() == std::this_thread::get_id();
    });
    self->detach();
    list.erase(self);
    add_thread();
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
  try {
    start_threads();
    // A timer costs the caller less than waking a thread would; the work starts that much later.
    arm_patrol(kPatrolInterval);
  } catch (const std::bad_alloc&) {
    // The op is in its stream: threads that wait do the pool's work until a later ring succeeds.
    short_.store(true, std::memory_order_relaxed);
    awake_.store(false, std::memory_order_seq_cst);
  }
}

bool WorkerPool::any_ready() const {
  return std::any_of(devices_.begin(), devices_.end(),
                     [](const Device& device) { return !device.ready.empty(); });
}

int WorkerPool::ready() const {
  int streams = 0;
  for (const Device& device : devices_) streams += device.ready.size();
  return streams;
}

bool WorkerPool::any_listed() const {
  return std::any_of(devices_.begin(), devices_.end(), [](const Device& device) {
    return !device.ready.empty() || !device.fresh.empty();
  });
}

// A host thread that submits or runs short ops is better left alone: a worker beside it would take
// every op from its hands, and the two would pass cache lines to and fro. Thus a stream stays fresh
// while its ops keep ending, and for a few looks while they only keep coming.
void WorkerPool::gather() {
  gathered_.store(std::chrono::steady_clock::now().time_since_epoch().count(),
                  std::memory_order_relaxed);
  const auto look = static_cast<std::uint8_t>(look_.load(std::memory_order_relaxed) + 1);
  look_.store(look, std::memory_order_relaxed);
  for (Device& device : devices_) {
    for (int left = device.fresh.size(); left > 0; --left) {
      const Ref<Stream> stream = device.fresh.pop();
      if (!stream) break;
      if (stream->is_settled(look, kFreshLooks)) {
        device.ready.push(*stream);
      } else if (stream->state() == Stream::State::ready) {
        device.fresh.push_unlisted(*stream);
      }
    }
  }
}

bool WorkerPool::any_fresh() const {
  return std::any_of(devices_.begin(), devices_.end(),
                     [](const Device& device) { return !device.fresh.empty(); });
}

// Then another look could start nothing, and would take a processor from a kernel.
bool WorkerPool::all_work() const { return working_.load(std::memory_order_relaxed) >= pool_size_; }

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
    if (++quiet_patrols_ < kQuietPatrols && !(all_work() && !any_fresh())) {
      arm_patrol(any_fresh() ? kFreshInterval : kPatrolInterval);
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
  compensation_.fetch_add(1);
  {
    const sim::LockGuard guard(threads_->mutex);
    if (stopping_) return;
    fill();
  }
  asio::post(threads_->io, [this, &device] {
    const Counted leaving(compensation_);  // in place of the count above
    compensation_.fetch_sub(1);
    work_on(device, true);
  });
}

// ---- where threads are refused ----

bool WorkerPool::stand_in() {
  const Uncancelled whole;
  if (!threads_->standing_in.try_lock()) return !starving_;
  const sim::LockGuard alone(threads_->standing_in, std::adopt_lock);
  bool lacking = false;
  {
    const sim::LockGuard guard(threads_->mutex);
    if (stopping_ || closing_) return true;
    lacking = !fill();
  }
  standing_in = true;
  threads_->io.poll();
  standing_in = false;
  gather();
  move_ready_streams();
  starving_ = lacking && starving();
  return !starving_;
}

// Moves each ready stream once. A stream that has reached a kernel returns to the list.
void WorkerPool::move_ready_streams() {
  for (Device& device : devices_) {
    for (int left = device.ready.size(); left > 0; --left) {
      const Ref<Stream> stream = device.ready.pop();
      if (!stream) break;
      if (stream->try_own()) runner_.run_up_to_kernel(*stream);
    }
  }
}

bool WorkerPool::starving() {
  const auto now = std::chrono::steady_clock::now();
  const sim::LockGuard guard(threads_->mutex);
  const std::chrono::seconds patience =
      threads_->alive == 0 ? kPatienceWithoutThreads : kPatienceWithFewThreads;
  bool any = false;
  for (Device& device : devices_) {
    const std::uint64_t taken = device.taken.load(std::memory_order_relaxed);
    const bool moved = std::exchange(device.starving_taken, taken) != taken;
    if (moved || device.ready.empty()) device.starving_since = now;
    any = any || now - device.starving_since >= patience;
  }
  return any;
}

std::string WorkerPool::refusal() const {
  const sim::LockGuard guard(threads_->mutex);
  return threads_->refusal;
}

// ---- work ----

// Runs ready streams until there are none left, or every device has its workers.
void WorkerPool::work() {
  if (standing_in) return;  // the patrol comes again
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
  if (device.ready.empty() || standing_in) return false;
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

// One that finds more to do than it can calls the next.
void WorkerPool::call_worker() {
  if (working_.load() < pool_size_ && called_.load() == 0) post_work();
}

bool WorkerPool::call_workers() {
  const int streams = ready();
  const auto any_free = [this] { return working_.load() + called_.load() < pool_size_; };
  int called = 0;
  for (; called < streams && any_free(); ++called) post_work();
  return called != 0 && !any_free();
}

void WorkerPool::post_work() {
  called_.fetch_add(1);
  asio::post(threads_->io, [this] {
    called_.fetch_sub(1);
    work();
  });
}

}  // namespace sim
