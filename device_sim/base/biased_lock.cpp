// SPDX-License-Identifier: Apache-2.0
#include "device_sim/base/biased_lock.h"

#include <sys/single_threaded.h>

#include <algorithm>
#include <thread>

#include "device_sim/base/all_processors.h"

namespace sim {

void BiasedLock::prepare() noexcept {
  if (__libc_single_threaded) can_order_all_processors();
}

void BiasedLock::lock_as_any() noexcept {
  others_.lock();
  if (owner_.load(std::memory_order_relaxed)) take_away();
  entered_ = nullptr;
  const void* const me = self();
  streak_ = me == last_ ? streak_ + 1 : 0;
  last_ = me;
  if (streak_ >= wanted_) become_owner();
}

// From here on a thread that comes through others_ takes the lock away first.
void BiasedLock::become_owner() noexcept {
  streak_ = 0;
  Owner* const mine = record_of(last_);
  if (!mine || !can_order_all_processors()) {
    wanted_ = ~std::uint32_t{0};
    return;
  }
  mine->inside.store(true, std::memory_order_relaxed);
  entered_ = mine;
  owner_.store(mine, std::memory_order_release);
  others_.unlock();
}

BiasedLock::Owner* BiasedLock::record_of(const void* thread) noexcept {
  for (std::size_t i = 0; i < known_; ++i) {
    if (owners_[i].thread == thread) return &owners_[i];
  }
  if (known_ == kMostOwners) return nullptr;
  owners_[known_].thread = thread;
  return &owners_[known_++];
}

void BiasedLock::take_away() noexcept {
  Owner& owner = *owner_.load(std::memory_order_relaxed);
  owner_.store(nullptr, std::memory_order_relaxed);
  order_all_processors();
  while (owner.inside.load(std::memory_order_acquire)) std::this_thread::yield();
  wanted_ = std::min(2 * wanted_, kLongestStreak);
}

}  // namespace sim
