// SPDX-License-Identifier: Apache-2.0
#include "device_sim/base/own_thread.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>

namespace sim {
namespace {

constinit std::array<std::atomic<pid_t>, 2048> threads{};  // 0: a free place
constinit std::atomic<int> starting{0};                    // that are not in there yet

thread_local bool own = false;

pid_t this_thread() noexcept { return static_cast<pid_t>(syscall(SYS_gettid)); }

bool replace(pid_t from, pid_t to) noexcept {
  for (std::atomic<pid_t>& place : threads) {
    pid_t expected = from;
    if (place.load(std::memory_order_relaxed) == from &&
        place.compare_exchange_strong(expected, to))
      return true;
  }
  return false;
}

}  // namespace

namespace detail {

OwnThread::OwnThread() noexcept {
  own = true;
  replace(0, this_thread());
  --starting;
}

OwnThread::~OwnThread() {
  own = false;
  replace(this_thread(), 0);
}

void own_thread_starts(int count) noexcept { starting += count; }

}  // namespace detail

bool is_own_thread() noexcept { return own; }

std::vector<pid_t> own_threads() {
  constexpr auto kPatience = std::chrono::milliseconds(200);
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (starting.load() > 0 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  std::vector<pid_t> ids;
  for (const std::atomic<pid_t>& place : threads) {
    if (const pid_t id = place.load()) ids.push_back(id);
  }
  return ids;
}

}  // namespace sim
