// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

#include <optional>

#include "device_sim/base/mutex.h"
#include "device_sim/base/parker.h"
#include "device_sim/drivers/seeded.h"

namespace sim {
namespace {

using namespace std::chrono_literals;

constexpr auto kServePatience = 50ms;
constexpr int kBatchLength = 64;     // steps of a waiting host thread before others get their turn
constexpr auto kWordInterval = 1ms;  // between looks at words that others write

// No later than the next look at the words.
Deadline soon(const Deadline& deadline) {
  const Deadline look = Deadline::in(kWordInterval);
  return deadline.is_never() || look.at() < deadline.at() ? look : deadline;
}

}  // namespace

// ---- host functions ----

// The schedule awaits the functions that are sent while the machine moves, and the functions that
// an awaited function sends.
std::uint64_t Seeded::host_call_posted(HostLane& lane) {
  if (moving_ != this && !awaited_.here()) return 0;
  return attended(lane) ? awaited_.send(lane) : 0;
}

// Whether a thread will run what is sent to the lane, as far as can be known. The calling thread
// cannot, nor can one that waits for the machine or for its turn.
bool Seeded::attended(HostLane& lane) const {
  if (lane.given_up()) return false;
  if (lane.crewed()) return true;
  const std::uint64_t server = lane.server();
  return server != 0 && server != static_cast<std::uint64_t>(pthread_self()) &&
         turn_token_->is_elsewhere(server);
}

void Seeded::host_call_over(std::uint64_t ticket) { awaited_.over(ticket); }

void Seeded::host_call_returned(Stream& stream, Failure failure, Server server) {
  if (awaited_.returned(stream, failure)) return;
  if (server != Server::program || !turn_token_->take_if_free()) {
    diverge("a callback was served while another thread went on");
  }
  const sim::LockGuard turn(turn_);
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
  if (excused() || !turn_token_->mine()) return;
  if (lane) {
    const sim::LockGuard turn(turn_);
    Batch batch;
    batch.lane = lane;
    go(batch);
  }
  diverge_if(turn_token_->give_up());
}

// ---- host threads ----

// The calling thread runs a kernel or a host function that the schedule waits for.
bool Seeded::excused() { return KernelThread::awaited_here() || awaited_.here(); }

void Seeded::yield_point() {
  activity_.fetch_add(1, std::memory_order_relaxed);
  if (excused()) return;
  diverge_if(turn_token_->enter());
  {
    const sim::LockGuard turn(turn_);
    step_until_host();
  }
  turn_token_->out();
}

// So that an op may be over before the call that enqueued it returns.
void Seeded::yield_behind() {
  if (excused() || !turn_token_->back()) return;
  {
    const sim::LockGuard turn(turn_);
    step_until_host();
  }
  turn_token_->out();
}

void Seeded::step_until_host() {
  if (watching()) look_at_words();
  Batch batch;
  batch.phase = Phase::arriving;
  go(batch);
}

Driver::WaitResult Seeded::wait(Stream& stream, std::uint64_t target, const Deadline& deadline,
                                bool /*may_help: kernels have their own threads*/) {
  HostWaiter waiter;
  waiter.parker = &Parker::mine();
  waiter.target = target;
  turn_token_->resume();
  for (;;) {
    activity_.fetch_add(1, std::memory_order_relaxed);
    {
      const sim::LockGuard turn(turn_);
      if (const auto result = outcome(stream, target, deadline)) {
        turn_token_->out();
        return *result;
      }
      Batch batch{Phase::blocked, kBatchLength, nullptr, &stream, target, deadline};
      go(batch);
      if (!batch.dry) continue;
      if (watching()) look_at_words();
      const sim::LockGuard guard(mutex_);
      if (!ready_.empty()) continue;
      diverge_if(turn_token_->sleep(stream, target));
    }
    sleep(stream, waiter, watching() ? soon(deadline) : deadline, !deadline.is_never());
  }
}

// Until something can move, the stream has come far enough, or it is given up.
void Seeded::sleep(Stream& stream, HostWaiter& waiter, const Deadline& deadline, bool has_limit) {
  waiter.released.store(false, std::memory_order_relaxed);
  if (stream.add_waiter(waiter)) {
    {
      const HostWait counted(*this, stream, has_limit);
      while (!turn_token_->called() && !waiter.released.load(std::memory_order_acquire) &&
             !deadline.passed()) {
        waiter.parker->park(deadline);
      }
    }
    if (!waiter.released.load(std::memory_order_acquire)) stream.remove_waiter(waiter);
  }
  turn_token_->resume();
}

}  // namespace sim
