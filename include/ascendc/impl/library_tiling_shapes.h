/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The temporary memory and the tilings of functions that move elements. C++11.
 */
#ifndef ASCENDC_IMPL_LIBRARY_TILING_SHAPES_H_
#define ASCENDC_IMPL_LIBRARY_TILING_SHAPES_H_

#include "ascendc/impl/data_format.h"
#include "ascendc/impl/library_sizes_shapes.h"
#include "ascendc/impl/library_tiling.h"
#include "ascendc/impl/library_tiling_types.h"
#include "ascendc/impl/library_tilings.h"

namespace aclsim_library {

inline uint64_t last_axis_of(const TensorShape& shape) {
  return shape.GetDimNum() == 0 ? 1 : axis_of(shape, shape.GetDimNum() - 1);
}

}  // namespace aclsim_library

namespace AscendC {

inline void GetBroadCastMaxMinTmpSize(const platform_ascendc::PlatformAscendC&,
                                      const TensorShape& srcShape, const TensorShape& dstShape,
                                      uint32_t typeSize, const bool /*isReuseSource*/,
                                      uint32_t& maxValue, uint32_t& minValue) {
  const uint64_t last = aclsim_library::last_axis_of(dstShape);
  const bool along_last = aclsim_library::last_axis_of(srcShape) != last;
  const uint64_t rows = (aclsim_library::elements_of(srcShape) + 7) / 8 * 8;
  aclsim_library::put_sizes(aclsim_library::broadcast_temporary(along_last, rows, last, typeSize),
                            aclsim_library::broadcast_temporary(along_last, 8, last, typeSize),
                            maxValue, minValue);
}

inline void GetPadMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize,
                                uint32_t& maxValue, uint32_t& minValue) {
  const uint64_t width = aclsim_library::last_axis_of(srcShape);
  const uint64_t rows = aclsim_library::elements_of(srcShape) / width;
  aclsim_library::put_sizes(aclsim_library::pad_temporary(rows, width, typeSize),
                            aclsim_library::pad_temporary(16, width, typeSize), maxValue, minValue);
}
inline void GetUnPadMaxMinTmpSize(const platform_ascendc::PlatformAscendC&,
                                  const TensorShape& srcShape, const uint32_t typeSize,
                                  uint32_t& maxValue, uint32_t& minValue) {
  GetPadMaxMinTmpSize(srcShape, typeSize, maxValue, minValue);
}

/* The kernel needs the height and the widths only. */
inline void PadTilingFunc(const TensorShape srcShape, const TensorShape oriSrcShape,
                          const uint32_t /*stackBufferSize*/, const uint32_t typeSize,
                          tiling::PadTiling& tiling) {
  const uint32_t block = typeSize == 0 ? 32 : 32 / typeSize;
  tiling = tiling::PadTiling();
  tiling.srcHeight = static_cast<uint32_t>(aclsim_library::axis_of(srcShape, 0));
  tiling.srcWidth = static_cast<uint32_t>(aclsim_library::axis_of(srcShape, 1));
  tiling.srcOriWidth = static_cast<uint32_t>(aclsim_library::axis_of(oriSrcShape, 1));
  tiling.widthWithoutLastBlock = tiling.srcWidth / block * block;
  tiling.blocksPerRow = (tiling.srcWidth + block - 1) / block;
}
inline void UnPadTilingFunc(const TensorShape srcShape, const uint32_t /*stackBufferSize*/,
                            const uint32_t /*typeSize*/, tiling::UnPadTiling& tiling) {
  tiling = tiling::UnPadTiling();
  tiling.srcHeight = static_cast<uint32_t>(aclsim_library::axis_of(srcShape, 0));
  tiling.srcWidth = static_cast<uint32_t>(aclsim_library::axis_of(srcShape, 1));
}

/* All scenes of Transpose but the first six have no columns of squares. */
inline void GetTransposeMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize,
                                      const uint32_t transposeTypeIn, uint32_t& maxValue,
                                      uint32_t& minValue) {
  const uint64_t bytes = aclsim_library::transpose_temporary(
      transposeTypeIn, aclsim_library::axis_of(srcShape, 2), typeSize);
  aclsim_library::put_sizes(bytes, bytes, maxValue, minValue);
}
inline void GetConfusionTransposeMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize,
                                               const uint32_t transposeTypeIn, uint32_t& maxValue,
                                               uint32_t& minValue) {
  GetTransposeMaxMinTmpSize(srcShape, typeSize, transposeTypeIn, maxValue, minValue);
}
/* param0: the type; 1: bytes of an element; 2: axes; 3 to 6: their extents; 7: temporary bytes. */
inline void GetTransposeTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                                   const uint32_t typeSize, const uint32_t transposeTypeIn,
                                   tiling::ConfusionTransposeTiling& tiling) {
  tiling = tiling::ConfusionTransposeTiling();
  tiling.param0 = transposeTypeIn;
  tiling.param1 = typeSize;
  tiling.param2 = static_cast<uint32_t>(srcShape.GetDimNum());
  tiling.param3 = static_cast<uint32_t>(srcShape.GetDim(0));
  tiling.param4 = static_cast<uint32_t>(srcShape.GetDim(1));
  tiling.param5 = static_cast<uint32_t>(srcShape.GetDim(2));
  tiling.param6 = static_cast<uint32_t>(srcShape.GetDim(3));
  tiling.param7 = stackBufferSize;
}

/* The same for the classes with a set_ function for each field. */
#define ACLSIM_SET_FIELD(type, name) tiling.set_##name(plain.name);
template <typename Tiling>
void PadTilingFunc(const TensorShape srcShape, const TensorShape oriSrcShape,
                   const uint32_t stackBufferSize, const uint32_t typeSize, Tiling& tiling) {
  tiling::PadTiling plain;
  PadTilingFunc(srcShape, oriSrcShape, stackBufferSize, typeSize, plain);
  ACLSIM_PadTiling_FIELDS(ACLSIM_SET_FIELD)
}
template <typename Tiling>
void UnPadTilingFunc(const TensorShape srcShape, const uint32_t stackBufferSize,
                     const uint32_t typeSize, Tiling& tiling) {
  tiling::UnPadTiling plain;
  UnPadTilingFunc(srcShape, stackBufferSize, typeSize, plain);
  ACLSIM_UnPadTiling_FIELDS(ACLSIM_SET_FIELD)
}
template <typename Tiling>
void GetTransposeTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                            const uint32_t typeSize, const uint32_t transposeTypeIn,
                            Tiling& tiling) {
  tiling::ConfusionTransposeTiling plain;
  GetTransposeTilingInfo(srcShape, stackBufferSize, typeSize, transposeTypeIn, plain);
  ACLSIM_ConfusionTransposeTiling_FIELDS(ACLSIM_SET_FIELD)
}
#undef ACLSIM_SET_FIELD
template <typename Tiling>
void GetConfusionTransposeTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                                     const uint32_t typeSize, const uint32_t transposeTypeIn,
                                     Tiling& tiling) {
  GetTransposeTilingInfo(srcShape, stackBufferSize, typeSize, transposeTypeIn, tiling);
}
/* Scene 7. */
template <typename Tiling>
void GetConfusionTransposeOnlyTilingInfo(const TensorShape& srcShape,
                                         const uint32_t stackBufferSize, const uint32_t typeSize,
                                         Tiling& tiling) {
  GetTransposeTilingInfo(srcShape, stackBufferSize, typeSize, 7, tiling);
}

}  // namespace AscendC

namespace aclsim_library {

inline bool transdata_sizes(const TensorShape& from, const TensorShape& to,
                            AscendC::DataFormat source, AscendC::DataFormat result,
                            uint32_t& max_value, uint32_t& min_value) {
  const bool from_ncdhw = source == AscendC::DataFormat::NCDHW;
  const AscendC::DataFormat other = from_ncdhw ? result : source;
  const TensorShape& shape = from_ncdhw ? from : to;
  const TensorShape& blocked = from_ncdhw ? to : from;
  const bool fractal = other == AscendC::DataFormat::FRACTAL_Z_3D;
  if (!from_ncdhw && result != AscendC::DataFormat::NCDHW) return false;
  if (!fractal && other != AscendC::DataFormat::NDC1HWC0) return false;
  if (shape.GetDimNum() != 5 || blocked.GetDimNum() != (fractal ? 7U : 6U)) return false;
  const Ncdhw extents = {axis_of(shape, 0), axis_of(shape, 1), axis_of(shape, 2), axis_of(shape, 3),
                         axis_of(shape, 4)};
  const uint64_t bytes = transdata_temporary(extents, fractal, from_ncdhw);
  put_sizes(bytes, bytes, max_value, min_value);
  return true;
}

}  // namespace aclsim_library

namespace AscendC {

inline bool GetTransDataMaxMinTmpSize(const platform_ascendc::PlatformAscendC&,
                                      const TensorShape& srcShape, const TensorShape& dstShape,
                                      const TensorDataType dataType, const TransDataConfig& config,
                                      uint32_t& maxValue, uint32_t& minValue) {
  const uint32_t bytes = aclsim_library::bytes_of_type(dataType);
  return (bytes == 2 || dataType == TensorDataType::DT_FLOAT) &&
         aclsim_library::transdata_sizes(srcShape, dstShape, config.srcFormat, config.dstFormat,
                                         maxValue, minValue);
}

}  // namespace AscendC

#endif /* ASCENDC_IMPL_LIBRARY_TILING_SHAPES_H_ */
