// SPDX-License-Identifier: Apache-2.0
#include "device_sim/drivers/thread_driver.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <thread>
#include <unordered_map>
#include <utility>

#include "device_sim/base/clock.h"
#include "device_sim/base/mutex.h"
#include "device_sim/base/parker.h"
#include "device_sim/base/sanitizer.h"
#include "device_sim/base/shared_work.h"
#include "device_sim/drivers/kernel_history.h"
#include "device_sim/drivers/worker_pool.h"

namespace sim {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kSpinNs = 30'000;        // about the cost of one wake-up
constexpr std::size_t kLongBytes = 256 << 10;  // a copy of this size takes about as long
constexpr Nanoseconds kShortNs = 1'000;        // average of ops that move cache lines between cores
constexpr std::uint64_t kLeastBurst = 16;      // fewer ops are not worth a look at the clock
constexpr int kHandOvers = 64;                 // consecutive streams that bypass the lists
constexpr std::uint64_t kHopOps = 4;           // ops of a stream that was handed over, at first
constexpr int kChaseDepth = 256;               // streams that a helper follows through their waits
// The number of kernels that run untimed between two timed ones: for kernels that took less than
// kVeryQuickNs, and for others that are not worth another thread.
constexpr std::uint64_t kUntimedVeryQuick = 63;
constexpr std::uint64_t kUntimedKernels = 15;
constexpr Nanoseconds kVeryQuickNs = 10'000;
constexpr auto kShortageLook = 1ms;      // of a host thread that does the work of the pool
constexpr auto kShortageFirstLook = 1s;  // before the pool is known to lack threads
constexpr std::chrono::nanoseconds kFirstLook =
    20us;  // at words that others write, then less often
constexpr std::chrono::nanoseconds kLastLook = 1ms;

/// Which kernels the calling thread may run.
enum class Kernels : std::uint8_t {
  none,   // it must return in time
  quick,  // kernels that were quick recently: the thread must be able to return soon
  all,
};

/// The state of the calling thread as a driver.
struct Turn {
  int drives = 0;           // streams that it moves, one inside another
  bool active = false;      // it moves a stream and will look at the ready lists afterwards
  bool left_ready = false;  // it has made streams ready since
  int hand_overs = 0;       // how often it may continue with a stream that it makes ready
  Stream* next = nullptr;   // that stream, which is in no list; one reference
  const Stream* left_alone = nullptr;  // a stream that it leaves to the thread that submits to it
  bool helps = false;  // for a host thread that waits: it mostly continues with a released stream
  Nanoseconds began_ns = 0;       // when a worker took its first stream
  std::uint64_t ops = 0;          // ops that it has run since, at least
  std::uint64_t untimed = 0;      // kernels of `timed` that it may still run untimed
  const void* timed = nullptr;    // the kernel that it has timed last
  const void* trusted = nullptr;  // a kernel that the history trusts, in this drive
};
thread_local Turn turn;

struct Driving {
  Driving() noexcept { ++turn.drives; }
  ~Driving() { --turn.drives; }
  Driving(const Driving&) = delete;
  Driving& operator=(const Driving&) = delete;
};

Ref<Stream> take_next() noexcept { return Ref<Stream>::adopt(std::exchange(turn.next, nullptr)); }

/// When a thread that moves a stream stops. `most`: how many kernels it may run before it asks
/// again.
template <class Over>
struct Until {
  Over over;
  std::uint64_t target = ~std::uint64_t{0};  // how many ops of the stream shall retire
  bool keeps_stream = false;                 // the caller goes on with the stream
  bool operator()() const { return over(); }
  std::uint64_t most(const Stream& stream) const { return target - stream.retired(); }
};
template <class Over>
Until(Over) -> Until<Over>;
template <class Over>
Until(Over, std::uint64_t) -> Until<Over>;
template <class Over>
Until(Over, std::uint64_t, bool) -> Until<Over>;

class ThreadDriver final : public Driver, private WorkerPool::Runner {
 public:
  ThreadDriver(const SystemConfig& config, Memory& memory, const Clock& clock)
      : Driver(memory, clock), pool_(config, *this) {}
  ~ThreadDriver() override { pool_.stop(); }

  void on_ready(Stream& stream) override;
  void on_submitted(Stream& stream, OpWeight first) override;
  void run_now(Stream& stream) override;
  void nudge(Stream& stream) override;
  void let_short_op_end(const Stream& stream) override;
  void share(std::size_t pieces, int helpers,
             const std::function<void(std::size_t)>& piece) override;
  void arm_timeout(Ref<Stream> stream, Ref<WaitPoint> point, std::uint64_t serial,
                   WaitLimit limit) override;
  void disarm_timeout(Stream& stream, std::uint64_t serial) override;
  void host_call_returned(Stream& stream, Failure failure, Server server) override;
  void close() override { pool_.close(); }
  void forget(Stream& stream) override { ReadyList::remove_anywhere(stream); }
  WaitResult wait(Stream& stream, std::uint64_t target, const Deadline& deadline,
                  bool may_help) override;
  bool finish_now(Stream& stream, std::uint64_t target) override;
  bool stand_in() override { return !pool_.short_of_threads() || pool_.stand_in(); }
  std::string thread_refusal() const override { return pool_.refusal(); }
  Deadline stand_in_at(const Deadline& deadline) const override;

 private:
  struct Timeout {
    std::uint64_t serial = 0;  // of the park
    WorkerPool::Timer timer;
  };

  void run(Stream& stream) override;  // in a worker
  bool finish_owned(Stream& stream, std::uint64_t target);
  bool hop(Stream& stream);
  void run_burst(Stream& stream);
  void run_up_to_kernel(Stream& stream) override;
  void watch_started() override { look_after(kFirstLook); }
  void look_after(std::chrono::nanoseconds interval);

  // Moving one owned stream.
  enum class Drive { reached, parked, idle, kernel };
  template <class Done>
  Drive drive(Stream& stream, Kernels kernels, Done done);
  template <class Done>
  Drive move(Stream& stream, Kernels kernels, Done done);
  Stream::Step run_kernel(Stream& stream, const void* function, std::uint64_t most);
  void call_workers_beside(Stream& stream);
  void list_ready(Stream& stream);
  void list_submitted(Stream& stream, OpWeight first);
  bool takes_long(OpWeight op) const;
  static bool has_rest() noexcept { return turn.left_ready || turn.next; }
  void leave_rest_to_pool() {
    if (has_rest()) [[unlikely]]
      push_rest();
  }
  void push_rest();

  // A host thread that waits.
  enum class Helped { moved, nothing, kernel };
  Helped help(Stream& stream, std::uint64_t target, const Deadline& deadline, Kernels kernels);
  Helped help_behind(const Stream& waiting, const Deadline& deadline, Kernels kernels);
  struct Sleeper {
    bool may_help;     // may run kernels
    bool left_kernel;  // has found one that it may not run
  };
  void sleep(Stream& stream, std::uint64_t target, const Deadline& deadline, Sleeper sleeper);
  Ref<Stream> ready_behind(Stream& stream, bool& for_worker) const;
  bool hand_to_worker(Stream& stream);

  WorkerPool pool_;
  KernelHistory history_;
  sim::Mutex timeouts_mutex_;
  std::unordered_map<const Stream*, Timeout> timeouts_ GUARDED_BY(timeouts_mutex_);
  sim::Mutex words_mutex_;
  WorkerPool::Timer words_timer_ GUARDED_BY(words_mutex_);
};

// ---- streams that become ready ----

// The op takes longer than it takes to wake another thread.
inline bool moves_much(OpWeight op) noexcept {
  return (op.kind == OpKind::copy || op.kind == OpKind::fill) && op.amount >= kLongBytes;
}

void ThreadDriver::on_ready(Stream& stream) {
  if (turn.active && turn.hand_overs > 0 && !turn.next) [[likely]] {
    turn.next = Ref<Stream>::share(&stream).detach();
    return;
  }
  list_ready(stream);
}

// A stream that is left alone is let go of when the thread is not active any more.
[[gnu::noinline]] void ThreadDriver::list_ready(Stream& stream) {
  if (turn.left_alone == &stream) {
    if (ReadyList::lists(stream) && !stream.has_waiters() && pool_.awake()) return;
    pool_.push_fresh(stream);
    if (!stream.wake_helper()) pool_.wake();
    return;
  }
  if (turn.active) {
    turn.left_ready = true;
    return turn.helps ? pool_.push_fresh(stream) : pool_.push(stream);
  }
  pool_.push(stream);
  if (stream.wake_helper()) return;
  pool_.wake();
}

// A stream that a waiting thread empties again and again is mostly still in its list.
void ThreadDriver::on_submitted(Stream& stream, OpWeight first) {
  const bool plain = first.kind != OpKind::kernel && !moves_much(first);
  if (plain && ReadyList::lists(stream) && !stream.has_waiters() && pool_.awake()) return;
  list_submitted(stream, first);
}

[[gnu::noinline]] void ThreadDriver::list_submitted(Stream& stream, OpWeight first) {
  if (takes_long(first)) {
    pool_.push(stream);
  } else {
    pool_.push_fresh(stream);
  }
  if (stream.has_waiters() && stream.wake_helper()) return;
  pool_.wake();
}

void ThreadDriver::run_now(Stream& stream) {
  if (stream.try_own()) drive(stream, Kernels::none, Until{[] { return false; }});
}

// The remaining ops stay with the thread that submits, unless they are worth another thread.
void ThreadDriver::nudge(Stream& stream) {
  if (turn.drives != 0 || !stream.try_own()) return;
  const Driving driving;
  while (stream.head_is_prepared()) {
    if (stream.step() != Stream::Step::moved) return;
  }
  const Op* const head = stream.head();
  if (!head || !takes_long(OpWeight::of(*head))) turn.left_alone = &stream;
  stream.let_go();
  turn.left_alone = nullptr;
}

// The owner of the stream soon sees that it was abandoned. The owner may be the calling thread, if
// an op releases an object of the program. The wait has a limit, because the op may itself wait for
// a lock of the calling thread.
void ThreadDriver::let_short_op_end(const Stream& stream) {
  if (turn.drives != 0) return;
  const Deadline patience = Deadline::in(std::chrono::seconds(1));
  while (stream.state() == Stream::State::running && !stream.in_kernel() && !patience.passed()) {
    std::this_thread::yield();
  }
}

// The thread may be away for long, or for ever: the pool gets the streams that it made ready.
[[gnu::noinline]] void ThreadDriver::push_rest() {
  turn.left_ready = false;
  if (const Ref<Stream> next = take_next()) pool_.push(*next);
  pool_.wake();
}

// If the host has one processor, or none is free, the owner does all parts itself. It counts as one
// of the pool's threads, so that at most as many threads compute as the host has processors.
void ThreadDriver::share(std::size_t pieces, int helpers,
                         const std::function<void(std::size_t)>& piece) {
  if (pieces < 2 || pool_.closing()) return Driver::share(pieces, helpers, piece);
  const auto work = std::make_shared<SharedWork>(pieces, piece);
  const auto most = static_cast<int>(std::min<std::size_t>(pieces - 1, 1024));
  try {
    for (int i = std::min({helpers, most, pool_.size() - 1}); i > 0; --i) {
      pool_.lend([work] { work->help(); });
    }
  } catch (const std::bad_alloc&) {
    // Fewer helpers; the pieces must end before the caller's function does.
  }
  work->finish();
}

// ---- moving one stream ----

inline bool starts_much(Stream& stream) noexcept {
  const Op* const head = stream.head();
  return head && moves_much(OpWeight::of(*head));
}

// The same, or it may do so.
bool ThreadDriver::takes_long(OpWeight op) const {
  return moves_much(op) || (op.kind == OpKind::kernel &&
                            history_.pays_a_thread(reinterpret_cast<const void*>(op.amount)));
}

// A thread that may run kernels runs the streams that it makes ready itself, soon, and wakes no
// other thread for them. One that may not hands each stream over at once.
template <class Done>
ThreadDriver::Drive ThreadDriver::drive(Stream& stream, Kernels kernels, Done done) {
  const Driving driving;
  if (kernels == Kernels::none) return move(stream, kernels, done);
  const bool outer_helps = std::exchange(turn.helps, kernels == Kernels::quick);
  turn.active = true;
  turn.trusted = nullptr;
  const Drive result = move(stream, kernels, done);
  turn.active = false;
  turn.helps = outer_helps;
  if (turn.hand_overs == 0 || pool_.closing()) leave_rest_to_pool();
  return result;
}

template <class Done>
ThreadDriver::Drive ThreadDriver::move(Stream& stream, Kernels kernels, Done done) {
  for (;;) {
    if (done()) {
      if (!done.keeps_stream) stream.let_go();
      return Drive::reached;
    }
    if (has_rest() && starts_much(stream)) push_rest();
    Stream::Step step = stream.step_row(done.most(stream));
    if (step == Stream::Step::kernel) {
      const void* const function = stream.head()->kernel_key();
      if (turn.trusted != function) turn.trusted = history_.trusts(function) ? function : nullptr;
      if (kernels == Kernels::none || (kernels == Kernels::quick && !turn.trusted)) {
        stream.yield();
        return Drive::kernel;
      }
      leave_rest_to_pool();
      turn.active = false;  // streams that the kernel makes ready must not wait for its end
      step = run_kernel(stream, function, done.most(stream));
      turn.active = true;
    }
    if (step == Stream::Step::parked) return Drive::parked;
    if (step == Stream::Step::idle) return Drive::idle;
  }
}

constexpr std::uint64_t untimed_after(Nanoseconds took) noexcept {
  if (took < kVeryQuickNs) return kUntimedVeryQuick;
  return took < KernelHistory::kPaysNs ? kUntimedKernels : 0;
}

// Reading the clock around every kernel would cost as much as a small kernel: of trusted kernels
// one in a row of so many is timed.
Stream::Step ThreadDriver::run_kernel(Stream& stream, const void* function, std::uint64_t most) {
  if (turn.trusted && turn.untimed != 0 && turn.timed == function) {
    if (stream.in_program()) {  // which counts as one op of its stream
      return stream.run_kernels(std::exchange(turn.untimed, 0));
    }
    const std::uint64_t before = stream.retired();
    const Stream::Step step = stream.run_kernels(std::min(most, turn.untimed));
    // Mostly as many as were asked for, or one.
    turn.untimed -= std::min(stream.retired() - before, turn.untimed);
    return step;
  }
  if (history_.pays_a_thread(function)) call_workers_beside(stream);
  const Nanoseconds start = now_ns();
  const Stream::Step step = stream.run_kernel();
  const Nanoseconds took = now_ns() - start;
  history_.note(function, took);
  turn.timed = function;
  turn.untimed = untimed_after(took);
  turn.trusted = nullptr;  // ask the history again
  return step;
}

// This thread will be in a kernel for long. Other ready streams shall not wait for the next patrol.
[[gnu::noinline]] void ThreadDriver::call_workers_beside(Stream& stream) {
  ReadyList::remove_anywhere(stream);
  pool_.call_workers();
}

// A stream that the worker makes ready is mostly the next one. The worker continues with it without
// the lists, unless the lists contain other streams, one of which may be more urgent.
void ThreadDriver::run(Stream& stream) {
  turn.hand_overs = kHandOvers;
  turn.began_ns = now_ns();
  turn.ops = 0;
  run_burst(stream);
  while (const Ref<Stream> next = take_next()) {
    --turn.hand_overs;
    if (pool_.any_ready(*next)) {
      pool_.push(*next);
      turn.left_ready = true;
    } else if (next->try_own() && !hop(*next)) {
      run_burst(*next);
    }
  }
  turn.hand_overs = 0;
  leave_rest_to_pool();  // this worker may not come back to the lists
}

// Streams that wait for each other mostly do a few short ops and wait again. True: the stream is
// let go of.
inline bool ThreadDriver::hop(Stream& stream) {
  if (starts_much(stream)) [[unlikely]]
    return false;
  const Driving driving;
  turn.active = true;
  const Stream::Step step = stream.step_row(kHopOps);
  turn.active = false;
  return step == Stream::Step::parked || step == Stream::Step::idle;
}

// A worker runs the ops that were queued when it took the stream. If that was short work, it then
// leaves the stream to the thread that still submits to it (see WorkerPool::gather), unless a
// thread waits for the stream.
void ThreadDriver::run_burst(Stream& stream) {
  for (;;) {
    const std::uint64_t there = stream.submitted();
    const std::uint64_t count = there - stream.retired();
    const auto over = [&] { return stream.retired() >= there || pool_.closing(); };
    if (drive(stream, Kernels::all, Until{over, there, true}) != Drive::reached) return;
    if (pool_.closing() || !stream.head()) return stream.let_go();
    turn.ops += count;
    const bool looks = count >= kLeastBurst && !stream.has_waiters();
    if (looks && now_ns() - turn.began_ns < turn.ops * kShortNs) break;
  }
  turn.left_alone = &stream;
  stream.yield();
  turn.left_alone = nullptr;
}

void ThreadDriver::run_up_to_kernel(Stream& stream) {
  drive(stream, Kernels::none, Until{[this] { return pool_.closing(); }});
}

void ThreadDriver::host_call_returned(Stream& stream, Failure failure, Server server) {
  if (stream.host_call_returned(failure) == Stream::Step::parked) return;
  drive(stream, server == Server::crew_free ? Kernels::all : Kernels::none,
        Until{[] { return false; }});
}

// ---- time limits, and words that others write ----

void ThreadDriver::arm_timeout(Ref<Stream> stream, Ref<WaitPoint> point, std::uint64_t serial,
                               WaitLimit limit) {
  const sim::LockGuard guard(timeouts_mutex_);
  Timeout& current = timeouts_[stream.get()];
  if (current.serial > serial) return;
  const auto fire = [this, stream, point, serial] {
    if (!point->unpark(*stream, serial)) return;
    if (stream->fail_wait({Error::wait_timeout, 0}) == Stream::Step::parked) return;
    drive(*stream, Kernels::none, Until{[] { return false; }});
  };
  current = {serial, pool_.after(std::chrono::nanoseconds(limit.ns), fire)};
}

void ThreadDriver::disarm_timeout(Stream& stream, std::uint64_t serial) {
  const sim::LockGuard guard(timeouts_mutex_);
  const auto it = timeouts_.find(&stream);
  if (it == timeouts_.end() || it->second.serial > serial) return;
  timeouts_.erase(it);
}

// At most one timer for words is armed: the first word to be watched arms it, and it is armed again
// while there are any.
void ThreadDriver::look_after(std::chrono::nanoseconds interval) {
  const sim::LockGuard guard(words_mutex_);  // the timer may fire before it is kept
  words_timer_ = pool_.after(interval, [this, interval] {
    if (look_at_words()) look_after(std::min(2 * interval, kLastLook));
  });
}

// ---- helping and waiting ----

// Follows the waits from stream to stream to a stream that can move, and moves it until the wait is
// over. If a wait on the way has a time limit, this thread runs no kernel, because it could not
// leave the kernel when the time is up.
ThreadDriver::Helped ThreadDriver::help_behind(const Stream& waiting, const Deadline& deadline,
                                               Kernels kernels) {
  bool timed = false;
  Ref<WaitPoint> until = waiting.parked_on(&timed);
  for (int depth = 0; until && depth < kChaseDepth; ++depth) {
    if (timed) kernels = Kernels::none;
    const Ref<Stream> stream = until->producer();
    if (!stream) return Helped::nothing;
    if (stream->try_own()) {
      const Until reached{
          [&] { return until->done() || waiting.abandoned() || deadline.passed(); }};
      return drive(*stream, kernels, reached) == Drive::kernel ? Helped::kernel : Helped::moved;
    }
    until = stream->parked_on(&timed);
  }
  return Helped::nothing;
}

ThreadDriver::Helped ThreadDriver::help(Stream& stream, std::uint64_t target,
                                        const Deadline& deadline, Kernels kernels) {
  if (!stream.try_own()) return help_behind(stream, deadline, kernels);
  const Until reached{[&] { return stream.retired() >= target || deadline.passed(); }, target};
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

// True when the workers want every core.
bool ThreadDriver::hand_to_worker(Stream& stream) {
  pool_.push(stream);
  pool_.wake();
  return pool_.call_workers();
}

Deadline ThreadDriver::stand_in_at(const Deadline& deadline) const {
  if (pool_.short_of_threads()) {
    const Deadline look = Deadline::in(kShortageLook);
    return look.at() < deadline.at() ? look : deadline;
  }
  return deadline.is_never() ? Deadline::in(kShortageFirstLook) : deadline;
}

Driver::WaitResult ThreadDriver::wait(Stream& stream, std::uint64_t target,
                                      const Deadline& deadline, bool may_help) {
  if (const auto result = outcome(stream, target, deadline)) return *result;
  // An abort must release this thread at once, so it must not run a long kernel. While the process
  // ends no worker is left to run one, so this thread may.
  const Kernels own = pool_.closing() ? Kernels::all : Kernels::quick;
  const Kernels kernels = may_help ? own : Kernels::none;
  for (;;) {
    if (!stand_in()) [[unlikely]] {
      return outcome(stream, target, deadline).value_or(WaitResult::no_thread);
    }
    const Helped helped = help(stream, target, deadline, kernels);
    if (helped != Helped::moved) {
      sleep(stream, target, deadline, {may_help, helped == Helped::kernel});
    }
    if (const auto result = outcome(stream, target, deadline)) return *result;
  }
}

bool ThreadDriver::finish_now(Stream& stream, std::uint64_t target) {
  if (pool_.closing() || pool_.short_of_threads() || !stream.try_own()) return false;
  if (stream.finish_short(target)) [[likely]]
    return !stream.abandoned();
  return finish_owned(stream, target);
}

[[gnu::noinline]] bool ThreadDriver::finish_owned(Stream& stream, std::uint64_t target) {
  const Until reached{[&] { return stream.retired() >= target; }, target};
  drive(stream, Kernels::quick, reached);
  return reached() && !stream.abandoned();
}

// Until the target is reached, or this thread may be able to help again.
void ThreadDriver::sleep(Stream& stream, std::uint64_t target, const Deadline& deadline,
                         Sleeper sleeper) {
  if (watching()) look_at_words();
  HostWaiter waiter;
  waiter.parker = &Parker::mine();
  waiter.target = target;
  // A woken helper must run the stream, so a thread that may give up cannot be one.
  waiter.may_help = sleeper.may_help && deadline.is_never();
  if (!stream.add_waiter(waiter)) return;
  // A ready stream is one that this thread may not run, or became ready since help_behind looked.
  bool for_worker = !sleeper.may_help || sleeper.left_kernel;
  const Ref<Stream> ready = ready_behind(stream, for_worker);
  if (!ready || for_worker) {
    // While a worker runs the kernel that this thread waits for, the core of this thread is free
    // for other ready streams.
    const bool all_busy =
        ready ? hand_to_worker(*ready) : stream.in_kernel() && pool_.call_workers();
    const HostWait counted(*this, stream, !deadline.is_never());
    waiter.parker->park(stand_in_at(deadline), all_busy ? 0 : kSpinNs);
  }
  if (!waiter.released.load(std::memory_order_acquire)) stream.remove_waiter(waiter);
}

}  // namespace

std::unique_ptr<Driver> make_thread_driver(const SystemConfig& config, Memory& memory,
                                           const Clock& clock) {
  return std::make_unique<ThreadDriver>(config, memory, clock);
}

}  // namespace sim
