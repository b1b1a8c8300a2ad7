// SPDX-License-Identifier: Apache-2.0
// The product for any machine that the compiler targets.
#define ACLSIM_LOOPS plain
#include "runtime/ascendc/cube/product_loops.h"
