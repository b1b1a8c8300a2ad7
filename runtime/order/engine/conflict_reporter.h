// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <utility>

#include "runtime/order/engine/clocks.h"
#include "runtime/order/engine/engine_observer.h"
#include "runtime/order/engine/finding.h"
#include "runtime/order/engine/host_threads.h"
#include "runtime/order/engine/item_queues.h"
#include "runtime/order/engine/launches.h"
#include "runtime/order/engine/shadow.h"

namespace order {

/// Makes findings of conflicts in memory and of waits that add no order.
class ConflictReporter {
 public:
  using Report = std::function<void(Finding&&)>;
  ConflictReporter(Report report, EngineObserver* observer, const Clocks& clocks,
                   const HostThreads& hosts, const ItemQueues& queues)
      : report_(std::move(report)),
        observer_(observer),
        clocks_(clocks),
        hosts_(hosts),
        queues_(queues) {}

  /// The one of two unordered accesses that is taken in later. The program may have called for it
  /// first: its stream waited. The finding names the two in the order of the calls.
  /// `hosts_at_issue`: the clock of all hosts when the operation was issued; null: it is issued
  /// now.
  struct Later {
    Actor actor;
    const OpInfo& op_info;
    const Access& access;
    const VectorClock* hosts_at_issue;
    std::span<const Access> accesses_of_other{};  // all of them, as far as they are known
  };
  void report(const Later& later, const Shadow::Conflict& conflict);
  /// A finding about an access at `before` and one that the actor `later` makes now.
  void report(Finding&& finding, Epoch before, Actor later);
  Launches& launches() noexcept { return launches_; }
  Report take_report() { return std::exchange(report_, nullptr); }
  void redundant_wait(const OpInfo& wait, const OpInfo& record);

 private:
  void name_last_before(const Later& later, Release release, Finding& finding,
                        Access& of_other) const;
  bool some_host_covers(Epoch epoch, const VectorClock* hosts_at_issue) const;
  bool was_in_function(const Shadow::Touch& earlier) const;

  Report report_;
  EngineObserver* observer_;
  const Clocks& clocks_;
  const HostThreads& hosts_;
  const ItemQueues& queues_;
  Launches launches_;
};

}  // namespace order
