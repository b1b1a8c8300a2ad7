// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "acl/acl_base.h"
#include "device_sim/base/mutex.h"
#include "runtime/fabric/ranks/process.h"
#include "runtime/hccl/board/wait_state.h"

namespace hccl {

/// Counts the operations of one communicator that a rank has enqueued on one stream.
struct StreamCounters {
  explicit StreamCounters(aclrtStream of) noexcept : stream(of) {}
  const aclrtStream stream;  // null: operations of graphs, which may run on any stream
  alignas(64) std::atomic<std::uint64_t> enqueued{0};
  alignas(64) std::atomic<std::uint64_t> ended{0};
  bool empty() const noexcept { return ended.load() == enqueued.load(); }
};

/// A process, and the epoch of its published state (see ProcessRest); 0: it was not at rest.
struct ProcessEpoch {
  fabric::ProcessId process{};
  std::uint32_t epoch = 0;
};

/// A run at the head of its stream that has waited for long.
struct LongWait {
  const void* run = nullptr;
  const StreamCounters* counters = nullptr;
  std::uint64_t progress = 0;                 // changes with every progress of the run
  std::vector<WaitState::Awaited> awaited{};  // the run makes no progress before all of these have
  std::vector<std::uint64_t> host_threads{};  // host threads that wait until the run is over
  CalledAt at{};
  bool moves = false;
  std::vector<ProcessEpoch> processes{};  // of the awaited ranks, read when `awaited` was
};

/// The runs of one rank that have waited for long, and whether the rank is at rest (see WaitState).
/// Any thread.
class WaitTracker : public std::enable_shared_from_this<WaitTracker> {
 public:
  WaitTracker();

  /// The calling thread enqueues a run.
  StreamCounters& enqueued(aclrtStream stream);
  /// Whether the rank has published that it is at rest.
  bool at_rest() const noexcept { return at_rest_.load(); }

  void put(LongWait wait);
  /// The run may make progress now; until it is put again or removed, `conclude` returns nothing.
  void moves(const void* run);
  /// Returns false if the run was not recorded.
  bool remove(const void* run);
  /// Host threads that have enqueued, still exist, and wait for none of the recorded runs. They may
  /// enqueue more.
  std::vector<std::uint64_t> free_host_threads() const;
  std::vector<LongWait> waits() const;
  std::vector<std::uint64_t> host_threads() const;
  /// Each stream that has operations of the communicator waits in one of the recorded runs.
  bool all_wait() const;
  /// A recorded run may make progress now.
  bool any_moves() const;
  /// The epoch in which that thread waits for one of the runs; 0: it waits for none.
  std::uint32_t epoch_of_waiting(std::uint64_t host_thread) const;
  /// Returns the state to publish, or nothing if it must not change now. `hosts`: the states that
  /// keep the host threads from enqueueing; nothing: they may enqueue.
  std::optional<WaitState> conclude(const std::optional<std::vector<WaitState::Awaited>>& hosts);
  /// The rank is no longer at rest: the next time begins a new epoch.
  void disturb() noexcept;

 private:
  friend struct UsesOfThread;
  StreamCounters& find_counters(aclrtStream stream);
  bool all_streams_wait() const REQUIRES(mutex_);
  bool waits(std::uint64_t host_thread) const REQUIRES(mutex_);
  void forget(std::uint64_t host_thread);

  const std::uint64_t serial_;
  std::atomic<StreamCounters*> last_counters_{nullptr};
  std::atomic<bool> at_rest_{false};
  mutable sim::Mutex mutex_;
  std::deque<StreamCounters> counters_ GUARDED_BY(mutex_);
  // threads that have enqueued and still exist
  std::vector<std::uint64_t> host_threads_ GUARDED_BY(mutex_);
  std::vector<LongWait> waits_ GUARDED_BY(mutex_);
  std::uint32_t epochs_ GUARDED_BY(mutex_) = 0;
  std::uint32_t epoch_ GUARDED_BY(mutex_) = 0;  // 0: not at rest
  using Seen = std::vector<std::pair<const void*, std::uint64_t>>;
  Seen seen_ GUARDED_BY(mutex_);  // the runs of this epoch and their progress
};

}  // namespace hccl
