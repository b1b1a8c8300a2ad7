// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/check_config.h"
#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/check/deadlocks.h"
#include "runtime/acl/check/graph_ops.h"
#include "runtime/acl/check/host_wait_slots.h"
#include "runtime/acl/check/kernel_census.h"
#include "runtime/acl/check/unknown_writers.h"
#include "runtime/acl/check/wait_graph.h"
#include "runtime/acl/core/machine_rest.h"
#include "runtime/acl/watch/host_threads.h"
#include "runtime/order/report/report.h"

namespace acl {

/// A program that does not go on. A thread of the emulator looks from time to time at the host
/// threads that wait and at the machine.
///
/// The hang is proven if two looks find the same: each host thread waits in a call without a time
/// limit, or sleeps until another thread of the process wakes it; no thread of the process runs; no
/// stream moves, and no other process can end a wait. Then it is reported, and the process ends
/// with status 3. Otherwise a list says what each thread waits for.
class Hangs {
 public:
  Hangs(Runtime& runtime, const CheckConfig& config, CheckLock& lock, Actors& actors,
        Deadlocks& deadlocks, const GraphOps& graph_ops, const KernelCensus& kernels,
        const UnknownWriters& unknown_writers, const watch::HostThreads& host_threads);

  /// The calling thread begins a wait, which `wait_ended` ends.
  void wait_begins(const watch::Wait& wait);
  /// `reached`: the object of the wait is complete.
  void wait_ended(const watch::Wait& wait, bool reached) EXCLUDES(check_lock);
  /// The call of the thread fails with this code: a wait that has reached its limit is a finding.
  void call_failed(std::int32_t code) EXCLUDES(check_lock);
  /// The program ends: nothing is written any more about threads that still wait.
  void program_ends() noexcept { ended_ = true; }
  /// The process is about to end although threads wait.
  void ends_in_hang() EXCLUDES(check_lock);
  /// The waits of the threads, in words, when the process ends in a hang; else empty.
  std::vector<std::string> lines() const;
  /// True while the process ends because it hangs.
  bool ended_in_hang() const noexcept { return ended_in_hang_.load(); }

 private:
  using Clock = std::chrono::steady_clock;
  struct Since {
    std::uint64_t serial = 0;  // of the wait
    Clock::time_point begin;
  };
  /// The result of a look that found nothing that moves.
  struct Rest {
    std::uint64_t progress = 0, events = 0;
    std::vector<pid_t> threads;
  };

  void look();
  void note_ages(const HostWaitSlot::State& hosts);
  Clock::duration age(const HostWaitView& wait) const;
  std::optional<Rest> rest(const HostWaitSlot::State& hosts, const MachineRest& machine)
      EXCLUDES(check_lock);
  bool only_hosts_end(const std::vector<HostWaitView>& hosts, const MachineRest& machine)
      EXCLUDES(check_lock);
  std::vector<order::Finding> findings(const HostWaitSlot::State& hosts, const MachineRest& machine)
      EXCLUDES(check_lock);
  order::Finding line_of(const HostWaitView& wait, const std::vector<HostWaitView>& hosts,
                         const MachineRest& machine) REQUIRES(check_lock);
  std::vector<std::string> lines_of(const HostWaitSlot::State& hosts, const MachineRest& machine)
      EXCLUDES(check_lock, lines_mutex_);
  order::Place place_of(std::uint64_t site) REQUIRES(lines_mutex_);
  void report(const HostWaitSlot::State& hosts, const MachineRest& machine) EXCLUDES(check_lock);
  void show(const HostWaitSlot::State& hosts, const MachineRest& machine) EXCLUDES(check_lock);
  void send(const std::vector<std::string>& lines) const;
  [[noreturn]] void end_process();

  Runtime& runtime_;
  const CheckConfig& config_;
  CheckLock& lock_;
  Actors& actors_;
  Deadlocks& deadlocks_;
  const GraphOps& graph_ops_;
  const KernelCensus& kernels_;
  const UnknownWriters& unknown_writers_;
  const watch::HostThreads& host_threads_;
  std::atomic<bool> ended_{false};
  std::atomic<bool> ended_in_hang_{false};
  std::atomic<bool> reported_{false};  // waits were reported that are expected to hang
  mutable sim::Mutex lines_mutex_;
  std::vector<std::string> last_lines_ GUARDED_BY(lines_mutex_);
  std::map<std::uint64_t, order::Place> places_ GUARDED_BY(lines_mutex_);  // by site
  // Of the watching thread.
  std::map<pid_t, Since> since_;
  std::optional<Rest> rest_;
  std::pair<std::uint64_t, std::uint64_t> listed_{};  // events and progress at the last list
  std::vector<std::string> sent_;
  std::set<std::vector<std::uint64_t>> shown_;  // the sites of each list that was shown
};

}  // namespace acl
