/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of the library that choose elements by a mask, count, or draw random numbers.
 */
#ifndef ASCENDC_IMPL_LIBRARY_FILTER_H_
#define ASCENDC_IMPL_LIBRARY_FILTER_H_

#include "ascendc/impl/library_math.h"

namespace AscendC {

/* Rows of srcLastAxis elements and of maskLastAxis elements of the mask. */
struct DropOutShapeInfo {
  uint32_t firstAxis = 0;
  uint32_t srcLastAxis = 0;
  uint32_t maskLastAxis = 0;
};
struct SelectWithBytesMaskShapeInfo {
  uint32_t firstAxis = 0;
  uint32_t srcLastAxis = 0;
  uint32_t maskLastAxis = 0;
};

inline constexpr uint16_t PHILOX_KEY_SIZE = 2;
inline constexpr uint16_t PHILOX_COUNTER_SIZE = 4;
using PhiloxKey = uint32_t[PHILOX_KEY_SIZE];
using PhiloxCounter = uint32_t[PHILOX_COUNTER_SIZE];
struct PhiloxRandomParams {
  uint32_t stride;
  uint32_t row;
  uint32_t column;
};

/* src / keepProb where the mask is set, 0 elsewhere. dropOutMode: 0: by the axes; 1 and 2: a byte
 * for each element, with and without padding behind the rows of the mask; 3 and 4: a bit for each
 * element, the low bits first, without and with padding. */
#define ACLSIM_DROPOUT(TMP)                                                           \
  ACLSIM_LIBRARY_TYPES(DropOut, T);                                                   \
  static_assert(dropOutMode <= 4, "AscendC::DropOut: dropOutMode is none of 0 to 4"); \
  ACLSIM_LIBRARY_CALL(DropOut, false)                                                 \
      .to(dstLocal)                                                                   \
      .from(srcLocal)                                                                 \
      .from(maskLocal) TMP.number(dropOutMode)                                        \
      .number(info.firstAxis)                                                         \
      .number(info.srcLastAxis)                                                       \
      .number(info.maskLastAxis)                                                      \
      .value(keepProb)                                                                \
      .go()
template <typename T, bool isInitBitMode = false, uint32_t dropOutMode = 0>
ACLSIM_API void DropOut(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                        const LocalTensor<uint8_t>& maskLocal, ACLSIM_TMP, const float keepProb,
                        const DropOutShapeInfo& info) {
  ACLSIM_DROPOUT(.to(sharedTmpBuffer));
}
template <typename T, bool isInitBitMode = false, uint32_t dropOutMode = 0>
ACLSIM_API void DropOut(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                        const LocalTensor<uint8_t>& maskLocal, const float keepProb,
                        const DropOutShapeInfo& info) {
  ACLSIM_DROPOUT(.none());
}
#undef ACLSIM_DROPOUT

/* src0 where the mask is 0, src1 elsewhere; one of them is a value. */
#define ACLSIM_SELECT_BYTES                                                                     \
  ACLSIM_LIBRARY_TYPES(Select, T);                                                              \
  static_assert(std::is_integral_v<U> && sizeof(U) <= 4,                                        \
                "AscendC::Select: the mask is no tensor of bool or integers of up to 4 bytes"); \
  ACLSIM_LIBRARY_CALL(Select, false)                                                            \
      .to(dst)                                                                                  \
      .template tensor_or_value<T>(src0)                                                        \
      .template tensor_or_value<T>(src1)                                                        \
      .from(mask)                                                                               \
      .to(sharedTmpBuffer)                                                                      \
      .number(info.firstAxis)                                                                   \
      .number(info.srcLastAxis)                                                                 \
      .number(info.maskLastAxis)                                                                \
      .number(isReuseMask)                                                                      \
      .values()                                                                                 \
      .go()
#define ACLSIM_SELECT_FORMS(Name)                                                     \
  template <typename T, typename U, bool isReuseMask = true>                          \
  ACLSIM_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, T src1, \
                       const LocalTensor<U>& mask, ACLSIM_TMP,                        \
                       const SelectWithBytesMaskShapeInfo& info) {                    \
    ACLSIM_SELECT_BYTES;                                                              \
  }                                                                                   \
  template <typename T, typename U, bool isReuseMask = true>                          \
  ACLSIM_API void Name(const LocalTensor<T>& dst, T src0, const LocalTensor<T>& src1, \
                       const LocalTensor<U>& mask, ACLSIM_TMP,                        \
                       const SelectWithBytesMaskShapeInfo& info) {                    \
    ACLSIM_SELECT_BYTES;                                                              \
  }
ACLSIM_SELECT_FORMS(Select)
ACLSIM_SELECT_FORMS(SelectWithBytesMask) /* the older name */
#undef ACLSIM_SELECT_FORMS
#undef ACLSIM_SELECT_BYTES

/* firstValue + i * diffValue. */
template <typename T>
ACLSIM_API void Arange(const LocalTensor<T>& dst, const T firstValue, const T diffValue,
                       const int32_t count) {
  ACLSIM_LIBRARY_TYPES(Arange, T);
  ACLSIM_LIBRARY_CALL(Arange, false).to(dst).number(count).value(firstValue).value(diffValue).go();
}
/* The older name. */
template <typename T>
ACLSIM_API void ArithProgression(const LocalTensor<T>& dst, const T firstValue, const T diffValue,
                                 const int32_t count) {
  ACLSIM_LIBRARY_TYPES(Arange, T);
  ACLSIM_LIBRARY_CALL(Arange, false).to(dst).number(count).value(firstValue).value(diffValue).go();
}

/* Philox 4x32. Each value of the counter gives four numbers. Floating numbers are the low 23 bits
 * of a number, as a fraction of 1. */
#define ACLSIM_PHILOX(stride, row, column)                                                         \
  ACLSIM_LIBRARY_TYPES(PhiloxRandom, T);                                                           \
  static_assert(Rounds == 7 || Rounds == 10, "AscendC::PhiloxRandom: Rounds is neither 7 nor 10"); \
  ACLSIM_LIBRARY_CALL(PhiloxRandom, false)                                                         \
      .to(dstLocal)                                                                                \
      .number(Rounds)                                                                              \
      .number(philoxKey[0])                                                                        \
      .number(philoxKey[1])                                                                        \
      .number(philoxCounter[0])                                                                    \
      .number(philoxCounter[1])                                                                    \
      .number(philoxCounter[2])                                                                    \
      .number(philoxCounter[3])                                                                    \
      .number(stride)                                                                              \
      .number(row)                                                                                 \
      .number(column)                                                                              \
      .go()
template <uint16_t Rounds = 7, typename T>
ACLSIM_API void PhiloxRandom(const LocalTensor<T>& dstLocal, const PhiloxKey& philoxKey,
                             const PhiloxCounter& philoxCounter, uint16_t count) {
  ACLSIM_PHILOX(0, 1, count);
}
/* `row` rows of `column` numbers without gaps; the counter goes on by stride / 4 from row to row.
 */
template <uint16_t Rounds = 7, typename T>
ACLSIM_API void PhiloxRandom(const LocalTensor<T>& dstLocal, const PhiloxKey& philoxKey,
                             const PhiloxCounter& philoxCounter, const PhiloxRandomParams& params) {
  ACLSIM_PHILOX(params.stride, params.row, params.column);
}
#undef ACLSIM_PHILOX

}  // namespace AscendC

#endif /* ASCENDC_IMPL_LIBRARY_FILTER_H_ */
