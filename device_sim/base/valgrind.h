// SPDX-License-Identifier: Apache-2.0
/// Whether the process runs under valgrind. Without valgrind's header at build time: never known.
#pragma once

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif

namespace sim {

inline bool on_valgrind() noexcept {
#if defined(RUNNING_ON_VALGRIND)
  return RUNNING_ON_VALGRIND != 0;
#else
  return false;
#endif
}

}  // namespace sim
