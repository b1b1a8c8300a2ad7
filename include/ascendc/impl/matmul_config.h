/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compile-time configuration of a Matmul object. Most of it selects the path of data through
 * the memories of a core; it has no effect in the emulator.
 */
#ifndef ASCENDC_IMPL_MATMUL_CONFIG_H_
#define ASCENDC_IMPL_MATMUL_CONFIG_H_

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
using ::MatmulConfig;
using ::MatmulConfigMode;
using ::MatrixOffset;
using ::ScheduleType;
}  // namespace AscendC

#endif /* ASCENDC_IMPL_MATMUL_CONFIG_H_ */
