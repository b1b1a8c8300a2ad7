/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of the library's quantisation (library_rows.h), and the numbers of their calls.
 */
#ifndef ASCENDC_IMPL_LIBRARY_ROWS_QUANTIZATION_H_
#define ASCENDC_IMPL_LIBRARY_ROWS_QUANTIZATION_H_

#include "ascendc/impl/vector_rows.h"

#define ACLSIM_ELEMENT_S4(TAKE) TAKE(ACLSIM_BIT(ACLSIM_INT4), "int4b_t")
#define ACLSIM_IN_S8_NARROW(F, N) F(S8) N(E4M3) N(E5M2) N(HIF8) N(E1M2) N(E2M1)
#define ACLSIM_IN_S32_ALONE(F, N) F(S32)
#define ACLSIM_IN_S32_F32_SOURCES(F, N) F(S32) N(F32)
#define ACLSIM_IN_S8_S4(F, N) F(S8) N(S4)

#define ACLSIM_QUANT_OPERANDS "dst,src,scale?,offset?,tmp?"
#define ACLSIM_LIBRARY_QUANTIZATION_ROWS(R)                                                   \
  R(800, AscendQuant, CUSTOM, ACLSIM_QUANT_OPERANDS, F16_F32, F16_BF_F32, 3, ACLSIM_IN_PLACE) \
  R(801, AscendDequant, CUSTOM, ACLSIM_QUANT_OPERANDS, S32_ALONE, S32_F32_SOURCES, 2, 0)      \
  R(802, AscendAntiQuant, CUSTOM, ACLSIM_QUANT_OPERANDS, S8_S4, S8_NARROW, 2, 0)              \
  R(803, Quantize, CUSTOM, ACLSIM_QUANT_OPERANDS, NONE, F16_BF_F32, 0, 0)                     \
  R(804, Dequantize, CUSTOM, ACLSIM_QUANT_OPERANDS, NONE, S32_F32_SOURCES, 0, 0)              \
  R(805, AntiQuantize, CUSTOM, ACLSIM_QUANT_OPERANDS, NONE, S8_NARROW, 0, 0)

/* How a call describes its matrix. */
enum aclsimQuantForm {
  ACLSIM_QUANT_FLAT = 0, /* `count` elements in rows of n, which is how many parameters there are;
                            n is 0 if the parameters are values */
  ACLSIM_QUANT_ROWS,     /* m rows of n, of which the first `count` columns are computed */
  ACLSIM_QUANT_WEIGHTS,  /* m elements, k is n; parameters of a shape of their own */
  ACLSIM_QUANT_POLICY    /* `count` elements of an m x n matrix, by aclsimQuantPolicy */
};
enum aclsimQuantPolicy {
  ACLSIM_PER_TENSOR = 0,
  ACLSIM_PER_CHANNEL,
  ACLSIM_PER_TOKEN,
  ACLSIM_PER_GROUP
};
enum aclsimQuantNumber {
  ACLSIM_QUANT_FORM = 0,
  ACLSIM_QUANT_BY,   /* the policy */
  ACLSIM_QUANT_AXIS, /* POLICY: the axis of the groups; WEIGHTS: 1 if src is transposed */
  ACLSIM_QUANT_M,
  ACLSIM_QUANT_N,
  ACLSIM_QUANT_COUNT,
  ACLSIM_QUANT_GROUP, /* POLICY: rows or columns of a group; FLAT: the count of offsets */
  ACLSIM_QUANT_ROUND, /* a RoundMode */
  ACLSIM_QUANT_HAS_OFFSET,
  ACLSIM_QUANT_IN_HALF, /* intermediate values are of type half */
  ACLSIM_QUANT_SCALE,   /* the bits of a float, if scale or offset is no tensor */
  ACLSIM_QUANT_OFFSET,
  ACLSIM_QUANT_WORK, /* the bytes of tmp that the configuration claims */
  ACLSIM_QUANT_SCALE_HEIGHT,
  ACLSIM_QUANT_SCALE_WIDTH,
  ACLSIM_QUANT_OFFSET_HEIGHT,
  ACLSIM_QUANT_OFFSET_WIDTH,
  ACLSIM_QUANT_NUMBERS
};

#endif /* ASCENDC_IMPL_LIBRARY_ROWS_QUANTIZATION_H_ */
