// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string_view>

/// Programs with a bug race for true where several threads run them, and ThreadSanitizer says so.
inline bool bugs_may_run() {
#if defined(__SANITIZE_THREAD__)
  const char* const schedule = std::getenv("ACLSIM_SCHEDULE");
  return schedule && schedule == std::string_view("seeded");
#else
  return true;
#endif
}
