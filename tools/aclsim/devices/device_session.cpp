// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/devices/device_session.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "tools/replay/results/naming.h"

namespace aclsim {
namespace {

using trace::kNone;
using trace::OpKind;
using trace::TrackKind;

struct StampArgs {
  Stamps* stamps;
  std::uint32_t op;
  std::uint32_t ns;  // duration
};

std::int32_t stamp_kernel(const aclsimKernelContext*, const void* args) {
  const auto& it = *static_cast<const StampArgs*>(args);
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::nanoseconds(it.ns);
  while (it.ns != 0 && !it.stamps->stop && Clock::now() < until) {
    std::this_thread::sleep_for(
        std::min<Clock::duration>(until - Clock::now(), std::chrono::milliseconds(10)));
  }
  it.stamps->of[it.op] = it.stamps->next.fetch_add(1);
  return 0;
}

void launch(const char* name, aclsimKernel kernel, const void* args, std::size_t bytes,
            aclrtStream stream) {
  aclsimLaunch row{};
  row.size = sizeof row;
  row.name = name;
  row.kernel = kernel;
  row.numBlocks = 1;
  row.args = args;
  row.argsSize = bytes;
  require_acl(aclsimLaunchKernel(&row, stream), "aclsimLaunchKernel");
}

void keep_for_ever(std::unique_ptr<Stamps> stamps) {
  static auto* const kept = new std::vector<std::unique_ptr<Stamps>>;
  kept->push_back(std::move(stamps));
}

}  // namespace

void require_acl(aclError code, const char* what) {
  if (code == ACL_SUCCESS) return;
  const char* const text = aclGetRecentErrMsg();
  throw std::runtime_error(
      fmt::format("replay: {}: {}: {}", what, int{code}, text ? text : "no message"));
}

// ---- the machine ----

DeviceSession::DeviceSession(const trace::Trace& trace, const replay::Execution& run,
                             const DeviceReplayOptions& options, const std::function<bool()>& stop)
    : trace_(trace),
      run_(run),
      options_(options),
      stop_(stop),
      deadline_(std::chrono::steady_clock::now() + std::chrono::seconds(options.timeout_s)),
      own_stamps_(std::make_unique<Stamps>(trace.size())),
      stamps_(*own_stamps_),
      streams_(trace.tracks().size(), nullptr) {
  start_machine();
  create_streams();
  count_waiters();
}

void DeviceSession::start_machine() {
  const auto devices = static_cast<std::uint32_t>(trace_.devices().size());
  ::setenv("ACLSIM_DEVICES", std::to_string(std::max(devices, 1U)).c_str(), 0);
  require_acl(aclInit(nullptr), "aclInit");
  std::uint32_t have = 0;
  require_acl(aclrtGetDeviceCount(&have), "aclrtGetDeviceCount");
  if (have < devices) {
    aclFinalize();
    throw std::invalid_argument(fmt::format(
        "replay: ACLSIM_DEVICES: {} devices; expected {} for this trace", have, devices));
  }
  for (std::uint32_t a = 0; a < devices; ++a) {
    use_device(a);
    for (std::uint32_t b = 0; b < devices; ++b) {
      if (a != b)
        require_acl(aclrtDeviceEnablePeerAccess(static_cast<std::int32_t>(b), 0), "peer access");
    }
  }
}

void DeviceSession::create_streams() {
  for (TrackIndex l = 0; l < streams_.size(); ++l) {
    const trace::Track& track = trace_.tracks()[l];
    if (track.kind == TrackKind::host || track.size() == 0) continue;
    use_device(track.device);
    require_acl(aclrtCreateStream(&streams_[l]), "aclrtCreateStream");
  }
}

/// Counts the waits that each op releases, so that its event can be reused after the last of them.
void DeviceSession::count_waiters() {
  for (OpIndex op = 0; op < trace_.size(); ++op) {
    const trace::Op& it = trace_[op];
    if (it.use == kNone) continue;
    OpIndex partner = kNone;
    if (it.kind == OpKind::wait) partner = trace_.sync(op).partner;
    if (it.kind == OpKind::value_wait) partner = trace_.value(op).partner;
    if (it.kind == OpKind::recv) partner = trace_.comm(op).partner;
    if (partner != kNone) ++held_[partner].uses;
  }
  for (const trace::Edge& edge : trace_.edges()) ++held_[edge.from].uses;
}

DeviceSession::~DeviceSession() {
  stamps_.stop = true;
  for (TrackIndex l = 0; l < streams_.size(); ++l) {
    if (!streams_[l]) continue;
    aclrtSetDevice(static_cast<std::int32_t>(trace_.tracks()[l].device));
    if (drained_)
      aclrtDestroyStream(streams_[l]);
    else
      aclrtDestroyStreamForce(streams_[l]);
  }
  for (aclrtEvent event : all_events_) aclrtDestroyEvent(event);
  for (aclrtNotify notify : all_notifies_) aclrtDestroyNotify(notify);
  for (const auto& [object, counter] : counters_) aclrtCntNotifyDestroy(counter);
  for (const auto& [at, host] : all_blocks_) host ? aclrtFreeHost(at) : aclrtFree(at);
  for (const auto& [object, at] : words_) aclrtFree(at);
  aclFinalize();
  // A kernel of an interrupted replay may still use the stamps.
  if (!drained_) keep_for_ever(std::move(own_stamps_));
}

aclrtStream DeviceSession::stream(TrackIndex track) {
  use_device(trace_.tracks()[track].device);
  return streams_[track];
}

void DeviceSession::use_device(std::uint32_t device) {
  if (device == device_) return;
  require_acl(aclrtSetDevice(static_cast<std::int32_t>(device)), "aclrtSetDevice");
  device_ = device;
}

bool DeviceSession::stopped() {
  if (end_ != DeviceRun::End::complete) return true;
  if ((++issued_ & 0x3FF) == 0) {
    if (stop_())
      end_ = DeviceRun::End::interrupted;
    else if (left_ms() <= 1)
      end_ = DeviceRun::End::timeout;
  }
  return end_ != DeviceRun::End::complete;
}

std::int32_t DeviceSession::left_ms() {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      deadline_ - std::chrono::steady_clock::now());
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(left.count(), 1, 100'000'000));
}

/// Waits in short steps, so that an interrupt is noticed.
void DeviceSession::synchronise(aclrtStream stream) {
  while (end_ == DeviceRun::End::complete) {
    const aclError code = aclrtSynchronizeStreamWithTimeout(stream, std::min(left_ms(), 100));
    if (code != ACL_ERROR_RT_STREAM_SYNC_TIMEOUT)
      return require_acl(code, "aclrtSynchronizeStream");
    if (stop_())
      end_ = DeviceRun::End::interrupted;
    else if (left_ms() <= 1)
      end_ = DeviceRun::End::timeout;
  }
}

void DeviceSession::drain() {
  for (TrackIndex l = 0; l < streams_.size(); ++l) {
    if (streams_[l]) synchronise(stream(l));
  }
  drained_ = end_ == DeviceRun::End::complete;
}

// ---- order ----

void DeviceSession::stamp(OpIndex op, aclrtStream stream, trace::Nanoseconds ns) {
  const auto scaled = static_cast<double>(ns) * options_.time_scale;
  const StampArgs args{&stamps_, op, static_cast<std::uint32_t>(std::min(scaled, 4e9))};
  launch(replay::op_word(trace_, op).c_str(), stamp_kernel, &args, sizeof args, stream);
}

aclrtEvent DeviceSession::take_event() {
  if (events_.empty()) {
    aclrtEvent event = nullptr;
    require_acl(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC), "aclrtCreateEventExWithFlag");
    all_events_.push_back(event);
    return event;
  }
  const aclrtEvent event = events_.back();
  events_.pop_back();
  return event;
}

/// Records an event after `op`; waits for `op` can then be issued. A wait refers to the last record
/// that was issued before it, so the event can be reused once all waits are issued.
void DeviceSession::record(OpIndex op, aclrtStream stream) {
  const auto found = held_.find(op);
  const bool awaited = found != held_.end();
  if (!awaited && trace_[op].kind != OpKind::record) return;
  const aclrtEvent event = take_event();
  require_acl(aclrtRecordEvent(event, stream), "aclrtRecordEvent");
  if (awaited)
    found->second.event = event;
  else
    give_event(event);
}

void DeviceSession::await(OpIndex op, aclrtStream stream) {
  Held& held = held_.at(op);
  if (!held.event) return;  // an op of a host thread has ended before the next op is issued
  require_acl(aclrtStreamWaitEvent(stream, held.event), "aclrtStreamWaitEvent");
  if (--held.uses == 0) give_event(held.event);
}

void DeviceSession::join_streams(aclrtStream from, aclrtStream to) {
  const aclrtEvent event = take_event();
  require_acl(aclrtRecordEvent(event, from), "aclrtRecordEvent");
  require_acl(aclrtStreamWaitEvent(to, event), "aclrtStreamWaitEvent");
  give_event(event);
}

// ---- ops ----

void DeviceSession::issue(OpIndex op) {
  const TrackIndex track = trace_.track_of(op);
  if (trace_.tracks()[track].kind == TrackKind::host) return issue_on_host(op);
  const aclrtStream own = stream(track);
  const trace::Op& it = trace_[op];
  for (const trace::Edge& edge : trace_.deps(op)) await(edge.from, own);
  const bool known = it.use != kNone;
  switch (it.kind) {
    case OpKind::record:
    case OpKind::reset:
      stamp(op, own);
      break;  // the stamp precedes the stamps of the ops that this op releases
    case OpKind::notify:
      stamp(op, own);
      if (known) issue_notify(op, own);
      break;
    case OpKind::value_write:
      stamp(op, own);
      if (known) issue_value(op, own);
      break;
    case OpKind::wait:
      if (known && trace_.sync(op).partner != kNone) await(trace_.sync(op).partner, own);
      stamp(op, own);
      break;
    case OpKind::notify_wait:
      if (known) issue_notify_wait(op, own);
      stamp(op, own);
      break;
    case OpKind::value_wait:
      if (known) issue_value(op, own);
      stamp(op, own);
      break;
    case OpKind::copy:
    case OpKind::reduce:
      issue_copy(op, track);
      stamp(op, own);
      break;
    case OpKind::fill:
      issue_fill(op, track);
      stamp(op, own);
      break;
    case OpKind::send:
      if (known) issue_copy(op, track);
      stamp(op, own);
      break;
    case OpKind::recv:
      if (known && trace_.comm(op).partner != kNone) await(trace_.comm(op).partner, own);
      stamp(op, own);
      break;
    default:
      stamp(op, own, run_.length(op));
  }
  record(op, own);
  if (it.kind == OpKind::copy && it.has(trace::kBlocks)) synchronise(own);
}

void DeviceSession::issue_on_host(OpIndex op) {
  const trace::Op& it = trace_[op];
  if (it.kind == OpKind::sync && it.use != kNone) {
    const trace::HostUse& use = trace_.host(op);
    if (use.target == trace::Target::device) {
      for (TrackIndex l = 0; l < streams_.size(); ++l) {
        if (streams_[l] && trace_.tracks()[l].device == use.index) synchronise(stream(l));
      }
    } else if (use.partner != kNone) {
      const TrackIndex track = trace_.track_of(use.partner);
      if (streams_[track]) synchronise(stream(track));
    }
  }
  stamps_.of[op] = stamps_.next.fetch_add(1);
}

void DeviceSession::arrive(OpIndex op) {
  const aclrtStream own = stream(trace_.track_of(op));
  for (const trace::Edge& edge : trace_.deps(op)) await(edge.from, own);
  const aclrtEvent event = arrived_[op] = take_event();
  require_acl(aclrtRecordEvent(event, own), "aclrtRecordEvent");
}

void DeviceSession::meet(std::span<const OpIndex> members) {
  std::vector<aclrtEvent> arrived;
  for (const OpIndex op : members) {
    arrived.push_back(arrived_.at(op));
    arrived_.erase(op);
  }
  for (std::size_t m = 0; m < members.size(); ++m) {
    const TrackIndex track = trace_.track_of(members[m]);
    const aclrtStream own = stream(track);
    for (std::size_t other = 0; other < members.size(); ++other) {
      if (other == m) continue;
      require_acl(aclrtStreamWaitEvent(own, arrived[other]), "aclrtStreamWaitEvent");
    }
    const OpKind kind = trace_[members[m]].kind;
    if (kind == OpKind::send) issue_copy(members[m], track);
    if (kind == OpKind::collective && members.size() > 1) {
      const TrackIndex next = trace_.track_of(members[(m + 1) % members.size()]);
      move(members[m], track, own_device(track), own_device(next), trace_.comm(members[m]).bytes,
           false);
    }
    stamp(members[m], own);
    record(members[m], own);
  }
  for (const aclrtEvent event : arrived) give_event(event);
}

void DeviceSession::begin_graph(OpIndex op) {
  const TrackIndex track = trace_.track_of(op);
  for (const trace::Edge& edge : trace_.deps(op)) await(edge.from, stream(track));
  for (const TrackIndex inner : trace_.graphs()[trace_.launch(op).graph].tracks) {
    if (streams_[inner]) join_streams(stream(track), streams_[inner]);
  }
}

void DeviceSession::end_graph(OpIndex op) {
  const TrackIndex track = trace_.track_of(op);
  for (const TrackIndex inner : trace_.graphs()[trace_.launch(op).graph].tracks) {
    if (streams_[inner]) join_streams(stream(inner), streams_[track]);
  }
  stamp(op, stream(track));
  record(op, stream(track));
}

}  // namespace aclsim
