// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/acl/embedding/embedding.h"
#include "runtime/fabric/base/timekeeper.h"
#include "runtime/fabric/ranks/group.h"

namespace shmem {

/// Threads and streams of this process that wait for something; any thread rings. Whoever waits
/// looks once more after it has said so.
class Bell {
 public:
  void ring();
  bool anybody() const noexcept { return waiting_.load() > 0; }
  /// The signal is completed with the next ring.
  void sleep(std::shared_ptr<acl::embedding::Signal> signal);

 private:
  friend class Waiter;
  std::atomic<int> waiting_{0};  // threads and signals
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t rings_ = 0;
  std::vector<std::shared_ptr<acl::embedding::Signal>> sleepers_;
};

/// How threads and streams of this process wait for words that other PEs change. Who changes one
/// rings; what changes without a ring (a copy, a kernel) is seen by threads within a millisecond.
class Waiter {
 public:
  /// `heard`: called with every ring of another PE, in the I/O thread; may not block. `poll`:
  /// called by threads that wait, as long as they look.
  Waiter(std::shared_ptr<fabric::Group> group, std::shared_ptr<Bell> bell,
         std::function<void()> heard, std::function<void()> poll);
  ~Waiter();
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  enum class Outcome { holds, timed_out, lost };
  Outcome wait(const std::function<bool()>& holds, fabric::Moment end);

  /// The signal is completed with the next ring. The caller looks once more before it waits.
  void sleep(std::shared_ptr<acl::embedding::Signal> signal);
  /// This process, or another PE of this host, is told that something was written for it. PEs of
  /// other hosts are told by what writes it.
  void wake(int pe);

 private:
  const std::shared_ptr<fabric::Group> group_;
  const std::shared_ptr<Bell> bell_;
  const std::function<void()> heard_;
  const std::function<void()> poll_;
  fabric::Process::Listener listener_ = 0;
};

}  // namespace shmem
