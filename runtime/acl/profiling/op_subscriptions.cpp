// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/profiling/op_subscriptions.h"

#include <algorithm>
#include <new>
#include <utility>

#include "acl/acl_sim.h"
#include "device_sim/base/mutex.h"
#include "device_sim/streams/op.h"
#include "device_sim/streams/program.h"
#include "device_sim/streams/stream.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/trace/task_text.h"

namespace acl {

bool OpSubscriptions::any() const {
  const sim::SharedLock guard(mutex_);
  return !subscriptions_.empty();
}

void OpSubscriptions::subscribe(std::uint32_t model, const SubscribeConfig& config) {
  const sim::LockGuard alone(control_);
  if (subscriptions_.count(model) != 0) {
    fail(ACL_ERROR_PROF_REPEAT_SUBSCRIBE, "modelId is {}, which is subscribed already", model);
  }
  auto subscription = std::make_unique<Subscription>(config.times, config.fd);
  const bool first = subscriptions_.empty();
  {
    const sim::LockGuard guard(mutex_);
    subscriptions_[model] = std::move(subscription);
  }
  if (first) watch::add_sink(*this);
}

void OpSubscriptions::unsubscribe(std::uint32_t model) {
  const sim::LockGuard alone(control_);
  const auto found = subscriptions_.find(model);
  if (found == subscriptions_.end()) {
    fail(ACL_ERROR_INVALID_PARAM, "modelId is {}, which is not subscribed", model);
  }
  if (subscriptions_.size() == 1) watch::remove_sink(*this);
  std::unique_ptr<Subscription> ended;  // the rest goes through the pipe without the lock
  const sim::LockGuard guard(mutex_);
  ended = std::move(found->second);
  subscriptions_.erase(found);
  const int source = ended->pipe.source();
  const bool used = std::any_of(subscriptions_.begin(), subscriptions_.end(), [&](const auto& row) {
    return row.second->pipe.source() == source;
  });
  if (!used) ended->pipe.close_source();
}

void OpSubscriptions::end_all() {
  const sim::LockGuard alone(control_);
  if (subscriptions_.empty()) return;
  watch::remove_sink(*this);
  const sim::LockGuard guard(mutex_);
  subscriptions_.clear();
}

void OpSubscriptions::reset() {
  end_all();
  configs_.for_each([&](const SubscribeConfigTable::Pin& config) { configs_.remove(config); });
}

void OpSubscriptions::tell(std::uint32_t model, const sim::Op& op, sim::Nanoseconds start,
                           sim::Nanoseconds end) {
  const auto found = subscriptions_.find(model);
  if (found == subscriptions_.end()) return;
  const trace_output::TaskText text = trace_output::describe(op);
  OpRecord record = make_op_record(model, text.type, text.name, text.thread_id);
  if (found->second->times) {
    record.start_ns = start;
    record.end_ns = end;
  }
  try {
    found->second->pipe.send(record);
  } catch (const std::bad_alloc&) {
    // The thread is the machine's: the subscriber misses one task.
  }
}

void OpSubscriptions::finished(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                               sim::Nanoseconds start, sim::Nanoseconds end) {
  // A task that never ran, or that only leads to other tasks, is not reported.
  if (failure.error == sim::Error::aborted || sim::only_leads(op)) return;
  const sim::SharedLock guard(mutex_);
  tell(ACLSIM_ALL_TASKS, op, start, end);
  if (const std::uint32_t graph = stream.program_label()) tell(graph, op, start, end);
}

}  // namespace acl
