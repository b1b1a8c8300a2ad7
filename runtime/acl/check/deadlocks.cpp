// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/deadlocks.h"

#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include "device_sim/base/error.h"
#include "device_sim/base/thread.h"
#include "device_sim/streams/signal.h"
#include "runtime/acl/base/log.h"
#include "runtime/acl/check/sync_objects.h"
#include "runtime/acl/check/wait_graph.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/findings/findings.h"
#include "runtime/acl/findings/reports.h"

namespace acl {
namespace {

using namespace std::chrono_literals;

constexpr auto kBetweenChecks = 100ms;
constexpr auto kUntilShown = 1s;  // a wait that takes longer is worth a line

pid_t number_of(const ThreadState& thread) { return static_cast<pid_t>(thread.thread_id); }

}  // namespace

std::optional<order::Finding> Deadlocks::waits_for_itself(const Stream& stream) {
  if (check_thread().serves_stream != stream.id() + 1) {
    report_blocking_call();
    return std::nullopt;
  }
  order::Finding finding(order::Rule::callback_blocks);
  finding.op_info = op_info_of_call();
  finding.text = fmt::format(
      "{{it}} waits for stream {} in a blocking callback of this stream, which cannot complete "
      "before the callback returns",
      stream.id());
  return finding;
}

// The thread is the one that serves the stream's callbacks.
std::optional<order::Finding> Deadlocks::waits_for_its_server(const Stream& stream) {
  std::optional<order::Finding> found;
  engine_.queues().any_unserved([&](const order::OpInfo& callback, bool is_blocked) {
    if (callback.stream != stream.id() || !is_blocked) return false;
    found.emplace(order::Rule::deadlock);
    found->op_info = op_info_of_call();
    found->other = callback;
    found->text = "{it} waits for {other}, which only the calling thread can run";
    found->repair =
        "wait in another thread than the one that runs the callback, or let another thread "
        "call aclrtProcessReport";
    return true;
  });
  return found;
}

void Deadlocks::report_blocking_call() {
  if (!check_thread().in_callback) return;
  order::Finding finding(order::Rule::blocking_call);
  finding.op_info = op_info_of_call();
  finding.text = "{it} blocks inside a callback; the thread serves no other callback meanwhile";
  reporter_.add(std::move(finding));
}

Deadlocks::Begun Deadlocks::begin(Stream& stream, std::optional<order::Actor> actor, bool untimed) {
  Begun begun;
  std::optional<order::Finding> found;
  const bool served_here = stream.served_by(static_cast<std::uint64_t>(pthread_self()));
  {
    const CheckLock::Entry guard(lock_);
    found = waits_for_itself(stream);
    if (!found && served_here) found = waits_for_its_server(stream);
    if (actor && engine_.is_blocked(*actor)) {
      add({.untimed = untimed, .stream = *actor, .reported = found.has_value()});
      begun.blocked = true;
    }
  }
  if (found) {
    begun.reported = report_now(std::move(*found));
  } else {
    begun.reported = begun.blocked && report_deadlocks(number_of(thread_state()));
  }
  return begun;
}

Deadlocks::Begun Deadlocks::begin(sim::Signal& signal, bool untimed) {
  {
    const CheckLock::Entry guard(lock_);
    report_blocking_call();
    const order::Node* const node = SyncObjects::node_of(signal);
    if (!node || node->resolved) return {};
    add({.what = BlockedHost::For::record,
         .untimed = untimed,
         .record = node,
         .keeps = signal.attached});
  }
  return {.reported = report_deadlocks(number_of(thread_state())), .blocked = true};
}

void Deadlocks::begin_callbacks() {
  const CheckLock::Entry guard(lock_);
  add({.what = BlockedHost::For::callbacks});
}

// ---- waits that another thread may still end ----

// A thread that waits for callbacks is blocked as long as no stream calls a function of it.
order::Engine::Stuck Deadlocks::stuck(const BlockedHost& host) const {
  switch (host.what) {
    case BlockedHost::For::stream:
      return engine_.deadlocks().stuck(host.stream);
    case BlockedHost::For::record:
      return engine_.deadlocks().stuck(*host.record);
    case BlockedHost::For::callbacks:
      break;
  }
  return {};
}

void Deadlocks::add(BlockedHost host) {
  const ThreadState& thread = thread_state();
  host.thread = number_of(thread);
  host.call = op_info_of_call();
  blocked_hosts_.add(std::move(host));
}

// A wait that was reached was not a deadlock: a thread that was not counted, because it had made no
// call before, has ended it.
void Deadlocks::ended(bool reached) {
  BlockedHost host;
  {
    const CheckLock::Entry guard(lock_);
    host = blocked_hosts_.remove(number_of(thread_state()));
    if (!host.reported || !reached) return;
    bool others = false;
    blocked_hosts_.visit([&](const BlockedHost& other) {
      others |= other.reported && other.call.site == host.call.site;
    });
    if (others) return;
  }
  withdraw(host.call);
}

void Deadlocks::withdraw(const order::OpInfo& call) {
  {
    const CheckLock::Entry guard(lock_);
    if (stuck_sites_.erase(call.site) == 0) return;
  }
  if (!findings_.withdraw_deadlock(call.site)) return;
  order::Finding line(order::Rule::deadlock);
  line.op_info = call;
  line.text = "{it} has ended as it should; the deadlock that was reported there is none";
  report_withdrawn(config_, line, findings_.all(), kernel_counts());
}

void Deadlocks::report(order::Finding finding, bool at_once) {
  {
    const CheckLock::Entry guard(lock_);
    if (stuck_sites_.contains(finding.op_info.site)) return;
    if (!at_once && finding.level >= config_.report_from) {
      stuck_sites_.insert(finding.op_info.site);
      reporter_.add(std::move(finding));
      return;
    }
  }
  report_now(std::move(finding));
}

// ---- waits that have reached their time limit ----

void Deadlocks::keep_expired(order::Finding finding) {
  const CheckLock::Entry guard(lock_);
  const std::uint64_t site = finding.op_info.site;
  if (stuck_sites_.contains(site)) return;
  finding.when = findings_.now();
  const auto [at, added] = expired_.try_emplace(site, std::move(finding));
  if (!added) ++at->second.times;
  some_expired_ = true;
}

void Deadlocks::forget_expired(const order::OpInfo& call) {
  if (!some_expired_.load(std::memory_order_relaxed)) return;
  const CheckLock::Entry guard(lock_);
  expired_.erase(call.site);
}

void Deadlocks::report_expired() {
  for (auto& [site, finding] : expired_) {
    const std::uint64_t times = finding.times;
    reporter_.add(std::move(finding), times);
  }
  expired_.clear();
}

// The threads that no operation enqueued so far lets go on: `self`, and threads that wait without a
// time limit.
Deadlocks::Stuck Deadlocks::stuck_hosts(pid_t self) {
  const CheckLock::Entry guard(lock_);
  Stuck found;
  found.departures = blocked_hosts_.departures();
  blocked_hosts_.visit([&](const BlockedHost& host) {
    check_lock.assert_held();

    const bool waits = host.untimed || host.thread == self;
    const bool serves = host.what == BlockedHost::For::callbacks;
    if (!waits || (!serves && stuck(host).waits.empty())) return;
    found.threads.push_back(host.thread);
    found.any = found.any || !serves;
  });
  std::sort(found.threads.begin(), found.threads.end());
  return found;
}

// The threads are in a deadlock only if no other thread is left that could enqueue an operation
// which ends it. If none of them has gone on since they were collected, none has started another
// thread. Returns true if a finding says that the call of `self` never returns, or only by its
// limit.
bool Deadlocks::report_deadlocks(pid_t self) {
  constexpr int kTries = 3;
  for (int i = 0; i < kTries; ++i) {
    const Stuck stuck = stuck_hosts(self);
    if (!stuck.any || (self != 0 && !std::ranges::binary_search(stuck.threads, self))) return false;
    if (!std::ranges::includes(stuck.threads, host_threads_.live())) {
      watch_blocked_hosts();
      return false;
    }
    if (auto findings = deadlocks(stuck)) {
      bool reported = false;
      for (auto& [thread, finding] : *findings) {
        reported |= report_now(std::move(finding)) && thread == self;
      }
      return reported;
    }
  }
  watch_blocked_hosts();
  return false;
}

// Returns nothing if a thread has gone on meanwhile.
std::optional<Deadlocks::Found> Deadlocks::deadlocks(const Stuck& of) {
  const CheckLock::Entry guard(lock_);
  if (blocked_hosts_.departures() != of.departures) return std::nullopt;
  Found findings;
  blocked_hosts_.visit([&](BlockedHost& host) {
    check_lock.assert_held();

    if (!std::ranges::binary_search(of.threads, host.thread)) return;
    if (host.what == BlockedHost::For::callbacks || std::exchange(host.reported, true)) return;
    if (auto finding = waits_for_stuck(host, stuck(host))) {
      findings.emplace_back(host.thread, std::move(*finding));
    }
  });
  return findings;
}

std::optional<order::Finding> Deadlocks::waits_for_stuck(const BlockedHost& host,
                                                         const order::Engine::Stuck& stuck) const {
  if (stuck.waits.empty()) return std::nullopt;
  order::Finding finding(order::Rule::deadlock);
  if (!stuck.cycle) finding.level = order::Level::warning;
  finding.op_info = host.call;
  finding.other = stuck.waits.front();
  finding.behind.assign(stuck.waits.begin() + 1, stuck.waits.end());
  if (stuck.cycle) {
    finding.text = host.untimed ? "{it} never returns; these waits form a cycle: {waits}"
                                : "{it} can only time out; these waits form a cycle: {waits}";
  } else {
    finding.text = host.untimed
                       ? "{it} may never return; no operation enqueued so far satisfies {waits}"
                       : "{it} can only time out; no operation enqueued so far satisfies {waits}";
  }
  if (!stuck.cycle) finding.repair = repair_of_wait(stuck.waits.back().what);
  return finding;
}

// The finding is reported at once, since the call may never return, or only by its limit. Returns
// false if the finding is below the reported level, or expected.
bool Deadlocks::report_now(order::Finding finding) {
  if (finding.level < config_.report_from) return false;
  {
    const CheckLock::Entry guard(lock_);
    redundant_waits_.report_counted();
    if (!stuck_sites_.insert(finding.op_info.site).second) {
      findings_.again(finding);
      return true;
    }
  }
  const std::size_t before = findings_.count(order::Level::note);
  findings_.add(order::Finding(finding));
  if (findings_.count(order::Level::note) == before) return false;
  report_at_once(config_, finding, findings_.all(), kernel_counts());
  return true;
}

// The checker sees the operations that the program enqueues. It does not see that a thread ends, or
// blocks outside of ACL, so a thread of its own looks for that from time to time.
void Deadlocks::watch_blocked_hosts() {
  some_blocked_ = true;
  watch_hosts();
}

void Deadlocks::start_watching() {
  if (watched_.exchange(true)) return;
  try {
    sim::start_thread(sim::Signals::blocked, [this] { watch_now_and_then(); }).detach();
  } catch (const sim::MachineError&) {
    // The system refuses a thread: then such deadlocks are not found.
  }
}

void Deadlocks::watch_now_and_then() {
  for (;;) {
    std::this_thread::sleep_for(kBetweenChecks);
    if (some_blocked_.exchange(false)) {  // until a blocked thread is found
      report_deadlocks(0);
      show_progress();
    }
    if (look_) look_();
  }
}

// Each place is shown once: a program whose host threads write values waits there again and again.
void Deadlocks::show_progress() {
  std::vector<order::Finding> lines;
  {
    const CheckLock::Entry guard(lock_);
    if (program_ended_ || config_.quiet) return;
    const auto now = std::chrono::steady_clock::now();
    blocked_hosts_.visit([&](BlockedHost& host) {
      check_lock.assert_held();

      if (host.reported || host.shown || now - host.since < kUntilShown) return;
      host.shown = true;
      const order::Engine::Stuck found = stuck(host);
      auto line = waits_for_stuck(host, found);
      if (!line || !shown_sites_.insert(host.call.site).second) return;
      line->text = "{it} waits; no operation enqueued so far satisfies {waits}";
      if (found.address != 0) {
        line->text +=
            fmt::format(", which tests the value at {:#x}, now {}", found.address, found.value);
      }
      line->text += "; another host thread still may";
      lines.push_back(std::move(*line));
    });
  }
  for (const order::Finding& line : lines) notice("check: " + in_one_line(line));
}

order::KernelCounts Deadlocks::kernel_counts() {
  const CheckLock::Entry guard(lock_);
  return kernels_.counts();
}

void Deadlocks::clear() {
  blocked_hosts_.clear();
  stuck_sites_.clear();
  shown_sites_.clear();
  expired_.clear();
  program_ended_ = false;
}

}  // namespace acl
