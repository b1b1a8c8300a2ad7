// SPDX-License-Identifier: Apache-2.0
// Operators of one tensor without attributes.
#include "runtime/aclnn/operators/elementwise/unary.h"

#include "aclnnop/aclnn_abs.h"
#include "aclnnop/aclnn_bitwise_not.h"
#include "aclnnop/aclnn_ceil.h"
#include "aclnnop/aclnn_cos.h"
#include "aclnnop/aclnn_erf.h"
#include "aclnnop/aclnn_exp.h"
#include "aclnnop/aclnn_floor.h"
#include "aclnnop/aclnn_gelu.h"
#include "aclnnop/aclnn_hardsigmoid.h"
#include "aclnnop/aclnn_hardswish.h"
#include "aclnnop/aclnn_isfinite.h"
#include "aclnnop/aclnn_log.h"
#include "aclnnop/aclnn_log1p.h"
#include "aclnnop/aclnn_log2.h"
#include "aclnnop/aclnn_logical_not.h"
#include "aclnnop/aclnn_mish.h"
#include "aclnnop/aclnn_neg.h"
#include "aclnnop/aclnn_reciprocal.h"
#include "aclnnop/aclnn_relu.h"
#include "aclnnop/aclnn_round.h"
#include "aclnnop/aclnn_rsqrt.h"
#include "aclnnop/aclnn_sigmoid.h"
#include "aclnnop/aclnn_sign.h"
#include "aclnnop/aclnn_silu.h"
#include "aclnnop/aclnn_sin.h"
#include "aclnnop/aclnn_sqrt.h"
#include "aclnnop/aclnn_tanh.h"
#include "runtime/aclnn/operators/elementwise/unary_functions.h"

namespace aclnn {
namespace {

constexpr TypeSet kFloatsAndComplex = kAllFloats | kComplex;
constexpr TypeSet kSmallIntegers{ACL_INT8, ACL_INT32, ACL_INT64};
constexpr TypeSet kErfResults{ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE};
constexpr TypeSet kSigns = kAllFloats | kComplex | kBool | TypeSet{ACL_INT32, ACL_INT64};

/// y = f(x) with both types of the row; the result has the type that `compute` makes of the
/// input's.
template <class Set, class F>
aclnnStatus unary(const char* function, const aclTensor* in, const char* in_name, TypeSet in_types,
                  const aclTensor* out, const char* out_name, TypeSet out_types,
                  aclDataType (*compute)(aclDataType), F f, std::uint64_t* workspace,
                  aclOpExecutor** executor) {
  return first_phase(function, workspace, executor, [&](Planner& p) {
    const auto [x, y] = p.take(In{in, in_name, in_types}, Out{out, out_name, out_types});
    plan_unary<Set>(p, x, y, compute(x.type), f);
  });
}

template <class Set, class F>
aclnnStatus unary_in_place(const char* function, const aclTensor* ref, const char* name,
                           TypeSet types, aclDataType (*compute)(aclDataType), F f,
                           std::uint64_t* workspace, aclOpExecutor** executor) {
  return first_phase(function, workspace, executor, [&](Planner& p) {
    const auto [x] = p.take(Ref{ref, name, types});
    plan_unary<Set>(p, x, x, compute(x.type), f);
  });
}

struct LogicalNot {
  template <class T>
  T operator()(T x) const {
    return x == T(0) ? T(1) : T(0);
  }
};
struct BitwiseNot {
  template <class T>
  T operator()(T x) const {
    return ~x;
  }
};
struct IsFinite {
  template <class T>
  T operator()(T x) const {
    return std::isfinite(x) ? T(1) : T(0);
  }
};

/// |x| of complex numbers is real: computed as a real number, then cast.
void plan_abs(Planner& p, const View& x, const View& y) {
  if (!is_complex(x.type)) return plan_unary<RealLanes>(p, x, y, x.type, Abs{});
  p.require_shape(y, x.shape);
  in_lane<Lanes<ComputeType::c64, ComputeType::c128>>(
      x.lane(), [&](auto zero) { plan_elements<decltype(zero), 1>(p, {x}, y, Abs{}); });
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

#define ACLNN_UNARY(Name, in, InTypes, OutType, out, OutTypes, Set, compute, F)                  \
  aclnnStatus Name##GetWorkspaceSize(const aclTensor* in, OutType out, uint64_t* workspaceSize,  \
                                     aclOpExecutor** executor) {                                 \
    return unary<Set>(#Name, in, #in, InTypes, out, #out, OutTypes, compute, F{}, workspaceSize, \
                      executor);                                                                 \
  }                                                                                              \
  ACLNN_SECOND_PHASE(Name)

// Functions whose result is a float: integers and bool count as f32.
ACLNN_UNARY(aclnnExp, self, kFloatsAndComplex | kBool | TypeSet{ACL_INT64}, aclTensor*, out,
            kFloatsAndComplex, FloatComplexLanes, as_float, Exp)
ACLNN_UNARY(aclnnLog, self, kNumbers, aclTensor*, out, kFloatsAndComplex, FloatComplexLanes,
            as_float, Log)
ACLNN_UNARY(aclnnLog1p, self, kReals, aclTensor*, out, kAllFloats, FloatLanes, as_float, Log1p)
ACLNN_UNARY(aclnnLog2, self, kNumbers, const aclTensor*, out, kFloatsAndComplex, FloatComplexLanes,
            as_float, Log2)
ACLNN_UNARY(aclnnSqrt, self, kNumbers, aclTensor*, out, kFloatsAndComplex, FloatComplexLanes,
            as_float, Sqrt)
ACLNN_UNARY(aclnnRsqrt, self, kNumbers, aclTensor*, out, kFloatsAndComplex, FloatComplexLanes,
            as_float, Rsqrt)
ACLNN_UNARY(aclnnReciprocal, self, kNumbers, aclTensor*, out, kFloatsAndComplex, FloatComplexLanes,
            as_float, Reciprocal)
ACLNN_UNARY(aclnnSin, self, kNumbers, aclTensor*, out, kFloatsAndComplex, FloatComplexLanes,
            as_float, Sin)
ACLNN_UNARY(aclnnCos, input, kNumbers, aclTensor*, out, kFloatsAndComplex, FloatComplexLanes,
            as_float, Cos)
ACLNN_UNARY(aclnnTanh, self, kReals.without({ACL_DOUBLE}), aclTensor*, out, kFloats, FloatLanes,
            as_float, Tanh)
ACLNN_UNARY(aclnnErf, self, (TypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_INT64, ACL_BOOL}),
            aclTensor*, out, kErfResults, FloatLanes, as_float, Erf)

// Activations.
ACLNN_UNARY(aclnnSigmoid, self, kFloats, aclTensor*, out, kFloats, FloatLanes, as_it_is, Sigmoid)
ACLNN_UNARY(aclnnSilu, self, kFloats, aclTensor*, out, kFloats, FloatLanes, as_it_is, Silu)
ACLNN_UNARY(aclnnGelu, self, kFloats, aclTensor*, out, kFloats, FloatLanes, as_it_is, GeluTanh)
ACLNN_UNARY(aclnnMish, self, kFloats, aclTensor*, out, kFloats, FloatLanes, as_it_is, Mish)
ACLNN_UNARY(aclnnHardsigmoid, self, kFloats | TypeSet{ACL_INT32}, aclTensor*, out,
            kFloats | TypeSet{ACL_INT32}, RealLanes, as_it_is, Hardsigmoid)
ACLNN_UNARY(aclnnHardswish, self, kFloats, const aclTensor*, out, kFloats, FloatLanes, as_it_is,
            Hardswish)
ACLNN_UNARY(aclnnRelu, self, kFloats | kSmallIntegers, const aclTensor*, out,
            kFloats | kSmallIntegers, RealLanes, as_it_is, Relu)

// Functions that keep the type.
ACLNN_UNARY(aclnnNeg, self, kAllFloats | kSmallIntegers | kComplex, aclTensor*, out,
            kAllFloats | kSmallIntegers | kComplex, AllLanes, as_it_is, Neg)
ACLNN_UNARY(aclnnSign, self, kSigns, aclTensor*, result, kSigns, AllLanes, as_it_is, Sign)
ACLNN_UNARY(aclnnFloor, self, (kAllFloats | kIntegers | kWideUnsigned), aclTensor*, out,
            (kAllFloats | kIntegers | kWideUnsigned), RealLanes, as_it_is, Floor)
ACLNN_UNARY(aclnnCeil, self, kAllFloats, aclTensor*, out, kAllFloats, FloatLanes, as_it_is, Ceil)
ACLNN_UNARY(aclnnRound, self, (kAllFloats | TypeSet{ACL_INT32, ACL_INT64}), aclTensor*, out,
            (kAllFloats | TypeSet{ACL_INT32, ACL_INT64}), RealLanes, as_it_is, RoundToEven)

aclnnStatus aclnnAbsGetWorkspaceSize(const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
                                     aclOpExecutor** executor) {
  return first_phase("aclnnAbs", workspaceSize, executor, [&](Planner& p) {
    const auto [x, y] = p.take(In{self, "self", kReals | TypeSet{ACL_COMPLEX32, ACL_COMPLEX64}},
                               Out{out, "out", kReals});
    plan_abs(p, x, y);
  });
}
ACLNN_SECOND_PHASE(aclnnAbs)

aclnnStatus aclnnBitwiseNotGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnBitwiseNot", workspaceSize, executor, [&](Planner& p) {
    const auto [x, y] =
        p.take(In{self, "self", kIntegers | kBool}, Out{out, "out", kIntegers | kBool});
    if (x.type == ACL_BOOL) return plan_unary<IntegerLanes>(p, x, y, x.type, LogicalNot{});
    plan_unary<IntegerLanes>(p, x, y, x.type, BitwiseNot{});
  });
}
ACLNN_SECOND_PHASE(aclnnBitwiseNot)

aclnnStatus aclnnLogicalNotGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnLogicalNot", workspaceSize, executor, [&](Planner& p) {
    const auto [x, y] = p.take(In{self, "self", kReals}, Out{out, "out", kReals});
    p.require_shape(y, x.shape);
    in_lane<RealLanes>(
        x.lane(), [&](auto zero) { plan_elements<decltype(zero), 1>(p, {x}, y, LogicalNot{}); });
  });
}
ACLNN_SECOND_PHASE(aclnnLogicalNot)

aclnnStatus aclnnIsFiniteGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnIsFinite", workspaceSize, executor, [&](Planner& p) {
    const auto [x, y] = p.take(In{self, "self", kAllFloats}, Out{out, "out", kBool});
    p.require_shape(y, x.shape);
    in_lane<FloatLanes>(
        x.lane(), [&](auto zero) { plan_elements<decltype(zero), 1>(p, {x}, y, IsFinite{}); });
  });
}
ACLNN_SECOND_PHASE(aclnnIsFinite)

#define ACLNN_UNARY_IN_PLACE(Name, self, Types, Set, compute, F)                                  \
  aclnnStatus Name##GetWorkspaceSize(aclTensor* self, uint64_t* workspaceSize,                    \
                                     aclOpExecutor** executor) {                                  \
    return unary_in_place<Set>(#Name, self, #self, Types, compute, F{}, workspaceSize, executor); \
  }                                                                                               \
  ACLNN_SECOND_PHASE(Name)
#define ACLNN_FLOAT_IN_PLACE(Name, self, Types, F) \
  ACLNN_UNARY_IN_PLACE(Name, self, Types, FloatComplexLanes, as_float, F)

ACLNN_FLOAT_IN_PLACE(aclnnInplaceExp, selfRef, kFloatsAndComplex, Exp)
ACLNN_FLOAT_IN_PLACE(aclnnInplaceSin, selfRef, kFloatsAndComplex, Sin)
ACLNN_FLOAT_IN_PLACE(aclnnInplaceCos, inputRef, kFloatsAndComplex, Cos)
ACLNN_FLOAT_IN_PLACE(aclnnInplaceLog, selfRef, kFloatsAndComplex, Log)
ACLNN_FLOAT_IN_PLACE(aclnnInplaceLog2, selfRef, kFloatsAndComplex, Log2)
ACLNN_FLOAT_IN_PLACE(aclnnInplaceSqrt, selfRef, kFloatsAndComplex, Sqrt)
ACLNN_FLOAT_IN_PLACE(aclnnInplaceRsqrt, selfRef, kFloatsAndComplex, Rsqrt)
ACLNN_FLOAT_IN_PLACE(aclnnInplaceReciprocal, selfRef, kFloatsAndComplex, Reciprocal)
ACLNN_UNARY_IN_PLACE(aclnnInplaceLog1p, selfRef, kAllFloats, FloatLanes, as_it_is, Log1p)
ACLNN_UNARY_IN_PLACE(aclnnInplaceTanh, selfRef, kFloats, FloatLanes, as_it_is, Tanh)
ACLNN_UNARY_IN_PLACE(aclnnInplaceErf, selfRef, kErfResults, FloatLanes, as_it_is, Erf)
ACLNN_UNARY_IN_PLACE(aclnnInplaceSigmoid, selfRef, kFloats, FloatLanes, as_it_is, Sigmoid)
ACLNN_UNARY_IN_PLACE(aclnnInplaceMish, selfRef, kFloats, FloatLanes, as_it_is, Mish)
ACLNN_UNARY_IN_PLACE(aclnnInplaceHardsigmoid, selfRef, kFloats | TypeSet{ACL_INT32}, RealLanes,
                     as_it_is, Hardsigmoid)
ACLNN_UNARY_IN_PLACE(aclnnInplaceHardswish, selfRef, kFloats, FloatLanes, as_it_is, Hardswish)
ACLNN_UNARY_IN_PLACE(aclnnInplaceRelu, selfRef, kFloats | kSmallIntegers, RealLanes, as_it_is, Relu)
ACLNN_UNARY_IN_PLACE(aclnnInplaceNeg, selfRef, kAllFloats | kSmallIntegers | kComplex, AllLanes,
                     as_it_is, Neg)
ACLNN_UNARY_IN_PLACE(aclnnInplaceFloor, selfRef, kAllFloats | kIntegers | kWideUnsigned, RealLanes,
                     as_it_is, Floor)
ACLNN_UNARY_IN_PLACE(aclnnInplaceCeil, selfRef, kAllFloats, FloatLanes, as_it_is, Ceil)
ACLNN_UNARY_IN_PLACE(aclnnInplaceRound, selfRef, (kAllFloats | TypeSet{ACL_INT32, ACL_INT64}),
                     RealLanes, as_it_is, RoundToEven)
