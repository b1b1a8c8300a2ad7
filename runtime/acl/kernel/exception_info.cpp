// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/kernel/exception_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <new>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/log.h"
#include "runtime/acl/kernel/kernel_launch.h"

namespace acl {
namespace {

// Never destroyed: callbacks may run while the process ends. A handle is looked up without memory.
ExceptionTable& exceptions() noexcept {
  alignas(ExceptionTable) static std::byte place[sizeof(ExceptionTable)];
  static auto& table = *new (place) ExceptionTable;
  return table;
}

/// Ends a handle, also where a callback throws or ends its thread.
class Ending {
 public:
  explicit Ending(const aclrtExceptionInfo* handle) noexcept : handle_(handle) {}
  ~Ending() {
    if (const auto pin = ToldFailure::find(handle_)) exceptions().remove(pin);
  }
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;

 private:
  const aclrtExceptionInfo* const handle_;
};

}  // namespace

ExceptionTable::Pin ToldFailure::find(const aclrtExceptionInfo* handle) noexcept {
  return exceptions().find(handle);
}

void ToldFailure::tell() {
  auto* const handle =
      static_cast<aclrtExceptionInfo*>(exceptions().add(sim::Ref<ToldFailure>::share(this)));
  const Ending ending(handle);
  for (const aclrtExceptionInfoCallback callback : callbacks_) callback(handle);
  if (of_binary_.function) of_binary_.function(handle, of_binary_.user_data);
}

void ExceptionCallbacks::set_slot(aclrtExceptionInfoCallback callback) {
  const sim::LockGuard guard(mutex_);
  slot_ = callback;
}

void ExceptionCallbacks::add(aclrtExceptionInfoCallback callback) {
  const sim::LockGuard guard(mutex_);
  if (std::find(set_.begin(), set_.end(), callback) == set_.end()) set_.push_back(callback);
}

void ExceptionCallbacks::remove(aclrtExceptionInfoCallback callback) {
  const sim::LockGuard guard(mutex_);
  std::erase(set_, callback);
}

void ExceptionCallbacks::reset() {
  const sim::LockGuard guard(mutex_);
  slot_ = nullptr;
  set_.clear();
}

std::vector<aclrtExceptionInfoCallback> ExceptionCallbacks::current() const {
  const sim::LockGuard guard(mutex_);
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
  const auto told = sim::make_ref<ToldFailure>(info, std::move(callbacks), of_binary);
  try {
    lane = &crew_.lane();
  } catch (const sim::MachineError& error) {
    if (!told_.exchange(true)) notice(fmt::format("no failure is told of: {}", error.what()));
    return false;
  }
  item.function = [](void* failure) { static_cast<ToldFailure*>(failure)->tell(); };
  item.argument = told.get();
  item.owner = told;
  return true;
}

}  // namespace acl
