/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queries of a kernel about its core and its launch, workspaces, and functions on single values.
 */
#ifndef ASCENDC_IMPL_SYSTEM_H_
#define ASCENDC_IMPL_SYSTEM_H_

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "ascendc/impl/copy.h"
#include "ascendc/impl/pipe.h"
#include "ascendc/impl/tensor.h"
#include "ascendc/impl/vector.h"

namespace AscendC {

inline int64_t GetBlockNum() { return aclsimThisCore()->blocks; }
inline int64_t GetBlockIdx() {
  const aclsimCore* const core = aclsimThisCore();
  return core->kind == ACLSIM_AIC ? core->block : core->block * core->ratio + core->sub_block;
}
inline int64_t GetSubBlockIdx() { return aclsimThisCore()->sub_block; }
inline int64_t GetSubBlockNum() { return aclsimThisCore()->sub_blocks; }
inline int64_t GetTaskRatio() { return aclsimThisCore()->ratio; }
inline int64_t GetTaskRation() { return GetTaskRatio(); }
constexpr int16_t GetDataBlockSizeInBytes() { return 32; }
inline void GetArchVersion(uint32_t& coreVersion) { coreVersion = ACLSIM_NPU_ARCH; }
ACLSIM_API inline int64_t GetProgramCounter() {
  return static_cast<int64_t>(reinterpret_cast<intptr_t>(ACLSIM_SITE));
}
ACLSIM_API inline void Trap() { aclsimTrap(ACLSIM_SITE); }
/* Ticks of 20 ns; of 1 ns on 3510. */
inline int64_t GetSystemCycle() {
  return static_cast<int64_t>(aclsimCycle() / (ACLSIM_NPU_ARCH == 3510 ? 1 : 20));
}
template <SpecialPurposeReg spr>
int64_t GetSpr() {
  return static_cast<int64_t>(aclsimThisCore()->counters[1]);
}
template <SpecialPurposeReg spr>
void ClearSpr() {
  aclsimThisCore()->counters[1] = 0;
}
constexpr uint32_t GetUBSizeInBytes() {
  return ACLSIM_NPU_ARCH == 3510 ? uint32_t{ASC_UB_SIZE} : 0;
}
constexpr uint32_t GetVecLen() { return ACLSIM_NPU_ARCH == 3510 ? 256 : 0; }
inline uint32_t GetRuntimeUBSize() { return GetUBSizeInBytes(); }
template <int count = 1>
void Nop() {}
inline void MetricsProfStart() {}
inline void MetricsProfStop() {}
inline void InitSocState() {}
inline void SetSyncBaseAddr(uint64_t) {}

template <SaturationMode mode>
ACLSIM_THROUGH void SetSaturationFlag(bool enableSat) {
  uint64_t& flags = aclsimThisCore()->counters[2];
  const uint64_t bit = uint64_t{1} << static_cast<uint32_t>(mode);
  flags = enableSat ? flags | bit : flags & ~bit;
  if constexpr (mode == SaturationMode::FLOAT) SetCtrlSpr<48, 48>(enableSat ? 0 : 1);
  if constexpr (mode == SaturationMode::INT) SetCtrlSpr<53, 53>(enableSat ? 1 : 0);
}
template <SaturationMode mode>
ACLSIM_THROUGH bool GetSaturationFlag() {
  if constexpr (mode == SaturationMode::FLOAT) return GetCtrlSpr<48, 48>() == 0;
  if constexpr (mode == SaturationMode::INT) return GetCtrlSpr<53, 53>() != 0;
  return (aclsimThisCore()->counters[2] >> static_cast<uint32_t>(mode) & 1) != 0;
}
template <OverrideStrategy strategy>
void SetSaturationStrategy() {
  aclsimThisCore()->counters[3] = static_cast<uint64_t>(strategy);
}
inline OverrideStrategy GetSaturationStrategy() {
  return static_cast<OverrideStrategy>(aclsimThisCore()->counters[3]);
}

/* ---- workspaces ---- */

inline void SetSysWorkspace(GM_ADDR workspace) { aclsimThisCore()->system_workspace = workspace; }
inline void SetSysWorkSpace(GM_ADDR workspace) { SetSysWorkspace(workspace); }
inline GM_ADDR GetUserWorkspace(GM_ADDR workspace) { return workspace + RESERVED_WORKSPACE; }

/* ---- numbers ---- */

inline int32_t CeilDivision(int32_t a, int32_t b) { return b == 0 ? 0 : (a + b - 1) / b; }
inline int32_t DivCeil(int32_t a, int32_t b) { return CeilDivision(a, b); }
/* Integers of any type. The name of the tensor function Ceil, which the documentation's examples
 * use for numbers too. */
template <typename T, typename U,
          typename = std::enable_if_t<std::is_integral_v<T> && std::is_integral_v<U>>>
constexpr std::common_type_t<T, U> Ceil(T a, U b) {
  using Number = std::common_type_t<T, U>;
  return b == 0 ? Number(0) : static_cast<Number>((Number(a) + Number(b) - 1) / Number(b));
}
template <typename T, typename U,
          typename = std::enable_if_t<std::is_integral_v<T> && std::is_integral_v<U>>>
constexpr std::common_type_t<T, U> AlignUp(T a, U b) {
  return static_cast<std::common_type_t<T, U>>(Ceil(a, b) * b);
}
template <typename T, typename U,
          typename = std::enable_if_t<std::is_integral_v<T> && std::is_integral_v<U> &&
                                      (sizeof(T) == 8 || sizeof(U) == 8)>>
constexpr std::common_type_t<T, U> DivCeil(T a, U b) {
  return Ceil(a, b);
}

template <int countValue>
int64_t GetBitCount(uint64_t valueIn) {
  static_assert(countValue == 0 || countValue == 1, "GetBitCount: countValue is 0 or 1");
  const int ones = __builtin_popcountll(valueIn);
  return countValue == 1 ? ones : 64 - ones;
}
template <int countValue>
int64_t ScalarGetCountOfValue(uint64_t valueIn) {
  return GetBitCount<countValue>(valueIn);
}
inline int64_t CountLeadingZero(uint64_t valueIn) {
  return valueIn == 0 ? 64 : __builtin_clzll(valueIn);
}
inline int64_t ScalarCountLeadingZero(uint64_t valueIn) { return CountLeadingZero(valueIn); }
inline int64_t CountBitsCntSameAsSignBit(int64_t valueIn) {
  const uint64_t bits = static_cast<uint64_t>(valueIn < 0 ? ~valueIn : valueIn);
  return CountLeadingZero(bits) - 1;
}
template <int countValue>
int64_t GetSFFValue(uint64_t valueIn) {
  static_assert(countValue == 0 || countValue == 1, "GetSFFValue: countValue is 0 or 1");
  const uint64_t wanted = countValue == 1 ? valueIn : ~valueIn;
  return wanted == 0 ? -1 : __builtin_ctzll(wanted);
}
template <int countValue>
int64_t ScalarGetSFFValue(uint64_t valueIn) {
  return GetSFFValue<countValue>(valueIn);
}
/* n / divisor == (mulhi(n, magic) + n) >> shift, in the width of T. */
template <typename T>
void GetUintDivMagicAndShift(T& magic, T& shift, T divisor) {
  ACLSIM_TYPES_OF(GetUintDivMagicAndShift, T);
  constexpr int kBits = sizeof(T) * 8;
  const int up = divisor <= 1 ? 0 : 64 - __builtin_clzll(static_cast<uint64_t>(divisor) - 1);
  __extension__ typedef unsigned __int128 Wide;
  const Wide one = 1;
  shift = static_cast<T>(up);
  magic =
      divisor == 0 ? 0 : static_cast<T>((((one << kBits) * ((one << up) - divisor)) / divisor) + 1);
}

inline float ToFloat(const bfloat16_t& value) { return static_cast<float>(value); }
inline bfloat16_t ToBfloat16(const float& value) { return bfloat16_t(value); }
inline bfloat16_t Cast(const float& fVal) { return bfloat16_t(fVal); }
inline float Cast(const bfloat16_t& bVal) { return static_cast<float>(bVal); }
#if ACLSIM_NPU_ARCH == 3510
/* If the value has two numbers of 4 bits, the low bits count. */
template <
    typename T, typename U = float,
    std::enable_if_t<aclsim_vector::among<T>(ACLSIM_BIT(ACLSIM_E4M3) | ACLSIM_BIT(ACLSIM_E5M2) |
                                             ACLSIM_BIT(ACLSIM_HIF8) | ACLSIM_BIT(ACLSIM_E1M2) |
                                             ACLSIM_BIT(ACLSIM_E2M1)),
                     int> = 0>
constexpr U Cast(T bVal) {
  if constexpr (aclsim_element::per_byte<T> == 2) {
    constexpr aclsim_narrow::Format kFormat =
        std::is_same_v<T, fp4x2_e1m2_t> ? aclsim_narrow::kE1M2 : aclsim_narrow::kE2M1;
    return aclsim_narrow::decode(kFormat, aclsim_narrow::half_byte(bVal.aclsim_bits, 0));
  } else {
    return static_cast<float>(bVal);
  }
}
#endif

namespace aclsim_scalar {
template <RoundMode mode>
double rounded(double value) {
  switch (mode) {
    case RoundMode::CAST_FLOOR:
      return std::floor(value);
    case RoundMode::CAST_CEIL:
      return std::ceil(value);
    case RoundMode::CAST_ROUND:
      return std::round(value);
    case RoundMode::CAST_TRUNC:
      return std::trunc(value);
    default:
      return std::nearbyint(value);
  }
}
}  // namespace aclsim_scalar

template <typename T, typename U, RoundMode roundMode>
U ScalarCast(T valueIn) {
  if constexpr (std::is_integral_v<U>) {
    const double value =
        aclsim_scalar::rounded<roundMode>(static_cast<double>(static_cast<float>(valueIn)));
    if (value != value) return 0;
    if (value >= static_cast<double>(std::numeric_limits<U>::max()))
      return std::numeric_limits<U>::max();
    if (value <= static_cast<double>(std::numeric_limits<U>::lowest())) {
      return std::numeric_limits<U>::lowest();
    }
    return static_cast<U>(value);
  } else if constexpr (roundMode == RoundMode::CAST_ODD && std::is_same_v<U, half>) {
    /* Towards zero, and the last bit set where something was lost. */
    half near(valueIn);
    const float exact = static_cast<float>(valueIn);
    if (static_cast<float>(near) == exact || exact != exact) return near;
    uint16_t bits = near.aclsim_bits;
    if (std::fabs(static_cast<float>(near)) > std::fabs(exact)) --bits;
    return half::aclsim_from_bits(static_cast<uint16_t>(bits | 1U));
  } else {
    return U(static_cast<float>(valueIn));
  }
}
template <typename T, typename U, RoundMode roundMode>
U Cast(T valueIn) {
  return ScalarCast<T, U, roundMode>(valueIn);
}

template <typename T>
ACLSIM_API void WriteGmByPassDCache(__gm__ T* addr, T value) {
  aclsimScalarWrite(addr, sizeof(T), 0, &value, ACLSIM_SITE);
}
template <typename T>
ACLSIM_API T ReadGmByPassDCache(__gm__ T* addr) {
  T value; /* other cores may read it as a flag */
  __atomic_load(
      static_cast<T*>(aclsimScalarAccess(addr, sizeof(T), 0, 0, ACLSIM_READS, ACLSIM_SITE)), &value,
      __ATOMIC_ACQUIRE);
  return value;
}

/* `size` elements of global memory, through a part of the unified buffer that no tensor and no
 * array is in. */
template <typename T>
ACLSIM_THROUGH void InitOutput(GlobalTensor<T> gmWorkspaceAddr, uint32_t size, T value = T(0)) {
  constexpr uint32_t kBytes = 4096;
  const uint64_t end = aclsimUnifiedArraysBegin();
  LocalTensor<T> local(TPosition::VECCALC, static_cast<uint32_t>(end - kBytes), kBytes / sizeof(T));
  PipeBarrier<PIPE_ALL>();
  Duplicate(local, value, static_cast<int32_t>(kBytes / sizeof(T)));
  PipeBarrier<PIPE_ALL>();
  for (uint32_t at = 0; at < size; at += kBytes / sizeof(T)) {
    const uint32_t left = size - at;
    const uint32_t part =
        left < kBytes / sizeof(T) ? left : static_cast<uint32_t>(kBytes / sizeof(T));
    DataCopyPad(gmWorkspaceAddr[at], local,
                DataCopyExtParams(1, part * static_cast<uint32_t>(sizeof(T)), 0, 0, 0));
  }
  PipeBarrier<PIPE_ALL>();
}

/* Values of a type, and tensors filled with them. */
template <typename T>
class NumericLimits {
  static constexpr bool kHalf = std::is_same_v<T, half>;
  static constexpr bool kBf = std::is_same_v<T, bfloat16_t>;
  static constexpr T pick(uint16_t half_bits, uint16_t bf_bits, T other) {
    if constexpr (kHalf)
      return half::aclsim_from_bits(half_bits);
    else if constexpr (kBf)
      return bfloat16_t::aclsim_from_bits(bf_bits);
    else
      return other;
  }
  using L = std::numeric_limits<T>;

 public:
#define ACLSIM_LIMIT(NAME, HALF, BF, MEMBER)                                   \
  static constexpr T NAME() {                                                  \
    if constexpr (kHalf || kBf)                                                \
      return pick(HALF, BF, T(0.0F));                                          \
    else                                                                       \
      return L::MEMBER();                                                      \
  }                                                                            \
  ACLSIM_THROUGH static void NAME(const LocalTensor<T>& dst, uint32_t count) { \
    Duplicate(dst, NAME(), static_cast<int32_t>(count));                       \
  }
  ACLSIM_LIMIT(Max, 0x7bff, 0x7f7f, max)
  ACLSIM_LIMIT(Lowest, 0xfbff, 0xff7f, lowest)
  ACLSIM_LIMIT(Min, 0x0400, 0x0080, min)
  ACLSIM_LIMIT(Infinity, 0x7c00, 0x7f80, infinity)
  ACLSIM_LIMIT(QuietNaN, 0x7e00, 0x7fc0, quiet_NaN)
  ACLSIM_LIMIT(SignalingNaN, 0x7d00, 0x7fa0, signaling_NaN)
  ACLSIM_LIMIT(DeNormMin, 0x0001, 0x0001, denorm_min)
#undef ACLSIM_LIMIT
  static constexpr T NegativeInfinity() { return -Infinity(); }
  ACLSIM_THROUGH static void NegativeInfinity(const LocalTensor<T>& dst, uint32_t count) {
    Duplicate(dst, NegativeInfinity(), static_cast<int32_t>(count));
  }
};

}  // namespace AscendC

inline __gm__ uint8_t* GetSysWorkSpacePtr() {
  return static_cast<uint8_t*>(aclsimThisCore()->system_workspace);
}
inline void SetSysWorkSpacePtr(__gm__ uint8_t* workspace) {
  aclsimThisCore()->system_workspace = workspace;
}
inline __gm__ uint8_t* SetDumpWorkSpacePtr(__gm__ uint8_t* workspace) {
  aclsimThisCore()->dump_workspace = workspace;
  return workspace;
}
inline __gm__ uint8_t* GetDumpWorkSpacePtr() {
  return static_cast<uint8_t*>(aclsimThisCore()->dump_workspace);
}
inline int64_t get_block_idx() { return aclsimThisCore()->block; }
inline int64_t get_block_num() { return aclsimThisCore()->blocks; }
inline int64_t get_subblockid() { return aclsimThisCore()->sub_block; }
inline int64_t get_subblockdim() { return aclsimThisCore()->sub_blocks; }
ACLSIM_API inline void trap() { aclsimTrap(ACLSIM_SITE); }
ACLSIM_API inline void __trap() { aclsimTrap(ACLSIM_SITE); }

#endif /* ASCENDC_IMPL_SYSTEM_H_ */
