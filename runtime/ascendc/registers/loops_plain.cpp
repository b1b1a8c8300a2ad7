// SPDX-License-Identifier: Apache-2.0
#define ACLSIM_LOOPS plain
#include "runtime/ascendc/registers/loops_all.h"
