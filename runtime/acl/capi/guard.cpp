// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/capi/guard.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "runtime/acl/capi/unsupported.h"
#include "runtime/acl/check/checker.h"
#include "runtime/acl/faults/fault_injector.h"
#include "runtime/acl/record/recorder.h"

namespace acl {

aclError report_current_exception(const char* function) noexcept {
  try {
    throw;
  } catch (const AclError& error) {
    report_error(function, error.code(), error.what());
    if (Runtime* const runtime = Runtime::existing(); runtime && runtime->checker()) {
      runtime->checker()->failed(function, error.code(), error.what());
    }
    return error.code();
  } catch (const sim::MachineError& error) {
    const aclError code = code_of(error.error());
    report_error(function, code, error.what());
    return code;
  } catch (const std::bad_alloc&) {
    report_error(function, ACL_ERROR_RT_MEMORY_ALLOCATION, "the host is out of memory");
    return ACL_ERROR_RT_MEMORY_ALLOCATION;
  } catch (const std::exception& error) {
    report_error(function, ACL_ERROR_RT_INTERNAL_ERROR, error.what());
  } catch (...) {
    report_error(function, ACL_ERROR_RT_INTERNAL_ERROR, "an unknown exception");
  }
  return ACL_ERROR_RT_INTERNAL_ERROR;
}

// Calls that neither see nor change what streams do are no points of choice: a thread that serves
// callbacks makes them at moments of its own.
static bool take_turn(Runtime& runtime, const char* function) {
  static constexpr std::string_view kNoChoice[] = {
      "aclrtProcessReport", "aclrtProcessHostFunc",    "aclrtSetDevice",
      "aclrtGetDevice",     "aclrtSetCurrentContext",  "aclrtGetCurrentContext",
      "aclsimGetStats",     "aclrtPeekAtLastError",    "aclrtGetLastError",
      "aclsimGetMachine",
  };
  const auto same = [&](std::string_view name) { return name == function; };
  if (std::any_of(std::begin(kNoChoice), std::end(kNoChoice), same)) return false;
  runtime.driver().yield_point();
  return true;
}

bool others_attend_call(Runtime& runtime, Caller caller) {
  if (Recorder* const recorder = runtime.recorder()) recorder->call_begins();
  const bool seeded = runtime.config().system.schedule == sim::Schedule::seeded;
  const bool chose = seeded && take_turn(runtime, caller.function);
  if (FaultInjector* const faults = runtime.faults()) faults->before_call(caller.function);
  return chose;
}

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
