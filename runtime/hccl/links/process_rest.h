// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/hccl/board/deadlock.h"
#include "runtime/hccl/links/links.h"

namespace hccl {

/// The detection of deadlocks that several communicators take part in: the host thread of a rank
/// waits in one of them, and would call the operation that another rank waits for in another one.
///
/// The process is at rest while all its host threads that have enqueued in any communicator wait
/// for operations, and each operation at the head of a stream waits for other ranks. It publishes
/// that on the boards of all its communicators, with the processes that it waits for: in each
/// communicator, a process is named by its lowest rank. Epochs have the meaning that WaitState
/// describes, for all communicators of the process together. Any thread.
class ProcessRest {
 public:
  static ProcessRest& mine();

  /// A run of this process has waited for long, and is recorded. Returns the deadlock that the
  /// process is part of.
  std::optional<Links::Deadlock> look() EXCLUDES(mutex_);
  /// A host thread enqueues, or a recorded run is over.
  void disturb() {
    if (at_rest_.load()) withdraw();
  }

 private:
  using All = std::vector<std::shared_ptr<Links>>;
  using Seen = std::vector<std::pair<const void*, std::uint64_t>>;
  struct Wait {
    const Links* of;
    LongWait wait;
  };
  std::optional<Links::Deadlock> found_by_other(const All& all) const REQUIRES(mutex_);
  void begin_epoch(const All& all, Seen seen, bool goes_on) REQUIRES(mutex_);
  static std::vector<WaitingRank> named_ranks(const std::vector<Wait>& waits,
                                              const std::vector<WaitingRank>& ranks, int named);
  bool collect(const All& all, std::vector<Wait>& waits) const;
  std::optional<WaitState> state_for(const Links& links, const std::vector<Wait>& waits) const
      REQUIRES(mutex_);
  void withdraw() EXCLUDES(mutex_);

  std::atomic<bool> at_rest_{false};
  sim::Mutex mutex_;
  std::uint32_t epochs_ GUARDED_BY(mutex_) = 0;
  std::uint32_t epoch_ GUARDED_BY(mutex_) = 0;  // 0: not at rest
  Seen seen_ GUARDED_BY(mutex_);                // the runs of this epoch and their progress
  // The communicators that had failed by a deadlock before these runs waited.
  std::set<std::string> failed_before_ GUARDED_BY(mutex_);
};

/// Names each rank and the first rank that it waits for.
std::string text_of_deadlock(const std::vector<WaitingRank>& ranks);

}  // namespace hccl
