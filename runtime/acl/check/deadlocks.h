// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/acl/base/check_config.h"
#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/blocked_hosts.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/check/kernel_census.h"
#include "runtime/acl/check/redundant_waits.h"
#include "runtime/acl/check/reporter.h"
#include "runtime/acl/watch/host_threads.h"

namespace acl {

/// Host threads whose wait never ends: in a callback that is to run first, or because no thread is
/// left that could enqueue what ends it.
class Deadlocks {
 public:
  Deadlocks(const CheckConfig& config, CheckLock& lock, Actors& actors, Reporter& reporter,
            Findings& findings, KernelCensus& kernels, RedundantWaits& redundant_waits,
            const watch::HostThreads& host_threads)
      : config_(config),
        lock_(lock),
        engine_(actors.engine()),
        reporter_(reporter),
        findings_(findings),
        kernels_(kernels),
        redundant_waits_(redundant_waits),
        host_threads_(host_threads) {}

  struct Begun {
    bool reported = false;  // a finding says that nothing ends the wait
    bool blocked = false;   // call `ended` when the wait has ended
  };
  /// The calling thread begins to wait for the stream. `actor`: of the stream; nullopt: the thread
  /// is ordered after all of the stream already.
  Begun begin(Stream& stream, std::optional<order::Actor> actor, bool untimed) EXCLUDES(check_lock);
  /// The same for a record.
  Begun begin(sim::Signal& signal, bool untimed) EXCLUDES(check_lock);
  /// The same for callbacks, without a time limit.
  void begin_callbacks() EXCLUDES(check_lock);
  /// `reached`: what the thread waited for is complete.
  void ended(bool reached) EXCLUDES(check_lock);
  /// `look` is called by the thread that watches host threads, about ten times a second.
  void set_look(std::function<void()> look) { look_ = std::move(look); }
  /// Some host thread waits: from here on the watching thread exists.
  void watch_hosts() {
    if (!watched_.load(std::memory_order_relaxed)) [[unlikely]]
      start_watching();
  }
  /// A deadlock that is proven, for each place once. `at_once`: before the report of the process.
  void report(order::Finding finding, bool at_once) EXCLUDES(check_lock);
  /// The call has come to its end: takes back a deadlock that was reported for it.
  void withdraw(const order::OpInfo& call) EXCLUDES(check_lock);
  /// A wait has reached its time limit: a finding, unless the same call succeeds later (the program
  /// tries again), or was reported as a deadlock.
  void keep_expired(order::Finding finding) EXCLUDES(check_lock);
  void forget_expired(const order::OpInfo& call) EXCLUDES(check_lock);
  /// Reports the kept ones.
  void report_expired() REQUIRES(check_lock);
  /// The program ends: no line of progress is written any more.
  void program_ends() REQUIRES(check_lock) { program_ended_ = true; }
  void clear() REQUIRES(check_lock);

 private:
  struct Stuck {
    std::vector<pid_t> threads;  // in ascending order
    bool any = false;            // one of them waits for the device
    std::uint64_t departures = 0;
  };
  using Found = std::vector<std::pair<pid_t, order::Finding>>;  // of which thread

  std::optional<order::Finding> waits_for_itself(const Stream& stream) REQUIRES(check_lock);
  std::optional<order::Finding> waits_for_its_server(const Stream& stream) REQUIRES(check_lock);
  std::optional<order::Finding> waits_for_stuck(const BlockedHost& host,
                                                const order::Engine::Stuck& stuck) const;
  void report_blocking_call() REQUIRES(check_lock);
  order::Engine::Stuck stuck(const BlockedHost& host) const REQUIRES(check_lock);
  void add(BlockedHost host) REQUIRES(check_lock);
  Stuck stuck_hosts(pid_t self) EXCLUDES(check_lock);
  bool report_deadlocks(pid_t self) EXCLUDES(check_lock);
  std::optional<Found> deadlocks(const Stuck& of) EXCLUDES(check_lock);
  bool report_now(order::Finding finding) EXCLUDES(check_lock);
  void watch_blocked_hosts();
  void start_watching();
  [[noreturn]] void watch_now_and_then();
  void show_progress() EXCLUDES(check_lock);
  order::KernelCounts kernel_counts() EXCLUDES(check_lock);

  const CheckConfig& config_;
  CheckLock& lock_;
  order::Engine& engine_ GUARDED_BY(check_lock);
  Reporter& reporter_;
  Findings& findings_;
  KernelCensus& kernels_ GUARDED_BY(check_lock);
  RedundantWaits& redundant_waits_;
  const watch::HostThreads& host_threads_;
  BlockedHosts blocked_hosts_ GUARDED_BY(check_lock);
  // Sites of reported deadlocks, and of waits that a line of progress was about.
  std::unordered_set<std::uint64_t> stuck_sites_ GUARDED_BY(check_lock);
  std::unordered_set<std::uint64_t> shown_sites_ GUARDED_BY(check_lock);
  std::map<std::uint64_t, order::Finding> expired_ GUARDED_BY(check_lock);  // by site
  std::atomic<bool> some_expired_{false};
  bool program_ended_ GUARDED_BY(check_lock) = false;
  std::function<void()> look_;
  std::atomic<bool> watched_{false};       // a thread watches blocked hosts
  std::atomic<bool> some_blocked_{false};  // that thread may find something
};

}  // namespace acl
