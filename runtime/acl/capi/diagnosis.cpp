// SPDX-License-Identifier: Apache-2.0
#include <cstdarg>
#include <cstdio>

#include "runtime/acl/guard.h"
#include "runtime/acl/log.h"

using namespace acl;

namespace {

aclError read_last_error(aclrtLastErrLevel level, bool clear) {
  if (level != ACL_RT_THREAD_LEVEL) return ACL_ERROR_INVALID_PARAM;
  ThreadState& state = thread_state();
  const aclError error = state.last_error;
  if (clear) state.last_error = ACL_SUCCESS;
  return error;
}

}  // namespace

extern "C" {

aclError aclrtPeekAtLastError(aclrtLastErrLevel level) { return read_last_error(level, false); }

aclError aclrtGetLastError(aclrtLastErrLevel level) { return read_last_error(level, true); }

const char* aclGetRecentErrMsg() {
  ThreadState& state = thread_state();
  if (state.messages.empty()) return nullptr;
  state.read_message.swap(state.messages);
  state.messages.clear();
  return state.read_message.c_str();
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
