// SPDX-License-Identifier: Apache-2.0
// The loops for machines with AVX2, F16C and FMA: built with options of their own.
#if defined(__AVX2__) && defined(__F16C__) && defined(__FMA__)
#define ACLSIM_LOOPS avx2
#include "runtime/ascendc/registers/loops_all.h"
#endif
