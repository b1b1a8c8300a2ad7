/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host code that cuts a product into parts for the cores of a device and for the memories of a core. C++11.
 */
#ifndef TILING_TILING_API_H_
#define TILING_TILING_API_H_

#include "ascendc/impl/cube_tiling.h"
#include "ascendc/impl/refused_tiling.h"
#include "register/tilingdata_base.h"
#include "tiling/matmul_tiling.h"
#include "tiling/platform/platform_ascendc.h"

#endif /* TILING_TILING_API_H_ */
