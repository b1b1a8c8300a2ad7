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

/// How threads and streams of this process wait for words that other PEs change. Who changes one
/// rings; what changes without a ring (a copy, a kernel) is seen by threads within a millisecond.
class Waiter {
 public:
  /// `heard`: called with every ring, in the I/O thread; may not block.
  Waiter(std::shared_ptr<fabric::Group> group, std::function<void()> heard);
  ~Waiter();
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  enum class Outcome { holds, timed_out, lost };
  Outcome wait(const std::function<bool()>& holds, fabric::Moment end);

  /// The signal is completed with the next ring. The caller looks once more before it waits.
  void sleep(std::shared_ptr<acl::embedding::Signal> signal);
  /// This process, or another PE of this host, is told that something was written for it.
  void wake(int pe);

 private:
  void wake_own();

  const std::shared_ptr<fabric::Group> group_;
  const std::function<void()> heard_;
  std::atomic<int> waiting_{0};  // threads and signals
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t rings_ = 0;
  std::vector<std::shared_ptr<acl::embedding::Signal>> sleepers_;
  fabric::Process::Listener listener_ = 0;
};

}  // namespace shmem
