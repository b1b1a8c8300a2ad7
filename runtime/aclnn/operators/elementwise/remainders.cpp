// SPDX-License-Identifier: Apache-2.0
// Quotients that are rounded down, remainders and powers, where a number or the result's own memory
// takes part.
#include "aclnnop/aclnn_div.h"
#include "aclnnop/aclnn_floor_divide.h"
#include "aclnnop/aclnn_fmod_scalar.h"
#include "aclnnop/aclnn_fmod_tensor.h"
#include "aclnnop/aclnn_pow.h"
#include "aclnnop/aclnn_remainder.h"
#include "runtime/aclnn/operators/elementwise/binary.h"
#include "runtime/aclnn/operators/elementwise/binary_functions.h"

namespace aclnn {
namespace {

constexpr TypeSet kFmodTypes = kAllFloats | TypeSet{ACL_INT8, ACL_UINT8, ACL_INT32, ACL_INT64};
constexpr TypeSet kRemainderTypes = kAllFloats | kIndexes;

/// out = f(x, number)
template <class Set, class F>
void plan_by_number(Planner& p, const View& x, const aclScalar& number, const View& out) {
  const aclDataType type = promote_scalar(x.type, number.type);
  require(is_complex(x.type) || !is_complex(number.type),
          "other has the type {}; it cannot be used beside {}", name_of(number.type),
          name_of(x.type));
  p.require_castable(type, out);
  plan_singles<Set>(p, x, out, type, [&](auto zero) {
    using T = decltype(zero);
    return WithSecond<T, F>{number.as<T>()};
  });
}

template <class Set, class F>
aclnnStatus by_number(const char* function, const aclTensor* self, const aclScalar* other,
                      TypeSet types, const aclTensor* out, TypeSet out_types,
                      std::uint64_t* workspace, aclOpExecutor** executor) {
  return first_phase(function, workspace, executor, [&](Planner& p) {
    const auto [x, number, y] =
        p.take(In{self, "self", types}, Value{other, "other"}, Out{out, "out", out_types});
    plan_by_number<Set, F>(p, x, number, y);
  });
}

template <class Set, class F>
aclnnStatus by_number_in_place(const char* function, const aclTensor* self, const char* name,
                               const aclScalar* other, const char* other_name, TypeSet types,
                               std::uint64_t* workspace, aclOpExecutor** executor) {
  return first_phase(function, workspace, executor, [&](Planner& p) {
    const auto [x, number] = p.take(Ref{self, name, types}, Value{other, other_name});
    plan_by_number<Set, F>(p, x, number, x);
  });
}

/// a = f(a, b)
template <class Set, class F>
aclnnStatus pair_in_place(const char* function, const aclTensor* self, const aclTensor* other,
                          TypeSet types, std::uint64_t* workspace, aclOpExecutor** executor) {
  return first_phase(function, workspace, executor, [&](Planner& p) {
    const auto [a, b] = p.take(Ref{self, "selfRef", types}, In{other, "other", types});
    const aclDataType type = p.promote(a, b);
    p.require_castable(type, a);
    plan_pairs<Set, F>(p, a, b, a, type);
  });
}

void plan_division_by_number(Planner& p, const View& x, const aclScalar& number, int mode,
                             const View& out) {
  switch (mode) {
    case 0: {
      const aclDataType type = promote_scalar(x.type, number.type);
      const aclDataType result = is_float(type) || is_complex(type) ? type : ACL_FLOAT;
      p.require_castable(result, out);
      return plan_singles<FloatComplexLanes>(p, x, out, result, [&](auto zero) {
        using T = decltype(zero);
        return WithSecond<T, Over>{number.as<T>()};
      });
    }
    case 1:
      return plan_by_number<RealLanes, OverTruncated>(p, x, number, out);
    case 2:
      return plan_by_number<RealLanes, OverFloored>(p, x, number, out);
    default:
      refuse("mode is {}; expected 0 (true), 1 (truncated) or 2 (floored)", mode);
  }
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

#define ACLNN_BY_NUMBER(Name, F, Types, OutTypes)                                           \
  aclnnStatus Name##GetWorkspaceSize(const aclTensor* self, const aclScalar* other,         \
                                     aclTensor* out, uint64_t* workspaceSize,               \
                                     aclOpExecutor** executor) {                            \
    return by_number<RealLanes, F>(#Name, self, other, Types, out, OutTypes, workspaceSize, \
                                   executor);                                               \
  }                                                                                         \
  ACLNN_SECOND_PHASE(Name)
#define ACLNN_BY_NUMBER_IN_PLACE(Name, RefType, other, Set, F, Types)                     \
  aclnnStatus Name##GetWorkspaceSize(RefType selfRef, const aclScalar* other,             \
                                     uint64_t* workspaceSize, aclOpExecutor** executor) { \
    return by_number_in_place<Set, F>(#Name, selfRef, "selfRef", other, #other, Types,    \
                                      workspaceSize, executor);                           \
  }                                                                                       \
  ACLNN_SECOND_PHASE(Name)
#define ACLNN_PAIR_IN_PLACE(Name, F, Types)                                                    \
  aclnnStatus Name##GetWorkspaceSize(aclTensor* selfRef, const aclTensor* other,               \
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {      \
    return pair_in_place<RealLanes, F>(#Name, selfRef, other, Types, workspaceSize, executor); \
  }                                                                                            \
  ACLNN_SECOND_PHASE(Name)

ACLNN_BY_NUMBER(aclnnFmodScalar, Fmod, kFmodTypes, kFmodTypes)
ACLNN_BY_NUMBER(aclnnFloorDivides, OverFloored, kReals, kNumbers)
ACLNN_BY_NUMBER_IN_PLACE(aclnnInplaceFmodScalar, aclTensor*, other, RealLanes, Fmod, kFmodTypes)
ACLNN_BY_NUMBER_IN_PLACE(aclnnInplaceFloorDivides, aclTensor*, other, RealLanes, OverFloored,
                         kReals)
ACLNN_BY_NUMBER_IN_PLACE(aclnnInplaceRemainderTensorScalar, aclTensor*, other, RealLanes, Remainder,
                         kRemainderTypes)
ACLNN_BY_NUMBER_IN_PLACE(aclnnInplacePowTensorScalar, const aclTensor*, exponent, AllLanes, Power,
                         kNumbers)
ACLNN_PAIR_IN_PLACE(aclnnInplaceFmodTensor, Fmod, kFmodTypes)
ACLNN_PAIR_IN_PLACE(aclnnInplaceFloorDivide, OverFloored, kReals)
ACLNN_PAIR_IN_PLACE(aclnnInplaceRemainderTensorTensor, Remainder, kRemainderTypes)

aclnnStatus aclnnRemainderTensorTensorGetWorkspaceSize(const aclTensor* self,
                                                       const aclTensor* other, aclTensor* out,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor) {
  return first_phase("aclnnRemainderTensorTensor", workspaceSize, executor, [&](Planner& p) {
    const auto [a, b, y] =
        p.take(In{self, "self", kRemainderTypes}, In{other, "other", kRemainderTypes},
               Out{out, "out", kRemainderTypes});
    const aclDataType type = p.promote(a, b);
    require_result(p, a, b, y, type);
    plan_pairs<RealLanes, Remainder>(p, a, b, y, type);
  });
}
ACLNN_SECOND_PHASE(aclnnRemainderTensorTensor)

aclnnStatus aclnnRemainderScalarTensorGetWorkspaceSize(const aclScalar* self,
                                                       const aclTensor* other, aclTensor* out,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor) {
  return first_phase("aclnnRemainderScalarTensor", workspaceSize, executor, [&](Planner& p) {
    const auto [number, x, y] =
        p.take(Value{self, "self", kRemainderTypes}, In{other, "other", kRemainderTypes},
               Out{out, "out", kRemainderTypes});
    const aclDataType type = promote_scalar(x.type, number.type);
    p.require_castable(type, y);
    plan_singles<RealLanes>(p, x, y, type, [&n = number](auto zero) {
      using T = decltype(zero);
      return WithFirst<T, Remainder>{n.template as<T>()};
    });
  });
}
ACLNN_SECOND_PHASE(aclnnRemainderScalarTensor)

aclnnStatus aclnnDivModsGetWorkspaceSize(const aclTensor* self, const aclScalar* other, int mode,
                                         aclTensor* out, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return first_phase("aclnnDivMods", workspaceSize, executor, [&](Planner& p) {
    const auto [x, number, y] =
        p.take(In{self, "self", kNumbers}, Value{other, "other"}, Out{out, "out", kNumbers});
    plan_division_by_number(p, x, number, mode, y);
  });
}
ACLNN_SECOND_PHASE(aclnnDivMods)

aclnnStatus aclnnInplaceDivModsGetWorkspaceSize(aclTensor* selfRef, const aclScalar* other,
                                                int mode, uint64_t* workspaceSize,
                                                aclOpExecutor** executor) {
  return first_phase("aclnnInplaceDivMods", workspaceSize, executor, [&](Planner& p) {
    const auto [x, number] = p.take(Ref{selfRef, "selfRef", kNumbers}, Value{other, "other"});
    plan_division_by_number(p, x, number, mode, x);
  });
}
ACLNN_SECOND_PHASE(aclnnInplaceDivMods)
