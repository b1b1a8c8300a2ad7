// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/links/waiter.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace shmem {
namespace {

using namespace std::chrono_literals;

/// So often a thread looks before it sleeps: as long as a system call or two.
constexpr int kLooks = 200;
constexpr std::chrono::nanoseconds kFirstPause = 20us;
constexpr std::chrono::nanoseconds kLongestPause = 1ms;

}  // namespace

Waiter::Waiter(std::shared_ptr<fabric::Group> group, std::function<void()> heard)
    : group_(std::move(group)), heard_(std::move(heard)) {
  listener_ = group_->process()->listen([this] {
    heard_();
    wake_own();
  });
  group_->on_loss([this](const fabric::Loss&) { wake_own(); });
}

Waiter::~Waiter() {
  group_->on_loss(nullptr);
  group_->process()->forget(listener_);
  wake_own();
}

Waiter::Outcome Waiter::wait(const std::function<bool()>& holds, fabric::Moment end) {
  for (int i = 0; i < kLooks; ++i) {
    if (holds()) return Outcome::holds;
    std::this_thread::yield();
  }
  fabric::Timekeeper& time = fabric::Timekeeper::real();
  std::chrono::nanoseconds pause = kFirstPause;
  waiting_.fetch_add(1);
  Outcome outcome = Outcome::holds;
  std::unique_lock lock(mutex_);
  while (true) {
    const std::uint64_t rings = rings_;
    group_->process()->doorbell().arm();
    if (holds()) break;
    if (group_->lost()) outcome = Outcome::lost;
    if (time.passed(end)) outcome = Outcome::timed_out;
    if (outcome != Outcome::holds) break;
    const fabric::Moment next = std::min(end, time.in(pause));
    while (rings == rings_ && !time.passed(next)) time.wait(lock, changed_, next);
    pause = std::min(pause * 2, kLongestPause);
  }
  waiting_.fetch_sub(1);
  return outcome;
}

void Waiter::sleep(std::shared_ptr<acl::embedding::Signal> signal) {
  const std::lock_guard guard(mutex_);
  waiting_.fetch_add(1);
  sleepers_.push_back(std::move(signal));
  group_->process()->doorbell().arm();
}

void Waiter::wake(int pe) {
  const fabric::Peer& peer = group_->peer(pe);
  if (peer.reached) {
    peer.reached->doorbell().ring();
  } else if (waiting_.load() > 0) {
    wake_own();
  }
}

void Waiter::wake_own() {
  std::vector<std::shared_ptr<acl::embedding::Signal>> sleepers;
  {
    const std::lock_guard guard(mutex_);
    ++rings_;
    sleepers.swap(sleepers_);
    waiting_.fetch_sub(static_cast<int>(sleepers.size()));
  }
  changed_.notify_all();
  for (const auto& sleeper : sleepers) sleeper->complete();
}

}  // namespace shmem
