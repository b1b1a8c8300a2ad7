// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/call_races.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "device_sim/drivers/seeded_driver.h"
#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/op_accesses.h"
#include "runtime/acl/check/reporter.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/kernel/given.h"
#include "runtime/acl/watch/sleeping_threads.h"
#include "runtime/order/engine/sentences.h"

namespace acl {
namespace {

using namespace std::chrono_literals;

constexpr auto kHold = 20ms;
constexpr auto kLook = 2ms;
constexpr unsigned kMostHolds = 50;  // a second in all

}  // namespace

bool CallRaces::Held::conflicts_with(const Held& other) const {
  if (stream != other.stream || what.thread == other.what.thread) return false;
  return std::any_of(accesses.begin(), accesses.end(), [&](const order::Access& a) {
    return std::any_of(other.accesses.begin(), other.accesses.end(),
                       [&](const order::Access& b) { return order::conflict(a, b); });
  });
}

CallRaces::CallRaces(Runtime& runtime, CheckLock& lock, Reporter& reporter,
                     const watch::HostThreads& host_threads)
    : runtime_(runtime),
      lock_(lock),
      reporter_(reporter),
      host_threads_(host_threads),
      takes_turns_(dynamic_cast<const sim::SeededDriver*>(&runtime.driver()) != nullptr) {}

bool CallRaces::may_hold() const {
  const ThreadState& thread = thread_state();
  return !takes_turns_ && holds_.load(std::memory_order_relaxed) < kMostHolds &&
         *thread.call != 0 && !thread.of_crew && !check_thread().in_callback;
}

bool CallRaces::another_thread_runs() const {
  const auto self = static_cast<pid_t>(syscall(SYS_gettid));
  const std::vector<pid_t> threads = host_threads_.live();
  return std::any_of(threads.begin(), threads.end(), [&](pid_t thread) {
    return thread != self && !watch::sleeps_until_woken(thread);
  });
}

std::vector<order::Access> CallRaces::accesses_of(const sim::Op& op) const {
  std::vector<order::Access> accesses;
  if (op.kind == sim::OpKind::kernel) {
    accesses = check_thread().next_kernel;
    if (!accesses.empty() || declares_nothing(op)) return accesses;
  }
  append_accesses(
      runtime_.memory(), op, [](const void*, std::size_t) { return false; }, accesses);
  return accesses;
}

void CallRaces::look_at(Stream& stream, const sim::Op& op) {
  const bool records = op.kind == sim::OpKind::record;
  const bool works = op.kind == sim::OpKind::copy || op.kind == sim::OpKind::fill ||
                     op.kind == sim::OpKind::kernel || op.kind == sim::OpKind::task;
  if (!records && !works) return;
  Held own;
  own.stream = stream.id();
  if (works) own.accesses = accesses_of(op);
  if (!records && own.accesses.empty()) return;
  order::OpInfo what = op_info_of_call(name_in_reports(op));
  what.stream = stream.id();
  what.device = static_cast<std::int16_t>(stream.logical_device());
  what.on_default_stream = stream.is_default();
  own.what = what;
  const bool holds = may_hold() && another_thread_runs();
  std::vector<order::OpInfo> met;
  {
    sim::UniqueLock guard(mutex_);
    met = takes_turns_ ? meet_recent(std::move(own)) : meet_held(own);
    if (met.empty() && holds) hold(own, guard);
  }
  for (const order::OpInfo& earlier : met) report(earlier, what);
}

std::vector<order::OpInfo> CallRaces::meet_recent(Held&& later) {
  constexpr std::size_t kMost = 64;
  std::vector<order::OpInfo> met;
  for (const Held& one : recent_) {
    const bool meanwhile = one.number > check_thread().enqueued_before_call;
    if (meanwhile && one.conflicts_with(later)) met.push_back(one.what);
  }
  later.number = enqueued_.fetch_add(1, std::memory_order_relaxed) + 1;
  recent_.push_back(std::move(later));
  if (recent_.size() > kMost) recent_.pop_front();
  return met;
}

std::vector<order::OpInfo> CallRaces::meet_held(const Held& later) {
  std::vector<order::OpInfo> met;
  for (Held* const one : held_) {
    if (!one->conflicts_with(later)) continue;
    one->met = true;
    met.push_back(one->what);
  }
  if (!met.empty()) met_.notify_all();
  return met;
}

void CallRaces::hold(Held& own, sim::UniqueLock<sim::Mutex>& guard) {
  holds_.fetch_add(1, std::memory_order_relaxed);
  const auto at = held_.insert(held_.end(), &own);
  held_now_.fetch_add(1, std::memory_order_relaxed);
  const auto end = std::chrono::steady_clock::now() + kHold;
  while (!own.met && std::chrono::steady_clock::now() < end) {
    met_.wait_for(guard, kLook);
    if (own.met) break;
    guard.unlock();
    const bool runs = another_thread_runs();
    guard.lock();
    if (!runs) break;
  }
  held_.erase(at);
  held_now_.fetch_sub(1, std::memory_order_relaxed);
}

void CallRaces::report(const order::OpInfo& earlier, const order::OpInfo& later) {
  order::Finding finding(order::Rule::unordered_calls);
  finding.op_info = later;
  finding.other = earlier;
  finding.text = order::sentences::kUnorderedCalls;
  const CheckLock::Entry guard(lock_);
  reporter_.add(std::move(finding));
}

}  // namespace acl
