// SPDX-License-Identifier: Apache-2.0
// The loops for any machine that the compiler targets.
#define ACLSIM_ROW_LOOPS plain
#include "runtime/ascendc/library/row_loops_all.h"
