// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/kernel/exception_info.h"

#include <algorithm>
#include <memory>

#include "runtime/acl/kernel/kernel_launch.h"

namespace acl {
namespace {

struct Call {
  aclrtExceptionInfo info;
  std::vector<aclrtExceptionInfoCallback> callbacks;
  OpExceptionCallback of_binary;
};

// Never destroyed: callbacks may run while the process ends.
struct LiveExceptions {
  std::mutex mutex;
  std::vector<const aclrtExceptionInfo*> infos;
};

LiveExceptions& live_exceptions() {
  static auto& live = *new LiveExceptions;
  return live;
}

void run(void* argument) {
  const std::unique_ptr<Call> call(static_cast<Call*>(argument));
  const LiveException live(call->info);
  for (const aclrtExceptionInfoCallback callback : call->callbacks) callback(&call->info);
  if (call->of_binary.function) call->of_binary.function(&call->info, call->of_binary.user_data);
}

}  // namespace

LiveException::LiveException(const aclrtExceptionInfo& info) : info_(info) {
  LiveExceptions& live = live_exceptions();
  const std::lock_guard guard(live.mutex);
  live.infos.push_back(&info_);
}

LiveException::~LiveException() {
  LiveExceptions& live = live_exceptions();
  const std::lock_guard guard(live.mutex);
  std::erase(live.infos, &info_);
}

std::mutex& LiveException::mutex() { return live_exceptions().mutex; }

bool LiveException::is_live(const aclrtExceptionInfo* info) {
  const auto& infos = live_exceptions().infos;
  return std::find(infos.begin(), infos.end(), info) != infos.end();
}

void ExceptionCallbacks::set_slot(aclrtExceptionInfoCallback callback) {
  const std::lock_guard guard(mutex_);
  slot_ = callback;
}

void ExceptionCallbacks::add(aclrtExceptionInfoCallback callback) {
  const std::lock_guard guard(mutex_);
  if (std::find(set_.begin(), set_.end(), callback) == set_.end()) set_.push_back(callback);
}

void ExceptionCallbacks::remove(aclrtExceptionInfoCallback callback) {
  const std::lock_guard guard(mutex_);
  std::erase(set_, callback);
}

void ExceptionCallbacks::reset() {
  const std::lock_guard guard(mutex_);
  slot_ = nullptr;
  set_.clear();
}

std::vector<aclrtExceptionInfoCallback> ExceptionCallbacks::current() const {
  const std::lock_guard guard(mutex_);
  std::vector<aclrtExceptionInfoCallback> callbacks = set_;
  if (slot_) callbacks.insert(callbacks.begin(), slot_);
  return callbacks;
}

bool ExceptionCallbacks::prepare(const aclrtExceptionInfo& info, sim::HostLane*& lane,
                                 sim::HostLane::Item& item) {
  std::vector<aclrtExceptionInfoCallback> callbacks = current();
  OpExceptionCallback of_binary;
  if (info.launch) of_binary = info.launch->function().binary().exception_callback();
  if (callbacks.empty() && !of_binary.function) return false;
  lane = &crew_.lane();
  item.function = run;
  item.argument = new Call{info, std::move(callbacks), of_binary};
  return true;
}

}  // namespace acl
