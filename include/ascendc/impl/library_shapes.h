/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of the library that move elements.
 */
#ifndef ASCENDC_IMPL_LIBRARY_SHAPES_H_
#define ASCENDC_IMPL_LIBRARY_SHAPES_H_

#include <tuple>
#include <utility>

#include "ascendc/impl/layout.h"
#include "ascendc/impl/library_math.h"
#include "ascendc/impl/library_sizes_shapes.h"
#include "ascendc/impl/library_tilings.h"

namespace AscendC {

using tiling::ConfusionTransposeTiling;
using tiling::PadTiling;
using tiling::UnPadTiling;

/* Columns. */
struct PadParams {
  uint16_t leftPad = 0;
  uint16_t rightPad = 0;
  int32_t padValue = 0;
};
struct UnPadParams {
  uint16_t leftPad = 0; /* not used */
  uint16_t rightPad = 0;
};

/* Filled in by GetBroadcastTilingInfo. */
struct BroadcastTiling {
  uint32_t oriRank;
  uint32_t rank;
  uint32_t dstSize;
  uint32_t srcSize;
  uint32_t loopNum = 0;
  uint32_t oriSrcShape[9];
  uint32_t oriDstShape[9];
  uint32_t dstShape[9];
  uint32_t dstStride[9];
  uint32_t srcStride[10];
};

template <typename T, typename U>
struct TransDataParams {
  T srcLayout;
  U dstLayout;
};

}  // namespace AscendC

namespace aclsim_library {

/* Numbers of Broadcast: axes, the only axis that may grow (-1: any), both shapes. */
inline void shapes_of(Call& call, uint32_t rank, int32_t axis, const uint32_t* dst,
                      const uint32_t* src) {
  call.number(rank).number(axis);
  for (uint32_t i = 0; i < rank && i < 9; ++i) call.number(dst[i]);
  for (uint32_t i = 0; i < rank && i < 9; ++i) call.number(src[i]);
}

}  // namespace aclsim_library

namespace AscendC {

#define ACLSIM_BROADCAST_DIMS                                                        \
  ACLSIM_LIBRARY_TYPES(Broadcast, T);                                                \
  static_assert(dim == 1 || dim == 2, "AscendC::Broadcast: dim is neither 1 nor 2"); \
  static_assert(axis >= 0 && axis < dim, "AscendC::Broadcast: the tensors have no such axis")

/* An axis of one element in the source becomes dstShape[axis] equal ones. BroadCast is the older
 * name. */
#define ACLSIM_BROADCAST(Name)                                                         \
  template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>         \
  ACLSIM_API void Name(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, \
                       const uint32_t dstShape[dim], const uint32_t srcShape[dim],     \
                       const LocalTensor<uint8_t>& sharedTmpBuffer) {                  \
    ACLSIM_BROADCAST_DIMS;                                                             \
    aclsim_library::Call call = ACLSIM_LIBRARY_CALL(Broadcast, isReuseSource);         \
    call.to(dstLocal).from(srcLocal).to(sharedTmpBuffer);                              \
    aclsim_library::shapes_of(call, dim, axis, dstShape, srcShape);                    \
    call.go();                                                                         \
  }                                                                                    \
  template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>         \
  ACLSIM_API void Name(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, \
                       const uint32_t dstShape[dim], const uint32_t srcShape[dim]) {   \
    ACLSIM_BROADCAST_DIMS;                                                             \
    aclsim_library::Call call = ACLSIM_LIBRARY_CALL(Broadcast, isReuseSource);         \
    call.to(dstLocal).from(srcLocal).none();                                           \
    aclsim_library::shapes_of(call, dim, axis, dstShape, srcShape);                    \
    call.go();                                                                         \
  }
ACLSIM_BROADCAST(Broadcast)
ACLSIM_BROADCAST(BroadCast)
#undef ACLSIM_BROADCAST
#undef ACLSIM_BROADCAST_DIMS

#define ACLSIM_DYNAMIC_BROADCAST(Name)                                                        \
  static_assert(ACLSIM_NPU_ARCH == 3510 || sizeof(T) == 0,                                    \
                "AscendC::" #Name ": architecture 2201 has no shapes of more than two axes"); \
  static_assert(constRank == -1 || (constRank >= 1 && constRank <= 9),                        \
                "AscendC::" #Name ": constRank is neither -1 nor one of 1 to 9");             \
  static_assert(constDstShape == nullptr && constSrcShape == nullptr,                         \
                "AscendC::" #Name                                                             \
                ": constDstShape and constSrcShape are reserved; expected nullptr")

template <typename T, int constRank = -1, uint32_t* constDstShape = nullptr,
          uint32_t* constSrcShape = nullptr>
void GetBroadcastTilingInfo(uint32_t rank, const uint32_t* dstShape, const uint32_t* srcShape,
                            bool /*srcInnerPad*/, BroadcastTiling& tiling) {
  ACLSIM_DYNAMIC_BROADCAST(GetBroadcastTilingInfo);
  tiling = BroadcastTiling();
  tiling.oriRank = rank;
  tiling.rank = rank;
  tiling.dstSize = tiling.srcSize = 1;
  for (uint32_t i = rank < 9 ? rank : 9; i-- > 0;) {
    tiling.oriSrcShape[i] = srcShape[i];
    tiling.oriDstShape[i] = tiling.dstShape[i] = dstShape[i];
    tiling.dstStride[i] = tiling.dstSize;
    tiling.srcStride[i] = srcShape[i] == 1 ? 0 : tiling.srcSize;
    tiling.dstSize *= dstShape[i];
    tiling.srcSize *= srcShape[i];
  }
}
/* Shapes of up to nine axes. */
template <typename T, int constRank = -1, uint32_t* constDstShape = nullptr,
          uint32_t* constSrcShape = nullptr, bool constSrcInnerPad = false>
ACLSIM_API void Broadcast(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                          const uint32_t* dstShape, const uint32_t* srcShape,
                          BroadcastTiling* tiling) {
  ACLSIM_LIBRARY_TYPES(Broadcast, T);
  ACLSIM_DYNAMIC_BROADCAST(Broadcast);
  aclsim_library::Call call = ACLSIM_LIBRARY_CALL(Broadcast, false);
  call.to(dst).from(src).none();
  aclsim_library::shapes_of(call, tiling->oriRank, -1, dstShape, srcShape);
  call.go();
}
#undef ACLSIM_DYNAMIC_BROADCAST

/* Rows of `tiling.srcWidth` elements get columns of padValue, up to whole blocks of 32 bytes. */
#define ACLSIM_PAD(TMP)                             \
  ACLSIM_LIBRARY_TYPES(Pad, T);                     \
  ACLSIM_LIBRARY_CALL(Pad, false)                   \
      .to(dstTensor)                                \
      .from(srcTensor) TMP.number(tiling.srcHeight) \
      .number(tiling.srcWidth)                      \
      .number(tiling.srcOriWidth)                   \
      .number(padParams.leftPad)                    \
      .number(padParams.rightPad)                   \
      .number(padParams.padValue)                   \
      .go()
template <typename T>
ACLSIM_API void Pad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                    const PadParams& padParams, ACLSIM_TMP, const PadTiling& tiling) {
  ACLSIM_PAD(.to(sharedTmpBuffer));
}
template <typename T>
ACLSIM_API void Pad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                    const PadParams& padParams, const PadTiling& tiling) {
  ACLSIM_PAD(.none());
}
#undef ACLSIM_PAD

/* Rows lose their last `rightPad` columns; the result has no gaps. */
#define ACLSIM_UNPAD(TMP)                           \
  ACLSIM_LIBRARY_TYPES(UnPad, T);                   \
  ACLSIM_LIBRARY_CALL(UnPad, false)                 \
      .to(dstTensor)                                \
      .from(srcTensor) TMP.number(tiling.srcHeight) \
      .number(tiling.srcWidth)                      \
      .number(unPadParams.rightPad)                 \
      .go()
template <typename T>
ACLSIM_API void UnPad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                      const UnPadParams& unPadParams, ACLSIM_TMP, const UnPadTiling& tiling) {
  ACLSIM_UNPAD(.to(sharedTmpBuffer));
}
template <typename T>
ACLSIM_API void UnPad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                      const UnPadParams& unPadParams, const UnPadTiling& tiling) {
  ACLSIM_UNPAD(.none());
}
#undef ACLSIM_UNPAD

/* Fields of the tiling: library_tiling_shapes.h. */
#define ACLSIM_TRANSPOSE(TMP)                                    \
  ACLSIM_LIBRARY_TYPES(Transpose, T);                            \
  ACLSIM_LIBRARY_CALL(Transpose, false)                          \
      .to(dst)                                                   \
      .from(src) TMP.number(static_cast<int64_t>(transposeType)) \
      .number(ACLSIM_NPU_ARCH)                                   \
      .number(tiling.param0)                                     \
      .number(tiling.param1)                                     \
      .number(tiling.param2)                                     \
      .number(tiling.param3)                                     \
      .number(tiling.param4)                                     \
      .number(tiling.param5)                                     \
      .number(tiling.param6)                                     \
      .go()
#define ACLSIM_TRANSPOSE_FORMS(Name)                                                          \
  template <typename T>                                                                       \
  ACLSIM_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, ACLSIM_TMP,      \
                       TransposeType transposeType, const ConfusionTransposeTiling& tiling) { \
    ACLSIM_TRANSPOSE(.to(sharedTmpBuffer));                                                   \
  }                                                                                           \
  template <typename T>                                                                       \
  ACLSIM_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                  \
                       TransposeType transposeType, const ConfusionTransposeTiling& tiling) { \
    ACLSIM_TRANSPOSE(.none());                                                                \
  }
ACLSIM_TRANSPOSE_FORMS(Transpose)
ACLSIM_TRANSPOSE_FORMS(ConfusionTranspose) /* the older name */
#undef ACLSIM_TRANSPOSE_FORMS
#undef ACLSIM_TRANSPOSE

}  // namespace AscendC

namespace aclsim_library {

constexpr std::size_t axes_of(AscendC::DataFormat format) {
  return format == AscendC::DataFormat::NCDHW          ? 5
         : format == AscendC::DataFormat::NDC1HWC0     ? 6
         : format == AscendC::DataFormat::FRACTAL_Z_3D ? 7
                                                       : 0;
}
constexpr bool converts(const AscendC::TransDataConfig& config) {
  return axes_of(config.srcFormat) != 0 && axes_of(config.dstFormat) != 0 &&
         (config.srcFormat == AscendC::DataFormat::NCDHW) !=
             (config.dstFormat == AscendC::DataFormat::NCDHW);
}
template <typename Shape, std::size_t... i>
void extents(Call& call, const Shape& shape, std::index_sequence<i...>) {
  (call.number(static_cast<int64_t>(std::get<i>(shape))), ...);
}
template <typename L>
constexpr std::size_t axes_of_layout =
    std::tuple_size_v<std::decay_t<decltype(std::declval<L>().GetShape())>>;
/* Numbers of TransData: fractal, from NCDHW, the extents of both layouts, of NCDHW first. */
template <const AscendC::TransDataConfig& config, typename U, typename S>
void layouts_of(Call& call, const AscendC::TransDataParams<U, S>& params) {
  static_assert(converts(config),
                "AscendC::TransData: expected NCDHW on one side, NDC1HWC0 or FRACTAL_Z_3D on the "
                "other");
  static_assert(axes_of_layout<U> == axes_of(config.srcFormat) &&
                    axes_of_layout<S> == axes_of(config.dstFormat),
                "AscendC::TransData: a layout has another number of axes than its format");
  constexpr bool kFrom = config.srcFormat == AscendC::DataFormat::NCDHW;
  constexpr bool kFractal = config.srcFormat == AscendC::DataFormat::FRACTAL_Z_3D ||
                            config.dstFormat == AscendC::DataFormat::FRACTAL_Z_3D;
  call.number(kFractal).number(kFrom);
  const auto source = std::make_index_sequence<axes_of_layout<U>>();
  const auto result = std::make_index_sequence<axes_of_layout<S>>();
  if constexpr (kFrom) {
    extents(call, params.srcLayout.GetShape(), source);
    extents(call, params.dstLayout.GetShape(), result);
  } else {
    extents(call, params.dstLayout.GetShape(), result);
    extents(call, params.srcLayout.GetShape(), source);
  }
}

}  // namespace aclsim_library

namespace AscendC {

template <const TransDataConfig& config, typename T, typename U, typename S>
ACLSIM_API void TransData(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                          ACLSIM_TMP, const TransDataParams<U, S>& params) {
  ACLSIM_LIBRARY_TYPES(TransData, T);
  aclsim_library::Call call = ACLSIM_LIBRARY_CALL(TransData, false);
  call.to(dstTensor).from(srcTensor).to(sharedTmpBuffer);
  aclsim_library::layouts_of<config>(call, params);
  call.go();
}
template <const TransDataConfig& config, typename T, typename U, typename S>
ACLSIM_API void TransData(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                          const TransDataParams<U, S>& params) {
  ACLSIM_LIBRARY_TYPES(TransData, T);
  aclsim_library::Call call = ACLSIM_LIBRARY_CALL(TransData, false);
  call.to(dstTensor).from(srcTensor).none();
  aclsim_library::layouts_of<config>(call, params);
  call.go();
}

}  // namespace AscendC

#endif /* ASCENDC_IMPL_LIBRARY_SHAPES_H_ */
