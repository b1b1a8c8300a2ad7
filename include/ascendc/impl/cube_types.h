/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parameters of the functions of the cube unit.
 */
#ifndef ASCENDC_IMPL_CUBE_TYPES_H_
#define ASCENDC_IMPL_CUBE_TYPES_H_

#include <cstdint>

#include "ascendc/impl/quant_rows.h"
#include "ascendc/impl/types.h"

/* How Fixpipe scales and rounds. A V at the front: each column has a parameter of its own. */
enum QuantMode_t {
#define ACLSIM_QUANT(name, source, target, per_column) name,
  ACLSIM_QUANT_ROWS(ACLSIM_QUANT)
#undef ACLSIM_QUANT
};

namespace AscendC {

enum class HF32Mode { ENABLE = 0, DISABLE = 1 };
enum class HF32TransMode { NEAREST_ZERO = 0, NEAREST_EVEN = 1 };
enum class FmatrixMode : uint8_t { FMATRIX_LEFT = 0, FMATRIX_RIGHT = 1 };
enum class CO2Layout : uint8_t { NZ = 0, ROW_MAJOR = 1, COLUMN_MAJOR = 2 };
enum class ClipReluMode { NOCLIP_RELU = 0, CLIP_RELU = 1 };

/* A constructor with the parameters ARGUMENTS that sets the members. */
#define ACLSIM_PARAMS(NAME, ARGUMENTS, ...) \
  constexpr NAME ARGUMENTS : __VA_ARGS__ {}

struct MmadParams {
  constexpr MmadParams() = default;
  ACLSIM_PARAMS(MmadParams,
                (const uint16_t mIn, const uint16_t nIn, const uint16_t kIn, const bool isBiasIn,
                 const int32_t fmOffsetIn, const bool enSsparseIn, const bool enWinogradAIn,
                 const bool enWinogradBIn),
                m(mIn), n(nIn), k(kIn), isBias(isBiasIn), fmOffset(fmOffsetIn),
                enSsparse(enSsparseIn), enWinogradA(enWinogradAIn), enWinogradB(enWinogradBIn))
  ACLSIM_PARAMS(MmadParams,
                (const uint16_t mIn, const uint16_t nIn, const uint16_t kIn,
                 const uint8_t unitFlagIn, const bool cmatrixSourceIn, const bool cmatrixInitValIn),
                m(mIn), n(nIn), k(kIn), unitFlag(unitFlagIn), cmatrixSource(cmatrixSourceIn),
                cmatrixInitVal(cmatrixInitValIn))
  uint16_t m = 0;
  uint16_t n = 0;
  uint16_t k = 0;
  bool isBias = false; /* older: adds to the sums in L0C */
  int32_t fmOffset = 0;
  bool enSsparse = false;
  bool enWinogradA = false;
  bool enWinogradB = false;
  uint8_t unitFlag = 0; /* 0, 2 (the flags stay) or 3 (the flags are set) */
  bool kDirectionAlign = false;
  bool cmatrixSource = false; /* the sums start from the bias table */
  bool cmatrixInitVal = true; /* the sums start from 0 */
  bool disableGemv = false;   /* 3510: m of 1 has fractals, too */
  uint8_t fixShiftVal = 0;
};

/* Strides, gaps and indices in fractals of 512 bytes. */
struct LoadData2DParams {
  constexpr LoadData2DParams() = default;
  ACLSIM_PARAMS(LoadData2DParams,
                (const uint16_t startIndexIn, const uint8_t repeatTimesIn,
                 const uint16_t srcStrideIn, const uint8_t sidIn, const uint16_t dstGapIn,
                 const bool ifTransposeIn, const uint8_t addrModeIn),
                startIndex(startIndexIn), dstGap(dstGapIn), srcStride(srcStrideIn),
                ifTranspose(ifTransposeIn), repeatTimes(repeatTimesIn), sid(sidIn),
                addrMode(addrModeIn))
  uint16_t startIndex = 0;
  uint16_t dstGap = 0;
  uint16_t srcStride = 0;
  bool ifTranspose = false;
  uint8_t repeatTimes = 0;
  uint8_t sid = 0;
  uint8_t addrMode = 0; /* 1: indices of the source decrease */
};
using LoadData2dParams = LoadData2DParams;

/* A matrix of M x K in columns of fractals; steps along M of 16 rows, along K of 32 bytes. */
struct LoadData2DParamsV2 {
  constexpr LoadData2DParamsV2() = default;
  ACLSIM_PARAMS(LoadData2DParamsV2,
                (const uint32_t mStartPositionIn, const uint32_t kStartPositionIn,
                 const uint16_t mStepIn, const uint16_t kStepIn, const int32_t srcStrideIn,
                 const uint16_t dstStrideIn, const bool ifTransposeIn, const uint8_t sidIn),
                mStartPosition(mStartPositionIn), kStartPosition(kStartPositionIn), mStep(mStepIn),
                kStep(kStepIn), srcStride(srcStrideIn), dstStride(dstStrideIn),
                ifTranspose(ifTransposeIn), sid(sidIn))
  uint32_t mStartPosition = 0;
  uint32_t kStartPosition = 0;
  uint16_t mStep = 0;
  uint16_t kStep = 0;
  int32_t srcStride = 0;
  uint16_t dstStride = 0;
  bool ifTranspose = false;
  uint8_t sid = 0;
};

/* Scales, in fractals of 32 bytes: 16 rows (x) with two scales along the depth (y). */
struct LoadData2DMxParams {
  constexpr LoadData2DMxParams() = default;
  ACLSIM_PARAMS(LoadData2DMxParams,
                (const uint16_t xStartPositionIn, const uint16_t yStartPositionIn,
                 const uint8_t xStepIn, const uint8_t yStepIn, const uint16_t srcStrideIn,
                 const uint16_t dstStrideIn),
                xStartPosition(xStartPositionIn), yStartPosition(yStartPositionIn), xStep(xStepIn),
                yStep(yStepIn), srcStride(srcStrideIn), dstStride(dstStrideIn))
  uint16_t xStartPosition = 0;
  uint16_t yStartPosition = 0;
  uint8_t xStep = 0;
  uint8_t yStep = 0;
  uint16_t srcStride = 0; /* from a row of fractals to the next */
  uint16_t dstStride = 0;
};

/* Indices and strides of the source in squares, gaps in fractals. */
struct LoadData2dTransposeParams {
  constexpr LoadData2dTransposeParams() = default;
  ACLSIM_PARAMS(LoadData2dTransposeParams,
                (const uint16_t startIndexIn, const uint8_t repeatTimesIn,
                 const uint16_t srcStrideIn, const uint16_t dstGapIn, const uint16_t dstFracGapIn,
                 const uint8_t addrModeIn = 0),
                startIndex(startIndexIn), repeatTimes(repeatTimesIn), srcStride(srcStrideIn),
                dstGap(dstGapIn), dstFracGap(dstFracGapIn), addrMode(addrModeIn))
  uint16_t startIndex = 0;
  uint8_t repeatTimes = 0;
  uint16_t srcStride = 0;
  uint16_t dstGap = 0;
  uint16_t dstFracGap = 0;
  uint8_t addrMode = 0;
};
/* All in fractals. */
struct LoadData2dTransposeParamsV2 {
  constexpr LoadData2dTransposeParamsV2() = default;
  ACLSIM_PARAMS(LoadData2dTransposeParamsV2,
                (const uint16_t startIndexIn, const uint8_t repeatTimesIn,
                 const uint16_t srcStrideIn, const uint16_t dstGapIn, const uint16_t dstFracGapIn,
                 const uint16_t srcFracGapIn, const uint8_t addrModeIn = 0),
                startIndex(startIndexIn), repeatTimes(repeatTimesIn), srcStride(srcStrideIn),
                dstGap(dstGapIn), dstFracGap(dstFracGapIn), srcFracGap(srcFracGapIn),
                addrMode(addrModeIn))
  uint16_t startIndex = 0;
  uint8_t repeatTimes = 0;
  uint16_t srcStride = 0;
  uint16_t dstGap = 0;
  uint16_t dstFracGap = 0;
  uint16_t srcFracGap = 0;
  uint8_t addrMode = 0;
};

/* A feature map in L1, and the part of the matrix that is loaded from it. */
template <typename T>
struct LoadData3DParamsV2 {
  constexpr LoadData3DParamsV2() = default;
  LoadData3DParamsV2(const uint8_t padListIn[PAD_SIZE], const uint16_t l1HIn, const uint16_t l1WIn,
                     const uint16_t channelSizeIn, const uint16_t kExtensionIn,
                     const uint16_t mExtensionIn, const uint16_t kStartPtIn,
                     const uint16_t mStartPtIn, const uint8_t strideWIn, const uint8_t strideHIn,
                     const uint8_t filterWIn, const uint8_t filterHIn,
                     const uint8_t dilationFilterWIn, const uint8_t dilationFilterHIn,
                     const bool enTransposeIn, const bool enSmallKIn, const T padValueIn,
                     const bool filterSizeWIn = false, const bool filterSizeHIn = false,
                     const bool fMatrixCtrlIn = false)
      : l1H(l1HIn),
        l1W(l1WIn),
        channelSize(channelSizeIn),
        kExtension(kExtensionIn),
        mExtension(mExtensionIn),
        kStartPt(kStartPtIn),
        mStartPt(mStartPtIn),
        strideW(strideWIn),
        strideH(strideHIn),
        filterW(filterWIn),
        filterH(filterHIn),
        dilationFilterW(dilationFilterWIn),
        dilationFilterH(dilationFilterHIn),
        enTranspose(enTransposeIn),
        enSmallK(enSmallKIn),
        padValue(padValueIn),
        filterSizeW(filterSizeWIn),
        filterSizeH(filterSizeHIn),
        fMatrixCtrl(fMatrixCtrlIn) {
    for (uint32_t i = 0; i < PAD_SIZE; ++i) padList[i] = padListIn[i];
  }
  uint8_t padList[PAD_SIZE] = {}; /* left, right, top, bottom */
  uint16_t l1H = 0;
  uint16_t l1W = 0;
  uint16_t channelSize = 0;
  uint16_t kExtension = 0; /* columns of the matrix */
  uint16_t mExtension = 0; /* rows */
  uint16_t kStartPt = 0;
  uint16_t mStartPt = 0;
  uint8_t strideW = 1;
  uint8_t strideH = 1;
  uint8_t filterW = 1;
  uint8_t filterH = 1;
  uint8_t dilationFilterW = 1;
  uint8_t dilationFilterH = 1;
  bool enTranspose = false;
  bool enSmallK = false;
  T padValue = T(0);
  bool filterSizeW = false; /* 256 more */
  bool filterSizeH = false;
  bool fMatrixCtrl = false; /* the feature map of SetFmatrix with FMATRIX_RIGHT */
};
/* The same with two packed words; the feature map comes from SetFmatrix. */
struct LoadData3DParamsV2Pro {
  constexpr LoadData3DParamsV2Pro() = default;
  ACLSIM_PARAMS(LoadData3DParamsV2Pro,
                (const uint16_t channelSizeIn, const bool enTransposeIn, const bool enSmallKIn,
                 const bool filterSizeWIn, const bool filterSizeHIn, const bool fMatrixCtrlIn,
                 const uint64_t extConfigIn, const uint64_t filterConfigIn),
                channelSize(channelSizeIn), enTranspose(enTransposeIn), enSmallK(enSmallKIn),
                filterSizeW(filterSizeWIn), filterSizeH(filterSizeHIn), fMatrixCtrl(fMatrixCtrlIn),
                extConfig(extConfigIn), filterConfig(filterConfigIn))
  uint16_t channelSize = 0;
  bool enTranspose = false;
  bool enSmallK = false;
  bool filterSizeW = false;
  bool filterSizeH = false;
  bool fMatrixCtrl = false;
  uint64_t extConfig = 0;                 /* mStartPt, kStartPt, mExtension, kExtension: 16 bits */
  uint64_t filterConfig = 0x10101010101U; /* dilations, filter, strides: 8 bits each */
};
struct IsResetLoad3dConfig {
  bool isSetFMatrix = true;
  bool isSetPadding = true;
};
inline constexpr IsResetLoad3dConfig IS_RESER_LOAD3D_DEFAULT_CONFIG = {true, true};

struct LoadDataRepeatParam {
  constexpr LoadDataRepeatParam() = default;
  ACLSIM_PARAMS(LoadDataRepeatParam,
                (const uint16_t repeatStrideIn, const uint8_t repeatTimeIn,
                 const uint8_t repeatModeIn, const uint16_t dstStrideIn = 0),
                repeatStride(repeatStrideIn), repeatTime(repeatTimeIn), repeatMode(repeatModeIn),
                dstStride(dstStrideIn))
  uint16_t repeatStride = 0;
  uint8_t repeatTime = 1;
  uint8_t repeatMode = 0;
  uint16_t dstStride = 0; /* 3510: fractals from one column of fractals to the next */
};
struct LoadDataRepeatParamWithStride {
  constexpr LoadDataRepeatParamWithStride() = default;
  ACLSIM_PARAMS(LoadDataRepeatParamWithStride,
                (const uint16_t repeatStrideIn, const uint8_t repeatTimeIn,
                 const uint8_t repeatModeIn, const uint16_t dstStrideIn),
                repeatStride(repeatStrideIn), repeatTime(repeatTimeIn), repeatMode(repeatModeIn),
                dstStride(dstStrideIn))
  uint16_t repeatStride = 0;
  uint8_t repeatTime = 1;
  uint8_t repeatMode = 0;
  uint16_t dstStride = 0;
};

/* Blocks of 32 bytes in L1, of 512 bytes in L0A and L0B. */
template <typename T>
struct InitConstValueParams {
  constexpr InitConstValueParams() = default;
  ACLSIM_PARAMS(InitConstValueParams,
                (const uint16_t repeatTimesIn, const uint16_t blockNumIn, const uint16_t dstGapIn,
                 const T initValueIn),
                repeatTimes(repeatTimesIn), blockNum(blockNumIn), dstGap(dstGapIn),
                initValue(initValueIn))
  ACLSIM_PARAMS(InitConstValueParams, (const uint16_t repeatTimesIn, const T initValueIn),
                repeatTimes(repeatTimesIn), initValue(initValueIn))
  uint16_t repeatTimes = 0;
  uint16_t blockNum = 0;
  uint16_t dstGap = 0;
  T initValue = T(0);
};

struct FixpipeConfig {
  constexpr FixpipeConfig(CO2Layout format_, bool isToUB_ = false)
      : format(format_), isToUB(isToUB_) {}
  CO2Layout format;
  bool isToUB;
};
inline constexpr FixpipeConfig CFG_NZ = {CO2Layout::NZ}, CFG_ROW_MAJOR = {CO2Layout::ROW_MAJOR},
                               CFG_COLUMN_MAJOR = {CO2Layout::COLUMN_MAJOR};

struct QuantParams {
  constexpr QuantParams() = default;
  ACLSIM_PARAMS(QuantParams, (const QuantMode_t quantPreIn, const uint64_t deqScalarIn = 0),
                quantPre(quantPreIn), deqScalar(deqScalarIn))
  QuantMode_t quantPre = QuantMode_t::NoQuant;
  uint64_t deqScalar = 0;
};

#if ACLSIM_NPU_ARCH == 3510
struct Nz2NdParams {
  constexpr Nz2NdParams() = default;
  ACLSIM_PARAMS(Nz2NdParams,
                (const uint16_t ndNumIn, const uint16_t srcNdStrideIn,
                 const uint32_t dstNdStrideIn),
                ndNum(ndNumIn), srcNdStride(srcNdStrideIn), dstNdStride(dstNdStrideIn))
  uint16_t ndNum = 1;
  uint16_t srcNdStride = 0; /* 16 elements of L0C */
  uint32_t dstNdStride = 0; /* elements */
};
#else
struct Nz2NdParams {
  constexpr Nz2NdParams() = default;
  ACLSIM_PARAMS(Nz2NdParams,
                (const bool nz2ndEnIn, const uint16_t ndNumIn, const uint16_t srcNdStrideIn,
                 const uint16_t dstNdStrideIn, const uint16_t originalNSizeIn),
                nz2ndEn(nz2ndEnIn), ndNum(ndNumIn), srcNdStride(srcNdStrideIn),
                dstNdStride(dstNdStrideIn), originalNSize(originalNSizeIn))
  bool nz2ndEn = false;
  uint16_t ndNum = 1;
  uint16_t srcNdStride = 0;
  uint16_t dstNdStride = 0;
  uint16_t originalNSize = 0;
};
#endif
struct Nz2DnParams {
  constexpr Nz2DnParams() = default;
  ACLSIM_PARAMS(Nz2DnParams,
                (const uint16_t dnNumIn, const uint16_t srcNzMatrixStrideIn,
                 const uint32_t dstDnMatrixStrideIn, const uint16_t srcNzC0StrideIn),
                dnNum(dnNumIn), srcNzMatrixStride(srcNzMatrixStrideIn),
                dstDnMatrixStride(dstDnMatrixStrideIn), srcNzC0Stride(srcNzC0StrideIn))
  uint16_t dnNum = 1;
  uint16_t srcNzMatrixStride = 0; /* 16 elements of L0C */
  uint32_t dstDnMatrixStride = 0; /* elements */
  uint16_t srcNzC0Stride = 0;     /* 16 elements of L0C: from a row to the next */
};

/* srcStride: rows of L0C; dstStride: elements of a row, or with CFG_NZ units of 32 bytes. */
struct FixpipeParamsV220 {
  constexpr FixpipeParamsV220() = default;
  ACLSIM_PARAMS(FixpipeParamsV220,
                (const uint16_t nSizeIn, const uint16_t mSizeIn, const uint16_t srcStrideIn,
                 const uint32_t dstStrideIn, const bool reluEnIn,
                 const QuantMode_t quantPreIn = QuantMode_t::NoQuant, const int64_t deqScalarIn = 0,
                 const uint16_t ndNumIn = 1, const uint16_t srcNdStrideIn = 0,
                 const uint16_t dstNdStrideIn = 0, const uint8_t unitFlagIn = 0,
                 const bool isChannelSplitIn = false),
                nSize(nSizeIn), mSize(mSizeIn), srcStride(srcStrideIn), dstStride(dstStrideIn),
                quantPre(quantPreIn), deqScalar(static_cast<uint64_t>(deqScalarIn)), ndNum(ndNumIn),
                srcNdStride(srcNdStrideIn), dstNdStride(dstNdStrideIn), reluEn(reluEnIn),
                unitFlag(unitFlagIn), isChannelSplit(isChannelSplitIn))
  uint16_t nSize = 0;
  uint16_t mSize = 0;
  uint16_t srcStride = 0;
  uint32_t dstStride = 0;
  QuantMode_t quantPre = QuantMode_t::NoQuant;
  uint64_t deqScalar = 0;
  uint16_t ndNum = 1;
  uint16_t srcNdStride = 0; /* fractals of 16 x 16 elements */
  uint16_t dstNdStride = 0; /* elements */
  bool reluEn = false;
  uint8_t unitFlag = 0;
  bool isChannelSplit = false;
};
using FixpipeParamsM300 = FixpipeParamsV220;
using FixpipeParamsM310 = FixpipeParamsV220;

template <CO2Layout format>
struct TransformParams {
  using PARAMS = uint8_t;
};
template <>
struct TransformParams<CO2Layout::ROW_MAJOR> {
  using PARAMS = Nz2NdParams;
};
template <>
struct TransformParams<CO2Layout::COLUMN_MAJOR> {
  using PARAMS = Nz2DnParams;
};

/* dstStride: elements, in all layouts. */
template <CO2Layout format = CO2Layout::ROW_MAJOR>
struct FixpipeParamsArch3510 {
  constexpr FixpipeParamsArch3510() = default;
  ACLSIM_PARAMS(FixpipeParamsArch3510,
                (const uint16_t nSizeIn, const uint16_t mSizeIn, const uint16_t srcStrideIn,
                 const uint32_t dstStrideIn),
                nSize(nSizeIn), mSize(mSizeIn), srcStride(srcStrideIn), dstStride(dstStrideIn))
  ReluMode preReluMode = ReluMode::NO_RELU;
  ClipReluMode preClipReluMode = ClipReluMode::NOCLIP_RELU;
  uint64_t reluScalar = 0;
  uint64_t vectorRelu = 0;
  uint16_t nSize = 0;
  uint16_t mSize = 0;
  uint16_t srcStride = 0;
  uint32_t dstStride = 0;
  QuantMode_t quantPre = QuantMode_t::NoQuant;
  uint64_t deqScalar = 0;
  bool reluEn = false;
  uint8_t unitFlag = 0;
  typename TransformParams<format>::PARAMS params{};
  uint8_t dualDstCtl = 0; /* 1: halves of the rows, 2: of the columns */
  bool subBlockId = false;
  bool isChannelSplit = false;
  uint8_t fixShiftVal = 0;
};
template <CO2Layout format = CO2Layout::ROW_MAJOR>
using FixpipeParamsC310 = FixpipeParamsArch3510<format>;

/* As FixpipeParamsV220; matrices and scalars come from the registers. */
struct DataCopyCO12DstParams {
  constexpr DataCopyCO12DstParams() = default;
  ACLSIM_PARAMS(DataCopyCO12DstParams,
                (const uint16_t nSizeIn, const uint16_t mSizeIn, const uint32_t dstStrideIn,
                 const uint16_t srcStrideIn, const QuantMode_t quantPreIn, const uint8_t reluPreIn,
                 const bool channelSplitIn, const bool nz2ndEnIn),
                nSize(nSizeIn), mSize(mSizeIn), dstStride(dstStrideIn), srcStride(srcStrideIn),
                quantPre(quantPreIn), reluPre(reluPreIn), channelSplit(channelSplitIn),
                nz2ndEn(nz2ndEnIn))
  uint8_t sid = 0;
  uint16_t nSize = 0;
  uint16_t mSize = 0;
  uint32_t dstStride = DEFAULT_DATA_COPY_STRIDE;
  uint16_t srcStride = DEFAULT_DATA_COPY_STRIDE;
  uint8_t unitFlag = 0;
  uint8_t clipReluPre = 0;
  uint8_t eltWiseOp = 0;
  QuantMode_t quantPre = QuantMode_t::NoQuant;
  uint8_t reluPre = 0;
  bool channelSplit = false;
  bool nz2ndEn = false;
};

/* Matrices of columns: strides of the source in elements, of the destination in units of 32 bytes,
   between matrices in elements. */
struct Dn2NzParams {
  constexpr Dn2NzParams() = default;
  ACLSIM_PARAMS(Dn2NzParams,
                (const uint16_t dnNumIn, const uint16_t nValueIn, const uint32_t dValueIn,
                 const uint64_t srcDnMatrixStrideIn, const uint64_t srcDValueIn,
                 const uint16_t dstNzC0StrideIn, const uint16_t dstNzNStrideIn,
                 const uint32_t dstNzMatrixStrideIn),
                dnNum(dnNumIn), nValue(nValueIn), dValue(dValueIn),
                srcDnMatrixStride(srcDnMatrixStrideIn), srcDValue(srcDValueIn),
                dstNzC0Stride(dstNzC0StrideIn), dstNzNStride(dstNzNStrideIn),
                dstNzMatrixStride(dstNzMatrixStrideIn))
  uint16_t dnNum = 0;
  uint16_t nValue = 0;
  uint32_t dValue = 0;
  uint64_t srcDnMatrixStride = 0;
  uint64_t srcDValue = 0;
  uint16_t dstNzC0Stride = 0;
  uint16_t dstNzNStride = 0;
  uint32_t dstNzMatrixStride = 0;
};
#undef ACLSIM_PARAMS

/* The type in L0A and L0B; products with scales take the same one here. */
template <typename T, bool isMx = false>
struct GetL0DataType {
  using Type = T;
};

}  // namespace AscendC

#endif /* ASCENDC_IMPL_CUBE_TYPES_H_ */
