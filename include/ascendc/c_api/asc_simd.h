/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C interface. Flags and barriers of pipes are supported. The functions of the vector and cube
 * units are not emulated: a call does not compile, and the message names the function.
 */
#ifndef ASCENDC_C_API_ASC_SIMD_H_
#define ASCENDC_C_API_ASC_SIMD_H_

#include "ascendc/kernel_operator.h"

#define ACLSIM_REFUSED(NAME)                                         \
  template <typename... T>                                           \
  void NAME(...) {                                                   \
    static_assert(aclsim_refused::no<T...>, #NAME                    \
                  " is not emulated; expected functions of the "     \
                  "classes in kernel_operator.h (docs/kernels.md)"); \
  }
ACLSIM_REFUSED(asc_abs)
ACLSIM_REFUSED(asc_add)
ACLSIM_REFUSED(asc_add_scalar)
ACLSIM_REFUSED(asc_add_sync)
ACLSIM_REFUSED(asc_and)
ACLSIM_REFUSED(asc_arange)
ACLSIM_REFUSED(asc_copy)
ACLSIM_REFUSED(asc_copy_gm2l1)
ACLSIM_REFUSED(asc_copy_gm2l1_dn2nz)
ACLSIM_REFUSED(asc_copy_gm2l1_nd2nz)
ACLSIM_REFUSED(asc_copy_gm2ub)
ACLSIM_REFUSED(asc_copy_gm2ub_align)
ACLSIM_REFUSED(asc_copy_gm2ub_sync)
ACLSIM_REFUSED(asc_copy_l0c2gm)
ACLSIM_REFUSED(asc_copy_l12bt)
ACLSIM_REFUSED(asc_copy_l12fb)
ACLSIM_REFUSED(asc_copy_l12l0a)
ACLSIM_REFUSED(asc_copy_l12l0a_mx)
ACLSIM_REFUSED(asc_copy_l12l0b)
ACLSIM_REFUSED(asc_copy_l12l0b_mx)
ACLSIM_REFUSED(asc_copy_l12l0b_trans)
ACLSIM_REFUSED(asc_copy_l12l0b_transpose)
ACLSIM_REFUSED(asc_copy_ub2gm)
ACLSIM_REFUSED(asc_copy_ub2gm_align)
ACLSIM_REFUSED(asc_copy_ub2gm_sync)
ACLSIM_REFUSED(asc_copy_ub2l1)
ACLSIM_REFUSED(asc_copy_ub2ub)
ACLSIM_REFUSED(asc_div)
ACLSIM_REFUSED(asc_duplicate_scalar)
ACLSIM_REFUSED(asc_fill_l1)
ACLSIM_REFUSED(asc_float2int16_rna_sat)
ACLSIM_REFUSED(asc_floor)
ACLSIM_REFUSED(asc_frequency_histogram_bin0)
ACLSIM_REFUSED(asc_frequency_histogram_bin1)
ACLSIM_REFUSED(asc_gather)
ACLSIM_REFUSED(asc_gather_datablock)
ACLSIM_REFUSED(asc_get_vf_len)
ACLSIM_REFUSED(asc_gt)
ACLSIM_REFUSED(asc_gt_scalar)
ACLSIM_REFUSED(asc_half2int32_rd)
ACLSIM_REFUSED(asc_init)
ACLSIM_REFUSED(asc_intlv)
ACLSIM_REFUSED(asc_load)
ACLSIM_REFUSED(asc_loadalign)
ACLSIM_REFUSED(asc_loadalign_brc)
ACLSIM_REFUSED(asc_loadalign_postupdate)
ACLSIM_REFUSED(asc_loadalign_unpack)
ACLSIM_REFUSED(asc_loadalign_upsample)
ACLSIM_REFUSED(asc_lock)
ACLSIM_REFUSED(asc_mmad)
ACLSIM_REFUSED(asc_mmad_mx)
ACLSIM_REFUSED(asc_mul)
ACLSIM_REFUSED(asc_mul_scalar)
ACLSIM_REFUSED(asc_ne)
ACLSIM_REFUSED(asc_ne_scalar)
ACLSIM_REFUSED(asc_pack_to_low)
ACLSIM_REFUSED(asc_pair_reduce_sum)
ACLSIM_REFUSED(asc_reduce_sum)
ACLSIM_REFUSED(asc_reduce_sum_datablock)
ACLSIM_REFUSED(asc_select)
ACLSIM_REFUSED(asc_set_gm2l1_nz_para)
ACLSIM_REFUSED(asc_set_l0c2gm_config)
ACLSIM_REFUSED(asc_set_l0c2gm_nz2nd)
ACLSIM_REFUSED(asc_set_l0c_copy_prequant)
ACLSIM_REFUSED(asc_squeeze)
ACLSIM_REFUSED(asc_store)
ACLSIM_REFUSED(asc_storealign)
ACLSIM_REFUSED(asc_storealign_pack)
ACLSIM_REFUSED(asc_storealign_postupdate)
ACLSIM_REFUSED(asc_sub)
ACLSIM_REFUSED(asc_sync_block_arrive)
ACLSIM_REFUSED(asc_sync_block_wait)
ACLSIM_REFUSED(asc_sync_data_barrier)
ACLSIM_REFUSED(asc_sync_inter_arrive)
ACLSIM_REFUSED(asc_sync_inter_wait)
ACLSIM_REFUSED(asc_sync_intra_arrive)
ACLSIM_REFUSED(asc_sync_intra_wait)
ACLSIM_REFUSED(asc_sync_subblock_arrive)
ACLSIM_REFUSED(asc_sync_subblock_wait)
ACLSIM_REFUSED(asc_unlock)
ACLSIM_REFUSED(asc_update_addr_reg_b16)
ACLSIM_REFUSED(asc_update_mask_b16)
ACLSIM_REFUSED(asc_update_mask_b32)
#undef ACLSIM_REFUSED

enum class asc_load_l2_cache_mode : uint8_t {
  NORMAL_FIRST_VICTIM = 0,
  NORMAL_LAST_VICTIM = 1,
  NORMAL_PERSISTENT = 2,
  NOTALLOC_KEEP = 4,
  NOTALLOC_CLEAN = 5,
  NOTALLOC_DROP = 6
};
enum class asc_store_l2_cache_mode : uint8_t {
  NORMAL_FIRST_VICTIM = 0,
  NORMAL_LAST_VICTIM = 1,
  NORMAL_PERSISTENT = 2,
  NOTALLOC_CLEAN = 4
};

/* Which kind of core runs: `if ASC_IS_AIV {`. */
#define ASC_IS_AIC ASCEND_IS_AIC
#define ASC_IS_AIV ASCEND_IS_AIV
inline int64_t asc_get_block_idx() { return AscendC::GetBlockIdx(); }
inline int64_t asc_get_block_num() { return AscendC::GetBlockNum(); }

/* ---- flags from one pipe to another, and barriers ---- */

ACLSIM_API inline void asc_sync_notify(pipe_t pipe, pipe_t tpipe, event_t id) {
  const auto event = AscendC::aclsim_sync::event_of(pipe, tpipe);
  aclsimSetFlag(static_cast<uint32_t>(event), id, ACLSIM_SITE);
}
ACLSIM_API inline void asc_sync_wait(pipe_t pipe, pipe_t tpipe, event_t id) {
  const auto event = AscendC::aclsim_sync::event_of(pipe, tpipe);
  aclsimWaitFlag(static_cast<uint32_t>(event), id, ACLSIM_SITE);
}
ACLSIM_API inline void asc_sync_pipe(pipe_t pipe) {
  aclsimPipeBarrier(static_cast<uint32_t>(pipe), ACLSIM_SITE);
}
ACLSIM_API inline void asc_sync() { aclsimPipeBarrier(PIPE_ALL, ACLSIM_SITE); }
ACLSIM_API inline void asc_sync_vec() { aclsimPipeBarrier(PIPE_ALL, ACLSIM_SITE); }
ACLSIM_API inline void asc_sync_mte2() { aclsimPipeBarrier(PIPE_MTE2, ACLSIM_SITE); }
ACLSIM_API inline void asc_sync_mte3() { aclsimPipeBarrier(PIPE_MTE3, ACLSIM_SITE); }

#endif /* ASCENDC_C_API_ASC_SIMD_H_ */
