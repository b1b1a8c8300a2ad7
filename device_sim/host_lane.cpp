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
/// The lane whose thread this is while it is away with a stream: a blocking item that it posts
/// parks the stream and so brings it back.
thread_local const HostLane* away_from = nullptr;
}  // namespace

// For an item that nobody looks at: a sleeper to wake, or null and the crew sends a thread.
Parker* HostLane::summon() {
  if (sleepers_.empty()) {
    if (crew_ && !std::exchange(summoned_, true)) crew_->add_thread();
    return nullptr;
  }
  Parker* const sleeper = sleepers_.back();
  sleepers_.pop_back();
  ++attentive_;  // on its behalf: the next item need not wake another one
  return sleeper;
}

void HostLane::post(Item item) {
  Parker* sleeper = nullptr;
  {
    const std::lock_guard guard(lock_);
    const bool comes_back = item.blocking && away_from == this;
    items_.push_back(std::move(item));
    if (attentive_ == 0 && !comes_back) sleeper = summon();
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
    attentive_ += static_cast<int>(sleepers.size());
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
  if (item.stream && item.blocking) item.stream->host_call_started();
  try {
    item.function(item.argument);
  } catch (abi::__forced_unwind&) {
    finish(item, {Error::host_call_failed, 0}, true);  // or the stream would wait for ever
    throw;  // the thread is being cancelled: not ours to stop
  } catch (...) {
    failure = {Error::host_call_failed, 0};
  }
  finish(item, failure, false);
}

void HostLane::finish(const Item& item, Failure failure, bool for_good) {
  bool leaves = false;
  Parker* next = nullptr;
  {
    const std::lock_guard guard(lock_);
    leaves = crew_ && item.stream && item.blocking && !for_good;
    busy_ = false;
    if (leaves || for_good) --attentive_;
    if (!items_.empty() && attentive_ == 0) next = summon();
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
  summoned_ = false;
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
    if (std::erase(sleepers_, &parker) != 0) ++attentive_;  // woken by nobody of this lane
    if (deadline.passed() && (items_.empty() || busy_)) {
      --attentive_;
      return closed_ ? Served::closed : Served::nothing;
    }
  }
}

}  // namespace sim
