// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cxxabi.h>

#include <new>

#include "device_sim/base/sanitizer.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/trace/sink.h"

namespace acl {

/// Translates the exception that is being handled into a code, and leaves its text.
/// Never called for a thread's cancellation.
aclError report_current_exception(const char* function) noexcept;

/// An entry, and where the program called it. Made from the entry's __func__, in its frame.
struct Caller {
  // NOLINTNEXTLINE: it stands for the name.
  Caller(const char* name, const void* from = __builtin_return_address(0)) noexcept
      : function(name), site(from) {}
  const char* function;
  const void* site;
};

/// A controlled schedule chooses here who goes on and what moves, an injected fault raises its code.
bool others_attend_call(Runtime& runtime, Caller caller);

/// Where a call begins and somebody attends to that. True when the schedule is to choose behind the
/// call's work too.
[[gnu::always_inline]] inline bool attend_call(Runtime& runtime, Caller caller) {
  ThreadState& thread = thread_state();
  thread.call = caller.function;  // for what the checker and recordings tell
  thread.call_site = caller.site;
  return runtime.others_attend() && others_attend_call(runtime, caller);
}

/// Measures a call for who records, when anybody does.
class ApiSpan {
 public:
  ApiSpan(Runtime& runtime, const char* function) noexcept
      : sink_(runtime.sink()), function_(function) {
    if (sink_) [[unlikely]] {
      driver_ = &runtime.driver();
      start_ = driver_->now_ns();
    }
  }
  ~ApiSpan() {
    if (sink_) [[unlikely]] sink_->api_call(function_, start_, driver_->now_ns());
  }
  ApiSpan(const ApiSpan&) = delete;
  ApiSpan& operator=(const ApiSpan&) = delete;

 private:
  trace::Sink* const sink_;
  sim::Driver* driver_ = nullptr;
  const char* const function_;
  sim::Nanoseconds start_ = 0;
};

/// What stands around every C entry, once: the runtime is found, the call is traced, a controlled
/// schedule gets its turn, and whatever is thrown becomes a code and a text.
template <class Body>
SIM_CATCHES_FORCED_UNWIND aclError guarded(Caller caller, Body&& body) {
  try {
    Runtime& runtime = Runtime::get();
    const ApiSpan span(runtime, caller.function);
    const bool chose = runtime.attends_calls() && attend_call(runtime, caller);
    body(runtime);
    if (chose) [[unlikely]] runtime.driver().yield_behind();
    return ACL_SUCCESS;
  } catch (abi::__forced_unwind&) {
    throw;  // the calling thread is being cancelled
  } catch (...) {
    return report_current_exception(caller.function);
  }
}

/// As guarded, for an entry that returns a value: `otherwise` after a failure.
template <class T, class Body>
T guarded_value(Caller caller, T otherwise, Body&& body) {
  T result = otherwise;
  guarded(caller, [&](Runtime& runtime) { result = body(runtime); });
  return result;
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
/// The same where 0 means now or never.
sim::Deadline deadline_or_now(std::int32_t timeout_ms, aclError code = ACL_ERROR_INVALID_PARAM);

}  // namespace acl
