// SPDX-License-Identifier: Apache-2.0
// Sums, differences, products, quotients and powers of tensors.
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_div.h"
#include "aclnnop/aclnn_floor_divide.h"
#include "aclnnop/aclnn_fmod_tensor.h"
#include "aclnnop/aclnn_maximum.h"
#include "aclnnop/aclnn_minimum.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_pow.h"
#include "aclnnop/aclnn_pow_tensor_tensor.h"
#include "aclnnop/aclnn_remainder.h"
#include "aclnnop/aclnn_sub.h"
#include "runtime/aclnn/operators/elementwise/binary.h"
#include "runtime/aclnn/operators/elementwise/binary_functions.h"

namespace aclnn {
namespace {

constexpr TypeSet kPowerResults = kNumbers | kWideUnsigned;
constexpr TypeSet kPowerBases = kNumbers.without(kBool);

/// a + sign * alpha * b. The scalar counts in the type that is computed in.
void plan_sum(Planner& p, const View& a, const View& b, const aclScalar& alpha, int sign,
              const View& out) {
  const aclDataType type = p.promote(a, b);
  p.require_castable(type, out);
  require(!is_complex(alpha.type) || is_complex(type),
          "alpha has the type {}; it cannot be used beside {}", name_of(alpha.type), name_of(type));
  if (alpha.number == 1.0 && sign == 1) {
    return plan_pairs<AllLanes, Plus>(p, a, b, out, type);
  }
  plan_pairs<AllLanes>(p, a, b, out, type, [&](auto zero) {
    using T = decltype(zero);
    const T factor = alpha.as<T>();
    return PlusScaled<T>{sign == 1 ? factor : T(T(0) - factor)};
  });
}

aclnnStatus sum(const char* function, const aclTensor* self, const aclTensor* other,
                const aclScalar* alpha, int sign, const aclTensor* out, std::uint64_t* workspace,
                aclOpExecutor** executor) {
  return first_phase(function, workspace, executor, [&](Planner& p) {
    const auto [a, b, s, y] = p.take(In{self, "self", kNumbers}, In{other, "other", kNumbers},
                                     Value{alpha, "alpha"}, Out{out, "out", kNumbers});
    p.require_shape(y, p.broadcast(a, b));
    plan_sum(p, a, b, s, sign, y);
  });
}

aclnnStatus sum_in_place(const char* function, const aclTensor* self, const aclTensor* other,
                         const aclScalar* alpha, int sign, std::uint64_t* workspace,
                         aclOpExecutor** executor) {
  return first_phase(function, workspace, executor, [&](Planner& p) {
    const auto [a, b, s] =
        p.take(Ref{self, "selfRef", kNumbers}, In{other, "other", kNumbers}, Value{alpha, "alpha"});
    plan_sum(p, a, b, s, sign, a);
  });
}

/// Quotients of integers are floats.
aclDataType quotient_type(aclDataType type) {
  return is_float(type) || is_complex(type) ? type : ACL_FLOAT;
}

/// An operator of two tensors without attributes.
template <class Set, class F>
aclnnStatus binary(const char* function, const aclTensor* self, const aclTensor* other,
                   TypeSet types, const aclTensor* out, TypeSet out_types, std::uint64_t* workspace,
                   aclOpExecutor** executor) {
  return first_phase(function, workspace, executor, [&](Planner& p) {
    const auto [a, b, y] =
        p.take(In{self, "self", types}, In{other, "other", types}, Out{out, "out", out_types});
    const aclDataType type = p.promote(a, b);
    require_result(p, a, b, y, type);
    plan_pairs<Set, F>(p, a, b, y, type);
  });
}

void plan_division(Planner& p, const View& a, const View& b, int mode, const View& out) {
  const aclDataType type = p.promote(a, b);
  switch (mode) {
    case 0:
      p.require_castable(quotient_type(type), out);
      return plan_pairs<FloatComplexLanes, Over>(p, a, b, out, quotient_type(type));
    case 1:
      p.require_castable(type, out);
      return plan_pairs<RealLanes, OverTruncated>(p, a, b, out, type);
    case 2:
      p.require_castable(type, out);
      return plan_pairs<RealLanes, OverFloored>(p, a, b, out, type);
    default:
      refuse("mode is {}; expected 0 (true), 1 (truncated) or 2 (floored)", mode);
  }
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnAddGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                     const aclScalar* alpha, aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
  return sum("aclnnAdd", self, other, alpha, 1, out, workspaceSize, executor);
}
ACLNN_SECOND_PHASE(aclnnAdd)

aclnnStatus aclnnInplaceAddGetWorkspaceSize(const aclTensor* selfRef, const aclTensor* other,
                                            const aclScalar* alpha, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return sum_in_place("aclnnInplaceAdd", selfRef, other, alpha, 1, workspaceSize, executor);
}
ACLNN_SECOND_PHASE(aclnnInplaceAdd)

aclnnStatus aclnnSubGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                     const aclScalar* alpha, aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
  return sum("aclnnSub", self, other, alpha, -1, out, workspaceSize, executor);
}
ACLNN_SECOND_PHASE(aclnnSub)

aclnnStatus aclnnInplaceSubGetWorkspaceSize(aclTensor* selfRef, const aclTensor* other,
                                            const aclScalar* alpha, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return sum_in_place("aclnnInplaceSub", selfRef, other, alpha, -1, workspaceSize, executor);
}
ACLNN_SECOND_PHASE(aclnnInplaceSub)

#define ACLNN_BINARY(Name, OutType, Set, F, Types, OutTypes)                                     \
  aclnnStatus Name##GetWorkspaceSize(const aclTensor* self, const aclTensor* other, OutType out, \
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {        \
    return binary<Set, F>(#Name, self, other, Types, out, OutTypes, workspaceSize, executor);    \
  }                                                                                              \
  ACLNN_SECOND_PHASE(Name)

ACLNN_BINARY(aclnnMul, aclTensor*, AllLanes, Times, kNumbers, kNumbers)
ACLNN_BINARY(aclnnMaximum, aclTensor*, RealLanes, Maximum, kReals, kReals)
ACLNN_BINARY(aclnnMinimum, aclTensor*, RealLanes, Minimum, kReals, kReals)
ACLNN_BINARY(aclnnFmodTensor, aclTensor*, RealLanes, Fmod,
             (kAllFloats | TypeSet{ACL_INT8, ACL_UINT8, ACL_INT32, ACL_INT64}),
             (kAllFloats | TypeSet{ACL_INT8, ACL_UINT8, ACL_INT32, ACL_INT64}))
ACLNN_BINARY(aclnnFloorDivide, aclTensor*, RealLanes, OverFloored, kReals, kNumbers)

aclnnStatus aclnnInplaceMulGetWorkspaceSize(aclTensor* selfRef, const aclTensor* other,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnInplaceMul", workspaceSize, executor, [&](Planner& p) {
    const auto [a, b] = p.take(Ref{selfRef, "selfRef", kNumbers}, In{other, "other", kNumbers});
    const aclDataType type = p.promote(a, b);
    p.require_castable(type, a);
    plan_pairs<AllLanes, Times>(p, a, b, a, type);
  });
}
ACLNN_SECOND_PHASE(aclnnInplaceMul)

aclnnStatus aclnnDivGetWorkspaceSize(const aclTensor* self, const aclTensor* other, aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnDiv", workspaceSize, executor, [&](Planner& p) {
    const auto [a, b, y] =
        p.take(In{self, "self", kNumbers}, In{other, "other", kNumbers}, Out{out, "out", kNumbers});
    p.require_shape(y, p.broadcast(a, b));
    plan_division(p, a, b, 0, y);
  });
}
ACLNN_SECOND_PHASE(aclnnDiv)

aclnnStatus aclnnInplaceDivGetWorkspaceSize(aclTensor* selfRef, const aclTensor* other,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnInplaceDiv", workspaceSize, executor, [&](Planner& p) {
    const auto [a, b] = p.take(Ref{selfRef, "selfRef", kNumbers}, In{other, "other", kNumbers});
    plan_division(p, a, b, 0, a);
  });
}
ACLNN_SECOND_PHASE(aclnnInplaceDiv)

aclnnStatus aclnnDivModGetWorkspaceSize(const aclTensor* self, const aclTensor* other, int mode,
                                        aclTensor* out, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
  return first_phase("aclnnDivMod", workspaceSize, executor, [&](Planner& p) {
    const auto [a, b, y] =
        p.take(In{self, "self", kNumbers}, In{other, "other", kNumbers}, Out{out, "out", kNumbers});
    p.require_shape(y, p.broadcast(a, b));
    plan_division(p, a, b, mode, y);
  });
}
ACLNN_SECOND_PHASE(aclnnDivMod)

aclnnStatus aclnnInplaceDivModGetWorkspaceSize(aclTensor* selfRef, const aclTensor* other, int mode,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnInplaceDivMod", workspaceSize, executor, [&](Planner& p) {
    const auto [a, b] = p.take(Ref{selfRef, "selfRef", kNumbers}, In{other, "other", kNumbers});
    plan_division(p, a, b, mode, a);
  });
}
ACLNN_SECOND_PHASE(aclnnInplaceDivMod)

// ---- powers and remainders ----

aclnnStatus aclnnPowTensorTensorGetWorkspaceSize(const aclTensor* self, const aclTensor* exponent,
                                                 aclTensor* out, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return first_phase("aclnnPowTensorTensor", workspaceSize, executor, [&](Planner& p) {
    const auto [a, b, y] = p.take(In{self, "self", kNumbers}, In{exponent, "exponent", kNumbers},
                                  Out{out, "out", kPowerResults});
    const aclDataType type = p.promote(a, b);
    require_result(p, a, b, y, type);
    plan_pairs<AllLanes, Power>(p, a, b, y, type);
  });
}
ACLNN_SECOND_PHASE(aclnnPowTensorTensor)

aclnnStatus aclnnInplacePowTensorTensorGetWorkspaceSize(const aclTensor* self,
                                                        const aclTensor* exponent,
                                                        uint64_t* workspaceSize,
                                                        aclOpExecutor** executor) {
  return first_phase("aclnnInplacePowTensorTensor", workspaceSize, executor, [&](Planner& p) {
    const auto [a, b] = p.take(Ref{self, "self", kNumbers}, In{exponent, "exponent", kNumbers});
    const aclDataType type = p.promote(a, b);
    p.require_castable(type, a);
    plan_pairs<AllLanes, Power>(p, a, b, a, type);
  });
}
ACLNN_SECOND_PHASE(aclnnInplacePowTensorTensor)

aclnnStatus aclnnPowScalarTensorGetWorkspaceSize(const aclScalar* self, const aclTensor* exponent,
                                                 const aclTensor* out, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return first_phase("aclnnPowScalarTensor", workspaceSize, executor, [&](Planner& p) {
    const auto [base, b, y] =
        p.take(Value{self, "self", kPowerBases}, In{exponent, "exponent", kPowerBases},
               Out{out, "out", kPowerResults.without(kBool)});
    const aclDataType type = promote_scalar(b.type, base.type);
    p.require_castable(type, y);
    plan_singles<AllLanes>(p, b, y, type, [&](auto zero) {
      using T = decltype(zero);
      return WithFirst<T, Power>{base.as<T>()};
    });
  });
}
ACLNN_SECOND_PHASE(aclnnPowScalarTensor)

aclnnStatus aclnnPowTensorScalarGetWorkspaceSize(const aclTensor* self, const aclScalar* exponent,
                                                 const aclTensor* out, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return first_phase("aclnnPowTensorScalar", workspaceSize, executor, [&](Planner& p) {
    const auto [a, power, y] = p.take(In{self, "self", kNumbers}, Value{exponent, "exponent"},
                                      Out{out, "out", kPowerResults});
    const aclDataType type = promote_scalar(a.type, power.type);
    p.require_castable(type, y);
    plan_singles<AllLanes>(p, a, y, type, [&](auto zero) {
      using T = decltype(zero);
      return WithSecond<T, Power>{power.as<T>()};
    });
  });
}
ACLNN_SECOND_PHASE(aclnnPowTensorScalar)

aclnnStatus aclnnRemainderTensorScalarGetWorkspaceSize(const aclTensor* self,
                                                       const aclScalar* other, aclTensor* out,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor) {
  return first_phase("aclnnRemainderTensorScalar", workspaceSize, executor, [&](Planner& p) {
    constexpr TypeSet kTypes = kAllFloats | kIndexes;
    const auto [a, divisor, y] = p.take(In{self, "self", kTypes}, Value{other, "other", kTypes},
                                        Out{out, "out", kAllFloats | kIntegers | kComplex});
    const aclDataType type = promote_scalar(a.type, divisor.type);
    p.require_castable(type, y);
    plan_singles<RealLanes>(p, a, y, type, [&](auto zero) {
      using T = decltype(zero);
      return WithSecond<T, Remainder>{divisor.as<T>()};
    });
  });
}
ACLNN_SECOND_PHASE(aclnnRemainderTensorScalar)
