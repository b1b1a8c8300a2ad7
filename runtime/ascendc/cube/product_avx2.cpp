// SPDX-License-Identifier: Apache-2.0
// The product for machines with AVX2, FMA and F16C: built with options of their own.
#if defined(__AVX2__) && defined(__F16C__) && defined(__FMA__)
#define ACLSIM_LOOPS avx2
#include "runtime/ascendc/cube/product_loops.h"
#endif
