/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compile-time configuration of a Matmul object. Most of it selects the path of data through
 * the memories of a core; it has no effect in the emulator.
 */
#ifndef ASCENDC_IMPL_MATMUL_CONFIG_H_
#define ASCENDC_IMPL_MATMUL_CONFIG_H_

#include "ascendc/impl/cube_tiling.h"
#include "ascendc/impl/types.h"

enum class CubeFormat {
  ND = 0,
  NZ = 1,
  ZN = 2,
  ZZ = 3,
  NN = 4,
  ND_ALIGN = 5,
  SCALAR = 6,
  VECTOR = 7,
  ROW_MAJOR = 0,
  COLUMN_MAJOR = 8
};
enum class LayoutMode { NONE = 0, BSNGD = 1, SBNGD = 2, BNGS1S2 = 3, NORMAL = 4 };
enum class BatchMode {
  NONE = 0,
  BATCH_LESS_THAN_L1 = 1,
  BATCH_LARGE_THAN_L1 = 2,
  SINGLE_LARGE_THAN_L1 = 3
};
enum class BatchOutMode { SINGLE_BATCH = 0, MULTI_BATCH = 1, DYNAMIC = 2 };
enum class IterateOrder { ORDER_M = 0, ORDER_N = 1, UNDEF = 2 };
enum class ScheduleType { INNER_PRODUCT = 0, OUTER_PRODUCT = 1 };
enum IterateMode : uint8_t {
  ITERATE_MODE_NORMAL = 1,
  ITERATE_MODE_ALL = 2,
  ITERATE_MODE_BATCH = 4,
  ITERATE_MODE_N_BATCH = 8,
  ITERATE_MODE_DEFAULT = 255
};
enum class MatmulConfigMode {
  CONFIG_NORM = 0,
  CONFIG_MDL = 1,
  CONFIG_SPECIALMDL = 2,
  CONFIG_IBSHARE = 3
};

struct MatmulConfig {
  bool doNorm;
  bool doBasicBlock;
  bool doMultiDataLoad;
  uint32_t basicM;
  uint32_t basicN;
  uint32_t basicK;
  bool intrinsicsCheck;
  bool isNBatch;
  bool enVecND2NZ;
  bool doSpecialBasicBlock;
  uint32_t doMTE2Preload;
  uint32_t singleCoreM;
  uint32_t singleCoreN;
  uint32_t singleCoreK;
  uint32_t stepM;
  uint32_t stepN;
  uint32_t baseMN;
  uint32_t singleCoreMN;
  bool enUnitFlag = true;
  bool isPerTensor;
  bool hasAntiQuantOffset;
  bool doIBShareNorm;
  bool doSpecialMDL;
  bool enableInit = true;
  BatchMode batchMode;
  bool enableEnd = true;
  bool enableGetTensorC = true;
  bool enableSetOrgShape = true;
  bool enableSetBias = true;
  bool enableSetTail = true;
  bool enableQuantVector = true;
  bool enableSetDefineData = true;
  uint8_t iterateMode = IterateMode::ITERATE_MODE_DEFAULT;
  bool enableReuse = true;
  bool enableUBReuse;
  bool enableL1CacheUB;
  bool intraBlockPartSum = false;
  IterateOrder iterateOrder = IterateOrder::UNDEF;
  ScheduleType scheduleType;
  bool enableDoubleCache;
  bool isBiasBatch = true;
  bool enableStaticPadZeros = false;
  bool isPartialOutput = false;
  bool enableMixDualMaster = false;
  bool isA2B2Shared = false;
  bool isEnableChannelSplit = false;
  bool enableKdimReorderLoad = false;
  bool isCO1Shared = false;
  uint32_t sharedCO1BufferSize = 64 * 1024;
  BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH;
  bool enableL1BankConflictOptimise = false;
  bool enableRelu = false;
};

/* A tiling that is known at compile time; a field of 0 is not. */
struct MatmulApiStaticTiling {
#define ACLSIM_FIELD(name) int32_t name = 0;
  ACLSIM_CUBE_TILING_FIELDS(ACLSIM_FIELD)
#undef ACLSIM_FIELD
  MatmulConfig cfg{};
};

struct MatmulShapeParams {
  uint32_t singleCoreM;
  uint32_t singleCoreN;
  uint32_t singleCoreK;
  uint32_t basicM;
  uint32_t basicN;
  uint32_t basicK;
};
struct MatmulQuantParams {
  bool isPerTensor;
  bool hasAntiQuantOffset;
};
struct MatmulBatchParams {
  bool isNBatch;
  BatchMode batchMode;
  bool isBiasBatch = true;
  BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH;
};
struct MatmulFuncParams {
  bool intrinsicsCheck;
  bool enVecND2NZ;
  bool enableDoubleCache;
  bool enableL1CacheUB;
  uint32_t doMTE2Preload;
  IterateOrder iterateOrder;
  ScheduleType scheduleType;
  bool enableReuse = true;
  bool enableUBReuse;
  bool isPartialOutput = false;
  bool isA2B2Shared = false;
  bool isEnableChannelSplit = false;
  bool enableKdimReorderLoad = false;
  bool enableL1BankConflictOptimise = false;
  bool enableRelu = false;
};
struct MatmulBiasParams {
  bool enableSetBias = true;
};
struct MatrixOffset {
  int32_t offset;
  int32_t row;
  int32_t col;
  int32_t height;
  int32_t width;
};

namespace aclsim_matmul {
constexpr MatmulConfig config(bool norm, bool multi_load, bool special, bool share) {
  MatmulConfig made{};
  made.doNorm = norm;
  made.doMultiDataLoad = multi_load;
  made.doSpecialMDL = special;
  made.doIBShareNorm = share;
  made.batchMode = BatchMode::BATCH_LESS_THAN_L1;
  return made;
}
constexpr void apply(MatmulConfig& made, const MatmulShapeParams& shape) {
  made.singleCoreM = shape.singleCoreM;
  made.singleCoreN = shape.singleCoreN;
  made.singleCoreK = shape.singleCoreK;
  made.basicM = shape.basicM;
  made.basicN = shape.basicN;
  made.basicK = shape.basicK;
}
constexpr void apply(MatmulConfig& made, const MatmulQuantParams& quant) {
  made.isPerTensor = quant.isPerTensor;
  made.hasAntiQuantOffset = quant.hasAntiQuantOffset;
}
constexpr void apply(MatmulConfig& made, const MatmulBatchParams& batch) {
  made.isNBatch = batch.isNBatch;
  made.batchMode = batch.batchMode;
  made.isBiasBatch = batch.isBiasBatch;
  made.bmmOutMode = batch.bmmOutMode;
}
constexpr void apply(MatmulConfig& made, const MatmulFuncParams& func) {
  made.intrinsicsCheck = func.intrinsicsCheck;
  made.enVecND2NZ = func.enVecND2NZ;
  made.enableDoubleCache = func.enableDoubleCache;
  made.enableL1CacheUB = func.enableL1CacheUB;
  made.doMTE2Preload = func.doMTE2Preload;
  made.iterateOrder = func.iterateOrder;
  made.scheduleType = func.scheduleType;
  made.enableReuse = func.enableReuse;
  made.isPartialOutput = func.isPartialOutput;
  made.isEnableChannelSplit = func.isEnableChannelSplit;
  made.enableRelu = func.enableRelu;
}
constexpr void apply(MatmulConfig& made, const MatmulBiasParams& bias) {
  made.enableSetBias = bias.enableSetBias;
}

constexpr const MatmulConfig& config_of(const MatmulConfig& config) { return config; }
constexpr const MatmulConfig& config_of(const MatmulApiStaticTiling& tiling) { return tiling.cfg; }

/* The tiling of Init, completed by the values of compile time; false without a tiling. */
constexpr bool take_tiling(const MatmulConfig&, const AscendC::tiling::TCubeTiling* from,
                           AscendC::tiling::TCubeTiling& to) {
  if (from) to = *from;
  return from != nullptr;
}
constexpr bool take_tiling(const MatmulApiStaticTiling& known,
                           const AscendC::tiling::TCubeTiling* from,
                           AscendC::tiling::TCubeTiling& to) {
  if (from) {
    to = *from;
  } else if (known.singleCoreM == 0) {
    return false;
  } else {
#define ACLSIM_FIELD(name) to.name = known.name;
    ACLSIM_CUBE_TILING_FIELDS(ACLSIM_FIELD)
#undef ACLSIM_FIELD
  }
  if (known.baseM != 0) to.baseM = known.baseM;
  if (known.baseN != 0) to.baseN = known.baseN;
  if (known.baseK != 0) to.baseK = known.baseK;
  if (known.singleCoreM != 0) to.singleCoreM = known.singleCoreM;
  if (known.singleCoreN != 0) to.singleCoreN = known.singleCoreN;
  if (known.singleCoreK != 0) to.singleCoreK = known.singleCoreK;
  return true;
}

/* `bytes_a` and `bytes_b`: of a part of baseM x baseK and baseK x baseN, of which L1 holds two
 * sets of steps each. */
constexpr int32_t steps_of(const MatmulConfig& config, uint64_t bytes_a, uint64_t bytes_b,
                           int32_t l1_bytes) {
  const uint64_t both = 2 * (bytes_a + bytes_b);
  const uint64_t fit = both == 0 ? 1 : static_cast<uint64_t>(l1_bytes) / both;
  const uint64_t all = config.basicK == 0 || config.singleCoreK == 0
                           ? fit
                           : (config.singleCoreK + config.basicK - 1) / config.basicK;
  const uint64_t steps = fit < all ? fit : all;
  return steps == 0 ? 1 : static_cast<int32_t>(steps);
}
}  // namespace aclsim_matmul

constexpr MatmulConfig GetNormalConfig(
    const bool intrinsicsLimit = false, const bool batchLoop = false, const bool isVecND2NZ = false,
    const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1, const bool isMsgReuse = true,
    const IterateOrder iterateOrder = IterateOrder::UNDEF,
    const ScheduleType scheduleType = ScheduleType::INNER_PRODUCT, const bool enUnitFlag = true,
    const bool enableMixDualMaster = false,
    const BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH) {
  MatmulConfig made = aclsim_matmul::config(true, false, false, false);
  made.intrinsicsCheck = intrinsicsLimit;
  made.isNBatch = batchLoop;
  made.enVecND2NZ = isVecND2NZ;
  made.batchMode = bmmMode;
  made.enableReuse = isMsgReuse;
  made.iterateOrder = iterateOrder;
  made.scheduleType = scheduleType;
  made.enUnitFlag = enUnitFlag;
  made.enableMixDualMaster = enableMixDualMaster;
  made.bmmOutMode = bmmOutMode;
  return made;
}
constexpr MatmulConfig GetMDLConfig(const bool intrinsicsLimit = false,
                                    const bool batchLoop = false, const uint32_t doMTE2Preload = 0,
                                    const bool isVecND2NZ = false, bool isPerTensor = false,
                                    bool hasAntiQuantOffset = false, const bool enUnitFlag = false,
                                    const bool isMsgReuse = true, const bool enableUBReuse = true,
                                    const bool enableL1CacheUB = false,
                                    const bool enableMixDualMaster = false,
                                    const bool enableKdimReorderLoad = false,
                                    const bool enableL1BankConflictOptimise = false) {
  MatmulConfig made = aclsim_matmul::config(false, true, false, false);
  made.intrinsicsCheck = intrinsicsLimit;
  made.isNBatch = batchLoop;
  made.doMTE2Preload = doMTE2Preload;
  made.enVecND2NZ = isVecND2NZ;
  made.isPerTensor = isPerTensor;
  made.hasAntiQuantOffset = hasAntiQuantOffset;
  made.enUnitFlag = enUnitFlag;
  made.enableReuse = isMsgReuse;
  made.enableUBReuse = enableUBReuse;
  made.enableL1CacheUB = enableL1CacheUB;
  made.enableMixDualMaster = enableMixDualMaster;
  made.enableKdimReorderLoad = enableKdimReorderLoad;
  made.enableL1BankConflictOptimise = enableL1BankConflictOptimise;
  return made;
}
constexpr MatmulConfig GetSpecialMDLConfig() {
  return aclsim_matmul::config(false, false, true, false);
}
constexpr MatmulConfig GetIBShareNormConfig() {
  return aclsim_matmul::config(false, false, false, true);
}
constexpr MatmulConfig GetBasicConfig(const uint32_t basicM, const uint32_t basicN,
                                      const uint32_t basicK) {
  MatmulConfig made = aclsim_matmul::config(false, false, false, false);
  made.doBasicBlock = true;
  made.basicM = basicM;
  made.basicN = basicN;
  made.basicK = basicK;
  return made;
}
template <MatmulConfigMode configMode, typename... ArgTypes>
constexpr MatmulConfig GetMMConfig(ArgTypes&&... args) {
  MatmulConfig made = aclsim_matmul::config(configMode == MatmulConfigMode::CONFIG_NORM,
                                            configMode == MatmulConfigMode::CONFIG_MDL,
                                            configMode == MatmulConfigMode::CONFIG_SPECIALMDL,
                                            configMode == MatmulConfigMode::CONFIG_IBSHARE);
  (aclsim_matmul::apply(made, args), ...);
  return made;
}

inline constexpr MatmulConfig CFG_NORM = GetNormalConfig();
inline constexpr MatmulConfig CFG_MDL = GetMDLConfig();
inline constexpr MatmulConfig CFG_IBSHARE_NORM = GetIBShareNormConfig();

namespace AscendC {
/* The tiling that `mmCFG` determines. l1Size: bytes of L1 that the parts of A and B may use. */
template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE>
constexpr MatmulApiStaticTiling GetMatmulApiTiling(const MatmulConfig& mmCFG,
                                                   int32_t l1Size = 512 * 1024) {
  using A = typename A_TYPE::T;
  using B = typename B_TYPE::T;
  MatmulApiStaticTiling made{};
  made.cfg = mmCFG;
  made.M = made.singleCoreM = static_cast<int32_t>(mmCFG.singleCoreM);
  made.N = made.singleCoreN = static_cast<int32_t>(mmCFG.singleCoreN);
  made.Ka = made.Kb = made.singleCoreK = static_cast<int32_t>(mmCFG.singleCoreK);
  made.baseM = static_cast<int32_t>(mmCFG.basicM);
  made.baseN = static_cast<int32_t>(mmCFG.basicN);
  made.baseK = static_cast<int32_t>(mmCFG.basicK);
  made.dbL0A = made.dbL0B = 2;
  made.dbL0C = made.stepM = made.stepN = 1;
  made.stepKa = made.stepKb =
      aclsim_matmul::steps_of(mmCFG, uint64_t{mmCFG.basicM} * mmCFG.basicK * sizeof(A),
                              uint64_t{mmCFG.basicN} * mmCFG.basicK * sizeof(B), l1Size);
  made.depthA1 = made.depthB1 = 2 * made.stepKa;
  made.iterateOrder = mmCFG.iterateOrder == IterateOrder::ORDER_N ? 1 : 0;
  return made;
}
using ::BatchMode;
using ::BatchOutMode;
using ::CFG_IBSHARE_NORM;
using ::CFG_MDL;
using ::CFG_NORM;
using ::CubeFormat;
using ::GetMDLConfig;
using ::GetMMConfig;
using ::GetNormalConfig;
using ::IterateOrder;
using ::LayoutMode;
using ::MatmulApiStaticTiling;
using ::MatmulConfig;
using ::MatmulConfigMode;
using ::MatrixOffset;
using ::ScheduleType;
}  // namespace AscendC

#endif /* ASCENDC_IMPL_MATMUL_CONFIG_H_ */
