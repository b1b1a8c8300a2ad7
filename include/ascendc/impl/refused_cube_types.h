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

#include "ascendc/impl/cube_types.h"
#include "ascendc/impl/types.h"

/* The values of a type that no function takes. */
#define ACLSIM_ANY_VALUES(NAME)                                                      \
  constexpr NAME() {}                                                                \
  template <typename First, typename... Rest,                                        \
            typename = std::enable_if_t<!std::is_same_v<std::decay_t<First>, NAME>>> \
  constexpr NAME(const First&, const Rest&...) {}

namespace AscendC {

enum class LoopMode : uint8_t { MODE_NM = 0, MODE_MN = 1, MODE_KM = 2, MODE_KN = 3 };
enum class AippInputFormat : uint8_t {
  YUV420SP_U8 = 0,
  XRGB8888_U8 = 1,
  RGB888_U8 = 4,
  YUV400_U8 = 9
};
enum class DataCopyMVType : uint8_t { UB_TO_OUT = 0, OUT_TO_UB = 1 };

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
struct LoopModeParams {
  ACLSIM_ANY_VALUES(LoopModeParams)
  uint32_t loop1Size = 0;
  uint32_t loop2Size = 0;
  uint64_t loop1SrcStride = 0;
  uint64_t loop1DstStride = 0;
  uint64_t loop2SrcStride = 0;
  uint64_t loop2DstStride = 0;
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

}  // namespace AscendC

#endif /* ASCENDC_IMPL_REFUSED_CUBE_TYPES_H_ */
