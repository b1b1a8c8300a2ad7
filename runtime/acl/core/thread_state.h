// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "acl/acl_rt.h"
#include "device_sim/base/per_thread.h"
#include "device_sim/base/ref.h"
#include "runtime/acl/core/stream.h"

namespace acl {

class Context;

/// What ACL keeps per host thread.
struct ThreadState {
  ThreadState();

  // The stream that this thread enqueued on last stays pinned, so that a row of calls on it costs
  // no locked instruction for the lookup.
  const void* recent_handle = nullptr;
  StreamTable::Pin recent_stream;

  sim::Ref<Context> context;  // may have been destroyed since: see current_context()
  aclError last_error = ACL_SUCCESS;
  std::string messages;       // of failed calls since the last read, newest first
  std::string read_message;   // what the caller of aclGetRecentErrMsg still looks at
  std::uint32_t thread_id;    // the kernel's
  aclmdlRICaptureMode capture_mode = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
  /// The task that the thread enqueued last; number 0: none yet.
  struct LastTask {
    std::uint32_t stream_id = 0;
    std::uint32_t task_id = 0;
    bool keeps_notes = false;
  } last_task;
  StreamTable::Pin core_limits_of;  // whose core limits the thread uses; may have ended since
  int kernel_depth = 0;       // inside a kernel that this thread runs

  // While anybody listens.
  const char* call = "";            // the entry that the thread is in, or was last
  const void* call_site = nullptr;  // and where the program called it
  std::uint64_t given_site = 0;     // the same as a binding says it; 0: it does not
};

/// Where the program made the call that the thread is in; 0: not known.
inline std::uint64_t call_site_of(const ThreadState& thread) noexcept {
  if (thread.given_site != 0) return thread.given_site;
  return reinterpret_cast<std::uintptr_t>(thread.call_site);
}

inline ThreadState& thread_state() { return sim::per_thread<ThreadState>(); }

/// Leaves a failed call's code and text for the thread to ask for.
void report_error(const char* function, aclError code, const char* text) noexcept;

}  // namespace acl
