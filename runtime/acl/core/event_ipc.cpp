// SPDX-License-Identifier: Apache-2.0
// Events that processes share.
#include <algorithm>
#include <thread>

#include "runtime/acl/base/error.h"
#include "runtime/acl/core/event.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/watch/host_wait.h"

namespace acl {

void Event::require_not_redirected(const Stream& stream) const {
  if (!stream.redirected()) return;
  fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
       "stream {} is being captured or bound to a model: IPC events cannot be part of it",
       stream.id());
}

void Event::record_ipc(Stream& stream) {
  require_not_redirected(stream);
  auto record = sim::make_ref<RecordSignal>(stream.core(), std::uint64_t{0});
  record->number = ipc_->issue();
  record->sequence = stream.submit(
      sim::make_word_change(ipc_->word(), sim::WordChange::raise, record->number, "EVENT_RECORD"),
      nullptr, facts(record->number));
  keep_latest(std::move(record));
}

void Event::wait_ipc(Stream& stream, std::uint64_t timeout_ns) {
  require_not_redirected(stream);
  const std::uint64_t number = ipc_->issued();
  if (ipc_->done(number)) {
    if (auto* const listener = watch::listener()) {
      listener->wait_elided(stream, shown_ipc(number),
                            number == 0 ? watch::Elided::never_recorded : watch::Elided::complete);
    }
    return;
  }
  const sim::WordTest test{sim::WordTest::Is::greater_equal, false, number};
  stream.submit(sim::make_word_wait(ipc_->word(), test, timeout_ns, "EVENT_WAIT"), nullptr,
                facts(number));
}

Event::Status Event::ipc_status() const {
  const std::uint64_t number = ipc_->issued();
  if (number == 0) return Status::never_recorded;
  if (!ipc_->done(number)) {
    runtime_.require_threads();
    return Status::pending;
  }
  if (auto* const listener = watch::listener()) listener->event_queried(shown_ipc(number), true);
  return Status::done;
}

// A record of this process is helped on; for another process's the thread looks now and then.
Event::SyncResult Event::synchronize_ipc(const sim::Deadline& deadline) {
  const std::uint64_t number = ipc_->issued();
  if (number == 0) return synchronize_with_nothing();
  const watch::EventRecord shown = shown_ipc(number);
  watch::HostWait wait(shown, deadline.is_never() && !ipc_->done(number));
  const sim::Ref<RecordSignal> own = latest();
  if (own && own->number == number) {
    const auto result =
        runtime_.driver().wait(own->stream(), own->sequence, deadline, deadline.is_never());
    if (result == sim::Driver::WaitResult::no_thread) runtime_.fail_for_threads();
  }
  constexpr std::chrono::microseconds kFirst{20}, kLast{1000};
  for (auto pause = kFirst; !ipc_->done(number); pause = std::min(2 * pause, kLast)) {
    if (deadline.passed()) return SyncResult::timed_out;
    if (ipc_->recorder_gone()) {
      fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR,
           "the process that recorded the event ended before the record was done");
    }
    runtime_.require_threads();
    std::this_thread::sleep_for(pause);
  }
  wait.reached();
  return SyncResult::done;
}

}  // namespace acl
