// SPDX-License-Identifier: Apache-2.0
#include "device_sim/base/parker.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <thread>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/base/per_thread.h"
#include "device_sim/base/spin_lock.h"

namespace sim {
namespace {

constexpr std::int32_t kNothing = 0;
constexpr std::int32_t kAsleep = -1;

constexpr bool is_wake(std::int32_t word) { return word > 0; }
std::int32_t wake_from_here() { return sched_getcpu() + 1; }

std::int32_t* futex_word(std::atomic<std::int32_t>& word) {
  static_assert(sizeof(std::atomic<std::int32_t>) == sizeof(std::int32_t));
  return reinterpret_cast<std::int32_t*>(&word);
}

/// Sleeps while the word is kAsleep. An absolute FUTEX_WAIT_BITSET uses CLOCK_MONOTONIC, as the
/// steady clock does.
void futex_sleep(std::atomic<std::int32_t>& word, const Deadline& deadline) {
  timespec at{};
  timespec* limit = nullptr;
  if (!deadline.is_never()) {
    const auto ns = deadline.at().time_since_epoch().count();
    at.tv_sec = static_cast<time_t>(ns / 1'000'000'000);
    at.tv_nsec = static_cast<long>(ns % 1'000'000'000);
    limit = &at;
  }
  syscall(SYS_futex, futex_word(word), FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, kAsleep, limit,
          nullptr, FUTEX_BITSET_MATCH_ANY);
}

}  // namespace

bool Parker::park(const Deadline& deadline, Nanoseconds spin_ns) {
  if (near_ >= patience_) {
    near_ = 0;
    patience_ = std::min(2 * patience_, kMostPatience);
    spin_ns = 0;
  }
  if (spin_ns != 0) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::nanoseconds(spin_ns);
    do {
      for (int i = 0; i < 32; ++i) {
        if (is_wake(word_.load(std::memory_order_relaxed))) break;
        cpu_relax();
      }
      // The waker may have been scheduled on this very core.
      if (!is_wake(word_.load(std::memory_order_relaxed))) std::this_thread::yield();
    } while (!is_wake(word_.load(std::memory_order_relaxed)) &&
             std::chrono::steady_clock::now() < until);
    note_wake(word_.load(std::memory_order_relaxed));
  }
  std::int32_t expected = kNothing;
  if (word_.compare_exchange_strong(expected, kAsleep, std::memory_order_acq_rel)) {
    while (word_.load(std::memory_order_acquire) == kAsleep && !deadline.passed()) {
      futex_sleep(word_, deadline);
    }
  }
  return is_wake(word_.exchange(kNothing, std::memory_order_acquire));
}

void Parker::note_wake(std::int32_t by) {
  if (!is_wake(by)) return;
  if (by == wake_from_here()) {
    ++near_;
  } else {
    near_ = 0;
    patience_ = kFirstPatience;
  }
}

void Parker::unpark() noexcept {
  const std::int32_t woken = std::max(wake_from_here(), 1);  // 0: the processor is not known
  if (word_.exchange(woken, std::memory_order_acq_rel) == kAsleep) {
    syscall(SYS_futex, futex_word(word_), FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, nullptr, nullptr, 0);
  }
}

namespace {

/// Parkers are reused and never destroyed, because a waker may still have the address of the parker
/// of a thread that is ending.
struct ParkerPool {
  SpinLock lock;
  std::vector<Parker*> free GUARDED_BY(lock);

  static ParkerPool& get() {
    static ParkerPool* const pool = new ParkerPool;
    return *pool;
  }
};

struct Lease {
  Parker* parker = nullptr;
  Lease() {
    ParkerPool& pool = ParkerPool::get();
    const sim::LockGuard guard(pool.lock);
    if (!pool.free.empty()) {
      parker = pool.free.back();
      pool.free.pop_back();
    }
    if (!parker) parker = new Parker;
  }
  ~Lease() {
    ParkerPool& pool = ParkerPool::get();
    const sim::LockGuard guard(pool.lock);
    pool.free.push_back(parker);
  }
};

}  // namespace

Parker& Parker::mine() { return *per_thread<Lease>().parker; }

}  // namespace sim
