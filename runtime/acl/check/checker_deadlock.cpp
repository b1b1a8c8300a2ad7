// SPDX-License-Identifier: Apache-2.0
// Host threads whose wait never ends.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include "device_sim/base/error.h"
#include "device_sim/base/mutex.h"
#include "device_sim/base/thread.h"
#include "runtime/acl/base/log.h"
#include "runtime/acl/check/checker.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/findings/reports.h"

namespace acl {
namespace {

using namespace std::chrono_literals;

constexpr auto kBetweenLooks = 100ms;
constexpr auto kUntilShown = 1s;  // a wait that takes longer is worth a line

pid_t number_of(const ThreadState& thread) { return static_cast<pid_t>(thread.thread_id); }

}  // namespace

// ---- what no other thread changes ----

std::optional<order::Finding> Checker::waits_for_itself(const Stream& stream) {
  if (check_thread().serves_stream != stream.id() + 1) {
    tell_blocking_call();
    return std::nullopt;
  }
  order::Finding finding(order::Rule::callback_blocks);
  finding.op_info = op_info(nullptr);
  finding.text = fmt::format(
      "{{it}} waits for stream {} in a blocking callback of this stream, which cannot complete "
      "before the callback returns",
      stream.id());
  return finding;
}

// The thread is the one that serves the stream's callbacks.
std::optional<order::Finding> Checker::waits_for_its_server(const Stream& stream) {
  std::optional<order::Finding> found;
  engine_.any_unserved([&](const order::OpInfo& callback, bool is_blocked) {
    if (callback.stream != stream.id() || !is_blocked) return false;
    found.emplace(order::Rule::deadlock);
    found->op_info = op_info(nullptr);
    found->other = callback;
    found->text = "{it} waits for {other}, which only the calling thread can run";
    found->repair =
        "wait in another thread than the one that runs the callback, or let another thread "
        "call aclrtProcessReport";
    return true;
  });
  return found;
}

// ---- what another thread may still end ----

// Those who wait for nothing of the device are blocked as long as no stream calls them.
order::Engine::Stuck Checker::stuck(const BlockedHost& host) const {
  switch (host.what) {
    case BlockedHost::For::stream:
      return engine_.stuck(host.stream);
    case BlockedHost::For::record:
      return engine_.stuck(*host.record);
    case BlockedHost::For::callbacks:
      break;
  }
  return {};
}

void Checker::blocked(BlockedHost host) {
  const ThreadState& thread = thread_state();
  host.thread = number_of(thread);
  host.call = op_info(nullptr);
  blocked_hosts_.add(std::move(host));
}

// A wait that has reached what it waits for was no deadlock: a thread that was not counted, because
// it had made no call before, has ended it.
void Checker::no_longer_blocked(bool reached) {
  BlockedHost host;
  {
    const Entry guard(*this);
    host = blocked_hosts_.remove(number_of(thread_state()));
    if (!host.reported || !reached) return;
    bool others = false;
    blocked_hosts_.visit([&](const BlockedHost& other) {
      others |= other.reported && other.call.site == host.call.site;
    });
    if (others) return;
    stuck_sites_.erase(host.call.site);
  }
  if (!findings_.withdraw_deadlock(host.call.site)) return;
  order::Finding line(order::Rule::deadlock);
  line.op_info = host.call;
  line.text = "{it} has ended as it should; the deadlock that was reported there is none";
  told_too_early(config_, line, findings_.all(), kernels_.counts());
}

bool Checker::tell_if_for_ever(Stream& stream, bool untimed, Waiting& waiting) {
  std::optional<order::Finding> found;
  const bool served_here = stream.served_by(static_cast<std::uint64_t>(pthread_self()));
  {
    const Entry guard(*this);
    found = waits_for_itself(stream);
    if (!found && served_here) found = waits_for_its_server(stream);
    if (!waiting.over && engine_.is_blocked(waiting.stream)) {
      blocked({.untimed = untimed, .stream = waiting.stream, .reported = found.has_value()});
      waiting.blocked = true;
    }
  }
  if (found) return tell_now(std::move(*found));
  return waiting.blocked && tell_deadlocks(number_of(thread_state()));
}

// The threads that nothing frees which was enqueued so far: `self`, and those without a time limit.
Checker::Stuck Checker::stuck_hosts(pid_t self) {
  const Entry guard(*this);
  Stuck found;
  found.departures = blocked_hosts_.departures();
  blocked_hosts_.visit([&](const BlockedHost& host) {
    const bool waits = host.untimed || host.thread == self;
    const bool serves = host.what == BlockedHost::For::callbacks;
    if (!waits || (!serves && stuck(host).waits.empty())) return;
    found.threads.push_back(host.thread);
    found.any = found.any || !serves;
  });
  std::sort(found.threads.begin(), found.threads.end());
  return found;
}

// A deadlock only when no thread is left that could still enqueue what ends it. None of them has
// gone on while the threads were looked for, so none has started another one. True: a finding says
// that the call of `self` never returns, or only by its limit.
bool Checker::tell_deadlocks(pid_t self) {
  constexpr int kTries = 3;
  for (int i = 0; i < kTries; ++i) {
    const Stuck stuck = stuck_hosts(self);
    if (!stuck.any || (self != 0 && !std::ranges::binary_search(stuck.threads, self))) return false;
    if (!std::ranges::includes(stuck.threads, host_threads_.live())) {
      look_at_blocked_hosts();
      return false;
    }
    if (auto findings = deadlocks(stuck)) {
      bool told = false;
      for (auto& [thread, finding] : *findings) {
        told |= tell_now(std::move(finding)) && thread == self;
      }
      return told;
    }
  }
  look_at_blocked_hosts();
  return false;
}

// Nothing when a thread has gone on meanwhile.
std::optional<Checker::Deadlocks> Checker::deadlocks(const Stuck& of) {
  const Entry guard(*this);
  if (blocked_hosts_.departures() != of.departures) return std::nullopt;
  Deadlocks findings;
  blocked_hosts_.visit([&](BlockedHost& host) {
    if (!std::ranges::binary_search(of.threads, host.thread)) return;
    if (host.what == BlockedHost::For::callbacks || std::exchange(host.reported, true)) return;
    if (auto finding = waits_for_stuck(host, stuck(host))) {
      findings.emplace_back(host.thread, std::move(*finding));
    }
  });
  return findings;
}

namespace {

// What would have ended the wait that all others hang on.
std::string_view repair_of(std::string_view wait) {
  const auto names = [wait](std::string_view word) { return wait.find(word) != wait.npos; };
  if (names("NOTIFY") || names("notify")) {
    return "record the notify (aclrtRecordNotify, aclrtCntNotifyRecord) once for this wait, on a "
           "stream that is not ordered after it";
  }
  if (names("VALUE")) {
    return "write the value that the wait tests for (aclrtValueWrite), from a stream that is not "
           "ordered after it, or from the host before the call";
  }
  if (names("callback") || names("function")) {
    return "call aclrtProcessReport (aclrtProcessHostFunc) in the subscribed thread until all have "
           "run";
  }
  return "record the event that the wait is for, on a stream that is not ordered after it, before "
         "the call";
}

}  // namespace

std::optional<order::Finding> Checker::waits_for_stuck(const BlockedHost& host,
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
  if (!stuck.cycle) finding.repair = repair_of(stuck.waits.back().what);
  return finding;
}

// The call may never return, or only by its limit, and nobody else would report it. False: the
// finding is below the reported level, or expected.
bool Checker::tell_now(order::Finding finding) {
  if (finding.level < config_.report_from) return false;
  {
    const Entry guard(*this);
    tell_repeated();
    if (!stuck_sites_.insert(finding.op_info.site).second) {
      findings_.again(finding);
      return true;
    }
  }
  const std::size_t before = findings_.count(order::Level::note);
  findings_.add(order::Finding(finding));
  if (findings_.count(order::Level::note) == before) return false;
  tell_at_once(config_, finding, findings_.all(), kernels_.counts());
  return true;
}

// ---- while other threads could still end it ----

// What the program enqueues is seen, but not that a thread ends, or blocks outside of ACL.
void Checker::look_at_blocked_hosts() {
  {
    const sim::LockGuard guard(looking_mutex_);
    some_blocked_ = true;
    if (std::exchange(looks_, true)) return looking_.notify_one();
  }
  try {
    sim::start_thread(sim::Signals::blocked, [this] { look_now_and_then(); }).detach();
  } catch (const sim::MachineError&) {
    // No thread to be had: then nobody looks.
  }
}

void Checker::look_now_and_then() {
  for (;;) {
    {
      sim::UniqueLock guard(looking_mutex_);
      looking_.wait(guard, [this] { return some_blocked_; });
      looking_.wait_for(guard, kBetweenLooks, [] { return false; });
      some_blocked_ = false;  // until somebody is found
    }
    tell_deadlocks(0);
    show_progress();
  }
}

// Each place once: a program that lets host threads write values does so again and again.
void Checker::show_progress() {
  std::vector<order::Finding> lines;
  {
    const Entry guard(*this);
    if (ended_ || config_.quiet) return;
    const auto now = std::chrono::steady_clock::now();
    blocked_hosts_.visit([&](BlockedHost& host) {
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

}  // namespace acl
