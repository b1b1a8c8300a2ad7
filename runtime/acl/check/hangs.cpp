// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/hangs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "device_sim/base/mutex.h"
#include "device_sim/sharing/mailbox.h"
#include "runtime/acl/base/log.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/findings/reports.h"
#include "runtime/acl/watch/listener.h"
#include "runtime/acl/watch/places.h"
#include "runtime/acl/watch/registry.h"
#include "runtime/acl/watch/sleeping_threads.h"
#include "runtime/order/processes/process_group.h"

namespace acl {
namespace {

using namespace std::chrono_literals;

constexpr auto kUntilSent = 500ms;  // a wait that may be in a report if the program is killed
constexpr auto kUntilListed = 5s;
constexpr int kHangStatus = 3;
constexpr const char* kRecordAfterReset =
    "record the event again before {it}, or reset it after {it}";

bool waits_for_device(const HostWaitView& wait) { return wait.what != watch::Wait::For::callbacks; }

/// For a call of another host thread.
bool waits_for_call(const HostWaitView& wait) { return wait.what == watch::Wait::For::next_record; }

/// A wait that timed out in a call that has not returned yet.
struct Expired {
  std::optional<order::Finding> finding{};
};
Expired& expired() { return sim::per_thread<Expired>(); }

bool is_timeout_of_wait(std::int32_t code) {
  return code == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT || code == ACL_ERROR_RT_EVENT_SYNC_TIMEOUT;
}

}  // namespace

Hangs::Hangs(Runtime& runtime, const CheckConfig& config, CheckLock& lock, Actors& actors,
             Deadlocks& deadlocks, const GraphOps& graph_ops, const KernelCensus& kernels,
             const UnknownWriters& unknown_writers, const watch::HostThreads& host_threads)
    : runtime_(runtime),
      config_(config),
      lock_(lock),
      actors_(actors),
      deadlocks_(deadlocks),
      graph_ops_(graph_ops),
      kernels_(kernels),
      unknown_writers_(unknown_writers),
      host_threads_(host_threads) {
  deadlocks_.set_look([this] { look(); });
}

// ---- what threads report ----

void Hangs::wait_begins(const watch::Wait& wait) {
  const ThreadState& state = thread_state();
  CheckThread& thread = check_thread();
  thread.waits.begin(wait, wait.core ? wait.core->id() : 0, thread.serves_stream, state.call,
                     call_site_of(state));
  deadlocks_.watch_hosts();
}

void Hangs::wait_ended(const watch::Wait& wait, bool reached) {
  check_thread().waits.end();
  if (reached) {
    if (reported_.load(std::memory_order_relaxed)) deadlocks_.withdraw(op_info_of_call());
    if (!wait.untimed) deadlocks_.forget_expired(op_info_of_call());
    return;
  }
  if (wait.untimed || (!wait.core && wait.what != watch::Wait::For::next_record)) return;
  const MachineRest machine = look_at_machine(runtime_);
  HostWaitView view;
  view.what = wait.what;
  view.call = op_info_of_call();
  view.stream = wait.core ? wait.core->id() : 0;
  view.core = wait.core;
  const CheckLock::Entry guard(lock_);
  expired().finding = line_of(view, {}, machine);
}

void Hangs::call_failed(std::int32_t code) {
  auto found = std::exchange(expired().finding, std::nullopt);
  if (!found || !is_timeout_of_wait(code)) return;
  found->rule = order::Rule::wait_timed_out;
  found->level = order::Level::warning;
  found->text += "; its time limit has passed";
  deadlocks_.keep_expired(std::move(*found));
}

void Hangs::ends_in_hang() {
  ended_in_hang_ = true;
  const HostWaitSlot::State hosts = HostWaitSlot::all();
  std::vector<std::string> lines = lines_of(hosts, look_at_machine(runtime_));
  const sim::LockGuard guard(lines_mutex_);
  last_lines_ = std::move(lines);
}

std::vector<std::string> Hangs::lines() const {
  const sim::LockGuard guard(lines_mutex_);
  return last_lines_;
}

// ---- looking ----

void Hangs::note_ages(const HostWaitSlot::State& hosts) {
  std::map<pid_t, Since> now;
  for (const HostWaitView& wait : hosts.waits) {
    const auto known = since_.find(wait.thread);
    const bool same = known != since_.end() && known->second.serial == wait.serial;
    now[wait.thread] = same ? known->second : Since{wait.serial, Clock::now()};
  }
  since_ = std::move(now);
}

Hangs::Clock::duration Hangs::age(const HostWaitView& wait) const {
  return Clock::now() - since_.at(wait.thread).begin;
}

void Hangs::look() {
  if (ended_) return;
  const HostWaitSlot::State hosts = HostWaitSlot::all();
  const std::map<pid_t, Since> before = since_;
  note_ages(hosts);
  const bool any_old = std::any_of(hosts.waits.begin(), hosts.waits.end(), [&](const auto& wait) {
    const auto known = before.find(wait.thread);
    return known != before.end() && known->second.serial == wait.serial;
  });
  if (!any_old) {
    rest_.reset();
    if (!sent_.empty()) send(sent_ = {});
    return;
  }
  const MachineRest machine = look_at_machine(runtime_);
  auto now = rest(hosts, machine);
  const bool same = now && rest_ && now->progress == rest_->progress &&
                    now->events == rest_->events && now->threads == rest_->threads;
  rest_ = std::move(now);
  if (same) report(hosts, machine);
  show(hosts, machine);
}

// The order of the questions: the cheap ones first.
std::optional<Hangs::Rest> Hangs::rest(const HostWaitSlot::State& hosts,
                                       const MachineRest& machine) {
  if (machine.moves || !hosts.busy.empty()) return std::nullopt;
  std::vector<pid_t> waiting;
  for (const HostWaitView& wait : hosts.waits) {
    if (!wait.untimed) continue;
    if (waits_for_device(wait) && !waits_for_call(wait)) {
      if (!wait.core) return std::nullopt;
      const RestingStream* const at = machine.find(wait.stream);
      if (!at || at->stream->retired() >= wait.target) return std::nullopt;  // it is about to go on
    }
    waiting.push_back(wait.thread);
  }
  const bool function_runs =
      std::any_of(machine.resting.begin(), machine.resting.end(), [&](const RestingStream& one) {
        return one.wait.in_call &&
               std::none_of(hosts.waits.begin(), hosts.waits.end(), [&](const auto& wait) {
                 return wait.untimed && wait.serves == one.stream->id() + 1;
               });
      });
  if (function_runs || waiting.empty() || !only_hosts_end(hosts.waits, machine))
    return std::nullopt;
  Rest found{machine.progress, hosts.events, host_threads_.live()};
  for (const pid_t thread : found.threads) {
    const bool waits = std::find(waiting.begin(), waiting.end(), thread) != waiting.end();
    if (!waits && !watch::sleeps_until_woken(thread)) return std::nullopt;
  }
  if (watch::another_thread_runs()) return std::nullopt;
  return found;
}

bool Hangs::only_hosts_end(const std::vector<HostWaitView>& hosts, const MachineRest& machine) {
  const CheckLock::Entry guard(lock_);
  WaitGraph graph(runtime_, actors_, unknown_writers_, graph_ops_, kernels_, machine, hosts);
  return std::all_of(machine.resting.begin(), machine.resting.end(), [&](const auto& resting) {
    check_lock.assert_held();
    return graph.is_closed(resting);
  });
}

// ---- a proven hang ----

std::vector<order::Finding> Hangs::findings(const HostWaitSlot::State& hosts,
                                            const MachineRest& machine) {
  const bool for_device = std::any_of(hosts.waits.begin(), hosts.waits.end(), waits_for_device);
  std::vector<order::Finding> found;
  const CheckLock::Entry guard(lock_);
  WaitGraph graph(runtime_, actors_, unknown_writers_, graph_ops_, kernels_, machine, hosts.waits);
  for (const HostWaitView& wait : hosts.waits) {
    if (for_device && !waits_for_device(wait)) continue;
    order::Finding& finding = found.emplace_back(order::Rule::deadlock);
    finding.op_info = wait.call;
    finding.level = order::Level::warning;
    if (!waits_for_device(wait)) {
      finding.text =
          "{it} never returns; no stream has a function for the thread, and every other thread "
          "waits";
      finding.repair = "call {it} with a time limit, and end the thread when the program ends";
      continue;
    }
    if (waits_for_call(wait)) {
      finding.text =
          "{it} may never return; the event was reset, and no thread is left that can record it "
          "again";
      finding.repair = kRecordAfterReset;
      continue;
    }
    const WaitGraph::Chain chain = graph.chain(wait.stream);
    finding.other = chain.waits.front();
    finding.behind.assign(chain.waits.begin() + 1, chain.waits.end());
    if (chain.cycle) finding.level = order::Level::error;
    finding.text = chain.cycle ? "{it} never returns; these waits form a cycle: {waits}"
                               : "{it} may never return; no operation enqueued so far satisfies "
                                 "{waits}";
    if (!chain.cycle) finding.repair = repair_of_wait(chain.waits.back().what);
  }
  return found;
}

// A thread from before the first call of the program may call later, unless it sleeps until one of
// the waiting threads wakes it.
void Hangs::report(const HostWaitSlot::State& hosts, const MachineRest& machine) {
  reported_ = true;
  const std::vector<pid_t> earlier = host_threads_.earlier();
  const bool ends = std::all_of(earlier.begin(), earlier.end(), watch::sleeps_until_woken);
  for (order::Finding& finding : findings(hosts, machine)) {
    deadlocks_.report(std::move(finding), !ends);
  }
  if (ends) end_process();
}

// The program may have text left in its buffers.
void Hangs::end_process() {
  if (auto* const listener = watch::listener()) listener->ends_in_hang();
  if (!config_.group_mailbox.empty()) {
    sim::send_mail(config_.group_mailbox, static_cast<std::uint32_t>(order::GroupMail::hung), 0,
                   {});
  }
  if (ftrylockfile(stdout) == 0) {
    std::fflush(stdout);
    funlockfile(stdout);
  }
  surroundings().at_exit(runtime_);
  if (auto* const listener = watch::listener()) listener->process_ends();
  notice(
      fmt::format("check: the program hangs: all its threads wait, and nothing can end a wait; "
                  "it is ended with exit code {}",
                  kHangStatus));
  _exit(kHangStatus);
}

// ---- what is not proven ----

order::Finding Hangs::line_of(const HostWaitView& wait, const std::vector<HostWaitView>& hosts,
                              const MachineRest& machine) {
  order::Finding line(order::Rule::deadlock);
  line.op_info = wait.call;
  if (wait.what == watch::Wait::For::callbacks) {
    line.text = "{it} waits for a function to run; an operation that calls one would complete it";
    return line;
  }
  if (waits_for_call(wait)) {
    line.text =
        "{it} waits for an event that was reset; a record of the event by another host thread "
        "would complete it";
    line.repair = kRecordAfterReset;
    return line;
  }
  if (!wait.core) {
    line.text = "{it} waits for an operation of another process";
    return line;
  }
  WaitGraph graph(runtime_, actors_, unknown_writers_, graph_ops_, kernels_, machine, hosts);
  const WaitGraph::Chain chain = graph.chain(wait.stream);
  line.other = chain.waits.front();
  line.behind.assign(chain.waits.begin() + 1, chain.waits.end());
  if (chain.cycle) {
    line.text = "{it} waits; these waits form a cycle: {waits}";
  } else if (chain.runs) {
    line.text = chain.waits.size() == 1 ? "{it} waits for {waits}, which runs"
                                        : "{it} waits for {waits}; the last one runs";
  } else {
    const char* const last = chain.waits.size() == 1 ? "that" : "the last one";
    line.text = chain.ranks.empty()
                    ? fmt::format(
                          "{{it}} waits for {{waits}}; no operation enqueued so far "
                          "satisfies {}; {} would complete it",
                          last, end_of_wait(chain.waits.back().what))
                    : fmt::format(
                          "{{it}} waits for {{waits}}; {} waits for {}, whose operation "
                          "would complete it",
                          last, chain.ranks);
  }
  if (chain.address != 0) {
    line.text += fmt::format(" (the value at {:#x} is {})", chain.address, chain.value);
  }
  return line;
}

std::vector<std::string> Hangs::lines_of(const HostWaitSlot::State& hosts,
                                         const MachineRest& machine) {
  std::vector<order::Finding> lines;
  {
    const CheckLock::Entry guard(lock_);
    for (const HostWaitView& wait : hosts.waits)
      lines.push_back(line_of(wait, hosts.waits, machine));
  }
  std::vector<std::string> texts;
  const sim::LockGuard guard(lines_mutex_);
  const order::Resolve resolve = [this](std::uint64_t site)
                                     REQUIRES(lines_mutex_) { return place_of(site); };
  for (const order::Finding& line : lines) {
    texts.push_back(fmt::format("thread {}: {}", line.op_info.thread, in_one_line(line, resolve)));
  }
  return texts;
}

// A look-up takes long, and threads wait in the same places again and again.
order::Place Hangs::place_of(std::uint64_t site) {
  const auto [at, added] = places_.try_emplace(site);
  if (added) at->second = Places().of(site);
  return at->second;
}

void Hangs::send(const std::vector<std::string>& lines) const {
  if (config_.group_mailbox.empty()) return;
  sim::send_mail(config_.group_mailbox, static_cast<std::uint32_t>(order::GroupMail::blocked), 0,
                 fmt::format("{}", fmt::join(lines, "\n")));
}

// Each list is shown once.
void Hangs::show(const HostWaitSlot::State& hosts, const MachineRest& machine) {
  const auto older = [&](Clock::duration than) {
    return std::any_of(hosts.waits.begin(), hosts.waits.end(),
                       [&](const HostWaitView& wait) { return age(wait) >= than; });
  };
  if (!older(kUntilSent)) {
    if (!sent_.empty()) send(sent_ = {});
    return;
  }
  const std::pair now(hosts.events, machine.progress);
  if (sent_.empty() || listed_ != now) {
    listed_ = now;
    std::vector<std::string> lines = lines_of(hosts, machine);
    if (lines != sent_) send(sent_ = std::move(lines));
  }
  if (config_.quiet || !older(kUntilListed)) return;
  if (std::none_of(hosts.waits.begin(), hosts.waits.end(), waits_for_device)) return;
  std::vector<std::uint64_t> sites;
  for (const HostWaitView& wait : hosts.waits) sites.push_back(wait.call.site);
  if (!shown_.insert(std::move(sites)).second) return;
  notice(fmt::format("check: {} for {} s; a deadlock is not proven:\n  {}",
                     sent_.size() == 1 ? "a host thread waits" : "host threads wait",
                     std::chrono::duration_cast<std::chrono::seconds>(kUntilListed).count(),
                     fmt::join(sent_, "\n  ")));
}

}  // namespace acl
