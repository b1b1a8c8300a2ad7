// SPDX-License-Identifier: Apache-2.0
// The loops for any machine that the compiler targets.
#define ACLSIM_LOOPS plain
#include "runtime/ascendc/vector/loop_find.h"
