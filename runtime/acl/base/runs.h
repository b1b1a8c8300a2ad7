// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "runtime/acl/base/error.h"

namespace acl {

/// Batches give an attribute to a run of elements: `starts[k]` is the first element of run k.
/// Raises ACL_ERROR_INVALID_PARAM unless runs start at 0, rise, and stay below `count`.
inline void check_runs(const std::size_t* starts, std::size_t runs, std::size_t count,
                       const char* argument) {
  if (!starts) fail(ACL_ERROR_INVALID_PARAM, "{} is null", argument);
  if (runs == 0 || runs > count) {
    fail(ACL_ERROR_INVALID_PARAM, "{} has {} entries; expected 1 to {}", argument, runs, count);
  }
  for (std::size_t k = 0; k < runs; ++k) {
    const bool rises = k == 0 ? starts[k] == 0 : starts[k] > starts[k - 1] && starts[k] < count;
    if (rises) continue;
    fail(ACL_ERROR_INVALID_PARAM,
         "{}[{}] is {}; expected indexes that start at 0 and rise below {}", argument, k, starts[k],
         count);
  }
}

/// Calls f(element, run) for each element, after check_runs.
template <class F>
void for_each_in_runs(const std::size_t* starts, std::size_t runs, std::size_t count, F&& f) {
  for (std::size_t i = 0, run = 0; i < count; ++i) {
    if (run + 1 < runs && starts[run + 1] == i) ++run;
    f(i, run);
  }
}

}  // namespace acl
