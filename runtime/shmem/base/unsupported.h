// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/shmem/base/guard.h"

// One row for each function that is refused: return type, name, parameter types, and the missing
// feature. The header that declares the function must be included first, so that a wrong row does
// not compile.
#define SHMEM_UNSUPPORTED(R, name, params, feature)                                                \
  extern "C" R name params { return static_cast<R>(::shmem::refuse_unsupported(#name, feature)); } \
  static_assert(true, "a row ends with a semicolon")
