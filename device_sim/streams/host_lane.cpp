// SPDX-License-Identifier: Apache-2.0
#include "device_sim/streams/host_lane.h"

#include <cxxabi.h>
#include <pthread.h>

#include <thread>
#include <utility>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/base/parker.h"
#include "device_sim/base/sanitizer.h"
#include "device_sim/streams/driver.h"
#include "device_sim/streams/stream.h"

namespace sim {

namespace {
constexpr Failure kFailed{Error::host_call_failed, 0};

/// The lane that the calling thread serves, while it moves a stream on after an item. A blocking
/// item posted by that stream parks it, and the thread returns to the lane, with that item where it
/// comes next.
thread_local const HostLane* away_from = nullptr;
thread_local HostLane::Item* place_for_brought = nullptr;  // of `away_from`; null: taken
thread_local std::uint64_t ticket = 0;                     // of the function that runs here

constexpr int kLooks = 16;  // for an item, before a thread lists itself as asleep
constexpr int kPausesOfLook = 4;
constexpr std::size_t kFewItems = 16;  // of a batch
constexpr int kPausesOfFew = 32;

void pause(int times) {
  for (int i = 0; i < times; ++i) cpu_relax();
}
}  // namespace

// Finds a thread for an item that no thread is about to take: a sleeping one, or one of the crew.
HostLane::Call HostLane::summon() {
  if (sleepers_.empty()) return ask_crew();
  Parker* const sleeper = sleepers_.back();
  sleepers_.pop_back();
  ++attentive_;  // counted for the sleeper: the next item need not wake another one
  return {sleeper, nullptr};
}

HostLane::Call HostLane::ask_crew() {
  if (!crew_ || std::exchange(summoned_, true)) return {};
  ++asking_;
  ++crew_size_;  // until it is refused
  return {nullptr, crew_};
}

void HostLane::make(const Call& call) {
  if (call.sleeper) call.sleeper->unpark();
  if (!call.crew) return;
  const bool added = call.crew->add_thread();
  {
    const sim::LockGuard guard(lock_);
    --asking_;
    if (added) return;
    summoned_ = false;  // the next item asks again
    if (--crew_size_ != 0) return;
    deserted_ = true;
  }
  close_and_fail({Error::no_thread, 0});
}

bool HostLane::staff() {
  Call call;
  {
    const sim::LockGuard guard(lock_);
    call = ask_crew();
  }
  make(call);
  return !deserted();
}

HostLane::Posted HostLane::post(Item item) {
  const Stream* const of = item.stream.get();
  Driver* const driver = of ? &of->driver() : nullptr;
  if (driver) item.ticket = driver->host_call_posted(*this);
  const std::uint64_t posted = item.ticket;
  Ref<HostLane> self;
  Call call;
  {
    sim::UniqueLock guard(lock_);
    // `withdraw` comes after the stream was abandoned: either that is seen here, or the item there.
    const bool abandoned = of && !item.tells && of->abandoned();
    if (closed_ || abandoned) {
      guard.unlock();
      if (posted != 0) driver->host_call_over(posted);
      return abandoned ? Posted::abandoned : Posted::closed;
    }
    const bool comes_back = item.blocking && away_from == this;
    if (comes_back && bring(item)) return Posted::queued;
    items_.push(std::move(item), of);
    if (attentive_ == 0 && !comes_back) {
      call = summon();
      self = Ref<HostLane>::share(this);
    }
  }
  if (self) make(call);
  return Posted::queued;
}

// Called by a thread that is away and comes back for the item. If no other item waits and no thread
// has the turn, the calling thread takes both.
bool HostLane::bring(Item& item) {
  if (busy_ || !items_.empty() || !place_for_brought) return false;
  *std::exchange(place_for_brought, nullptr) = std::move(item);
  busy_ = true;
  ++attentive_;
  return true;
}

Failure HostLane::refusal() const {
  const sim::LockGuard guard(lock_);
  return refusal_;
}

void HostLane::close(Failure refusal) {
  std::vector<Parker*> sleepers;
  sim::UniqueLock guard(lock_);
  if (!std::exchange(closed_, true)) refusal_ = refusal;
  crew_ = nullptr;
  sleepers.swap(sleepers_);
  attentive_ += static_cast<int>(sleepers.size());
  while (asking_ != 0) {  // the crew may be gone after this
    guard.unlock();
    std::this_thread::yield();
    guard.lock();
  }
  guard.unlock();
  for (Parker* sleeper : sleepers) sleeper->unpark();
}

std::size_t HostLane::close_and_fail(Failure refusal) {
  close(refusal);
  std::vector<Item> items;
  {
    const sim::LockGuard guard(lock_);
    items = items_.take_all();
  }
  std::size_t dropped = 0;
  const Server server = refusal.error == Error::no_thread ? Server::crew : Server::program;
  for (const Item& item : items) {
    if (item.stream && item.blocking) {
      const std::uint64_t own = std::exchange(ticket, item.ticket);
      item.stream->driver().host_call_returned(*item.stream, refusal, server);
      ticket = own;
      continue;
    }
    ++dropped;
    if (!item.stream || refusal.error != Error::no_thread) continue;
    if (!item.tells) item.stream->fail_detached(item.task_id, item.thread_id, refusal);
    if (item.ticket != 0) item.stream->driver().host_call_over(item.ticket);
  }
  return dropped;
}

bool HostLane::withdraw(const Stream& stream) {
  std::vector<Item> dropped;  // their arguments are released without the lock
  {
    const sim::LockGuard guard(lock_);
    dropped = items_.take_back(&stream);
  }
  bool waited = false;
  for (const Item& item : dropped) {
    if (item.ticket != 0) item.stream->driver().host_call_over(item.ticket);
    waited = waited || item.blocking;
  }
  return waited;
}

std::size_t HostLane::queued() const {
  const sim::LockGuard guard(lock_);
  return items_.size();
}

bool HostLane::crewed() const {
  const sim::LockGuard guard(lock_);
  return crew_ != nullptr;
}

bool HostLane::give_up() {
  const sim::LockGuard guard(lock_);
  given_up_ = true;
  return busy_;
}

std::uint64_t HostLane::ticket_here() noexcept { return ticket; }

// Functions run one at a time: in the thread that has the turn.
bool HostLane::take_turn(bool was_away) {
  const sim::LockGuard guard(lock_);
  if (was_away) ++attentive_;
  return !busy_ && (busy_ = items_.refill());
}

// Called with the turn, which ends when no item is left. If items arrive one by one while others
// run, the thread waits briefly so that they form a batch, because each batch takes the cache lines
// of the lock and of its items from the posting thread.
bool HostLane::take(Item& item) {
  while (!items_.next(item)) {
    const bool come_singly = items_.was_pushed() && items_.batch_size() < kFewItems;
    if (come_singly && !item.blocking) pause(kPausesOfFew);
    const sim::LockGuard guard(lock_);
    if (items_.refill()) continue;
    busy_ = false;
    return false;
  }
  return true;
}

// Takes the next item for the calling thread; `after`: its state after the previous one.
bool HostLane::next_item(After after, Item& item) {
  if (after == After::brought_item) return true;
  if (after == After::has_turn && take(item)) return true;
  while (take_turn(after == After::was_away)) {
    if (take(item)) return true;
    after = After::gave_turn;
  }
  return false;
}

void HostLane::call(const Item& item) {
  const DriverHooks* const hooks =
      item.completion_id != 0 ? &item.stream->driver().hooks() : nullptr;
  if (hooks && hooks->enter_call) hooks->enter_call(hooks->self, *item.stream, item.completion_id);
  item.function(item.argument);
  if (hooks && hooks->leave_call) hooks->leave_call(hooks->self, *item.stream, item.completion_id);
}

SIM_CATCHES_FORCED_UNWIND HostLane::After HostLane::run(Item& item, Item& brought) {
  Failure failure;
  ticket = item.ticket;
  if (item.stream && item.blocking) item.stream->host_call_started();
  try {
    call(item);
  } catch (abi::__forced_unwind&) {
    finish(item, kFailed, nullptr);  // or the stream would wait for ever
    throw;                           // the thread is being cancelled; that must go on
  } catch (...) {
    failure = kFailed;
  }
  return finish(item, failure, &brought);
}

// Another thread gets the turn where this one goes on with the stream, into kernels, or ends.
HostLane::Server HostLane::give_turn_back(const Item& item, bool for_good) {
  Call next;
  Server server = Server::program;
  {
    const sim::LockGuard guard(lock_);
    const bool attended = attentive_ > 1 || !sleepers_.empty();  // by another thread
    const bool leaves = attended && crew_ && item.stream && item.blocking && !for_good;
    if (crew_) server = leaves ? Server::crew_free : Server::crew;
    busy_ = false;
    if (leaves || for_good) --attentive_;
    if (for_good && crew_size_ > 0) --crew_size_;
    if (!items_.empty() && attentive_ == 0) {
      next = summon();
    } else if (!attended && item.blocking && !for_good) {
      next = ask_crew();  // so that this thread may leave the next time
    }
  }
  make(next);
  return server;
}

HostLane::After HostLane::finish(const Item& item, Failure failure, Item* brought) {
  const bool for_good = !brought;
  if (given_up()) given_up_ = false;
  const bool keeps_turn = !for_good && !(has_crew_ && item.blocking);
  const Server server = keeps_turn ? Server::program : give_turn_back(item, for_good);
  const After after = keeps_turn ? After::has_turn : After::gave_turn;
  if (!item.stream) return after;
  if (!item.blocking) {
    if (failure && !item.tells) {
      item.stream->fail_detached(item.task_id, item.thread_id, failure);
    }
    if (ticket != 0) item.stream->driver().host_call_over(std::exchange(ticket, 0));
    return after;
  }
  const bool leaves = server == Server::crew_free;
  away_from = leaves ? this : nullptr;
  place_for_brought = brought;
  item.stream->driver().host_call_returned(*item.stream, failure, server);
  away_from = nullptr;
  ticket = 0;
  if (!leaves) return after;
  return place_for_brought ? After::was_away : After::brought_item;
}

bool HostLane::run_ready() {
  RefReturns<Stream> streams;
  bool ran = false;
  Item item;
  Item brought;
  for (After after = After::gave_turn; next_item(after, item); ran = true) {
    after = run(item, brought);
    streams.add(std::move(item.stream));
    item.owner = nullptr;
    if (after == After::brought_item) item = std::move(brought);
  }
  return ran;
}

// Called without the lock: waits a few microseconds for an item. Meanwhile this thread counts as
// attentive, so that the posting thread need not wake a thread.
void HostLane::look_around() const {
  for (int look = 0; look < kLooks && !items_.was_pushed(); ++look) pause(kPausesOfLook);
}

HostLane::Served HostLane::serve(const Deadline& deadline) {
  Parker& parker = Parker::mine();
  bool served = false;
  sim::UniqueLock guard(lock_);
  summoned_ = false;
  given_up_ = false;
  if (server() == 0) set_server(static_cast<std::uint64_t>(pthread_self()));
  ++attentive_;
  for (;;) {
    guard.unlock();
    served = run_ready() || served;
    if (!served && !parker.woken_nearby() && !deadline.passed()) look_around();
    guard.lock();
    if (!items_.empty() && !busy_) continue;
    --attentive_;
    if (served) return Served::some;
    if (closed_) return Served::closed;
    sleepers_.push_back(&parker);
    guard.unlock();
    parker.park(deadline, spin_ns_);
    guard.lock();
    if (std::erase(sleepers_, &parker) != 0) ++attentive_;  // not woken by this lane
    if (deadline.passed() && (items_.empty() || busy_)) {
      --attentive_;
      return closed_ ? Served::closed : Served::nothing;
    }
  }
}

}  // namespace sim
