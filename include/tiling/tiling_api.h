/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host code that cuts a product into parts for the cores of a device and for the memories of a
 * core. C++11.
 */
#ifndef TILING_TILING_API_H_
#define TILING_TILING_API_H_

#include <iostream> /* public sources rely on it, and on securec.h */

#include "ascendc/impl/cube_tiling.h"
#include "ascendc/impl/hccl_tiling.h"
#include "ascendc/impl/library_tiling_activation.h"
#include "ascendc/impl/library_tiling_filter.h"
#include "ascendc/impl/library_tiling_math.h"
#include "ascendc/impl/library_tiling_normalization.h"
#include "ascendc/impl/library_tiling_quantization.h"
#include "ascendc/impl/library_tiling_reduction.h"
#include "ascendc/impl/library_tiling_shapes.h"
#include "ascendc/impl/library_tiling_sort.h"
#include "ascendc/impl/library_tilings.h"
#include "register/tilingdata_base.h"
#include "securec.h"
#include "tiling/matmul_tiling.h"
#include "tiling/platform/platform_ascendc.h"

/* The tilings of the library, as parts of tilings of the program. */
namespace optiling {
#define ACLSIM_TILING(name)   \
  BEGIN_TILING_DATA_DEF(name) \
  ACLSIM_##name##_FIELDS(TILING_DATA_FIELD_DEF) END_TILING_DATA_DEF;
ACLSIM_LIBRARY_TILINGS(ACLSIM_TILING)
#undef ACLSIM_TILING
}  // namespace optiling

#endif /* TILING_TILING_API_H_ */
