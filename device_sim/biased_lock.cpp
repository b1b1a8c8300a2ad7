// SPDX-License-Identifier: Apache-2.0
#include "device_sim/biased_lock.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace sim {
namespace {

bool membarrier(int command) noexcept { return syscall(SYS_membarrier, command, 0, 0) == 0; }

// May take milliseconds where there are threads: called by those who have something of it.
bool can_take_away() noexcept {
  static const bool can = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
  return can;
}

// A child process may have to register again. A program that has since forbidden itself the call gets
// the time in which any processor has told of what it wrote.
void barrier_on_all_processors() noexcept {
  if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) return;
  membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
  if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) return;
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace

void BiasedLock::lock_as_any() noexcept {
  others_.lock();
  if (owner_.load(std::memory_order_relaxed)) take_away();
  as_owner_ = false;
  const void* const me = self();
  row_ = me == last_ ? row_ + 1 : 0;
  last_ = me;
  if (row_ < wanted_) return;
  row_ = 0;
  if (can_take_away()) {
    owner_.store(me, std::memory_order_relaxed);
  } else {
    wanted_ = ~std::uint32_t{0};
  }
}

void BiasedLock::take_away() noexcept {
  owner_.store(nullptr, std::memory_order_relaxed);
  barrier_on_all_processors();
  while (inside_.load(std::memory_order_acquire)) std::this_thread::yield();
  wanted_ = std::min(2 * wanted_, kLongestRow);
}

}  // namespace sim
