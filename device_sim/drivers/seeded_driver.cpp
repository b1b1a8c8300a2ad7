// SPDX-License-Identifier: Apache-2.0
#include "device_sim/drivers/seeded_driver.h"

#include <pthread.h>

#include <algorithm>
#include <climits>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "device_sim/base/grace.h"
#include "device_sim/base/parker.h"
#include "device_sim/drivers/baton.h"
#include "device_sim/drivers/kernel_thread.h"
#include "device_sim/drivers/ready_streams.h"

namespace sim {
namespace {

using namespace std::chrono_literals;

constexpr auto kKernelPatience = 50ms;
constexpr auto kServePatience = 50ms;
constexpr auto kHostPatience = 200ms;
constexpr int kRowLength = 64;  // steps of a waiting host thread before others get their turn
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
  struct Timeout {
    Deadline at = Deadline::never();
    Ref<Stream> stream;
    Ref<WaitPoint> point;
    std::uint64_t serial = 0;
  };

  void watch_started() override { changed_.notify_all(); }
  /// The host function that the driver stands still for, with mutex_. There may be more than one:
  /// a failure is told of in another.
  struct Awaited {
    std::uint64_t first = 0;      // tickets from here on are awaited
    std::uint64_t last = 0;       // the newest ticket
    int open = 0;                 // that are not over
    Ref<HostLane> lane;           // of the newest
    Ref<Stream> returned;         // goes on from the driver's hands
    Failure failure;              // of that
  };

  void sleep(Stream& stream, HostWaiter& waiter, const Deadline& deadline);
  template <class Move>
  void move(Move move);  // with turn_
  bool settle_once();    // with turn_
  bool awaits(std::uint64_t ticket) const {  // with mutex_
    return awaited_.open != 0 && ticket >= awaited_.first && ticket != 0;
  }
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
  void tick();
  void fire_timeouts();
  Deadline next_timeout() const;  // with mutex_

  std::mutex turn_;  // whoever holds it moves the machine
  ReadyStreams ready_;  // taken from with turn_
  const std::shared_ptr<Baton> baton_;  // whose holder may make calls
  std::vector<KernelThread*> idle_kernel_threads_;             // with turn_
  std::vector<std::unique_ptr<KernelThread>> kernel_threads_;  // with turn_

  std::mutex mutex_;  // guards what follows; never held while the machine moves
  std::condition_variable changed_;
  std::unordered_map<const Stream*, Timeout> timeouts_;
  Awaited awaited_;
  std::condition_variable over_;
  std::uint64_t armed_ = 0;  // counts time limits
  bool stopping_ = false;
  bool ticker_idle_ = false;  // it sleeps until something is ready ...
  bool stirred_ = false;      // ... which it then was; woken once, it looks from time to time
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

/// The driver that the calling thread moves something for: it may stand still.
thread_local const Driver* moving = nullptr;

// Moves a stream, and stands still until the host functions that it sent out are over.
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
  if (step == Stream::Step::moved) stream.let_go();  // going idle is no choice of the schedule's
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

// Who moves the machine, and who runs a function that is awaited, may send out another.
std::uint64_t Seeded::host_call_posted(HostLane& lane) {
  if (moving != this) {
    const std::lock_guard guard(mutex_);
    if (!awaits(HostLane::ticket_here())) return 0;
  }
  if (!attended(lane)) return 0;
  const std::lock_guard guard(mutex_);
  const std::uint64_t ticket = ++awaited_.last;
  if (awaited_.open++ == 0) awaited_.first = ticket;
  awaited_.lane = Ref<HostLane>::share(&lane);
  return ticket;
}

// Whether somebody will run what is sent there, as far as can be known: not the calling thread, nor
// one that waits for the machine or for its turn.
bool Seeded::attended(HostLane& lane) const {
  if (lane.given_up()) return false;
  if (lane.crewed()) return true;
  const std::uint64_t server = lane.server();
  return server != 0 && server != static_cast<std::uint64_t>(pthread_self()) &&
         baton_->is_elsewhere(server);
}

void Seeded::host_call_over(std::uint64_t ticket) {
  const std::lock_guard guard(mutex_);
  if (!awaits(ticket)) return;
  --awaited_.open;
  over_.notify_all();
}

// `kernels`: in a thread of the runtime, which is no host thread of the program's.
void Seeded::host_call_returned(Stream& stream, Failure failure, bool kernels) {
  {
    const std::lock_guard guard(mutex_);
    if (awaits(HostLane::ticket_here())) {
      awaited_.returned = Ref<Stream>::share(&stream);
      awaited_.failure = failure;
      --awaited_.open;
      over_.notify_all();
      return;
    }
  }
  if (kernels || !baton_->take_if_free()) {
    diverge("a callback was served while another thread went on");
  }
  const std::lock_guard turn(turn_);
  move([&] { leave(stream, stream.host_call_returned(failure)); });
}

// False when nothing is awaited any more.
bool Seeded::settle_once() {
  std::unique_lock guard(mutex_);
  if (awaited_.open == 0 && !awaited_.returned) return false;
  const auto all_over = [this] { return awaited_.open == 0; };
  bool over = over_.wait_for(guard, kServePatience, all_over);
  for (Grace grace(kServePatience); !over && grace.more();) {
    over = over_.wait_until(guard, Grace::next_look().at(), all_over);
  }
  const Ref<HostLane> lane = std::move(awaited_.lane);
  awaited_.lane = nullptr;
  awaited_.open = 0;
  const Ref<Stream> stream = std::move(awaited_.returned);
  awaited_.returned = nullptr;
  const Failure failure = awaited_.failure;
  guard.unlock();
  if (!over) {
    const bool served = lane->give_up();
    diverge(served ? "a host function ran for more than 50 ms"
                   : "a callback was not served within 50 ms");
  }
  if (stream) leave(*stream, stream->host_call_returned(failure));
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

// Inside a kernel or a host function that the driver stands still for.
bool Seeded::excused() {
  if (KernelThread::awaited_here()) return true;
  const std::lock_guard guard(mutex_);
  return awaits(HostLane::ticket_here());
}

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

// A call that enqueues may find its op done before it returns.
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

// Up to when something can move, or the stream has come far enough or is given up.
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

void Seeded::arm_timeout(Ref<Stream> stream, Ref<WaitPoint> point, std::uint64_t serial,
                         Nanoseconds timeout_ns) {
  {
    const std::lock_guard guard(mutex_);
    Timeout& current = timeouts_[stream.get()];
    if (current.serial > serial) return;
    current = {Deadline::in(std::chrono::nanoseconds(timeout_ns)), stream, point, serial};
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
    if (!timeout.point->unpark(*timeout.stream, timeout.serial)) continue;
    if (baton_->held()) diverge("a wait reached its time limit while the program went on");
    move([&] { leave(*timeout.stream, timeout.stream->fail_wait({Error::wait_timeout, 0})); });
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
  std::uint64_t silent = 0;  // since this call
  Grace grace(kHostPatience);
  for (;;) {
    fire_timeouts();
    const std::uint64_t activity = activity_.load(std::memory_order_relaxed);
    {
      std::unique_lock guard(mutex_);
      const bool idle = !std::exchange(stirred_, false) && ready_.empty() && !watching();
      ticker_idle_ = idle;
      const Deadline next = next_timeout();
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
      if (stopping_) return;
      if (idle || early || std::chrono::steady_clock::now() < patience) continue;
      if (ready_.empty() && !watching()) continue;
    }
    const std::lock_guard turn(turn_);
    if (activity != activity_.load(std::memory_order_relaxed)) continue;
    if (watching()) look_at_words();
    if (closing_ || ready_.empty()) continue;
    if (activity != silent) {
      silent = activity;
      grace = Grace(kHostPatience);
    }
    if (!diverged() && grace.more()) continue;
    diverge("the program made no call for 200 ms");  // first: who sees an op done can know of it
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
