// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/check/sync_objects.h"
#include "runtime/acl/watch/listener.h"

namespace acl {

class Findings;
class GroupReports;

/// The lives of events: records, waits that need no task, and waits before the first record.
class Events {
 public:
  Events(CheckLock& lock, Actors& actors, Reporter& reporter, SyncObjects& sync,
         GroupReports& group, Findings& findings)
      : lock_(lock),
        actors_(actors),
        engine_(actors.engine()),
        reporter_(reporter),
        sync_(sync),
        group_(group),
        findings_(findings) {}

  void created(const Event& event) EXCLUDES(check_lock);
  void destroyed(const Event& event) EXCLUDES(check_lock);
  void destroyed_in_use(std::uint32_t waits, std::uint32_t threads) EXCLUDES(check_lock);
  void recorded(const Event& event, sim::Signal& signal, sim::Signal* before, bool queried)
      EXCLUDES(check_lock);
  void wait_elided(Stream& stream, const watch::EventRecord& record, watch::Elided why)
      EXCLUDES(check_lock);
  /// The waits come before their record, as those for a flag may.
  void next_awaited(const Event& event, sim::Signal& signal) EXCLUDES(check_lock);
  void synchronized_with_nothing(const Event& event) EXCLUDES(check_lock);
  /// Reports the waits for events that were not recorded so far.
  void report_early_waits() REQUIRES(check_lock);
  void clear() REQUIRES(check_lock) { waited_early_.clear(); }

 private:
  /// Waits of one place before the first record of an event.
  struct EarlyWait {
    order::OpInfo op_info;  // the first of them
    std::uint64_t when = 0;
    std::uint64_t times = 1;
    bool reported = false;
  };
  using EarlyWaits = std::vector<EarlyWait>;
  /// A wait for a record of an event of several processes, which was complete.
  void waited(Stream& stream, sim::Word& word, std::uint64_t number) EXCLUDES(check_lock);
  void waited_for_nothing(const Event& event, Stream& stream) EXCLUDES(check_lock);
  /// The event was never recorded, so the call fails.
  void wait_refused(const Event& event, Stream& stream) EXCLUDES(check_lock);
  /// True if the event is recorded inside of a capture. `outcome`: of the call that waits.
  bool report_captured_record(const Event& event, const order::OpInfo& wait, const char* outcome)
      REQUIRES(check_lock);
  void keep_early_wait(const Event& event, const order::OpInfo& what) REQUIRES(check_lock);
  /// The event is recorded now: the waits may belong to the first round of a loop.
  /// `record`: null if it is not known.
  void report_recorded_later(const Event& event, const order::OpInfo* record) REQUIRES(check_lock);
  void report_never_recorded(EarlyWaits& waits) REQUIRES(check_lock);
  void report_moved_event(const order::Node& from, const order::Node& to) REQUIRES(check_lock);

  CheckLock& lock_;
  Actors& actors_;
  order::Engine& engine_ GUARDED_BY(check_lock);
  Reporter& reporter_;
  SyncObjects& sync_;
  GroupReports& group_;
  Findings& findings_;
  std::unordered_map<const Event*, EarlyWaits> waited_early_ GUARDED_BY(check_lock);
  std::atomic<bool> some_waited_early_{false};  // some were ever: few programs do so
};

}  // namespace acl
