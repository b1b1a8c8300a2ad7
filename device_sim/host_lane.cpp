// SPDX-License-Identifier: Apache-2.0
#include "device_sim/host_lane.h"

#include <cxxabi.h>

#include <mutex>

#include "device_sim/driver.h"
#include "device_sim/parker.h"
#include "device_sim/stream.h"

namespace sim {

void HostLane::post(Item item) {
  Parker* sleeper = nullptr;
  {
    const std::lock_guard guard(lock_);
    items_.push_back(std::move(item));
    sleeper = std::exchange(sleeper_, nullptr);
  }
  if (sleeper) sleeper->unpark();
}

void HostLane::close() {
  {
    const std::lock_guard guard(lock_);
    closed_ = true;
  }
  wake();
}

void HostLane::wake() {
  Parker* sleeper = nullptr;
  {
    const std::lock_guard guard(lock_);
    sleeper = std::exchange(sleeper_, nullptr);
  }
  if (sleeper) sleeper->unpark();
}

std::size_t HostLane::queued() const {
  const std::lock_guard guard(lock_);
  return items_.size();
}

bool HostLane::take(Item& item) {
  const std::lock_guard guard(lock_);
  if (items_.empty()) return false;
  item = std::move(items_.front());
  items_.pop_front();
  return true;
}

void HostLane::run(Item& item) {
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
  if (!item.stream) return;
  if (item.blocking) {
    Stream& stream = *item.stream;
    stream.driver().host_call_returned(stream, failure);
  } else if (failure) {
    item.stream->record_failure(failure);
  }
}

HostLane::Served HostLane::serve(const Deadline& deadline) {
  Parker& parker = Parker::mine();
  bool served = false;
  for (;;) {
    for (Item item; take(item); item = Item{}) {
      run(item);
      served = true;
    }
    if (served) return Served::some;
    {
      const std::lock_guard guard(lock_);
      if (!items_.empty()) continue;
      if (closed_) return Served::closed;
      sleeper_ = &parker;
    }
    const bool woken = parker.park(deadline, spin_ns_);
    if (woken) continue;
    const std::lock_guard guard(lock_);
    sleeper_ = nullptr;
    if (items_.empty() && deadline.passed()) return closed_ ? Served::closed : Served::nothing;
  }
}

}  // namespace sim
