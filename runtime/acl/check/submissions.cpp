// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/submissions.h"

#include <algorithm>
#include <utility>

#include "device_sim/streams/stream.h"
#include "device_sim/streams/word.h"
#include "runtime/acl/check/op_accesses.h"
#include "runtime/acl/check/word_order.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/graph/model_run.h"
#include "runtime/acl/memory/value_word.h"
#include "runtime/order/engine/sentences.h"

namespace acl {
namespace {

bool is_set(std::uint64_t value) { return value != 0; }

}  // namespace

Submissions::Submissions(Runtime& runtime, CheckLock& lock, Actors& actors, Reporter& reporter,
                         KernelCensus& kernels, GraphOps& graph_ops, SyncObjects& sync,
                         UnknownWriters& unknown_writers, HostMemoryInUse& host_memory,
                         GroupReports& group, MemoryLives& memory_lives, StreamAccesses& accesses,
                         ReadChecks& read_checks, RankOperations& rank_operations)
    : runtime_(runtime),
      lock_(lock),
      actors_(actors),
      engine_(actors.engine()),
      reporter_(reporter),
      kernels_(kernels),
      graph_ops_(graph_ops),
      sync_(sync),
      unknown_writers_(unknown_writers),
      host_memory_(host_memory),
      group_(group),
      memory_lives_(memory_lives),
      stream_accesses_(accesses),
      read_checks_(read_checks),
      rank_operations_(rank_operations),
      settled_([this](const void* begin, std::size_t size)
                   REQUIRES(check_lock) { return actors_.settled(begin, size); }) {}

void Submissions::submit(Stream& stream, sim::Op& op, CheckThread::TouchedNothing before) {
  const bool said = op.kind == sim::OpKind::kernel && !check_thread().next_kernel.empty();
  const bool nothing = !said && touches_nothing(runtime_.memory(), op);
  if (nothing && Actors::batched(stream).count(before.pass)) return;
  const CheckLock::Entry guard(lock_, CheckLock::Deferred::left);
  const order::Actor to = actors_.actor(stream);
  // After the operation at which the stream is blocked, a function of the program, or an op without
  // accesses, does not depend on the actions of other threads.
  const bool leaves = engine_.is_blocked(to) && !group_.on() &&
                      !check_thread().had_deferred_calls &&
                      (op.kind == sim::OpKind::host_call || nothing);
  if (!leaves) lock_.take_deferred();
  if (nothing) {
    unknown_writers_.add_anywhere();
    if (kernels_.launched(op.kernel.name, call_site_of(thread_state()), false)) {
      reporter_.report_undeclared(actors_.op_info(stream, op, to));
    }
    if (submit_nothing(stream, to, before)) return;
  }
  switch (op.kind) {
    case sim::OpKind::task:
      if (submit_value_write(op, to, actors_.op_info(stream, op, to))) return;
      [[fallthrough]];
    case sim::OpKind::fill:
    case sim::OpKind::kernel:
      return submit_accesses(stream, op, to, before);
    case sim::OpKind::copy:
      return stream_accesses_.copy(stream, op, to);
    case sim::OpKind::wait:
      if (submit_wait_at_once(op.wait, to)) return;
      [[fallthrough]];
    default: {
      const order::OpInfo what = actors_.op_info(stream, op, to);
      submit_sync(op, to, what);
      group_.announce_op(op, what, to);
    }
  }
}

bool Submissions::submit_nothing(Stream& stream, order::Actor to,
                                 const CheckThread::TouchedNothing& before) {
  if (!engine_.goes_on(to, actors_.host())) return false;
  if (!engine_.is_blocked(to)) {
    start_batch(stream, before);
  } else {
    group_.last_was_deferred(to);
  }
  return true;
}

// From the second of several such ops that the thread enqueues on one stream, the others are only
// counted.
void Submissions::start_batch(Stream& stream, const CheckThread::TouchedNothing& before) {
  CheckThread::TouchedNothing& now = check_thread().touched_nothing;
  now.stream = stream.id() + 1;
  if (before.stream != now.stream || group_.on() || !unknown_writers_.anywhere()) return;
  if (++last_pass_ == 0) ++last_pass_;
  now.pass = last_pass_;
  Actors::batched(stream).give(last_pass_);
}

void Submissions::submit_accesses(Stream& stream, sim::Op& op, order::Actor to,
                                  const CheckThread::TouchedNothing& before) {
  accesses_.clear();
  if (op.kind == sim::OpKind::kernel) return submit_kernel(stream, op, to, before);
  append_accesses(runtime_.memory(), op, settled_, accesses_);
  if (accesses_.empty() && submit_nothing(stream, to, before)) return;
  const order::OpInfo what = actors_.op_info(stream, op, to);
  if (op.kind == sim::OpKind::task) read_checks_.check_reductions(to, what, accesses_);
  stream_accesses_.op(to, what, accesses_);
}

void Submissions::submit_kernel(Stream& stream, sim::Op& op, order::Actor to,
                                const CheckThread::TouchedNothing& before) {
  order::OpInfo what = actors_.op_info(stream, op, to);
  std::vector<order::Access>& said = check_thread().next_kernel;
  const bool guessed = said.empty() && declares_nothing(op);
  const bool observed = guessed && is_observed(op);
  if (said.empty()) [[likely]] {
    what.declared = append_accesses(runtime_.memory(), op, settled_, accesses_);
  } else {
    accesses_.assign(said.begin(), said.end());
    said.clear();
  }
  if (guessed) {
    const auto writes = [](const order::Access& access) { return access.write; };
    const auto written = std::count_if(accesses_.begin(), accesses_.end(), writes);
    if (written == 0 && !observed) unknown_writers_.add_anywhere();
    what.sole = written == 1;
  }
  if (kernels_.launched(op.kernel.name, what.site, !guessed || observed))
    reporter_.report_undeclared(what);
  if (guessed) {
    memory_lives_.check_freed_arguments(what, op);
  } else {
    memory_lives_.check_freed(what, accesses_);
  }
  if (observed) return stream_accesses_.observed_kernel(op, to, what, accesses_);
  if (accesses_.empty() && submit_nothing(stream, to, before)) return;
  stream_accesses_.op(to, what, accesses_);
}

void Submissions::next_kernel_accesses(const void* begin, std::size_t size, bool write) {
  const auto found = runtime_.memory().find(begin);
  const bool host_memory = !found || found->device == sim::kHostDevice;
  const CheckLock::Entry guard(lock_);  // ends the thread's batch of ops that are only counted
  order::Access& said = check_thread().next_kernel.emplace_back();
  said.begin = reinterpret_cast<std::uintptr_t>(begin);
  said.size = size;
  said.write = write;
  said.host = host_memory;
}

bool Submissions::submit_value_write(sim::Op& op, order::Actor to, const order::OpInfo& what) {
  const auto* const write = dynamic_cast<const ValueWrite*>(op.task.task);
  if (!write) return false;
  const auto address = reinterpret_cast<std::uintptr_t>(write->address());
  const order::Access access[] = {word_access(address, true)};
  group_.note_issue(to);
  op.completion_id = engine_.change(
      to, actors_.host(), what, sync_.value_at(address),
      [value = write->value()](std::uint64_t) { return value; }, false, access);
  return true;
}

// From here on the memory that the graph, or the operation of another library, accesses is in use.
void Submissions::submit_launch(sim::Op& op, order::Actor to, order::OpInfo what) {
  accesses_.clear();
  if (const auto* const launch = dynamic_cast<const ModelLaunch*>(op.control.control)) {
    what.declared = append_accesses(runtime_.memory(), launch->model(), settled_, accesses_);
  } else if (rank_operations_.submit(op, to, what)) {
    return;
  }
  memory_lives_.check_freed(what, accesses_);
  host_memory_.buffers().forget_written(accesses_);
  op.completion_id = engine_.launch(to, actors_.host(), what, accesses_);
  host_memory_.bar_hosts(to, accesses_);
  host_memory_.keep_buffers(to, what, accesses_);
}

inline void Submissions::submit_record(sim::Op& op, order::Actor to, order::Actor by,
                                       const order::OpInfo& what) {
  sim::Signal& signal = *op.record.signal;
  auto* const at = static_cast<SyncObjects::Attached*>(signal.attached.get());
  if (!at || !at->variable) {
    order::Node& node = sync_.new_node(signal);
    return engine_.record(to, by, what, node, signal.attached);
  }
  at->stale = at->waited && !at->once;
  const auto set = [](std::uint64_t) { return 1; };
  op.completion_id = engine_.change(to, by, what, at->variable, set, false);
}

inline void Submissions::submit_wait(sim::Op& op, order::Actor to, order::Actor by,
                                     const order::OpInfo& what) {
  const std::shared_ptr<void>& attached = op.wait.signal->attached;
  auto* const at = static_cast<SyncObjects::Attached*>(attached.get());
  const bool limited = op.wait.timeout_ns != 0;
  if (at && at->variable) {
    if (std::exchange(at->stale, false)) report_flag(what, at->last_wait);
    at->waited = true;
    at->last_wait = what;
    op.completion_id = engine_.wait_for(to, by, what, at->variable, is_set, false);
    if (limited) engine_.has_time_limit(op.completion_id);
    return;
  }
  if (at && at->recorded) engine_.wait(to, by, what, at->node, attached);
  if (limited) {  // it may time out, which is to be reported
    op.completion_id = graph_ops_.add({what});
  }
}

inline void Submissions::submit_word_wait(sim::Op& op, order::Actor to, order::Actor by,
                                          const order::OpInfo& what) {
  const auto number = sync_.variable(*op.word_wait.word, what.what);
  const order::Access access = word_access(number->address, false);
  if (number->address != 0) group_.note_issue(to, true);
  op.completion_id =
      engine_.wait_for(to, by, what, number, test_of(op.word_wait.test), op.word_wait.test.clear,
                       {&access, number->address != 0 ? 1U : 0U});
  if (op.word_wait.timeout_ns != 0) engine_.has_time_limit(op.completion_id);
  sync_.keep_wait(*op.word_wait.word, {{to, engine_.last(to)}, what});
}

void Submissions::submit_sync(sim::Op& op, order::Actor to, const order::OpInfo& what) {
  const order::Actor by = actors_.host();
  switch (op.kind) {
    case sim::OpKind::record:
      return submit_record(op, to, by, what);
    case sim::OpKind::wait:
      return submit_wait(op, to, by, what);
    case sim::OpKind::reset:
      return submit_reset(op, to, by, what);
    case sim::OpKind::word_change: {
      const bool adds = op.word_change.how != sim::WordChange::set;
      op.completion_id =
          engine_.change(to, by, what, sync_.variable(*op.word_change.word, what.what),
                         update_of(op.word_change.how, op.word_change.value), adds);
      return;
    }
    case sim::OpKind::word_wait:
      return submit_word_wait(op, to, by, what);
    case sim::OpKind::host_call:
      op.completion_id = engine_.call(to, by, what, op.host_call.blocking);
      return;
    case sim::OpKind::control:
      return submit_launch(op, to, what);
    default:
      return;
  }
}

void Submissions::submit_reset(sim::Op& op, order::Actor to, order::Actor by,
                               const order::OpInfo& what) {
  SyncObjects::Attached& at = sync_.attached(*op.reset.signal);
  if (!at.variable) return;
  at.waited = at.stale = false;
  const auto clear = [](std::uint64_t) { return 0; };
  op.completion_id = engine_.change(to, by, what, at.variable, clear, false);
}

bool Submissions::submit_wait_at_once(const sim::WaitOp& wait, order::Actor to) {
  auto* const at = static_cast<SyncObjects::Attached*>(wait.signal->attached.get());
  if (!at || at->variable || !at->recorded || wait.timeout_ns != 0 || group_.on()) return false;
  return engine_.wait_at_once(to, actors_.host(), at->node);
}

void Submissions::report_flag(const order::OpInfo& what, const order::OpInfo& before) {
  order::Finding finding(order::Rule::flag_not_reset);
  finding.op_info = what;
  finding.other = before;
  finding.text = order::sentences::kFlagNotReset;
  reporter_.add(std::move(finding));
}

}  // namespace acl
