// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/acl/core/thread_state.h"

namespace acl {

/// The place of the call to keep with an object: the line that a language binding gave, or the call
/// of the other library that the thread is in; or else `code`.
inline const void* place_to_keep(const void* code) noexcept {
  const ThreadState* const thread = thread_state_if_any();
  if (!thread) return code;
  if (thread->in_library_call) return thread->call_site;
  if (thread->given_site == 0) return code;
  return reinterpret_cast<const void*>(thread->given_site);
}

}  // namespace acl
