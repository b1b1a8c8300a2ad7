/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C interface of the cube unit: copies out of L0C and L1, with their settings.
 */
#ifndef ASCENDC_IMPL_C_FIXPIPE_H_
#define ASCENDC_IMPL_C_FIXPIPE_H_

#include "ascendc/impl/c_cube.h"

#if ACLSIM_NPU_ARCH == 3510
/* Quantisation after the one of QuantMode_t, which is not emulated. */
enum QuantMode_post {
  NoConv = 0,
  QS162B8_POST,
  VQS162B8_POST,
  QF162B8_POST,
  VQF162B8_POST,
  QS162S4_POST,
  VQS162S4_POST,
  QF162S4_POST,
  VQF162S4_POST,
  QS162S16_POST,
  VQS162S16_POST,
  QF162S16_POST,
  VQF162S16_POST
};
#endif

namespace aclsim_c {

/* The arguments of all copies out of L0C. Strides: of the destination in elements, of L0C in rows.
 */
struct Results {
  uint16_t cols;
  uint16_t rows;
  uint32_t dst_stride;
  uint16_t src_stride;
  uint8_t unit_flag;
  uint64_t quant;
  uint8_t relu;
  bool split;
  bool to_rows;
  bool to_columns = false;
  uint8_t dual = 0;
  bool second = false;
};
/* More arguments of architecture 3510; they are not emulated. */
struct Refused {
  uint8_t clip_relu_pre;
  uint64_t quant_post;
  uint8_t relu_post;
  bool clip_relu_post;
  uint8_t eltwise_op;
  bool c0_pad;
  bool broadcast = false;
};
inline void require_nothing(const Refused& refused, const void* site) {
  require_zero(refused.clip_relu_pre, "clip_relu_pre is not emulated; clip_relu_pre", site);
  require_zero(refused.quant_post, "quant_post is not emulated; quant_post", site);
  require_zero(refused.relu_post, "relu_post is not emulated; relu_post", site);
  require_zero(refused.clip_relu_post ? 1 : 0, "clip_relu_post is not emulated; clip_relu_post",
               site);
  require_zero(refused.eltwise_op, "eltwise_op is not emulated; eltwise_op", site);
  require_zero(refused.c0_pad ? 1 : 0, "c0_pad_en is not emulated; c0_pad_en", site);
  require_zero(refused.broadcast ? 1 : 0, "broadcast_en is not emulated; broadcast_en", site);
}

/* A destination of another type has the type that the quantisation makes of the source. */
inline uint8_t element_of(uint64_t quant, uint8_t source) {
  enum : uint8_t {
    ANY = ACLSIM_OTHER_ELEMENT,
    HALF = ACLSIM_HALF,
    BFLOAT16 = ACLSIM_BFLOAT16,
    FLOAT = ACLSIM_FLOAT,
    B8 = ACLSIM_INT8,
    FP8 = ACLSIM_FP8_E4M3FN,
    HIF8 = ACLSIM_HIFLOAT8
  };
#define ACLSIM_QUANT(name, from, to, per_column) uint8_t{to},
  constexpr uint8_t kTypes[] = {ACLSIM_QUANT_ROWS(ACLSIM_QUANT)};
#undef ACLSIM_QUANT
  const uint8_t made = quant < sizeof kTypes ? kTypes[quant] : uint8_t{ANY};
  return made == ANY ? source : made;
}
inline int64_t bytes_of(uint8_t element) {
  if (element == ACLSIM_FLOAT || element == ACLSIM_INT32) return 4;
  return element == ACLSIM_HALF || element == ACLSIM_BFLOAT16 || element == ACLSIM_INT16 ||
                 element == ACLSIM_UINT16
             ? 2
             : 1;
}

/* Matrices, scalars and the parameters of columns come from the registers. */
inline void copy_results(aclsimOperand to, const aclsimOperand& from, const Results& results,
                         const char* called, const void* site) {
  using namespace AscendC::aclsim_cube;
  const aclsimCubeRegisters& registers = *aclsimCubeRegistersOfCore();
  const int64_t bytes = bytes_of(to.element);
  auto fixpipe = params_of<aclsimFixpipe>(called);
  fixpipe.rows = results.rows;
  fixpipe.cols = results.cols;
  fixpipe.matrices = 1;
  fixpipe.src_stride = results.src_stride * kRowOfSums;
  fixpipe.src_row = kRowOfSums;
  fixpipe.dst_stride = results.dst_stride * bytes;
  fixpipe.quant = static_cast<uint32_t>(results.quant);
  fixpipe.scale = registers.pre_quant;
  fixpipe.unit_flag = results.unit_flag;
  fixpipe.split = results.split ? 1 : 0;
  fixpipe.dual = results.dual;
  fixpipe.sub_block = results.dual == 0 && results.second ? 1 : 0;
  if (results.relu > 1) {
    aclsimViolation("another relu than the normal one is not emulated; relu_pre", results.relu, 1,
                    site);
  }
  fixpipe.relu = results.relu;
  fixpipe.layout = ACLSIM_FIXPIPE_FRACTALS;
  if (results.to_rows || results.to_columns) {
    fixpipe.layout = results.to_columns ? ACLSIM_FIXPIPE_COLUMNS : ACLSIM_FIXPIPE_ROWS;
    fixpipe.matrices = registers.nd_num;
    fixpipe.src_matrix = registers.src_nd_stride * (kBands ? kFractalOfSums : kRowOfSums);
    fixpipe.dst_matrix = registers.dst_nd_stride * bytes;
  }
  if (results.to_columns) {
    fixpipe.src_row = static_cast<int64_t>(registers.channel_para >> 48) * kRowOfSums;
  }
  issue_with_registers(fixpipe, to, from, site);
}

/* Other destinations are void* for the documentation. */
template <typename T>
inline constexpr bool kIsResult =
    kIsOneOf<T, half, bfloat16_t, int8_t, uint8_t, float, int32_t, int16_t
#if ACLSIM_NPU_ARCH == 3510
             ,
             fp8_e4m3fn_t, fp8_e5m2_t, hifloat8_t
#endif
             >;

/* The operand of global memory, or of the memory behind a position. */
template <typename T>
aclsimOperand written(AscendC::TPosition position, T* dst) {
  if (position == AscendC::TPosition::GM) return global_at(dst).aclsim_operand(ACLSIM_WRITES);
  return tensor_at(position, dst).aclsim_operand(ACLSIM_WRITES);
}
template <typename T, typename S>
ACLSIM_API void results(AscendC::TPosition position, T* dst, const S* src, const Results& results,
                        const Refused& refused, const char* called) {
  require_nothing(refused, ACLSIM_SITE);
  aclsimOperand to = written(position, dst);
  const aclsimOperand from = tensor_at(AscendC::TPosition::CO1, src).aclsim_operand(ACLSIM_READS);
  if (!kIsResult<T>) to.element = element_of(results.quant, from.element);
  copy_results(to, from, results, called, ACLSIM_SITE);
}

}  // namespace aclsim_c

#define ACLSIM_C_SUMS_INTO(condition)                                                            \
  template <typename T, typename S,                                                              \
            std::enable_if_t<aclsim_c::kIsOneOf<S, float, int32_t> && aclsim_c::condition<T, S>, \
                             int> = 0>

/* ---- results ---- */

namespace aclsim_c {
template <typename T, typename S>
inline constexpr bool kAny = true;
#if ACLSIM_NPU_ARCH == 3510
template <typename T, typename S>
inline constexpr bool kShort = kIsOneOf<T, S, half, int8_t, uint8_t>;
#else
template <typename T, typename S>
inline constexpr bool kOut =
    std::is_same_v<S, float> ? kIsOneOf<T, half, bfloat16_t, int8_t, uint8_t, float>
                             : kIsOneOf<T, half, int16_t, int8_t, int32_t>;
#endif
}  // namespace aclsim_c

#if ACLSIM_NPU_ARCH == 3510
/* Caches change no results here, and eltwise_antq_en belongs to eltwise_op. */
#define ACLSIM_C_RESULTS(name, qualifier, position)                                                \
  ACLSIM_C_FORMS(                                                                                  \
      ACLSIM_C_SUMS_INTO(kAny), name,                                                              \
      (qualifier T * dst_addr, __cc__ S * src_addr, uint16_t n_size, uint16_t m_size,              \
       uint32_t loop_dst_stride, uint16_t loop_src_stride, uint8_t l2_cache_ctl,                   \
       uint8_t clip_relu_pre, uint8_t unit_flag_ctl, uint64_t quant_pre, uint8_t relu_pre,         \
       bool split_en, bool nz2nd_en, uint64_t quant_post, uint8_t relu_post, bool clip_relu_post,  \
       uint8_t eltwise_op, bool eltwise_antq_en, bool c0_pad_en, bool broadcast_en,                \
       bool nz2dn_en),                                                                             \
      (dst_addr, src_addr, n_size, m_size, loop_dst_stride, loop_src_stride, l2_cache_ctl,         \
       clip_relu_pre, unit_flag_ctl, quant_pre, relu_pre, split_en, nz2nd_en, quant_post,          \
       relu_post, clip_relu_post, eltwise_op, eltwise_antq_en, c0_pad_en, broadcast_en, nz2dn_en), \
      (void)l2_cache_ctl;                                                                          \
      (void)eltwise_antq_en;                                                                       \
      aclsim_c::results(AscendC::TPosition::position, dst_addr, src_addr,                          \
                        {n_size, m_size, loop_dst_stride, loop_src_stride, unit_flag_ctl,          \
                         quant_pre, relu_pre, split_en, nz2nd_en, nz2dn_en},                       \
                        {clip_relu_pre, quant_post, relu_post, clip_relu_post, eltwise_op,         \
                         c0_pad_en, broadcast_en},                                                 \
                        #name))
ACLSIM_C_RESULTS(asc_copy_l0c2gm, __gm__, GM)
ACLSIM_C_RESULTS(asc_copy_l0c2l1, __cbuf__, A1)
#undef ACLSIM_C_RESULTS
ACLSIM_C_FORM(
    ACLSIM_C_SUMS_INTO(kShort), asc_copy_l0c2l1,
    (__cbuf__ T * dst, __cc__ S* src, uint16_t n_size, uint16_t m_size, uint32_t dst_stride,
     uint16_t src_stride, uint8_t clip_relu_pre, uint8_t unit_flag_mode, uint64_t quant_pre,
     uint8_t relu_pre, bool channel_split, bool nz2nd_en, uint64_t quant_post, uint8_t relu_post,
     bool clip_relu_post, uint8_t eltwise_op, uint8_t eltwise_antq_en, bool c0_pad_en),
    (void)eltwise_antq_en;
    aclsim_c::results(AscendC::TPosition::A1, dst, src,
                      {n_size, m_size, dst_stride, src_stride, unit_flag_mode, quant_pre, relu_pre,
                       channel_split, nz2nd_en},
                      {clip_relu_pre, quant_post, relu_post, clip_relu_post, eltwise_op, c0_pad_en},
                      "asc_copy_l0c2l1"))
/* Into the unified buffer of a vector core, or halves of the rows (1) or columns (2) of two. */
ACLSIM_C_FORMS(
    ACLSIM_C_SUMS_INTO(kAny), asc_copy_l0c2ub,
    (__ubuf__ T * dst_addr, __cc__ S* src_addr, uint16_t n_size, uint16_t m_size,
     uint32_t loop_dst_stride, uint16_t loop_src_stride, uint8_t dual_dst_ctl, bool sub_blockid,
     uint8_t clip_relu_pre, uint8_t unit_flag_ctl, uint64_t quant_pre, uint8_t relu_pre,
     bool split_en, bool nz2nd_en, uint64_t quant_post, uint8_t relu_post, bool clip_relu_post,
     uint8_t eltwise_op, bool eltwise_antq_en, bool c0_pad_en, bool broadcast_en, bool nz2dn_en),
    (dst_addr, src_addr, n_size, m_size, loop_dst_stride, loop_src_stride, dual_dst_ctl,
     sub_blockid, clip_relu_pre, unit_flag_ctl, quant_pre, relu_pre, split_en, nz2nd_en, quant_post,
     relu_post, clip_relu_post, eltwise_op, eltwise_antq_en, c0_pad_en, broadcast_en, nz2dn_en),
    (void)eltwise_antq_en;
    aclsim_c::results(AscendC::TPosition::VECCALC, dst_addr, src_addr,
                      {n_size, m_size, loop_dst_stride, loop_src_stride, unit_flag_ctl, quant_pre,
                       relu_pre, split_en, nz2nd_en, nz2dn_en, dual_dst_ctl, sub_blockid},
                      {clip_relu_pre, quant_post, relu_post, clip_relu_post, eltwise_op, c0_pad_en,
                       broadcast_en},
                      "asc_copy_l0c2ub"))
#else
#define ACLSIM_C_RESULTS(name, qualifier, position, condition)                                 \
  ACLSIM_C_FORMS(ACLSIM_C_SUMS_INTO(condition), name,                                          \
                 (qualifier T * dst, __cc__ S * src, uint16_t n_size, uint16_t m_size,         \
                  uint32_t dst_stride, uint16_t src_stride, uint8_t unit_flag_mode,            \
                  uint64_t quant_pre, uint8_t relu_pre, bool channel_split, bool nz2nd_en),    \
                 (dst, src, n_size, m_size, dst_stride, src_stride, unit_flag_mode, quant_pre, \
                  relu_pre, channel_split, nz2nd_en),                                          \
                 aclsim_c::results(AscendC::TPosition::position, dst, src,                     \
                                   {n_size, m_size, dst_stride, src_stride, unit_flag_mode,    \
                                    quant_pre, relu_pre, channel_split, nz2nd_en},             \
                                   {}, #name))
ACLSIM_C_RESULTS(asc_copy_l0c2gm, __gm__, GM, kOut)
ACLSIM_C_RESULTS(asc_copy_l0c2l1, __cbuf__, A1, kAny)
#undef ACLSIM_C_RESULTS
#endif
#undef ACLSIM_C_SUMS_INTO

/* ---- their settings ---- */

namespace aclsim_c {
/* `quant_pre`: the address of parameters of columns in the fixpipe buffer, divided by 128. */
ACLSIM_API inline void set_config(uint64_t relu_pre, uint64_t quant_pre, bool enable_unit_flag) {
  require_zero(relu_pre, "asc_set_l0c2gm_config: relu_pre is not emulated; relu_pre", ACLSIM_SITE);
  aclsimCubeRegisters& registers = *aclsimCubeRegistersOfCore();
  registers.quant_config = quant_pre;
  registers.unit_flag_config = enable_unit_flag ? 1 : 0;
  registers.quant_address = address_of(AscendC::TPosition::C2PIPE2GM, quant_pre, 128, ACLSIM_SITE);
  registers.quant_bytes = 0;
  registers.quant_tensor = 0;
}
}  // namespace aclsim_c

ACLSIM_THROUGH void asc_set_l0c2gm_config(uint64_t relu_pre, uint64_t quant_pre,
                                          bool enable_unit_flag) {
  aclsim_c::set_config(relu_pre, quant_pre, enable_unit_flag);
}
ACLSIM_THROUGH void asc_set_l0c_copy_prequant(uint64_t config) {
  AscendC::SetFixpipePreQuantFlag(config);
}
#if ACLSIM_NPU_ARCH == 3510
/* Matrices; strides in rows of L0C and in elements. */
ACLSIM_THROUGH void asc_set_l0c2gm_nz2nd(uint64_t nd_num, uint64_t src_nd_stride,
                                         uint64_t dst_nd_stride) {
  AscendC::SetFixpipeNz2ndFlag(static_cast<uint16_t>(nd_num), static_cast<uint16_t>(src_nd_stride),
                               static_cast<uint32_t>(dst_nd_stride));
}
/* Bits 48 to 63: rows of L0C from a row to the next, for nz2dn_en. */
ACLSIM_THROUGH void asc_set_l0c2gm_channel_para(uint64_t config) {
  aclsimCubeRegistersOfCore()->channel_para = config;
}
#else
/* Matrices; strides in fractals of 1024 bytes of L0C and in elements. */
ACLSIM_THROUGH void asc_set_l0c_copy_params(uint16_t nd_num, uint16_t src_nd_stride,
                                            uint16_t dst_nd_stride) {
  AscendC::SetFixpipeNz2ndFlag(nd_num, src_nd_stride, dst_nd_stride);
}
ACLSIM_THROUGH uint64_t asc_get_l0c2gm_prequant() {
  return aclsimCubeRegistersOfCore()->quant_config;
}
/* asc_set_l0c2gm_config takes no other address. */
ACLSIM_THROUGH uint64_t asc_get_l0c2gm_relu() { return 0; }
ACLSIM_THROUGH uint64_t asc_get_l0c2gm_unitflag() {
  return aclsimCubeRegistersOfCore()->unit_flag_config;
}
#endif

/* ---- out of L1 ---- */

/* Lengths and gaps in units of 32 bytes. */
#if ACLSIM_NPU_ARCH == 3510
namespace aclsim_c {
ACLSIM_API inline void l1_to_ub(void* dst, const void* src, bool second,
                                const AscendC::DataCopyParams& params) {
  AscendC::aclsim_copy::blocks(
      tensor_at(AscendC::TPosition::VECCALC, dst).aclsim_operand(ACLSIM_WRITES),
      tensor_at(AscendC::TPosition::A1, src).aclsim_operand(ACLSIM_READS), params, ACLSIM_SITE,
      second ? 1 : 0);
}
}  // namespace aclsim_c
ACLSIM_C_FORMS(, asc_copy_l12ub,
               (__ubuf__ void* dst_addr, __cbuf__ void* src_addr, bool sub_blockid,
                uint16_t n_burst, uint16_t len_burst, uint16_t src_gap, uint16_t dst_gap),
               (dst_addr, src_addr, sub_blockid, n_burst, len_burst, src_gap, dst_gap),
               aclsim_c::l1_to_ub(dst_addr, src_addr, sub_blockid,
                                  {n_burst, len_burst, src_gap, dst_gap}))
#else
ACLSIM_C_FORMS(, asc_copy_l12gm,
               (__gm__ void* dst, __cbuf__ void* src, uint16_t n_burst, uint16_t len_burst,
                uint16_t src_gap, uint16_t dst_gap),
               (dst, src, n_burst, len_burst, src_gap, dst_gap),
               AscendC::DataCopy(aclsim_c::global_at(dst),
                                 aclsim_c::tensor_at(AscendC::TPosition::A1, src),
                                 AscendC::DataCopyParams(n_burst, len_burst, src_gap, dst_gap)))
#endif

/* ---- out of the unified buffer ---- */

#define ACLSIM_C_OUT_OF_UB(name, qualifier, position)                                            \
  ACLSIM_C_FORMS(, name, (qualifier void* dst, __ubuf__ void* src, uint32_t size),               \
                 (dst, src, size),                                                               \
                 AscendC::DataCopy(aclsim_c::tensor_at(AscendC::TPosition::position, dst),       \
                                   aclsim_c::tensor_at(AscendC::TPosition::VECCALC, src), size)) \
  ACLSIM_C_FORM(, name,                                                                          \
                (qualifier void* dst, __ubuf__ void* src, uint16_t n_burst, uint16_t len_burst,  \
                 uint16_t src_gap, uint16_t dst_gap),                                            \
                AscendC::DataCopy(aclsim_c::tensor_at(AscendC::TPosition::position, dst),        \
                                  aclsim_c::tensor_at(AscendC::TPosition::VECCALC, src),         \
                                  AscendC::DataCopyParams(n_burst, len_burst, src_gap, dst_gap)))
ACLSIM_C_OUT_OF_UB(asc_copy_ub2ub, __ubuf__, VECCALC)
#if ACLSIM_NPU_ARCH == 3510
ACLSIM_C_OUT_OF_UB(asc_copy_ub2l1, __cbuf__, A1)
#endif
#undef ACLSIM_C_OUT_OF_UB

#endif /* ASCENDC_IMPL_C_FIXPIPE_H_ */
