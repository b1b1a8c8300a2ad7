/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parameter types of functions of the cube unit and of copies that are not emulated
 * (refused.h). With these types the compiler understands a kernel up to the call, and its error
 * names the function. Constructors ignore their values.
 */
#ifndef ASCENDC_IMPL_REFUSED_CUBE_TYPES_H_
#define ASCENDC_IMPL_REFUSED_CUBE_TYPES_H_

#include <cstdint>
#include <type_traits>

#include "ascendc/impl/types.h"

/* The values of a type that no function takes. */
#define ACLSIM_ANY_VALUES(NAME)                                                      \
  constexpr NAME() {}                                                                \
  template <typename First, typename... Rest,                                        \
            typename = std::enable_if_t<!std::is_same_v<std::decay_t<First>, NAME>>> \
  constexpr NAME(const First&, const Rest&...) {}

enum QuantMode_t {
  NoQuant,
  F322F16,
  F322BF16,
  DEQF16,
  VDEQF16,
  QF322B8_PRE,
  VQF322B8_PRE,
  REQ8,
  VREQ8
};

namespace AscendC {

enum class HF32Mode { ENABLE = 0, DISABLE = 1 };
enum class HF32TransMode { NEAREST_ZERO = 0, NEAREST_EVEN = 1 };
enum class FmatrixMode : uint8_t { FMATRIX_LEFT = 0, FMATRIX_RIGHT = 1 };
enum class CO2Layout : uint8_t { NZ = 0, ROW_MAJOR = 1, COLUMN_MAJOR = 2 };
enum class ClipReluMode { NOCLIP_RELU = 0, CLIP_RELU = 1 };
enum class LoopMode : uint8_t { MODE_NM = 0, MODE_MN = 1, MODE_KM = 2, MODE_KN = 3 };
enum class AippInputFormat : uint8_t {
  YUV420SP_U8 = 0,
  XRGB8888_U8 = 1,
  RGB888_U8 = 4,
  YUV400_U8 = 9
};
enum class DataCopyMVType : uint8_t { UB_TO_OUT = 0, OUT_TO_UB = 1 };

struct MmadParams {
  ACLSIM_ANY_VALUES(MmadParams)
  uint16_t m = 0;
  uint16_t n = 0;
  uint16_t k = 0;
  bool isBias = false;
  int32_t fmOffset = 0;
  bool enSsparse = false;
  bool enWinogradA = false;
  bool enWinogradB = false;
  uint8_t unitFlag = 0;
  bool kDirectionAlign = false;
  bool cmatrixSource = false;
  bool cmatrixInitVal = true;
  bool disableGemv = false;
  uint8_t fixShiftVal = 0;
};
struct LoadData2DParams {
  ACLSIM_ANY_VALUES(LoadData2DParams)
  uint16_t startIndex = 0;
  uint16_t dstGap = 0;
  uint16_t srcStride = 0;
  bool ifTranspose = false;
  uint8_t repeatTimes = 0;
  uint8_t sid = 0;
  uint8_t addrMode = 0;
};
struct LoadData2DParamsV2 {
  ACLSIM_ANY_VALUES(LoadData2DParamsV2)
  uint32_t mStartPosition = 0;
  uint32_t kStartPosition = 0;
  uint16_t mStep = 0;
  uint16_t kStep = 0;
  int32_t srcStride = 0;
  uint16_t dstStride = 0;
  bool ifTranspose = false;
  uint8_t sid = 0;
};
struct LoadData2DMxParams {
  ACLSIM_ANY_VALUES(LoadData2DMxParams)
  uint16_t xStartPosition = 0;
  uint16_t yStartPosition = 0;
  uint8_t xStep = 0;
  uint8_t yStep = 0;
  uint16_t srcStride = 0;
  uint16_t dstStride = 0;
};
struct LoadData2dTransposeParams {
  ACLSIM_ANY_VALUES(LoadData2dTransposeParams)
  uint16_t startIndex = 0;
  uint8_t repeatTimes = 0;
  uint16_t srcStride = 0;
  uint16_t dstGap = 0;
  uint16_t dstFracGap = 0;
  uint8_t addrMode = 0;
};
struct LoadData2dTransposeParamsV2 {
  ACLSIM_ANY_VALUES(LoadData2dTransposeParamsV2)
  uint16_t startIndex = 0;
  uint8_t repeatTimes = 0;
  uint16_t srcStride = 0;
  uint16_t dstGap = 0;
  uint16_t dstFracGap = 0;
  uint16_t srcFracGap = 0;
  uint8_t addrMode = 0;
};
struct Nd2NzParamsV2 {
  ACLSIM_ANY_VALUES(Nd2NzParamsV2)
  uint64_t lookupTable0 = 0;
  uint64_t lookupTable1 = 0;
};
template <typename T>
struct LoadData3DParamsV1 {
  ACLSIM_ANY_VALUES(LoadData3DParamsV1)
  uint8_t padList[PAD_SIZE]{};
  uint8_t strideW = 0;
  uint8_t strideH = 0;
  uint8_t filterW = 0;
  uint8_t filterH = 0;
  uint8_t dilationFilterW = 0;
  uint8_t dilationFilterH = 0;
  uint8_t jumpStride = 0;
  uint8_t repeatMode = 0;
  uint8_t repeatTime = 0;
  uint8_t cSize = 0;
  T padValue = 0;
  uint8_t fetchFilterW = 0;
  uint8_t fetchFilterH = 0;
  uint16_t l1H = 0;
  uint16_t l1W = 0;
  uint16_t c1Index = 0;
  int16_t leftTopW = 0;
  int16_t leftTopH = 0;
};
template <typename T>
struct LoadData3DParamsV2 {
  ACLSIM_ANY_VALUES(LoadData3DParamsV2)
  uint8_t padList[PAD_SIZE]{};
  uint16_t l1H = 0;
  uint16_t l1W = 0;
  uint16_t channelSize = 0;
  uint16_t kExtension = 0;
  uint16_t mExtension = 0;
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
  T padValue = 0;
  bool filterSizeW = false;
  bool filterSizeH = false;
  bool fMatrixCtrl = false;
};
struct LoadData3DParamsV2Pro {
  ACLSIM_ANY_VALUES(LoadData3DParamsV2Pro)
  uint16_t channelSize = 0;
  bool enTranspose = false;
  bool enSmallK = false;
  bool filterSizeW = false;
  bool filterSizeH = false;
  bool fMatrixCtrl = false;
  uint64_t extConfig = 0;
  uint64_t filterConfig = 0X10101010101;
};
template <typename T>
struct InitConstValueParams {
  ACLSIM_ANY_VALUES(InitConstValueParams)
  uint16_t repeatTimes = 0;
  uint16_t blockNum = 0;
  uint16_t dstGap = 0;
  T initValue = 0;
};
struct LoadDataRepeatParam {
  ACLSIM_ANY_VALUES(LoadDataRepeatParam)
  uint16_t repeatStride = 0;
  uint8_t repeatTime = 1;
  uint8_t repeatMode = 0;
  uint8_t reserved = 0;
};
struct LoadDataRepeatParamWithStride {
  ACLSIM_ANY_VALUES(LoadDataRepeatParamWithStride)
  uint16_t repeatStride = 0;
  uint8_t repeatTime = 1;
  uint8_t repeatMode = 0;
  uint16_t dstStride = 0;
};
struct LoadImageToLocalParams {
  ACLSIM_ANY_VALUES(LoadImageToLocalParams)
  uint16_t horizSize = 0;
  uint16_t vertSize = 0;
  uint16_t horizStartPos = 0;
  uint16_t vertStartPos = 0;
  uint16_t srcHorizSize = 0;
  uint8_t topPadSize = 0;
  uint8_t botPadSize = 0;
  uint16_t leftPadSize = 0;
  uint16_t rightPadSize = 0;
  uint8_t sid = 0;
};
struct CheckLocalMemoryIAParam {
  ACLSIM_ANY_VALUES(CheckLocalMemoryIAParam)
  uint8_t enableBit = 0;
  uint32_t startAddr = 0;
  uint32_t endAddr = 0;
  bool isScalarRead = false;
  bool isScalarWrite = false;
  bool isVectorRead = false;
  bool isVectorWrite = false;
  bool isMteRead = false;
  bool isMteWrite = false;
  bool isEnable = false;
  uint32_t reserved = 0;
};
struct FixpipeConfig {
  ACLSIM_ANY_VALUES(FixpipeConfig)
  CO2Layout format{};
  bool isToUB{};
};
struct FixpipeParamsV220 {
  ACLSIM_ANY_VALUES(FixpipeParamsV220)
  uint16_t nSize = 0;
  uint16_t mSize = 0;
  uint16_t srcStride = 0;
  uint32_t dstStride = 0;
  QuantMode_t quantPre = QuantMode_t::NoQuant;
  uint64_t deqScalar{};
  uint16_t ndNum = 1;
  uint16_t srcNdStride = 0;
  uint16_t dstNdStride = 0;
  bool reluEn = false;
  uint8_t unitFlag = 0;
  bool isChannelSplit = false;
};
struct QuantParams {
  ACLSIM_ANY_VALUES(QuantParams)
  QuantMode_t quantPre = QuantMode_t::NoQuant;
  uint64_t deqScalar{};
};
struct Nz2NdParams {
  ACLSIM_ANY_VALUES(Nz2NdParams)
  uint16_t ndNum = 1;
  uint16_t srcNdStride = 0;
  uint32_t dstNdStride = 0;
  bool nz2ndEn = false;
  uint16_t originalNSize = 0;
};
template <typename T = int32_t>
struct FixpipeParams {
  ACLSIM_ANY_VALUES(FixpipeParams)
  uint16_t cburstNum = 0;
  uint16_t burstLen = 0;
  uint32_t dstStride = 0;
  uint16_t srcStride = 0;
  QuantParams quantParams{};
  bool reluEn = false;
  Nz2NdParams nz2ndParams{};
  uint8_t unitFlag = 0;
};
struct DataCopyCO12DstParams {
  ACLSIM_ANY_VALUES(DataCopyCO12DstParams)
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
struct Dn2NzParams {
  ACLSIM_ANY_VALUES(Dn2NzParams)
  uint16_t dnNum = 0;
  uint16_t nValue = 0;
  uint32_t dValue = 0;
  uint64_t srcDnMatrixStride = 0;
  uint64_t srcDValue = 0;
  uint16_t dstNzC0Stride = 0;
  uint16_t dstNzNStride = 0;
  uint32_t dstNzMatrixStride = 0;
};
struct LoopModeParams {
  ACLSIM_ANY_VALUES(LoopModeParams)
  uint32_t loop1Size = 0;
  uint32_t loop2Size = 0;
  uint64_t loop1SrcStride = 0;
  uint64_t loop1DstStride = 0;
  uint64_t loop2SrcStride = 0;
  uint64_t loop2DstStride = 0;
};
struct NdDmaConfig {
  ACLSIM_ANY_VALUES(NdDmaConfig)
  static constexpr uint16_t unsetPad = 0xffff;
  bool isNearestValueMode = false;
  uint16_t loopLpSize = unsetPad;
  uint16_t loopRpSize = unsetPad;
  bool ascOptimize = false;
};
struct Conv2dTilling {
  ACLSIM_ANY_VALUES(Conv2dTilling)
  const uint32_t blockSize = 16;
  LoopMode loopMode = LoopMode::MODE_NM;
  uint32_t c0Size = 32;
  uint32_t dTypeSize = 1;
  uint32_t strideH = 0;
  uint32_t strideW = 0;
  uint32_t dilationH = 0;
  uint32_t dilationW = 0;
  uint32_t hi = 0;
  uint32_t wi = 0;
  uint32_t ho = 0;
  uint32_t wo = 0;
  uint32_t height = 0;
  uint32_t width = 0;
  uint32_t howo = 0;
  uint32_t mNum = 0;
  uint32_t nNum = 0;
  uint32_t kNum = 0;
  uint32_t mBlockNum = 0;
  uint32_t kBlockNum = 0;
  uint32_t nBlockNum = 0;
  uint32_t roundM = 0;
  uint32_t roundN = 0;
  uint32_t roundK = 0;
  uint32_t mTileBlock = 0;
  uint32_t nTileBlock = 0;
  uint32_t kTileBlock = 0;
  uint32_t mIterNum = 0;
  uint32_t nIterNum = 0;
  uint32_t kIterNum = 0;
  uint32_t mTileNums = 0;
  bool mHasTail = false;
  bool nHasTail = false;
  bool kHasTail = false;
  uint32_t kTailBlock = 0;
  uint32_t mTailBlock = 0;
  uint32_t nTailBlock = 0;
  uint32_t mTailNums = 0;
};
struct Conv2dParams {
  ACLSIM_ANY_VALUES(Conv2dParams)
  uint32_t imgShape[2]{};
  uint32_t kernelShape[2]{};
  uint32_t stride[2]{};
  uint32_t cin = 0;
  uint32_t cout = 0;
  uint32_t padList[4]{};
  uint32_t dilation[2]{};
  uint32_t initY = 0;
  bool partialSum = false;
};
struct GemmTiling {
  ACLSIM_ANY_VALUES(GemmTiling)
  const uint32_t blockSize = 16;
  LoopMode loopMode = LoopMode::MODE_NM;
  uint32_t mNum = 0;
  uint32_t nNum = 0;
  uint32_t kNum = 0;
  uint32_t roundM = 0;
  uint32_t roundN = 0;
  uint32_t roundK = 0;
  uint32_t c0Size = 32;
  uint32_t dtypeSize = 1;
  uint32_t mBlockNum = 0;
  uint32_t nBlockNum = 0;
  uint32_t kBlockNum = 0;
  uint32_t mIterNum = 0;
  uint32_t nIterNum = 0;
  uint32_t kIterNum = 0;
  uint32_t mTileBlock = 0;
  uint32_t nTileBlock = 0;
  uint32_t kTileBlock = 0;
  uint32_t kTailBlock = 0;
  uint32_t mTailBlock = 0;
  uint32_t nTailBlock = 0;
  bool kHasTail = false;
  bool mHasTail = false;
  bool nHasTail = false;
  bool kHasTailEle = false;
  uint32_t kTailEle = 0;
};
template <typename T>
struct AippPaddingParams {
  ACLSIM_ANY_VALUES(AippPaddingParams)
  uint32_t paddingMode = 0;
  T paddingValueCh0 = 0;
  T paddingValueCh1 = 0;
  T paddingValueCh2 = 0;
  T paddingValueCh3 = 0;
};
struct AippSwapParams {
  ACLSIM_ANY_VALUES(AippSwapParams)
  bool isSwapRB = false;
  bool isSwapUV = false;
  bool isSwapAX = false;
};
struct AippSingleLineParams {
  ACLSIM_ANY_VALUES(AippSingleLineParams)
  bool isSingleLineCopy = false;
};
struct AippDataTypeConvParams {
  ACLSIM_ANY_VALUES(AippDataTypeConvParams)
  uint8_t dtcMeanCh0 = 0;
  uint8_t dtcMeanCh1 = 0;
  uint8_t dtcMeanCh2 = 0;
  half dtcMinCh0{};
  half dtcMinCh1{};
  half dtcMinCh2{};
  half dtcVarCh0 = 1.0f;
  half dtcVarCh1 = 1.0f;
  half dtcVarCh2 = 1.0f;
  uint32_t dtcRoundMode = 0;
};
template <typename T>
struct AippChannelPaddingParams {
  ACLSIM_ANY_VALUES(AippChannelPaddingParams)
  uint32_t cPaddingMode{};
  T cPaddingValue{};
};
struct AippColorSpaceConvParams {
  ACLSIM_ANY_VALUES(AippColorSpaceConvParams)
  bool isEnableCsc = false;
  int16_t cscMatrixR0C0 = 0;
  int16_t cscMatrixR0C1 = 0;
  int16_t cscMatrixR0C2 = 0;
  int16_t cscMatrixR1C0 = 0;
  int16_t cscMatrixR1C1 = 0;
  int16_t cscMatrixR1C2 = 0;
  int16_t cscMatrixR2C0 = 0;
  int16_t cscMatrixR2C1 = 0;
  int16_t cscMatrixR2C2 = 0;
  uint8_t cscBiasIn0 = 0;
  uint8_t cscBiasIn1 = 0;
  uint8_t cscBiasIn2 = 0;
  uint8_t cscBiasOut0 = 0;
  uint8_t cscBiasOut1 = 0;
  uint8_t cscBiasOut2 = 0;
};
template <typename T>
struct AippParams {
  ACLSIM_ANY_VALUES(AippParams)
  AippPaddingParams<T> paddingParams{};
  AippSwapParams swapParams{};
  AippSingleLineParams singleLineParams{};
  AippDataTypeConvParams dtcParams{};
  AippChannelPaddingParams<T> cPaddingParams{};
  AippColorSpaceConvParams cscParams{};
};
template <CO2Layout format = CO2Layout::ROW_MAJOR>
struct FixpipeParamsArch3510 {
  ACLSIM_ANY_VALUES(FixpipeParamsArch3510)
  ReluMode preReluMode = ReluMode::NO_RELU;
  ClipReluMode preClipReluMode = ClipReluMode::NOCLIP_RELU;
  uint64_t reluScalar{};
  uint64_t vectorRelu{};
  uint16_t nSize = 0;
  uint16_t mSize = 0;
  uint16_t srcStride = 0;
  uint32_t dstStride = 0;
  QuantMode_t quantPre = QuantMode_t::NoQuant;
  uint64_t deqScalar{};
  bool reluEn = false;
  uint8_t unitFlag = 0;
  uint8_t dualDstCtl = 0;
  bool subBlockId = false;
  bool isChannelSplit = false;
  uint8_t fixShiftVal = 0;
};
template <CO2Layout format = CO2Layout::ROW_MAJOR>
using FixpipeParamsC310 = FixpipeParamsArch3510<format>;
using FixpipeParamsM300 = FixpipeParamsV220;
using FixpipeParamsM310 = FixpipeParamsV220;
using LoadData2dParams = LoadData2DParams;
using MultiCopyConfig = NdDmaConfig;
template <uint8_t dim>
struct MultiCopyLoopInfo {
  ACLSIM_ANY_VALUES(MultiCopyLoopInfo)
  uint64_t loopSrcStride[dim]{};
  uint32_t loopDstStride[dim]{};
  uint32_t loopSize[dim]{};
  uint8_t loopLpSize[dim]{};
  uint8_t loopRpSize[dim]{};
};
template <typename T, uint8_t dim>
struct MultiCopyParams {
  ACLSIM_ANY_VALUES(MultiCopyParams)
  MultiCopyLoopInfo<dim> loopInfo{};
  T constantValue{};
};

inline constexpr FixpipeConfig CFG_NZ{CO2Layout::NZ}, CFG_ROW_MAJOR{CO2Layout::ROW_MAJOR},
    CFG_COLUMN_MAJOR{CO2Layout::COLUMN_MAJOR};
struct IsResetLoad3dConfig {
  ACLSIM_ANY_VALUES(IsResetLoad3dConfig)
};
inline constexpr IsResetLoad3dConfig IS_RESER_LOAD3D_DEFAULT_CONFIG;

}  // namespace AscendC

#endif /* ASCENDC_IMPL_REFUSED_CUBE_TYPES_H_ */
