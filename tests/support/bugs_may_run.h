// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string_view>

namespace support {
/// Whether the machine runs tasks in an order that a seed decides.
inline bool is_seeded() {
  const char* const schedule = std::getenv("ACLSIM_SCHEDULE");
  return schedule && schedule == std::string_view("seeded");
}
}  // namespace support

/// If several threads run a program with a bug, the race really happens, and ThreadSanitizer
/// reports it.
inline bool bugs_may_run() {
#if defined(__SANITIZE_THREAD__)
  return support::is_seeded();
#else
  return true;
#endif
}
