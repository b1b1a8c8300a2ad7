// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cxxabi.h>

#include <cstdint>
#include <new>

#include "device_sim/base/sanitizer.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/watch/registry.h"

namespace acl {

/// Translates the exception that is being handled into a code, and leaves its text.
/// Never called for a thread's cancellation.
aclError report_current_exception(const char* function) noexcept;

/// Reports to listeners that the program's call of another library has failed. `code_of_library`:
/// an address in the code of that library.
void tell_library_failure(const char* function, std::int32_t code, const char* text,
                          const void* code_of_library);

/// The place at which the program called an entry, in one word. Made in the frame of the entry, and
/// valid during the call.
class CallPlace {
 public:
  struct Here {};
#if defined(__x86_64__)
  // The canonical frame address: the word before it has the return address.
  [[gnu::always_inline]] explicit CallPlace(Here = {},
                                            const void* frame = __builtin_dwarf_cfa()) noexcept
      : word_(frame) {}
  const void* site() const noexcept { return static_cast<const void* const*>(word_)[-1]; }
  const void* frame() const noexcept { return word_; }
  /// A place of which the return address alone is known; valid as long as `site`.
  static CallPlace of(const void* const& site) noexcept { return CallPlace(Here(), &site + 1); }
#else
  [[gnu::always_inline]] explicit CallPlace(Here = {},
                                            const void* site = __builtin_return_address(0)) noexcept
      : word_(site) {}
  const void* site() const noexcept { return word_; }
  const void* frame() const noexcept { return nullptr; }
  static CallPlace of(const void* const& site) noexcept { return CallPlace(Here(), site); }
#endif

 private:
  const void* word_;
};

/// An entry, and where the program called it. Made from the entry's __func__, in its frame.
struct Caller {
  // Callers pass the name only.
  Caller(const char* name, CallPlace from = CallPlace()) noexcept : function(name), place(from) {}
  const char* function;
  CallPlace place;
};

/// The attention of listeners and interveners to one call. Reads one word while none attends.
class CallScope {
 public:
  [[gnu::always_inline]] CallScope(Runtime& runtime, Caller caller) {
    const unsigned attention = watch::attention();
    if (attention == 0) [[likely]]
      return;
    ThreadState& thread = thread_state();
    if (!thread.has_called) [[unlikely]]
      thread.calls_first();
    if (!thread.in_library_call) [[likely]] {
      thread.call = caller.function;
      thread.call_site = caller.place.site();
      thread.call_frame = caller.place.frame();
    }
    if (attention != watch::kActs) begin(runtime, caller.function, attention);
  }
  /// Behind the call's work, when it did not fail.
  void succeeded() {
    if (asked_) [[unlikely]]
      watch::intervener()->after_call();
  }
  ~CallScope() {
    if (spans_) [[unlikely]]
      end();
  }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  void begin(Runtime& runtime, const char* function, unsigned attention);
  void end() noexcept;

  bool asked_ = false;                   // an intervener wants to be asked behind the work too
  trace_output::Sink* spans_ = nullptr;  // the sink that measures the call
  sim::Driver* driver_;                  // the rest is set with `spans_`
  const char* function_;
  sim::Nanoseconds start_;
};

/// The frame of every C entry: it finds the runtime, announces the call to listeners and
/// interveners, and turns an exception into a code and a text.
template <class Body>
SIM_CATCHES_FORCED_UNWIND aclError guarded(Caller caller, Body&& body) {
  try {
    Runtime& runtime = Runtime::get();
    CallScope scope(runtime, caller);
    body(runtime);
    scope.succeeded();
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
  if (!out) [[unlikely]] {
    fail(code, "{} is null; expected a place for the result", argument);
  }
  return *out;
}

template <class T>
T require_input(T pointer, const char* argument, aclError code = ACL_ERROR_INVALID_PARAM) {
  if (!pointer) [[unlikely]]
    fail(code, "{} is null", argument);
  return pointer;
}

/// A timeout in milliseconds as programs give it: -1 never ends; 0 and below -1 are refused.
sim::Deadline deadline_of(std::int32_t timeout_ms, aclError code = ACL_ERROR_RT_PARAM_INVALID);
/// The same where 0 means now or never.
sim::Deadline deadline_or_now(std::int32_t timeout_ms, aclError code = ACL_ERROR_INVALID_PARAM);

}  // namespace acl
