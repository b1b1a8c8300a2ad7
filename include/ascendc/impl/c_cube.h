/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C interface of the cube unit: its functions take pointers into the memories of the unit. This
 * file has the products and their settings; c_cube_load.h and c_fixpipe.h have the copies.
 */
#ifndef ASCENDC_IMPL_C_CUBE_H_
#define ASCENDC_IMPL_C_CUBE_H_

#include "ascendc/impl/copy.h"
#include "ascendc/impl/cube_unit.h"
#include "ascendc/impl/sync.h"

namespace aclsim_c {

/* The tensor at a pointer into a memory. A pointer has no length, so that each instruction reaches
   as far as it needs, up to the end of the memory. */
template <typename T>
AscendC::LocalTensor<T> tensor_at(AscendC::TPosition position, const T* at) {
  return AscendC::LocalTensor<T>::aclsim_at(position, const_cast<T*>(at));
}
inline AscendC::LocalTensor<uint8_t> tensor_at(AscendC::TPosition position, const void* at) {
  return tensor_at(position, static_cast<const uint8_t*>(at));
}
template <typename T>
AscendC::GlobalTensor<T> global_at(const T* at) {
  AscendC::GlobalTensor<T> made;
  made.SetGlobalBuffer(const_cast<T*>(at));
  return made;
}
inline AscendC::GlobalTensor<uint8_t> global_at(const void* at) {
  return global_at(static_cast<const uint8_t*>(at));
}

/* The address behind a number: an address, or an address or an offset that is divided by `unit`. */
inline void* address_of(AscendC::TPosition position, uint64_t number, uint64_t unit,
                        const void* site) {
  const auto where = static_cast<uint32_t>(position);
  const uint64_t size = aclsimLocalSize(where);
  const auto begin = reinterpret_cast<uint64_t>(aclsimLocalAddress(where, 0, 0, site));
  if (number >= begin && number - begin < size) return reinterpret_cast<void*>(number);
  const uint64_t bytes = number * unit;
  return reinterpret_cast<void*>(bytes < size ? begin + bytes : bytes);
}

/* Ends the kernel if an argument has a value that is not emulated. */
inline void require_zero(uint64_t value, const char* sentence, const void* site) {
  if (value != 0) aclsimViolation(sentence, value, 0, site);
}

template <typename T, typename... Of>
inline constexpr bool kIsOneOf = (std::is_same_v<T, Of> || ...);
/* A matrix of T times one of U, with sums of S. */
template <typename S, typename T, typename U>
inline constexpr bool kIsProduct = false;
template <>
inline constexpr bool kIsProduct<int32_t, int8_t, int8_t> = true;
template <>
inline constexpr bool kIsProduct<float, half, half> = true;
template <>
inline constexpr bool kIsProduct<float, float, float> = true;
template <>
inline constexpr bool kIsProduct<float, bfloat16_t, bfloat16_t> = true;
template <typename S, typename T, typename U>
inline constexpr bool kIsProductOfNibbles =
    kIsOneOf<S, int32_t>&& kIsOneOf<T, int4b_t>&& kIsOneOf<U, int4b_t>;
#if ACLSIM_NPU_ARCH == 3510
template <typename T>
inline constexpr bool kIsFp8 = kIsOneOf<T, fp8_e4m3fn_t, fp8_e5m2_t>;
template <typename T>
inline constexpr bool kIsFp4 = kIsOneOf<T, fp4x2_e1m2_t, fp4x2_e2m1_t>;
template <>
inline constexpr bool kIsProduct<float, hifloat8_t, hifloat8_t> = true;
template <typename T, typename U>
inline constexpr bool kIsProduct<float, T, U> = kIsFp8<T>&& kIsFp8<U>;
#endif

inline AscendC::MmadParams product_of(uint16_t m, uint16_t k, uint16_t n, uint8_t unit_flag,
                                      bool from_bias, bool from_zero) {
  return {m, n, k, unit_flag, from_bias, from_zero};
}
template <typename S, typename T, typename U>
ACLSIM_THROUGH void multiply(S* c, const T* a, const U* b, const AscendC::MmadParams& params) {
  AscendC::Mmad(tensor_at(AscendC::TPosition::CO1, c), tensor_at(AscendC::TPosition::A2, a),
                tensor_at(AscendC::TPosition::B2, b), params);
}

}  // namespace aclsim_c

/* The head of a function for the element types that follow. */
#define ACLSIM_C_OF(...) \
  template <typename T, std::enable_if_t<aclsim_c::kIsOneOf<T, __VA_ARGS__>, int> = 0>
/* A function with a body. */
#define ACLSIM_C_FORM(HEAD, name, parameters, ...) \
  HEAD ACLSIM_THROUGH void name parameters { __VA_ARGS__; }
/* The same, and another function after which all pipes wait for the end. */
#define ACLSIM_C_FORMS(HEAD, name, parameters, arguments, ...) \
  HEAD ACLSIM_THROUGH void name parameters { __VA_ARGS__; }    \
  HEAD ACLSIM_THROUGH void name##_sync parameters {            \
    name arguments;                                            \
    AscendC::PipeBarrier<PIPE_ALL>();                          \
  }

/* ---- products ---- */

#define ACLSIM_C_PRODUCT(condition)             \
  template <typename S, typename T, typename U, \
            std::enable_if_t<aclsim_c::condition<S, T, U>, int> = 0>
#if ACLSIM_NPU_ARCH == 3510
ACLSIM_C_FORMS(ACLSIM_C_PRODUCT(kIsProduct), asc_mmad,
               (__cc__ S * c_matrix, __ca__ T* a_matrix, __cb__ U* b_matrix, uint16_t left_height,
                uint16_t n_dim, uint16_t right_width, uint8_t unit_flag, bool disable_gemv,
                bool c_matrix_source, bool c_matrix_init_val),
               (c_matrix, a_matrix, b_matrix, left_height, n_dim, right_width, unit_flag,
                disable_gemv, c_matrix_source, c_matrix_init_val),
               AscendC::MmadParams params = aclsim_c::product_of(left_height, n_dim, right_width,
                                                                 unit_flag, c_matrix_source,
                                                                 c_matrix_init_val);
               params.disableGemv = disable_gemv;
               aclsim_c::multiply(c_matrix, a_matrix, b_matrix, params))

#define ACLSIM_C_SCALED                                                        \
  template <typename T, typename U,                                            \
            std::enable_if_t<(aclsim_c::kIsFp8<T> && aclsim_c::kIsFp8<U>) ||   \
                                 (aclsim_c::kIsFp4<T> && aclsim_c::kIsFp4<U>), \
                             int> = 0>
ACLSIM_C_FORMS(ACLSIM_C_SCALED, asc_mmad_mx,
               (__cc__ float* c_matrix, __ca__ T* a_matrix, __cb__ U* b_matrix,
                uint16_t left_height, uint16_t n_dim, uint16_t right_width, uint8_t unit_flag,
                bool disable_gemv, bool c_matrix_source, bool c_matrix_init_val),
               (c_matrix, a_matrix, b_matrix, left_height, n_dim, right_width, unit_flag,
                disable_gemv, c_matrix_source, c_matrix_init_val),
               AscendC::MmadParams params = aclsim_c::product_of(left_height, n_dim, right_width,
                                                                 unit_flag, c_matrix_source,
                                                                 c_matrix_init_val);
               params.disableGemv = disable_gemv;
               AscendC::MmadMx(aclsim_c::tensor_at(AscendC::TPosition::CO1, c_matrix),
                               aclsim_c::tensor_at(AscendC::TPosition::A2, a_matrix),
                               aclsim_c::tensor_at(AscendC::TPosition::B2, b_matrix), params))
#undef ACLSIM_C_SCALED
#else
namespace aclsim_c {
/* Offsets of weights are not emulated. */
ACLSIM_API inline void require_no_offset(uint8_t smask_offset, bool is_weight_offset) {
  require_zero(smask_offset, "asc_mmad: offsets are not emulated; smask_offset", ACLSIM_SITE);
  require_zero(is_weight_offset ? 1 : 0, "asc_mmad: offsets are not emulated; is_weight_offset",
               ACLSIM_SITE);
}
}  // namespace aclsim_c
#define ACLSIM_C_MMAD(name, condition)                                                           \
  ACLSIM_C_FORMS(                                                                                \
      ACLSIM_C_PRODUCT(condition), name,                                                         \
      (__cc__ S * c_matrix, __ca__ T * a_matrix, __cb__ U * b_matrix, uint16_t left_height,      \
       uint16_t n_dim, uint16_t right_width, uint8_t unit_flag, bool k_direction_align,          \
       bool c_matrix_source, bool c_matrix_init_val),                                            \
      (c_matrix, a_matrix, b_matrix, left_height, n_dim, right_width, unit_flag,                 \
       k_direction_align, c_matrix_source, c_matrix_init_val),                                   \
      AscendC::MmadParams params = aclsim_c::product_of(                                         \
          left_height, n_dim, right_width, unit_flag, c_matrix_source, c_matrix_init_val);       \
      params.kDirectionAlign = k_direction_align;                                                \
      aclsim_c::multiply(c_matrix, a_matrix, b_matrix, params))                                  \
  ACLSIM_C_FORMS(                                                                                \
      ACLSIM_C_PRODUCT(condition), name,                                                         \
      (__cc__ S * c_matrix, __ca__ T * a_matrix, __cb__ U * b_matrix, uint16_t left_height,      \
       uint16_t n_dim, uint16_t right_width, uint8_t feat_offset, uint8_t smask_offset,          \
       uint8_t unit_flag, bool k_direction_align, bool is_weight_offset, bool c_matrix_source,   \
       bool c_matrix_init_val),                                                                  \
      (c_matrix, a_matrix, b_matrix, left_height, n_dim, right_width, feat_offset, smask_offset, \
       unit_flag, k_direction_align, is_weight_offset, c_matrix_source, c_matrix_init_val),      \
      (void)feat_offset; /* reserved */                                                          \
      aclsim_c::require_no_offset(smask_offset, is_weight_offset);                               \
      name(c_matrix, a_matrix, b_matrix, left_height, n_dim, right_width, unit_flag,             \
           k_direction_align, c_matrix_source, c_matrix_init_val))
ACLSIM_C_MMAD(asc_mmad, kIsProduct)
ACLSIM_C_MMAD(asc_mmad_s4, kIsProductOfNibbles)
#undef ACLSIM_C_MMAD
ACLSIM_C_FORMS(, asc_mmad_sparse,
               (__cc__ int32_t * c, __ca__ int8_t* a, __cb__ int8_t* b, uint16_t m, uint16_t k,
                uint16_t n, uint8_t unit_flag, bool c_matrix_source, bool c_matrix_init_val),
               (c, a, b, m, k, n, unit_flag, c_matrix_source, c_matrix_init_val),
               AscendC::MmadWithSparse(aclsim_c::tensor_at(AscendC::TPosition::CO1, c),
                                       aclsim_c::tensor_at(AscendC::TPosition::A2, a),
                                       aclsim_c::tensor_at(AscendC::TPosition::B2, b),
                                       aclsim_c::product_of(m, k, n, unit_flag, c_matrix_source,
                                                            c_matrix_init_val)))
#endif
#undef ACLSIM_C_PRODUCT

/* ---- settings of products ---- */

ACLSIM_THROUGH void asc_enable_hf32() { AscendC::SetHF32Mode(true); }
/* 0: to nearest, ties to even; 1: ties to zero. */
ACLSIM_THROUGH void asc_enable_hf32_trans(uint32_t mode) { AscendC::SetHF32TransMode(mode == 1); }
ACLSIM_THROUGH void asc_set_fp32_mode() { AscendC::SetHF32Mode(false); }
ACLSIM_THROUGH void asc_set_mmad_direction_m() { AscendC::SetMMRowMajor(); }
ACLSIM_THROUGH void asc_set_mmad_direction_n() { AscendC::SetMMColumnMajor(); }
#if ACLSIM_NPU_ARCH == 3510
/* The type of numbers of 8 bits decides their format, so that the mode changes nothing. */
ACLSIM_THROUGH void asc_enable_fp8() {}
#endif

#endif /* ASCENDC_IMPL_C_CUBE_H_ */
