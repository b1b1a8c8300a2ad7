/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tilings of the high-level library as plain structures, whose bytes a kernel is given. C++11.
 */
#ifndef ASCENDC_KERNEL_TILING_KERNEL_TILING_H_
#define ASCENDC_KERNEL_TILING_KERNEL_TILING_H_

#include <string.h>

#include <iostream> /* public sources rely on it, and on memcpy */

#include "ascendc/impl/tiling_names.h"

#endif /* ASCENDC_KERNEL_TILING_KERNEL_TILING_H_ */
