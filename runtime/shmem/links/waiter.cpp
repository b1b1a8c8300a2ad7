// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/links/waiter.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "device_sim/base/mutex.h"
#include "device_sim/base/spin_lock.h"

namespace shmem {
namespace {

using namespace std::chrono_literals;

/// The number of polls before a thread sleeps. They take as long as a system call or two.
constexpr int kPolls = 200;
/// The number of polls before the thread yields, which is a system call too.
constexpr int kQuickPolls = 40;
/// The number of polls without a message if PEs are on other hosts. A sleeping thread responds 50
/// us later, so a thread polls for about a millisecond after the last message.
constexpr int kNetworkPolls = 1000;
constexpr std::chrono::nanoseconds kFirstPause = 20us;
constexpr std::chrono::nanoseconds kLongestPause = 1ms;

}  // namespace

void Bell::ring() {
  std::vector<std::shared_ptr<acl::embedding::Signal>> sleepers;
  {
    const sim::LockGuard guard(mutex_);
    ++rings_;
    sleepers.swap(sleepers_);
    waiting_.fetch_sub(static_cast<int>(sleepers.size()));
  }
  changed_.notify_all();
  for (const auto& sleeper : sleepers) sleeper->complete();
}

void Bell::sleep(std::shared_ptr<acl::embedding::Signal> signal) {
  const sim::LockGuard guard(mutex_);
  waiting_.fetch_add(1);
  sleepers_.push_back(std::move(signal));
}

Waiter::Waiter(std::shared_ptr<fabric::Group> group, std::shared_ptr<Bell> bell,
               std::function<void()> heard, Progress& progress)
    : group_(std::move(group)),
      bell_(std::move(bell)),
      heard_(std::move(heard)),
      progress_(progress) {
  listener_ = group_->process()->listen([this] {
    heard_();
    bell_->ring();
  });
  group_->on_loss([this](const fabric::Loss&) { bell_->ring(); });
}

Waiter::~Waiter() {
  group_->on_loss(nullptr);
  group_->process()->forget(listener_);
  bell_->ring();
}

bool Waiter::poll(const std::function<bool()>& holds) {
  if (!progress_.any()) {
    for (int i = 0; i < kPolls; ++i) {
      if (holds()) return true;
      i < kQuickPolls ? sim::cpu_relax() : std::this_thread::yield();
    }
    return false;
  }
  progress_.begin_polls();
  bool held = holds();
  for (int idle = 0; !held && idle < kNetworkPolls; held = holds()) {
    idle = progress_.poll() ? 0 : idle + 1;
    if (idle > 0) std::this_thread::yield();
  }
  progress_.end_polls();
  return held;
}

Waiter::Outcome Waiter::wait(const std::function<bool()>& holds, fabric::Moment end) {
  if (poll(holds)) return Outcome::holds;
  fabric::Timekeeper& time = fabric::Timekeeper::real();
  std::chrono::nanoseconds pause = kFirstPause;
  bell_->waiting_.fetch_add(1);
  Outcome outcome = Outcome::holds;
  sim::UniqueLock lock(bell_->mutex_);
  while (true) {
    const std::uint64_t rings = bell_->rings_;
    group_->process()->doorbell().arm();
    if (holds()) break;
    if (group_->lost()) outcome = Outcome::lost;
    if (time.passed(end)) outcome = Outcome::timed_out;
    if (outcome != Outcome::holds) break;
    const fabric::Moment next = std::min(end, time.in(pause));
    while (rings == bell_->rings_ && !time.passed(next)) time.wait(lock, bell_->changed_, next);
    pause = std::min(pause * 2, kLongestPause);
    if (rings == bell_->rings_) continue;
    // Each ring costs its sender a system call while this thread is asleep, and the sender may ring
    // many times, so this thread polls first.
    lock.unlock();
    const bool held = poll(holds);
    lock.lock();
    if (held) break;
  }
  bell_->waiting_.fetch_sub(1);
  return outcome;
}

void Waiter::sleep(std::shared_ptr<acl::embedding::Signal> signal) {
  bell_->sleep(std::move(signal));
  group_->process()->doorbell().arm();
}

void Waiter::wake(int pe) {
  const fabric::Peer& peer = group_->peer(pe);
  if (peer.reached) {
    peer.reached->doorbell().ring();
    return;
  }
  if (peer.locality == fabric::Locality::remote) return;
  std::atomic_thread_fence(std::memory_order_seq_cst);  // pairs with the fence of the doorbell
  if (bell_->anybody()) bell_->ring();
}

}  // namespace shmem
