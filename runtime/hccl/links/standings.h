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
#include "runtime/hccl/board/standing.h"

namespace hccl {

/// Operations of one communicator on one stream, as a rank has enqueued them.
struct StreamLane {
  explicit StreamLane(aclrtStream of) noexcept : stream(of) {}
  const aclrtStream stream;  // null: those of graphs, which may run on any
  alignas(64) std::atomic<std::uint64_t> enqueued{0};
  alignas(64) std::atomic<std::uint64_t> ended{0};
  bool empty() const noexcept { return ended.load() == enqueued.load(); }
};

/// A run in front of its stream that has waited for long.
struct Stand {
  const void* run = nullptr;
  const StreamLane* lane = nullptr;
  std::uint64_t progress = 0;                 // changes whenever the run does something
  std::vector<Standing::Awaited> awaited{};   // the run does nothing before all of these have
  std::vector<std::uint64_t> host_threads{};  // that wait until the run is over
  CalledAt at{};
  bool moves = false;
};

/// What one rank stands in, and whether it is at rest (see Standing). Any thread.
class Standings : public std::enable_shared_from_this<Standings> {
 public:
  Standings();

  /// The calling thread enqueues a run.
  StreamLane& enqueued(aclrtStream stream);
  /// The rank has said that it is at rest.
  bool at_rest() const noexcept { return at_rest_.load(); }

  void put(Stand stand);
  /// The run may do something now; until it is put or removed nothing is concluded.
  void moves(const void* run);
  /// False: the run stood in nothing.
  bool remove(const void* run);
  /// Threads that have enqueued, live, and wait for none of the runs that stand. They may enqueue
  /// more.
  std::vector<std::uint64_t> free_host_threads() const;
  /// The epoch in which that thread waits for one of the runs; 0: none.
  std::uint32_t epoch_of_waiting(std::uint64_t host_thread) const;
  /// What the others are to see; nothing: as before. `hosts`: what keeps the threads of the host
  /// from enqueueing; nothing: they may.
  std::optional<Standing> conclude(const std::optional<std::vector<Standing::Awaited>>& hosts);
  /// No longer at rest: the next time is an epoch of its own.
  void disturb() noexcept;

 private:
  friend struct UsesOfThread;
  StreamLane& find_lane(aclrtStream stream);
  bool all_lanes_stand() const;
  bool waits(std::uint64_t host_thread) const;
  void forget(std::uint64_t host_thread);

  const std::uint64_t serial_;
  std::atomic<StreamLane*> last_lane_{nullptr};
  std::atomic<bool> at_rest_{false};
  mutable sim::Mutex mutex_;  // the rest
  std::deque<StreamLane> lanes_;
  std::vector<std::uint64_t> host_threads_;  // that have enqueued, and live
  std::vector<Stand> stands_;
  std::uint32_t epochs_ = 0;
  std::uint32_t epoch_ = 0;  // 0: not at rest
  using Seen = std::vector<std::pair<const void*, std::uint64_t>>;
  Seen seen_;  // in this epoch: the runs, and how far they are
};

}  // namespace hccl
