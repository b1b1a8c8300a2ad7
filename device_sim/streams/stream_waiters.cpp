// SPDX-License-Identifier: Apache-2.0
#include "device_sim/base/mutex.h"
#include "device_sim/streams/stream.h"

#include "device_sim/base/parker.h"

namespace sim {

bool Stream::add_waiter(HostWaiter& waiter) noexcept {
  const sim::LockGuard guard(lock_);
  waiter.next = waiters_;
  waiters_ = &waiter;
  has_waiters_.store(true, std::memory_order_seq_cst);
  if (retired() < waiter.target && !abandoned()) return true;
  waiters_ = waiter.next;
  if (!waiters_) has_waiters_.store(false, std::memory_order_seq_cst);
  return false;
}

void Stream::remove_waiter(HostWaiter& waiter) noexcept {
  const sim::LockGuard guard(lock_);
  for (HostWaiter** at = &waiters_; *at; at = &(*at)->next) {
    if (*at == &waiter) {
      *at = waiter.next;
      break;
    }
  }
  if (!waiters_) has_waiters_.store(false, std::memory_order_seq_cst);
}

void Stream::notify_waiters() noexcept {
  const sim::LockGuard guard(lock_);
  const std::uint64_t retired = queue_.popped();
  for (HostWaiter** at = &waiters_; *at;) {
    HostWaiter& waiter = **at;
    if (waiter.target > retired) {
      at = &waiter.next;
      continue;
    }
    *at = waiter.next;
    Parker* const parker = waiter.parker;
    waiter.released.store(true, std::memory_order_release);  // the waiter may be gone after this
    parker->unpark();
  }
  if (!waiters_) has_waiters_.store(false, std::memory_order_seq_cst);
}

void Stream::wake_all_waiters() noexcept {
  const sim::LockGuard guard(lock_);
  for (HostWaiter* waiter = waiters_; waiter;) {
    HostWaiter* const next = waiter->next;
    Parker* const parker = waiter->parker;
    waiter->released.store(true, std::memory_order_release);
    parker->unpark();
    waiter = next;
  }
  waiters_ = nullptr;
  has_waiters_.store(false, std::memory_order_seq_cst);
}

bool Stream::wake_helper() noexcept {
  if (!has_waiters_.load(std::memory_order_seq_cst)) return false;
  const sim::LockGuard guard(lock_);
  for (HostWaiter* waiter = waiters_; waiter; waiter = waiter->next) {
    if (waiter->may_help) {
      waiter->parker->unpark();
      return true;
    }
  }
  return false;
}

}  // namespace sim
