/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The configurations of the library's mathematics. A choice of an algorithm does not change results
 * here.
 */
#ifndef ASCENDC_IMPL_LIBRARY_MATH_CONFIGS_H_
#define ASCENDC_IMPL_LIBRARY_MATH_CONFIGS_H_

#include <stdint.h>

#include "ascendc/impl/library_math_types.h"

namespace AscendC {

enum class TanhAlgo { INTRINSIC = 0, SUBSECTION_COMPENSATION };
struct TanhConfig {
  TanhAlgo algo = TanhAlgo::INTRINSIC;
};
inline constexpr TanhConfig DEFAULT_TANH_CONFIG = {};
enum class ErfAlgo { INTRINSIC = 0, SUBSECTION_POLYNOMIAL_APPROXIMATION };
struct ErfConfig {
  ErfAlgo algo = ErfAlgo::INTRINSIC;
};
inline constexpr ErfConfig defaultErfConfig = {};
inline constexpr SinConfig defaultSinConfig = {};
inline constexpr CosConfig defaultCosConfig = {};
enum class AtanAlgo { TAYLOR_EXPANSION = 0, POLYNOMIAL_APPROXIMATION };
struct AtanConfig {
  AtanAlgo algo = AtanAlgo::TAYLOR_EXPANSION;
};
inline constexpr AtanConfig defaultAtanConfig = {};
inline constexpr uint32_t FMOD_ITERATION_NUM_MAX = 11;
enum class FmodAlgo { NORMAL = 0, ITERATION_COMPENSATION = 1 };
struct FmodConfig {
  FmodAlgo algo = FmodAlgo::NORMAL;
  uint32_t iterationNum = FMOD_ITERATION_NUM_MAX;
};
inline constexpr FmodConfig DEFAULT_FMOD_CONFIG = {};
enum class PowerAlgo { INTRINSIC = 0, DOUBLE_FLOAT_TECH };
struct PowerConfig {
  PowerAlgo algo = PowerAlgo::INTRINSIC;
};
inline constexpr PowerConfig defaultPowerConfig = {};

#define ACLSIM_REUSE_CONFIG(Name, NAME) \
  struct Name##Config {                 \
    bool isReuseSource;                 \
  };                                    \
  inline constexpr Name##Config DEFAULT_##NAME##_CONFIG = {false};
ACLSIM_REUSE_CONFIG(Rint, RINT)
ACLSIM_REUSE_CONFIG(Clamp, CLAMP)
ACLSIM_REUSE_CONFIG(Fma, FMA)
ACLSIM_REUSE_CONFIG(SinCos, SINCOS)
ACLSIM_REUSE_CONFIG(IsInf, IS_INF)
ACLSIM_REUSE_CONFIG(IsNan, IS_NAN)
ACLSIM_REUSE_CONFIG(LogicalAnd, LOGICAL_AND)
ACLSIM_REUSE_CONFIG(LogicalOr, LOGICAL_OR)
ACLSIM_REUSE_CONFIG(LogicalXor, LOGICAL_XOR)
ACLSIM_REUSE_CONFIG(LogicalNot, LOGICAL_NOT)
ACLSIM_REUSE_CONFIG(BitwiseAnd, BITWISE_AND)
ACLSIM_REUSE_CONFIG(BitwiseOr, BITWISE_OR)
ACLSIM_REUSE_CONFIG(BitwiseXor, BITWISE_XOR)
ACLSIM_REUSE_CONFIG(BitwiseNot, BITWISE_NOT)
#undef ACLSIM_REUSE_CONFIG

/* scalarTensorIndex: which operand is the value, if both are tensors. */
struct LogicalAndsConfig {
  bool isReuseSource;
  int8_t scalarTensorIndex;
};
inline constexpr LogicalAndsConfig DEFAULT_LOGICAL_ANDS_CONFIG = {false, 1};
struct LogicalOrsConfig {
  bool isReuseSource;
  int8_t scalarTensorIndex;
};
inline constexpr LogicalOrsConfig DEFAULT_LOGICAL_ORS_CONFIG = {false, 1};

enum class CumSumAlgorithm { CUMSUM_ALGORITHM_LINEBYLINE = 0, CUMSUM_ALGORITHM_SKLANSKY = 1 };
struct CumSumConfig {
  bool isLastAxis{true};
  bool isReuseSource{false};
  bool outputLastRow{false};
  CumSumAlgorithm algorithm{CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE};
};
inline constexpr CumSumConfig defaultCumSumConfig = {};
struct CumSumInfo {
  uint32_t outter{0};
  uint32_t inner{0};
};

}  // namespace AscendC

#endif /* ASCENDC_IMPL_LIBRARY_MATH_CONFIGS_H_ */
