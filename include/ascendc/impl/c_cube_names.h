/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names of the C interface of the cube unit and of copies out of the unified buffer, without
 * asc_. An architecture may have some of them only, and some have none.
 */
#ifndef ASCENDC_IMPL_C_CUBE_NAMES_H_
#define ASCENDC_IMPL_C_CUBE_NAMES_H_

/* There is a function with _sync, too. */
#define ACLSIM_C_CUBE_NAMES(R) \
  R(copy_gm2l0a)               \
  R(copy_gm2l0b)               \
  R(copy_gm2l1)                \
  R(copy_gm2l1_align)          \
  R(copy_gm2l1_dn2nz)          \
  R(copy_gm2l1_nd2nz)          \
  R(copy_gm2l1_pad1)           \
  R(copy_gm2l1_pad2)           \
  R(copy_gm2l1_pad3)           \
  R(copy_gm2l1_pad4)           \
  R(copy_gm2l1_pad5)           \
  R(copy_gm2l1_pad6)           \
  R(copy_gm2l1_pad7)           \
  R(copy_gm2l1_pad8)           \
  R(copy_l0c2gm)               \
  R(copy_l0c2l1)               \
  R(copy_l0c2ub)               \
  R(copy_l12bt)                \
  R(copy_l12fb)                \
  R(copy_l12gm)                \
  R(copy_l12l0a)               \
  R(copy_l12l0a_mx)            \
  R(copy_l12l0a_trans)         \
  R(copy_l12l0a_transpose)     \
  R(copy_l12l0b)               \
  R(copy_l12l0b_mx)            \
  R(copy_l12l0b_sparse)        \
  R(copy_l12l0b_trans)         \
  R(copy_l12l0b_transpose)     \
  R(copy_l12l0c)               \
  R(copy_l12ub)                \
  R(copy_ub2l1)                \
  R(copy_ub2ub)                \
  R(fill_l0a)                  \
  R(fill_l0b)                  \
  R(fill_l1)                   \
  R(load_image_to_cbuf)        \
  R(mmad)                      \
  R(mmad_mx)                   \
  R(mmad_s4)                   \
  R(mmad_sparse)
/* There is none. */
#define ACLSIM_C_CUBE_ALONE(R) \
  R(enable_fp8)                \
  R(enable_hf32)               \
  R(enable_hf32_trans)         \
  R(enable_hif8)               \
  R(get_l0c2gm_prequant)       \
  R(get_l0c2gm_relu)           \
  R(get_l0c2gm_unitflag)       \
  R(set_fp32_mode)             \
  R(set_gm2l1_loop1_stride)    \
  R(set_gm2l1_loop2_stride)    \
  R(set_gm2l1_loop_size)       \
  R(set_gm2l1_nz_para)         \
  R(set_gm2l1_pad)             \
  R(set_l0c2gm_channel_para)   \
  R(set_l0c2gm_config)         \
  R(set_l0c2gm_lrelu_alpha)    \
  R(set_l0c2gm_nz2nd)          \
  R(set_l0c_copy_params)       \
  R(set_l0c_copy_prequant)     \
  R(set_l13d_fmatrix)          \
  R(set_l13d_fmatrix_b)        \
  R(set_l13d_padding)          \
  R(set_l13d_rpt)              \
  R(set_l13d_size)             \
  R(set_mmad_direction_m)      \
  R(set_mmad_direction_n)

#endif /* ASCENDC_IMPL_C_CUBE_NAMES_H_ */
