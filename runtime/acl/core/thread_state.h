// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "acl/acl_rt.h"
#include "device_sim/base/per_thread.h"
#include "device_sim/base/ref.h"
#include "runtime/acl/core/context.h"
#include "runtime/acl/core/stream.h"

namespace acl {

/// The state of ACL for each host thread.
struct ThreadState {
  ThreadState();
  ~ThreadState();
  ThreadState(const ThreadState&) = delete;
  ThreadState& operator=(const ThreadState&) = delete;
  /// The thread makes its first call that is reported to a listener.
  void calls_first();

  // The streams that this thread enqueued on last stay pinned, so that calls on them cost no locked
  // instruction for the lookup. A handle has its place by its lowest slot bits; null is a context's
  // default stream.
  static constexpr char kNoStream = 0;
  static constexpr const void* kNoHandle = &kNoStream;
  struct RecentStream {
    const void* handle = kNoHandle;
    StreamTable::Pin pin;
    Stream* stream = nullptr;  // the pinned one
  };
  static constexpr std::size_t kRecentStreams = 4;
  std::array<RecentStream, kRecentStreams> recent_streams;
  RecentStream& recent(std::uint32_t slot) noexcept {
    return recent_streams[slot % kRecentStreams];
  }

  sim::Ref<Context> context;  // may have been destroyed since: see current_context()
  aclError last_error = ACL_SUCCESS;
  std::string messages;      // of failed calls since the last read, newest first
  std::string read_message;  // the text that the last aclGetRecentErrMsg returned
  std::uint32_t thread_id;   // the kernel's
  aclmdlRICaptureMode capture_mode = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
  LastTask last_task;
  StreamTable::Pin core_limits_of;  // whose core limits the thread uses; may have ended since
  bool of_crew = false;             // a thread of the runtime that runs host functions
  int kernel_depth = 0;             // inside a kernel that this thread runs
  const sim::KernelRun* kernel_run = nullptr;  // of it, while the checker is on
  const void* kernel_context = nullptr;        // the argument of its block, if it has several

  // While anybody listens.
  bool has_called = false;
  const char* call = "";            // the entry that the thread is in, or was last
  const void* call_site = nullptr;  // and where the program called it
  // The canonical frame address of that entry, until the chain of calls is in `call_site`; null:
  // not known.
  const void* call_frame = nullptr;
  std::uint64_t given_site = 0;  // the same as a binding says it; 0: it does not
  bool in_library_call = false;  // `call` is of a library that calls ACL for the program
  int outside = 0;               // it waits for others who call ACL: it takes no turns
};

/// The code address at which the program made the thread's current call; 0: not known.
inline std::uint64_t call_site_of(const ThreadState& thread) noexcept {
  if (thread.given_site != 0) return thread.given_site;
  return reinterpret_cast<std::uintptr_t>(thread.call_site);
}

inline ThreadState& thread_state() { return sim::per_thread<ThreadState>(); }
/// Null for a thread that has made no call yet.
inline ThreadState* thread_state_if_any() noexcept {
  return sim::per_thread_if_made<ThreadState>();
}

/// For a thread without a live context: makes the context of aclInit's default device current, or
/// raises ACL_ERROR_RT_CONTEXT_NULL.
Context& make_context_current(Runtime& runtime);

/// The calling thread's context; raises ACL_ERROR_RT_CONTEXT_NULL when it has none.
inline Context& current_context(Runtime& runtime) {
  Context* const context = thread_state().context.get();
  if (context && context->alive()) [[likely]]
    return *context;
  return make_context_current(runtime);
}

/// Leaves a failed call's code and text for the thread to ask for.
void report_error(const char* function, aclError code, const char* text) noexcept;

}  // namespace acl
