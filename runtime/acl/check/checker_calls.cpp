// SPDX-License-Identifier: Apache-2.0
// What the machine tells: items that are over, and functions of the program that it calls.
#include <cstddef>
#include <utility>

#include "device_sim/base/mutex.h"
#include "device_sim/streams/stream.h"
#include "runtime/acl/check/checker.h"
#include "runtime/acl/check/op_accesses.h"
#include "runtime/acl/core/runtime.h"

namespace acl {

// What a failure dropped, or the loss of the device, was for nobody to serve, unlike what the
// program itself gives up with its stream.
bool Checker::was_expected(const sim::Stream& stream) const {
  if (!stream.abandoned() || stream.stopped_by_failure()) return false;
  return runtime_.device_block(stream.device()).load(std::memory_order_acquire) == nullptr;
}

void Checker::task_ended(sim::Stream& stream, const sim::Op& op, sim::Failure failure) {
  const bool in_graph = stream.in_program() || (op.completion_id & kInGraph) != 0;
  // The end of a function is reported by `function_ended`.
  if (op.kind == sim::OpKind::host_call && !failure && !in_graph) return;
  const Entry guard(*this);
  if (failure.error == sim::Error::wait_timeout) {
    order::Finding finding(order::Rule::wait_timed_out);
    const Template* const from = template_of(op.completion_id);
    finding.op_info = from ? from->op_info : engine_.op_info_of(op.completion_id);
    finding.text = "{it} timed out; it orders nothing before the operations that follow";
    add(std::move(finding));
  }
  if (stream.in_program()) {
    if (!failure) ran_in_graph(stream, op);
  } else if ((op.completion_id & kInGraph) == 0) {
    if (group_log_) report_end_to_group(stream, op, failure);
    operation_completed(op, failure);
    if (is_observed(op)) observed_kernel_ended(stream, op);
    if (failure.error == sim::Error::aborted) {
      engine_.dropped(op.completion_id, was_expected(stream));
    } else {
      engine_.happened(op.completion_id, failure.error != sim::Error::none);
    }
  }
}

// Callbacks are many and mostly do nothing that matters here. Such a one is reported by its end
// alone, and taken in by whoever enters next: its thread does not have to wait for the others.
void Checker::function_begins(const sim::Stream& stream, std::uint32_t completion_id) {
  CheckThread& thread = check_thread();
  thread.in_callback = true;
  thread.touched_nothing = {};
  thread.begun.set({completion_id, stream.id()});
  // What it may write from now on is not to be taken for the content before.
  if (host_buffers_.empty()) return;
  const Entry takes_it(*this);
  host_buffers_.function_begins([&](const HostBuffers::Buffer& buffer) { tell_changed(buffer); });
}

void Checker::function_ended(const sim::Stream& stream, std::uint32_t completion_id) {
  CheckThread& thread = check_thread();
  thread.serves_stream = 0;
  thread.in_callback = false;
  close_pages_again();
  const bool in_graph = (completion_id & kInGraph) != 0;
  const bool may_have_filled = !host_buffers_.empty();
  if (!in_graph && !may_have_filled && thread.begun.get().completion_id == completion_id &&
      thread.generation == generation_.load(std::memory_order_relaxed)) {
    thread.had_quiet_calls = true;
    return put_off(thread);
  }
  const Entry guard(*this);
  if (may_have_filled) host_buffers_.function_ends();
  if (!in_graph) return end_call(completion_id, host());
  engine_.run_call_ends(actor(stream.id()), host(), template_of(completion_id)->blocking);
}

void Checker::put_off(CheckThread& thread) {
  constexpr std::size_t kMany = 1024;
  std::size_t count = 0;
  {
    const sim::LockGuard guard(quiet_lock_);
    if (thread.generation == generation_) {  // else it ended while everything was reset
      order::Engine::Call& call = quiet_calls_.emplace_back();
      call.completion_id = thread.begun.get().completion_id;
      call.host = thread.actor;
      some_quiet_.store(true, std::memory_order_release);
    }
    count = quiet_calls_.size();
    thread.begun.set({});  // not before: `begun_calls` finds the call here or there
  }
  if (count >= kMany) const Entry takes_them(*this);
}

void Checker::take_these_quiet_calls() {
  {
    const sim::LockGuard guard(quiet_lock_);
    taken_calls_.swap(quiet_calls_);
    some_quiet_.store(false, std::memory_order_relaxed);
  }
  engine_.called(taken_calls_);
  if (!host_buffers_.empty()) {
    for (const auto& call : taken_calls_) {
      settle_buffers([&](order::Epoch epoch) { return engine_.has_covered(call.host, epoch); });
    }
  }
  taken_calls_.clear();
}

// What a thread did in a call may have told another one of the stream's order before the call's end
// is known here.
std::vector<order::Engine::Begun> Checker::begun_calls() {
  std::vector<order::Engine::Begun> calls;
  for (const BegunCall& call : BegunCallSlot::all()) {
    if (!template_of(call.completion_id)) {
      calls.push_back({call.completion_id, 0});
    } else if (call.stream < stream_actors_.size() && stream_actors_[call.stream] != 0) {
      calls.push_back({0, stream_actors_[call.stream] - 1});
    }
  }
  const sim::LockGuard guard(quiet_lock_);
  for (const order::Engine::Call& call : quiet_calls_) calls.push_back({call.completion_id, 0});
  return calls;
}

// The thread of a callback does something: now its begin matters.
void Checker::take_begun_call() {
  CheckThread& thread = check_thread();
  const auto [completion_id, stream] = thread.begun.get();
  thread.begun.set({});
  const Template* const from = template_of(completion_id);
  if (from ? from->blocking : engine_.blocks(completion_id)) thread.serves_stream = stream + 1;
  if (from) return engine_.run_call_begins(actor(stream), host());
  begin_call(completion_id, host());
}

void Checker::begin_call(std::uint32_t completion_id, order::Actor by) {
  engine_.call_begins(completion_id, by);
  settle_buffers(by);
}

void Checker::end_call(std::uint32_t completion_id, order::Actor by) {
  engine_.call_ends(completion_id, by);
  engine_.happened(completion_id, false);
}

}  // namespace acl
