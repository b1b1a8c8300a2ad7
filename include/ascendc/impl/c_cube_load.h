/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C interface of the cube unit: copies into L1, L0A, L0B, the bias table and the fixpipe
 * buffer, with their settings.
 */
#ifndef ASCENDC_IMPL_C_CUBE_LOAD_H_
#define ASCENDC_IMPL_C_CUBE_LOAD_H_

#include "ascendc/impl/c_cube.h"

#define ACLSIM_C_ELEMENTS uint8_t, int8_t, half, bfloat16_t, uint32_t, int32_t, float
#define ACLSIM_C_AT(position, at) aclsim_c::tensor_at(AscendC::TPosition::position, at)

namespace aclsim_c {

/* Blocks of bytes; steps from the start of one to the start of the next. */
ACLSIM_API inline void blocks_of(const AscendC::LocalTensor<uint8_t>& to,
                                 const AscendC::LocalTensor<uint8_t>& from, uint32_t blocks,
                                 uint32_t bytes, int64_t from_step, int64_t to_step) {
  if (blocks == 0 || bytes == 0) return;
  aclsimMove move = AscendC::aclsim_copy::one_row(bytes);
  move.count[0] = blocks;
  move.from_step[0] = from_step;
  move.to_step[0] = to_step;
  AscendC::aclsim_copy::issue(ACLSIM_MOVE_COPY, move, to.aclsim_operand(ACLSIM_WRITES),
                              from.aclsim_operand(ACLSIM_READS), blocks, ACLSIM_SITE);
}

}  // namespace aclsim_c

/* ---- from global memory ---- */

#if ACLSIM_NPU_ARCH == 3510
namespace aclsim_c {

/* Insertions and removals of padding are not emulated. The documentation gives no unit for strides
   between blocks, so that there is one block. */
ACLSIM_API inline void copy_in(void* dst, const void* src, uint32_t n_burst, uint32_t len_burst,
                               uint8_t pad_func_mode) {
  require_zero(pad_func_mode, "asc_copy_gm2l1: padding is not emulated; pad_func_mode",
               ACLSIM_SITE);
  if (n_burst == 0 || len_burst == 0) return;
  if (n_burst != 1) {
    aclsimViolation("asc_copy_gm2l1: strides are not emulated; n_burst", n_burst, 1, ACLSIM_SITE);
  }
  const uint64_t bytes = uint64_t{len_burst} * AscendC::aclsim_copy::kUnit;
  AscendC::aclsim_copy::issue(ACLSIM_MOVE_COPY, AscendC::aclsim_copy::one_row(bytes),
                              tensor_at(AscendC::TPosition::A1, dst).aclsim_operand(ACLSIM_WRITES),
                              global_at(src).aclsim_operand(ACLSIM_READS), 1, ACLSIM_SITE);
}

/* The register of the next two functions: matrices, and strides of 32 bytes from a row to the next,
   from a block of a row to the next, and from a matrix to the next. */
inline uint16_t part_of_nz_para(unsigned part) {
  return static_cast<uint16_t>(aclsimCubeRegistersOfCore()->nz_para >> (16 * part));
}
template <typename Params>
Params fractals_of(uint16_t n_value, uint32_t d_value, uint32_t width, bool small_c0,
                   const char* sentence, const void* site) {
  if (small_c0 && d_value <= 4) aclsimViolation(sentence, 1, 0, site);
  return {part_of_nz_para(0),
          n_value,
          d_value,
          0,
          0,
          part_of_nz_para(2),
          part_of_nz_para(1),
          part_of_nz_para(3) * AscendC::aclsim_copy::kUnit / width};
}
template <typename T>
ACLSIM_API void nd2nz(T* dst, const T* src, uint64_t pitch, uint16_t n_value, uint32_t d_value,
                      uint64_t matrix, bool small_c0) {
  const auto params = fractals_of<AscendC::Nd2NzParams>(
      n_value, d_value, sizeof(T), small_c0,
      "asc_copy_gm2l1_nd2nz: smallc0_en is not emulated; smallc0_en", ACLSIM_SITE);
  AscendC::aclsim_copy::nd2nz(tensor_at(AscendC::TPosition::A1, dst).aclsim_operand(ACLSIM_WRITES),
                              global_at(src).aclsim_operand(ACLSIM_READS), params, sizeof(T),
                              static_cast<int64_t>(pitch), static_cast<int64_t>(matrix),
                              ACLSIM_SITE);
}
template <typename T>
ACLSIM_API void dn2nz(T* dst, const T* src, uint64_t pitch, uint16_t n_value, uint32_t d_value,
                      uint64_t matrix, bool small_c0) {
  const auto params = fractals_of<AscendC::Dn2NzParams>(
      n_value, d_value, sizeof(T), small_c0,
      "asc_copy_gm2l1_dn2nz: smallc0_en is not emulated; smallc0_en", ACLSIM_SITE);
  AscendC::aclsim_cube::columns(
      tensor_at(AscendC::TPosition::A1, dst).aclsim_operand(ACLSIM_WRITES),
      global_at(src).aclsim_operand(ACLSIM_READS), params, sizeof(T), static_cast<int64_t>(pitch),
      static_cast<int64_t>(matrix), ACLSIM_SITE);
}

}  // namespace aclsim_c

#define ACLSIM_C_MORE_ELEMENTS \
  ACLSIM_C_ELEMENTS, int16_t, uint16_t, hifloat8_t, fp8_e5m2_t, fp8_e4m3fn_t

ACLSIM_C_FORMS(, asc_copy_gm2l1,
               (__cbuf__ void* dst, __gm__ void* src, uint32_t n_burst, uint32_t len_burst,
                uint8_t pad_func_mode, uint64_t src_stride, uint32_t dst_stride),
               (dst, src, n_burst, len_burst, pad_func_mode, src_stride, dst_stride),
               (void)src_stride;
               (void)dst_stride; aclsim_c::copy_in(dst, src, n_burst, len_burst, pad_func_mode))

ACLSIM_THROUGH void asc_set_gm2l1_nz_para(uint64_t config) {
  aclsimCubeRegistersOfCore()->nz_para = config;
}
/* Rows (nd) or columns (dn) become fractals. Strides of the source in bytes. */
#define ACLSIM_C_TO_FRACTALS(what)                                                                \
  ACLSIM_C_FORMS(                                                                                 \
      ACLSIM_C_OF(ACLSIM_C_MORE_ELEMENTS), asc_copy_gm2l1_##what,                                 \
      (__cbuf__ T * dst, __gm__ T * src, uint64_t loop1_src_stride, uint8_t l2_cache_ctl,         \
       uint16_t n_value, uint32_t d_value, uint64_t loop4_src_stride, bool smallc0_en),           \
      (dst, src, loop1_src_stride, l2_cache_ctl, n_value, d_value, loop4_src_stride, smallc0_en), \
      (void)l2_cache_ctl; /* caches change no results here */                                     \
      aclsim_c::what(dst, src, loop1_src_stride, n_value, d_value, loop4_src_stride, smallc0_en))
ACLSIM_C_TO_FRACTALS(nd2nz)
ACLSIM_C_TO_FRACTALS(dn2nz)
#undef ACLSIM_C_TO_FRACTALS
#else
ACLSIM_C_FORMS(, asc_copy_gm2l1, (__cbuf__ void* dst, __gm__ void* src, uint32_t size),
               (dst, src, size),
               AscendC::DataCopy(ACLSIM_C_AT(A1, dst), aclsim_c::global_at(src), size))
/* Lengths and gaps in units of 32 bytes. */
ACLSIM_C_FORM(, asc_copy_gm2l1,
              (__cbuf__ void* dst, __gm__ void* src, uint16_t n_burst, uint16_t len_burst,
               uint16_t src_gap, uint16_t dst_gap),
              AscendC::DataCopy(ACLSIM_C_AT(A1, dst), aclsim_c::global_at(src),
                                AscendC::DataCopyParams(n_burst, len_burst, src_gap, dst_gap)))
/* Fractals of 512 bytes, and positions, strides and gaps of them. */
#define ACLSIM_C_FRACTALS_IN(name, qualifier, position, ...)                                  \
  ACLSIM_C_FORMS(ACLSIM_C_OF(__VA_ARGS__), name,                                              \
                 (qualifier T * dst, __gm__ T * src, uint16_t base_idx, uint8_t repeat,       \
                  uint16_t src_stride, uint16_t dst_gap),                                     \
                 (dst, src, base_idx, repeat, src_stride, dst_gap),                           \
                 AscendC::LoadData(ACLSIM_C_AT(position, dst), aclsim_c::global_at(src),      \
                                   AscendC::LoadData2DParams(base_idx, repeat, src_stride, 0, \
                                                             dst_gap, false, 0)))
ACLSIM_C_FRACTALS_IN(asc_copy_gm2l1, __cbuf__, A1, ACLSIM_C_ELEMENTS)
ACLSIM_C_FRACTALS_IN(asc_copy_gm2l0a, __ca__, A2, ACLSIM_C_ELEMENTS, int4b_t)
ACLSIM_C_FRACTALS_IN(asc_copy_gm2l0b, __cb__, B2, ACLSIM_C_ELEMENTS, int4b_t)
#undef ACLSIM_C_FRACTALS_IN

/* Strides of the source in elements, of the destination in units of 32 bytes, between matrices in
   elements. */
ACLSIM_C_FORMS(ACLSIM_C_OF(ACLSIM_C_ELEMENTS, int16_t), asc_copy_gm2l1_nd2nz,
               (__cbuf__ T * dst, __gm__ T* src, uint16_t nd_num, uint16_t n_value,
                uint16_t d_value, uint16_t src_nd_matrix_stride, uint16_t src_d_value,
                uint16_t dst_nz_c0_stride, uint16_t dst_nz_n_stride, uint16_t dst_nz_matrix_stride),
               (dst, src, nd_num, n_value, d_value, src_nd_matrix_stride, src_d_value,
                dst_nz_c0_stride, dst_nz_n_stride, dst_nz_matrix_stride),
               AscendC::DataCopy(ACLSIM_C_AT(A1, dst), aclsim_c::global_at(src),
                                 AscendC::Nd2NzParams(nd_num, n_value, d_value,
                                                      src_nd_matrix_stride, src_d_value,
                                                      dst_nz_c0_stride, dst_nz_n_stride,
                                                      dst_nz_matrix_stride)))
#endif

/* ---- from L1 into L0A and L0B ---- */

#if ACLSIM_NPU_ARCH == 3510
/* Steps along M of 16 rows, along K of 32 bytes. */
#define ACLSIM_C_LOAD(name, qualifier, position, transposed)                                      \
  ACLSIM_C_FORMS(                                                                                 \
      ACLSIM_C_OF(ACLSIM_C_MORE_ELEMENTS, int4b_t, fp4x2_e2m1_t, fp4x2_e1m2_t), name,             \
      (qualifier T * dst, __cbuf__ T * src, uint16_t m_start_position, uint16_t k_start_position, \
       uint8_t m_step, uint8_t k_step, int16_t src_stride, uint16_t dst_stride),                  \
      (dst, src, m_start_position, k_start_position, m_step, k_step, src_stride, dst_stride),     \
      AscendC::LoadData(                                                                          \
          ACLSIM_C_AT(position, dst), ACLSIM_C_AT(A1, src),                                       \
          AscendC::LoadData2DParamsV2(m_start_position, k_start_position, m_step, k_step,         \
                                      src_stride, dst_stride, transposed, 0)))
ACLSIM_C_LOAD(asc_copy_l12l0a, __ca__, A2, false)
ACLSIM_C_LOAD(asc_copy_l12l0a_transpose, __ca__, A2, true)
ACLSIM_C_LOAD(asc_copy_l12l0b, __cb__, B2, false)
ACLSIM_C_LOAD(asc_copy_l12l0b_transpose, __cb__, B2, true)
#undef ACLSIM_C_LOAD
/* Squares of fractals, each transposed; positions, strides and gaps of fractals. */
ACLSIM_C_FORMS(ACLSIM_C_OF(ACLSIM_C_ELEMENTS, hifloat8_t, fp8_e5m2_t, fp8_e4m3fn_t, int4b_t,
                           fp4x2_e2m1_t, fp4x2_e1m2_t),
               asc_copy_l12l0b_trans,
               (__cb__ T * dst, __cbuf__ T* src, uint16_t index_id, uint8_t repeat,
                uint16_t src_stride, uint16_t dst_gap, uint16_t dst_frac_gap,
                uint16_t src_frac_gap),
               (dst, src, index_id, repeat, src_stride, dst_gap, dst_frac_gap, src_frac_gap),
               AscendC::LoadDataWithTranspose(
                   ACLSIM_C_AT(B2, dst), ACLSIM_C_AT(A1, src),
                   AscendC::LoadData2dTransposeParamsV2(index_id, repeat, src_stride, dst_gap,
                                                        dst_frac_gap, src_frac_gap)))

namespace aclsim_c {
/* Scales are stored in fractals of 32 bytes: `x_step` groups of rows or columns with `y_step`
   fractals each. Strides and positions are in fractals. */
template <AscendC::TPosition position>
ACLSIM_API void load_scales(uint64_t dst, const fp8_e8m0_t* src,
                            const AscendC::LoadData2DMxParams& params) {
  const auto* const matrix =
      static_cast<const fp8_e5m2_t*>(address_of(position, dst, 16, ACLSIM_SITE));
  AscendC::aclsim_cube::load_scales(
      tensor_at(position, matrix).aclsim_operand(ACLSIM_WRITES),
      tensor_at(AscendC::TPosition::A1, src).aclsim_operand(ACLSIM_READS), params, ACLSIM_SITE);
}
}  // namespace aclsim_c
/* `dst`: the address of the matrix in L0A or L0B, divided by 16. */
#define ACLSIM_C_SCALES(name, position)                                                     \
  ACLSIM_C_FORMS(                                                                           \
      , name,                                                                               \
      (uint64_t dst, __cbuf__ fp8_e8m0_t * src, uint16_t x_start_pos, uint16_t y_start_pos, \
       uint8_t x_step, uint8_t y_step, uint16_t src_stride, uint16_t dst_stride),           \
      (dst, src, x_start_pos, y_start_pos, x_step, y_step, src_stride, dst_stride),         \
      aclsim_c::load_scales<AscendC::TPosition::position>(                                  \
          dst, src, {x_start_pos, y_start_pos, x_step, y_step, src_stride, dst_stride}))
ACLSIM_C_SCALES(asc_copy_l12l0a_mx, A2)
ACLSIM_C_SCALES(asc_copy_l12l0b_mx, B2)
#undef ACLSIM_C_SCALES
#else
/* Fractals of 512 bytes, and positions, strides and gaps of them. */
#define ACLSIM_C_LOAD(name, qualifier, position)                                                  \
  ACLSIM_C_FORMS(ACLSIM_C_OF(ACLSIM_C_ELEMENTS, int4b_t), name,                                   \
                 (qualifier T * dst, __cbuf__ T * src, uint16_t start_index, uint8_t repeat,      \
                  uint16_t src_stride, uint16_t dst_gap),                                         \
                 (dst, src, start_index, repeat, src_stride, dst_gap),                            \
                 AscendC::LoadData(ACLSIM_C_AT(position, dst), ACLSIM_C_AT(A1, src),              \
                                   AscendC::LoadData2DParams(start_index, repeat, src_stride, 0,  \
                                                             dst_gap, false, 0)))                 \
  /* Squares of fractals, each transposed; positions and strides of squares. */                   \
  ACLSIM_C_FORMS(                                                                                 \
      ACLSIM_C_OF(ACLSIM_C_ELEMENTS), name##_trans,                                               \
      (qualifier T * dst, __cbuf__ T * src, uint16_t index_id, uint8_t repeat,                    \
       uint16_t src_stride, uint16_t dst_gap, bool enable_addr_decrement, uint16_t dst_frac_gap), \
      (dst, src, index_id, repeat, src_stride, dst_gap, enable_addr_decrement, dst_frac_gap),     \
      AscendC::LoadDataWithTranspose(                                                             \
          ACLSIM_C_AT(position, dst), ACLSIM_C_AT(A1, src),                                       \
          AscendC::LoadData2dTransposeParams(index_id, repeat, src_stride, dst_gap, dst_frac_gap, \
                                             enable_addr_decrement ? 1 : 0)))
ACLSIM_C_LOAD(asc_copy_l12l0a, __ca__, A2)
ACLSIM_C_LOAD(asc_copy_l12l0b, __cb__, B2)
#undef ACLSIM_C_LOAD
ACLSIM_C_FORMS(
    , asc_copy_l12l0b_sparse,
    (__cb__ int8_t * dst, __cbuf__ int8_t* src, __cbuf__ int8_t* index, uint16_t start_index,
     uint8_t repeat),
    (dst, src, index, start_index, repeat),
    AscendC::LoadDataWithSparse(ACLSIM_C_AT(B2, dst), ACLSIM_C_AT(A1, src),
                                ACLSIM_C_AT(A1, reinterpret_cast<__cbuf__ uint8_t*>(index)),
                                AscendC::LoadData2DParams(start_index, repeat, 0, 0, 0, false, 0)))
#endif

/* A part of the matrix that a feature map becomes by image to column. */
#define ACLSIM_C_IMAGE(name, qualifier, position, ...)                                            \
  ACLSIM_C_FORMS(                                                                                 \
      ACLSIM_C_OF(__VA_ARGS__), name,                                                             \
      (qualifier T * dst, __cbuf__ T * src, uint16_t k_extension, uint16_t m_extension,           \
       uint16_t k_start_pt, uint16_t m_start_pt, uint8_t stride_w, uint8_t stride_h,              \
       uint8_t filter_w, uint8_t filter_h, uint8_t dilation_filter_w, uint8_t dilation_filter_h,  \
       bool filter_size_w, bool filter_size_h, bool transpose, bool f_matrix_ctrl,                \
       uint16_t channel_size),                                                                    \
      (dst, src, k_extension, m_extension, k_start_pt, m_start_pt, stride_w, stride_h, filter_w,  \
       filter_h, dilation_filter_w, dilation_filter_h, filter_size_w, filter_size_h, transpose,   \
       f_matrix_ctrl, channel_size),                                                              \
      AscendC::LoadData(                                                                          \
          ACLSIM_C_AT(position, dst), ACLSIM_C_AT(A1, src),                                       \
          AscendC::LoadData3DParamsV2Pro(                                                         \
              channel_size, transpose, false, filter_size_w, filter_size_h, f_matrix_ctrl,        \
              uint64_t{m_start_pt} << 48 | uint64_t{k_start_pt} << 32 |                           \
                  uint64_t{m_extension} << 16 | k_extension,                                      \
              uint64_t{dilation_filter_h} << 40 | uint64_t{dilation_filter_w} << 32 |             \
                  uint64_t{filter_h} << 24 | uint64_t{filter_w} << 16 | uint64_t{stride_h} << 8 | \
                  stride_w)))
#if ACLSIM_NPU_ARCH == 3510
ACLSIM_C_IMAGE(asc_copy_l12l0a, __ca__, A2, ACLSIM_C_MORE_ELEMENTS)
ACLSIM_C_IMAGE(asc_copy_l12l0b, __cb__, B2, ACLSIM_C_MORE_ELEMENTS)
#else
ACLSIM_C_IMAGE(asc_copy_l12l0a, __ca__, A2, ACLSIM_C_ELEMENTS, int4b_t)
ACLSIM_C_IMAGE(asc_copy_l12l0b, __cb__, B2, half, bfloat16_t, uint32_t, int32_t, float)
#endif
#undef ACLSIM_C_IMAGE

/* ---- settings of the form before ---- */

inline constexpr uint64_t ASC_DEFAULT_L13D_FMATRIX_CONFIG_VALUE = 0;
union asc_l13d_fmatrix_config {
  uint64_t config = ASC_DEFAULT_L13D_FMATRIX_CONFIG_VALUE;
  __extension__ struct {
    uint16_t l1_height;
    uint16_t l1_width;
    uint8_t padding_left_size;
    uint8_t padding_right_size;
    uint8_t padding_top_size;
    uint8_t padding_bottom_size;
  };
};
inline constexpr uint64_t ASC_DEFAULT_LOAD3D_V2_CONFIG_VALUE = 0x10000;
union asc_load3d_v2_config {
  uint64_t config = ASC_DEFAULT_LOAD3D_V2_CONFIG_VALUE;
  __extension__ struct {
    uint64_t rpt_stride : 16;
    uint64_t rpt_time : 8;
    uint64_t rpt_mode : 1;
    uint64_t reserved2 : 39;
  };
};

namespace aclsim_c {
inline void set_image(const asc_l13d_fmatrix_config& config, AscendC::FmatrixMode side) {
  const uint8_t pad[4] = {config.padding_left_size, config.padding_right_size,
                          config.padding_top_size, config.padding_bottom_size};
  AscendC::SetFmatrix(config.l1_height, config.l1_width, pad, side);
}
}  // namespace aclsim_c

ACLSIM_THROUGH void asc_set_l13d_fmatrix(const asc_l13d_fmatrix_config& config) {
  aclsim_c::set_image(config, AscendC::FmatrixMode::FMATRIX_LEFT);
}
ACLSIM_THROUGH void asc_set_l13d_fmatrix_b(const asc_l13d_fmatrix_config& config) {
  aclsim_c::set_image(config, AscendC::FmatrixMode::FMATRIX_RIGHT);
}
ACLSIM_THROUGH void asc_set_l13d_rpt(const asc_load3d_v2_config& config) {
  AscendC::SetLoadDataRepeat({static_cast<uint16_t>(config.rpt_stride),
                              static_cast<uint8_t>(config.rpt_time),
                              static_cast<uint8_t>(config.rpt_mode)});
}
ACLSIM_THROUGH void asc_set_l13d_padding(uint64_t config) {
  AscendC::SetLoadDataPaddingValue(config);
}
ACLSIM_THROUGH void asc_set_l13d_padding(half config) { AscendC::SetLoadDataPaddingValue(config); }
ACLSIM_THROUGH void asc_set_l13d_padding(int16_t config) {
  AscendC::SetLoadDataPaddingValue(config);
}
ACLSIM_THROUGH void asc_set_l13d_padding(uint16_t config) {
  AscendC::SetLoadDataPaddingValue(config);
}
#if ACLSIM_NPU_ARCH != 3510
ACLSIM_THROUGH void asc_set_l13d_size(uint64_t value) {
  AscendC::SetLoadDataBoundary(static_cast<uint32_t>(value));
}
#endif

/* ---- from L1 into the bias table and the fixpipe buffer ---- */

namespace aclsim_c {
/* `dst`: the address in the bias table, divided by 16. */
ACLSIM_API inline AscendC::LocalTensor<uint8_t> bias_at(uint64_t dst) {
  return tensor_at(AscendC::TPosition::C2,
                   address_of(AscendC::TPosition::C2, dst, 16, ACLSIM_SITE));
}
/* Bytes do not say from which type they are converted. */
ACLSIM_API inline void require_no_conversion(uint16_t conv_control) {
  require_zero(conv_control, "asc_copy_l12bt: this type is not converted; conv_control",
               ACLSIM_SITE);
}
}  // namespace aclsim_c

ACLSIM_C_FORMS(, asc_copy_l12bt, (uint64_t dst, __cbuf__ void* src, uint32_t size),
               (dst, src, size),
               AscendC::DataCopy(aclsim_c::bias_at(dst), ACLSIM_C_AT(A1, src), size))
/* Lengths and gaps in units of 32 bytes. */
ACLSIM_C_FORM(, asc_copy_l12bt,
              (uint64_t dst, __cbuf__ void* src, uint16_t conv_control, uint16_t n_burst,
               uint16_t len_burst, uint16_t source_gap, uint16_t dst_gap),
              aclsim_c::require_no_conversion(conv_control);
              aclsim_c::blocks_of(aclsim_c::bias_at(dst), ACLSIM_C_AT(A1, src), n_burst,
                                  len_burst * 32U, (len_burst + source_gap) * int64_t{32},
                                  (len_burst + dst_gap) * int64_t{32}))
ACLSIM_C_FORMS(, asc_copy_l12fb, (__fbuf__ void* dst, __cbuf__ void* src, uint32_t size),
               (dst, src, size),
               AscendC::DataCopy(ACLSIM_C_AT(C2PIPE2GM, dst), ACLSIM_C_AT(A1, src), size))
#if ACLSIM_NPU_ARCH == 3510
namespace aclsim_c {
/* With conv_control, halves become floats; len_burst counts what they have before. */
template <typename T>
ACLSIM_THROUGH void biases(uint64_t dst, const T* src, bool converted,
                           const AscendC::DataCopyParams& params) {
  if (converted) {
    AscendC::DataCopy(bias_at(dst).ReinterpretCast<float>(), tensor_at(AscendC::TPosition::A1, src),
                      params);
  } else {
    AscendC::DataCopy(bias_at(dst).ReinterpretCast<T>(), tensor_at(AscendC::TPosition::A1, src),
                      params);
  }
}
}  // namespace aclsim_c
ACLSIM_C_FORM(ACLSIM_C_OF(half, bfloat16_t), asc_copy_l12bt,
              (uint64_t dst, __cbuf__ T* src, uint16_t conv_control, uint16_t n_burst,
               uint16_t len_burst, uint16_t source_gap, uint16_t dst_gap),
              aclsim_c::biases(dst, src, conv_control != 0,
                               {n_burst, len_burst, source_gap, dst_gap}))
/* Lengths and gaps of the destination in units of 64 bytes, gaps of the source of 32 bytes. */
ACLSIM_C_FORM(, asc_copy_l12fb,
              (__fbuf__ void* dst, __cbuf__ void* src, uint16_t n_burst, uint16_t len_burst,
               uint16_t src_gap_size, uint16_t dst_gap_size),
              AscendC::DataCopy(ACLSIM_C_AT(C2PIPE2GM, dst), ACLSIM_C_AT(A1, src),
                                AscendC::DataCopyParams(n_burst, len_burst, src_gap_size,
                                                        dst_gap_size)))
#else
/* Lengths and gaps in units of 32 bytes. */
ACLSIM_C_FORM(, asc_copy_l12fb,
              (__fbuf__ void* dst, __cbuf__ void* src, uint16_t n_burst, uint16_t len_burst,
               uint16_t src_gap_size, uint16_t dst_gap_size),
              aclsim_c::blocks_of(ACLSIM_C_AT(C2PIPE2GM, dst), ACLSIM_C_AT(A1, src), n_burst,
                                  len_burst * 32U, (len_burst + src_gap_size) * int64_t{32},
                                  (len_burst + dst_gap_size) * int64_t{32}))
#endif

/* ---- one value in all elements ---- */

inline constexpr uint64_t ASC_FILL_VALUE_DEFAULT_VALUE = 0;
/* Blocks of 32 bytes in L1, of 512 bytes in L0A and L0B; `dst_gap` counts such blocks. */
union asc_fill_value_config {
  uint64_t config = ASC_FILL_VALUE_DEFAULT_VALUE;
  __extension__ struct {
    uint64_t repeat : 15;
    uint64_t reserved1 : 1;
    uint64_t blk_num : 15;
    uint64_t reserved2 : 1;
    uint64_t dst_gap : 15;
    uint64_t reserved3 : 17;
  };
};

namespace aclsim_c {
/* An element takes the low bits of the value. */
template <typename T, typename V>
ACLSIM_API void fill(AscendC::TPosition position, T* dst, V value,
                     const asc_fill_value_config& config, const char* called) {
  AscendC::aclsim_cube::fill_bits(tensor_at(position, dst), value, config.config, called,
                                  ACLSIM_SITE);
}
}  // namespace aclsim_c

#define ACLSIM_C_FILL_OF(name, qualifier, position, V, ...)                         \
  ACLSIM_C_FORMS(ACLSIM_C_OF(__VA_ARGS__), name,                                    \
                 (qualifier T * dst, V value, const asc_fill_value_config& config), \
                 (dst, value, config),                                              \
                 aclsim_c::fill(AscendC::TPosition::position, dst, value, config, #name))
/* The effect of a value of 16 bits on wider elements is not documented. */
#define ACLSIM_C_FILL(name, qualifier, position)                                             \
  ACLSIM_C_FILL_OF(name, qualifier, position, half, int16_t, uint16_t, half, bfloat16_t)     \
  ACLSIM_C_FILL_OF(name, qualifier, position, bfloat16_t, bfloat16_t)                        \
  ACLSIM_C_FILL_OF(name, qualifier, position, uint32_t, int16_t, uint16_t, half, bfloat16_t, \
                   int32_t, uint32_t, float)
ACLSIM_C_FILL(asc_fill_l1, __cbuf__, A1)
#if ACLSIM_NPU_ARCH != 3510
ACLSIM_C_FILL(asc_fill_l0a, __ca__, A2)
ACLSIM_C_FILL(asc_fill_l0b, __cb__, B2)
#endif
#undef ACLSIM_C_FILL
#undef ACLSIM_C_FILL_OF

#undef ACLSIM_C_ELEMENTS
#undef ACLSIM_C_MORE_ELEMENTS

#endif /* ASCENDC_IMPL_C_CUBE_LOAD_H_ */
