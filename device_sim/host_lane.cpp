// SPDX-License-Identifier: Apache-2.0
#include "device_sim/host_lane.h"

#include <cxxabi.h>

#include <mutex>
#include <vector>

#include "device_sim/driver.h"
#include "device_sim/parker.h"
#include "device_sim/sanitizer.h"
#include "device_sim/stream.h"

namespace sim {

namespace {
/// The lane whose thread this is while it is away with a stream: it comes back for what it posts.
thread_local const HostLane* away_from = nullptr;
}  // namespace

Parker* HostLane::one_sleeper() {
  if (sleepers_.empty()) return nullptr;
  Parker* const sleeper = sleepers_.back();
  sleepers_.pop_back();
  return sleeper;
}

void HostLane::post(Item item) {
  Parker* sleeper = nullptr;
  {
    const std::lock_guard guard(lock_);
    items_.push_back(std::move(item));
    if (attentive_ == 0 && away_from != this) {
      sleeper = one_sleeper();
      if (!sleeper && crew_) crew_->add_thread();
    }
  }
  if (sleeper) sleeper->unpark();
}

void HostLane::close() {
  std::vector<Parker*> sleepers;
  {
    const std::lock_guard guard(lock_);
    closed_ = true;
    crew_ = nullptr;
    sleepers.swap(sleepers_);
  }
  for (Parker* sleeper : sleepers) sleeper->unpark();
}

std::size_t HostLane::queued() const {
  const std::lock_guard guard(lock_);
  return items_.size();
}

bool HostLane::take(Item& item) {
  const std::lock_guard guard(lock_);
  if (items_.empty() || busy_) return false;
  busy_ = true;
  item = std::move(items_.front());
  items_.pop_front();
  return true;
}

SIM_CATCHES_FORCED_UNWIND void HostLane::run(Item& item) {
  Failure failure;
  try {
    item.function(item.argument);
  } catch (abi::__forced_unwind&) {
    finish(item, {Error::host_call_failed, 0});  // or the stream would wait for ever
    throw;  // the thread is being cancelled: not ours to stop
  } catch (...) {
    failure = {Error::host_call_failed, 0};
  }
  finish(item, failure);
}

void HostLane::finish(const Item& item, Failure failure) {
  bool leaves = false;
  Parker* next = nullptr;
  {
    const std::lock_guard guard(lock_);
    leaves = crew_ && item.stream && item.blocking;
    busy_ = false;
    if (leaves) --attentive_;
    if (!items_.empty() && attentive_ == 0) next = one_sleeper();
  }
  if (next) next->unpark();
  if (!item.stream) return;
  if (!item.blocking) {
    if (failure) item.stream->record_failure(failure);
    return;
  }
  Driver& driver = item.stream->driver();
  if (!leaves) return driver.host_call_returned(*item.stream, failure, false);
  away_from = this;
  driver.host_call_returned(*item.stream, failure, true);
  away_from = nullptr;
  const std::lock_guard guard(lock_);
  ++attentive_;
}

HostLane::Served HostLane::serve(const Deadline& deadline) {
  Parker& parker = Parker::mine();
  bool served = false;
  std::unique_lock guard(lock_);
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
    std::erase(sleepers_, &parker);
    if (deadline.passed() && (items_.empty() || busy_)) {
      return closed_ ? Served::closed : Served::nothing;
    }
    ++attentive_;
  }
}

}  // namespace sim
