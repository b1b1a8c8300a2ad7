// SPDX-License-Identifier: Apache-2.0
// Which loop an instruction runs. Included by loops_*.cpp, once each.
#pragma once

#include "ascendc/impl/vector_rows.h"
#include "runtime/ascendc/vector/loop_casts.h"
#include "runtime/ascendc/vector/loop_shapes.h"

namespace ascendc::vector::ACLSIM_LOOPS {
namespace {

// Shapes as types, so that one choice by element serves all instructions.
template <typename Op>
struct One {
  template <typename F> static constexpr Loop kReal = real_one<F, Op>;
  template <typename T> static constexpr Loop kInteger = integer_one<T, Op>;
};
template <typename Op>
struct Two {
  template <typename F> static constexpr Loop kReal = real_two<F, Op>;
  template <typename T> static constexpr Loop kInteger = integer_two<T, Op>;
};
template <typename Op>
struct TwoScalar {
  template <typename F> static constexpr Loop kReal = real_scalar<F, Op>;
  template <typename T> static constexpr Loop kInteger = integer_scalar_two<T, Op>;
};
template <typename Op>
struct Three {
  template <typename F> static constexpr Loop kReal = real_three<F, F, Op>;
  template <typename T> static constexpr Loop kInteger = integer_three<T, Op>;
};
template <typename Op>
struct Test {
  template <typename F> static constexpr Loop kReal = real_test<F, Op>;
  template <typename T> static constexpr Loop kInteger = integer_test<T, Op>;
};
template <typename Op>
struct TestScalar {
  template <typename F> static constexpr Loop kReal = real_test_scalar<F, Op>;
  template <typename T> static constexpr Loop kInteger = integer_test_scalar<T, Op>;
};
struct Index {
  template <typename F> static constexpr Loop kReal = real_index<F>;
  template <typename T> static constexpr Loop kInteger = integer_index<T>;
};

template <typename Shape>
Loop real(std::uint8_t element) {
  switch (element) {
    case ACLSIM_HALF: return Shape::template kReal<Half>;
    case ACLSIM_BFLOAT16: return Shape::template kReal<Bfloat16>;
    case ACLSIM_FLOAT: return Shape::template kReal<Float>;
    default: return nullptr;
  }
}
template <typename Shape>
Loop integer(std::uint8_t element) {
  switch (element) {
    case ACLSIM_INT8: return Shape::template kInteger<std::int8_t>;
    case ACLSIM_UINT8: return Shape::template kInteger<std::uint8_t>;
    case ACLSIM_INT16: return Shape::template kInteger<std::int16_t>;
    case ACLSIM_UINT16: return Shape::template kInteger<std::uint16_t>;
    case ACLSIM_INT32: return Shape::template kInteger<std::int32_t>;
    case ACLSIM_UINT32: return Shape::template kInteger<std::uint32_t>;
    case ACLSIM_INT64: return Shape::template kInteger<std::int64_t>;
    case ACLSIM_UINT64: return Shape::template kInteger<std::uint64_t>;
    default: return nullptr;
  }
}
template <typename Shape>
Loop any(std::uint8_t element) {
  const Loop found = real<Shape>(element);
  return found != nullptr ? found : integer<Shape>(element);
}

Loop by_size(std::uint8_t element, Loop one, Loop two, Loop four, Loop eight) {
  switch (element) {
    case ACLSIM_BOOL: case ACLSIM_INT8: case ACLSIM_UINT8: return one;
    case ACLSIM_INT16: case ACLSIM_UINT16: case ACLSIM_HALF: case ACLSIM_BFLOAT16: return two;
    case ACLSIM_INT32: case ACLSIM_UINT32: case ACLSIM_FLOAT: return four;
    case ACLSIM_INT64: case ACLSIM_UINT64: case ACLSIM_DOUBLE: return eight;
    default: return nullptr;
  }
}
#define ACLSIM_BY_SIZE(element, loop)                                                        \
  by_size(element, loop<std::uint8_t>, loop<std::uint16_t>, loop<std::uint32_t>,             \
          loop<std::uint64_t>)

Loop find_two(std::uint16_t opcode, std::uint8_t type) {
  switch (opcode) {
    case ACLSIM_OP_Add: return any<Two<Add>>(type);
    case ACLSIM_OP_Sub: return any<Two<Sub>>(type);
    case ACLSIM_OP_Mul: return any<Two<Mul>>(type);
    case ACLSIM_OP_Div: return any<Two<Div>>(type);
    case ACLSIM_OP_Max: return any<Two<Max>>(type);
    case ACLSIM_OP_Min: return any<Two<Min>>(type);
    case ACLSIM_OP_And: return integer<Two<And>>(type);
    case ACLSIM_OP_Or: return integer<Two<Or>>(type);
    case ACLSIM_OP_AddRelu: return any<Two<AddRelu>>(type);
    case ACLSIM_OP_SubRelu: return any<Two<SubRelu>>(type);
    case ACLSIM_OP_FusedMulAdd: return any<Three<FusedMulAdd>>(type);
    case ACLSIM_OP_MulAddRelu: return any<Three<MulAddRelu>>(type);
    case ACLSIM_OP_Prelu: return real<Two<Prelu>>(type);
    case ACLSIM_OP_AbsSub: return real<Two<AbsSub>>(type);
    case ACLSIM_OP_ShiftLeftTensor: return integer<Two<ShiftLeft>>(type);
    case ACLSIM_OP_ShiftRightTensor: return integer<Two<ShiftRight>>(type);
    case ACLSIM_OP_Mull:
      return type == ACLSIM_INT32 ? Loop{wide_product<std::int32_t, std::int64_t>}
                                  : Loop{wide_product<std::uint32_t, std::uint64_t>};
    default: return nullptr;
  }
}

Loop find_one(std::uint16_t opcode, std::uint8_t type) {
  switch (opcode) {
    case ACLSIM_OP_Relu: return any<One<Relu>>(type);
    case ACLSIM_OP_Abs: return any<One<Abs>>(type);
    case ACLSIM_OP_Neg: return any<One<Neg>>(type);
    case ACLSIM_OP_Not:
      return ACLSIM_BY_SIZE(type, bits_not);
    case ACLSIM_OP_Exp: return real<One<Exp>>(type);
    case ACLSIM_OP_Ln: return real<One<Ln>>(type);
    case ACLSIM_OP_Reciprocal: return any<One<Reciprocal>>(type);
    case ACLSIM_OP_Rsqrt: return real<One<Rsqrt>>(type);
    case ACLSIM_OP_Sqrt: return real<One<Sqrt>>(type);
    case ACLSIM_OP_Copy: return ACLSIM_BY_SIZE(type, move_lanes);
    case ACLSIM_OP_Duplicate: return ACLSIM_BY_SIZE(type, fill);
    case ACLSIM_OP_CreateVecIndex: return any<Index>(type);
    default: return nullptr;
  }
}

Loop find_scalar(std::uint16_t opcode, std::uint8_t type) {
  switch (opcode) {
    case ACLSIM_OP_Adds: return any<TwoScalar<Add>>(type);
    case ACLSIM_OP_Muls: return any<TwoScalar<Mul>>(type);
    case ACLSIM_OP_Maxs: return any<TwoScalar<Max>>(type);
    case ACLSIM_OP_Mins: return any<TwoScalar<Min>>(type);
    case ACLSIM_OP_LeakyRelu: return real<TwoScalar<Prelu>>(type);
    case ACLSIM_OP_ShiftLeft: return integer<TwoScalar<ShiftLeft>>(type);
    case ACLSIM_OP_ShiftRight: return integer<TwoScalar<ShiftRight>>(type);
    case kShiftRightRounded: return integer<TwoScalar<ShiftRightRounded>>(type);
    case ACLSIM_OP_Subs: return any<TwoScalar<Sub>>(type);
    case ACLSIM_OP_Divs: return any<TwoScalar<Div>>(type);
    case kSubsFrom: return any<TwoScalar<SubFrom>>(type);
    case kDivsInto: return any<TwoScalar<DivInto>>(type);
    case ACLSIM_OP_Ands: return integer<TwoScalar<And>>(type);
    case ACLSIM_OP_Ors: return integer<TwoScalar<Or>>(type);
    default: return nullptr;
  }
}

Loop find_inner(std::uint16_t opcode, std::uint8_t type) {
  switch (opcode) {
    case kCompareLT: return any<Test<LT>>(type);
    case kCompareLT + 1: return any<Test<GT>>(type);
    case kCompareLT + 2: return any<Test<EQ>>(type);
    case kCompareLT + 3: return any<Test<LE>>(type);
    case kCompareLT + 4: return any<Test<GE>>(type);
    case kCompareLT + 5: return any<Test<NE>>(type);
    case kCompareSLT: return any<TestScalar<LT>>(type);
    case kCompareSLT + 1: return any<TestScalar<GT>>(type);
    case kCompareSLT + 2: return any<TestScalar<EQ>>(type);
    case kCompareSLT + 3: return any<TestScalar<LE>>(type);
    case kCompareSLT + 4: return any<TestScalar<GE>>(type);
    case kCompareSLT + 5: return any<TestScalar<NE>>(type);
    case kSelect: return ACLSIM_BY_SIZE(type, select);
    case kSelectS: return ACLSIM_BY_SIZE(type, select_scalar);
    default: return nullptr;
  }
}

}  // namespace

Loop find(std::uint16_t opcode, std::uint8_t dst, std::uint8_t src) {
  constexpr Loop (*kLook[])(std::uint16_t, std::uint8_t) = {find_two, find_one, find_scalar,
                                                            find_inner};
  for (const auto look : kLook) {
    if (const Loop found = look(opcode, dst)) return found;
  }
  return find_pair(opcode, dst, src);
}

}  // namespace ascendc::vector::ACLSIM_LOOPS
