// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/stream_lives.h"

#include <fmt/format.h>
#include <set>
#include <utility>
#include <vector>

#include "device_sim/streams/stream.h"
#include "runtime/acl/check/op_accesses.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/order/engine/sentences.h"

namespace acl {

void StreamLives::ended(Stream& stream, bool dropped) {
  const CheckLock::Entry guard(lock_);
  if (!actors_.is_known(stream)) return;
  const order::Actor of = actors_.actor(stream);
  if (dropped && !engine_.any_host_covers({of, engine_.last(of)})) {
    order::Finding finding(order::Rule::freed_in_use);
    finding.level = order::Level::warning;
    finding.op_info = op_info_of_call();
    finding.title = "destroyed while in use";
    finding.text =
        fmt::format("{{it}} destroys stream {} with pending work, which is dropped", stream.id());
    reporter_.add(std::move(finding));
  }
  report_unserved_of(stream, dropped);
  if (stream.core().failure()) failures_.report_task(stream.id());
  engine_.synchronized(actors_.host(), of, engine_.issued(of));
  host_memory_.settle();
  group_.proceeds(of);
  engine_.end_stream(of, !dropped);
  actors_.forget(stream);
}

void StreamLives::aborting(Stream& stream) {
  const CheckLock::Entry guard(lock_);
  if (!actors_.is_known(stream)) return;
  const order::Actor of = actors_.actor(stream);
  engine_.abort(actors_.host(), of);
  host_memory_.settle();
  group_.proceeds(of);
}

void StreamLives::report_left_over() {
  std::set<std::pair<std::uint32_t, bool>> dropping;  // streams; whether of blocking calls
  std::vector<std::uint32_t> failed;
  runtime_.streams().for_each([&](const StreamTable::Pin& stream) {
    if (stream->core().failure()) failed.push_back(stream->id());
    for (const bool blocking : {false, true}) {
      if (drops_calls(*stream, blocking)) dropping.emplace(stream->id(), blocking);
    }
  });
  const CheckLock::Entry guard(lock_);
  for (const std::uint32_t stream : failed) failures_.report_task(stream);
  engine_.queues().any_unserved([&](const order::OpInfo& what, bool blocking) {
    check_lock.assert_held();

    if (!dropping.contains({what.stream, blocking})) report_unserved(what);
    return false;
  });
  sync_.report_unpaired_notifies();
}

// True after a failure, or on a lost device. The calls may still be in the queue, since no thread
// may have moved the stream since. A callback that does not block may come before the failed task.
bool StreamLives::drops_calls(const Stream& stream, bool blocking) const {
  if (runtime_.device_block(stream.device()).load(std::memory_order_acquire)) return true;
  return blocking && stream.core().stopped_by_failure();
}

// No thread was to serve a function that was dropped by a failure or with a lost device. A function
// that the program itself drops, by ending its stream, was to be served.
bool StreamLives::was_expected(const sim::Stream& stream) const {
  if (!stream.abandoned() || stream.stopped_by_failure()) return false;
  return runtime_.device_block(stream.device()).load(std::memory_order_acquire) == nullptr;
}

void StreamLives::report_unserved(const order::OpInfo& callback) {
  order::Finding finding(order::Rule::callback_unserved);
  finding.op_info = callback;
  finding.text = order::sentences::kUnservedCallback;
  if (callback.what == kSubscribedFunction) {
    finding.repair =
        "call aclrtProcessHostFunc in the subscribed thread until all functions have run";
  } else if (callback.what == kHostFunction) {
    finding.text = "{it} never ran; no thread waits for its stream";
    finding.repair = "synchronise with the stream before the stream or the program ends";
  }
  reporter_.add(std::move(finding));
}

// If nothing was dropped, a thread that serves other streams too may still run the pending
// functions.
void StreamLives::report_unserved_of(const Stream& stream, bool dropped) {
  const auto report = [&](const order::OpInfo& callback, bool blocking) {
    check_lock.assert_held();

    if (callback.stream == stream.id() && !drops_calls(stream, blocking)) report_unserved(callback);
    return false;
  };
  if (dropped) {
    engine_.queues().any_unserved(report);
  } else {
    engine_.queues().any_never_served(report);
  }
}

}  // namespace acl
