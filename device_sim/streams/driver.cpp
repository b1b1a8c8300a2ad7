// SPDX-License-Identifier: Apache-2.0
#include "device_sim/streams/driver.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "device_sim/base/mutex.h"
#include "device_sim/base/sanitizer.h"

namespace sim {

// Called after the stream was parked. A look at the words before that found no waiting stream and
// may have removed the word from the list; a later look finds the stream.
void Driver::watch(Word& word) {
  bool first = false;
  {
    const sim::LockGuard guard(watched_mutex_);
    const auto same = [&](const Ref<Word>& at) { return at.get() == &word; };
    if (std::any_of(watched_.begin(), watched_.end(), same)) return;
    watched_.push_back(Ref<Word>::share(&word));
    first = watched_.size() == 1;
    watched_count_.store(watched_.size(), std::memory_order_relaxed);
  }
  if (first) watch_started();
}

// ---- host threads that wait ----

std::uint64_t Driver::host_thread() noexcept { return static_cast<std::uint64_t>(pthread_self()); }

static pid_t system_number() noexcept {
  thread_local const auto thread = static_cast<pid_t>(syscall(SYS_gettid));
  return thread;
}

std::vector<pid_t> Driver::sleeping_threads() const {
  std::vector<pid_t> threads;
  const sim::LockGuard guard(sleeping_lock_);
  for (const HostWait* wait = sleeping_; wait; wait = wait->next_) {
    threads.push_back(wait->system_number_);
  }
  return threads;
}

Driver::HostWait::HostWait(Driver& driver, Stream& stream, bool has_limit) noexcept
    : driver_(driver),
      stream_(stream),
      thread_(host_thread()),
      system_number_(has_limit ? 0 : system_number()),
      has_limit_(has_limit) {
  ++driver_.host_waits_;
  if (has_limit_) return;
  const sim::LockGuard guard(driver_.sleeping_lock_);
  next_ = driver_.sleeping_;
  at_ = &driver_.sleeping_;
  if (next_) next_->at_ = &next_;
  *at_ = this;
}

Driver::HostWait::~HostWait() {
  --driver_.host_waits_;
  if (has_limit_) return;
  const sim::LockGuard guard(driver_.sleeping_lock_);
  *at_ = next_;
  if (next_) next_->at_ = at_;
}

// Follows the waits from stream to stream.
static bool leads_to(const Stream& stream, Ref<Stream> from) {
  constexpr int kMost = 256;
  for (int depth = 0; from && depth < kMost; ++depth) {
    if (from.get() == &stream) return true;
    const Ref<WaitPoint> point = from->parked_on();
    from = point ? point->producer() : Ref<Stream>();
  }
  return false;
}

std::vector<std::uint64_t> Driver::host_threads_behind(const Stream& stream) {
  std::vector<std::pair<std::uint64_t, Ref<Stream>>> all;
  {
    const sim::LockGuard guard(sleeping_lock_);
    for (const HostWait* wait = sleeping_; wait; wait = wait->next_) {
      all.emplace_back(wait->thread_, Ref<Stream>::share(&wait->stream_));
    }
  }
  std::vector<std::uint64_t> threads;
  for (auto& [thread, from] : all) {
    if (leads_to(stream, std::move(from))) threads.push_back(thread);
  }
  return threads;
}

// ---- copies ----

void Driver::copy_large(void* dst, const void* src, std::size_t size) {
  // Large pieces, since the C library bypasses the caches only for copies that would not fit into
  // them.
  constexpr std::size_t kPiece = std::size_t{32} << 20;
  const auto to = reinterpret_cast<std::uintptr_t>(dst);
  const auto from = reinterpret_cast<std::uintptr_t>(src);
  if (to < from + size && from < to + size) return device_copy(dst, src, size);
  share((size + kPiece - 1) / kPiece, 1, [=](std::size_t piece) {
    const std::size_t at = piece * kPiece;
    device_copy(static_cast<char*>(dst) + at, static_cast<const char*>(src) + at,
                std::min(kPiece, size - at));
  });
}

void Driver::share(std::size_t pieces, int /*helpers*/,
                   const std::function<void(std::size_t)>& piece) {
  for (std::size_t i = 0; i < pieces; ++i) piece(i);
}

bool Driver::look_at_words() {
  const sim::LockGuard guard(watched_mutex_);
  std::erase_if(watched_, [](const Ref<Word>& word) { return !word->look(); });
  watched_count_.store(watched_.size(), std::memory_order_relaxed);
  return !watched_.empty();
}

}  // namespace sim
