// SPDX-License-Identifier: Apache-2.0
#include "device_sim/drivers/seeded_driver.h"

#include <pthread.h>

#include <algorithm>
#include <climits>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "device_sim/base/grace.h"
#include "device_sim/base/parker.h"
#include "device_sim/drivers/awaited_calls.h"
#include "device_sim/drivers/baton.h"
#include "device_sim/drivers/kernel_thread.h"
#include "device_sim/drivers/ready_streams.h"
#include "device_sim/drivers/wait_limits.h"

namespace sim {
namespace {

using namespace std::chrono_literals;

constexpr auto kKernelPatience = 50ms;
constexpr auto kServePatience = 50ms;
constexpr auto kHostPatience = 200ms;
constexpr int kRowLength = 64;       // steps of a waiting host thread before others get their turn
constexpr auto kWordInterval = 1ms;  // between looks at words that others write

class Seeded final : public SeededDriver {
 public:
  Seeded(const SystemConfig& config, Memory& memory, const Clock& clock)
      : SeededDriver(memory, clock),
        ready_(config.strategy, config.seed, config.decisions_path),
        baton_(std::make_shared<Baton>(config.seed)),
        ticker_([this] { tick(); }) {}
  ~Seeded() override;

  void on_ready(Stream& stream) override;
  void arm_timeout(Ref<Stream> stream, Ref<WaitPoint> point, std::uint64_t serial,
                   Nanoseconds timeout_ns) override;
  void disarm_timeout(Stream& stream, std::uint64_t serial) override;
  void host_call_returned(Stream& stream, Failure failure, bool kernels) override;
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
  void sleep(Stream& stream, HostWaiter& waiter, const Deadline& deadline);
  template <class Move>
  void move(Move move);  // with turn_
  bool settle_once();    // with turn_; false: no host function was awaited
  bool attended(HostLane& lane) const;
  bool excused();
  void diverge(const char* reason);
  void diverge_if(bool real_time) {
    if (real_time) diverge("several host threads make calls at the same time");
  }
  using Place = ReadyStreams::Place;
  /// Steps in a row, and how far they go.
  struct Row {
    Place place = Place::blocked;  // of the next decision
    int most = INT_MAX;
    const HostLane* lane = nullptr;  // ends when something is queued there
    const Stream* stream = nullptr;  // ends when so many of its ops have left, or it is too late
    std::uint64_t target = 0;
    Deadline deadline = Deadline::never();
    bool dry = false;  // the host goes on, or nothing is ready
  };
  void go(Row& row);                      // with turn_
  Ref<Stream> go_up_to_kernel(Row& row);  // with turn_; null: the row is over
  void step_until_host();                 // with turn_
  void run_kernel(Stream& stream, Row& row);  // with turn_, and what comes behind it in the row
  void leave(Stream& stream, Stream::Step step);
  void kernel_done(KernelThread& thread, Stream& stream, Failure failure);
  // The ticker's thread.
  void tick();
  void end_waits();
  enum class Silence : std::uint8_t { broken, lasting, stopping };
  Silence await_silence();

  std::mutex turn_;  // whoever holds it moves the machine
  ReadyStreams ready_;  // taken from with turn_
  const std::shared_ptr<Baton> baton_;  // whose holder may make calls
  AwaitedCalls awaited_;
  std::vector<KernelThread*> idle_kernel_threads_;             // with turn_
  std::vector<std::unique_ptr<KernelThread>> kernel_threads_;  // with turn_

  std::mutex mutex_;  // guards what follows; never held while the machine moves
  std::condition_variable changed_;
  WaitLimits limits_;
  std::uint64_t armed_ = 0;  // counts time limits
  bool stopping_ = false;
  bool ticker_idle_ = false;  // the ticker sleeps until a stream is ready
  bool stirred_ = false;      // a stream became ready meanwhile; the ticker is woken once for that
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
  const std::lock_guard turn(turn_);
  ready_.finish();
}

void Seeded::on_ready(Stream& stream) {
  ready_.add(stream);
  bool wake = false;
  {
    // Whoever found nothing ready under the lock is asleep by now.
    const std::lock_guard guard(mutex_);
    wake = ticker_idle_ && !std::exchange(stirred_, true);
  }
  if (wake) changed_.notify_all();
  baton_->wake_all();
}

void Seeded::forget(Stream& stream) { ready_.forget(stream); }

// No later than the next look at the words.
Deadline soon(const Deadline& deadline) {
  const Deadline look = Deadline::in(kWordInterval);
  return deadline.is_never() || look.at() < deadline.at() ? look : deadline;
}

// ---- moving the machine ----

/// The driver whose machine the calling thread moves now.
thread_local const Driver* moving = nullptr;

// Moves a stream. Then waits until the host functions that it sent to lanes have returned.
template <class Move>
void Seeded::move(Move move) {
  moving = this;
  move();
  while (settle_once()) {
  }
  moving = nullptr;
  baton_->wake_reached();
}

void Seeded::go(Row& row) {
  while (const Ref<Stream> stream = go_up_to_kernel(row)) run_kernel(*stream, row);
}

Ref<Stream> Seeded::go_up_to_kernel(Row& row) {
  const auto over = [&row] {
    return row.dry || row.most <= 0 || (row.lane && row.lane->queued() != 0) ||
           (row.stream && outcome(*row.stream, row.target, row.deadline));
  };
  while (!over()) {
    const Ref<Stream> stream = ready_.take(row.place);
    if (row.place == Place::arriving) row.place = Place::staying;
    row.dry = !stream;
    if (!stream || !stream->try_own()) continue;
    --row.most;
    activity_.fetch_add(1, std::memory_order_relaxed);
    Stream::Step step{};
    move([&] {
      step = stream->step();
      if (step != Stream::Step::kernel) leave(*stream, step);
    });
    if (step == Stream::Step::kernel) return stream;
  }
  return {};
}

void Seeded::leave(Stream& stream, Stream::Step step) {
  if (step == Stream::Step::moved) stream.let_go();  // the schedule does not choose who goes idle
}

void Seeded::diverge(const char* reason) {
  if (diverged_.exchange(true)) return;
  if (hooks().diverged) hooks().diverged(hooks().self, reason);
}

// ---- kernels ----

void Seeded::run_kernel(Stream& stream, Row& row) {
  if (idle_kernel_threads_.empty()) {
    kernel_threads_.push_back(std::make_unique<KernelThread>(
        [this](KernelThread& thread, Stream& s, Failure failure) {
          kernel_done(thread, s, failure);
        }));
    idle_kernel_threads_.push_back(kernel_threads_.back().get());
  }
  KernelThread& thread = *idle_kernel_threads_.back();
  idle_kernel_threads_.pop_back();
  const auto finish = [this](Stream& s, Failure failure) {
    move([&] { leave(s, s.finish_kernel(failure)); });
  };
  thread.start(Ref<Stream>::share(&stream), [this, &row, finish](Stream& s, Failure failure) {
    finish(s, failure);
    return go_up_to_kernel(row);
  });
  if (!thread.wait(kKernelPatience)) return diverge("a kernel ran for more than 50 ms");
  if (thread.ended()) return finish(thread.ended_by(), {Error::kernel_failed, -1});
  idle_kernel_threads_.push_back(&thread);
}

void Seeded::kernel_done(KernelThread& thread, Stream& stream, Failure failure) {
  const std::lock_guard turn(turn_);
  if (!thread.ended()) idle_kernel_threads_.push_back(&thread);
  move([&] { leave(stream, stream.finish_kernel(failure)); });
}

// ---- host functions ----

// Awaited are the functions that are sent while the machine moves, and those that such a function
// sends itself.
std::uint64_t Seeded::host_call_posted(HostLane& lane) {
  if (moving != this && !awaited_.here()) return 0;
  return attended(lane) ? awaited_.send(lane) : 0;
}

// Whether a thread will run what is sent to the lane, as far as can be known. The calling thread
// cannot, nor can one that waits for the machine or for its turn.
bool Seeded::attended(HostLane& lane) const {
  if (lane.given_up()) return false;
  if (lane.crewed()) return true;
  const std::uint64_t server = lane.server();
  return server != 0 && server != static_cast<std::uint64_t>(pthread_self()) &&
         baton_->is_elsewhere(server);
}

void Seeded::host_call_over(std::uint64_t ticket) { awaited_.over(ticket); }

// `kernels`: the calling thread is one of the runtime's, not a host thread of the program.
void Seeded::host_call_returned(Stream& stream, Failure failure, bool kernels) {
  if (awaited_.returned(stream, failure)) return;
  if (kernels || !baton_->take_if_free()) {
    diverge("a callback was served while another thread went on");
  }
  const std::lock_guard turn(turn_);
  move([&] { leave(stream, stream.host_call_returned(failure)); });
}

bool Seeded::settle_once() {
  const std::optional<AwaitedCalls::Outcome> calls = awaited_.settle(kServePatience);
  if (!calls) return false;
  if (!calls->in_time) {
    const bool served = calls->lane->give_up();
    diverge(served ? "a host function ran for more than 50 ms"
                   : "a callback was not served within 50 ms");
  }
  if (const Ref<Stream>& stream = calls->returned) {
    leave(*stream, stream->host_call_returned(calls->failure));
  }
  return true;
}

void Seeded::before_waiting(const HostLane* lane) {
  if (excused() || !baton_->mine()) return;
  if (lane) {
    const std::lock_guard turn(turn_);
    Row row;
    row.lane = lane;
    go(row);
  }
  diverge_if(baton_->give_up());
}

// ---- host threads ----

// The calling thread runs a kernel or a host function that the schedule stands still for.
bool Seeded::excused() { return KernelThread::awaited_here() || awaited_.here(); }

void Seeded::yield_point() {
  activity_.fetch_add(1, std::memory_order_relaxed);
  if (excused()) return;
  diverge_if(baton_->enter());
  {
    const std::lock_guard turn(turn_);
    step_until_host();
  }
  baton_->out();
}

// So that an op may be over before the call that enqueued it returns.
void Seeded::yield_behind() {
  if (excused() || !baton_->back()) return;
  {
    const std::lock_guard turn(turn_);
    step_until_host();
  }
  baton_->out();
}

void Seeded::step_until_host() {
  if (watching()) look_at_words();
  Row row;
  row.place = Place::arriving;
  go(row);
}

Driver::WaitResult Seeded::wait(Stream& stream, std::uint64_t target, const Deadline& deadline,
                                bool /*may_help: kernels have their own threads*/) {
  HostWaiter waiter;
  waiter.parker = &Parker::mine();
  waiter.target = target;
  baton_->resume();
  for (;;) {
    activity_.fetch_add(1, std::memory_order_relaxed);
    {
      const std::lock_guard turn(turn_);
      if (const auto result = outcome(stream, target, deadline)) {
        baton_->out();
        return *result;
      }
      Row row{Place::blocked, kRowLength, nullptr, &stream, target, deadline};
      go(row);
      if (!row.dry) continue;
      if (watching()) look_at_words();
      const std::lock_guard guard(mutex_);
      if (!ready_.empty()) continue;
      diverge_if(baton_->sleep(stream, target));
    }
    sleep(stream, waiter, watching() ? soon(deadline) : deadline);
  }
}

// Until something can move, the stream has come far enough, or it is given up.
void Seeded::sleep(Stream& stream, HostWaiter& waiter, const Deadline& deadline) {
  waiter.released.store(false, std::memory_order_relaxed);
  if (stream.add_waiter(waiter)) {
    {
      const HostWait counted(*this);
      while (!baton_->called() && !waiter.released.load(std::memory_order_acquire) &&
             !deadline.passed()) {
        waiter.parker->park(deadline);
      }
    }
    if (!waiter.released.load(std::memory_order_acquire)) stream.remove_waiter(waiter);
  }
  baton_->resume();
}

// ---- time limits ----

void Seeded::arm_timeout(Ref<Stream> stream, Ref<WaitPoint> point, std::uint64_t serial,
                         Nanoseconds timeout_ns) {
  const Deadline at = Deadline::in(std::chrono::nanoseconds(timeout_ns));
  {
    const std::lock_guard guard(mutex_);
    if (!limits_.arm({at, std::move(stream), std::move(point), serial})) return;
    ++armed_;
  }
  changed_.notify_all();
}

void Seeded::disarm_timeout(Stream& stream, std::uint64_t serial) {
  WaitLimits::Limit gone;  // released outside the lock
  const std::lock_guard guard(mutex_);
  gone = limits_.disarm(stream, serial);
}

// Fails the waits whose time is up.
void Seeded::end_waits() {
  std::vector<WaitLimits::Limit> passed;
  {
    const std::lock_guard guard(mutex_);
    passed = limits_.take_passed();
  }
  for (const WaitLimits::Limit& limit : passed) {
    const std::lock_guard turn(turn_);
    if (!limit.point->unpark(*limit.stream, limit.serial)) continue;
    if (baton_->held()) diverge("a wait reached its time limit while the program went on");
    move([&] { leave(*limit.stream, limit.stream->fail_wait({Error::wait_timeout, 0})); });
  }
}

// ---- the ticker ----

// Sleeps. `lasting`: streams were ready all the time that the program may take between two calls.
// `broken`: something else came up, look again.
Seeded::Silence Seeded::await_silence() {
  std::unique_lock guard(mutex_);
  const bool idle = !std::exchange(stirred_, false) && ready_.empty() && !watching();
  ticker_idle_ = idle;
  const Deadline next = limits_.next();
  const auto patience = std::chrono::steady_clock::now() + kHostPatience;
  const auto changed = [this, idle, armed = armed_] {
    return stopping_ || armed != armed_ || (idle && (stirred_ || watching()));
  };
  bool early = false;
  if (!idle) {
    early = changed_.wait_until(guard, std::min(patience, next.at()), changed);
  } else if (next.is_never()) {
    changed_.wait(guard, changed);
  } else {
    changed_.wait_until(guard, next.at(), changed);
  }
  if (stopping_) return Silence::stopping;
  if (idle || early || std::chrono::steady_clock::now() < patience) return Silence::broken;
  return ready_.empty() && !watching() ? Silence::broken : Silence::lasting;
}

// Moves the machine when the program makes no calls, and ends waits that have a time limit.
void Seeded::tick() {
  std::uint64_t silent = 0;  // the activity that `grace` began with
  Grace grace(kHostPatience);
  for (;;) {
    end_waits();
    const std::uint64_t activity = activity_.load(std::memory_order_relaxed);
    const Silence silence = await_silence();
    if (silence == Silence::stopping) return;
    if (silence == Silence::broken) continue;
    const std::lock_guard turn(turn_);
    if (activity != activity_.load(std::memory_order_relaxed)) continue;
    if (watching()) look_at_words();
    if (closing_ || ready_.empty()) continue;
    if (activity != silent) {
      silent = activity;
      grace = Grace(kHostPatience);
    }
    if (!diverged() && grace.more()) continue;
    diverge("the program made no call for 200 ms");  // before ops move: who sees them knows of it
    for (Row row; !closing_ && !row.dry;) {
      row.most = 1;
      go(row);
    }
  }
}

}  // namespace

std::unique_ptr<SeededDriver> make_seeded_driver(const SystemConfig& config, Memory& memory,
                                                 const Clock& clock) {
  return std::make_unique<Seeded>(config, memory, clock);
}

}  // namespace sim
