// SPDX-License-Identifier: Apache-2.0
#include "device_sim/streams/signal.h"

#include <utility>

#include "device_sim/base/mutex.h"
#include "device_sim/streams/stream.h"

namespace sim {

Signal::Signal(Stream* producer, std::uint64_t id, Producer keep) noexcept
    : keep_(keep), producer_(producer), id_(id) {
  if (producer_) producer_->retain();
}

Signal::~Signal() {
  if (producer_) producer_->release();
}

void Signal::complete_packed(std::uint64_t failure, Nanoseconds time_ns) {
  Stream* parked = nullptr;
  Stream* producer = nullptr;
  {
    const sim::LockGuard guard(lock_);
    failure_.store(failure, std::memory_order_relaxed);
    time_ns_.store(time_ns, std::memory_order_relaxed);
    done_.store(true, std::memory_order_release);
    parked = take_parked();
    if (keep_ == Producer::released) std::swap(producer, producer_);
  }
  if (parked) set_free(parked);
  if (producer) producer->release();
}

void Signal::clear() noexcept {
  const sim::LockGuard guard(lock_);
  done_.store(false, std::memory_order_release);
}

void Signal::set_producer(Stream& stream) noexcept {
  stream.retain();
  Stream* old = &stream;
  {
    const sim::LockGuard guard(lock_);
    std::swap(old, producer_);
  }
  if (old) old->release();
}

Ref<Stream> Signal::producer() const noexcept {
  const sim::LockGuard guard(lock_);
  const bool over = keep_ == Producer::kept && done_.load(std::memory_order_relaxed);
  return Ref<Stream>::share(over ? nullptr : producer_);
}

bool Signal::park(Stream& stream) noexcept {
  const sim::LockGuard guard(lock_);
  return !done_.load(std::memory_order_relaxed) && add_parked(stream);
}

}  // namespace sim
