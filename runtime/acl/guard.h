// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cxxabi.h>

#include <new>

#include "device_sim/sanitizer.h"
#include "runtime/acl/error.h"
#include "runtime/acl/runtime.h"
#include "runtime/acl/thread_state.h"
#include "runtime/trace/timeline.h"

namespace acl {

/// Translates the exception that is being handled into a code, and leaves its text.
/// Never called for a thread's cancellation.
aclError report_current_exception(const char* function) noexcept;

/// Measures a call for the timeline, when there is one.
class ApiSpan {
 public:
  ApiSpan(Runtime& runtime, const char* function) noexcept
      : timeline_(runtime.timeline()), function_(function) {
    if (timeline_) [[unlikely]] {
      driver_ = &runtime.driver();
      start_ = driver_->now_ns();
    }
  }
  ~ApiSpan() {
    if (timeline_) [[unlikely]] timeline_->api_call(function_, start_, driver_->now_ns());
  }
  ApiSpan(const ApiSpan&) = delete;
  ApiSpan& operator=(const ApiSpan&) = delete;

 private:
  trace::Timeline* const timeline_;
  sim::Driver* driver_ = nullptr;
  const char* const function_;
  sim::Nanoseconds start_ = 0;
};

/// What stands around every C entry, once: the runtime is found, the call is traced, a controlled
/// schedule gets its turn, and whatever is thrown becomes a code and a text.
template <class Body>
SIM_CATCHES_FORCED_UNWIND aclError guarded(const char* function, Body&& body) {
  try {
    Runtime& runtime = Runtime::get();
    const ApiSpan span(runtime, function);
    if (runtime.config().system.schedule == sim::Schedule::seeded) [[unlikely]] {
      runtime.driver().yield_point();
    }
    body(runtime);
    return ACL_SUCCESS;
  } catch (abi::__forced_unwind&) {
    throw;  // the calling thread is being cancelled
  } catch (...) {
    return report_current_exception(function);
  }
}

/// The first beat of an entry: an output that may not be null.
template <class T>
T& require_out(T* out, const char* argument, aclError code = ACL_ERROR_INVALID_PARAM) {
  if (!out) fail(code, "{} is null; expected a place for the result", argument);
  return *out;
}

template <class T>
T require_input(T pointer, const char* argument, aclError code = ACL_ERROR_INVALID_PARAM) {
  if (!pointer) fail(code, "{} is null", argument);
  return pointer;
}

/// A timeout in milliseconds as programs give it: -1 never ends; 0 and below -1 are refused.
sim::Deadline deadline_of(std::int32_t timeout_ms, aclError code = ACL_ERROR_RT_PARAM_INVALID);

}  // namespace acl
