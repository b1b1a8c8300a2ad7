// SPDX-License-Identifier: Apache-2.0
#include <cstdarg>
#include <cstdio>

#include "runtime/acl/base/log.h"
#include "runtime/acl/capi/guard.h"
#include "runtime/acl/core/messages.h"

using namespace acl;

namespace {

void tell_errors_read() {
  if (auto* const listener = watch::listener()) listener->errors_read();
}

// Not guarded: the call needs no machine, and the code that it returns is not a failure of this
// call.
aclError read_last_error(const char* function, aclrtLastErrLevel level, bool clear) {
  try {
    if (level != ACL_RT_THREAD_LEVEL) {
      fail(ACL_ERROR_INVALID_PARAM, "level is {}; expected ACL_RT_THREAD_LEVEL (0)",
           static_cast<int>(level));
    }
  } catch (...) {
    return report_current_exception(function);
  }
  tell_errors_read();
  ThreadState& state = thread_state();
  const aclError error = state.last_error;
  if (clear) state.last_error = ACL_SUCCESS;
  return error;
}

}  // namespace

extern "C" {

aclError aclrtPeekAtLastError(aclrtLastErrLevel level) {
  return read_last_error(__func__, level, false);
}

aclError aclrtGetLastError(aclrtLastErrLevel level) {
  return read_last_error(__func__, level, true);
}

const char* aclGetRecentErrMsg() {
  tell_errors_read();
  return take_messages();
}

void aclAppLog(aclLogLevel level, const char* func, const char* file, uint32_t line,
               const char* fmt, ...) {
  if (!fmt) return;
  char text[1024];
  va_list arguments;
  va_start(arguments, fmt);
  std::vsnprintf(text, sizeof text, fmt, arguments);
  va_end(arguments);
  log(level, fmt::format("{}:{} {}: {}", file ? file : "?", line, func ? func : "?", text));
}

}  // extern "C"
