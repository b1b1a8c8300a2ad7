// SPDX-License-Identifier: Apache-2.0
#include "device_sim/drivers/thread_driver.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "device_sim/base/parker.h"
#include "device_sim/base/sanitizer.h"
#include "device_sim/drivers/kernel_history.h"
#include "device_sim/drivers/worker_pool.h"
#include "device_sim/memory/shared_copy.h"

namespace sim {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kSpinNs = 30'000;        // about what one wake-up costs
constexpr std::size_t kLongBytes = 256 << 10;  // a copy of so many takes about as long
constexpr int kChaseDepth = 256;               // streams that a helper follows through their waits
constexpr int kMeasuredKernels = 16;           // one of so many trusted kernels is timed
constexpr std::chrono::nanoseconds kFirstLook = 20us;  // at words that others write, then less often
constexpr std::chrono::nanoseconds kLastLook = 1ms;

/// Which kernels the calling thread may run.
enum class Kernels : std::uint8_t {
  none,   // it must return in time
  quick,  // those that were quick recently: it must be able to return soon
  all,
};

/// What the calling thread is doing as a driver.
struct Turn {
  bool active = false;      // it moves a stream and will look at the ready lists afterwards
  bool left_ready = false;  // it has made streams ready since
  int kernels = 0;          // counts the trusted kernels that it ran
  const void* trusted = nullptr;  // a kernel that the history trusts, in this drive
};
thread_local Turn turn;

/// The key of a kernel in the history. Objects differ with each launch; their names do not.
const void* function_of(const Op& op) noexcept {
  if (op.has_object) return op.kernel.name;
  return op.kernel.function ? op.kernel.function : reinterpret_cast<const void*>(op.kernel.entry);
}

class ThreadDriver final : public Driver, private WorkerPool::Runner {
 public:
  ThreadDriver(const SystemConfig& config, Memory& memory, const Clock& clock)
      : Driver(memory, clock), pool_(config, *this) {}
  ~ThreadDriver() override { pool_.stop(); }

  void on_ready(Stream& stream) override;
  void on_submitted(Stream& stream) override;
  void copy_large(void* dst, const void* src, std::size_t size) override;
  void arm_timeout(Ref<Stream> stream, Ref<WaitPoint> point, std::uint64_t serial,
                   Nanoseconds timeout_ns) override;
  void disarm_timeout(Stream& stream, std::uint64_t serial) override;
  void host_call_returned(Stream& stream, Failure failure, bool kernels) override;
  void close() override { pool_.close(); }
  void forget(Stream& stream) override { ReadyList::remove_anywhere(stream); }
  WaitResult wait(Stream& stream, std::uint64_t target, const Deadline& deadline,
                  bool may_help) override;

 private:
  struct Timeout {
    std::uint64_t serial = 0;  // of the park
    WorkerPool::Timer timer;
  };

  void run(Stream& stream) override;  // in a worker
  void watch_started() override { look_after(kFirstLook); }
  void look_after(std::chrono::nanoseconds interval);

  // Moving one owned stream.
  enum class Drive { reached, parked, idle, kernel };
  template <class Done>
  Drive drive(Stream& stream, Kernels kernels, Done done);
  template <class Done>
  Drive move(Stream& stream, Kernels kernels, Done done);
  Stream::Step run_kernel(Stream& stream, const void* function);
  void leave_rest_to_pool();

  // A host thread that waits.
  enum class Helped { moved, nothing, kernel };
  Helped help(Stream& stream, std::uint64_t target, const Deadline& deadline, Kernels kernels);
  Helped help_behind(const Stream& waiting, const Deadline& deadline, Kernels kernels);
  Ref<Stream> ready_behind(Stream& stream, bool& for_worker) const;
  void hand_to_worker(Stream& stream);

  WorkerPool pool_;
  KernelHistory history_;
  std::mutex timeouts_mutex_;
  std::unordered_map<const Stream*, Timeout> timeouts_;
  std::mutex words_mutex_;
  WorkerPool::Timer words_timer_;
};

// ---- streams that become ready ----

void ThreadDriver::on_ready(Stream& stream) {
  pool_.push(stream);
  if (turn.active) {
    turn.left_ready = true;
    return;
  }
  if (stream.wake_helper()) return;
  pool_.wake();
}

void ThreadDriver::on_submitted(Stream& stream) {
  pool_.push_fresh(stream);
  if (stream.wake_helper()) return;
  pool_.wake();
}

// The thread may be away for long, or for ever: the pool gets the streams that it made ready.
void ThreadDriver::leave_rest_to_pool() {
  if (!turn.left_ready) return;
  turn.left_ready = false;
  pool_.wake();
}

// Where there is one processor, or none is free, the owner copies all pieces itself.
void ThreadDriver::copy_large(void* dst, const void* src, std::size_t size) {
  const auto to = reinterpret_cast<std::uintptr_t>(dst);
  const auto from = reinterpret_cast<std::uintptr_t>(src);
  if (pool_.closing() || (to < from + size && from < to + size)) return device_copy(dst, src, size);
  const auto copy = std::make_shared<SharedCopy>(dst, src, size);
  pool_.lend([copy] { copy->help(); });
  copy->finish();
}

// ---- moving one stream ----

// True when the op takes longer than it takes to wake another thread.
bool takes_long(const Op* op) {
  if (!op) return false;
  return (op->kind == OpKind::copy && op->copy.size >= kLongBytes) ||
         (op->kind == OpKind::fill && op->fill.size >= kLongBytes);
}

// A thread that may run kernels runs the streams that it makes ready itself, soon, and wakes no
// other thread for them. One that may not hands each stream over at once.
template <class Done>
ThreadDriver::Drive ThreadDriver::drive(Stream& stream, Kernels kernels, Done done) {
  if (kernels == Kernels::none) return move(stream, kernels, done);
  turn.active = true;
  turn.trusted = nullptr;
  const Drive result = move(stream, kernels, done);
  turn.active = false;
  leave_rest_to_pool();
  return result;
}

template <class Done>
ThreadDriver::Drive ThreadDriver::move(Stream& stream, Kernels kernels, Done done) {
  for (;;) {
    if (done()) {
      stream.let_go();
      return Drive::reached;
    }
    if (turn.left_ready && takes_long(stream.head())) leave_rest_to_pool();
    Stream::Step step = stream.step();
    if (step == Stream::Step::kernel) {
      const void* const function = function_of(*stream.head());
      if (turn.trusted != function) turn.trusted = history_.trusts(function) ? function : nullptr;
      if (kernels == Kernels::none || (kernels == Kernels::quick && !turn.trusted)) {
        stream.yield();
        return Drive::kernel;
      }
      leave_rest_to_pool();
      turn.active = false;  // streams that the kernel makes ready must not wait for its end
      step = run_kernel(stream, function);
      turn.active = true;
    }
    if (step == Stream::Step::parked) return Drive::parked;
    if (step == Stream::Step::idle) return Drive::idle;
  }
}

// Reading the clock around every kernel would cost as much as a small kernel.
Stream::Step ThreadDriver::run_kernel(Stream& stream, const void* function) {
  if (turn.trusted && ++turn.kernels % kMeasuredKernels != 0) return stream.run_kernel();
  const Nanoseconds start = now_ns();
  const Stream::Step step = stream.run_kernel();
  history_.note(function, now_ns() - start);
  turn.trusted = nullptr;  // ask the history again
  return step;
}

void ThreadDriver::run(Stream& stream) {
  drive(stream, Kernels::all, [this] { return pool_.closing(); });
}

void ThreadDriver::host_call_returned(Stream& stream, Failure failure, bool kernels) {
  if (stream.host_call_returned(failure) == Stream::Step::parked) return;
  drive(stream, kernels ? Kernels::all : Kernels::none, [] { return false; });
}

// ---- time limits, and words that others write ----

void ThreadDriver::arm_timeout(Ref<Stream> stream, Ref<WaitPoint> point, std::uint64_t serial,
                               Nanoseconds timeout_ns) {
  const std::lock_guard guard(timeouts_mutex_);
  Timeout& current = timeouts_[stream.get()];
  if (current.serial > serial) return;
  const auto fire = [this, stream, point, serial] {
    if (!point->unpark(*stream, serial)) return;
    if (stream->fail_wait({Error::wait_timeout, 0}) == Stream::Step::parked) return;
    drive(*stream, Kernels::none, [] { return false; });
  };
  current = {serial, pool_.after(std::chrono::nanoseconds(timeout_ns), fire)};
}

void ThreadDriver::disarm_timeout(Stream& stream, std::uint64_t serial) {
  const std::lock_guard guard(timeouts_mutex_);
  const auto it = timeouts_.find(&stream);
  if (it == timeouts_.end() || it->second.serial > serial) return;
  timeouts_.erase(it);
}

// At most one timer for words is armed: the first word to be watched arms it, and it is armed again
// while there are any.
void ThreadDriver::look_after(std::chrono::nanoseconds interval) {
  const std::lock_guard guard(words_mutex_);  // the timer may fire before it is kept
  words_timer_ = pool_.after(interval, [this, interval] {
    if (look_at_words()) look_after(std::min(2 * interval, kLastLook));
  });
}

// ---- helping and waiting ----

// Follows the waits from stream to stream to one that can move, and moves it until the wait is
// over. Where a wait on the way has a time limit this thread runs no kernel: it could not leave the
// kernel when the time is up.
ThreadDriver::Helped ThreadDriver::help_behind(const Stream& waiting, const Deadline& deadline,
                                               Kernels kernels) {
  bool timed = false;
  Ref<WaitPoint> until = waiting.parked_on(&timed);
  for (int depth = 0; until && depth < kChaseDepth; ++depth) {
    if (timed) kernels = Kernels::none;
    const Ref<Stream> stream = until->producer();
    if (!stream) return Helped::nothing;
    if (stream->try_own()) {
      const auto reached = [&] {
        return until->done() || waiting.abandoned() || deadline.passed();
      };
      return drive(*stream, kernels, reached) == Drive::kernel ? Helped::kernel : Helped::moved;
    }
    until = stream->parked_on(&timed);
  }
  return Helped::nothing;
}

ThreadDriver::Helped ThreadDriver::help(Stream& stream, std::uint64_t target,
                                        const Deadline& deadline, Kernels kernels) {
  if (!stream.try_own()) return help_behind(stream, deadline, kernels);
  const auto reached = [&] { return stream.retired() >= target || deadline.passed(); };
  return drive(stream, kernels, reached) == Drive::kernel ? Helped::kernel : Helped::moved;
}

// The stream, or the one at the end of its chain of waits, if that could move now. `for_worker` is
// set when a wait of the chain has a time limit.
Ref<Stream> ThreadDriver::ready_behind(Stream& stream, bool& for_worker) const {
  Ref<Stream> at = Ref<Stream>::share(&stream);
  for (int depth = 0; at && depth < kChaseDepth; ++depth) {
    if (at->state() == Stream::State::ready) return at;
    bool timed = false;
    const Ref<WaitPoint> point = at->parked_on(&timed);
    if (!point) break;
    for_worker |= timed;
    at = point->producer();
  }
  return {};
}

void ThreadDriver::hand_to_worker(Stream& stream) {
  pool_.push(stream);
  pool_.wake();
  pool_.call_worker();
}

Driver::WaitResult ThreadDriver::wait(Stream& stream, std::uint64_t target,
                                      const Deadline& deadline, bool may_help) {
  HostWaiter waiter;
  waiter.parker = &Parker::mine();
  waiter.target = target;
  // An abort must release this thread at once, so it must not run a long kernel. While the process
  // ends no worker is left to run one, so this thread may.
  const Kernels own = pool_.closing() ? Kernels::all : Kernels::quick;
  const Kernels kernels = may_help ? own : Kernels::none;
  // A woken helper must run the stream, so a thread that may give up cannot be one.
  waiter.may_help = may_help && deadline.is_never();
  for (;;) {
    if (const auto result = outcome(stream, target, deadline)) return *result;
    const Helped helped = help(stream, target, deadline, kernels);
    if (helped == Helped::moved) continue;
    if (watching()) look_at_words();
    waiter.released.store(false, std::memory_order_relaxed);
    if (!stream.add_waiter(waiter)) continue;
    // A ready stream is one that this thread may not run, or became ready since help_behind looked.
    bool for_worker = !may_help || helped == Helped::kernel;
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
