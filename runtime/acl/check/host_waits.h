// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/check/deadlocks.h"
#include "runtime/acl/check/group_reports.h"
#include "runtime/acl/check/hangs.h"
#include "runtime/acl/check/host_memory_in_use.h"
#include "runtime/acl/check/redundant_waits.h"
#include "runtime/acl/check/reporter.h"
#include "runtime/acl/check/sync_objects.h"
#include "runtime/acl/watch/listener.h"

namespace acl {

/// Host threads that wait for the device, or ask whether it is done.
class HostWaits {
 public:
  HostWaits(CheckLock& lock, Actors& actors, Reporter& reporter, SyncObjects& sync,
            HostMemoryInUse& host_memory, GroupReports& group, RedundantWaits& redundant_waits,
            Deadlocks& deadlocks, Hangs& hangs)
      : lock_(lock),
        actors_(actors),
        engine_(actors.engine()),
        reporter_(reporter),
        sync_(sync),
        host_memory_(host_memory),
        group_(group),
        redundant_waits_(redundant_waits),
        deadlocks_(deadlocks),
        hangs_(hangs) {}

  /// True: `ended` is to follow.
  bool begins(const watch::Wait& wait, watch::WaitState& state) EXCLUDES(check_lock);
  void ended(const watch::Wait& wait, const watch::WaitState& state, bool reached)
      EXCLUDES(check_lock);
  void stream_queried(Stream& stream, bool complete) EXCLUDES(check_lock);
  void event_queried(const watch::EventRecord& record, bool complete) EXCLUDES(check_lock);

 private:
  /// The state of a wait of a host thread, from its beginning on.
  struct Waiting {
    std::uint32_t issued = 0;
    order::Actor stream = 0;
    bool reported = false;   // a finding says that nothing ends the wait
    bool over = false;       // all that it waits for happens before the call: no clock to join
    bool asked = true;       // the program named this stream; else it is one of many
    bool announced = false;  // in the log of the process group
    bool blocked = false;    // among the blocked hosts
    bool watched = false;    // seen by the thread that watches host threads
  };
  /// True: the stream may be blocked for ever.
  [[gnu::always_inline]] bool begin_query(Stream& stream, bool asked, Waiting& waiting)
      EXCLUDES(check_lock);
  void begin(Stream& stream, bool asked, bool untimed, Waiting& waiting) EXCLUDES(check_lock);
  void begin(sim::Signal& signal, bool untimed, Waiting& waiting) EXCLUDES(check_lock);
  void begin_for_device(int device) EXCLUDES(check_lock);
  void end_for_device() EXCLUDES(check_lock);
  void join_clock_of(const Waiting& waiting) EXCLUDES(check_lock);
  order::VectorClock clock_of(order::Actor stream) EXCLUDES(check_lock);
  order::VectorClock clock_of(const sim::Signal& signal) EXCLUDES(check_lock);
  void synchronized(sim::Signal& signal) EXCLUDES(check_lock);
  void synchronized(sim::Word& word, std::uint64_t number) EXCLUDES(check_lock);

  CheckLock& lock_;
  Actors& actors_;
  order::Engine& engine_ GUARDED_BY(check_lock);
  Reporter& reporter_;
  SyncObjects& sync_;
  HostMemoryInUse& host_memory_;
  GroupReports& group_;
  RedundantWaits& redundant_waits_;
  Deadlocks& deadlocks_;
  Hangs& hangs_;
  /// Threads that wait for all streams of a device now: few.
  struct DeviceWait {
    int device = 0;
    order::OpInfo call;
  };
  std::vector<DeviceWait> device_waits_ GUARDED_BY(check_lock);
};

}  // namespace acl
