/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DataCopy and DataCopyPad: each form as rows of bytes (aclsimMove), which the core checks and
 * copies.
 */
#ifndef ASCENDC_IMPL_COPY_H_
#define ASCENDC_IMPL_COPY_H_

#include <cstddef>
#include <cstring>

#include "ascendc/impl/limit_rows.h"
#include "ascendc/impl/opcodes.h"
#include "ascendc/impl/tensor.h"
#include "ascendc/impl/vector_issue.h"

enum class pad_t : uint8_t {
  PAD_NONE = 0,
  PAD_MODE1,
  PAD_MODE2,
  PAD_MODE3,
  PAD_MODE4,
  PAD_MODE5,
  PAD_MODE6,
  PAD_MODE7,
  PAD_MODE8
};

namespace AscendC {

/* blockLen: units of 32 bytes for DataCopy, bytes for DataCopyPad; gaps from the end of a block to
   the start of the next, in units of 32 bytes (on the side of global memory of DataCopyPad: bytes).
 */
struct DataCopyParams {
  DataCopyParams() = default;
  DataCopyParams(const uint16_t count, const uint16_t len, const uint16_t srcStrideIn,
                 const uint16_t dstStrideIn)
      : blockCount(count), blockLen(len), srcGap(srcStrideIn), dstGap(dstStrideIn) {}
  uint16_t blockCount = DEFAULT_DATA_COPY_NBURST;
  uint16_t blockLen = 0;
  union {
    uint16_t srcGap = DEFAULT_DATA_COPY_STRIDE;
    uint16_t srcStride;
  };
  union {
    uint16_t dstGap = DEFAULT_DATA_COPY_STRIDE;
    uint16_t dstStride;
  };
};

struct DataCopyEnhancedParams {
  DataCopyEnhancedParams() = default;
  BlockMode blockMode = BlockMode::BLOCK_MODE_NORMAL;
  DeqScale deqScale = DeqScale::DEQ_NONE;
  uint64_t deqValue = 0;
  uint8_t sidStoreMode = 0;
  bool isRelu = false;
  pad_t padMode = pad_t::PAD_NONE;
  uint64_t padValue = 0;
  uint64_t deqTensorAddr = 0;
};

struct DataCopyPadParams {
  DataCopyPadParams() = default;
  DataCopyPadParams(const bool isPadValue, const uint8_t leftPadValue, const uint8_t rightPadValue,
                    const uint64_t padValue)
      : isPad(isPadValue),
        leftPadding(leftPadValue),
        rightPadding(rightPadValue),
        paddingValue(padValue) {}
  bool isPad = false;
  uint8_t leftPadding = 0;
  uint8_t rightPadding = 0;
  uint64_t paddingValue = 0;
};

#if ACLSIM_NPU_ARCH == 3510
using aclsimGap = int64_t;
#else
using aclsimGap = uint32_t;
#endif

struct DataCopyExtParams {
  DataCopyExtParams() = default;
  DataCopyExtParams(const uint16_t count, const uint32_t len, const aclsimGap srcStrideIn,
                    const aclsimGap dstStrideIn, const uint32_t rsvIn)
      : blockCount(count),
        blockLen(len),
        srcStride(srcStrideIn),
        dstStride(dstStrideIn),
        rsv(rsvIn) {}
  uint16_t blockCount = DEFAULT_DATA_COPY_NBURST;
  uint32_t blockLen = 0; /* bytes */
  aclsimGap srcStride = DEFAULT_DATA_COPY_STRIDE;
  aclsimGap dstStride = DEFAULT_DATA_COPY_STRIDE;
  uint32_t rsv = 0;
};

template <typename T>
struct DataCopyPadExtParams {
  DataCopyPadExtParams() = default;
  DataCopyPadExtParams(const bool isPadValue, const uint8_t leftPadValue,
                       const uint8_t rightPadValue, T padValue)
      : isPad(isPadValue),
        leftPadding(leftPadValue),
        rightPadding(rightPadValue),
        paddingValue(padValue) {}
  bool isPad = false;
  uint8_t leftPadding = 0; /* elements */
  uint8_t rightPadding = 0;
  T paddingValue = T(0);
};

#if ACLSIM_NPU_ARCH == 3510
using aclsimWide16 = uint32_t;
using aclsimWide64 = uint64_t;
#else
using aclsimWide16 = uint16_t;
using aclsimWide64 = uint16_t;
#endif

/* Matrices of rows; strides of the source in elements, of the destination in units of 32 bytes. */
struct Nd2NzParams {
  Nd2NzParams() = default;
  Nd2NzParams(const uint16_t ndNumIn, const uint16_t nValueIn, const aclsimWide16 dValueIn,
              const aclsimWide64 srcNdMatrixStrideIn, const aclsimWide64 srcDValueIn,
              const uint16_t dstNzC0StrideIn, const uint16_t dstNzNStrideIn,
              const aclsimWide16 dstNzMatrixStrideIn)
      : ndNum(ndNumIn),
        nValue(nValueIn),
        dValue(dValueIn),
        srcNdMatrixStride(srcNdMatrixStrideIn),
        srcDValue(srcDValueIn),
        dstNzC0Stride(dstNzC0StrideIn),
        dstNzNStride(dstNzNStrideIn),
        dstNzMatrixStride(dstNzMatrixStrideIn) {}
  uint16_t ndNum = 0;
  uint16_t nValue = 0;
  aclsimWide16 dValue = 0;
  aclsimWide64 srcNdMatrixStride = 0;
  aclsimWide64 srcDValue = 0;
  uint16_t dstNzC0Stride = 0;
  uint16_t dstNzNStride = 0;
  aclsimWide16 dstNzMatrixStride = 0;
};

struct Nz2NdParamsFull {
  Nz2NdParamsFull() = default;
  Nz2NdParamsFull(const uint16_t ndNumIn, const uint16_t nValueIn, const uint16_t dValueIn,
                  const uint16_t srcNdMatrixStrideIn, const uint16_t srcNStrideIn,
                  const uint16_t dstDStrideIn, const uint16_t dstNdMatrixStrideIn)
      : ndNum(ndNumIn),
        nValue(nValueIn),
        dValue(dValueIn),
        srcNdMatrixStride(srcNdMatrixStrideIn),
        srcNStride(srcNStrideIn),
        dstDStride(dstDStrideIn),
        dstNdMatrixStride(dstNdMatrixStrideIn) {}
  uint16_t ndNum = 1;
  uint16_t nValue = 0;
  uint16_t dValue = 0;
  uint16_t srcNdMatrixStride = 1;
  uint16_t srcNStride = 0;
  uint16_t dstDStride = 0;
  uint16_t dstNdMatrixStride = 1;
};

/* An axis of a slice: elements startIndex to endIndex; `burstLen` in units of 32 bytes of the last
   axis, `stride` elements between bursts. */
struct SliceInfo {
  SliceInfo() = default;
  SliceInfo(const uint32_t startIndexIn, const uint32_t endIndexIn, const uint32_t strideIn,
            const uint32_t burstLenIn, const uint32_t shapeValueIn = 0)
      : startIndex(startIndexIn),
        endIndex(endIndexIn),
        stride(strideIn),
        burstLen(burstLenIn),
        shapeValue(shapeValueIn) {}
  uint32_t startIndex = 0;
  uint32_t endIndex = ONE_BLK_SIZE - 1;
  uint32_t stride = 0;
  uint32_t burstLen = ONE_BLK_SIZE;
  uint32_t shapeValue = 0;
};

namespace aclsim_copy {

inline constexpr uint32_t kUnit = 32;

/* Which pipe moves bytes between two positions. */
constexpr pipe_t pipe_of(TPosition to, TPosition from) {
  const bool from_l1 = from == TPosition::A1 || from == TPosition::B1 || from == TPosition::C1 ||
                       from == TPosition::TSCM || from == TPosition::SPM;
  const bool to_l1 = to == TPosition::A1 || to == TPosition::B1 || to == TPosition::C1 ||
                     to == TPosition::TSCM || to == TPosition::SPM;
  if (from == TPosition::GM) return PIPE_MTE2;
  if (from == TPosition::CO1 || to == TPosition::C2PIPE2GM) return PIPE_FIX;
  if (to == TPosition::GM || (to_l1 && !from_l1)) return PIPE_MTE3;
  if (from_l1) return PIPE_MTE1;
  return PIPE_V;
}

inline void issue(uint16_t opcode, const aclsimMove& move, const aclsimOperand& to,
                  const aclsimOperand& from, uint32_t blocks, const void* site) {
  aclsimInstruction instruction; /* the operands that it has not stay as they are */
  std::memset(&instruction, 0, offsetof(aclsimInstruction, operand));
  instruction.size = sizeof instruction;
  instruction.opcode = opcode;
  instruction.pipe = static_cast<uint8_t>(
      pipe_of(static_cast<TPosition>(to.position), static_cast<TPosition>(from.position)));
  instruction.operands = 2;
  instruction.repeat = static_cast<uint16_t>(blocks);
  instruction.site = site;
  instruction.more = &move;
  instruction.operand[0] = to;
  instruction.operand[1] = from;
  aclsimIssue(&instruction);
}

inline aclsimMove one_row(uint64_t bytes) {
  aclsimMove move{};
  move.size = sizeof move;
  move.row = static_cast<uint32_t>(bytes);
  move.loops = 1;
  move.count[0] = 1;
  return move;
}

/* Bytes that blockLen and dstGap count: the bias table and the fixpipe buffer have larger units. */
constexpr uint32_t unit_of(TPosition to) {
  constexpr uint32_t kScale = ACLSIM_NPU_ARCH == 3510 ? 1 : 2;
  if (to == TPosition::C2) return kUnit * kScale;
  return to == TPosition::C2PIPE2GM ? 2 * kUnit * kScale : kUnit;
}

inline void blocks(const aclsimOperand& to, const aclsimOperand& from, const DataCopyParams& p,
                   const void* site, uint32_t sub_block = 0) {
  if (p.blockCount == 0 || p.blockLen == 0) return;
  const int64_t unit = unit_of(static_cast<TPosition>(to.position));
  const int64_t length = p.blockLen * unit;
  aclsimMove move = one_row(static_cast<uint64_t>(length));
  move.count[0] = p.blockCount;
  move.from_step[0] = length + p.srcGap * int64_t{kUnit};
  move.to_step[0] = length + p.dstGap * unit;
  move.sub_block = sub_block;
  issue(ACLSIM_MOVE_COPY, move, to, from, p.blockCount, site);
}

/* Lengths that are no multiple of 32 bytes are rounded down. That counts elements by their size,
   which is 1 of int4b_t too: 32 of them, which have 16 bytes, are a block, and so are 64. */
template <typename T>
void count(const aclsimOperand& to, const aclsimOperand& from, uint32_t elements, const void* site,
           uint32_t sub_block = 0) {
  constexpr uint32_t kPerByte = aclsim_element::per_byte<T>;
  const uint64_t whole = uint64_t{elements} * sizeof(T) / kUnit;
  const uint64_t bytes = (whole + kPerByte - 1) / kPerByte * kUnit;
  const uint64_t copied = bytes / sizeof(T) * kPerByte;
  if (elements == 0) return;
  aclsimMove move = one_row(bytes);
  if (copied < elements) move.dropped = static_cast<uint32_t>(elements - copied);
  move.sub_block = sub_block;
  issue(ACLSIM_MOVE_COPY, move, to, from, 1, site);
}

/* From global memory: each block is filled up to 32 bytes, or in a compact copy, whose blocks have
   no gaps and no padding between them, the last one. */
template <PaddingMode mode = PaddingMode::Normal, typename V>
void padded_in(const aclsimOperand& to, const aclsimOperand& from, uint32_t blocks, uint32_t bytes,
               int64_t from_gap, int64_t to_gap, bool pad, uint32_t left, uint32_t right, V value,
               uint32_t width, const void* site) {
  if (blocks == 0 || bytes == 0) return;
  aclsimMove move = one_row(bytes);
  const uint32_t asked = pad ? (left + right) * width : 0;
  constexpr uint32_t kMost = ACLSIM_MOST_PAD_SIDE;
  if (pad && (left * width > kMost || right * width > kMost)) {
    aclsimViolation("DataCopyPad: bytes of padding on one side",
                    (left > right ? left : right) * width, kMost, site);
  }
  constexpr bool kCompact = mode == PaddingMode::Compact;
  if (kCompact) {
    /* The next block overwrites the padding of a block that is not the last one. */
    move.padded = bytes + (kUnit - blocks * bytes % kUnit) % kUnit;
  } else {
    move.left = pad ? left * width : 0;
    move.padded = (bytes + asked + kUnit - 1) / kUnit * kUnit;
  }
  if (pad) {
    move.pad_bytes = width;
    move.pad_with_first = !kCompact && left == 0 && right == 0 ? 1 : 0;
    std::memcpy(&move.pad_value, &value, sizeof value < width ? sizeof value : width);
  }
  move.count[0] = blocks;
  move.from_step[0] = int64_t{bytes} + from_gap;
  move.to_step[0] = kCompact ? int64_t{bytes} : int64_t{move.padded} + to_gap * kUnit;
  issue(ACLSIM_MOVE_PADDED, move, to, from, blocks, site);
}

/* To global memory: exactly the bytes of each block. */
template <PaddingMode mode = PaddingMode::Normal>
void padded_out(const aclsimOperand& to, const aclsimOperand& from, uint32_t blocks, uint32_t bytes,
                int64_t from_gap, int64_t to_gap, const void* site) {
  if (blocks == 0 || bytes == 0) return;
  aclsimMove move = one_row(bytes);
  move.count[0] = blocks;
  move.from_step[0] = mode == PaddingMode::Compact
                          ? int64_t{bytes}
                          : int64_t{(bytes + kUnit - 1) / kUnit * kUnit} + from_gap * kUnit;
  move.to_step[0] = int64_t{bytes} + to_gap;
  issue(ACLSIM_MOVE_PADDED, move, to, from, blocks, site);
}

/* Rows become columns of blocks of 32 bytes; the last block of a row is filled with zeros. The
   source has rows of `pitch` bytes and matrices that are `matrix` bytes apart. */
inline void nd2nz(const aclsimOperand& to, const aclsimOperand& from, const Nd2NzParams& p,
                  uint32_t width, int64_t pitch, int64_t matrix, const void* site) {
  if (p.ndNum == 0 || p.nValue == 0 || p.dValue == 0) return;
  const uint32_t row = static_cast<uint32_t>(p.dValue) * width;
  aclsimMove move = one_row(kUnit);
  move.tail = row % kUnit == 0 ? kUnit : row % kUnit;
  if (move.tail != kUnit) {
    move.padded = kUnit;
    move.pad_bytes = 1;
  }
  move.loops = 3;
  move.count[0] = p.ndNum;
  move.from_step[0] = matrix;
  move.to_step[0] = static_cast<int64_t>(p.dstNzMatrixStride) * width;
  move.count[1] = p.nValue;
  move.from_step[1] = pitch;
  move.to_step[1] = int64_t{p.dstNzNStride} * kUnit;
  move.count[2] = (row + kUnit - 1) / kUnit;
  move.from_step[2] = kUnit;
  move.to_step[2] = int64_t{p.dstNzC0Stride} * kUnit;
  issue(ACLSIM_MOVE_COPY, move, to, from, p.ndNum, site);
}

inline void nd2nz(const aclsimOperand& to, const aclsimOperand& from, const Nd2NzParams& p,
                  uint32_t width, const void* site) {
  nd2nz(to, from, p, width, static_cast<int64_t>(p.srcDValue) * width,
        static_cast<int64_t>(p.srcNdMatrixStride) * width, site);
}

/* Hardware does this in two steps: it writes the blocks as DataCopyPad does, and reads the result
   as matrices. Here it is one step, which requires that each row starts a block. */
inline void padded_nd2nz(const aclsimOperand& to, const aclsimOperand& from, uint32_t blocks,
                         uint32_t bytes, int64_t from_gap, int64_t to_gap, const Nd2NzParams& p,
                         uint32_t width, const void* site) {
  const int64_t between = int64_t{bytes} + to_gap;
  const int64_t matrix = static_cast<int64_t>(p.srcNdMatrixStride) * width;
  const int64_t rows = between == 0 ? 0 : matrix / between;
  const int64_t last = (p.ndNum == 0 ? 0 : p.ndNum - 1) * rows + p.nValue;
  if (static_cast<int64_t>(p.srcDValue) * width != between ||
      matrix % (between == 0 ? 1 : between) != 0) {
    aclsimViolation(
        "DataCopyPad with Nd2NzParams: srcDValue and srcNdMatrixStride have to count whole blocks",
        0, 0, site);
  }
  if (static_cast<uint64_t>(p.dValue) * width > bytes) {
    aclsimViolation("DataCopyPad with Nd2NzParams: bytes of dValue",
                    static_cast<uint64_t>(p.dValue) * width, bytes, site);
  }
  if (last > int64_t{blocks}) {
    aclsimViolation("DataCopyPad with Nd2NzParams: rows", static_cast<uint64_t>(last), blocks,
                    site);
  }
  const int64_t pitch = (int64_t{bytes} + kUnit - 1) / kUnit * kUnit + from_gap * kUnit;
  nd2nz(to, from, p, width, pitch, rows * pitch, site);
}

/* The other way: blocks of 16 elements, in columns of srcNStride rows, become rows. */
inline void nz2nd(const aclsimOperand& to, const aclsimOperand& from, const Nz2NdParamsFull& p,
                  uint32_t width, const void* site) {
  if (p.ndNum == 0 || p.nValue == 0 || p.dValue == 0) return;
  constexpr uint32_t kC0 = 16;
  aclsimMove move = one_row(uint64_t{kC0} * width);
  const uint32_t rest = p.dValue % kC0;
  move.tail = (rest == 0 ? kC0 : rest) * width;
  move.loops = 3;
  move.count[0] = p.ndNum;
  move.from_step[0] = int64_t{p.srcNdMatrixStride} * kC0 * kC0 * width;
  move.to_step[0] = int64_t{p.dstNdMatrixStride} * width;
  move.count[1] = p.nValue;
  move.from_step[1] = int64_t{kC0} * width;
  move.to_step[1] = int64_t{p.dstDStride} * width;
  move.count[2] = (p.dValue + kC0 - 1) / kC0;
  move.from_step[2] = int64_t{p.srcNStride} * kC0 * width;
  move.to_step[2] = int64_t{kC0} * width;
  issue(ACLSIM_MOVE_COPY, move, to, from, p.ndNum, site);
}

/* One side of a slice: where its first element is, and the steps of its loops, the last axis first.
 */
inline void slice_loops(const SliceInfo info[], uint32_t dims, uint32_t width, uint32_t counts[],
                        int64_t steps[], uint64_t& first, const void* site) {
  uint64_t pitch = width;
  first = 0;
  for (uint32_t i = 0; i < dims; ++i) {
    const SliceInfo& axis = info[i];
    if (axis.startIndex > axis.endIndex) {
      aclsimViolation("DataCopy: startIndex of a slice, with endIndex as the most", axis.startIndex,
                      axis.endIndex, site);
    }
    const uint64_t burst = i == 0 ? uint64_t{axis.burstLen} * kUnit / width : axis.burstLen;
    const uint64_t step = burst + axis.stride;
    const uint64_t length = uint64_t{axis.endIndex} - axis.startIndex + 1;
    counts[i] = static_cast<uint32_t>(step == 0 ? 1 : (length + axis.stride) / step);
    steps[i] = static_cast<int64_t>(step * pitch);
    first += axis.startIndex * pitch;
    pitch *= axis.shapeValue;
  }
}

inline void slices(aclsimOperand to, aclsimOperand from, const SliceInfo to_info[],
                   const SliceInfo from_info[], uint32_t dims, uint32_t width, const void* site) {
  uint32_t to_count[ACLSIM_MOVE_LOOPS];
  uint32_t from_count[ACLSIM_MOVE_LOOPS];
  int64_t to_step[ACLSIM_MOVE_LOOPS];
  int64_t from_step[ACLSIM_MOVE_LOOPS];
  uint64_t to_first = 0;
  uint64_t from_first = 0;
  if (dims < ACLSIM_LEAST_SLICE_AXES || dims > ACLSIM_MOST_SLICE_AXES) {
    return aclsimViolation("DataCopy: dimValue is out of range, of the axes of a slice", dims,
                           ACLSIM_MOST_SLICE_AXES, site);
  }
  slice_loops(to_info, dims, width, to_count, to_step, to_first, site);
  slice_loops(from_info, dims, width, from_count, from_step, from_first, site);
  bool same = to_info[0].burstLen == from_info[0].burstLen;
  for (uint32_t i = 0; i < dims; ++i) same = same && to_count[i] == from_count[i];
  if (!same)
    aclsimViolation("DataCopy: the bursts of both slices differ in length or number", 0, 0, site);
  aclsimMove move = one_row(uint64_t{from_info[0].burstLen} * kUnit);
  move.loops = dims;
  for (uint32_t i = 0; i < dims; ++i) {
    move.count[dims - 1 - i] = from_count[i];
    move.from_step[dims - 1 - i] = from_step[i];
    move.to_step[dims - 1 - i] = to_step[i];
  }
  const auto shift = [](aclsimOperand& operand, uint64_t bytes) {
    operand.address = static_cast<uint8_t*>(operand.address) + bytes;
    operand.bytes = aclsim_left_behind(operand.bytes, bytes);
  };
  shift(to, to_first);
  shift(from, from_first);
  issue(ACLSIM_MOVE_COPY, move, to, from, 1, site);
}

}  // namespace aclsim_copy

#define ACLSIM_TO dst.aclsim_operand(ACLSIM_WRITES)
#define ACLSIM_FROM src.aclsim_operand(ACLSIM_READS)
/* The three directions of one form. */
#define ACLSIM_COPY(DST, SRC, PARAMS, BODY)                                \
  template <typename T>                                                    \
  ACLSIM_API void DataCopy(const DST<T>& dst, const SRC<T>& src, PARAMS) { \
    BODY;                                                                  \
  }

ACLSIM_COPY(LocalTensor, GlobalTensor, const DataCopyParams& repeatParams,
            aclsim_copy::blocks(ACLSIM_TO, ACLSIM_FROM, repeatParams, ACLSIM_SITE))
ACLSIM_COPY(GlobalTensor, LocalTensor, const DataCopyParams& repeatParams,
            aclsim_copy::blocks(ACLSIM_TO, ACLSIM_FROM, repeatParams, ACLSIM_SITE))
ACLSIM_COPY(LocalTensor, LocalTensor, const DataCopyParams& repeatParams,
            aclsim_copy::blocks(ACLSIM_TO, ACLSIM_FROM, repeatParams, ACLSIM_SITE))
ACLSIM_COPY(LocalTensor, GlobalTensor, const uint32_t count,
            aclsim_copy::count<T>(ACLSIM_TO, ACLSIM_FROM, count, ACLSIM_SITE))
ACLSIM_COPY(GlobalTensor, LocalTensor, const uint32_t count,
            aclsim_copy::count<T>(ACLSIM_TO, ACLSIM_FROM, count, ACLSIM_SITE))
ACLSIM_COPY(LocalTensor, LocalTensor, const uint32_t count,
            aclsim_copy::count<T>(ACLSIM_TO, ACLSIM_FROM, count, ACLSIM_SITE))
ACLSIM_COPY(LocalTensor, GlobalTensor, const Nd2NzParams& intriParams,
            aclsim_copy::nd2nz(ACLSIM_TO, ACLSIM_FROM, intriParams, sizeof(T), ACLSIM_SITE))
ACLSIM_COPY(LocalTensor, LocalTensor, const Nd2NzParams& intriParams,
            aclsim_copy::nd2nz(ACLSIM_TO, ACLSIM_FROM, intriParams, sizeof(T), ACLSIM_SITE))
ACLSIM_COPY(GlobalTensor, LocalTensor, const Nz2NdParamsFull& intriParams,
            aclsim_copy::nz2nd(ACLSIM_TO, ACLSIM_FROM, intriParams, sizeof(T), ACLSIM_SITE))
#undef ACLSIM_COPY

#if ACLSIM_NPU_ARCH == 3510
/* A cube core copies from L1 into the unified buffer of a vector core of its group. */
template <typename T, uint8_t subBlockId = 0>
ACLSIM_API void DataCopyL1ToUB(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                               const uint32_t count) {
  static_assert(subBlockId < 2, "AscendC::DataCopyL1ToUB: subBlockId is 0 or 1");
  aclsim_copy::count<T>(ACLSIM_TO, ACLSIM_FROM, count, ACLSIM_SITE, subBlockId);
}
template <typename T, uint8_t subBlockId = 0>
ACLSIM_API void DataCopyL1ToUB(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                               const DataCopyParams& repeatParams) {
  static_assert(subBlockId < 2, "AscendC::DataCopyL1ToUB: subBlockId is 0 or 1");
  aclsim_copy::blocks(ACLSIM_TO, ACLSIM_FROM, repeatParams, ACLSIM_SITE, subBlockId);
}
#endif

template <typename T>
ACLSIM_API void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                         const SliceInfo dstSliceInfo[], const SliceInfo srcSliceInfo[],
                         const uint32_t dimValue = 1) {
  aclsim_copy::slices(ACLSIM_TO, ACLSIM_FROM, dstSliceInfo, srcSliceInfo, dimValue, sizeof(T),
                      ACLSIM_SITE);
}
template <typename T>
ACLSIM_API void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                         const SliceInfo dstSliceInfo[], const SliceInfo srcSliceInfo[],
                         const uint32_t dimValue = 1) {
  aclsim_copy::slices(ACLSIM_TO, ACLSIM_FROM, dstSliceInfo, srcSliceInfo, dimValue, sizeof(T),
                      ACLSIM_SITE);
}
#define ACLSIM_PADDING_MODE                                             \
  static_assert(mode == PaddingMode::Normal || ACLSIM_NPU_ARCH == 3510, \
                "AscendC::DataCopyPad: PaddingMode::Compact needs architecture 3510")

template <typename T, PaddingMode mode = PaddingMode::Normal>
ACLSIM_API void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                            const DataCopyParams& dataCopyParams,
                            const DataCopyPadParams& padParams) {
  ACLSIM_PADDING_MODE;
  aclsim_copy::padded_in<mode>(
      ACLSIM_TO, ACLSIM_FROM, dataCopyParams.blockCount, dataCopyParams.blockLen,
      dataCopyParams.srcGap, dataCopyParams.dstGap, padParams.isPad, padParams.leftPadding,
      padParams.rightPadding, padParams.paddingValue, sizeof(T), ACLSIM_SITE);
}
template <typename T, PaddingMode mode = PaddingMode::Normal>
ACLSIM_API void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                            const DataCopyParams& dataCopyParams) {
  ACLSIM_PADDING_MODE;
  aclsim_copy::padded_out<mode>(ACLSIM_TO, ACLSIM_FROM, dataCopyParams.blockCount,
                                dataCopyParams.blockLen, dataCopyParams.srcGap,
                                dataCopyParams.dstGap, ACLSIM_SITE);
}
#define ACLSIM_PAD_EXT                                                                        \
  aclsim_copy::padded_in<mode>(                                                               \
      ACLSIM_TO, ACLSIM_FROM, dataCopyParams.blockCount, dataCopyParams.blockLen,             \
      static_cast<int64_t>(dataCopyParams.srcStride),                                         \
      static_cast<int64_t>(dataCopyParams.dstStride), padParams.isPad, padParams.leftPadding, \
      padParams.rightPadding, padParams.paddingValue, sizeof(T), ACLSIM_SITE)
template <typename T, PaddingMode mode = PaddingMode::Normal>
ACLSIM_API void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                            const DataCopyExtParams& dataCopyParams,
                            const DataCopyPadExtParams<T>& padParams) {
  ACLSIM_PADDING_MODE;
  ACLSIM_PAD_EXT;
}
template <typename T, typename U, PaddingMode mode = PaddingMode::Normal,
          std::enable_if_t<!std::is_same_v<T, U>, int> = 0>
ACLSIM_API void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                            const DataCopyExtParams& dataCopyParams,
                            const DataCopyPadExtParams<U>& padParams) {
  ACLSIM_PADDING_MODE;
  ACLSIM_PAD_EXT;
}
#undef ACLSIM_PAD_EXT
template <typename T, PaddingMode mode = PaddingMode::Normal>
ACLSIM_API void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                            const DataCopyExtParams& dataCopyParams) {
  ACLSIM_PADDING_MODE;
  aclsim_copy::padded_out<mode>(ACLSIM_TO, ACLSIM_FROM, dataCopyParams.blockCount,
                                dataCopyParams.blockLen,
                                static_cast<int64_t>(dataCopyParams.srcStride),
                                static_cast<int64_t>(dataCopyParams.dstStride), ACLSIM_SITE);
}
template <typename T>
ACLSIM_API void DataCopyPad(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                            const DataCopyParams& dataCopyParams, const Nd2NzParams& nd2nzParams) {
  aclsim_copy::padded_nd2nz(ACLSIM_TO, ACLSIM_FROM, dataCopyParams.blockCount,
                            dataCopyParams.blockLen, dataCopyParams.srcGap, dataCopyParams.dstGap,
                            nd2nzParams, sizeof(T), ACLSIM_SITE);
}
template <typename T>
ACLSIM_API void DataCopyPad(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                            const DataCopyExtParams& dataCopyParams,
                            const Nd2NzParams& nd2nzParams) {
  aclsim_copy::padded_nd2nz(ACLSIM_TO, ACLSIM_FROM, dataCopyParams.blockCount,
                            dataCopyParams.blockLen, static_cast<int64_t>(dataCopyParams.srcStride),
                            static_cast<int64_t>(dataCopyParams.dstStride), nd2nzParams, sizeof(T),
                            ACLSIM_SITE);
}
#undef ACLSIM_PADDING_MODE
#undef ACLSIM_TO
#undef ACLSIM_FROM

template <typename T, TPosition pos = TPosition::MAX>
void SetPadValue(T paddingValue) {
  uint64_t bits = 0;
  std::memcpy(&bits, &paddingValue, sizeof paddingValue);
  aclsimSetPadValue(bits, sizeof paddingValue);
}

/* ---- atomic mode: how copies combine with the contents of global memory ---- */

template <typename T>
void SetAtomicAdd() {
  ACLSIM_TYPES_OF(SetAtomicAdd, T);
  aclsimSetAtomic(1, aclsim_element::of<T>);
}
template <typename T>
void SetAtomicMax() {
  ACLSIM_TYPES_OF(SetAtomicMax, T);
  aclsimSetAtomic(2, aclsim_element::of<T>);
}
template <typename T>
void SetAtomicMin() {
  ACLSIM_TYPES_OF(SetAtomicMin, T);
  aclsimSetAtomic(3, aclsim_element::of<T>);
}
template <typename T>
void SetAtomicType() {
  ACLSIM_TYPES_OF(SetAtomicType, T);
  aclsimSetAtomic(4, aclsim_element::of<T>);
}
inline void DisableDmaAtomic() { aclsimSetAtomic(0, 0); }
inline void SetAtomicNone() { aclsimSetAtomic(0, 0); }

}  // namespace AscendC

#endif /* ASCENDC_IMPL_COPY_H_ */
