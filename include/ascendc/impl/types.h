/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Enumerations, constants and short names that all of the kernel interface uses.
 */
#ifndef ASCENDC_IMPL_TYPES_H_
#define ASCENDC_IMPL_TYPES_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "ascendc/impl/data_format.h"
#include "ascendc/impl/half.h"
#include "ascendc/impl/qualifiers.h"

typedef enum {
  PIPE_S = 0,
  PIPE_V = 1,
  PIPE_M = 2,
  PIPE_MTE1 = 3,
  PIPE_MTE2 = 4,
  PIPE_MTE3 = 5,
  PIPE_ALL = 6,
  PIPE_MTE4 = 7,
  PIPE_MTE5 = 8,
  PIPE_V2 = 9,
  PIPE_FIX = 10
} pipe_t;

typedef enum {
  EVENT_ID0 = 0,
  EVENT_ID1,
  EVENT_ID2,
  EVENT_ID3,
  EVENT_ID4,
  EVENT_ID5,
  EVENT_ID6,
  EVENT_ID7
} event_t;

typedef enum { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE = 1 } cache_line_t;
typedef enum {
  CACHELINE_ALL = 0,
  CACHELINE_UB = 1,
  CACHELINE_OUT = 2,
  CACHELINE_ATOMIC = 3
} dcci_dst_t;

/* The dims that the shape of a tensor holds. Programs define it to 0 before the first header. */
#ifndef K_MAX_SHAPE_DIM
#define K_MAX_SHAPE_DIM 8
#endif

namespace AscendC {

using TEventID = std::int8_t;
using TBufHandle = std::uint8_t*;
using TTagType = std::int32_t;
using TBufId = std::uint8_t;

enum class TPosition : std::uint8_t {
  GM = 0,
  A1 = 1,
  A2 = 2,
  B1 = 3,
  B2 = 4,
  C1 = 5,
  C2 = 6,
  CO1 = 7,
  CO2 = 8,
  VECIN = 9,
  VECOUT = 10,
  VECCALC = 11,
  LCM = 11,
  SPM = 12,
  SHM = 12,
  TSCM = 13,
  C2PIPE2GM = 14,
  C2PIPE2LOCAL = 15,
  MAX = 16
};
enum class Hardware : std::uint8_t {
  GM = 0,
  UB = 1,
  L1 = 2,
  L0A = 3,
  L0B = 4,
  L0C = 5,
  BIAS = 6,
  FIXBUF = 7,
  MAX = 8
};
enum class HardEvent : std::uint8_t {
  MTE2_MTE1 = 0,
  MTE1_MTE2 = 1,
  MTE1_M = 2,
  M_MTE1 = 3,
  MTE2_V = 4,
  V_MTE2 = 5,
  MTE3_V = 6,
  V_MTE3 = 7,
  M_V = 8,
  V_M = 9,
  V_V = 10,
  MTE3_MTE1 = 11,
  MTE1_MTE3 = 12,
  MTE1_V = 13,
  MTE2_M = 14,
  M_MTE2 = 15,
  V_MTE1 = 16,
  M_FIX = 17,
  FIX_M = 18,
  MTE3_MTE2 = 19,
  MTE2_MTE3 = 20,
  S_V = 21,
  V_S = 22,
  S_MTE2 = 23,
  MTE2_S = 24,
  S_MTE3 = 25,
  MTE3_S = 26,
  MTE2_FIX = 27,
  FIX_MTE2 = 28,
  FIX_S = 29,
  M_S = 30,
  FIX_MTE3 = 31,
  MTE1_FIX = 32,
  FIX_MTE1 = 33,
  FIX_FIX = 34,
  FIX_V = 35,
  V_FIX = 36,
  MAX = 37
};
enum class TBufState : std::uint8_t { FREE = 0, OCCUPIED = 1, ENQUE = 2, DEQUE = 3 };
enum class MaskMode : std::uint8_t { NORMAL = 0, COUNTER = 1 };
enum class RoundMode : std::uint8_t {
  CAST_NONE = 0,
  CAST_RINT = 1,
  CAST_FLOOR = 2,
  CAST_CEIL = 3,
  CAST_ROUND = 4,
  CAST_TRUNC = 5,
  CAST_ODD = 6,
  CAST_HYBRID = 7,
  CAST_EVEN = 8,
  CAST_ZERO = 9,
  UNKNOWN = 255
};
enum class CMPMODE : std::uint8_t { LT = 0, GT = 1, EQ = 2, LE = 3, GE = 4, NE = 5 };
enum class SELMODE : std::uint8_t {
  VSEL_CMPMASK_SPR = 0,
  VSEL_TENSOR_SCALAR_MODE = 1,
  VSEL_TENSOR_TENSOR_MODE = 2
};
enum class ReduceMode : std::uint8_t { REDUCE_MAX = 0, REDUCE_MIN = 1, REDUCE_SUM = 2 };
enum class ReduceOrder : std::uint8_t {
  ORDER_VALUE_INDEX = 0,
  ORDER_INDEX_VALUE = 1,
  ORDER_ONLY_VALUE = 2,
  ORDER_ONLY_INDEX = 3
};
enum class GatherMaskMode : std::uint8_t { VERSION_V1 = 0, VERSION_V2 = 1 };
enum class ReduceType { NONE = -1, SUM = 0, MAX = 1, MIN = 2 };
enum class TransposeType : std::uint8_t {
  TRANSPOSE_TYPE_NONE = 0,
  TRANSPOSE_NZ2ND_0213 = 1,
  TRANSPOSE_NZ2NZ_0213 = 2,
  TRANSPOSE_NZ2NZ_012_WITH_N = 3,
  TRANSPOSE_NZ2ND_012_WITH_N = 4,
  TRANSPOSE_NZ2ND_012_WITHOUT_N = 5,
  TRANSPOSE_NZ2NZ_012_WITHOUT_N = 6,
  TRANSPOSE_ND2ND_ONLY = 7,
  TRANSPOSE_ND_UB_GM = 8,
  TRANSPOSE_GRAD_ND_UB_GM = 9,
  TRANSPOSE_ND2ND_B16 = 10,
  TRANSPOSE_NCHW2NHWC = 11,
  TRANSPOSE_NHWC2NCHW = 12,
  TRANSPOSE_ND2ND_021 = 13,
  TRANSPOSE_ND2ND_102 = 14,
  TRANSPOSE_ND2ND_210 = 15,
  TRANSPOSE_ND2NZ_WITH_INTLV = 16
};
enum class DeqScale : std::uint8_t {
  DEQ_NONE = 0,
  DEQ = 1,
  VDEQ = 2,
  DEQ8 = 3,
  VDEQ8 = 4,
  DEQ16 = 5,
  VDEQ16 = 6
};
enum class DeQuantMode : std::uint8_t { DEQUANT_WITH_SINGLE_ROW = 0, DEQUANT_WITH_MULTI_ROW = 1 };
enum class BlockMode : std::uint8_t {
  BLOCK_MODE_NORMAL = 0,
  BLOCK_MODE_MATRIX = 1,
  BLOCK_MODE_VECTOR = 2,
  BLOCK_MODE_SMALL_CHANNEL = 3,
  BLOCK_MODE_DEPTHWISE = 4
};
enum class PaddingMode : std::uint8_t { Normal = 0, Compact = 1 };
enum class MemDsbT : std::uint8_t { ALL = 0, DDR = 1, UB = 2, SEQ = 3 };
enum class CacheLine : std::uint64_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE = 1 };
enum class DcciDst : std::uint64_t {
  CACHELINE_ALL = 0,
  CACHELINE_UB = 1,
  CACHELINE_OUT = 2,
  CACHELINE_ATOMIC = 3
};
enum class CacheMode {
  CACHE_MODE_DISABLE = 0,
  CACHE_MODE_NORMAL = 1,
  CACHE_MODE_LAST = 2,
  CACHE_MODE_PERSISTENT = 4
};
enum class CacheRwMode { READ = 1, WRITE = 2, RW = 3 };
enum class SpecialPurposeReg { AR = 0 };
enum class SaturationMode : std::uint8_t { FLOAT = 0, FLOAT8 = 1, INT = 2, CAST = 3 };
enum class OverrideStrategy : std::uint8_t { USE_API = 0, USE_GLOBAL = 1 };
enum class AtomicDtype {
  ATOMIC_NONE = 0,
  ATOMIC_F32 = 1,
  ATOMIC_F16 = 2,
  ATOMIC_S16 = 3,
  ATOMIC_S32 = 4,
  ATOMIC_S8 = 5,
  ATOMIC_BF16 = 6
};
enum class AtomicOp { ATOMIC_SUM = 0 };
enum class ReluMode { NO_RELU = 0, NORMAL_RELU = 1, SCALAR_RELU = 2, VECTOR_RELU = 3 };
enum class EngineType : int32_t { AIC = 1, AIV = 2 };
using QuePosition = TPosition;

inline constexpr std::int32_t DEFAULT_BLK_NUM = 8;
inline constexpr std::int32_t DEFAULT_BLK_STRIDE = 1;
inline constexpr std::uint8_t DEFAULT_REPEAT_STRIDE = 8;
inline constexpr std::uint8_t HALF_DEFAULT_REPEAT_STRIDE = 4;
inline constexpr std::uint8_t ONE_FOURTH_DEFAULT_REPEAT_STRIDE = 2;
inline constexpr std::uint64_t FULL_MASK = 0xffffffffffffffff;
inline constexpr std::uint64_t CONST_MASK_VALUE = 0x8000000000000000;
inline constexpr std::uint16_t MAX_HALF_MASK_LEN = 64;
inline constexpr std::int32_t DEFAULT_C0_SIZE = 32;
inline constexpr std::int32_t DEFAULT_BLOCK_SIZE = 256;
inline constexpr std::int32_t MAX_REPEAT_TIMES = 255;
inline constexpr std::int32_t MIN_REPEAT_TIMES = 0;
inline constexpr std::int32_t ONE_BYTE_BIT_SIZE = 8;
inline constexpr std::uint16_t MASK_ARRAY_SIZE = 4;
inline constexpr std::uint32_t TOTAL_L0A_SIZE = 64 * 1024;
inline constexpr std::uint32_t TOTAL_L0B_SIZE = 64 * 1024;
inline constexpr std::uint32_t TMP_UB_SIZE = 8 * 1024;
inline constexpr std::int32_t CTRL_46_BIT = 46;
inline constexpr std::int32_t CTRL_47_BIT = 47;
inline constexpr std::int32_t CTRL_48_BIT = 48;
inline constexpr std::int32_t CTRL_53_BIT = 53;
inline constexpr std::uint32_t CACHE_LINE_SIZE = 64;
inline constexpr std::int64_t BLOCK_CUBE = 16;
inline constexpr std::uint16_t ONE_BLK_SIZE = 32;
inline constexpr std::int32_t CUBE_MAX_SIZE = 256;
inline constexpr std::uint8_t PAD_SIZE = 4;
inline constexpr std::uint8_t DEFAULT_DATA_COPY_NBURST = 1;
inline constexpr std::uint8_t DEFAULT_DATA_COPY_STRIDE = 0;
inline constexpr std::int32_t BYTE_PER_FRACTAL = 512;
inline constexpr std::int32_t ONE_REPEAT_BYTE_SIZE = 256;
inline constexpr std::int32_t FULL_MASK_LEN = 128;
inline constexpr std::int32_t HALF_MASK_LEN = 64;
inline constexpr std::int32_t DEFAULT_REDUCE_DST_REP_STRIDE = 1;
inline constexpr std::uint8_t B64_BYTE_SIZE = 8;
inline constexpr std::uint8_t B32_BYTE_SIZE = 4;
inline constexpr std::uint8_t B16_BYTE_SIZE = 2;
inline constexpr std::uint8_t B8_BYTE_SIZE = 1;
inline constexpr std::uint8_t B32_DATA_NUM_PER_BLOCK = 8;
inline constexpr std::uint8_t B16_DATA_NUM_PER_BLOCK = 16;
inline constexpr std::int32_t B16_DATA_NUM_PER_REPEAT = 128;
inline constexpr std::int32_t B32_DATA_NUM_PER_REPEAT = 64;
inline constexpr std::size_t RESERVED_WORKSPACE = 16 * 1024 * 1024;
inline constexpr std::int32_t NCHW_CONV_ADDR_LIST_SIZE = 16;
inline constexpr std::int32_t VA_REG_ARRAY_LEN = 8;
inline constexpr std::int32_t K_MAX_DIM = 8;
inline constexpr std::int32_t POWER_MASK_NUM = 8;
inline constexpr std::int32_t HALF_FACTOR = 2;
inline constexpr std::int32_t DOUBLE_FACTOR = 2;
inline constexpr bool DEFAULT_REPEAT_STRIDE_MODE = false;
inline constexpr bool STRIDE_SIZE_MODE = false;
inline constexpr std::uint32_t MAX_SLICE_SIZE = 6 * 256;
inline constexpr std::uint32_t F32_INF = 0x7f800000;
inline constexpr std::uint32_t F32_NEG_INF = 0xff800000;
inline constexpr std::uint32_t F32_NAN = 0x7fc00000;
inline constexpr std::uint16_t VALUE_512 = 512;
inline constexpr std::uint16_t UINT12_MAX = 4095;
inline constexpr std::uint16_t UINT15_MAX = 32767;
inline constexpr std::uint32_t TENSOR_TENSOR_FLOAT_POWER_FACTOR = 4;
inline constexpr std::uint32_t TENSOR_TENSOR_INT_POWER_FACTOR = 6;
inline constexpr std::uint32_t TENSOR_TENSOR_HALF_POWER_FACTOR = 7;
inline constexpr std::uint32_t TENSOR_SCALAR_FLOAT_POWER_FACTOR = 5;
inline constexpr std::uint32_t TENSOR_SCALAR_INT_POWER_FACTOR = 7;
inline constexpr std::uint32_t TENSOR_SCALAR_HALF_POWER_FACTOR = 7;
inline constexpr std::uint32_t POWER_TWO = 2;
inline constexpr std::uint32_t POWER_THREE = 3;
inline constexpr std::uint32_t POWER_INT32_BITS = 32;
inline constexpr std::uint32_t INT4_TWO = 2;
inline constexpr std::uint32_t INT4_BIT_NUM = 4;
inline constexpr std::uint32_t ASCENDC_B4_TWO = 2;
inline constexpr std::uint32_t ASCENDC_B4_BIT_NUM = 4;
inline constexpr std::int32_t DEQ_SHIFT_LEFT_17_BIT = 131072;
inline constexpr float DEQ_SHIFT_RIGHT_17_BIT = 1.0F / DEQ_SHIFT_LEFT_17_BIT;
inline constexpr std::int8_t ADDDEQRELU_MASK_MODE_ONE = 1;
inline constexpr std::int8_t ADDDEQRELU_MASK_MODE_TWO = 2;
inline constexpr std::uint32_t SINGLE_MSG_SIZE = 64;
inline constexpr std::int32_t SRC_BURST_LEN_SIZE_ELE = 16;
inline constexpr std::int32_t SRC_GAP_SIZE_BYTE = 32;
inline constexpr std::int32_t DST_BURST_LEN_SIZE_ELE = 256;
inline constexpr std::int32_t VREDUCE_PER_REP_OUTPUT = 2;
inline constexpr std::uint16_t ONE_PARAM_SIZE = 8;
inline constexpr std::int32_t BLOCK_STRIDE_POS_IN_SM = 16;
inline constexpr std::int32_t PLD_BUFFER_SIZE = 2;
inline constexpr std::uint8_t FIXPIPE_DEQ_TENSOR_SIZE = 16;
inline constexpr std::uint8_t SET_DATA_EXP_ZERO = 0;
inline constexpr std::uint8_t SET_DATA_EXP_ONE = 1;
inline constexpr std::uint8_t SET_DATA_EXP_TWO = 2;
inline constexpr std::uint8_t SET_DATA_EXP_THREE = 3;
inline constexpr std::uint32_t TWO_OF_STACK_BUFFER = 2;
inline constexpr std::uint32_t THREE_OF_STACK_BUFFER = 3;
inline constexpr std::uint32_t HALF_REPEAT_SIZE = ONE_REPEAT_BYTE_SIZE / B16_BYTE_SIZE;
inline constexpr std::uint32_t FLOAT_REPEAT_SIZE = ONE_REPEAT_BYTE_SIZE / B32_BYTE_SIZE;
inline constexpr std::uint32_t ONE_REPEAT_FLOAT_SIZE = ONE_REPEAT_BYTE_SIZE / B32_BYTE_SIZE;
inline constexpr std::uint32_t ONE_REPEAT_HALF_SIZE = ONE_REPEAT_BYTE_SIZE / B16_BYTE_SIZE;
inline constexpr std::uint32_t MAX_REPEAT_FLOAT_SIZE = ONE_REPEAT_FLOAT_SIZE * MAX_REPEAT_TIMES;
inline constexpr std::uint32_t MAX_REPEAT_HALF_SIZE = ONE_REPEAT_HALF_SIZE * MAX_REPEAT_TIMES;
inline constexpr std::uint32_t ONE_BLK_HALF_NUM = ONE_BLK_SIZE / B16_BYTE_SIZE;
inline constexpr std::uint32_t ONE_BLK_FLOAT_NUM = ONE_BLK_SIZE / B32_BYTE_SIZE;
inline constexpr std::uint32_t ONE_BLK_FP4_NUM = 64;
inline constexpr std::uint32_t ONE_BLK_B2_NUM = 128;
inline constexpr std::uint32_t ONE_BLK_B1_NUM = 256;
inline constexpr std::uint32_t BRCB_BROADCAST_NUMBER = 8;
inline constexpr std::uint32_t BRCB_MAX_REPEAT_SIZE = BRCB_BROADCAST_NUMBER * MAX_REPEAT_TIMES;
inline constexpr std::int32_t MIN_BLOCK_LEN = 1;
inline constexpr std::uint32_t PAIR_REDUCE_REPEAT_STRIDE_LEN = 128;
inline constexpr std::uint32_t PAIR_REDUCE_SUM_MERGES = 2;
inline constexpr std::uint32_t TWO_HUNDRED_FIFTY_TWO_REPEAT = 252;
inline constexpr std::uint32_t TWO_HUNDRED_FIFTY_TWO_REPEAT_BYTE_SIZE =
    TWO_HUNDRED_FIFTY_TWO_REPEAT * ONE_REPEAT_BYTE_SIZE;
inline constexpr std::uint32_t REDUCEV2_MODE_SEVEN = 7;
inline constexpr std::uint32_t DROPOUT_MODE_BYTE_MISALIGN = 1;
inline constexpr std::uint32_t DROPOUT_MODE_BYTE_ALIGN = 2;
inline constexpr std::uint32_t DROPOUT_MODE_BIT_ALIGN = 3;
inline constexpr std::uint32_t DROPOUT_MODE_BIT_MISALIGN = 4;
inline constexpr std::uint32_t REDUCEV2_MODE_ONE = 1;
inline constexpr std::uint32_t REDUCEV2_MODE_TWO = 2;
inline constexpr std::uint32_t REDUCEV2_MODE_THREE = 3;
inline constexpr std::int32_t B8_TMP_ELE_LEN = 1024;
inline constexpr std::int32_t B16_TMP_ELE_LEN = 256;
inline constexpr std::int32_t B32_TMP_ELE_LEN = 128;
inline constexpr std::int32_t B8_TRANS_LEN = 1024;
inline constexpr std::int32_t B8_TRANS_FRACTAL = 512;
inline constexpr std::int32_t B8_TRANS_ROW = 32;
inline constexpr std::int32_t B8_COPY_COL = 32;
inline constexpr std::int32_t TSCM_CROSS_SYNC_ID_MAX = 11;
inline constexpr std::int32_t QUE_MAX_EVENT = 8;
inline constexpr std::int32_t QBUF_MAX_LEN = 64;
inline constexpr std::int32_t QBUFPOOL_MAX_LEN = 16;
inline constexpr std::uint64_t ASC_L0A_SIZE = 65536;
inline constexpr std::uint64_t ASC_L0B_SIZE = 65536;
#if ACLSIM_NPU_ARCH == 3510
inline constexpr std::int32_t TOTAL_VEC_LOCAL_SIZE = 248 * 1024;
inline constexpr std::uint32_t TOTAL_UB_SIZE = 248 * 1024;
inline constexpr std::uint32_t TMP_UB_OFFSET = 248 * 1024;
inline constexpr std::uint32_t TOTAL_L1_SIZE = 512 * 1024;
inline constexpr std::uint32_t TOTAL_L0C_SIZE = 256 * 1024;
inline constexpr std::uint16_t AIV_CORE_NUM = 72;
inline constexpr std::uint32_t VECTOR_REG_WIDTH = 256;
inline constexpr std::uint32_t VECTOR_REG_WIDTH_2XVL = 512;
inline constexpr std::uint32_t ONE_BLOCK_SIZE = 32;
inline constexpr std::uint32_t B64_DATA_NUM_PER_REPEAT = 32;
inline constexpr std::uint32_t B4_BYTE_SIZE_PER_REPEAT = 64;
inline constexpr std::uint8_t INVALID_TBUFID = 255;
inline constexpr std::uint8_t MAX_TBUFID = 31;
inline constexpr std::uint8_t MAX_MUTEXID = 27;
inline constexpr std::uint64_t ASC_UB_SIZE = 253952 + ACLSIM_UB_CLAIMED;
inline constexpr std::uint64_t ASC_L1_SIZE = 524288;
inline constexpr std::uint64_t ASC_L0C_SIZE = 262144;
inline constexpr std::uint64_t ASC_BT_SIZE = 4096;
#else
inline constexpr std::int32_t TOTAL_VEC_LOCAL_SIZE = 184 * 1024;
inline constexpr std::uint32_t TOTAL_UB_SIZE = 192 * 1024;
inline constexpr std::uint32_t TMP_UB_OFFSET = 184 * 1024;
inline constexpr std::uint32_t TOTAL_L1_SIZE = 512 * 1024 - 256;
inline constexpr std::uint32_t TOTAL_L0C_SIZE = 128 * 1024;
inline constexpr std::uint16_t AIV_CORE_NUM = 50;
inline constexpr std::uint64_t ASC_UB_SIZE = 196352 + ACLSIM_UB_CLAIMED;
inline constexpr std::uint64_t ASC_L1_SIZE = 524032;
inline constexpr std::uint64_t ASC_L0C_SIZE = 131072;
inline constexpr std::uint64_t ASC_BT_SIZE = 1024;
#endif

/* The values of g_coreType in a kernel. */
inline constexpr std::int32_t MIX = 0;
inline constexpr std::int32_t AIC = 1;
inline constexpr std::int32_t AIV = 2;

}  // namespace AscendC

using AscendC::ASC_BT_SIZE;
using AscendC::ASC_L0A_SIZE;
using AscendC::ASC_L0B_SIZE;
using AscendC::ASC_L0C_SIZE;
using AscendC::ASC_L1_SIZE;
using AscendC::ASC_UB_SIZE;

#endif /* ASCENDC_IMPL_TYPES_H_ */
