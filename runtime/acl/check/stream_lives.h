// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/check/failures.h"
#include "runtime/acl/check/group_reports.h"
#include "runtime/acl/check/host_memory_in_use.h"
#include "runtime/acl/check/reporter.h"
#include "runtime/acl/check/sync_objects.h"

namespace acl {

/// Streams that end or are aborted, with the functions in them that never ran, and the failures
/// that no call reported.
class StreamLives {
 public:
  StreamLives(Runtime& runtime, CheckLock& lock, Actors& actors, Reporter& reporter,
              SyncObjects& sync, HostMemoryInUse& host_memory, GroupReports& group,
              Failures& failures)
      : runtime_(runtime),
        lock_(lock),
        actors_(actors),
        engine_(actors.engine()),
        reporter_(reporter),
        sync_(sync),
        host_memory_(host_memory),
        group_(group),
        failures_(failures) {}

  void ended(Stream& stream, bool dropped) EXCLUDES(check_lock);
  void aborting(Stream& stream) EXCLUDES(check_lock);
  /// The program ends.
  void report_left_over() EXCLUDES(check_lock);
  /// Whether a function that the stream drops was to be served.
  bool was_expected(const sim::Stream& stream) const;

 private:
  bool drops_calls(const Stream& stream, bool blocking) const;
  void report_unserved(const order::OpInfo& callback) REQUIRES(check_lock);
  void report_unserved_of(const Stream& stream, bool dropped) REQUIRES(check_lock);

  Runtime& runtime_;
  CheckLock& lock_;
  Actors& actors_;
  order::Engine& engine_ GUARDED_BY(check_lock);
  Reporter& reporter_;
  SyncObjects& sync_;
  HostMemoryInUse& host_memory_;
  GroupReports& group_;
  Failures& failures_;
};

}  // namespace acl
