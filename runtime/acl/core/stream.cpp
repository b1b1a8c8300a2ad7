// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/core/stream.h"

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/capture_gate.h"
#include "runtime/acl/core/context.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/watch/host_wait.h"

namespace acl {

Stream::Stream(Runtime& runtime, Context& context, Config config)
    : context_(sim::Ref<Context>::share(&context)),
      device_(context.device()),
      id_(runtime.next_stream_id()),
      config_(config),
      priority_(config.priority),
      first_core_(make_core()) {
  core_.store(first_core_.get(), std::memory_order_release);
}

Stream::~Stream() = default;

Runtime& Stream::runtime() const noexcept { return context_->runtime(); }
int Stream::logical_device() const noexcept { return runtime().logical(device_); }

sim::Ref<sim::Stream> Stream::make_core() {
  return sim::make_ref<sim::Stream>(
      runtime().driver(),
      sim::Stream::Config{id_, device_, static_cast<int>(priority()), context_->failure_domain()});
}

std::uint64_t Stream::enqueue(const sim::Op& op, const TaskFacts& facts) {
  if (watch::ordered()) [[unlikely]]
    return enqueue_ordered(op, facts);
  return core().submit(op);
}

// A listener sees the ops of the stream in the order in which the machine gets them.
std::uint64_t Stream::enqueue_ordered(const sim::Op& op, const TaskFacts& facts) {
  const sim::LockGuard guard(watch::order_of(id_));
  watch::listener()->enqueueing(*this, op, facts);
  return core().submit(op);
}

inline std::uint64_t Stream::give(sim::Op& op, const TaskFacts& facts) {
  ThreadState& state = thread_state();
  op.thread_id = state.thread_id;
  std::uint64_t sequence = 0;
  if (auto* const listener = watch::listener()) [[unlikely]] {
    listener->submitting(*this, op);
    sequence = enqueue(op, facts);
  } else {
    sequence = core().submit(op);
  }
  note_task(state.last_task, sequence);
  return sequence;
}

std::uint64_t Stream::submit(sim::Op&& op, const aclmdlRITaskParams* params,
                             const TaskFacts& facts) {
  if (redirected()) [[unlikely]]
    return submit_elsewhere(op, params, facts);
  return give(op, facts);
}

std::uint64_t Stream::submit_elsewhere(sim::Op& op, const aclmdlRITaskParams* params,
                                       const TaskFacts& facts) {
  op.thread_id = thread_state().thread_id;
  if (auto* const listener = watch::listener()) listener->captured(*this, op);
  sim::OwnedOp owned(op);
  if (const auto to = sink(); to && to->take(*this, owned, params)) return 0;
  return enqueue(owned.give_away(), facts);
}

std::uint64_t Stream::submit_to_machine(sim::Op& op, const TaskFacts& facts) {
  return give(op, facts);
}

bool Stream::redirect(std::shared_ptr<TaskSink> sink) {
  const sim::LockGuard guard(sink_lock_);
  if (sink_) return sink_ == sink;
  sink_ = std::move(sink);
  redirected_.store(true, std::memory_order_release);
  return true;
}

void Stream::redirect_back() {
  std::shared_ptr<TaskSink> old;  // released after the lock
  const sim::LockGuard guard(sink_lock_);
  std::swap(sink_, old);
  redirected_.store(false, std::memory_order_release);
}

std::shared_ptr<TaskSink> Stream::sink() const {
  if (!redirected()) return nullptr;
  const sim::LockGuard guard(sink_lock_);
  return sink_;
}

std::shared_ptr<CaptureSink> capture_sink_of(const Stream& stream) {
  auto sink = stream.sink();
  if (!sink || sink->kind() != TaskSink::Kind::capture) return nullptr;
  return std::static_pointer_cast<CaptureSink>(std::move(sink));
}

void Stream::require_not_captured() const {
  if (!redirected()) [[likely]]
    return;
  const auto to = sink();
  if (to && to->kind() == TaskSink::Kind::capture) {
    fail(ACL_ERROR_RT_STREAM_CAPTURED, "stream {} is being captured", id_);
  }
}

void Stream::raise(sim::Failure failure) const {
  fail(code_of(failure), "stream {} on device {}: {}", id_, device_, text_of(failure));
}

sim::Ref<sim::HostLane> Stream::own_host_lane(HostCalls& calls) const {
  const sim::HostLane* const lane = calls.own_lane.get();
  if (!lane || lane->deserted()) [[unlikely]]
    calls.own_lane.set(&context_->host_func_lane());
  return calls.own_lane.share();
}

bool Stream::served_by(std::uint64_t thread) const {
  HostCalls* const calls = host_calls_if_any();
  if (!calls) return false;
  const sim::LockGuard guard(calls->mutex);
  return calls->report.served_by(thread) || calls->host_func.served_by(thread);
}

void Stream::synchronize(const sim::Deadline& deadline, bool asked) {
  require_not_captured();
  if (stopped_.load(std::memory_order_acquire)) {
    fail(ACL_ERROR_RT_INTERNAL_ERROR, "stream {} was stopped", id_);
  }
  context_->require_usable();
  if (never_synchronized()) return;
  sim::Stream& stream = core();
  const bool untimed = deadline.is_never();
  const std::uint64_t target = stream.submitted();
  watch::HostWait wait(asked ? watch::Wait::For::stream : watch::Wait::For::stream_of_many, *this,
                       untimed, stream, target);
  switch (runtime().driver().wait(stream, target, deadline, untimed)) {
    case sim::Driver::WaitResult::reached:
      wait.reached();
      break;
    case sim::Driver::WaitResult::timed_out:
      fail(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "stream {} still has {} unfinished tasks", id_,
           pending());
    case sim::Driver::WaitResult::no_thread:
      runtime().fail_for_threads();
    case sim::Driver::WaitResult::abandoned:
      if (watch::intervener()) context_->require_usable();  // reports a lost device
      fail(abort_code_.load(), "stream {} was aborted while this call waited for it", id_);
  }
  runtime().synchronized(device_);
  context_->require_usable();
  if (const sim::Failure failure = stream.take_failure()) raise(failure);
}

void Stream::set_failure_mode(std::uint64_t mode) {
  const bool stop = (mode & 1) != 0;
  if (!stop && stop_on_failure_.load()) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
         "mode is 0 (continue on failure), but stream {} already stops on failure, for good", id_);
  }
  if (in_model()) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "stream {} is part of a model", id_);
  }
  if (config_.flags & ACL_STREAM_DEVICE_USE_ONLY) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
         "stream {} was created for use by the device only: it has no failure mode", id_);
  }
  if (!stop) return;
  stop_on_failure_.store(true);
  core().stop_on_failure();
}

void Stream::set_priority(std::uint32_t priority) {
  const sim::LockGuard guard(
      context_->aborts_mutex());  // not between a new stream and its priority
  priority_.store(priority, std::memory_order_relaxed);
  core().set_priority(static_cast<int>(priority));
}

void Stream::replace_core() {
  sim::Stream* old = nullptr;
  {
    const sim::LockGuard guard(context_->aborts_mutex());
    sim::Ref<sim::Stream> fresh = make_core();
    if (stop_on_failure_.load()) fresh->stop_on_failure();
    if (!later_cores_) later_cores_ = std::make_unique<Cores>();
    later_cores_->push_back(fresh);
    old = core_.exchange(fresh.get(), std::memory_order_acq_rel);
  }
  old->abandon();
  runtime().driver().let_short_op_end(*old);
  withdraw_calls(*old);
}

// Callbacks and host functions of a stream that was given up, which wait for their thread.
void Stream::withdraw_calls(sim::Stream& core) {
  runtime().reports().withdraw(core);
  runtime().host_funcs().withdraw(core);
  if (const auto lane = context_->host_func_lane_in_use()) core.withdraw(*lane);
}

void Stream::announce_abort() {
  if (auto* const listener = watch::listener()) listener->stream_aborting(*this);
}

void Stream::abort(aclError code) {
  abort_code_.store(code);
  replace_core();
}

void Stream::stop() {
  abort_code_.store(ACL_ERROR_RT_STREAM_ABORT);
  stopped_.store(true, std::memory_order_release);
  replace_core();
}

// A wait with a time limit leaves kernels to the workers, so no endless kernel keeps this thread.
void Stream::run_ready_tasks() {
  constexpr auto kLook = std::chrono::milliseconds(1);
  constexpr auto kPatience = std::chrono::seconds(5);
  const ThreadState& thread = thread_state();
  if (never_synchronized() || thread.of_crew || thread.kernel_depth != 0) return;
  sim::Stream& stream = core();
  const std::uint64_t target = stream.submitted();
  std::uint64_t retired = stream.retired();
  sim::Deadline patience = sim::Deadline::in(kPatience);
  while (!patience.passed() && stream.state() != sim::Stream::State::parked) {
    const auto result = runtime().driver().wait(stream, target, sim::Deadline::in(kLook), false);
    if (result != sim::Driver::WaitResult::timed_out) return;
    const std::uint64_t now = stream.retired();
    if (std::exchange(retired, now) != now) patience = sim::Deadline::in(kPatience);
  }
}

void Stream::end(bool force) {
  abort_code_.store(ACL_ERROR_RT_STREAM_ABORT);
  core().abandon();
  runtime().driver().let_short_op_end(core());
  if (force) withdraw_calls(core());
}

}  // namespace acl
