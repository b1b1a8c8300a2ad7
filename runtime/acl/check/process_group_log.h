// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "device_sim/base/owned_fd.h"
#include "runtime/acl/watch/listener.h"
#include "runtime/order/engine.h"
#include "runtime/order/process_group.h"

namespace acl {

/// Writes down what this process does with what it shares, for the check of all processes together
/// (order::check_across_processes): a file of lines, which a process that is killed leaves as far
/// as it came. Not thread-safe; the checker's lock is held.
class ProcessGroupLog final : public order::EngineObserver {
 public:
  /// Writes FOLDER/PID.shared, from the first time that something is shared.
  explicit ProcessGroupLog(std::string folder);

  void share(const watch::SharedRange& range);
  /// The owner takes the range back.
  void take_back(order::Epoch when, const order::VectorClock& known, const order::OpInfo& op_info,
                 std::uintptr_t begin, std::size_t size);
  void accessed(order::Epoch when, const order::VectorClock& known, const order::OpInfo& op_info,
                const order::Access& access) override;
  void advanced(order::Epoch when, const order::VectorClock& known) override;
  bool doubts(order::Epoch earlier, order::Epoch when, const order::VectorClock& known,
              const order::Finding& finding) override;
  /// It is issued now, and taken in later.
  void deferred(order::Epoch when);
  void record(const order::SharedObject& object, std::uint64_t generation, order::Epoch when,
              const order::VectorClock& known, const order::OpInfo& op_info);
  /// `for_others`: what it waits for may be another process's record.
  void wait(const order::SharedObject& object, std::uint64_t generation, order::Epoch when,
            const order::OpInfo& op_info, bool for_others = true);
  /// A record was issued; `record` tells when it has happened.
  void asked(const order::SharedObject& object, std::uint64_t generation, order::Epoch when,
             const order::OpInfo& op_info);
  /// A stream, or a host thread, is blocked at a wait. `object` null: inside of the process; an
  /// item in `ended_by` ends it.
  void blocked(order::Epoch when, const order::SharedObject* object, std::uint64_t generation,
               const order::VectorClock& ended_by, const order::OpInfo& op_info);
  /// A host thread begins to wait for an item of the actor, which is blocked.
  void host_waits(order::Epoch when, order::Epoch item, std::size_t host_threads,
                  const order::OpInfo& op_info);
  /// What was reported as blocked or waiting is so no more.
  void goes_on(order::Actor actor);
  /// No other process has a record of this one, and it has nothing that others could wait for. Any
  /// thread may ask.
  bool silent() const noexcept { return !open_.load(std::memory_order_relaxed); }
  /// Sites that were written without the lines of the program.
  std::vector<std::uint64_t> take_unplaced();
  void add_places(const std::map<std::uint64_t, order::Place>& places);
  /// Actors are numbered anew; what comes now is ordered after `all`.
  void restarts(const order::VectorClock& all);
  /// The sites of all that was written.
  const std::set<std::uint64_t>& sites() const noexcept { return sites_; }
  /// Adds their places: the log is whole.
  void finish(const std::map<std::uint64_t, order::Place>& places);

 private:
  order::SharedNode node(order::SharedNode::Kind kind, order::Epoch when,
                         const order::OpInfo& op_info) const;
  order::VectorClock whole(const order::VectorClock& known) const;
  order::VectorClock shifted(const order::VectorClock& known) const;
  void write(const order::SharedNode& node);
  void mention(std::uint64_t site);
  void flush();

  const std::string folder_;
  std::atomic<bool> open_{false};  // was tried
  sim::OwnedFd file_;
  std::string buffer_;
  std::vector<watch::SharedRange> ranges_;
  std::set<std::uint64_t> sites_;
  std::vector<std::uint64_t> unplaced_;
  std::set<order::Actor> blocked_waits_;                     // as was written
  std::unordered_map<std::uint64_t, std::uint64_t> issued_;  // times of what is deferred
  order::Actor first_ = 0;     // of the actors since the last restart
  order::VectorClock before_;  // all that was before it
  order::VectorClock reported_;     // what others may be ordered after
  order::VectorClock first_waits_;  // for others, of each actor
};

}  // namespace acl
