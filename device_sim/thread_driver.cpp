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
constexpr auto kBusyPatrolInterval = 500us;  // the same while all workers run kernels
constexpr auto kStallLimit = 3ms;          // a device that stands so long gets another thread
constexpr int kStallLooks = 4;             // unless it was only the patrol that came late
constexpr int kMaxCompensation = 64;       // threads that may join beyond the pool's size
constexpr auto kClosePatience = 100ms;     // for kernels that run when the process ends
constexpr Nanoseconds kSpinNs = 30'000;    // about what one wake-up costs
constexpr std::size_t kLongBytes = 256 << 10;  // to copy them takes about as long
constexpr int kChaseDepth = 256;           // streams that a helper follows through their waits

struct Device {
  ReadyList ready;                      // to be run as soon as a worker looks
  ReadyList fresh;                      // ready by a submit: a batch gathers until the next patrol
  std::atomic<int> active{0};           // workers on this device
  std::atomic<std::uint64_t> taken{0};  // streams that workers took, to see a stall
  std::uint64_t taken_before = kNever;  // patrol only
  std::chrono::steady_clock::time_point stuck_since;  // patrol only
  int stuck_looks = 0;                  // patrol only

  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
};

/// What the calling thread is doing as a driver.
struct Turn {
  bool active = false;      // it moves a stream and will look at the ready lists afterwards
  bool left_ready = false;  // it has made streams ready since
};
thread_local Turn turn;

class ThreadDriver final : public Driver {
 public:
  ThreadDriver(const SystemConfig& config, Memory& memory, const Clock& clock);
  ~ThreadDriver() override;

  void on_ready(Stream& stream) override;
  void on_submitted(Stream& stream) override;
  void arm_timeout(Ref<Stream> stream, Ref<Signal> signal, std::uint64_t serial,
                   Nanoseconds timeout_ns) override;
  void disarm_timeout(Stream& stream, std::uint64_t serial) override;
  void host_call_returned(Stream& stream, Failure failure, bool kernels) override;
  void close() override;
  void forget(Stream& stream) override { ReadyList::remove_anywhere(stream); }
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
  bool look_for_stalls();
  void compensate(Device& device);
  void work();
  void gather();
  bool gather_is_due() const;
  void call_worker();
  bool work_on(Device& device, bool compensating);
  bool any_ready() const;
  bool any_listed() const;

  // Moving one owned stream.
  enum class Drive { reached, parked, idle, kernel };
  template <class Done>
  Drive drive(Stream& stream, bool kernels, Done done);
  template <class Done>
  Drive move(Stream& stream, bool kernels, Done done);
  void leave_rest_to_pool();

  // Helping.
  bool help(Stream& stream, std::uint64_t target, const Deadline& deadline, bool kernels);
  bool help_behind(const Stream& parked, const Deadline& deadline, bool kernels);
  Ref<Stream> ready_behind(Stream& stream, bool& for_worker) const;
  void hand_to_worker(Stream& stream);

  const int workers_per_device_;
  const int pool_size_;
  std::vector<Device> devices_;

  asio::io_context io_;
  asio::executor_work_guard<asio::io_context::executor_type> keep_{io_.get_executor()};
  asio::steady_timer patrol_timer_{io_};
  struct Timeout {
    std::uint64_t serial = 0;  // of the park
    std::shared_ptr<asio::steady_timer> timer;
  };
  std::mutex timeouts_mutex_;
  std::unordered_map<const Stream*, Timeout> timeouts_;
  std::mutex threads_mutex_;
  std::vector<std::thread> threads_;
  std::atomic<bool> awake_{false};      // a patrol is under way or armed
  std::atomic<int> working_{0};         // threads inside work()
  std::atomic<bool> called_{false};     // a posted work() has not started yet
  std::atomic<int> compensation_{0};    // threads that may work beyond pool_size_
  std::atomic<std::chrono::steady_clock::rep> gathered_{0};  // when fresh streams were last taken in
  std::atomic<std::size_t> next_device_{0};
  std::atomic<bool> stopping_{false};
  std::atomic<bool> closing_{false};    // no worker starts another op
  int quiet_patrols_ = 0;               // patrol only
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
  {
    const std::lock_guard guard(threads_mutex_);  // from here on no thread joins
    stopping_ = true;
  }
  keep_.reset();
  io_.stop();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadDriver::close() {
  closing_ = true;
  const Deadline patience = Deadline::in(kClosePatience);
  const auto running = [this] { return working_.load() != 0 || compensation_.load() != 0; };
  while (running() && !patience.passed()) std::this_thread::yield();
}

// ---- workers ----

void ThreadDriver::start_threads() {
  const std::lock_guard guard(threads_mutex_);
  if (stopping_ || !threads_.empty()) return;
  // One more than may work: it keeps the patrol going while the others run kernels.
  for (int i = 0; i < pool_size_ + 1; ++i) add_thread();
}

void ThreadDriver::add_thread() {
  threads_.emplace_back([this] { io_.run(); });
}

void ThreadDriver::on_ready(Stream& stream) {
  device(stream).ready.push(stream);
  if (turn.active) {
    turn.left_ready = true;
    return;
  }
  if (stream.wake_helper()) return;
  if (!awake_.load(std::memory_order_seq_cst)) ring();
}

void ThreadDriver::on_submitted(Stream& stream) {
  device(stream).fresh.push_unlisted(stream);
  if (stream.wake_helper()) return;
  if (!awake_.load(std::memory_order_seq_cst)) ring();
}

// The thread may be gone for long, or for good: what it made ready is the pool's.
void ThreadDriver::leave_rest_to_pool() {
  if (!turn.left_ready) return;
  turn.left_ready = false;
  if (!awake_.load(std::memory_order_seq_cst)) ring();
}

void ThreadDriver::ring() {
  if (awake_.exchange(true, std::memory_order_seq_cst)) return;
  start_threads();
  // A timer costs the caller less than waking a thread would; the work starts that much later.
  arm_patrol(kPatrolInterval);
}

bool ThreadDriver::any_ready() const {
  return std::any_of(devices_.begin(), devices_.end(),
                     [](const Device& device) { return !device.ready.empty(); });
}

bool ThreadDriver::any_listed() const {
  return std::any_of(devices_.begin(), devices_.end(), [](const Device& device) {
    return !device.ready.empty() || !device.fresh.empty();
  });
}

// What stands among the fresh streams now is to be run. A host thread that submits faster than the
// work is done would otherwise have a worker beside it that takes every single op from its hands.
void ThreadDriver::gather() {
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
bool ThreadDriver::gather_is_due() const {
  const std::chrono::steady_clock::duration last(gathered_.load(std::memory_order_relaxed));
  return std::chrono::steady_clock::now().time_since_epoch() - last >= kPatrolInterval;
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
  gather();
  if (!any_ready()) {
    for (Device& device : devices_) device.taken_before = Device::kNever;
    if (++quiet_patrols_ < kQuietPatrols) {
      arm_patrol(kPatrolInterval);
      return;
    }
    quiet_patrols_ = 0;
    awake_.store(false, std::memory_order_seq_cst);
    // Pairs with on_ready and on_submitted: they pushed before they looked at awake_.
    if (any_listed()) ring();
    return;
  }
  quiet_patrols_ = 0;
  const bool moving = look_for_stalls();
  arm_patrol(moving ? kPatrolInterval : kBusyPatrolInterval);
  work();
}

// Device by device: one that stands still is not helped by another that moves. True when workers
// have taken streams since the last look.
bool ThreadDriver::look_for_stalls() {
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

// Ready streams, but every worker that might take them is inside a kernel: one more thread.
void ThreadDriver::compensate(Device& device) {
  const int joined = compensation_.fetch_add(1) + 1;
  {
    const std::lock_guard guard(threads_mutex_);
    if (stopping_) return;
    if (threads_.size() < static_cast<std::size_t>(pool_size_ + 1 + joined)) add_thread();
  }
  asio::post(io_, [this, &device] {
    work_on(device, true);
    compensation_.fetch_sub(1);
  });
}

// Runs ready streams until there are none left, or every device has its workers.
void ThreadDriver::work() {
  if (working_.fetch_add(1) >= pool_size_) {
    working_.fetch_sub(1);
    return;
  }
  for (bool found = true; found && !stopping_ && !closing_;) {
    found = false;
    const std::size_t first = next_device_.fetch_add(1, std::memory_order_relaxed);
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      if (work_on(devices_[(first + i) % devices_.size()], false)) found = true;
    }
    if (found || !any_listed() || !gather_is_due()) continue;
    gather();
    found = any_ready();
    // The patrol may have looked while a stream was between the lists.
    if (!awake_.load(std::memory_order_seq_cst)) ring();
  }
  working_.fetch_sub(1);
}

// Has one more thread look at the ready lists now, if one is free and none is on its way.
void ThreadDriver::call_worker() {
  if (working_.load() >= pool_size_ || called_.exchange(true)) return;
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
    device.taken.fetch_add(1, std::memory_order_relaxed);
    if (any_ready()) call_worker();  // more to do than one thread can
    drive(*stream, true, [this] { return closing_.load(std::memory_order_relaxed); });
    if (compensating || closing_) break;
  }
  device.active.fetch_sub(1);
  return any;
}

// ---- moving one stream ----

// Longer than another thread takes to wake up.
bool takes_long(const Op* op) {
  if (!op) return false;
  return (op->kind == OpKind::copy && op->copy.size >= kLongBytes) ||
         (op->kind == OpKind::fill && op->fill.size >= kLongBytes);
}

// A thread that may run everything looks at what it made ready itself, soon: it wakes nobody for
// that. One that may not run kernels hands each stream over at once.
template <class Done>
ThreadDriver::Drive ThreadDriver::drive(Stream& stream, bool kernels, Done done) {
  if (!kernels) return move(stream, false, done);
  turn.active = true;
  const Drive result = move(stream, true, done);
  turn.active = false;
  leave_rest_to_pool();
  return result;
}

template <class Done>
ThreadDriver::Drive ThreadDriver::move(Stream& stream, bool kernels, Done done) {
  for (;;) {
    if (done()) {
      // With nothing left the stream need not go through a worker to become idle.
      if (stream.head() || stream.step() != Stream::Step::idle) stream.yield();
      return Drive::reached;
    }
    if (turn.left_ready && takes_long(stream.head())) leave_rest_to_pool();
    Stream::Step step = stream.step();
    if (step == Stream::Step::kernel) {
      if (!kernels) {
        stream.yield();
        return Drive::kernel;
      }
      leave_rest_to_pool();
      turn.active = false;  // what the kernel itself makes ready is not to wait for its end
      step = stream.run_kernel();
      turn.active = true;
    }
    if (step == Stream::Step::parked) return Drive::parked;
    if (step == Stream::Step::idle) return Drive::idle;
  }
}

void ThreadDriver::host_call_returned(Stream& stream, Failure failure, bool kernels) {
  stream.host_call_returned(failure);
  drive(stream, kernels, [] { return false; });
}

void ThreadDriver::arm_timeout(Ref<Stream> stream, Ref<Signal> signal, std::uint64_t serial,
                               Nanoseconds timeout_ns) {
  start_threads();
  auto timer = std::make_shared<asio::steady_timer>(io_);
  const std::lock_guard guard(timeouts_mutex_);
  Timeout& current = timeouts_[stream.get()];
  if (current.serial > serial) return;
  timer->expires_after(std::chrono::nanoseconds(timeout_ns));
  timer->async_wait([this, stream, signal, serial](const boost::system::error_code& error) {
    if (error || !signal->unpark(*stream, serial)) return;
    stream->fail_wait({Error::wait_timeout, 0});
    drive(*stream, false, [] { return false; });
  });
  current = {serial, std::move(timer)};
}

void ThreadDriver::disarm_timeout(Stream& stream, std::uint64_t serial) {
  const std::lock_guard guard(timeouts_mutex_);
  const auto it = timeouts_.find(&stream);
  if (it == timeouts_.end() || it->second.serial > serial) return;
  it->second.timer->cancel();
  timeouts_.erase(it);
}

// ---- helping and waiting ----

// Follows the waits from stream to stream until one is found that can move, and moves it until
// what is waited for is done. True when something moved. Behind a wait that ends by itself this
// thread runs no kernel: it could not leave it when the time is up.
bool ThreadDriver::help_behind(const Stream& parked, const Deadline& deadline, bool kernels) {
  bool timed = false;
  Ref<Signal> until = parked.parked_on(&timed);
  for (int depth = 0; until && depth < kChaseDepth; ++depth) {
    if (timed) kernels = false;
    const Ref<Stream> stream = until->producer();
    if (!stream) return false;
    if (stream->try_own()) {
      const auto reached = [&] { return until->done() || deadline.passed(); };
      return drive(*stream, kernels, reached) != Drive::kernel;
    }
    until = stream->parked_on(&timed);
  }
  return false;
}

bool ThreadDriver::help(Stream& stream, std::uint64_t target, const Deadline& deadline,
                        bool kernels) {
  if (stream.try_own()) {
    const auto reached = [&] { return stream.retired() >= target || deadline.passed(); };
    return drive(stream, kernels, reached) != Drive::kernel;
  }
  return help_behind(stream, deadline, kernels);
}

// The stream, or the one that it waits for in the end, if that could move now. `for_worker` is set
// when there is a wait between that ends by itself.
Ref<Stream> ThreadDriver::ready_behind(Stream& stream, bool& for_worker) const {
  Ref<Stream> at = Ref<Stream>::share(&stream);
  for (int depth = 0; at && depth < kChaseDepth; ++depth) {
    if (at->state() == Stream::State::ready) return at;
    bool timed = false;
    const Ref<Signal> signal = at->parked_on(&timed);
    if (!signal) break;
    for_worker |= timed;
    at = signal->producer();
  }
  return {};
}

void ThreadDriver::hand_to_worker(Stream& stream) {
  device(stream).ready.push(stream);
  call_worker();
}

Driver::WaitResult ThreadDriver::wait(Stream& stream, std::uint64_t target,
                                      const Deadline& deadline, bool may_help) {
  HostWaiter waiter;
  waiter.parker = &Parker::mine();
  waiter.target = target;
  // A woken helper takes over the duty to run the stream, so it must not be one that gives up.
  waiter.may_help = may_help && deadline.is_never();
  for (;;) {
    if (stream.retired() >= target) return WaitResult::reached;
    if (stream.abandoned()) return WaitResult::abandoned;
    if (deadline.passed()) return WaitResult::timed_out;
    if (help(stream, target, deadline, may_help)) continue;
    waiter.released.store(false, std::memory_order_relaxed);
    if (!stream.add_waiter(waiter)) continue;
    // Ready is what this thread may not run, or what became so since the look above.
    bool for_worker = !may_help;
    const Ref<Stream> ready = ready_behind(stream, for_worker);
    if (ready && for_worker) hand_to_worker(*ready);
    if (!ready || for_worker) {
      const HostWait counted(*this);
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
