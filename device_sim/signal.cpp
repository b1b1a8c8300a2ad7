// SPDX-License-Identifier: Apache-2.0
#include "device_sim/signal.h"

#include <mutex>
#include <utility>

#include "device_sim/stream.h"

namespace sim {

Signal::Signal(Stream* producer, std::uint64_t id) noexcept : producer_(producer), id_(id) {
  if (producer_) producer_->retain();
}

Signal::~Signal() {
  if (producer_) producer_->release();
}

void Signal::complete(Failure failure, Nanoseconds time_ns) {
  Stream* parked = nullptr;
  Stream* producer = nullptr;
  {
    const std::lock_guard guard(lock_);
    failure_.store(failure.pack(), std::memory_order_relaxed);
    time_ns_.store(time_ns, std::memory_order_relaxed);
    done_.store(true, std::memory_order_release);
    std::swap(parked, parked_);
    parked_tail_ = nullptr;
    std::swap(producer, producer_);
  }
  while (parked) {
    Stream* const stream = parked;
    parked = std::exchange(stream->next_parked_, nullptr);
    stream->release_from_signal();
    stream->release();
  }
  if (producer) producer->release();
}

void Signal::clear() noexcept {
  const std::lock_guard guard(lock_);
  done_.store(false, std::memory_order_release);
}

void Signal::set_producer(Stream& stream) noexcept {
  stream.retain();
  Stream* old = &stream;
  {
    const std::lock_guard guard(lock_);
    std::swap(old, producer_);
  }
  if (old) old->release();
}

Ref<Stream> Signal::producer() const noexcept {
  const std::lock_guard guard(lock_);
  return Ref<Stream>::share(producer_);
}

bool Signal::park(Stream& stream) noexcept {
  const std::lock_guard guard(lock_);
  if (done_.load(std::memory_order_relaxed)) return false;
  // An abandoner looks for the stream in here after it left its mark: one of the two sees the other.
  if (stream.abandoned()) return false;
  ++stream.park_serial_;
  stream.retain();
  stream.next_parked_ = nullptr;
  (parked_tail_ ? parked_tail_->next_parked_ : parked_) = &stream;
  parked_tail_ = &stream;
  return true;
}

bool Signal::unpark(Stream& stream, std::uint64_t serial) noexcept {
  {
    const std::lock_guard guard(lock_);
    Stream* previous = nullptr;
    Stream* at = parked_;
    while (at && at != &stream) {
      previous = at;
      at = at->next_parked_;
    }
    if (!at || (serial != 0 && stream.park_serial_ != serial)) return false;
    (previous ? previous->next_parked_ : parked_) = at->next_parked_;
    if (parked_tail_ == at) parked_tail_ = previous;
    at->next_parked_ = nullptr;
  }
  stream.release();
  return true;
}

bool Signal::holds(const Stream& stream, std::uint64_t serial) const noexcept {
  const std::lock_guard guard(lock_);
  const Stream* at = parked_;
  while (at && at != &stream) at = at->next_parked_;
  return at && at->park_serial_ == serial;
}

}  // namespace sim
