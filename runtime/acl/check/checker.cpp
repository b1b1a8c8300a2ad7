// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/checker.h"

#include <atomic>
#include <cstdlib>
#include <utility>

#include "device_sim/sharing/lost_output.h"
#include "device_sim/sharing/mailbox.h"
#include "runtime/acl/check/crash_watch.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/watch/loss.h"
#include "runtime/acl/watch/places.h"
#include "runtime/acl/watch/registry.h"

namespace acl {
namespace {

std::atomic<Checker*> the_checker{nullptr};

}  // namespace

Checker::Checker(Runtime& runtime, const CheckConfig& config)
    : config_(config),
      findings_(config_.group_mailbox, config_.report_from),
      group_log_(config_.group_mailbox.empty()
                     ? nullptr
                     : std::make_unique<ProcessGroupLog>(config_.group_mailbox)),
      lock_(callbacks_),
      unknown_writers_(runtime.memory()),
      failed_ops_(runtime),
      reporter_(runtime, config_, findings_, unknown_writers_, failed_ops_),
      actors_([this](order::Finding&& found)
                  REQUIRES(check_lock) { reporter_.add(std::move(found)); },
              [this]() REQUIRES(check_lock) { return callbacks_.begun(); }, group_log_.get()),
      host_memory_(runtime, config_, lock_, actors_, reporter_),
      sync_(runtime.memory(), lock_, actors_, reporter_, unknown_writers_),
      group_(runtime, lock_, actors_, unknown_writers_, host_threads_, group_log_.get()),
      graph_ops_(runtime),
      memory_lives_(runtime, lock_, actors_, reporter_, unknown_writers_, host_memory_),
      stream_accesses_(actors_, reporter_, group_, memory_lives_, host_memory_),
      read_checks_(runtime, actors_, reporter_, unknown_writers_),
      rank_operations_(runtime, lock_, actors_, graph_ops_, group_, stream_accesses_),
      call_races_(runtime, lock_, reporter_, host_threads_),
      submissions_(runtime, lock_, actors_, reporter_, kernels_, graph_ops_, sync_,
                   unknown_writers_, host_memory_, group_, memory_lives_, stream_accesses_,
                   read_checks_, rank_operations_),
      graph_runs_(runtime, lock_, actors_, reporter_, kernels_, graph_ops_, sync_, unknown_writers_,
                  host_memory_, group_, rank_operations_),
      events_(lock_, actors_, reporter_, sync_, group_, findings_),
      redundant_waits_(reporter_),
      deadlocks_(config_, lock_, actors_, reporter_, findings_, kernels_, redundant_waits_,
                 host_threads_),
      hangs_(runtime, config_, lock_, actors_, deadlocks_, graph_ops_, kernels_, unknown_writers_,
             host_threads_),
      host_waits_(lock_, actors_, reporter_, sync_, host_memory_, group_, redundant_waits_,
                  deadlocks_, hangs_),
      host_accesses_(runtime, lock_, actors_, unknown_writers_, host_memory_, group_, memory_lives_,
                     read_checks_),
      failures_(runtime, config_, lock_, actors_, reporter_, findings_, kernels_, graph_ops_,
                failed_ops_),
      kernel_findings_(runtime, lock_, actors_, reporter_, kernels_, graph_ops_),
      stream_lives_(runtime, lock_, actors_, reporter_, sync_, host_memory_, group_, failures_),
      callbacks_(lock_, actors_, graph_ops_, graph_runs_, host_memory_),
      task_ends_(runtime, lock_, actors_, reporter_, kernels_, graph_ops_, unknown_writers_,
                 host_memory_, group_, read_checks_, rank_operations_, graph_runs_, stream_lives_),
      process_reports_(runtime, config_, lock_, actors_, reporter_, findings_, kernels_,
                       redundant_waits_, events_, deadlocks_, hangs_, failures_) {
  the_checker.store(this, std::memory_order_release);
  watch_crashes([this](const Crash& crash) { process_reports_.crashed(crash); });
  if (const char* const rank = std::getenv(sim::kRunRank)) sim::tell_run(sim::kRankMail, rank);
  Places::show_frames(config_.stack);
  if (config_.stack > 1) watch::tell_call_begins();
  if (!config_.group_mailbox.empty()) {
    sim::send_mail(config_.group_mailbox, static_cast<std::uint32_t>(order::GroupMail::began), 0,
                   {});
  }
}

Checker::~Checker() = default;

Checker* checker() noexcept { return the_checker.load(std::memory_order_acquire); }

// In a forked child no listener is left.
CheckThread::~CheckThread() {
  if (generation != 0 && watch::listener()) checker()->thread_ends();
}

void Checker::thread_ends() {
  const CheckLock::Entry guard(lock_);
  actors_.host_ends();
}

void Checker::misused(watch::Misuse misuse, const std::string& text) {
  reporter_.report(rule_of(misuse), text);
}

void Checker::freeing(const void* begin, std::size_t size, watch::Freed what) {
  const bool host = what == watch::Freed::pinned_host || what == watch::Freed::registered_host;
  memory_lives_.reused(begin, size, host);
}

void Checker::peer_access_ending(int device, int peer) {
  const CheckLock::Entry guard(lock_);
  stream_accesses_.peer_access_ending(device, peer);
}

void Checker::process_ends() {
  host_memory_.unbar_all();
  hangs_.program_ends();
  if (!hangs_.ended_in_hang()) {  // else these follow from the hang
    process_reports_.report_alive("the end of the program");
    stream_lives_.report_left_over();
  }
  group_.finish();
  process_reports_.write();
}

void Checker::restarting() {
  const CheckLock::Entry guard(lock_);
  callbacks_.restart();
  process_reports_.clear();
  kernels_.clear();
  failures_.clear();
  group_.restarts();
  actors_.restart();
  sync_.clear();
  graph_runs_.clear();
  events_.clear();
  host_accesses_.clear();
  unknown_writers_.clear();
  host_memory_.clear();
  memory_lives_.clear();
  stream_accesses_.clear();
  deadlocks_.clear();
  redundant_waits_.clear();
  findings_.clear();
}

}  // namespace acl
