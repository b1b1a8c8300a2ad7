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
  sim::Mutex mutex_;
  sim::CondVar changed_;
  std::uint64_t rings_ = 0;
  std::vector<std::shared_ptr<acl::embedding::Signal>> sleepers_;
};

/// What a thread that waits looks after meanwhile.
class Progress {
 public:
  /// Whether there is anything.
  virtual bool any() const noexcept = 0;
  /// Makes the progress that can be made now; true: something came.
  virtual bool poll() = 0;
  /// Around a row of polls.
  virtual void begin_polls() noexcept = 0;
  virtual void end_polls() noexcept = 0;

 protected:
  ~Progress() = default;
};

/// How threads and streams of this process wait for words that other PEs change. Who changes one
/// rings; what changes without a ring (a copy, a kernel) is seen by threads within a millisecond.
class Waiter {
 public:
  /// `heard`: called with every ring of another PE, in the I/O thread; may not block. `progress`:
  /// what threads look after as long as they do not sleep.
  Waiter(std::shared_ptr<fabric::Group> group, std::shared_ptr<Bell> bell,
         std::function<void()> heard, Progress& progress);
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
  bool look(const std::function<bool()>& holds);
  const std::shared_ptr<fabric::Group> group_;
  const std::shared_ptr<Bell> bell_;
  const std::function<void()> heard_;
  Progress& progress_;
  fabric::Process::Listener listener_ = 0;
};

}  // namespace shmem
