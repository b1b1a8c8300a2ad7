// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "runtime/acl/watch/listener.h"
#include "runtime/order/engine/engine.h"
#include "runtime/order/processes/process_group.h"

namespace acl {

/// Writes a log of the operations of this process on shared objects, for the check of all processes
/// together (order::check_across_processes). The log is lines of text. The log of a killed process
/// is complete up to the last flush. Not thread-safe; the checker's lock is held.
class ProcessGroupLog final : public order::EngineObserver {
 public:
  /// Sends the log to the mailbox, once something is shared.
  explicit ProcessGroupLog(std::string mailbox);

  void share(const watch::SharedRange& range);
  /// The owner takes the range back.
  void take_back(order::Epoch when, const order::VectorClock& known, const order::OpInfo& op_info,
                 std::uintptr_t begin, std::size_t size);
  void accessed(order::Epoch when, const order::VectorClock& known, const order::OpInfo& op_info,
                const order::Access& access) override;
  void advanced(order::Epoch when, const order::VectorClock& known) override;
  bool doubts(order::Epoch earlier, order::Epoch when, const order::VectorClock& known,
              const order::Finding& finding) override;
  /// The item is issued now, and taken in by the engine later.
  void deferred(order::Epoch when);
  void record(const order::SharedObject& object, std::uint64_t generation, order::Epoch when,
              const order::VectorClock& known, const order::OpInfo& op_info);
  /// `for_others`: the wait may be for a record of another process.
  void wait(const order::SharedObject& object, std::uint64_t generation, order::Epoch when,
            const order::OpInfo& op_info, bool for_others = true);
  /// The same for a wait that needs no task: operations that were issued before it may be logged
  /// later.
  void wait_elided(const order::SharedObject& object, std::uint64_t generation, order::Epoch when,
                   const order::OpInfo& op_info);
  /// A wait for a word of symmetric memory, and the changes that it has seen.
  struct WordWait {
    order::SharedObject word;
    std::size_t size = 0;
    std::vector<order::WordChange> changes{};
  };
  void chosen(const WordWait& wait, order::Epoch when, const order::VectorClock& known,
              const order::OpInfo& op_info);
  /// A wait for the object, or a record, was dropped.
  void dropped(const order::SharedObject& object, bool record, order::Epoch when,
               const order::OpInfo& op_info);
  /// A record was issued; call `record` when it has happened.
  void asked(const order::SharedObject& object, std::uint64_t generation, order::Epoch when,
             const order::OpInfo& op_info);
  /// A stream is blocked at a wait. A record of `object` ends it, or an item in `ended_by`.
  /// `object` null: only items of this process do.
  void blocked(order::Epoch when, const order::SharedObject* object, std::uint64_t generation,
               const order::VectorClock& ended_by, const order::OpInfo& op_info);
  /// A host thread begins to wait for `item`, whose actor is blocked.
  void host_waits(order::Epoch when, order::Epoch item, std::size_t host_threads,
                  const order::OpInfo& op_info);
  /// The actor, reported as blocked or waiting before, proceeds.
  void goes_on(order::Actor actor);
  /// True while nothing has been shared: no other process can be ordered after an item of this one.
  /// Callable from any thread, without the lock.
  bool silent() const noexcept { return !open_.load(std::memory_order_relaxed); }
  /// Returns and forgets the sites whose places are not in the log yet.
  std::vector<std::uint64_t> take_unplaced();
  void add_places(const std::map<std::uint64_t, order::Place>& places);
  /// From here on processes may be ordered in ways that are not reported. `known`: what is before
  /// that for sure.
  void lost_order(order::Epoch when, const order::VectorClock& known);
  /// The engine restarts and numbers its actors from the beginning; what follows is ordered after
  /// `all`.
  void restarts(const order::VectorClock& all);
  /// The sites of all nodes that were written.
  const std::set<std::uint64_t>& sites() const noexcept { return sites_; }
  /// Writes the places and the last line: the log is complete.
  void finish(const std::map<std::uint64_t, order::Place>& places);

 private:
  order::SharedNode node(order::SharedNode::Kind kind, order::Epoch when,
                         const order::OpInfo& op_info) const;
  order::VectorClock whole(const order::VectorClock& known) const;
  order::VectorClock shifted(const order::VectorClock& known) const;
  void write(const order::SharedNode& node);
  void write_line(const order::SharedNode& node);
  void write_elided(const order::SharedNode* before);
  void note_wait(order::Epoch when);
  std::uint64_t issue_of(order::Epoch when);
  void mention(std::uint64_t site);
  void flush();

  const std::string mailbox_;
  const std::uint64_t instance_;
  std::atomic<bool> open_{false};  // true once there was an item to log
  bool failed_ = false;            // the log ends where it could not be sent
  std::string buffer_;
  std::vector<watch::SharedRange> ranges_;
  std::set<std::uint64_t> sites_;
  std::vector<std::uint64_t> unplaced_;
  // Waits without a task that nothing in the log depends on yet.
  std::vector<order::SharedNode> elided_waits_;
  std::set<order::Actor> blocked_waits_;           // actors that are blocked or waiting in the log
  std::map<std::uint64_t, std::uint64_t> issued_;  // when deferred items were issued
  order::Actor first_ = 0;                         // the first actor since the last restart
  order::VectorClock before_;       // the clock of everything before the last restart
  order::VectorClock reported_;     // other processes may be ordered after this clock
  order::VectorClock first_waits_;  // the first wait `for_others` of each actor
};

}  // namespace acl
