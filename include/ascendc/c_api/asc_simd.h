/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C interface. Supported are flags and barriers, copies, the cube unit, on architecture 2201
 * vector arithmetic, and on 3510 registers. A call of another function does not compile, and the
 * message names the function.
 */
#ifndef ASCENDC_C_API_ASC_SIMD_H_
#define ASCENDC_C_API_ASC_SIMD_H_

#include "ascendc/impl/c_copy.h"
#include "ascendc/impl/c_cube.h"
#include "ascendc/impl/c_cube_load.h"
#include "ascendc/impl/c_cube_names.h"
#include "ascendc/impl/c_fixpipe.h"
#include "ascendc/impl/c_reg_rows.h"
#include "ascendc/kernel_operator.h"

#define ACLSIM_REFUSED(NAME)                                                     \
  template <typename... T>                                                       \
  void NAME(...) {                                                               \
    static_assert(aclsim_refused::no<T...>, #NAME                                \
                  " is not emulated with these arguments on this architecture; " \
                  "expected functions of kernel_operator.h (docs/kernels.md)");  \
  }
ACLSIM_REFUSED(asc_add_sync)
ACLSIM_REFUSED(asc_copy_gm2ub)
ACLSIM_REFUSED(asc_copy_gm2ub_align)
ACLSIM_REFUSED(asc_copy_gm2ub_sync)
ACLSIM_REFUSED(asc_copy_ub2gm)
ACLSIM_REFUSED(asc_copy_ub2gm_align)
ACLSIM_REFUSED(asc_copy_ub2gm_sync)
ACLSIM_REFUSED(asc_init)
ACLSIM_REFUSED(asc_lock)
ACLSIM_REFUSED(asc_unlock)
ACLSIM_REFUSED(asc_sync_block_arrive)
ACLSIM_REFUSED(asc_sync_block_wait)
ACLSIM_REFUSED(asc_sync_inter_arrive)
ACLSIM_REFUSED(asc_sync_inter_wait)
ACLSIM_REFUSED(asc_sync_intra_arrive)
ACLSIM_REFUSED(asc_sync_intra_wait)
ACLSIM_REFUSED(asc_sync_subblock_arrive)
ACLSIM_REFUSED(asc_sync_subblock_wait)
/* The cube unit, and registers. */
#define ACLSIM_C_REFUSED_ROW(name, ...) ACLSIM_REFUSED(asc_##name)
#define ACLSIM_C_REFUSED_NAME(name) ACLSIM_REFUSED(asc_##name)
#define ACLSIM_C_REFUSED_BOTH(name) \
  ACLSIM_REFUSED(asc_##name)        \
  ACLSIM_REFUSED(asc_##name##_sync)
#define ACLSIM_C_REFUSED_LOAD(suffix, ...) \
  ACLSIM_REFUSED(asc_loadalign##suffix)    \
  ACLSIM_REFUSED(asc_loadalign##suffix##_postupdate)
#define ACLSIM_C_REFUSED_STORE(suffix, ...) \
  ACLSIM_REFUSED(asc_storealign##suffix)    \
  ACLSIM_REFUSED(asc_storealign##suffix##_postupdate)
#define ACLSIM_C_REFUSED_CAST(name, ...) ACLSIM_REFUSED(name)
#define ACLSIM_C_REFUSED_CASTS(...) ACLSIM_C_CASTS_OF(ACLSIM_C_REFUSED_CAST, __VA_ARGS__)
ACLSIM_C_CUBE_NAMES(ACLSIM_C_REFUSED_BOTH)
ACLSIM_C_CUBE_ALONE(ACLSIM_C_REFUSED_NAME)
ACLSIM_C_REG_ROWS(ACLSIM_C_REFUSED_ROW)
ACLSIM_C_REG_NAMES(ACLSIM_C_REFUSED_NAME)
ACLSIM_C_LOAD_ROWS(ACLSIM_C_REFUSED_LOAD)
ACLSIM_C_STORE_ROWS(ACLSIM_C_REFUSED_STORE)
ACLSIM_C_CAST_ROWS(ACLSIM_C_REFUSED_CASTS)
ACLSIM_C_REFUSED_CAST_ROWS(ACLSIM_C_REFUSED_CASTS)
#undef ACLSIM_C_REFUSED_ROW
#undef ACLSIM_C_REFUSED_NAME
#undef ACLSIM_C_REFUSED_BOTH
#undef ACLSIM_C_REFUSED_LOAD
#undef ACLSIM_C_REFUSED_STORE
#undef ACLSIM_C_REFUSED_CAST
#undef ACLSIM_C_REFUSED_CASTS
#undef ACLSIM_REFUSED

#if ACLSIM_NPU_ARCH == 3510
#include "ascendc/impl/c_reg.h"
#endif

/* Which kind of core runs: `if ASC_IS_AIV {`. */
#define ASC_IS_AIC ASCEND_IS_AIC
#define ASC_IS_AIV ASCEND_IS_AIV
inline int64_t asc_get_block_idx() { return AscendC::GetBlockIdx(); }
/* Initialises the core, which changes nothing here. */
inline void asc_init() {}
#if ACLSIM_NPU_ARCH == 3510
/* Bytes of a register. */
constexpr int64_t asc_get_vf_len() { return 256; }
#endif
inline int64_t asc_get_block_num() { return AscendC::GetBlockNum(); }

/* ---- flags from one pipe to another, and barriers ---- */

ACLSIM_API inline void asc_sync_notify(pipe_t pipe, pipe_t tpipe, int32_t id) {
  const auto event = AscendC::aclsim_sync::event_of(pipe, tpipe);
  aclsimSetFlag(static_cast<uint32_t>(event), id, ACLSIM_SITE);
}
ACLSIM_API inline void asc_sync_wait(pipe_t pipe, pipe_t tpipe, int32_t id) {
  const auto event = AscendC::aclsim_sync::event_of(pipe, tpipe);
  aclsimWaitFlag(static_cast<uint32_t>(event), id, ACLSIM_SITE);
}
/* Flags between the cores of a group. */
ACLSIM_API inline void asc_sync_block_arrive(pipe_t pipe, int64_t flag_id) {
  aclsimCrossSet(2, static_cast<uint32_t>(pipe), static_cast<uint32_t>(flag_id), ACLSIM_SITE);
}
ACLSIM_API inline void asc_sync_block_wait(pipe_t /*pipe*/, int64_t flag_id) {
  aclsimCrossWait(static_cast<uint32_t>(flag_id), ACLSIM_SITE);
}
/* Memory accesses of the scalar unit take effect in their order here. */
enum mem_dsb_t { DSB_ALL = 0, DSB_DDR, DSB_UB, DSB_SEQ };
inline void asc_sync_data_barrier(mem_dsb_t /*arg*/) {}

ACLSIM_API inline void asc_sync_pipe(pipe_t pipe) {
  aclsimPipeBarrier(static_cast<uint32_t>(pipe), ACLSIM_SITE);
}
ACLSIM_API inline void asc_sync() { aclsimPipeBarrier(PIPE_ALL, ACLSIM_SITE); }
ACLSIM_API inline void asc_sync_vec() { aclsimPipeBarrier(PIPE_ALL, ACLSIM_SITE); }
ACLSIM_API inline void asc_sync_mte2() { aclsimPipeBarrier(PIPE_MTE2, ACLSIM_SITE); }
ACLSIM_API inline void asc_sync_mte3() { aclsimPipeBarrier(PIPE_MTE3, ACLSIM_SITE); }

#if ACLSIM_NPU_ARCH == 3510
enum ascMutexExecuteMode { ASC_LOCK_BLOCK = 0, ASC_LOCK_NON_BLOCK = 1 };
ACLSIM_API inline void asc_lock(pipe_t pipe, uint8_t mutex_id,
                                ascMutexExecuteMode mode = ASC_LOCK_BLOCK) {
  if (mode == ASC_LOCK_BLOCK) aclsimMutexLock(static_cast<uint32_t>(pipe), mutex_id, ACLSIM_SITE);
}
/* ASC_LOCK_NON_BLOCK: the release also comes after the ones before. */
ACLSIM_API inline void asc_unlock(pipe_t pipe, uint8_t mutex_id,
                                  ascMutexExecuteMode mode = ASC_LOCK_BLOCK) {
  if (mode != ASC_LOCK_BLOCK) aclsimMutexLock(static_cast<uint32_t>(pipe), mutex_id, ACLSIM_SITE);
  aclsimMutexUnlock(static_cast<uint32_t>(pipe), mutex_id, ACLSIM_SITE);
}
#endif

#include "ascendc/impl/c_vector.h"

#endif /* ASCENDC_C_API_ASC_SIMD_H_ */
