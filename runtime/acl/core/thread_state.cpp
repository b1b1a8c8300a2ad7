// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/core/thread_state.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "device_sim/base/per_thread.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/base/log.h"
#include "runtime/acl/core/context.h"
#include "runtime/acl/core/messages.h"
#include "runtime/acl/watch/host_threads.h"
#include "runtime/acl/watch/registry.h"

namespace acl {
namespace {

/// Codes of the runtime proper; the layer above it (1000xx) leaves the last error alone.
bool sets_last_error(aclError code) { return code >= ACL_ERROR_RT_PARAM_INVALID; }

}  // namespace

ThreadState::ThreadState() : thread_id(static_cast<std::uint32_t>(syscall(SYS_gettid))) {}

ThreadState::~ThreadState() {
  if (has_called && watch::listener()) watch::calling_thread_ends();
}

void ThreadState::calls_first() {
  has_called = true;
  watch::thread_has_called();
}

void report_error(const char* function, aclError code, const char* text) noexcept {
  try {
    if (sets_last_error(code)) thread_state().last_error = code;
    const std::string line = fmt::format("{}: {} [{}]", function, text, code);
    log(ACL_ERROR, line);
    keep_message(line);
  } catch (...) {
    // Out of memory while reporting: the code itself still gets through.
  }
}

}  // namespace acl
