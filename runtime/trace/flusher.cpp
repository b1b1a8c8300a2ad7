// SPDX-License-Identifier: Apache-2.0
#include "runtime/trace/flusher.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <utility>

#include "device_sim/base/error.h"
#include "device_sim/base/mutex.h"
#include "device_sim/base/thread.h"
#include "runtime/trace/forks.h"

namespace acl::trace_output {
namespace {

constexpr std::chrono::milliseconds kInterval{200};

std::atomic<unsigned> forked{0};

}  // namespace

unsigned forks() noexcept { return forked.load(std::memory_order_relaxed); }

unsigned count_forks() {
  static const int registered =
      ::pthread_atfork(nullptr, nullptr, [] { forked.fetch_add(1, std::memory_order_relaxed); });
  (void)registered;
  return forks();
}

Flusher::Flusher(std::function<void()> flush) : flush_(std::move(flush)), forks_(count_forks()) {
  try {
    thread_ = sim::start_thread(sim::Signals::blocked, [this] { run(); });
    ::pthread_setname_np(thread_.native_handle(), "acl-trace");
  } catch (const sim::MachineError&) {
  }
}

Flusher::~Flusher() {
  if (!thread_.joinable()) return;
  if (forks() != forks_) {
    thread_.detach();
    return;
  }
  {
    const sim::LockGuard guard(mutex_);
    stop_ = true;
  }
  stopped_.notify_all();
  thread_.join();
}

void Flusher::run() {
  sim::UniqueLock lock(mutex_);
  while (!stopped_.wait_for(lock, kInterval, [this]() REQUIRES(mutex_) { return stop_; })) {
    lock.unlock();
    flush_();
    lock.lock();
  }
}

}  // namespace acl::trace_output
