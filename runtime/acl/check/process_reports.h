// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "runtime/acl/base/check_config.h"
#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/check/kernel_census.h"
#include "runtime/acl/check/reporter.h"
#include "runtime/acl/findings/findings.h"

namespace sim {
struct KernelRun;
}

namespace acl {

class Deadlocks;
class Events;
class Failures;
class Hangs;
class RedundantWaits;
struct Crash;

/// The reports of the process: when the program asks for findings, when it ends, and when a signal
/// ends it.
class ProcessReports {
 public:
  ProcessReports(Runtime& runtime, const CheckConfig& config, CheckLock& lock, Actors& actors,
                 Reporter& reporter, Findings& findings, KernelCensus& kernels,
                 RedundantWaits& redundant_waits, Events& events, Deadlocks& deadlocks,
                 const Hangs& hangs, Failures& failures)
      : runtime_(runtime),
        config_(config),
        lock_(lock),
        engine_(actors.engine()),
        reporter_(reporter),
        findings_(findings),
        kernels_(kernels),
        redundant_waits_(redundant_waits),
        events_(events),
        deadlocks_(deadlocks),
        hangs_(hangs),
        failures_(failures) {}

  /// The findings, together with the findings that were only counted so far.
  Findings& findings() EXCLUDES(check_lock);
  /// Reports pending work and unreleased resources, once. `what`: the name of the place; null: in
  /// the call that the thread is in.
  void report_alive(const char* what) EXCLUDES(check_lock);
  /// Writes the reports.
  void write() EXCLUDES(check_lock);
  /// A signal is about to end the process: writes the reports with the findings so far. The thread
  /// that got the signal waits and may hold the lock, so the engine is read without it.
  void crashed(const Crash& crash);
  void clear() REQUIRES(check_lock) { ended_ = false; }

 private:
  void describe_kernel(const sim::KernelRun& run, std::uint32_t block, order::Finding& finding);

  Runtime& runtime_;
  const CheckConfig& config_;
  CheckLock& lock_;
  order::Engine& engine_ GUARDED_BY(check_lock);
  Reporter& reporter_;
  Findings& findings_;
  KernelCensus& kernels_ GUARDED_BY(check_lock);
  RedundantWaits& redundant_waits_;
  Events& events_;
  Deadlocks& deadlocks_;
  const Hangs& hangs_;
  Failures& failures_;
  bool ended_ GUARDED_BY(check_lock) = false;  // objects that are still alive have been reported
};

}  // namespace acl
