/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How kernels read their tiling data. bisheng does not include this header by itself: a program may
 * define GET_TILING_DATA before kernel_operator.h.
 */
#ifndef ASCENDC_IMPL_TILING_DATA_H_
#define ASCENDC_IMPL_TILING_DATA_H_

#include <cstring>

#include "ascendc/impl/tiling.h"

#define GET_TILING_DATA_WITH_STRUCT(Struct, var, tilingArg) \
  Struct var;                                               \
  memcpy(&(var), (const void*)(tilingArg), sizeof(Struct))
#ifndef GET_TILING_DATA /* generated headers of operators define their own */
#define GET_TILING_DATA(var, tilingArg) \
  GET_TILING_DATA_WITH_STRUCT(aclsim_default_tiling, var, tilingArg)
#endif
#define GET_TILING_DATA_MEMBER(Struct, member, var, tilingArg) \
  decltype(((Struct*)0)->member) var;                          \
  memcpy(&(var), (const char*)(tilingArg) + offsetof(Struct, member), sizeof(var))
#define GET_TILING_DATA_PTR_WITH_STRUCT(Struct, ptr, tilingArg) \
  const __gm__ Struct* ptr = (const __gm__ Struct*)(tilingArg)

#endif /* ASCENDC_IMPL_TILING_DATA_H_ */
