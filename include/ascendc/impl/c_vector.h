/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C interface of vector instructions over the unified buffer, from one table. Not on
 * architecture 3510, which has registers instead.
 */
#ifndef ASCENDC_IMPL_C_VECTOR_H_
#define ASCENDC_IMPL_C_VECTOR_H_

#include "ascendc/kernel_operator.h"

/* R(name, shape, function of AscendC): asc_<name> and asc_<name>_sync. */
#define ACLSIM_C_VECTOR_ROWS(R)    \
  R(add, TWO, Add)                 \
  R(sub, TWO, Sub)                 \
  R(mul, TWO, Mul)                 \
  R(div, TWO, Div)                 \
  R(max, TWO, Max)                 \
  R(min, TWO, Min)                 \
  R(and, TWO, And)                 \
  R(or, TWO, Or)                   \
  R(add_relu, TWO, AddRelu)        \
  R(sub_relu, TWO, SubRelu)        \
  R(mul_add, TWO, FusedMulAdd)     \
  R(mul_add_relu, TWO, MulAddRelu) \
  R(abs, ONE, Abs)                 \
  R(exp, ONE, Exp)                 \
  R(log, ONE, Ln)                  \
  R(relu, ONE, Relu)               \
  R(rsqrt, ONE, Rsqrt)             \
  R(sqrt, ONE, Sqrt)               \
  R(rcp, ONE, Reciprocal)          \
  R(not, ONE, Not)                 \
  R(add_scalar, SCALAR, Adds)      \
  R(mul_scalar, SCALAR, Muls)      \
  R(max_scalar, SCALAR, Maxs)      \
  R(min_scalar, SCALAR, Mins)      \
  R(leakyrelu, SCALAR, LeakyRelu)

#if ACLSIM_NPU_ARCH != 3510
namespace aclsim_c {

/* The address as a tensor of unknown length. */
template <typename T>
ACLSIM_THROUGH AscendC::LocalTensor<T> tensor(__ubuf__ T* address) {
  return AscendC::LocalTensor<T>::aclsim_at(AscendC::TPosition::VECCALC, address);
}
/* The kernel has set the mask register, so no call gives a mask. */
inline constexpr uint64_t kKept = 0;

}  // namespace aclsim_c

#define ACLSIM_C_SYNC(name, parameters, arguments)   \
  template <typename T>                              \
  ACLSIM_THROUGH void asc_##name##_sync parameters { \
    asc_##name arguments;                            \
    aclsimPipeBarrier(PIPE_ALL, ACLSIM_SITE);        \
  }
#define ACLSIM_C_TWO(name, what)                                                                   \
  template <typename T>                                                                            \
  ACLSIM_THROUGH void asc_##name(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1,              \
                                 uint32_t count) {                                                 \
    AscendC::what(aclsim_c::tensor(dst), aclsim_c::tensor(src0), aclsim_c::tensor(src1),           \
                  static_cast<int32_t>(count));                                                    \
  }                                                                                                \
  template <typename T>                                                                            \
  ACLSIM_THROUGH void asc_##name(                                                                  \
      __ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1, uint8_t repeat,                         \
      uint8_t dst_block_stride, uint8_t src0_block_stride, uint8_t src1_block_stride,              \
      uint8_t dst_repeat_stride, uint8_t src0_repeat_stride, uint8_t src1_repeat_stride) {         \
    AscendC::what<T, false>(aclsim_c::tensor(dst), aclsim_c::tensor(src0), aclsim_c::tensor(src1), \
                            aclsim_c::kKept, repeat,                                               \
                            {dst_block_stride, src0_block_stride, src1_block_stride,               \
                             dst_repeat_stride, src0_repeat_stride, src1_repeat_stride});          \
  }                                                                                                \
  ACLSIM_C_SYNC(name, (__ubuf__ T * dst, __ubuf__ T * src0, __ubuf__ T * src1, uint32_t count),    \
                (dst, src0, src1, count))
#define ACLSIM_C_ONE(name, what)                                                              \
  template <typename T>                                                                       \
  ACLSIM_THROUGH void asc_##name(__ubuf__ T* dst, __ubuf__ T* src, uint32_t count) {          \
    AscendC::what(aclsim_c::tensor(dst), aclsim_c::tensor(src), static_cast<int32_t>(count)); \
  }                                                                                           \
  template <typename T>                                                                       \
  ACLSIM_THROUGH void asc_##name(__ubuf__ T* dst, __ubuf__ T* src, uint8_t repeat,            \
                                 uint16_t dst_block_stride, uint16_t src_block_stride,        \
                                 uint16_t dst_repeat_stride, uint16_t src_repeat_stride) {    \
    AscendC::what<T, false>(                                                                  \
        aclsim_c::tensor(dst), aclsim_c::tensor(src), aclsim_c::kKept, repeat,                \
        {dst_block_stride, src_block_stride, static_cast<uint8_t>(dst_repeat_stride),         \
         static_cast<uint8_t>(src_repeat_stride)});                                           \
  }                                                                                           \
  ACLSIM_C_SYNC(name, (__ubuf__ T * dst, __ubuf__ T * src, uint32_t count), (dst, src, count))
#define ACLSIM_C_SCALAR(name, what)                                                            \
  template <typename T>                                                                        \
  ACLSIM_THROUGH void asc_##name(__ubuf__ T* dst, __ubuf__ T* src, aclsim_c::Same<T> value,    \
                                 uint32_t count) {                                             \
    AscendC::what(aclsim_c::tensor(dst), aclsim_c::tensor(src), value,                         \
                  static_cast<int32_t>(count));                                                \
  }                                                                                            \
  template <typename T>                                                                        \
  ACLSIM_THROUGH void asc_##name(__ubuf__ T* dst, __ubuf__ T* src, aclsim_c::Same<T> value,    \
                                 uint8_t repeat, uint16_t dst_block_stride,                    \
                                 uint16_t src_block_stride, uint16_t dst_repeat_stride,        \
                                 uint16_t src_repeat_stride) {                                 \
    AscendC::what<T, false>(                                                                   \
        aclsim_c::tensor(dst), aclsim_c::tensor(src), value, aclsim_c::kKept, repeat,          \
        {dst_block_stride, src_block_stride, static_cast<uint8_t>(dst_repeat_stride),          \
         static_cast<uint8_t>(src_repeat_stride)});                                            \
  }                                                                                            \
  ACLSIM_C_SYNC(name,                                                                          \
                (__ubuf__ T * dst, __ubuf__ T * src, aclsim_c::Same<T> value, uint32_t count), \
                (dst, src, value, count))
namespace aclsim_c {
template <typename T>
struct Itself {
  using Type = T;
};
template <typename T>
using Same = typename Itself<T>::Type;
}  // namespace aclsim_c
#define ACLSIM_C_DECLARE(name, shape, what) ACLSIM_C_##shape(name, what)
ACLSIM_C_VECTOR_ROWS(ACLSIM_C_DECLARE)
#undef ACLSIM_C_DECLARE
#undef ACLSIM_C_TWO
#undef ACLSIM_C_ONE
#undef ACLSIM_C_SCALAR
#undef ACLSIM_C_SYNC

ACLSIM_THROUGH void asc_set_vector_mask(uint64_t mask1, uint64_t mask0) {
  AscendC::SetVectorMask<uint8_t>(mask1, mask0);
}
ACLSIM_THROUGH void asc_set_mask_count() { AscendC::SetMaskCount(); }
ACLSIM_THROUGH void asc_set_mask_norm() { AscendC::SetMaskNorm(); }
#endif

#endif /* ASCENDC_IMPL_C_VECTOR_H_ */
