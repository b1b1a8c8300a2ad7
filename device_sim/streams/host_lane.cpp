// SPDX-License-Identifier: Apache-2.0
#include "device_sim/streams/host_lane.h"

#include <cxxabi.h>
#include <pthread.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <thread>
#include <vector>

#include "device_sim/base/parker.h"
#include "device_sim/base/sanitizer.h"
#include "device_sim/streams/driver.h"
#include "device_sim/streams/stream.h"

namespace sim {

namespace {
constexpr Failure kFailed{Error::host_call_failed, 0};

/// The lane that the calling thread serves, while it moves a stream on after an item. A blocking
/// item posted by that stream parks it, and the thread returns to the lane.
thread_local const HostLane* away_from = nullptr;
thread_local std::uint64_t ticket = 0;  // of the function that runs here
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
    const std::lock_guard guard(lock_);
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
    const std::lock_guard guard(lock_);
    call = ask_crew();
  }
  make(call);
  return !deserted();
}

bool HostLane::post(Item item) {
  Driver* const driver = item.stream ? &item.stream->driver() : nullptr;
  if (driver) item.ticket = driver->host_call_posted(*this);
  const std::uint64_t posted = item.ticket;
  Call call;
  {
    std::unique_lock guard(lock_);
    if (closed_) {
      guard.unlock();
      if (posted != 0) driver->host_call_over(posted);
      return false;
    }
    const bool comes_back = item.blocking && away_from == this;
    items_.push_back(std::move(item));
    if (attentive_ == 0 && !comes_back) call = summon();
  }
  make(call);
  return true;
}

Failure HostLane::refusal() const {
  const std::lock_guard guard(lock_);
  return refusal_;
}

void HostLane::close(Failure refusal) {
  std::vector<Parker*> sleepers;
  std::unique_lock guard(lock_);
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
  std::deque<Item> items;
  {
    const std::lock_guard guard(lock_);
    items.swap(items_);
  }
  std::size_t dropped = 0;
  const Driver::Server server =
      refusal.error == Error::no_thread ? Driver::Server::crew : Driver::Server::program;
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
  std::vector<Item> dropped;  // what they own is released without the lock
  {
    const std::lock_guard guard(lock_);
    const auto kept = std::stable_partition(items_.begin(), items_.end(), [&](const Item& item) {
      return item.stream.get() != &stream;
    });
    dropped.assign(std::make_move_iterator(kept), std::make_move_iterator(items_.end()));
    items_.erase(kept, items_.end());
  }
  bool waited = false;
  for (const Item& item : dropped) {
    if (item.ticket != 0) item.stream->driver().host_call_over(item.ticket);
    waited = waited || item.blocking;
  }
  return waited;
}

std::size_t HostLane::queued() const {
  const std::lock_guard guard(lock_);
  return items_.size();
}

bool HostLane::crewed() const {
  const std::lock_guard guard(lock_);
  return crew_ != nullptr;
}

bool HostLane::give_up() {
  const std::lock_guard guard(lock_);
  given_up_ = true;
  return busy_;
}

std::uint64_t HostLane::ticket_here() noexcept { return ticket; }

bool HostLane::take(Item& item) {
  const std::lock_guard guard(lock_);
  if (items_.empty() || busy_) return false;
  busy_ = true;
  item = std::move(items_.front());
  items_.pop_front();
  return true;
}

void HostLane::call(const Item& item) {
  const DriverHooks* const hooks =
      item.completion_id != 0 ? &item.stream->driver().hooks() : nullptr;
  if (hooks && hooks->enter_call) hooks->enter_call(hooks->self, *item.stream, item.completion_id);
  item.function(item.argument);
  if (hooks && hooks->leave_call) hooks->leave_call(hooks->self, *item.stream, item.completion_id);
}

SIM_CATCHES_FORCED_UNWIND void HostLane::run(Item& item) {
  Failure failure;
  ticket = item.ticket;
  if (item.stream && item.blocking) item.stream->host_call_started();
  try {
    call(item);
  } catch (abi::__forced_unwind&) {
    finish(item, kFailed, true);  // or the stream would wait for ever
    throw;  // the thread is being cancelled; that must go on
  } catch (...) {
    failure = kFailed;
  }
  finish(item, failure, false);
}

void HostLane::finish(const Item& item, Failure failure, bool for_good) {
  bool of_crew = false;
  bool leaves = false;
  Call next;
  {
    const std::lock_guard guard(lock_);
    of_crew = crew_ != nullptr;
    const bool attended = attentive_ > 1 || !sleepers_.empty();  // by another thread
    leaves = attended && of_crew && item.stream && item.blocking && !for_good;
    busy_ = false;
    given_up_ = false;
    if (leaves || for_good) --attentive_;
    if (for_good && crew_size_ > 0) --crew_size_;
    if (!items_.empty() && attentive_ == 0) {
      next = summon();
    } else if (!attended && item.blocking && !for_good) {
      next = ask_crew();  // so that this thread may leave the next time
    }
  }
  make(next);
  if (!item.stream) return;
  if (!item.blocking) {
    if (failure && !item.tells) {
      item.stream->fail_detached(item.task_id, item.thread_id, failure);
    }
    if (ticket != 0) item.stream->driver().host_call_over(std::exchange(ticket, 0));
    return;
  }
  Driver& driver = item.stream->driver();
  away_from = leaves ? this : nullptr;
  using Server = Driver::Server;
  const Server server = leaves ? Server::crew_free : of_crew ? Server::crew : Server::program;
  driver.host_call_returned(*item.stream, failure, server);
  ticket = 0;
  if (!leaves) return;
  away_from = nullptr;
  const std::lock_guard guard(lock_);
  ++attentive_;
}

HostLane::Served HostLane::serve(const Deadline& deadline) {
  Parker& parker = Parker::mine();
  bool served = false;
  std::unique_lock guard(lock_);
  summoned_ = false;
  given_up_ = false;
  if (server() == 0) set_server(static_cast<std::uint64_t>(pthread_self()));
  ++attentive_;
  for (;;) {
    guard.unlock();
    for (Item item; take(item); item = Item{}) {
      run(item);
      served = true;
    }
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
