// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/links/wait_tracker.h"

#include <algorithm>
#include <utility>

#include "device_sim/base/mutex.h"
#include "runtime/hccl/links/links.h"

namespace hccl {

/// The communicators in which a thread has enqueued. They forget the thread when it ends.
struct UsesOfThread {
  std::uint64_t thread = embedding().host_thread();
  std::uint64_t last = 0;  // the serial number of the last one
  std::vector<std::pair<std::uint64_t, std::weak_ptr<WaitTracker>>> all;

  ~UsesOfThread() {
    for (const auto& [serial, tracker] : all) {
      if (const auto live = tracker.lock()) live->forget(thread);
    }
  }
  /// Returns true at the first use of that communicator.
  bool add(std::uint64_t serial, std::weak_ptr<WaitTracker> tracker) {
    last = serial;
    for (const auto& use : all) {
      if (use.first == serial) return false;
    }
    std::erase_if(all, [](const auto& use) { return use.second.expired(); });
    all.emplace_back(serial, std::move(tracker));
    return true;
  }
};

namespace {

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> serials{0};
  return ++serials;
}

thread_local UsesOfThread uses;

}  // namespace

WaitTracker::WaitTracker() : serial_(next_serial()) {}

StreamCounters& WaitTracker::enqueued(aclrtStream stream) {
  if (uses.last != serial_ && uses.add(serial_, weak_from_this())) [[unlikely]] {
    const sim::LockGuard guard(mutex_);
    host_threads_.push_back(uses.thread);
  }
  StreamCounters* counters = last_counters_.load(std::memory_order_acquire);
  if (!counters || counters->stream != stream) [[unlikely]]
    counters = &find_counters(stream);
  counters->enqueued.fetch_add(1);
  return *counters;
}

StreamCounters& WaitTracker::find_counters(aclrtStream stream) {
  const sim::LockGuard guard(mutex_);
  const auto found =
      std::find_if(counters_.begin(), counters_.end(),
                   [stream](const StreamCounters& one) { return one.stream == stream; });
  StreamCounters& counters = found != counters_.end() ? *found : counters_.emplace_back(stream);
  last_counters_.store(&counters, std::memory_order_release);
  return counters;
}

void WaitTracker::forget(std::uint64_t host_thread) {
  const sim::LockGuard guard(mutex_);
  std::erase(host_threads_, host_thread);
}

void WaitTracker::put(LongWait wait) {
  const sim::LockGuard guard(mutex_);
  const auto same = std::find_if(waits_.begin(), waits_.end(),
                                 [&](const LongWait& one) { return one.run == wait.run; });
  if (same == waits_.end()) {
    waits_.push_back(std::move(wait));
  } else {
    *same = std::move(wait);
  }
}

void WaitTracker::moves(const void* run) {
  const sim::LockGuard guard(mutex_);
  for (LongWait& wait : waits_) wait.moves |= wait.run == run;
}

bool WaitTracker::remove(const void* run) {
  const sim::LockGuard guard(mutex_);
  return std::erase_if(waits_, [run](const LongWait& one) { return one.run == run; }) != 0;
}

bool WaitTracker::waits(std::uint64_t host_thread) const {
  return std::any_of(waits_.begin(), waits_.end(), [&](const LongWait& one) {
    return std::find(one.host_threads.begin(), one.host_threads.end(), host_thread) !=
           one.host_threads.end();
  });
}

std::vector<std::uint64_t> WaitTracker::free_host_threads() const {
  const sim::LockGuard guard(mutex_);
  std::vector<std::uint64_t> all;
  for (const std::uint64_t thread : host_threads_) {
    if (!waits(thread)) all.push_back(thread);
  }
  return all;
}

std::vector<LongWait> WaitTracker::waits() const {
  const sim::LockGuard guard(mutex_);
  return waits_;
}

std::vector<std::uint64_t> WaitTracker::host_threads() const {
  const sim::LockGuard guard(mutex_);
  return host_threads_;
}

bool WaitTracker::all_wait() const {
  const sim::LockGuard guard(mutex_);
  return all_streams_wait();
}

bool WaitTracker::any_moves() const {
  const sim::LockGuard guard(mutex_);
  return std::any_of(waits_.begin(), waits_.end(), [](const LongWait& one) { return one.moves; });
}

std::uint32_t WaitTracker::epoch_of_waiting(std::uint64_t host_thread) const {
  const sim::LockGuard guard(mutex_);
  return waits(host_thread) ? epoch_ : 0;
}

// A graph may run on any stream, after the operations queued there.
bool WaitTracker::all_streams_wait() const {
  const auto is_blocked = [this](const StreamCounters& counters) REQUIRES(mutex_) {
    const auto of_stream = [&](const LongWait& one) { return one.counters == &counters; };
    return counters.empty() ||
           (counters.stream && std::any_of(waits_.begin(), waits_.end(), of_stream));
  };
  return std::all_of(counters_.begin(), counters_.end(), is_blocked);
}

// A thread that enqueues first increases the counter and then checks whether the rank is at rest.
// This function first sets `at_rest_` and then reads the counters. So one of the two sees the
// other's write.
std::optional<WaitState> WaitTracker::conclude(
    const std::optional<std::vector<WaitState::Awaited>>& hosts) {
  const sim::LockGuard guard(mutex_);
  if (std::any_of(waits_.begin(), waits_.end(), [](const LongWait& one) { return one.moves; }))
    return std::nullopt;
  at_rest_ = true;
  WaitState wait_state;
  if (!waits_.empty()) wait_state.at = waits_.front().at;
  std::vector<WaitState::Awaited> all;
  Seen seen;
  for (const LongWait& wait : waits_) {
    all.insert(all.end(), wait.awaited.begin(), wait.awaited.end());
    seen.emplace_back(wait.run, wait.progress);
  }
  if (hosts) all.insert(all.end(), hosts->begin(), hosts->end());
  if (!hosts || waits_.empty() || all.size() > WaitState::kMost || !all_streams_wait()) {
    epoch_ = 0;
  } else if (epoch_ == 0 || seen != seen_) {
    epoch_ = ++epochs_;
    seen_ = std::move(seen);
  }
  at_rest_ = epoch_ != 0;
  wait_state.epoch = epoch_;
  wait_state.count = static_cast<std::uint32_t>(std::min(all.size(), WaitState::kMost));
  std::copy_n(all.begin(), wait_state.count, wait_state.awaited.begin());
  return wait_state;
}

void WaitTracker::disturb() noexcept {
  const sim::LockGuard guard(mutex_);
  epoch_ = 0;
  at_rest_ = false;
}

}  // namespace hccl
