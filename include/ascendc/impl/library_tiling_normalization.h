/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The temporary memory and the tilings of normalisations. C++11.
 */
#ifndef ASCENDC_IMPL_LIBRARY_TILING_NORMALIZATION_H_
#define ASCENDC_IMPL_LIBRARY_TILING_NORMALIZATION_H_

#include "ascendc/impl/library_tiling_activation.h"

namespace aclsim_library {

/* Rows of a normalisation: how many there are, and how long. */
struct NormRows {
  uint64_t rows;
  uint64_t columns;
};
/* [B, S, H] or [B, S, H, original H] */
inline NormRows rows_of_bsh(const TensorShape& shape) {
  return NormRows{axis_of(shape, 0) * axis_of(shape, 1), axis_of(shape, 2)};
}
/* [A, R] */
inline NormRows rows_of_ar(const TensorShape& shape) {
  return NormRows{rows_of(shape), columns_of(shape)};
}
/* [B, S, H], over B: one row is S * H long. */
inline NormRows rows_of_batch(const TensorShape& shape) {
  return NormRows{axis_of(shape, 0), axis_of(shape, 1) * axis_of(shape, 2)};
}
/* [N, C, H, W]: a row is a group. */
inline NormRows rows_of_groups(const TensorShape& shape, uint32_t groups) {
  const uint64_t count = groups == 0 ? 1 : groups;
  return NormRows{axis_of(shape, 0) * count,
                  axis_of(shape, 1) / count * axis_of(shape, 2) * axis_of(shape, 3)};
}

inline void norm_sizes(uint16_t function, const NormRows& rows, uint32_t& max_value,
                       uint32_t& min_value) {
  put_sizes(most_temporary_of_rows(function, rows.rows, rows.columns),
            least_temporary_of_row(function, rows.columns), max_value, min_value);
}

/* The rows that are computed together in `bytes` of temporary memory. */
inline uint32_t norm_group(uint16_t function, const NormRows& rows, uint64_t bytes) {
  const uint64_t row = least_temporary_of_row(function, rows.columns);
  const uint64_t most = row == 0 ? rows.rows : bytes / row;
  return static_cast<uint32_t>(most == 0 ? 1 : most < rows.rows ? most : rows.rows);
}

/* The members of tilings for groups of rows, in elements. */
template <typename Tiling>
void put_loops(uint16_t function, const NormRows& rows, uint64_t bytes, Tiling& to) {
  const uint32_t group = norm_group(function, rows, bytes);
  const uint32_t columns = static_cast<uint32_t>(rows.columns);
  const uint32_t count = static_cast<uint32_t>(rows.rows);
  to.inputXSize = count * columns;
  to.meanVarSize = count;
  to.numberOfTmpBuf = intermediates(function);
  to.varianceTmpTensorSize = group;
  to.tmpBufSize = static_cast<uint32_t>(bytes / 4);
  to.oneTmpSize = group * columns;
  to.secondTmpStartPos = to.oneTmpSize;
  to.thirdTmpStartPos = 2 * to.oneTmpSize;
  to.loopRound = count / group;
  to.inputRoundSize = group * columns;
  to.inputTailSize = count % group * columns;
  to.inputTailPos = to.inputXSize - to.inputTailSize;
  to.meanVarRoundSize = group;
  to.meanVarTailSize = count % group;
  to.meanVarTailPos = count - count % group;
}

template <typename Tiling>
void put_bsh(const TensorShape& shape, uint64_t original, Tiling& to) {
  to.bLength = static_cast<uint32_t>(axis_of(shape, 0));
  to.sLength = static_cast<uint32_t>(axis_of(shape, 1));
  to.hLength = static_cast<uint32_t>(axis_of(shape, 2));
  to.originalHLength = static_cast<uint32_t>(original);
}
/* The original H of a shape of four axes is the last, else H. */
inline uint64_t original_of(const TensorShape& shape) {
  return axis_of(shape, shape.GetDimNum() > 3 ? 3 : 2);
}

/* LayerNorm and DeepNorm */
template <typename Tiling>
Tiling norm_tiling(uint16_t function, const TensorShape& shape, uint64_t original, uint64_t bytes) {
  Tiling to = Tiling();
  put_bsh(shape, original, to);
  put_loops(function, rows_of_bsh(shape), bytes, to);
  to.meanTmpTensorSize = to.meanVarRoundSize;
  to.bshCurLength = to.inputRoundSize;
  to.bsCurLength = to.meanVarRoundSize;
  to.lastDimValueBack = 1.0F / static_cast<float>(original);
  return to;
}

#define ACLSIM_SET_FIELD(type, name) to.set_##name(from.name);
#define ACLSIM_SET_FIELDS(Tiling)                                   \
  template <typename Class>                                         \
  void set_fields(const AscendC::tiling::Tiling& from, Class& to) { \
    ACLSIM_##Tiling##_FIELDS(ACLSIM_SET_FIELD)                      \
  }
ACLSIM_SET_FIELDS(LayerNormTiling)
ACLSIM_SET_FIELDS(LayerNormSeparateTiling)
ACLSIM_SET_FIELDS(LayerNormGradTiling)
ACLSIM_SET_FIELDS(LayerNormGradBetaTiling)
ACLSIM_SET_FIELDS(RmsNormTiling)
ACLSIM_SET_FIELDS(DeepNormTiling)
ACLSIM_SET_FIELDS(BatchNormTiling)
ACLSIM_SET_FIELDS(GroupNormTiling)
#undef ACLSIM_SET_FIELDS
#undef ACLSIM_SET_FIELD

/* Whether the rows are a basic block, whose rows have at most `most` elements. */
inline bool is_norm_block(uint64_t rows, uint64_t columns, uint64_t most) {
  return rows % 8 == 0 && columns % 64 == 0 && columns <= most;
}

}  // namespace aclsim_library

namespace AscendC {

inline void GetLayerNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t /*typeSize*/,
                                      const bool /*isReuseSource*/, uint32_t& maxValue,
                                      uint32_t& minValue) {
  aclsim_library::norm_sizes(ACLSIM_LIB_LayerNorm, aclsim_library::rows_of_bsh(srcShape), maxValue,
                             minValue);
}
inline void GetLayerNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t /*typeSize*/,
                                      const bool /*isReuseSource*/, const bool /*isComputeRstd*/,
                                      const bool /*isOnlyOutput*/, uint32_t& maxValue,
                                      uint32_t& minValue) {
  aclsim_library::norm_sizes(ACLSIM_LIB_LayerNorm, aclsim_library::rows_of_ar(srcShape), maxValue,
                             minValue);
}

inline void GetLayerNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                                     const uint32_t /*typeSize*/, const bool /*isReuseSource*/,
                                     tiling::LayerNormTiling& to) {
  to = aclsim_library::norm_tiling<tiling::LayerNormTiling>(
      ACLSIM_LIB_LayerNorm, srcShape, aclsim_library::original_of(srcShape), stackBufferSize);
}
inline void GetLayerNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                                     const uint32_t /*typeSize*/, const bool /*isReuseSource*/,
                                     const bool /*isComputeRstd*/,
                                     tiling::LayerNormSeparateTiling& to) {
  const aclsim_library::NormRows rows = aclsim_library::rows_of_ar(srcShape);
  to = tiling::LayerNormSeparateTiling();
  aclsim_library::put_loops(ACLSIM_LIB_LayerNorm, rows, stackBufferSize, to);
  to.aLength = static_cast<uint32_t>(rows.rows);
  to.rLength = static_cast<uint32_t>(rows.columns);
  uint32_t head = 1; /* the greatest power of two in a row */
  while (uint64_t{2} * head <= rows.columns) head *= 2;
  to.rHeadLength = head;
  for (uint32_t left = head; left > 64; left /= 2) ++to.halfAddRepeatTimes;
  to.k2Rec = 1.0F / static_cast<float>(head);
  to.k2RRec = static_cast<float>(head) / static_cast<float>(rows.columns);
  to.arCurLength = to.inputRoundSize;
  to.aCurLength = to.meanVarRoundSize;
  to.rValueBack = 1.0F / static_cast<float>(rows.columns);
}

/* stackBufferSize is in elements of the type in the gradients of LayerNorm. */
inline void GetLayerNormGradMaxMinTmpSize(const TensorShape& srcShape, const uint32_t, const bool,
                                          uint32_t& maxValue, uint32_t& minValue) {
  aclsim_library::norm_sizes(ACLSIM_LIB_LayerNormGrad, aclsim_library::rows_of_bsh(srcShape),
                             maxValue, minValue);
}
inline void GetLayerNormGradNDTilingInfo(const TensorShape srcShape, const uint32_t stackBufferSize,
                                         const uint32_t typeSize, const bool,
                                         tiling::LayerNormGradTiling& to) {
  const aclsim_library::NormRows rows = aclsim_library::rows_of_bsh(srcShape);
  const uint32_t group = aclsim_library::norm_group(ACLSIM_LIB_LayerNormGrad, rows,
                                                    uint64_t{stackBufferSize} * typeSize);
  to = tiling::LayerNormGradTiling();
  aclsim_library::put_bsh(srcShape, aclsim_library::original_of(srcShape), to);
  to.stackBufferSize = stackBufferSize;
  to.oneCalSize = group * to.hLength;
  to.nohCalSize = group;
  to.loopNum = static_cast<uint32_t>(rows.rows) / group;
  to.nohTailSize = static_cast<uint32_t>(rows.rows) % group;
  to.tailSize = to.nohTailSize * to.hLength;
}
inline void GetLayerNormGradBetaMaxMinTmpSize(const TensorShape& srcShape, const uint32_t,
                                              const bool, uint32_t& maxValue, uint32_t& minValue) {
  aclsim_library::norm_sizes(ACLSIM_LIB_LayerNormGradBeta, aclsim_library::rows_of_bsh(srcShape),
                             maxValue, minValue);
}
inline void GetLayerNormGradBetaNDTilingInfo(const TensorShape srcShape,
                                             const uint32_t stackBufferSize,
                                             const uint32_t typeSize, const bool,
                                             tiling::LayerNormGradBetaTiling& to) {
  const aclsim_library::NormRows rows = aclsim_library::rows_of_bsh(srcShape);
  const uint32_t group = aclsim_library::norm_group(ACLSIM_LIB_LayerNormGradBeta, rows,
                                                    uint64_t{stackBufferSize} * typeSize);
  to = tiling::LayerNormGradBetaTiling();
  aclsim_library::put_bsh(srcShape, aclsim_library::original_of(srcShape), to);
  to.stackBufferSize = stackBufferSize;
  to.bsLength = static_cast<uint32_t>(rows.rows);
  to.bshLength = to.bsLength * to.hLength;
  to.oneCalSize = group * to.hLength;
  to.numberOfTmpBuf = aclsim_library::intermediates(ACLSIM_LIB_LayerNormGradBeta);
  to.loopRound = to.bsLength / group;
  to.bsTailSize = to.bsLength % group;
  to.inputTailSize = to.bsTailSize * to.hLength;
  to.inputTailPos = to.bshLength - to.inputTailSize;
  to.bshCurLength = to.oneCalSize;
  to.bsCurLength = group;
}

inline bool GetRmsNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t /*typeSize*/,
                                    uint32_t& maxValue, uint32_t& minValue,
                                    const bool isBasicBlock = false) {
  const aclsim_library::NormRows rows = aclsim_library::rows_of_bsh(srcShape);
  if (isBasicBlock && !aclsim_library::is_norm_block(rows.rows, rows.columns, 2047)) return false;
  aclsim_library::norm_sizes(ACLSIM_LIB_RmsNorm, rows, maxValue, minValue);
  return true;
}
inline bool GetRmsNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
                                 const uint32_t stackBufferByteSize, const uint32_t typeSize,
                                 tiling::RmsNormTiling& to, const bool isBasicBlock = false) {
  const aclsim_library::NormRows rows = aclsim_library::rows_of_bsh(srcShape);
  const uint64_t original = aclsim_library::axis_of(originSrcShape, 2);
  uint32_t most = 0, least = 0;
  if (!GetRmsNormMaxMinTmpSize(srcShape, typeSize, most, least, isBasicBlock)) return false;
  if (stackBufferByteSize < least || original > rows.columns ||
      aclsim_library::rows_of_bsh(originSrcShape).rows != rows.rows) {
    return false;
  }
  const uint32_t group = aclsim_library::norm_group(ACLSIM_LIB_RmsNorm, rows, stackBufferByteSize);
  to = tiling::RmsNormTiling();
  aclsim_library::put_bsh(srcShape, original, to);
  to.reciprocalOfHLength = 1.0F / static_cast<float>(original);
  to.mainBsLength = group;
  to.mainBsLengthAlign = (group + 7) / 8 * 8;
  to.mainBshLength = group * to.hLength;
  to.loopRound = static_cast<uint32_t>(rows.rows) / group;
  to.tailBsLength = static_cast<uint32_t>(rows.rows) % group;
  to.tailBshLength = to.tailBsLength * to.hLength;
  to.inputTailPos = to.loopRound * to.mainBshLength;
  return true;
}

inline bool GetDeepNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t /*typeSize*/,
                                     const bool /*isReuseSource*/, const bool isBasicBlock,
                                     uint32_t& maxValue, uint32_t& minValue) {
  const aclsim_library::NormRows rows = aclsim_library::rows_of_bsh(srcShape);
  if (rows.columns > 2040) return false;
  if (isBasicBlock && !aclsim_library::is_norm_block(rows.rows, rows.columns, 2040)) return false;
  aclsim_library::norm_sizes(ACLSIM_LIB_DeepNorm, rows, maxValue, minValue);
  return true;
}
inline bool GetDeepNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
                                  const uint32_t stackBufferSize, const uint32_t typeSize,
                                  const bool isReuseSource, const bool isBasicBlock,
                                  tiling::DeepNormTiling& to) {
  const uint64_t original = aclsim_library::axis_of(originSrcShape, 2);
  uint32_t most = 0, least = 0;
  if (!GetDeepNormMaxMinTmpSize(srcShape, typeSize, isReuseSource, isBasicBlock, most, least) ||
      stackBufferSize < least || original > aclsim_library::axis_of(srcShape, 2) ||
      (isBasicBlock && original != aclsim_library::axis_of(srcShape, 2))) {
    return false;
  }
  to = aclsim_library::norm_tiling<tiling::DeepNormTiling>(ACLSIM_LIB_DeepNorm, srcShape, original,
                                                           stackBufferSize);
  return true;
}

inline bool GetBatchNormMaxMinTmpSize(const TensorShape& srcShape,
                                      const TensorShape& originSrcShape, const uint32_t typeSize,
                                      const bool /*isReuseSource*/, uint32_t& maxValue,
                                      uint32_t& minValue, const bool isBasicBlock = false) {
  const aclsim_library::NormRows rows = aclsim_library::rows_of_batch(srcShape);
  const uint64_t originals = aclsim_library::axis_of(originSrcShape, 0);
  if (rows.columns * typeSize % 32 != 0 || originals > rows.rows) return false;
  if (isBasicBlock && !aclsim_library::is_norm_block(originals, rows.columns, 2047)) return false;
  aclsim_library::norm_sizes(ACLSIM_LIB_BatchNorm, rows, maxValue, minValue);
  return true;
}
inline bool GetBatchNormNDTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
                                     const uint32_t stackBufferByteSize, const uint32_t typeSize,
                                     const bool isReuseSource, tiling::BatchNormTiling& to,
                                     const bool isBasicBlock = false) {
  uint32_t most = 0, least = 0;
  if (!GetBatchNormMaxMinTmpSize(srcShape, originSrcShape, typeSize, isReuseSource, most, least,
                                 isBasicBlock) ||
      stackBufferByteSize < least) {
    return false;
  }
  const aclsim_library::NormRows rows = aclsim_library::rows_of_batch(srcShape);
  to = tiling::BatchNormTiling();
  to.originalBLength = static_cast<uint32_t>(aclsim_library::axis_of(originSrcShape, 0));
  to.meanVarSize = static_cast<uint32_t>(rows.columns);
  to.tmpBufSize = stackBufferByteSize / 4;
  to.oneTmpSize = to.originalBLength * to.meanVarSize;
  to.loopRound = 1;
  to.bshCurLength = to.oneTmpSize;
  to.shCurLength = to.meanVarSize;
  to.shCurLengthBlockNum = static_cast<uint32_t>(rows.columns * typeSize / 32);
  to.firstDimValueBack = 1.0F / static_cast<float>(to.originalBLength);
  return true;
}

inline void GetGroupNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t /*typeSize*/,
                                      const bool /*isReuseSource*/, const uint32_t groupNum,
                                      uint32_t& maxValue, uint32_t& minValue) {
  aclsim_library::norm_sizes(
      ACLSIM_LIB_GroupNorm, aclsim_library::rows_of_groups(srcShape, groupNum), maxValue, minValue);
}
inline void GetGroupNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                                     const uint32_t typeSize, const bool /*isReuseSource*/,
                                     const uint32_t groupNum, tiling::GroupNormTiling& to) {
  const aclsim_library::NormRows rows = aclsim_library::rows_of_groups(srcShape, groupNum);
  const uint32_t block = aclsim_library::block_elements(typeSize);
  to = tiling::GroupNormTiling();
  aclsim_library::put_loops(ACLSIM_LIB_GroupNorm, rows, stackBufferSize, to);
  to.n = static_cast<uint32_t>(aclsim_library::axis_of(srcShape, 0));
  to.c = static_cast<uint32_t>(aclsim_library::axis_of(srcShape, 1));
  to.hw = static_cast<uint32_t>(aclsim_library::axis_of(srcShape, 2) *
                                aclsim_library::axis_of(srcShape, 3));
  to.g = groupNum == 0 ? 1 : groupNum;
  to.d = to.c / to.g;
  to.hwAlignSize = block == 0 ? to.hw : (to.hw + block - 1) / block * block;
  to.dhwAlignSize = to.d * to.hwAlignSize;
  to.meanTmpTensorSize = to.meanVarRoundSize;
  to.bshCurLength = to.inputRoundSize;
  to.bsCurLength = to.meanVarRoundSize;
  to.factor = 1.0F / static_cast<float>(rows.columns);
  to.smallShape = to.hwAlignSize * to.d <= 64;
}

inline void GetNormalizeMaxMinTmpSize(const TensorShape& srcShape, const uint32_t /*typeSizeU*/,
                                      const uint32_t /*typeSizeT*/, const bool /*isReuseSource*/,
                                      const bool /*isComputeRstd*/, const bool /*isOnlyOutput*/,
                                      uint32_t& maxValue, uint32_t& minValue) {
  aclsim_library::norm_sizes(ACLSIM_LIB_Normalize, aclsim_library::rows_of_ar(srcShape), maxValue,
                             minValue);
}
inline void GetWelfordUpdateMaxMinTmpSize(const TensorShape& srcShape, const uint32_t /*typeSizeT*/,
                                          const uint32_t /*typeSizeU*/,
                                          const bool /*isReuseSource*/, const bool /*isInplace*/,
                                          uint32_t& maxValue, uint32_t& minValue) {
  aclsim_library::norm_sizes(ACLSIM_LIB_WelfordUpdate, aclsim_library::rows_of_ar(srcShape),
                             maxValue, minValue);
}
inline void GetWelfordFinalizeMaxMinTmpSize(const TensorShape& srcShape,
                                            const uint32_t /*typeSize*/,
                                            const bool /*isReuseSource*/, uint32_t& maxValue,
                                            uint32_t& minValue) {
  aclsim_library::norm_sizes(ACLSIM_LIB_WelfordFinalize, aclsim_library::rows_of_ar(srcShape),
                             maxValue, minValue);
}

/* The same for the classes of host code with these fields. */
template <typename Class>
void GetLayerNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                              const uint32_t typeSize, const bool isReuseSource, Class& to) {
  tiling::LayerNormTiling made;
  GetLayerNormNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, made);
  aclsim_library::set_fields(made, to);
}
/* The old name. */
template <typename Class>
void GetLayerNormNDTillingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                               const uint32_t typeSize, const bool isReuseSource, Class& to) {
  GetLayerNormNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, to);
}
template <typename Class>
void GetLayerNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                              const uint32_t typeSize, const bool isReuseSource,
                              const bool isComputeRstd, Class& to) {
  tiling::LayerNormSeparateTiling made;
  GetLayerNormNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, isComputeRstd, made);
  aclsim_library::set_fields(made, to);
}
template <typename Class>
void GetLayerNormGradNDTilingInfo(const TensorShape srcShape, const uint32_t stackBufferSize,
                                  const uint32_t typeSize, const bool isReuseSource, Class& to) {
  tiling::LayerNormGradTiling made;
  GetLayerNormGradNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, made);
  aclsim_library::set_fields(made, to);
}
template <typename Class>
void GetLayerNormGradBetaNDTilingInfo(const TensorShape srcShape, const uint32_t stackBufferSize,
                                      const uint32_t typeSize, const bool isReuseSource,
                                      Class& to) {
  tiling::LayerNormGradBetaTiling made;
  GetLayerNormGradBetaNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, made);
  aclsim_library::set_fields(made, to);
}
template <typename Class>
bool GetRmsNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
                          const uint32_t stackBufferByteSize, const uint32_t typeSize, Class& to,
                          const bool isBasicBlock = false) {
  tiling::RmsNormTiling made;
  if (!GetRmsNormTilingInfo(srcShape, originSrcShape, stackBufferByteSize, typeSize, made,
                            isBasicBlock)) {
    return false;
  }
  aclsim_library::set_fields(made, to);
  return true;
}
template <typename Class>
bool GetDeepNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
                           const uint32_t stackBufferSize, const uint32_t typeSize,
                           const bool isReuseSource, const bool isBasicBlock, Class& to) {
  tiling::DeepNormTiling made;
  if (!GetDeepNormTilingInfo(srcShape, originSrcShape, stackBufferSize, typeSize, isReuseSource,
                             isBasicBlock, made)) {
    return false;
  }
  aclsim_library::set_fields(made, to);
  return true;
}
template <typename Class>
bool GetBatchNormNDTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
                              const uint32_t stackBufferByteSize, const uint32_t typeSize,
                              const bool isReuseSource, Class& to,
                              const bool isBasicBlock = false) {
  tiling::BatchNormTiling made;
  if (!GetBatchNormNDTilingInfo(srcShape, originSrcShape, stackBufferByteSize, typeSize,
                                isReuseSource, made, isBasicBlock)) {
    return false;
  }
  aclsim_library::set_fields(made, to);
  return true;
}
template <typename Class>
void GetGroupNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                              const uint32_t typeSize, const bool isReuseSource,
                              const uint32_t groupNum, Class& to) {
  tiling::GroupNormTiling made;
  GetGroupNormNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, groupNum, made);
  aclsim_library::set_fields(made, to);
}

}  // namespace AscendC

#endif /* ASCENDC_IMPL_LIBRARY_TILING_NORMALIZATION_H_ */
