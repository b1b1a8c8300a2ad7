/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names that sources of kernels use beside the functions: small templates over types, enumerations,
 * constants.
 */
#ifndef ASCENDC_IMPL_NAMES_H_
#define ASCENDC_IMPL_NAMES_H_

#include <cstdint>
#include <type_traits>

#include "ascendc/impl/element.h"
#include "ascendc/impl/tensor.h"
#include "ascendc/impl/types.h"

namespace AscendC {

template <bool b>
struct BoolInst {
  static constexpr bool value = b;
};
using TrueType = BoolInst<true>;
using FalseType = BoolInst<false>;

template <typename T, typename U>
struct IsSameType : FalseType {};
template <typename T>
struct IsSameType<T, T> : TrueType {};

template <bool condition, class T1, class T2>
struct Conditional {
  using type = std::conditional_t<condition, T1, T2>;
};
template <typename T>
struct IsLocalTensor : FalseType {};
template <typename T>
struct IsLocalTensor<LocalTensor<T>> : TrueType {};

template <typename T>
struct SizeOfBits {
  static constexpr uint32_t value = sizeof(T) * ONE_BYTE_BIT_SIZE;
};
template <>
struct SizeOfBits<int4b_t> {
  static constexpr uint32_t value = 4;
};

/* The names of the events of HardEvent on one kind of core. */
enum class HardEventAic : uint8_t {
  MTE2_MTE1 = 0,
  MTE1_MTE2 = 1,
  MTE1_M = 2,
  M_MTE1 = 3,
  MTE3_MTE1 = 4,
  MTE1_MTE3 = 5,
  MTE2_M = 6,
  M_MTE2 = 7,
  M_FIX = 8,
  FIX_M = 9,
  MTE3_MTE2 = 10,
  MTE2_MTE3 = 11,
  S_MTE2 = 12,
  MTE2_S = 13,
  S_MTE3 = 14,
  MTE3_S = 15,
  MTE2_FIX = 16,
  FIX_MTE2 = 17,
  FIX_S = 18,
  M_S = 19,
  FIX_MTE3 = 20,
  MTE1_FIX = 21,
  FIX_MTE1 = 22,
  FIX_FIX = 23,
  MAX = 24
};
enum class HardEventAiv : uint8_t {
  MTE2_V = 0,
  V_MTE2 = 1,
  MTE3_V = 2,
  V_MTE3 = 3,
  V_V = 4,
  MTE3_MTE2 = 5,
  MTE2_MTE3 = 6,
  S_V = 7,
  V_S = 8,
  S_MTE2 = 9,
  MTE2_S = 10,
  S_MTE3 = 11,
  MTE3_S = 12,
  MAX = 13
};
enum class MemoryT : uint8_t { L1 = 0, L0A = 1, L0B = 2, L0C = 3, UB = 4, BIAS = 5 };
enum class TShapeType : uint8_t {
  DEFAULT = 0,
  NHWC = 1,
  NC1HWC0 = 2,
  NHC = 3,
  NCHT = 4,
  ND = 5,
  FRACTAL_NZ = 6,
  HNC = 7,
  HCNT = 8,
  NDHWC = 9,
  FRACTAL_Z_3D = 10,
  NDHC = 11,
  DCHNT = 12,
  FRACTAL_Z = 13,
  NCDHW = 14,
  NDC1HWC0 = 15,
  NCDH = 16,
  NDCHT = 17,
  NCHW = 18,
  NCH = 19,
  HWCN = 20,
  HCN = 21,
  CHNT = 22,
  DHWCN = 23,
  DHCN = 24
};
enum class BinaryScalarOp : uint8_t {
  ADDS = 0,
  MULS = 1,
  MAXS = 2,
  MINS = 3,
  SUBS = 4,
  DIVS = 5,
  ANDS = 6,
  ORS = 7
};
enum class CLAMPMODE { CLAMP_MAX = 0, CLAMP_MIN = 1 };
enum class PcieCtrl : uint64_t { WR = 0, RD = 1 };

inline constexpr uint8_t CONV2D_IMG_SIZE = 2;
inline constexpr uint8_t CONV2D_KERNEL_SIZE = 2;
inline constexpr uint8_t CONV2D_STRIDE = 2;
inline constexpr uint8_t CONV2D_PAD = 4;
inline constexpr uint8_t CONV2D_DILATION = 2;
inline constexpr uint64_t LOAD_M_START_POSITION = 48;
inline constexpr uint64_t LOAD_K_START_POSITION = 32;
inline constexpr uint64_t LOAD_M_EXTENSION = 16;
inline constexpr uint64_t LOAD_DILATION_FILTER_H = 40;
inline constexpr uint64_t LOAD_DILATION_FILTER_W = 32;
inline constexpr uint64_t LOAD_FILTER_H = 24;
inline constexpr uint64_t LOAD_FILTER_W = 16;
inline constexpr uint64_t LOAD_STRIDE_H = 8;

}  // namespace AscendC

#endif /* ASCENDC_IMPL_NAMES_H_ */
