// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "acl/acl_base.h"
#include "device_sim/ref.h"
#include "runtime/acl/stream.h"

namespace acl {

class Context;

/// What ACL keeps per host thread.
struct ThreadState {
  ThreadState();
  ~ThreadState();

  // The stream that this thread enqueued on last stays pinned, so that a row of calls on it costs
  // no locked instruction for the lookup.
  const void* recent_handle = nullptr;
  StreamTable::Pin recent_stream;

  sim::Ref<Context> context;  // may have been destroyed since: see current_context()
  aclError last_error = ACL_SUCCESS;
  std::string messages;       // of failed calls since the last read, newest first
  std::string read_message;   // what the caller of aclGetRecentErrMsg still looks at
  std::uint32_t thread_id;    // the kernel's
  int kernel_depth = 0;       // inside a kernel that this thread runs
};

ThreadState& thread_state();

/// Leaves a failed call's code and text for the thread to ask for.
void report_error(const char* function, aclError code, const char* text) noexcept;

}  // namespace acl
