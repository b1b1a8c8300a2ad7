// SPDX-License-Identifier: Apache-2.0
// Compiled only, for each architecture: every function of vector_names.tsv is declared, and takes
// every type of its row in every form.
#include "ascendc/kernel_operator.h"

// NAME(name) for each line of the table that holds for this architecture.
#include "vector_names.inc"
namespace names {
#define NAME(name) using AscendC::name;
ACLSIM_NAMES(NAME)
#undef NAME
}  // namespace names

namespace {

using namespace AscendC;

using S4 = int4b_t;
using S8 = int8_t;
using U8 = uint8_t;
using S16 = int16_t;
using U16 = uint16_t;
using F16 = half;
using BF = bfloat16_t;
using S32 = int32_t;
using U32 = uint32_t;
using F32 = float;
using S64 = int64_t;
using U64 = uint64_t;
using E4M3 = fp8_e4m3fn_t;
using E5M2 = fp8_e5m2_t;
using HIF8 = hifloat8_t;
using E1M2 = fp4x2_e1m2_t;
using E2M1 = fp4x2_e2m1_t;

uint64_t bits[2] = {~0ULL, ~0ULL};
const uint64_t lanes = 8;
const BinaryRepeatParams two;
const UnaryRepeatParams one;

template <uint32_t types, typename F, typename... T>
void each(F f, T... t) {
  const auto call = [&f](auto value) {
    if constexpr (aclsim_vector::among<decltype(value)>(types)) f(value);
  };
  (call(t), ...);
}
template <uint32_t types, typename F>
void each_type(F f) {
  each<types>(f, S8(), U8(), S16(), U16(), F16(0), BF(0), S32(), U32(), F32(), S64(), U64());
}

#define TYPES(old_types, new_types) ACLSIM_SET_OF(ACLSIM_HERE(old_types, new_types))
#define CALL_BINARY(Name, a, b)                        \
  each_type<TYPES(a, b)>([](auto t) {                  \
    using T = decltype(t);                             \
    LocalTensor<T> x;                                  \
    Name(x, x, x, 8);                                  \
    Name(x, x, x, bits, 1, two);                       \
    Name(x, x, x, lanes, 1, two);                      \
    Name<T, false>(x, x, x, MASK_PLACEHOLDER, 1, two); \
  });
#define CALL_BINARY_CONFIG CALL_BINARY
#define CALL_BINARY_COUNT(Name, a, b) \
  each_type<TYPES(a, b)>([](auto t) { \
    LocalTensor<decltype(t)> x;       \
    Name(x, x, x, 8U);                \
  });
#define CALL_UNARY(Name, a, b)                      \
  each_type<TYPES(a, b)>([](auto t) {               \
    using T = decltype(t);                          \
    LocalTensor<T> x;                               \
    Name(x, x, 8);                                  \
    Name(x, x, bits, 1, one);                       \
    Name(x, x, lanes, 1, one);                      \
    Name<T, false>(x, x, MASK_PLACEHOLDER, 1, one); \
  });
#define CALL_UNARY_CONFIG CALL_UNARY
#define CALL_UNARY_COUNT(Name, a, b)  \
  each_type<TYPES(a, b)>([](auto t) { \
    LocalTensor<decltype(t)> x;       \
    Name(x, x, 8U);                   \
  });
#define CALL_SCALAR_PLAIN(Name, a, b)                  \
  each_type<TYPES(a, b)>([](auto t) {                  \
    using T = decltype(t);                             \
    LocalTensor<T> x;                                  \
    Name(x, x, t, 8);                                  \
    Name<T>(x, x, t, 8);                               \
    Name<T, T>(x, x, t, 8);                            \
    Name(x, x, t, bits, 1, one);                       \
    Name(x, x, t, lanes, 1, one);                      \
    Name<T, false>(x, x, t, MASK_PLACEHOLDER, 1, one); \
  });
#define CALL_FLEX(Name, a, b)                                     \
  each_type<TYPES(a, b)>([](auto t) {                             \
    LocalTensor<decltype(t)> x;                                   \
    static constexpr BinaryConfig left = {0};                     \
    Name(x, x, t, 8);                                             \
    Name(x, t, x, 8);                                             \
    Name(x, x, x, bits, 1, one);                                  \
    Name<BinaryDefaultType, false, left>(x, x, x, lanes, 1, one); \
  });
#if __NPU_ARCH__ == 3510
#define CALL_SCALAR(Name, a, b) CALL_SCALAR_PLAIN(Name, a, b) CALL_FLEX(Name, a, b)
#else
#define CALL_SCALAR CALL_SCALAR_PLAIN
#endif
#define CALL_CUSTOM(Name, a, b)
#define CALL(number, Name, shape, operands, a, b, flags) CALL_##shape(Name, a, b)

[[maybe_unused]] void rows() { ACLSIM_VECTOR_ROWS(CALL) }

// By name: only the types of the pair meet a function.
#define PAIR_Cast(D, S)                           \
  Cast(d, s, RoundMode::CAST_NONE, 8U);           \
  Cast(d, s, RoundMode::CAST_NONE, bits, 1, one); \
  Cast(d, s, RoundMode::CAST_NONE, lanes, 1, one);
#define PAIR_BINARY(Name)      \
  Name(d, s, s, 8);            \
  Name(d, s, s, bits, 1, two); \
  Name(d, s, s, lanes, 1, two);
#define PAIR_MulAddDst(D, S) PAIR_BINARY(MulAddDst)
#define PAIR_MulCast(D, S) PAIR_BINARY(MulCast)
#define PAIR_AddReluCast(D, S) PAIR_BINARY(AddReluCast)
#define PAIR_SubReluCast(D, S) PAIR_BINARY(SubReluCast)
#define PAIR_AddDeqRelu(D, S)   \
  PAIR_BINARY(AddDeqRelu)       \
  AddDeqRelu<D, S>(d, s, s, 8); \
  AddDeqRelu<false>(d, s, s, MASK_PLACEHOLDER, 1, two);
#define PAIR_Axpy(D, S)           \
  Axpy(d, s, S(2), 8);            \
  Axpy(d, s, S(2), bits, 1, one); \
  Axpy(d, s, S(2), lanes, 1, one);
#define PAIR_ExpSub(D, S) \
  ExpSub(d, s, s, 8U);    \
  FusedExpSub(d, s, s, 8U);
#define PAIR_MulsCast(D, S) \
  MulsCast(d, s, 2.0F, 8U); \
  MulsCast(d, 2.0F, s, 8U); \
  FusedMulsCast(d, s, s, 8U);
#define PAIR_CastDequant(D, S)                              \
  CastDequant<D, S>(d, s, 8U);                              \
  CastDequant<D, S, true, false, true>(d, s, bits, 1, one); \
  CastDeq<D, S, true, true, false>(d, s, 8, 1, one);        \
  CastDeq<D, S, true, true>(d, s, 8U);
#define PAIR(Name, D, S, old_modes, new_modes)                \
  if constexpr (ACLSIM_HERE((old_modes), (new_modes)) != 0) { \
    LocalTensor<D> d;                                         \
    LocalTensor<S> s;                                         \
    PAIR_##Name(D, S)                                         \
  }
template <typename = void>
void pairs() {
  ACLSIM_VECTOR_PAIRS(PAIR)
}
[[maybe_unused]] void use_pairs() { pairs(); }

[[maybe_unused]] void floats_by_hand() {
  each_type<TYPES(F16_F32, F16_F32)>([](auto t) {
    using T = decltype(t);
    LocalTensor<T> x;
    LocalTensor<uint32_t> i;
    FusedMulAddRelu(x, x, x, 8);
    FusedMulAddRelu(x, x, x, bits, 1, two);
    FusedMulAddRelu(x, x, x, lanes, 1, two);
    FusedAbsSub(x, x, x, 8U);
    Truncate<T, RoundMode::CAST_TRUNC>(x, x, 8U);
    ReduceDataBlock<ReduceType::MAX, T, T>(x, x, 8, 1, 1, 1, 8);
    ReduceDataBlock<ReduceType::SUM, T, T, false>(x, x, bits, 1, 1, 1, 8);
    ReducePairElem<ReduceType::SUM, T, T>(x, x, 8, 1, 1, 1, 8);
    ReducePairElem<ReduceType::SUM, T, T>(x, x, bits, 1, 1, 1, 8);
    BlockReduceSum(x, x, 1, 8, 1, 1, 8);
    BlockReduceMax(x, x, 1, bits, 1, 1, 8);
    BlockReduceMin<T, false>(x, x, 1, 8, 1, 1, 8);
    PairReduceSum(x, x, 1, 8, 1, 1, 8);
    PairReduceSum(x, x, 1, bits, 1, 1, 8);
    Sort32(x, x, i, 1);
    MrgSort(x, MrgSortSrcList<T>(x, x, x, x), MrgSort4Info());
    uint16_t lengths[4] = {};
    uint32_t sorted[4] = {};
    MrgSort<T, true>(x, MrgSortSrcList<T>(x, x, x, x), lengths, sorted, 15, 1);
    Concat(x, x, x, 1);
    Extract(x, i, x, 1);
    Sort<T, true>(x, x, i, x, 1);
    Sort<T, false>(x, x, i, x, 1);
    (void)GetSortLen<T>(1);
    (void)GetSortOffset<T>(1);
    LocalTensor<uint8_t> m;
    Select(x, m, x, x, SELMODE::VSEL_TENSOR_TENSOR_MODE, 8U);
    Select(x, m, x, x, SELMODE::VSEL_TENSOR_TENSOR_MODE, lanes, 1, two);
    Select(x, m, x, x, SELMODE::VSEL_TENSOR_TENSOR_MODE, bits, 1, two);
    Select(x, m, x, t, SELMODE::VSEL_TENSOR_SCALAR_MODE, 8U);
    Select(x, m, x, t, SELMODE::VSEL_TENSOR_SCALAR_MODE, lanes, 1, two);
    Select(x, m, x, t, SELMODE::VSEL_TENSOR_SCALAR_MODE, bits, 1, two);
    Select<T, SELMODE::VSEL_CMPMASK_SPR>(x, x, x, 1, two);
    Select(x, m, x, 1, two);
    Compare(x, x, CMPMODE::LT, lanes, two);
    Compare(x, x, CMPMODE::LT, bits, two);
    GetReduceRepeatMaxMinSpr(t);
    GetReduceRepeatMaxMinSpr(t, t);
    GetReduceMaxMinCount(t);
    GetReduceMaxMinCount(t, t);
    t = GetReduceRepeatSumSpr<T>();
    t = GetAccVal<T>();
  });
}

[[maybe_unused]] void reductions_by_hand() {
  each_type<TYPES(F16_F32, B16_B32_NO_BF)>([](auto t) {
    using T = decltype(t);
    LocalTensor<T> x;
    ReduceRepeat<ReduceType::MAX, T, T>(x, x, 8, 1, 1, 1, 8);
    ReduceRepeat<ReduceType::SUM, T, T>(x, x, bits, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
    WholeReduceSum(x, x, 8, 1, 1, 1, 8);
    WholeReduceSum(x, x, bits, 1, 1, 1, 8);
    WholeReduceMax(x, x, 8, 1, 1, 1, 8);
    WholeReduceMin<T, false>(x, x, bits, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_INDEX);
    RepeatReduceSum(x, x, 1, 8, 0, 1, 1, 8);
  });
  each_type<TYPES(F16_F32, SUMS)>([](auto t) {
    LocalTensor<decltype(t)> x;
    ReduceSum(x, x, x, 8);
    ReduceSum(x, x, x, 8, 1, 8);
    ReduceSum(x, x, x, bits, 1, 8);
  });
  each_type<TYPES(F16_F32, B16_B64_NO_BF)>([](auto t) {
    LocalTensor<decltype(t)> x;
    ReduceMax(x, x, x, 8);
    ReduceMax(x, x, x, 8, true);
    ReduceMin(x, x, x, 8, 1, 8, true);
    ReduceMin(x, x, x, bits, 1, 8);
  });
  each_type<TYPES(F16_S32_F32, ALL)>([](auto t) {
    LocalTensor<decltype(t)> x;
    LocalTensor<uint8_t> m;
    Compare(m, x, x, CMPMODE::EQ, 64U);
    Compare(m, x, x, CMPMODE::EQ, lanes, 1, two);
    Compare(m, x, x, CMPMODE::EQ, bits, 1, two);
    Compares(m, x, t, CMPMODE::EQ, 64U);
    Compares(m, x, t, CMPMODE::EQ, lanes, 1, one);
    CompareScalar(m, x, t, CMPMODE::EQ, bits, 1, one);
    CompareScalar(m, x, t, CMPMODE::EQ, 64U);
#if __NPU_ARCH__ == 3510
    Compares(m, t, x, CMPMODE::LT, 64U);
    CompareScalar(m, x, x, CMPMODE::LT, bits, 1, one);
#endif
  });
  each_type<TYPES(S16_U16_S32_U32, INTS)>([](auto t) {
    using T = decltype(t);
    LocalTensor<T> x;
    ShiftLeft(x, x, x, 8);
    ShiftRight(x, x, x, 8);
    ShiftRight(x, x, t, 8);
    ShiftRight(x, x, t, lanes, 1, one);
    ShiftRight(x, x, t, bits, 1, one, true);
    ShiftRight<T, T>(x, x, t, bits, 1, one, true);
  });
}

[[maybe_unused]] void moves_by_hand() {
  each_type<TYPES(B16_B32, ALL)>([](auto t) {
    using T = decltype(t);
    LocalTensor<T> x;
    LocalTensor<uint32_t> i;
    Duplicate(x, t, 8);
    Duplicate(x, t, lanes, 1, 1, 8);
    Duplicate<T, false>(x, t, bits, 1, 1, 8);
    Copy(x, x, lanes, 1, CopyRepeatParams(1, 1, 8, 8));
    Copy(x, x, bits, 1, CopyRepeatParams(1, 1, 8, 8));
    Brcb(x, x, 1, BrcbRepeatParams(1, 8));
    Gather(x, x, i, 0, 8U);
    Gather(x, x, i, 0, lanes, 1, 8);
    Gather(x, x, i, 0, bits, 1, 8);
#if __NPU_ARCH__ == 3510
    Duplicate(x, x, 8);
    Copy(x, x, 8U);
    Interleave(x, x, x, x, 8);
    DeInterleave(x, x, x, x, 8);
    DeInterleave(x, x, x, 8);
    Scatter(x, x, i, 0, 8U);
    Scatter(x, x, i, 0, lanes, 1, 8);
    Scatter(x, x, i, 0, bits, 1, 8);
#endif
  });
  each_type<TYPES(U16_U32, ALL)>([](auto t) {
    LocalTensor<decltype(t)> x;
    LocalTensor<uint32_t> i;
    Gatherb(x, x, i, 1, GatherRepeatParams(1, 8));
  });
  each_type<TYPES(U16_U32, U16_U32)>([](auto t) {
    LocalTensor<decltype(t)> x;
    uint64_t kept = 0;
    GatherMask(x, x, x, false, 0, GatherMaskParams(1, 1, 8, 8), kept);
    GatherMask(x, x, 1, true, 8, GatherMaskParams(1, 1, 8, 8), kept);
    (void)GetGatherMaskRemainCount();
    GetCmpMask(x);
    SetCmpMask(x);
  });
  each_type<TYPES(S16_F16_S32_F32, INDEX)>([](auto t) {
    LocalTensor<decltype(t)> x;
    CreateVecIndex(x, t, 8U);
    CreateVecIndex(x, t, lanes, 1, 1, 8);
    CreateVecIndex(x, t, bits, 1, 1, 8);
  });
  each_type<TYPES(S32_U32, S32_U32)>([](auto t) {
    LocalTensor<decltype(t)> x;
    Mull(x, x, x, x, 8U);
  });
}

[[maybe_unused]] void transposes_by_hand() {
  each_type<TYPES(B8_B16_B32_NO_BF, B8_B16_B32)>([](auto t) {
    using T = decltype(t);
    LocalTensor<T> list[16];
    uint64_t addresses[16] = {};
    LocalTensor<uint64_t> in_memory;
    LocalTensor<uint8_t> tmp;
    TransDataTo5HD(list, list, TransDataTo5HDParams(false, false, 1, 0, 0));
    TransDataTo5HD<T>(addresses, addresses, TransDataTo5HDParams());
    TransDataTo5HD<T>(in_memory, in_memory, TransDataTo5HDParams());
    Transpose(list[0], list[1], tmp, TransposeParamsExt());
  });
}

// Sizes of the chip and limits of its instructions, written by hand.
static_assert(HALF_REPEAT_SIZE == 128 && FLOAT_REPEAT_SIZE == 64 && MAX_REPEAT_HALF_SIZE == 32640);
static_assert(ONE_BLK_HALF_NUM == 16 && ONE_BLK_FLOAT_NUM == 8 && BRCB_MAX_REPEAT_SIZE == 2040);
static_assert(DEQ_SHIFT_RIGHT_17_BIT * 131072.0F == 1.0F && F32_NEG_INF >> 23 == 0x1ff);
static_assert(QUE_MAX_EVENT == 8 && QBUF_MAX_LEN == 64 && ASC_L0A_SIZE == 65536);
#if __NPU_ARCH__ == 3510
static_assert(ASC_UB_SIZE == 253952 && AscendC::ASC_L0C_SIZE == 262144 && ::ASC_BT_SIZE == 4096);
static_assert(GetUBSizeInBytes() == 253952 && GetVecLen() == 256 && VECTOR_REG_WIDTH == 256);
#else
static_assert(ASC_UB_SIZE == 196352 && AscendC::ASC_L0C_SIZE == 131072 && ::ASC_BT_SIZE == 1024);
static_assert(GetUBSizeInBytes() == 0 && GetVecLen() == 0);
#endif

[[maybe_unused]] void registers_by_hand() {
  LocalTensor<half> h;
  Transpose(h, h);
  LocalTensor<uint64_t> vdeq;
  SetDeqScale(half(1.0F));
  SetDeqScale(1.0F, 0, true);
  SetDeqScale(vdeq, VdeqInfo());
  uint16_t n = 0;
  GetMrgSortResult(n, n, n, n);
  SetMaskCount();
  SetMaskNorm();
  ResetMask();
  SetVectorMask<half>(~0ULL, ~0ULL);
  SetVectorMask<half, MaskMode::COUNTER>(100);
#if __NPU_ARCH__ == 3510
  LocalTensor<int8_t> s8;
  LocalTensor<uint8_t> u8;
  Abs(u8, s8, 8);
#endif
  SetCtrlSpr<48, 48>(1);
  (void)GetCtrlSpr<48, 53>();
  ResetCtrlSpr<0, 63>();
}

}  // namespace
