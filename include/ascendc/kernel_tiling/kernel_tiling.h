/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tilings of the high-level library as plain structures, whose bytes a kernel is given. C++11.
 */
#ifndef ASCENDC_KERNEL_TILING_KERNEL_TILING_H_
#define ASCENDC_KERNEL_TILING_KERNEL_TILING_H_

#include <iostream> /* public sources rely on it */

#include "ascendc/impl/cube_tiling.h"
#include "ascendc/impl/refused_tilings.h"

using AscendC::tiling::TCubeTiling;
#define ACLSIM_USING(NAME) using AscendC::tiling::NAME;
ACLSIM_REFUSED_TILINGS(ACLSIM_USING)
#undef ACLSIM_USING

#endif /* ASCENDC_KERNEL_TILING_KERNEL_TILING_H_ */
