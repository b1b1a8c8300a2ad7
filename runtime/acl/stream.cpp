// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/stream.h"

#include "runtime/acl/context.h"
#include "runtime/acl/error.h"
#include "runtime/acl/runtime.h"
#include "runtime/acl/thread_state.h"

namespace acl {

Stream::Stream(Runtime& runtime, Context& context, Config config)
    : runtime_(runtime),
      context_(context),
      keep_context_(sim::Ref<Context>::share(&context)),
      device_(context.device()),
      id_(runtime.next_stream_id()),
      config_(config),
      first_core_(make_core()) {
  core_.store(first_core_.get(), std::memory_order_release);
}

Stream::~Stream() = default;

sim::Ref<sim::Stream> Stream::make_core() {
  return sim::make_ref<sim::Stream>(
      runtime_.driver(), sim::Stream::Config{id_, device_, static_cast<int>(config_.priority),
                                             context_.failure_domain()});
}

bool Stream::never_synchronized() const noexcept {
  return (config_.flags & (ACL_STREAM_PERSISTENT | ACL_STREAM_CPU_SCHEDULE |
                           ACL_STREAM_DEVICE_USE_ONLY)) != 0;
}

std::uint64_t Stream::submit(sim::Op op) {
  op.thread_id = thread_state().thread_id;
  return core().submit(op);
}

void Stream::raise(sim::Failure failure) const {
  fail(code_of(failure), "stream {} on device {}: {}", id_, device_, text_of(failure));
}

void Stream::synchronize(const sim::Deadline& deadline) {
  if (stopped_.load(std::memory_order_acquire)) {
    fail(ACL_ERROR_RT_INTERNAL_ERROR, "stream {} was stopped", id_);
  }
  context_.require_usable();
  if (never_synchronized()) return;
  sim::Stream& stream = core();
  const bool untimed = deadline.is_never();
  switch (runtime_.driver().wait(stream, stream.submitted(), deadline, untimed)) {
    case sim::Driver::WaitResult::reached: break;
    case sim::Driver::WaitResult::timed_out:
      fail(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "stream {} still has {} unfinished tasks", id_,
           pending());
    case sim::Driver::WaitResult::abandoned:
      fail(ACL_ERROR_RT_STREAM_ABORT, "stream {} was aborted while this call waited for it", id_);
  }
  context_.require_usable();
  if (const sim::Failure failure = stream.take_failure()) raise(failure);
}

void Stream::set_failure_mode(std::uint64_t mode) {
  const bool stop = (mode & 1) != 0;
  if (!stop && stop_on_failure_.load()) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
         "mode is 0 (continue on failure), but stream {} already stops on failure, for good", id_);
  }
  if (config_.flags & ACL_STREAM_DEVICE_USE_ONLY) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
         "stream {} was created for use by the device only: it has no failure mode", id_);
  }
  if (!stop) return;
  stop_on_failure_.store(true);
  core().stop_on_failure();
}

void Stream::replace_core() {
  const std::lock_guard guard(later_cores_mutex_);
  sim::Ref<sim::Stream> fresh = make_core();
  if (stop_on_failure_.load()) fresh->stop_on_failure();
  later_cores_.push_back(fresh);
  sim::Stream* const old = core_.exchange(fresh.get(), std::memory_order_acq_rel);
  old->abandon();
}

void Stream::abort() { replace_core(); }

void Stream::stop() {
  stopped_.store(true, std::memory_order_release);
  replace_core();
}

}  // namespace acl
