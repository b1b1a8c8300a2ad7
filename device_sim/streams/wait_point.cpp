// SPDX-License-Identifier: Apache-2.0
#include "device_sim/streams/wait_point.h"

#include <utility>

#include "device_sim/base/mutex.h"
#include "device_sim/streams/stream.h"

namespace sim {

Ref<Stream> WaitPoint::producer() const noexcept { return {}; }

bool WaitPoint::add_parked(Stream& stream) noexcept {
  // An abandoner looks for the stream in here after it left its mark: one of the two sees the
  // other.
  if (stream.abandoned()) return false;
  ++stream.park_serial_;
  stream.retain();
  stream.next_parked_ = nullptr;
  (parked_tail_ ? parked_tail_->next_parked_ : parked_) = &stream;
  parked_tail_ = &stream;
  return true;
}

void WaitPoint::unlink(Stream* previous, Stream& stream) noexcept {
  (previous ? previous->next_parked_ : parked_) = stream.next_parked_;
  if (parked_tail_ == &stream) parked_tail_ = previous;
  stream.next_parked_ = nullptr;
}

Stream* WaitPoint::next_parked(const Stream& stream) noexcept { return stream.next_parked_; }

Stream* WaitPoint::take_parked() noexcept {
  parked_tail_ = nullptr;
  return std::exchange(parked_, nullptr);
}

void WaitPoint::set_free(Stream* list) {
  while (list) {
    Stream* const stream = list;
    list = std::exchange(stream->next_parked_, nullptr);
    stream->release_from_wait();
    stream->release();
  }
}

bool WaitPoint::unpark(Stream& stream, std::uint64_t serial) noexcept {
  {
    const sim::LockGuard guard(lock_);
    Stream* previous = nullptr;
    Stream* at = parked_;
    while (at && at != &stream) {
      previous = at;
      at = at->next_parked_;
    }
    if (!at || (serial != 0 && stream.park_serial_ != serial)) return false;
    unlink(previous, stream);
  }
  stream.release();
  return true;
}

bool WaitPoint::has(const Stream& stream) const noexcept {
  const Stream* at = parked_;
  while (at && at != &stream) at = at->next_parked_;
  return at != nullptr;
}

bool WaitPoint::holds(const Stream& stream, std::uint64_t serial) const noexcept {
  const sim::LockGuard guard(lock_);
  return has(stream) && stream.park_serial_ == serial;
}

bool WaitPoint::keeps(const Stream& stream) const noexcept {
  const sim::LockGuard guard(lock_);
  return has(stream);
}

}  // namespace sim
