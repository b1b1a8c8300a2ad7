// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/capi/guard.h"

#include <set>
#include <string>

#include "device_sim/base/mutex.h"
#include "runtime/acl/capi/unsupported.h"
#include "runtime/acl/watch/stacks.h"

namespace acl {

namespace {

aclError reported(const char* function, aclError code, const char* text,
                  const void* handle = nullptr) noexcept {
  report_error(function, code, text);
  try {
    if (auto* const listener = watch::listener()) {
      if (handle) listener->no_object_found(handle);
      listener->call_failed(code, text);
    }
  } catch (...) {
    // The code itself still gets through.
  }
  return code;
}

}  // namespace

aclError report_current_exception(const char* function) noexcept {
  try {
    throw;
  } catch (const AclError& error) {
    return reported(function, error.code(), error.what(), error.handle());
  } catch (const sim::MachineError& error) {
    return reported(function, code_of(error.error()), error.what());
  } catch (const std::bad_alloc&) {
    return reported(function, ACL_ERROR_RT_MEMORY_ALLOCATION, "the host is out of memory");
  } catch (const std::exception& error) {
    return reported(function, ACL_ERROR_RT_INTERNAL_ERROR, error.what());
  } catch (...) {
    return reported(function, ACL_ERROR_RT_INTERNAL_ERROR, "an unknown exception");
  }
}

namespace {

/// A copy that lives as long as the process.
const char* kept(const char* name) {
  static sim::Mutex mutex;
  static auto& names = *new std::set<std::string>;
  const sim::LockGuard guard(mutex);
  return names.insert(name).first->c_str();
}

}  // namespace

// From here on the thread's last call is the program's, not one that the library made for it.
void tell_library_failure(const char* function, std::int32_t code, const char* text,
                          const void* code_of_library) {
  auto* const listener = watch::listener();
  if (!listener) return;
  ThreadState& thread = thread_state();
  if (!thread.has_called) thread.calls_first();
  thread.call = kept(function);
  thread.call_site = reinterpret_cast<const void*>(call_of_library(code_of_library));
  thread.call_frame = nullptr;
  listener->library_call_failed(code, text);
}

void CallScope::begin(Runtime& runtime, const char* function, unsigned attention) {
  trace_output::Sink* const spans = watch::spans();
  if (spans && !thread_state().in_library_call) {
    driver_ = &runtime.driver();
    function_ = function;
    start_ = driver_->now_ns();
    spans_ = spans;
  }
  if ((attention & watch::kCallBegins) == 0) return;
  try {
    if (auto* const listener = watch::listener()) listener->call_begins();
    if (auto* const intervener = watch::intervener()) asked_ = intervener->before_call(function);
  } catch (...) {  // the call is refused, and has taken its time all the same
    if (spans_) end();
    throw;
  }
}

void CallScope::end() noexcept { spans_->api_call(function_, start_, driver_->now_ns()); }

sim::Deadline deadline_of(std::int32_t timeout_ms, aclError code) {
  if (timeout_ms == -1) return sim::Deadline::never();
  if (timeout_ms <= 0) {
    fail(code, "timeout is {} ms; expected -1 (no limit) or more than 0", timeout_ms);
  }
  return sim::Deadline::in(std::chrono::milliseconds(timeout_ms));
}

sim::Deadline deadline_or_now(std::int32_t timeout_ms, aclError code) {
  if (timeout_ms == 0) return sim::Deadline::in(std::chrono::nanoseconds(0));
  if (timeout_ms < -1) {
    fail(code, "timeout is {} ms; expected -1 (no limit), 0 (do not wait) or more", timeout_ms);
  }
  return deadline_of(timeout_ms, code);
}

aclError refuse_unsupported(const char* function, const char* feature) noexcept {
  return guarded(function, [&](Runtime&) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "not emulated: {}", feature);
  });
}

}  // namespace acl
