// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/acl/embedding/embedding.h"
#include "runtime/fabric/base/timekeeper.h"
#include "runtime/fabric/ranks/group.h"

namespace shmem {

/// Wakes the threads and streams of this process that wait. Any thread may ring. A waiting thread
/// registers itself and then checks its condition once more.
class Bell {
 public:
  void ring();
  bool anybody() const noexcept { return waiting_.load() > 0; }
  /// Completes the signal at the next ring.
  void sleep(std::shared_ptr<acl::embedding::Signal> signal);

 private:
  friend class Waiter;
  std::atomic<int> waiting_{0};  // number of waiting threads and signals
  sim::Mutex mutex_;
  sim::CondVar changed_;
  std::uint64_t rings_ GUARDED_BY(mutex_) = 0;
  std::vector<std::shared_ptr<acl::embedding::Signal>> sleepers_ GUARDED_BY(mutex_);
};

/// Progress that a waiting thread makes meanwhile.
class Progress {
 public:
  /// Whether progress needs polls at all.
  virtual bool any() const noexcept = 0;
  /// Makes the progress that is possible now. Returns true if a message arrived.
  virtual bool poll() = 0;
  /// Mark a series of polls.
  virtual void begin_polls() noexcept = 0;
  virtual void end_polls() noexcept = 0;

 protected:
  ~Progress() = default;
};

/// Lets threads and streams of this process wait for words that other PEs change. A PE that changes
/// a word rings. A change without a ring (by a copy or a kernel) is noticed by waiting threads
/// within a millisecond.
class Waiter {
 public:
  /// `heard`: called by the I/O thread at every ring of another PE; may not block. `progress`: made
  /// by threads that wait and do not sleep.
  Waiter(std::shared_ptr<fabric::Group> group, std::shared_ptr<Bell> bell,
         std::function<void()> heard, Progress& progress);
  ~Waiter();
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  enum class Outcome { holds, timed_out, lost };
  Outcome wait(const std::function<bool()>& holds, fabric::Moment end);

  /// Completes the signal at the next ring. The caller checks its condition once more before it
  /// waits.
  void sleep(std::shared_ptr<acl::embedding::Signal> signal);
  /// Wakes a PE of this host, or this process, after a word was written. PEs of other hosts are
  /// woken by the message that writes it.
  void wake(int pe);

 private:
  bool poll(const std::function<bool()>& holds);
  const std::shared_ptr<fabric::Group> group_;
  const std::shared_ptr<Bell> bell_;
  const std::function<void()> heard_;
  Progress& progress_;
  fabric::Process::Listener listener_ = 0;
};

}  // namespace shmem
