// SPDX-License-Identifier: Apache-2.0
// What is reported when the program ends.
#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/acl/check/checker.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/core/usage.h"
#include "runtime/acl/findings/exit_code.h"
#include "runtime/acl/findings/reports.h"
#include "runtime/acl/watch/places.h"

namespace acl {
namespace {

// What calls of the program's functions are named, by who is to serve them.
constexpr std::string_view kCallback = "callback";
constexpr std::string_view kSubscribedFunction = "subscribed host function";
constexpr std::string_view kHostFunction = "host function";

}  // namespace

// Whoever enqueues a call holds the mutex of the stream's host calls.
const char* Checker::name_of_call(const Stream& stream, const sim::Op& op) {
  const sim::HostLane* const lane = op.host_call.lane;
  const HostCalls* const calls = stream.host_calls_if_any();
  if (!calls) return kHostFunction.data();
  if (lane == calls->report.lane.get()) return kCallback.data();
  return (lane == calls->host_func.lane.get() ? kSubscribedFunction : kHostFunction).data();
}

void Checker::tell_unserved(const order::OpInfo& callback) {
  order::Finding finding(order::Rule::callback_unserved);
  finding.op_info = callback;
  finding.text = "{it} never ran; no thread serves the callbacks of the stream";
  if (callback.what == kSubscribedFunction) {
    finding.repair =
        "call aclrtProcessHostFunc in the subscribed thread until all functions have run";
  } else if (callback.what == kHostFunction) {
    finding.text = "{it} never ran; no thread waits for its stream";
    finding.repair = "synchronise with the stream before the stream or the program ends";
  }
  add(std::move(finding));
}

// After a failure, or on a lost device. It may not have been dropped by now: nobody may have moved
// the stream since. A callback that does not block may come before the failed task.
bool Checker::drops_calls(const Stream& stream, bool blocking) const {
  if (runtime_.device_block(stream.device()).load(std::memory_order_acquire)) return true;
  return blocking && stream.core().stopped_by_failure();
}

void Checker::tell_left_over() {
  std::set<std::pair<std::uint32_t, bool>> dropping;  // streams; whether of blocking calls
  std::vector<std::uint32_t> failed;
  runtime_.streams().for_each([&](const StreamTable::Pin& stream) {
    if (stream->core().failure()) failed.push_back(stream->id());
    for (const bool blocking : {false, true}) {
      if (drops_calls(*stream, blocking)) dropping.emplace(stream->id(), blocking);
    }
  });
  const Entry guard(*this);
  for (const std::uint32_t stream : failed) tell_failed_task(stream);
  engine_.any_unserved([&](const order::OpInfo& what, bool blocking) {
    if (!dropping.contains({what.stream, blocking})) tell_unserved(what);
    return false;
  });
  for (const auto& weak : notifies_) {
    const auto notify = weak.lock();
    // Of one that processes share this process sees a part.
    if (notify && notify->closed) tell_unpaired(*notify, "");
  }
}

// Reported once: the counts are zero afterwards.
void Checker::tell_unpaired(order::Variable& notify, const char* when) {
  const order::NotifyCounts counts = std::exchange(notify.counts, {});
  if (counts.balanced()) return;
  order::Finding finding(order::Rule::notify_unpaired);
  finding.level = order::Level::warning;
  finding.op_info = counts.records != 0 ? notify.last : notify.last_wait;
  finding.text = fmt::format("{} records, {} waits{}", counts.records, counts.waits, when);
  add(std::move(finding));
}

// What is alive when nobody can release it any more. Reported once, by who ends first.
void Checker::report_alive(const char* what) {
  {
    const Entry guard(*this);
    if (std::exchange(ended_, true)) return;
  }
  const std::string text = describe_alive(usage_of(runtime_));
  if (text.empty()) return;
  order::Finding finding(order::Rule::unsynchronized_end);
  finding.text = "the program ends with " + text;
  if (const auto first = first_allocation(runtime_.memory())) {
    finding.other = order::OpInfo{};
    finding.other->what = "first allocation";
    finding.other->site = reinterpret_cast<std::uintptr_t>(first->caller);
  }
  const Entry guard(*this);
  finding.op_info = op_info(what);
  add(std::move(finding));
}

// Places are looked up without the lock: who holds the loader's may want it.
void Checker::finish_group_log() {
  std::set<std::uint64_t> sites;
  {
    const Entry guard(*this);
    sites = group_log_->sites();
  }
  std::map<std::uint64_t, order::Place> places;
  if (!sites.empty()) {
    Places lines;
    for (const std::uint64_t site : sites) places.emplace(site, lines.of(site));
  }
  const Entry guard(*this);
  group_log_->finish(places);
}

void Checker::process_ends() {
  if (guarded_reads_) guarded_reads_->clear();
  report_alive("the end of the program");
  tell_left_over();
  if (group_log_) finish_group_log();
  const std::vector<order::Finding> found = findings().all();
  order::KernelCounts kernels;
  {
    const Entry guard(*this);
    kernels = kernels_.counts();
  }
  if (write_reports(config_, found, kernels)) fail_at_exit();
  findings_.reported();
}

void Checker::restarting() {
  const Entry guard(*this);
  {
    const sim::LockGuard quiet(quiet_lock_);
    ++generation_;
    quiet_calls_.clear();
  }
  ended_ = false;
  kernels_.clear();
  failed_calls_ = {};
  failed_tasks_.clear();
  failures_.clear();
  if (group_log_) group_log_->restarts(engine_.any_host());
  engine_ = make_engine();
  stream_actors_.clear();
  notifies_.clear();
  runs_.clear();
  waited_early_.clear();
  annotations_.clear();
  shared_.clear();
  given_.clear();
  mapped_again_.clear();
  shared_waits_ = {};
  unknown_writers_ = tasks_write_host_ = false;
  host_buffers_.clear();
  if (guarded_reads_) guarded_reads_->clear();
  freed_memory_.clear();
  idle_blocks_.clear();
  peer_copies_.clear();
  stuck_sites_.clear();
  shown_sites_.clear();
  blocked_hosts_.clear();
  redundant_waits_ = {};
  findings_.clear();
}

}  // namespace acl
