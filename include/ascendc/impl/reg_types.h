/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The registers of the vector unit (architecture 3510) and the values that select forms of their
 * functions. A register is a plain array; its functions are calls of libascendc_runtime.
 */
#ifndef ASCENDC_IMPL_REG_TYPES_H_
#define ASCENDC_IMPL_REG_TYPES_H_

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "ascendc/impl/element.h"
#include "ascendc/impl/types.h"
#include "ascendc/impl/vector_types.h"

namespace AscendC {

#define ACLSIM_ALGORITHMS(Name, Config, Default)                                        \
  enum class Name { INTRINSIC = 0, PRECISION_1ULP_FTZ_TRUE, PRECISION_1ULP_FTZ_FALSE }; \
  struct Config {                                                                       \
    Name algo = Name::INTRINSIC;                                                        \
  };                                                                                    \
  inline constexpr Config Default = {Name::INTRINSIC};
ACLSIM_ALGORITHMS(LogAlgo, LogConfig, DEFAULT_Log_CONFIG)
ACLSIM_ALGORITHMS(Log2Algo, Log2Config, DEFAULT_Log2_CONFIG)
ACLSIM_ALGORITHMS(Log10Algo, Log10Config, DEFAULT_Log10_CONFIG)
#undef ACLSIM_ALGORITHMS

namespace Reg {

enum class RegLayout { UNKNOWN = -1, ZERO, ONE, TWO, THREE };
enum class SatMode { UNKNOWN = -1, NO_SAT, SAT };
enum class IndexOrder { INCREASE_ORDER, DECREASE_ORDER };
enum class MaskMergeMode { UNKNOWN, MERGING, ZEROING };
enum class HistogramsBinType { BIN0 = 0, BIN1, BIN2, BIN3, BIN4, BIN5, BIN6, BIN7 };
enum class HistogramsType { FREQUENCY = 0, ACCUMULATE };
enum class HighLowPart { LOWEST, HIGHEST };
enum class PostLiteral { POST_MODE_NORMAL, POST_MODE_UPDATE };
enum class MaskPattern {
  ALL,
  VL1,
  VL2,
  VL3,
  VL4,
  VL8,
  VL16,
  VL32,
  VL64,
  VL128,
  M3,
  M4,
  H,
  Q,
  ALLF = 15
};
enum class LoadDist {
  DIST_NORM,
  DIST_BRC_B8,
  DIST_BRC_B16,
  DIST_BRC_B32,
  DIST_US_B8 = 6,
  DIST_US_B16,
  DIST_DS_B8,
  DIST_DS_B16,
  DIST_BDINTLV,
  DIST_DINTLV_B8,
  DIST_DINTLV_B16,
  DIST_UNPACK_B8,
  DIST_UNPACK_B16,
  DIST_BLK,
  DIST_E2B_B16,
  DIST_E2B_B32,
  DIST_UNPACK_B32,
  DIST_DINTLV_B32,
  DIST_UNPACK4_B8,
  DIST_SPLT4CHN_B8,
  DIST_SPLT2CHN_B8,
  DIST_SPLT2CHN_B16
};
enum class MaskDist { DIST_NORM, DIST_US = 1, DIST_DS = 2, DIST_PACK = 1 };
enum class StoreDist {
  DIST_NORM_B8,
  DIST_NORM_B16,
  DIST_NORM_B32,
  DIST_FIRST_ELEMENT_B8,
  DIST_FIRST_ELEMENT_B16,
  DIST_FIRST_ELEMENT_B32,
  DIST_PACK_B16,
  DIST_PACK_B32,
  DIST_INTLV_B8,
  DIST_INTLV_B16,
  DIST_PACK_B64,
  DIST_INTLV_B32,
  DIST_PACK4_B32,
  DIST_MRG4CHN_B8,
  DIST_MRG2CHN_B8,
  DIST_MRG2CHN_B16,
  DIST_NORM
};
enum class MemType { VEC_STORE, VEC_LOAD, SCALAR_STORE, SCALAR_LOAD, VEC_ALL, SCALAR_ALL };
enum class DataCopyMode { DATA_BLOCK_COPY };
enum class GatherMaskMode { NO_STORE_REG, STORE_REG };
enum class StoreMode { NOSTORED = 0, STORED };
enum class RoundControl { NO_ROUND, ROUND };
enum class PairReduce { SUM = 0 };
using ReduceType = AscendC::ReduceType;

/* "The type of the register", as a default template argument. */
struct DefaultType {};

struct CastTrait {
  RegLayout layoutMode = RegLayout::UNKNOWN;
  SatMode satMode = SatMode::UNKNOWN;
  MaskMergeMode mrgMode = MaskMergeMode::UNKNOWN;
  RoundMode roundMode = RoundMode::UNKNOWN;
};
inline constexpr CastTrait castTrait = {};

/* Precision modes change no result. */
#define ACLSIM_MODE_OF(Name)                          \
  struct Name##SpecificMode {                         \
    MaskMergeMode mrgMode = MaskMergeMode::ZEROING;   \
    AscendC::Name##Algo algo = Name##Algo::INTRINSIC; \
  };
ACLSIM_MODE_OF(Exp)
ACLSIM_MODE_OF(Ln)
ACLSIM_MODE_OF(Log)
ACLSIM_MODE_OF(Log2)
ACLSIM_MODE_OF(Log10)
#undef ACLSIM_MODE_OF
#define ACLSIM_MODE_OF(Name)                          \
  struct Name##SpecificMode {                         \
    MaskMergeMode mrgMode = MaskMergeMode::ZEROING;   \
    bool precisionMode = false;                       \
    AscendC::Name##Algo algo = Name##Algo::INTRINSIC; \
  };
ACLSIM_MODE_OF(Div)
ACLSIM_MODE_OF(Sqrt)
#undef ACLSIM_MODE_OF

struct RegTrait {
  int REG_NUM = 1;
};
inline constexpr RegTrait RegTraitNumOne = {1};
inline constexpr RegTrait RegTraitNumTwo = {2};

/* Two registers of a type hold twice as many elements, in order. */
template <typename T, const RegTrait& regTrait = RegTraitNumOne>
struct RegTensor {
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                "AscendC::Reg::RegTensor: elements have 1, 2, 4 or 8 bytes");
  static_assert(regTrait.REG_NUM == 1 || sizeof(T) == 8,
                "AscendC::Reg::RegTensor: RegTraitNumTwo needs elements of 8 bytes");
  using ActualT = T;
  static constexpr RegTrait trait = regTrait;
  static constexpr int REG_NUM = regTrait.REG_NUM;
  static constexpr uint32_t aclsim_lanes = 256U * REG_NUM / sizeof(T);

  /* As on the chip, a register that is not set has no value. */
  RegTensor() {}
  /* A cast of a register keeps its bytes. */
  template <typename V>
  explicit RegTensor(const RegTensor<V, regTrait>& other) {
    std::memcpy(aclsim_bytes, other.aclsim_bytes, sizeof aclsim_bytes);
  }

  alignas(64) uint8_t aclsim_bytes[256 * REG_NUM];
};

/* One bit for each byte of a register; the lowest bit of an element is the one that counts. */
struct MaskReg {
  uint64_t aclsim_bits[4];
};

/* An offset in elements. */
struct AddrReg {
  uint64_t aclsim_offset;
};

/* The part of an access to bytes that do not begin at a block: `count` bytes before `address`. */
struct UnalignReg {
  UnalignReg() : aclsim_count(0), aclsim_address(nullptr) {}
  uint32_t aclsim_count;
  uint8_t* aclsim_address;
  uint8_t aclsim_bytes[32];
};
using UnalignRegForLoad = UnalignReg;
using UnalignRegForStore = UnalignReg;

}  // namespace Reg
namespace MicroAPI = Reg; /* the older name */
}  // namespace AscendC

/* Local memory in the functions of registers. */
using vector_bool = AscendC::Reg::MaskReg;
using vector_address = AscendC::Reg::AddrReg;
using vector_align = AscendC::Reg::UnalignReg;

namespace aclsim_reg {

template <typename T>
struct IsReg : std::false_type {};
template <typename T, const AscendC::Reg::RegTrait& trait>
struct IsReg<AscendC::Reg::RegTensor<T, trait>> : std::true_type {};
template <typename U>
using if_reg = std::enable_if_t<IsReg<U>::value, int>;
template <typename U>
using if_value = std::enable_if_t<!IsReg<U>::value, int>;

/* A name of a type that the caller may have left to the register. */
template <typename T, typename U>
constexpr bool fits =
    std::is_same_v<T, AscendC::Reg::DefaultType> || std::is_same_v<T, typename U::ActualT>;

template <typename Mode>
constexpr bool merges(Mode mode) {
  if constexpr (std::is_pointer_v<Mode>) {
    return mode->mrgMode == AscendC::Reg::MaskMergeMode::MERGING;
  } else {
    return mode == AscendC::Reg::MaskMergeMode::MERGING;
  }
}

/* Whether the precision mode is one that flushes subnormal numbers. */
template <typename Mode>
constexpr bool flushes(Mode mode) {
  if constexpr (std::is_pointer_v<Mode>) {
    using Algo = std::remove_const_t<decltype(mode->algo)>;
    bool zero_ulp = false;
    if constexpr (std::is_same_v<Algo, AscendC::DivAlgo>) {
      zero_ulp = mode->algo == Algo::PRECISION_0ULP_FTZ_TRUE;
    }
    return zero_ulp || mode->algo == Algo::PRECISION_1ULP_FTZ_TRUE;
  } else {
    return false;
  }
}

}  // namespace aclsim_reg

#endif /* ASCENDC_IMPL_REG_TYPES_H_ */
