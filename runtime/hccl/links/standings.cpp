// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/links/standings.h"

#include <algorithm>
#include <utility>

#include "device_sim/base/mutex.h"
#include "runtime/hccl/links/links.h"

namespace hccl {

/// The communicators in which a thread has enqueued. They forget the thread when it ends.
struct UsesOfThread {
  std::uint64_t thread = embedding().host_thread();
  std::uint64_t last = 0;  // the serial number of the last one
  std::vector<std::pair<std::uint64_t, std::weak_ptr<Standings>>> all;

  ~UsesOfThread() {
    for (const auto& [serial, standings] : all) {
      if (const auto live = standings.lock()) live->forget(thread);
    }
  }
  /// Returns true at the first use of that communicator.
  bool add(std::uint64_t serial, std::weak_ptr<Standings> standings) {
    last = serial;
    for (const auto& use : all) {
      if (use.first == serial) return false;
    }
    std::erase_if(all, [](const auto& use) { return use.second.expired(); });
    all.emplace_back(serial, std::move(standings));
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

Standings::Standings() : serial_(next_serial()) {}

StreamLane& Standings::enqueued(aclrtStream stream) {
  if (uses.last != serial_ && uses.add(serial_, weak_from_this())) [[unlikely]] {
    const sim::LockGuard guard(mutex_);
    host_threads_.push_back(uses.thread);
  }
  StreamLane* lane = last_lane_.load(std::memory_order_acquire);
  if (!lane || lane->stream != stream) [[unlikely]]
    lane = &find_lane(stream);
  lane->enqueued.fetch_add(1);
  return *lane;
}

StreamLane& Standings::find_lane(aclrtStream stream) {
  const sim::LockGuard guard(mutex_);
  const auto found = std::find_if(lanes_.begin(), lanes_.end(),
                                  [stream](const StreamLane& one) { return one.stream == stream; });
  StreamLane& lane = found != lanes_.end() ? *found : lanes_.emplace_back(stream);
  last_lane_.store(&lane, std::memory_order_release);
  return lane;
}

void Standings::forget(std::uint64_t host_thread) {
  const sim::LockGuard guard(mutex_);
  std::erase(host_threads_, host_thread);
}

void Standings::put(Stand stand) {
  const sim::LockGuard guard(mutex_);
  const auto same = std::find_if(stands_.begin(), stands_.end(),
                                 [&](const Stand& one) { return one.run == stand.run; });
  if (same == stands_.end()) {
    stands_.push_back(std::move(stand));
  } else {
    *same = std::move(stand);
  }
}

void Standings::moves(const void* run) {
  const sim::LockGuard guard(mutex_);
  for (Stand& stand : stands_) stand.moves |= stand.run == run;
}

bool Standings::remove(const void* run) {
  const sim::LockGuard guard(mutex_);
  return std::erase_if(stands_, [run](const Stand& one) { return one.run == run; }) != 0;
}

bool Standings::waits(std::uint64_t host_thread) const {
  return std::any_of(stands_.begin(), stands_.end(), [&](const Stand& one) {
    return std::find(one.host_threads.begin(), one.host_threads.end(), host_thread) !=
           one.host_threads.end();
  });
}

std::vector<std::uint64_t> Standings::free_host_threads() const {
  const sim::LockGuard guard(mutex_);
  std::vector<std::uint64_t> all;
  for (const std::uint64_t thread : host_threads_) {
    if (!waits(thread)) all.push_back(thread);
  }
  return all;
}

std::uint32_t Standings::epoch_of_waiting(std::uint64_t host_thread) const {
  const sim::LockGuard guard(mutex_);
  return waits(host_thread) ? epoch_ : 0;
}

// A graph may run on any stream, after the operations queued there.
bool Standings::all_lanes_stand() const {
  return std::all_of(lanes_.begin(), lanes_.end(), [this](const StreamLane& lane) {
    const auto of_lane = [&](const Stand& one) { return one.lane == &lane; };
    return lane.empty() || (lane.stream && std::any_of(stands_.begin(), stands_.end(), of_lane));
  });
}

// A thread that enqueues first increases the counter and then checks whether the rank is at rest.
// This function first sets `at_rest_` and then reads the counters. So one of the two sees the
// other's write.
std::optional<Standing> Standings::conclude(
    const std::optional<std::vector<Standing::Awaited>>& hosts) {
  const sim::LockGuard guard(mutex_);
  if (std::any_of(stands_.begin(), stands_.end(), [](const Stand& one) { return one.moves; }))
    return std::nullopt;
  at_rest_ = true;
  Standing standing;
  if (!stands_.empty()) standing.at = stands_.front().at;
  std::vector<Standing::Awaited> all;
  Seen seen;
  for (const Stand& stand : stands_) {
    all.insert(all.end(), stand.awaited.begin(), stand.awaited.end());
    seen.emplace_back(stand.run, stand.progress);
  }
  if (hosts) all.insert(all.end(), hosts->begin(), hosts->end());
  if (!hosts || stands_.empty() || all.size() > Standing::kMost || !all_lanes_stand()) {
    epoch_ = 0;
  } else if (epoch_ == 0 || seen != seen_) {
    epoch_ = ++epochs_;
    seen_ = std::move(seen);
  }
  at_rest_ = epoch_ != 0;
  standing.epoch = epoch_;
  standing.count = static_cast<std::uint32_t>(std::min(all.size(), Standing::kMost));
  std::copy_n(all.begin(), standing.count, standing.awaited.begin());
  return standing;
}

void Standings::disturb() noexcept {
  const sim::LockGuard guard(mutex_);
  epoch_ = 0;
  at_rest_ = false;
}

}  // namespace hccl
