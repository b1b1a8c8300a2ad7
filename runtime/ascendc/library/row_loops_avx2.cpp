// SPDX-License-Identifier: Apache-2.0
// The loops for machines with AVX2: built with an option of their own.
#if defined(__AVX2__)
#define ACLSIM_ROW_LOOPS avx2
#include "runtime/ascendc/library/row_loops_all.h"
#endif
