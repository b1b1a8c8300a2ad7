// SPDX-License-Identifier: Apache-2.0
// The loops for machines with AVX2 and F16C: built with options of their own.
#if defined(__AVX2__) && defined(__F16C__)
#define ACLSIM_LOOPS avx2
#include "runtime/ascendc/vector/loop_find.h"
#endif
