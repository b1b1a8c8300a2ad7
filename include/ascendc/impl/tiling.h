/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tiling data in kernels, and declarations of a kernel's properties.
 */
#ifndef ASCENDC_IMPL_TILING_H_
#define ASCENDC_IMPL_TILING_H_

#include <cstring>

#include "ascendc/impl/qualifiers.h"

typedef uint8_t KernelMetaType;
enum : uint8_t {
  KERNEL_TYPE_AIV_ONLY = 0,
  KERNEL_TYPE_AIC_ONLY = 1,
  KERNEL_TYPE_MIX_AIV_1_0 = 2,
  KERNEL_TYPE_MIX_AIC_1_0 = 3,
  KERNEL_TYPE_MIX_AIC_1_1 = 4,
  KERNEL_TYPE_MIX_AIC_1_2 = 5,
  KERNEL_TYPE_AICORE = 6,
  KERNEL_TYPE_VECTORCORE = 7,
  KERNEL_TYPE_MIX_AICORE = 8,
  KERNEL_TYPE_MIX_VECTOR_CORE = 9,
  KERNEL_TYPE_MAX = 10
};
/* The translator reads these; the host then runs the kernel on the declared kind of cores. */
#define KERNEL_TASK_TYPE_DEFAULT(value) static_cast<void>(value)
#define KERNEL_TASK_TYPE(key, value) static_cast<void>(value)

#define REGISTER_TILING_DEFAULT(Struct) using aclsim_default_tiling = Struct
#define REGISTER_TILING_FOR_TILINGKEY(expression, Struct) static_cast<void>(0)
#define REGISTER_NONE_TILING static_cast<void>(0)
#define TILING_KEY_VAR (aclsimThisCore()->tiling_key)
#define TILING_KEY_IS(k) (TILING_KEY_VAR == static_cast<uint64_t>(k))
#define TILING_KEY_LIST(k1, k2) (TILING_KEY_IS(k1) || TILING_KEY_IS(k2))

#endif /* ASCENDC_IMPL_TILING_H_ */
