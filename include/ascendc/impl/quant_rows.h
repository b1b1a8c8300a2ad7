/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The quantisation modes of Fixpipe, in the order of QuantMode_t: name, type in L0C, type of the
 * destination (B8: int8_t or uint8_t), and whether each column has a parameter of its own.
 */
#ifndef ASCENDC_IMPL_QUANT_ROWS_H_
#define ASCENDC_IMPL_QUANT_ROWS_H_

#define ACLSIM_QUANT_ROWS(R)               \
  R(NoQuant, ANY, ANY, 0)                  \
  R(F322F16, FLOAT, HALF, 0)               \
  R(F322BF16, FLOAT, BFLOAT16, 0)          \
  R(DEQF16, INT32, HALF, 0)                \
  R(VDEQF16, INT32, HALF, 1)               \
  R(QF322B8_PRE, FLOAT, B8, 0)             \
  R(VQF322B8_PRE, FLOAT, B8, 1)            \
  R(REQ8, INT32, B8, 0)                    \
  R(VREQ8, INT32, B8, 1)                   \
  R(QF322FP8_PRE, FLOAT, FP8, 0)           \
  R(VQF322FP8_PRE, FLOAT, FP8, 1)          \
  R(QF322HIF8_PRE, FLOAT, HIF8, 0)         \
  R(VQF322HIF8_PRE, FLOAT, HIF8, 1)        \
  R(QF322HIF8_PRE_HYBRID, FLOAT, HIF8, 0)  \
  R(VQF322HIF8_PRE_HYBRID, FLOAT, HIF8, 1) \
  R(QS322BF16_PRE, INT32, BFLOAT16, 0)     \
  R(VQS322BF16_PRE, INT32, BFLOAT16, 1)    \
  R(QF322F16_PRE, FLOAT, HALF, 0)          \
  R(VQF322F16_PRE, FLOAT, HALF, 1)         \
  R(QF322BF16_PRE, FLOAT, BFLOAT16, 0)     \
  R(VQF322BF16_PRE, FLOAT, BFLOAT16, 1)    \
  R(QF322F32_PRE, FLOAT, FLOAT, 0)         \
  R(VQF322F32_PRE, FLOAT, FLOAT, 1)

#endif /* ASCENDC_IMPL_QUANT_ROWS_H_ */
