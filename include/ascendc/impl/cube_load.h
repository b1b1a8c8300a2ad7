/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads into L0A and L0B, and the other functions that fill memories of the cube unit.
 */
#ifndef ASCENDC_IMPL_CUBE_LOAD_H_
#define ASCENDC_IMPL_CUBE_LOAD_H_

#include <cstdint>
#include <cstring>

#include "ascendc/impl/copy.h"
#include "ascendc/impl/cube.h"
#include "ascendc/impl/cube_types.h"
#include "ascendc/impl/opcodes.h"
#include "ascendc/impl/tensor.h"

namespace AscendC {
namespace aclsim_cube {

inline constexpr int64_t kFractal = ACLSIM_FRACTAL_BYTES;
inline constexpr bool kBands = ACLSIM_NPU_ARCH != 3510; /* L0A has rows of fractals */

template <typename T>
inline constexpr uint32_t kBits = sizeof(T) * 8 / aclsim_element::per_byte<T>;

inline aclsimOperand shifted(aclsimOperand operand, int64_t bytes) {
  operand.address = static_cast<uint8_t*>(operand.address) + bytes;
  operand.bytes = aclsim_left_behind(operand.bytes, static_cast<uint64_t>(bytes));
  return operand;
}

/* One instruction of the cube unit. */
template <typename Params, typename... Operands>
void issue(uint16_t opcode, pipe_t pipe, const Params& params, const void* site,
           const Operands&... operands) {
  aclsimInstruction instruction;
  std::memset(&instruction, 0, offsetof(aclsimInstruction, operand));
  instruction.size = sizeof instruction;
  instruction.opcode = opcode;
  instruction.pipe = static_cast<uint8_t>(pipe);
  instruction.operands = sizeof...(operands);
  instruction.site = site;
  instruction.more = &params;
  const aclsimOperand all[] = {operands...};
  for (unsigned i = 0; i < sizeof...(operands); ++i) instruction.operand[i] = all[i];
  aclsimIssue(&instruction);
}

template <typename Params>
Params params_of(const char* called) {
  Params params;
  std::memset(&params, 0, sizeof params);
  params.size = sizeof params;
  params.called = called;
  return params;
}

/* Squares have 4, 2, 1 or 2 fractals. */
constexpr int64_t square_bytes(uint32_t bits) {
  return bits == 4 ? 4 * kFractal : bits == 16 ? kFractal : 2 * kFractal;
}

inline void load_2d(const aclsimOperand& to, const aclsimOperand& from, const LoadData2DParams& p,
                    uint32_t bits, const void* site) {
  if (p.repeatTimes == 0) return;
  const int64_t from_step = int64_t{p.srcStride} * kFractal * (p.addrMode != 0 ? -1 : 1);
  const int64_t to_step = (kBands ? p.dstGap + 1 : 1) * kFractal;
  const aclsimOperand first = shifted(from, p.startIndex * kFractal);
  if (!p.ifTranspose) {
    aclsimMove move = aclsim_copy::one_row(kFractal);
    move.count[0] = p.repeatTimes;
    move.from_step[0] = from_step;
    move.to_step[0] = to_step;
    return aclsim_copy::issue(ACLSIM_MOVE_LOAD, move, to, first, p.repeatTimes, site);
  }
  if (bits != 16) {
    aclsimViolation("LoadData with ifTranspose: bits of an element", bits, 16, site);
  }
  auto load = params_of<aclsimSquares>("LoadData");
  load.bits = bits;
  load.count[0] = 1;
  load.count[1] = p.repeatTimes;
  load.from_step[1] = from_step;
  load.to_step[1] = to_step;
  issue(ACLSIM_CUBE_SQUARES, PIPE_MTE1, load, site, to, first);
}

/* Fractal (row, col) of the source is srcStride * col + row. With a transposition the rows become
   the inner order of the destination's columns. */
inline void load_2d(const aclsimOperand& to, const aclsimOperand& from, const LoadData2DParamsV2& p,
                    uint32_t bits, const void* site) {
  if (p.mStep == 0 || p.kStep == 0) return;
  const int64_t stride = p.srcStride < 0 ? -int64_t{p.srcStride} : p.srcStride;
  const aclsimOperand first =
      shifted(from, (int64_t{p.kStartPosition} * stride + p.mStartPosition) * kFractal);
  const int64_t from_col = int64_t{p.srcStride} * kFractal;
  const int64_t to_col = int64_t{p.dstStride} * kFractal;
  if (!p.ifTranspose) {
    aclsimMove move = aclsim_copy::one_row(static_cast<uint64_t>(p.mStep) * kFractal);
    move.count[0] = p.kStep;
    move.from_step[0] = from_col;
    move.to_step[0] = to_col;
    return aclsim_copy::issue(ACLSIM_MOVE_LOAD, move, to, first, p.kStep, site);
  }
  const uint32_t down = bits == 4 ? 4 : bits == 8 ? 2 : 1; /* fractals of a square */
  const uint32_t across = bits == 32 ? 2 : 1;
  if (p.mStep % down != 0) {
    aclsimViolation("LoadData with ifTranspose: mStep is no multiple", p.mStep, down, site);
  }
  if (p.kStep % across != 0) {
    aclsimViolation("LoadData with ifTranspose: kStep is no multiple", p.kStep, across, site);
  }
  auto load = params_of<aclsimSquares>("LoadData");
  load.bits = bits;
  load.count[0] = p.mStep / down;
  load.count[1] = p.kStep / across;
  load.from_step[0] = down * kFractal;
  load.from_step[1] = across * from_col;
  load.from_next = across == 2 ? from_col : kFractal;
  load.to_step[0] = across * to_col;
  load.to_step[1] = down * kFractal;
  load.to_next = across == 2 ? to_col : kFractal;
  issue(ACLSIM_CUBE_SQUARES, PIPE_MTE1, load, site, to, first);
}

/* The scales or the index of a matrix in L0A or L0B, in a memory with `divisor` times fewer bytes.
 */
inline aclsimOperand beside(const aclsimOperand& matrix, uint8_t position, uint64_t divisor,
                            uint64_t bytes, uint8_t element, uint8_t access, const void* site) {
  aclsimOperand made{};
  made.position = position;
  made.address =
      aclsimLocalAddress(position, aclsimLocalOffset(matrix.address) / divisor, bytes, site);
  made.bytes = bytes;
  made.element = element;
  made.access = access;
  return made;
}
#if ACLSIM_NPU_ARCH == 3510
inline aclsimOperand scales_of(const aclsimOperand& matrix, uint64_t bytes, uint8_t access,
                               const void* site) {
  const bool a = matrix.position == static_cast<uint8_t>(TPosition::A2);
  return beside(matrix, a ? ACLSIM_POSITION_SCALES_A : ACLSIM_POSITION_SCALES_B, 16, bytes,
                ACLSIM_FP8_E8M0, access, site);
}
inline void load_scales(const aclsimOperand& matrix, const aclsimOperand& from,
                        const LoadData2DMxParams& p, const void* site) {
  if (p.xStep == 0 || p.yStep == 0) return;
  const uint64_t row = uint64_t{p.yStep} * aclsim_copy::kUnit;
  const int64_t first = int64_t{p.xStartPosition} * p.srcStride + p.yStartPosition;
  aclsimMove move = aclsim_copy::one_row(row);
  move.count[0] = p.xStep;
  move.from_step[0] = p.srcStride * int64_t{aclsim_copy::kUnit};
  move.to_step[0] = p.dstStride * int64_t{aclsim_copy::kUnit};
  const uint64_t bytes = (p.xStep - uint64_t{1}) * p.dstStride * aclsim_copy::kUnit + row;
  aclsim_copy::issue(ACLSIM_MOVE_LOAD, move, scales_of(matrix, bytes, ACLSIM_WRITES, site),
                     shifted(from, first * aclsim_copy::kUnit), p.xStep, site);
}
#else
inline aclsimOperand index_of(const aclsimOperand& matrix, uint64_t bytes, uint8_t access,
                              const void* site) {
  return beside(matrix, ACLSIM_POSITION_INDEX, 4, bytes, ACLSIM_UINT8, access, site);
}
inline void load_index(const aclsimOperand& matrix, const aclsimOperand& from,
                       const LoadData2DParams& p, const void* site) {
  if (p.repeatTimes == 0) return;
  constexpr int64_t kIndices = kFractal / 4;
  const uint64_t bytes = uint64_t{p.repeatTimes} * kIndices;
  aclsim_copy::issue(ACLSIM_MOVE_LOAD, aclsim_copy::one_row(bytes),
                     index_of(matrix, bytes, ACLSIM_WRITES, site),
                     shifted(from, p.startIndex * kIndices), 1, site);
}
#endif

inline void load_transposed(const aclsimOperand& to, const aclsimOperand& from,
                            const LoadData2dTransposeParams& p, uint32_t bits, const void* site) {
  const int64_t square = square_bytes(bits);
  auto load = params_of<aclsimSquares>("LoadDataWithTranspose");
  load.bits = bits;
  load.count[0] = 1;
  load.count[1] = p.repeatTimes;
  load.from_step[1] = p.srcStride * square * (p.addrMode != 0 ? -1 : 1);
  load.from_next = kFractal;
  load.to_step[1] = (p.dstGap + 1) * kFractal;
  load.to_next = (p.dstFracGap + 1) * kFractal;
  issue(ACLSIM_CUBE_SQUARES, PIPE_MTE1, load, site, to, shifted(from, p.startIndex * square));
}
inline void load_transposed(const aclsimOperand& to, const aclsimOperand& from,
                            const LoadData2dTransposeParamsV2& p, uint32_t bits, const void* site) {
  auto load = params_of<aclsimSquares>("LoadDataWithTranspose");
  load.bits = bits;
  load.count[0] = 1;
  load.count[1] = p.repeatTimes;
  load.from_step[1] = p.srcStride * kFractal * (p.addrMode != 0 ? -1 : 1);
  load.from_next = (p.srcFracGap + 1) * kFractal;
  load.to_step[1] = (p.dstGap + 1) * kFractal;
  load.to_next = (p.dstFracGap + 1) * kFractal;
  issue(ACLSIM_CUBE_SQUARES, PIPE_MTE1, load, site, to, shifted(from, p.startIndex * kFractal));
}

/* The part of an image that the registers describe. */
inline void load_image(const aclsimOperand& to, const aclsimOperand& from, aclsimImage& load,
                       uint32_t bits, const void* site) {
  const aclsimCubeRegisters& registers = *aclsimCubeRegistersOfCore();
  if (registers.repeat_times == 0) return;
  if (registers.repeat_times != 1) {
    aclsimViolation("LoadData: repeats of SetLoadDataRepeat are not emulated; repeatTime",
                    registers.repeat_times, 1, site);
  }
  load.bits = bits;
  load.to_l0b = to.position == static_cast<uint8_t>(TPosition::B2) ? 1 : 0;
  load.bands = kBands ? 1 : 0;
  load.dst_stride = kBands ? 0 : registers.dst_stride;
  load.boundary = registers.boundary;
  if (load.boundary != 0) load.offset = aclsimLocalOffset(from.address);
  issue(ACLSIM_CUBE_IMAGE, PIPE_MTE1, load, site, to, from);
}

template <typename T>
aclsimImage image_of(const LoadData3DParamsV2<T>& p, const IsResetLoad3dConfig& config,
                     const char* called) {
  auto load = params_of<aclsimImage>(called);
  const aclsimCubeRegisters& registers = *aclsimCubeRegistersOfCore();
  const unsigned side = p.fMatrixCtrl ? 1 : 0;
  load.height = config.isSetFMatrix ? p.l1H : registers.image_height[side];
  load.width = config.isSetFMatrix ? p.l1W : registers.image_width[side];
  for (unsigned i = 0; i < 4; ++i) {
    load.pad[i] = config.isSetFMatrix ? p.padList[i] : registers.image_pad[side][i];
  }
  load.channels = p.channelSize;
  load.filter_height = p.filterH + (p.filterSizeH ? 256U : 0U);
  load.filter_width = p.filterW + (p.filterSizeW ? 256U : 0U);
  load.stride_height = p.strideH;
  load.stride_width = p.strideW;
  load.dilation_height = p.dilationFilterH;
  load.dilation_width = p.dilationFilterW;
  load.first_row = p.mStartPt;
  load.first_col = p.kStartPt;
  load.rows = p.mExtension;
  load.cols = p.kExtension;
  load.transposed = p.enTranspose ? 1 : 0;
  load.pad_value = registers.padding_value;
  if (config.isSetPadding) {
    load.pad_value = 0;
    std::memcpy(&load.pad_value, &p.padValue, sizeof p.padValue);
  }
  return load;
}

inline aclsimImage image_of(const LoadData3DParamsV2Pro& p, const char* called) {
  const auto part = [](uint64_t word, unsigned shift, unsigned bits) {
    return static_cast<uint32_t>(word >> shift & ((uint64_t{1} << bits) - 1));
  };
  auto load = params_of<aclsimImage>(called);
  const aclsimCubeRegisters& registers = *aclsimCubeRegistersOfCore();
  const unsigned side = p.fMatrixCtrl ? 1 : 0;
  load.height = registers.image_height[side];
  load.width = registers.image_width[side];
  for (unsigned i = 0; i < 4; ++i) load.pad[i] = registers.image_pad[side][i];
  load.channels = p.channelSize;
  load.first_row = part(p.extConfig, 48, 16);
  load.first_col = part(p.extConfig, 32, 16);
  load.rows = part(p.extConfig, 16, 16);
  load.cols = part(p.extConfig, 0, 16);
  load.dilation_height = part(p.filterConfig, 40, 8);
  load.dilation_width = part(p.filterConfig, 32, 8);
  load.filter_height = part(p.filterConfig, 24, 8) + (p.filterSizeH ? 256U : 0U);
  load.filter_width = part(p.filterConfig, 16, 8) + (p.filterSizeW ? 256U : 0U);
  load.stride_height = part(p.filterConfig, 8, 8);
  load.stride_width = part(p.filterConfig, 0, 8);
  load.transposed = p.enTranspose ? 1 : 0;
  load.pad_value = registers.padding_value;
  return load;
}

template <typename T>
void fill(const LocalTensor<T>& dst, const InitConstValueParams<T>& p, const char* called,
          const void* site) {
  const aclsimOperand to = dst.aclsim_operand(ACLSIM_WRITES);
  const bool l0 = to.position == static_cast<uint8_t>(TPosition::A2) ||
                  to.position == static_cast<uint8_t>(TPosition::B2);
  const uint32_t block = l0 ? kFractal : aclsim_copy::kUnit;
  auto blocks = params_of<aclsimBlocks>(called);
  blocks.times = p.repeatTimes;
  blocks.bytes = p.blockNum * block;
  blocks.step = (int64_t{p.blockNum} + p.dstGap) * block;
  blocks.width = sizeof(T);
  std::memcpy(&blocks.value, &p.initValue, sizeof(T));
  issue(ACLSIM_CUBE_BLOCKS, l0 ? PIPE_MTE1 : PIPE_MTE2, blocks, site, to);
}

/* The same from a word that has repeats, blocks and gaps, of 15 bits each. An element has the low
   bits of the value. */
template <typename T, typename V>
void fill_bits(const LocalTensor<T>& dst, V value, uint64_t config, const char* called,
               const void* site) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  if (bits >> (8 * sizeof(T)) != 0) {
    aclsimViolation("the value of a fill has more bits than an element; value", bits,
                    (uint64_t{1} << (8 * sizeof(T))) - 1, site);
  }
  const auto part = [&](unsigned at) { return static_cast<uint16_t>(config >> at & 0x7FFF); };
  InitConstValueParams<T> params(part(0), part(16), part(32), T(0));
  std::memcpy(&params.initValue, &bits, sizeof(T));
  fill(dst, params, called, site);
}

/* The source has columns of `pitch` bytes and matrices that are `matrix` bytes apart. */
inline void columns(const aclsimOperand& to, const aclsimOperand& from, const Dn2NzParams& p,
                    uint32_t width, int64_t pitch, int64_t matrix, const void* site) {
  auto load = params_of<aclsimColumns>("DataCopy");
  load.bytes = width;
  load.matrices = p.dnNum;
  load.rows = p.nValue;
  load.cols = p.dValue;
  load.from_matrix = matrix;
  load.from_col = pitch;
  load.to_matrix = int64_t{p.dstNzMatrixStride} * width;
  load.to_row = int64_t{p.dstNzNStride} * aclsim_copy::kUnit;
  load.to_block = int64_t{p.dstNzC0Stride} * aclsim_copy::kUnit;
  issue(ACLSIM_CUBE_COLUMNS, PIPE_MTE2, load, site, to, from);
}
inline void columns(const aclsimOperand& to, const aclsimOperand& from, const Dn2NzParams& p,
                    uint32_t width, const void* site) {
  columns(to, from, p, width, static_cast<int64_t>(p.srcDValue * width),
          static_cast<int64_t>(p.srcDnMatrixStride * width), site);
}

/* Into the bias table, with a conversion. blockLen counts the bytes of the source. */
inline void bias(const aclsimOperand& to, const aclsimOperand& from, const DataCopyParams& p,
                 uint32_t width, uint32_t to_width, const void* site) {
  const int64_t unit = aclsim_copy::unit_of(TPosition::C2);
  auto copy = params_of<aclsimBias>("DataCopy");
  copy.blocks = p.blockCount;
  copy.count = static_cast<uint32_t>(p.blockLen * unit / width);
  copy.from_step = p.blockLen * unit + p.srcGap * int64_t{aclsim_copy::kUnit};
  copy.to_step = int64_t{copy.count} * to_width + p.dstGap * unit;
  issue(ACLSIM_CUBE_BIAS, PIPE_MTE1, copy, site, to, from);
}

}  // namespace aclsim_cube

#define ACLSIM_TO dst.aclsim_operand(ACLSIM_WRITES)
#define ACLSIM_FROM src.aclsim_operand(ACLSIM_READS)

template <typename T>
ACLSIM_API void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                         const LoadData2DParams& loadDataParams) {
  aclsim_cube::load_2d(ACLSIM_TO, ACLSIM_FROM, loadDataParams, aclsim_cube::kBits<T>, ACLSIM_SITE);
}
template <typename T>
ACLSIM_API void LoadData(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                         const LoadData2DParams& loadDataParams) {
  if (loadDataParams.ifTranspose) {
    aclsimViolation("LoadData from global memory has no ifTranspose", 1, 0, ACLSIM_SITE);
  }
  aclsim_cube::load_2d(ACLSIM_TO, ACLSIM_FROM, loadDataParams, aclsim_cube::kBits<T>, ACLSIM_SITE);
}
template <typename T>
ACLSIM_API void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                         const LoadData2DParamsV2& loadDataParams) {
  aclsim_cube::load_2d(ACLSIM_TO, ACLSIM_FROM, loadDataParams, aclsim_cube::kBits<T>, ACLSIM_SITE);
}
template <typename T, const IsResetLoad3dConfig& defaultConfig = IS_RESER_LOAD3D_DEFAULT_CONFIG,
          typename U = T>
ACLSIM_API void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                         const LoadData3DParamsV2<U>& loadDataParams) {
  aclsimImage load = aclsim_cube::image_of(loadDataParams, defaultConfig, "LoadData");
  aclsim_cube::load_image(ACLSIM_TO, ACLSIM_FROM, load, aclsim_cube::kBits<T>, ACLSIM_SITE);
}
template <typename T>
ACLSIM_API void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                         const LoadData3DParamsV2Pro& loadDataParams) {
  aclsimImage load = aclsim_cube::image_of(loadDataParams, "LoadData");
  aclsim_cube::load_image(ACLSIM_TO, ACLSIM_FROM, load, aclsim_cube::kBits<T>, ACLSIM_SITE);
}
#if ACLSIM_NPU_ARCH == 3510
/* A matrix of 4 or 8 bits, and its scales. */
template <typename T, typename U>
ACLSIM_API void LoadData(const LocalTensor<U>& dst, const LocalTensor<T>& src,
                         const LocalTensor<fp8_e8m0_t>& srcMx,
                         const LoadData2DParamsV2& loadDataParams,
                         const LoadData2DMxParams& loadMxDataParams) {
  static_assert(sizeof(T) == 1 && sizeof(U) == 1,
                "AscendC::LoadData with scales: the types are none of fp4x2_e2m1_t, fp4x2_e1m2_t, "
                "fp8_e4m3fn_t, fp8_e5m2_t");
  aclsim_cube::load_2d(ACLSIM_TO, ACLSIM_FROM, loadDataParams, aclsim_cube::kBits<T>, ACLSIM_SITE);
  aclsim_cube::load_scales(ACLSIM_TO, srcMx.aclsim_operand(ACLSIM_READS), loadMxDataParams,
                           ACLSIM_SITE);
}
template <typename T, const IsResetLoad3dConfig& defaultConfig = IS_RESER_LOAD3D_DEFAULT_CONFIG,
          typename U = T>
ACLSIM_API void LoadDataWithStride(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                   const LoadData3DParamsV2<U>& loadDataParams) {
  aclsimImage load = aclsim_cube::image_of(loadDataParams, defaultConfig, "LoadDataWithStride");
  aclsim_cube::load_image(ACLSIM_TO, ACLSIM_FROM, load, aclsim_cube::kBits<T>, ACLSIM_SITE);
}
#endif
template <typename T>
ACLSIM_API void LoadDataWithTranspose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                      const LoadData2dTransposeParams& loadDataParams) {
  aclsim_cube::load_transposed(ACLSIM_TO, ACLSIM_FROM, loadDataParams, aclsim_cube::kBits<T>,
                               ACLSIM_SITE);
}
template <typename T>
ACLSIM_API void LoadDataWithTranspose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                      const LoadData2dTransposeParamsV2& loadDataParams) {
  aclsim_cube::load_transposed(ACLSIM_TO, ACLSIM_FROM, loadDataParams, aclsim_cube::kBits<T>,
                               ACLSIM_SITE);
}

#if ACLSIM_NPU_ARCH != 3510
/* Fractals of B with 2 of 4 numbers along the depth, and their index: no strides. */
template <typename T = int8_t, typename U = uint8_t>
ACLSIM_API void LoadDataWithSparse(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                   const LocalTensor<U>& idx,
                                   const LoadData2DParams& loadDataParam) {
  static_assert(std::is_same_v<T, int8_t> && std::is_same_v<U, uint8_t>,
                "AscendC::LoadDataWithSparse: the types of dst and idx are not int8_t and uint8_t");
  const LoadData2DParams all(loadDataParam.startIndex, loadDataParam.repeatTimes, 1, 0, 0, false,
                             0);
  aclsim_cube::load_2d(ACLSIM_TO, ACLSIM_FROM, all, aclsim_cube::kBits<T>, ACLSIM_SITE);
  aclsim_cube::load_index(ACLSIM_TO, idx.aclsim_operand(ACLSIM_READS), all, ACLSIM_SITE);
}
#endif

template <typename T>
ACLSIM_API void Fill(const LocalTensor<T>& dst,
                     const InitConstValueParams<T>& initConstValueParams) {
  aclsim_cube::fill(dst, initConstValueParams, "Fill", ACLSIM_SITE);
}
/* The older name. */
template <typename T>
ACLSIM_API void InitConstValue(const LocalTensor<T>& dst,
                               const InitConstValueParams<T>& initConstValueParams) {
  aclsim_cube::fill(dst, initConstValueParams, "InitConstValue", ACLSIM_SITE);
}
/* Other element types on both sides: bytes are moved, and only the bias table converts. */
template <typename T, typename U, std::enable_if_t<!std::is_same_v<T, U>, int> = 0>
ACLSIM_API void DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                         const DataCopyParams& repeatParams) {
  if (sizeof(T) != sizeof(U) && dst.GetPosition() == static_cast<int32_t>(TPosition::C2)) {
    return aclsim_cube::bias(ACLSIM_TO, ACLSIM_FROM, repeatParams, sizeof(U), sizeof(T),
                             ACLSIM_SITE);
  }
  aclsim_copy::blocks(ACLSIM_TO, ACLSIM_FROM, repeatParams, ACLSIM_SITE);
}
template <typename T>
ACLSIM_API void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                         const Dn2NzParams& intriParams) {
  aclsim_cube::columns(ACLSIM_TO, ACLSIM_FROM, intriParams, sizeof(T), ACLSIM_SITE);
}
#undef ACLSIM_TO
#undef ACLSIM_FROM

/* ---- registers of LoadData with LoadData3DParamsV2 ---- */

inline void SetFmatrix(uint16_t l1H, uint16_t l1W, const uint8_t padList[4],
                       const FmatrixMode& fmatrixMode) {
  aclsimCubeRegisters& registers = *aclsimCubeRegistersOfCore();
  const auto side = static_cast<unsigned>(fmatrixMode);
  registers.image_height[side] = l1H;
  registers.image_width[side] = l1W;
  for (unsigned i = 0; i < 4; ++i) registers.image_pad[side][i] = padList[i];
}
template <typename T>
void SetLoadDataPaddingValue(const T padValue) {
  aclsimCubeRegisters& registers = *aclsimCubeRegistersOfCore();
  registers.padding_value = 0;
  std::memcpy(&registers.padding_value, &padValue, sizeof padValue);
}
/* Older names, of the left feature map. */
inline void Load3DSetFMatrixCal(uint16_t l1H, uint16_t l1W, const uint8_t padList[4]) {
  SetFmatrix(l1H, l1W, padList, FmatrixMode::FMATRIX_LEFT);
}
template <typename T>
void Load3DSetPaddingCal(const T padValue) {
  SetLoadDataPaddingValue(padValue);
}
/* The bytes of L1 that feature maps use in a circle; 0: all. */
inline void SetLoadDataBoundary(uint32_t boundaryValue) {
  aclsimCubeRegistersOfCore()->boundary = boundaryValue;
}
inline void SetLoadDataRepeat(const LoadDataRepeatParam& repeatParams) {
  aclsimCubeRegisters& registers = *aclsimCubeRegistersOfCore();
  registers.repeat_stride = repeatParams.repeatStride;
  registers.repeat_times = repeatParams.repeatTime;
  registers.repeat_mode = repeatParams.repeatMode;
  registers.dst_stride = repeatParams.dstStride;
}
inline void SetLoadDataRepeatWithStride(const LoadDataRepeatParamWithStride& repeatParams) {
  SetLoadDataRepeat({repeatParams.repeatStride, repeatParams.repeatTime, repeatParams.repeatMode,
                     repeatParams.dstStride});
}

}  // namespace AscendC

/* Fills blocks of 32 bytes of L1; bits of `config`: repeats 0 to 14, blocks 16 to 30, blocks
   between the repeats 32 to 46. */
ACLSIM_API inline void create_cbuf_matrix(__cbuf__ half* dst, int64_t config, uint32_t value) {
  AscendC::aclsim_cube::fill_bits(
      AscendC::LocalTensor<half>::aclsim_at(AscendC::TPosition::A1, dst), value,
      static_cast<uint64_t>(config), "create_cbuf_matrix", ACLSIM_SITE);
}

#endif /* ASCENDC_IMPL_CUBE_LOAD_H_ */
