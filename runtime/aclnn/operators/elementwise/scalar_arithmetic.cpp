// SPDX-License-Identifier: Apache-2.0
// A tensor and a scalar of the host.
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_div.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_sub.h"
#include "runtime/aclnn/operators/elementwise/binary.h"
#include "runtime/aclnn/operators/elementwise/binary_functions.h"

namespace aclnn {
namespace {

/// x + sign * alpha * other.
void plan_sum_with_scalar(Planner& p, const View& x, const aclScalar& other, const aclScalar& alpha,
                          int sign, const View& out) {
  const aclDataType type = promote_scalar(x.type, other.type);
  p.require_castable(type, out);
  plan_singles<AllLanes>(p, x, out, type, [&](auto zero) {
    using T = decltype(zero);
    const T term = Times{}(alpha.as<T>(), other.as<T>());
    return WithSecond<T, Plus>{sign == 1 ? term : T(T(0) - term)};
  });
}

aclnnStatus scalar_sum(const char* function, const aclTensor* self, const aclScalar* other,
                       const aclScalar* alpha, int sign, const aclTensor* out,
                       std::uint64_t* workspace, aclOpExecutor** executor) {
  return first_phase(function, workspace, executor, [&](Planner& p) {
    const auto [x, s, factor, y] = p.take(In{self, "self", kNumbers}, Value{other, "other"},
                                          Value{alpha, "alpha"}, Out{out, "out", kNumbers});
    plan_sum_with_scalar(p, x, s, factor, sign, y);
  });
}

aclnnStatus scalar_sum_in_place(const char* function, const aclTensor* self, const aclScalar* other,
                                const aclScalar* alpha, int sign, std::uint64_t* workspace,
                                aclOpExecutor** executor) {
  return first_phase(function, workspace, executor, [&](Planner& p) {
    const auto [x, s, factor] =
        p.take(Ref{self, "selfRef", kNumbers}, Value{other, "other"}, Value{alpha, "alpha"});
    plan_sum_with_scalar(p, x, s, factor, sign, x);
  });
}

void plan_product(Planner& p, const View& x, const aclScalar& other, const View& out) {
  const aclDataType type = promote_scalar(x.type, other.type);
  p.require_castable(type, out);
  plan_singles<AllLanes>(p, x, out, type, [&](auto zero) {
    using T = decltype(zero);
    return WithSecond<T, Times>{other.as<T>()};
  });
}

void plan_quotient(Planner& p, const View& x, const aclScalar& other, const View& out) {
  const aclDataType promoted = promote_scalar(x.type, other.type);
  const aclDataType type = is_float(promoted) || is_complex(promoted) ? promoted : ACL_FLOAT;
  p.require_castable(type, out);
  plan_singles<FloatComplexLanes>(p, x, out, type, [&](auto zero) {
    using T = decltype(zero);
    return WithSecond<T, Over>{other.as<T>()};
  });
}

using PlanWithScalar = void (*)(Planner&, const View&, const aclScalar&, const View&);

aclnnStatus with_scalar(const char* function, const aclTensor* self, const aclScalar* other,
                        const aclTensor* out, PlanWithScalar plan, std::uint64_t* workspace,
                        aclOpExecutor** executor) {
  return first_phase(function, workspace, executor, [&](Planner& p) {
    const auto [x, s, y] =
        p.take(In{self, "self", kNumbers}, Value{other, "other"}, Out{out, "out", kNumbers});
    plan(p, x, s, y);
  });
}

aclnnStatus with_scalar_in_place(const char* function, const aclTensor* self,
                                 const aclScalar* other, PlanWithScalar plan,
                                 std::uint64_t* workspace, aclOpExecutor** executor) {
  return first_phase(function, workspace, executor, [&](Planner& p) {
    const auto [x, s] = p.take(Ref{self, "selfRef", kNumbers}, Value{other, "other"});
    plan(p, x, s, x);
  });
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

#define ACLNN_SCALAR_SUM(Name, sign)                                                      \
  aclnnStatus Name##GetWorkspaceSize(const aclTensor* self, const aclScalar* other,       \
                                     const aclScalar* alpha, aclTensor* out,              \
                                     uint64_t* workspaceSize, aclOpExecutor** executor) { \
    return scalar_sum(#Name, self, other, alpha, sign, out, workspaceSize, executor);     \
  }                                                                                       \
  ACLNN_SECOND_PHASE(Name)
#define ACLNN_SCALAR_SUM_IN_PLACE(Name, RefType, sign)                                       \
  aclnnStatus Name##GetWorkspaceSize(RefType selfRef, const aclScalar* other,                \
                                     const aclScalar* alpha, uint64_t* workspaceSize,        \
                                     aclOpExecutor** executor) {                             \
    return scalar_sum_in_place(#Name, selfRef, other, alpha, sign, workspaceSize, executor); \
  }                                                                                          \
  ACLNN_SECOND_PHASE(Name)
#define ACLNN_WITH_SCALAR(Name, plan)                                               \
  aclnnStatus Name##GetWorkspaceSize(const aclTensor* self, const aclScalar* other, \
                                     aclTensor* out, uint64_t* workspaceSize,       \
                                     aclOpExecutor** executor) {                    \
    return with_scalar(#Name, self, other, out, plan, workspaceSize, executor);     \
  }                                                                                 \
  ACLNN_SECOND_PHASE(Name)
#define ACLNN_WITH_SCALAR_IN_PLACE(Name, plan)                                            \
  aclnnStatus Name##GetWorkspaceSize(aclTensor* selfRef, const aclScalar* other,          \
                                     uint64_t* workspaceSize, aclOpExecutor** executor) { \
    return with_scalar_in_place(#Name, selfRef, other, plan, workspaceSize, executor);    \
  }                                                                                       \
  ACLNN_SECOND_PHASE(Name)

ACLNN_SCALAR_SUM(aclnnAdds, 1)
ACLNN_SCALAR_SUM(aclnnSubs, -1)
ACLNN_SCALAR_SUM_IN_PLACE(aclnnInplaceAdds, const aclTensor*, 1)
ACLNN_SCALAR_SUM_IN_PLACE(aclnnInplaceSubs, aclTensor*, -1)
ACLNN_WITH_SCALAR(aclnnMuls, plan_product)
ACLNN_WITH_SCALAR(aclnnDivs, plan_quotient)
ACLNN_WITH_SCALAR_IN_PLACE(aclnnInplaceMuls, plan_product)
ACLNN_WITH_SCALAR_IN_PLACE(aclnnInplaceDivs, plan_quotient)
