// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/base/error.h"

#include <atomic>
#include <deque>

#include "device_sim/base/mutex.h"

namespace acl {
namespace {

/// Failures that came with a code and a text of their own, by numbers.
class ToldFailures {
 public:
  struct Told {
    aclError code;
    std::string text;
  };
  std::int32_t add(Told told) {
    const sim::LockGuard guard(mutex_);
    kept_.push_back(std::move(told));
    if (kept_.size() > kMost) {
      kept_.pop_front();
      ++first_;
    }
    return first_ + static_cast<std::int32_t>(kept_.size()) - 1;
  }
  Told find(std::int32_t number) const {
    const sim::LockGuard guard(mutex_);
    const auto index = static_cast<std::size_t>(number - first_);
    if (number >= first_ && index < kept_.size()) return kept_[index];
    return {ACL_ERROR_RT_INTERNAL_ERROR, sim::describe(sim::Error::operation_failed)};
  }

 private:
  static constexpr std::size_t kMost = 4096;
  mutable sim::Mutex mutex_;
  std::deque<Told> kept_ GUARDED_BY(mutex_);
  std::int32_t first_ GUARDED_BY(mutex_) = 1;
};

// Never destroyed: streams may fail while the process ends.
ToldFailures& told_failures() {
  static auto& table = *new ToldFailures;
  return table;
}

}  // namespace

sim::Failure make_failure(aclError code, std::string text) {
  return {sim::Error::operation_failed, told_failures().add({code, std::move(text)})};
}

aclError code_of(sim::Failure failure) noexcept {
  if (failure.error == sim::Error::kernel_failed) {
    return failure.detail > 0 ? failure.detail : ACL_ERROR_RT_VECTOR_CORE_EXCEPTION;
  }
  if (failure.error == sim::Error::operation_failed) {
    return told_failures().find(failure.detail).code;
  }
  return code_of(failure.error);
}

aclError code_of(sim::Error error) noexcept {
  switch (error) {
    case sim::Error::none:
      return ACL_SUCCESS;
    case sim::Error::kernel_failed:
      return ACL_ERROR_RT_VECTOR_CORE_EXCEPTION;
    case sim::Error::kernel_timeout:
      return ACL_ERROR_RT_AICORE_TIMEOUT;
    case sim::Error::host_call_failed:
    case sim::Error::host_call_dropped:
      return ACL_ERROR_RT_INTERNAL_ERROR;
    case sim::Error::wait_timeout:
      return ACL_ERROR_RT_WAIT_TIMEOUT;
    case sim::Error::aborted:
      return ACL_ERROR_RT_STREAM_ABORT;
    case sim::Error::out_of_memory:
      return ACL_ERROR_RT_MEMORY_ALLOCATION;
    case sim::Error::invalid_argument:
      return ACL_ERROR_RT_PARAM_INVALID;
    case sim::Error::no_such_device:
      return ACL_ERROR_RT_INVALID_DEVICEID;
    case sim::Error::not_found:
      return ACL_ERROR_RT_PARAM_INVALID;
    case sim::Error::no_thread:
      return ACL_ERROR_RT_RESOURCE_ALLOC_FAIL;
    case sim::Error::operation_failed:
      return ACL_ERROR_RT_INTERNAL_ERROR;
  }
  return ACL_ERROR_RT_INTERNAL_ERROR;
}

/// The text of a code with which tasks other than kernels fail; null for other codes.
static const char* text_of_task(aclError code) noexcept {
  switch (code) {
    case ACL_ERROR_RT_DRV_INTERNAL_ERROR:
      return "a wait ended without what it waited for: the process that was to bring it has ended, "
             "or the memory is gone";
    case ACL_ERROR_RT_LABEL_CONTEXT:
      return "a switch led to a label that is not in its model";
    case ACL_ERROR_RT_SYS_DMA:
      return "a copy or cache operation was led to what it cannot use";
    default:
      return nullptr;
  }
}

static std::atomic<std::string (*)(std::uint16_t)> fault_text{nullptr};

void describe_faults(std::string (*text_of_fault)(std::uint16_t number)) {
  fault_text.store(text_of_fault, std::memory_order_release);
}

std::string text_of(sim::Failure failure) {
  auto* const of_fault = fault_text.load(std::memory_order_acquire);
  if (failure.fault != 0 && of_fault) return of_fault(failure.fault);
  if (failure.error == sim::Error::kernel_failed && failure.detail > 0) {
    if (const char* const text = text_of_task(failure.detail)) return text;
    return fmt::format("a kernel failed with device error {}", failure.detail);
  }
  if (failure.error == sim::Error::operation_failed) {
    return told_failures().find(failure.detail).text;
  }
  return sim::describe(failure.error);
}

}  // namespace acl
