/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products of tiles, the way of their results out of L0C, and the registers of both.
 */
#ifndef ASCENDC_IMPL_CUBE_UNIT_H_
#define ASCENDC_IMPL_CUBE_UNIT_H_

#include <cstdint>
#include <type_traits>

#include "ascendc/impl/cube_load.h"

namespace AscendC {
namespace aclsim_cube {

inline constexpr uint32_t kMantissaOfHf32 = ACLSIM_NPU_ARCH == 3510 ? 10 : 11;
inline constexpr int64_t kRowOfSums = 16 * 4; /* bytes of a row of a fractal of L0C */
/* FixpipeParamsV220 counts matrices of L0C in fractals, FixpipeParamsArch3510 in rows of them. */
inline constexpr int64_t kFractalOfSums = 16 * kRowOfSums;

/* Types of fewer than 16 bits beside integers. */
template <typename T>
inline constexpr bool kIsNarrow = aclsim_element::of<T> >= ACLSIM_FP8_E4M3FN;

inline aclsimMmad mmad_of(const MmadParams& p, const char* called) {
  auto mmad = params_of<aclsimMmad>(called);
  const aclsimCubeRegisters& registers = *aclsimCubeRegistersOfCore();
  mmad.rows = p.m;
  mmad.cols = p.n;
  mmad.depth = p.k;
  mmad.unit_flag = p.unitFlag;
  mmad.bands = kBands ? 1 : 0;
  mmad.vector = p.m == 1 && (kBands || !p.disableGemv) ? 1 : 0;
  mmad.wide_depth = p.kDirectionAlign ? 1 : 0;
  mmad.rounding = registers.hf32_mode != 0 ? registers.hf32 : std::uint32_t{ACLSIM_HF32_OFF};
  mmad.hf32_bits = kMantissaOfHf32;
  return mmad;
}

template <typename T, typename U, typename S>
void mmad(const LocalTensor<T>& dst, const LocalTensor<U>& fm, const LocalTensor<S>& filter,
          const MmadParams& p, const char* called, const void* site) {
  static_assert(ACLSIM_NPU_ARCH == 3510 || !kIsNarrow<U>,
                "AscendC::Mmad: this type of fm needs architecture 3510");
  aclsimMmad product = mmad_of(p, called);
  if (p.k != 0 && !p.isBias && !p.cmatrixInitVal && p.cmatrixSource) {
    const LocalTensor<T> bias(TPosition::C2, 0, p.n);
    product.start = ACLSIM_MMAD_BIAS;
    return issue(ACLSIM_CUBE_MMAD, PIPE_M, product, site, dst.aclsim_operand(ACLSIM_WRITES),
                 fm.aclsim_operand(ACLSIM_READS), filter.aclsim_operand(ACLSIM_READS),
                 bias.aclsim_operand(ACLSIM_READS));
  }
  product.start = p.isBias || !p.cmatrixInitVal ? ACLSIM_MMAD_ADD : ACLSIM_MMAD_ZERO;
  issue(ACLSIM_CUBE_MMAD, PIPE_M, product, site, dst.aclsim_operand(ACLSIM_WRITES),
        fm.aclsim_operand(ACLSIM_READS), filter.aclsim_operand(ACLSIM_READS));
}

/* The bias in the bias table, or sums of another tensor in L0C. */
template <typename T, typename U, typename S, typename V>
void mmad(const LocalTensor<T>& dst, const LocalTensor<U>& fm, const LocalTensor<S>& filter,
          const LocalTensor<V>& bias, const MmadParams& p, const char* called, const void* site) {
  static_assert(ACLSIM_NPU_ARCH == 3510 || !kIsNarrow<U>,
                "AscendC::Mmad: this type of fm needs architecture 3510");
  aclsimMmad product = mmad_of(p, called);
  product.start = ACLSIM_MMAD_BIAS;
  issue(ACLSIM_CUBE_MMAD, PIPE_M, product, site, dst.aclsim_operand(ACLSIM_WRITES),
        fm.aclsim_operand(ACLSIM_READS), filter.aclsim_operand(ACLSIM_READS),
        bias.aclsim_operand(ACLSIM_READS));
}

#if ACLSIM_NPU_ARCH == 3510
template <typename T, typename U, typename S>
void mmad_mx(const LocalTensor<T>& dst, const LocalTensor<U>& fm, const LocalTensor<S>& filter,
             const aclsimOperand& bias, aclsimMmad product, const void* site) {
  product.scaled = 1;
  const aclsimOperand a = fm.aclsim_operand(ACLSIM_READS), b = filter.aclsim_operand(ACLSIM_READS);
  const auto scales = [&](const aclsimOperand& matrix, uint32_t rows) {
    const uint64_t bytes = uint64_t{(rows + 15) / 16} * ((product.depth + 63) / 64) * 32;
    return scales_of(matrix, bytes, ACLSIM_READS, site);
  };
  issue(ACLSIM_CUBE_MMAD, PIPE_M, product, site, dst.aclsim_operand(ACLSIM_WRITES), a, b, bias,
        scales(a, product.rows), scales(b, product.cols));
}
#endif
#if ACLSIM_NPU_ARCH != 3510
template <typename T, typename U>
void mmad_sparse(const LocalTensor<T>& dst, const LocalTensor<U>& fm, const LocalTensor<U>& filter,
                 const MmadParams& p, const void* site) {
  aclsimMmad product = mmad_of(p, "MmadWithSparse");
  product.sparse = 1;
  product.vector = 0;
  aclsimOperand bias{};
  if (!p.isBias && !p.cmatrixInitVal && p.cmatrixSource) {
    product.start = ACLSIM_MMAD_BIAS;
    bias = LocalTensor<T>(TPosition::C2, 0, p.n).aclsim_operand(ACLSIM_READS);
  } else {
    product.start = p.isBias || !p.cmatrixInitVal ? ACLSIM_MMAD_ADD : ACLSIM_MMAD_ZERO;
  }
  const aclsimOperand b = filter.aclsim_operand(ACLSIM_READS);
  const uint64_t fractals = uint64_t{(p.n + 15U) / 16} * ((p.k / 2 + 31U) / 32);
  issue(ACLSIM_CUBE_MMAD, PIPE_M, product, site, dst.aclsim_operand(ACLSIM_WRITES),
        fm.aclsim_operand(ACLSIM_READS), b, bias, aclsimOperand{},
        index_of(b, fractals * kFractal / 4, ACLSIM_READS, site));
}
#endif

/* The members that all parameters of Fixpipe have. */
template <typename Params>
aclsimFixpipe common_of(const Params& p, const char* called) {
  auto fixpipe = params_of<aclsimFixpipe>(called);
  fixpipe.rows = p.mSize;
  fixpipe.cols = p.nSize;
  fixpipe.matrices = 1;
  fixpipe.src_stride = p.srcStride * kRowOfSums;
  fixpipe.src_row = kRowOfSums;
  fixpipe.quant = p.quantPre;
  fixpipe.unit_flag = p.unitFlag;
  return fixpipe;
}

template <typename T>
aclsimFixpipe fixpipe_of(const FixpipeParamsV220& p, CO2Layout format) {
  aclsimFixpipe fixpipe = common_of(p, "Fixpipe");
  constexpr int64_t kBytes = sizeof(T);
  fixpipe.layout = static_cast<uint32_t>(format);
  fixpipe.scale = p.deqScalar;
  fixpipe.relu = p.reluEn ? 1 : 0;
  fixpipe.split = p.isChannelSplit ? 1 : 0;
  fixpipe.dst_stride =
      p.dstStride * (format == CO2Layout::NZ ? int64_t{aclsim_copy::kUnit} : kBytes);
  if (format == CO2Layout::ROW_MAJOR) {
    fixpipe.matrices = p.ndNum;
    fixpipe.src_matrix = p.srcNdStride * kFractalOfSums;
    fixpipe.dst_matrix = p.dstNdStride * kBytes;
  }
  return fixpipe;
}
template <typename T, CO2Layout format>
aclsimFixpipe fixpipe_of(const FixpipeParamsArch3510<format>& p, CO2Layout) {
  aclsimFixpipe fixpipe = common_of(p, "Fixpipe");
  constexpr int64_t kBytes = sizeof(T);
  fixpipe.layout = static_cast<uint32_t>(format);
  fixpipe.scale = p.deqScalar;
  fixpipe.relu = p.reluEn || p.preReluMode == ReluMode::NORMAL_RELU ? 1 : 0;
  fixpipe.split = p.isChannelSplit ? 1 : 0;
  fixpipe.dual = p.dualDstCtl;
  fixpipe.sub_block = p.dualDstCtl == 0 && p.subBlockId ? 1 : 0;
  fixpipe.dst_stride = p.dstStride * kBytes;
  if constexpr (format == CO2Layout::ROW_MAJOR) {
    fixpipe.matrices = p.params.ndNum;
    fixpipe.src_matrix = p.params.srcNdStride * kRowOfSums;
    fixpipe.dst_matrix = p.params.dstNdStride * kBytes;
  } else if constexpr (format == CO2Layout::COLUMN_MAJOR) {
    fixpipe.matrices = p.params.dnNum;
    fixpipe.src_matrix = p.params.srcNzMatrixStride * kRowOfSums;
    fixpipe.dst_matrix = p.params.dstDnMatrixStride * kBytes;
    fixpipe.src_row = p.params.srcNzC0Stride * kRowOfSums;
  }
  return fixpipe;
}

/* Only the unified buffers of a group are two destinations: dualDstCtl has no effect on others. */
inline aclsimFixpipe for_destination(aclsimFixpipe fixpipe, const aclsimOperand& to) {
  const auto position = static_cast<TPosition>(to.position);
  if (position == TPosition::GM || position == TPosition::A1 || position == TPosition::B1 ||
      position == TPosition::C1 || position == TPosition::TSCM) {
    fixpipe.dual = ACLSIM_FIXPIPE_ONE;
  }
  return fixpipe;
}

/* Issues it with the parameters of the columns that SetFixPipeConfig has named. */
inline void issue_with_registers(const aclsimFixpipe& given, const aclsimOperand& to,
                                 const aclsimOperand& from, const void* site) {
  const aclsimFixpipe fixpipe = for_destination(given, to);
  const aclsimCubeRegisters& registers = *aclsimCubeRegistersOfCore();
  aclsimOperand parameters{};
  parameters.address = registers.quant_address;
  if (parameters.address == nullptr) {
    return issue(ACLSIM_CUBE_FIXPIPE, PIPE_FIX, fixpipe, site, to, from);
  }
  parameters.bytes = registers.quant_bytes;
  parameters.tensor = registers.quant_tensor;
  parameters.element = ACLSIM_UINT64;
  parameters.position = static_cast<uint8_t>(TPosition::C2PIPE2GM);
  parameters.access = ACLSIM_READS;
  issue(ACLSIM_CUBE_FIXPIPE, PIPE_FIX, fixpipe, site, to, from, parameters);
}

/* DataCopy out of L0C takes what FixpipeParamsV220 has beside it from the registers. */
template <typename T>
void copy_out(const aclsimOperand& to, const aclsimOperand& from, const DataCopyCO12DstParams& p,
              const void* site) {
  const aclsimCubeRegisters& registers = *aclsimCubeRegistersOfCore();
  aclsimFixpipe fixpipe = common_of(p, "DataCopy");
  constexpr int64_t kBytes = sizeof(T);
  fixpipe.layout = p.nz2ndEn ? ACLSIM_FIXPIPE_ROWS : ACLSIM_FIXPIPE_FRACTALS;
  fixpipe.scale = registers.pre_quant;
  fixpipe.relu = p.reluPre != 0 ? 1 : 0;
  fixpipe.split = p.channelSplit ? 1 : 0;
  fixpipe.dst_stride = p.dstStride * (p.nz2ndEn ? kBytes : int64_t{aclsim_copy::kUnit});
  if (p.nz2ndEn) {
    fixpipe.matrices = registers.nd_num;
    fixpipe.src_matrix = registers.src_nd_stride * (kBands ? kFractalOfSums : kRowOfSums);
    fixpipe.dst_matrix = registers.dst_nd_stride * kBytes;
  }
  issue_with_registers(fixpipe, to, from, site);
}

}  // namespace aclsim_cube

/* ---- products ---- */

template <typename T, typename U, typename S>
ACLSIM_API void Mmad(const LocalTensor<T>& dst, const LocalTensor<U>& fm,
                     const LocalTensor<S>& filter, const MmadParams& mmadParams) {
  aclsim_cube::mmad(dst, fm, filter, mmadParams, "Mmad", ACLSIM_SITE);
}
template <typename T, typename U, typename S, typename V>
ACLSIM_API void Mmad(const LocalTensor<T>& dst, const LocalTensor<U>& fm,
                     const LocalTensor<S>& filter, const LocalTensor<V>& bias,
                     const MmadParams& mmadParams) {
  aclsim_cube::mmad(dst, fm, filter, bias, mmadParams, "Mmad", ACLSIM_SITE);
}

#if ACLSIM_NPU_ARCH == 3510
/* 32 elements along the depth share a scale, which LoadData has loaded with them. */
template <typename T, typename U, typename S>
ACLSIM_API void MmadMx(const LocalTensor<T>& dst, const LocalTensor<U>& fm,
                       const LocalTensor<S>& filter, const MmadParams& mmadParams) {
  aclsimMmad product = aclsim_cube::mmad_of(mmadParams, "MmadMx");
  if (!mmadParams.cmatrixInitVal && mmadParams.cmatrixSource) {
    product.start = ACLSIM_MMAD_BIAS;
    const LocalTensor<T> bias(TPosition::C2, 0, mmadParams.n);
    return aclsim_cube::mmad_mx(dst, fm, filter, bias.aclsim_operand(ACLSIM_READS), product,
                                ACLSIM_SITE);
  }
  product.start = mmadParams.cmatrixInitVal ? ACLSIM_MMAD_ZERO : ACLSIM_MMAD_ADD;
  aclsim_cube::mmad_mx(dst, fm, filter, {}, product, ACLSIM_SITE);
}
template <typename T, typename U, typename S, typename V>
ACLSIM_API void MmadMx(const LocalTensor<T>& dst, const LocalTensor<U>& fm,
                       const LocalTensor<S>& filter, const LocalTensor<V>& bias,
                       const MmadParams& mmadParams) {
  aclsimMmad product = aclsim_cube::mmad_of(mmadParams, "MmadMx");
  product.start = ACLSIM_MMAD_BIAS;
  aclsim_cube::mmad_mx(dst, fm, filter, bias.aclsim_operand(ACLSIM_READS), product, ACLSIM_SITE);
}
#endif

#if ACLSIM_NPU_ARCH != 3510
/* B has 2 of 4 numbers along the depth, which LoadDataWithSparse has loaded with their index. k is
   the depth of A. */
template <typename T = int32_t, typename U = int8_t>
ACLSIM_API void MmadWithSparse(const LocalTensor<T>& dst, const LocalTensor<U>& fm,
                               const LocalTensor<U>& filter, const MmadParams& mmadParams) {
  static_assert(std::is_same_v<T, int32_t> && std::is_same_v<U, int8_t>,
                "AscendC::MmadWithSparse: the types of dst and fm are not int32_t and int8_t");
  aclsim_cube::mmad_sparse(dst, fm, filter, mmadParams, ACLSIM_SITE);
}
#endif

/* ---- results ---- */

#define ACLSIM_FIXPIPE(DST, PARAMS)                                                               \
  template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR>                  \
  ACLSIM_API void Fixpipe(const DST<T>& dst, const LocalTensor<U>& src,                           \
                          const PARAMS& intriParams) {                                            \
    aclsim_cube::issue_with_registers(aclsim_cube::fixpipe_of<T>(intriParams, config.format),     \
                                      dst.aclsim_operand(ACLSIM_WRITES),                          \
                                      src.aclsim_operand(ACLSIM_READS), ACLSIM_SITE);             \
  }                                                                                               \
  template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR, typename S>      \
  ACLSIM_API void Fixpipe(const DST<T>& dst, const LocalTensor<U>& src,                           \
                          const LocalTensor<S>& cbufWorkspace, const PARAMS& intriParams) {       \
    static_assert(sizeof(S) == sizeof(uint64_t),                                                  \
                  "AscendC::Fixpipe: cbufWorkspace has another type; expected uint64_t");         \
    const aclsimOperand to = dst.aclsim_operand(ACLSIM_WRITES);                                   \
    const aclsimFixpipe fixpipe =                                                                 \
        aclsim_cube::for_destination(aclsim_cube::fixpipe_of<T>(intriParams, config.format), to); \
    aclsim_cube::issue(ACLSIM_CUBE_FIXPIPE, PIPE_FIX, fixpipe, ACLSIM_SITE, to,                   \
                       src.aclsim_operand(ACLSIM_READS),                                          \
                       cbufWorkspace.aclsim_operand(ACLSIM_READS));                               \
  }
ACLSIM_FIXPIPE(GlobalTensor, FixpipeParamsV220)
ACLSIM_FIXPIPE(LocalTensor, FixpipeParamsV220)
#if ACLSIM_NPU_ARCH == 3510
ACLSIM_FIXPIPE(GlobalTensor, FixpipeParamsArch3510<config.format>)
ACLSIM_FIXPIPE(LocalTensor, FixpipeParamsArch3510<config.format>)
#endif
#undef ACLSIM_FIXPIPE

template <typename T, typename U>
ACLSIM_API void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<U>& src,
                         const DataCopyCO12DstParams& intriParams) {
  aclsim_cube::copy_out<T>(dst.aclsim_operand(ACLSIM_WRITES), src.aclsim_operand(ACLSIM_READS),
                           intriParams, ACLSIM_SITE);
}
template <typename T, typename U>
ACLSIM_API void DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                         const DataCopyCO12DstParams& intriParams) {
  aclsim_cube::copy_out<T>(dst.aclsim_operand(ACLSIM_WRITES), src.aclsim_operand(ACLSIM_READS),
                           intriParams, ACLSIM_SITE);
}

/* ---- registers ---- */

/* The parameters of the columns, in the fixpipe buffer. */
template <typename T, bool setRelu = false>
void SetFixPipeConfig(const LocalTensor<T>& preData, bool isUnitFlag = false) {
  static_assert(!setRelu, "AscendC::SetFixPipeConfig: setRelu is not emulated");
  (void)isUnitFlag;
  const aclsimOperand operand = preData.aclsim_operand(ACLSIM_READS);
  aclsimCubeRegisters& registers = *aclsimCubeRegistersOfCore();
  registers.quant_address = operand.address;
  registers.quant_bytes = operand.bytes;
  registers.quant_tensor = operand.tensor;
}
inline void SetFixpipeNz2ndFlag(uint16_t ndNum, uint16_t srcNdStride, uint32_t dstNdStride) {
  aclsimCubeRegisters& registers = *aclsimCubeRegistersOfCore();
  registers.nd_num = ndNum;
  registers.src_nd_stride = srcNdStride;
  registers.dst_nd_stride = dstNdStride;
}
inline void SetFixpipePreQuantFlag(uint64_t config) {
  aclsimCubeRegistersOfCore()->pre_quant = config;
}
inline void SetHF32Mode(bool hf32Mode) {
  aclsimCubeRegisters& registers = *aclsimCubeRegistersOfCore();
  registers.hf32_mode = hf32Mode ? 1 : 0;
  if (registers.hf32 == ACLSIM_HF32_OFF) registers.hf32 = ACLSIM_HF32_NEAREST_EVEN;
}
inline void SetHF32Mode(HF32Mode mode) { SetHF32Mode(mode == HF32Mode::ENABLE); }
inline void SetHF32TransMode(HF32TransMode mode) {
  aclsimCubeRegistersOfCore()->hf32 =
      mode == HF32TransMode::NEAREST_ZERO ? ACLSIM_HF32_NEAREST_ZERO : ACLSIM_HF32_NEAREST_EVEN;
}
/* True: to nearest, ties to zero. */
inline void SetHF32TransMode(bool hf32TransMode) {
  SetHF32TransMode(hf32TransMode ? HF32TransMode::NEAREST_ZERO : HF32TransMode::NEAREST_EVEN);
}
/* The order in which the unit makes results, which changes none. */
inline void SetMMRowMajor() {}
inline void SetMMColumnMajor() {}
inline void SetMMLayoutTransform(bool) {}

}  // namespace AscendC

#endif /* ASCENDC_IMPL_CUBE_UNIT_H_ */
