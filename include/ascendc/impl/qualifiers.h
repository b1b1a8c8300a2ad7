/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words that kernel sources use beside C++, and the variables that the device compiler knows.
 */
#ifndef ASCENDC_IMPL_QUALIFIERS_H_
#define ASCENDC_IMPL_QUALIFIERS_H_

#include <stdint.h>

#include "ascendc/impl/machine.h"

/*
 * bisheng compiles a source once for each kind of core, and defines the architecture and the core
 * (ACLSIM_PASS_CORE, the value of g_coreType) for each pass. Another compiler makes one pass.
 */
#ifndef ACLSIM_NPU_ARCH
#ifndef __NPU_ARCH__
#define __NPU_ARCH__ 2201
#endif
#define ACLSIM_NPU_ARCH __NPU_ARCH__
#endif
/* The bytes of the unified buffer that options of bisheng take from the toolkit. */
#ifndef ACLSIM_UB_CLAIMED
#define ACLSIM_UB_CLAIMED 0
#endif

#define __aicore__
#define __global__
#define __vector__
#define __cube__
#define __mix__(cube, vector)
#define __gm__
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#define __biasbuf__
#define __ssbuf__
#define __in_pipe__(...)
#define __out_pipe__(...)
#define __inout_pipe__(...)
#define __simd_callee__
#define __local_mem__
#define __kfc_workspace__ /* bisheng reads it; see chevron.h */
#define __host__
#define __host_aicore__
#define __launch_bounds__(...)
#define LAUNCH_BOUND(...)
#ifndef __forceinline__
#define __forceinline__ __attribute__((always_inline)) inline
#endif
#ifndef likely
#define likely(condition) __builtin_expect(!!(condition), 1)
#endif
#ifndef unlikely
#define unlikely(condition) __builtin_expect(!!(condition), 0)
#endif
#define __no_simd_vf_fusion__ /* calls of register functions are never joined here */
#if ACLSIM_NPU_ARCH == 3510
#define __simd_vf__
#else
#define __simd_vf__ \
  _Pragma("GCC error \"__simd_vf__ functions need architecture 3510 (docs/kernels.md)\"")
#endif
/*
 * Variables of each core: the translator of bisheng replaces these words, so no other compiler sees
 * them. _Pragma takes a single string literal, which does not fit into a line.
 */
/* clang-format off */
#define __block_local__ \
  _Pragma("GCC error \"__block_local__ variables need bisheng; expected a variable of the kernel function\"")
#define __workgroup_local__ \
  _Pragma("GCC error \"__workgroup_local__ variables need bisheng; expected a variable of the kernel function\"")
#define __BLOCK_LOCAL__ __block_local__
/* clang-format on */
#ifndef __inline__
#define __inline__ inline
#endif
#define GM_ADDR __gm__ uint8_t*

/* Functions of the interface are calls of their own, also with optimisation: their return address
   is the line of the kernel that a message names. */
#define ACLSIM_API __attribute__((noinline))
#define ACLSIM_SITE __builtin_return_address(0)
/* Functions that only call others of the interface are part of the line that calls them, also
   without optimisation. They may not use ACLSIM_SITE. */
#define ACLSIM_THROUGH __attribute__((always_inline)) inline

/* Readable like variables, and no macros: kernels have variables of these names. */
namespace aclsim_words {
struct BlockIdx {
  operator int64_t() const { return aclsimThisCore()->block; }
};
struct BlockNum {
  operator int64_t() const { return aclsimThisCore()->blocks; }
};
struct CoreType {
  operator int32_t() const { return aclsimThisCore()->kind == ACLSIM_AIC ? 1 : 2; }
};
}  // namespace aclsim_words
[[maybe_unused]] static constexpr aclsim_words::BlockIdx block_idx{};
[[maybe_unused]] static constexpr aclsim_words::BlockNum block_num{};
#ifdef ACLSIM_PASS_CORE
[[maybe_unused]] static constexpr int32_t g_coreType = ACLSIM_PASS_CORE;
#else
[[maybe_unused]] static constexpr aclsim_words::CoreType g_coreType{};
#endif

#define ASCEND_IS_AIV (g_coreType == 2)
#define ASCEND_IS_AIC (g_coreType == 1)
#define ASCEND_IS_NOT_AIV (!(ASCEND_IS_AIV))
#define ASCEND_IS_NOT_AIC (!(ASCEND_IS_AIC))

#endif /* ASCENDC_IMPL_QUALIFIERS_H_ */
