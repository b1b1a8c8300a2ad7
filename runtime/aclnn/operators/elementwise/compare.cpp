// SPDX-License-Identifier: Apache-2.0
// Comparisons and logic: 0 or 1 in the type of the output.
#include "aclnnop/aclnn_bitwise_and_tensor.h"
#include "aclnnop/aclnn_eq_scalar.h"
#include "aclnnop/aclnn_eq_tensor.h"
#include "aclnnop/aclnn_ge_scalar.h"
#include "aclnnop/aclnn_ge_tensor.h"
#include "aclnnop/aclnn_gt_scalar.h"
#include "aclnnop/aclnn_gt_tensor.h"
#include "aclnnop/aclnn_le_scalar.h"
#include "aclnnop/aclnn_le_tensor.h"
#include "aclnnop/aclnn_logical_and.h"
#include "aclnnop/aclnn_logical_or.h"
#include "aclnnop/aclnn_lt_scalar.h"
#include "aclnnop/aclnn_lt_tensor.h"
#include "aclnnop/aclnn_ne_scalar.h"
#include "aclnnop/aclnn_ne_tensor.h"
#include "runtime/aclnn/operators/elementwise/binary.h"
#include "runtime/aclnn/operators/elementwise/binary_functions.h"

namespace aclnn {
namespace {

constexpr TypeSet kTruths = kNumbers | kWideUnsigned;  // of outputs
constexpr TypeSet kOrdered = kReals | kWideUnsigned;
constexpr TypeSet kEqualities = kNumbers | TypeSet{ACL_UINT32, ACL_UINT64};
constexpr TypeSet kInequalities = kNumbers | TypeSet{ACL_UINT64};
constexpr TypeSet kAtMosts = kReals | TypeSet{ACL_UINT16, ACL_UINT64};

template <class Set, class F>
aclnnStatus truth(const char* function, const aclTensor* self, const aclTensor* other,
                  TypeSet types, const aclTensor* out, TypeSet out_types, std::uint64_t* workspace,
                  aclOpExecutor** executor) {
  return first_phase(function, workspace, executor, [&](Planner& p) {
    const auto [a, b, y] =
        p.take(In{self, "self", types}, In{other, "other", types}, Out{out, "out", out_types});
    p.require_shape(y, p.broadcast(a, b));
    plan_pairs<Set, F>(p, a, b, y, p.promote(a, b));
  });
}

template <class Set, class F>
aclnnStatus truth_beside_scalar(const char* function, const aclTensor* self, const aclScalar* other,
                                TypeSet types, const aclTensor* out, std::uint64_t* workspace,
                                aclOpExecutor** executor) {
  return first_phase(function, workspace, executor, [&](Planner& p) {
    const auto [a, b, y] =
        p.take(In{self, "self", types}, Value{other, "other"}, Out{out, "out", kTruths});
    plan_singles<Set>(p, a, y, promote_scalar(a.type, b.type), [&s = b](auto zero) {
      using T = decltype(zero);
      return WithSecond<T, F>{s.template as<T>()};
    });
  });
}

/// The result goes where the first operand is, in its type.
template <class Set, class F>
aclnnStatus truth_in_place(const char* function, const aclTensor* self, const aclTensor* other,
                           TypeSet types, std::uint64_t* workspace, aclOpExecutor** executor) {
  return first_phase(function, workspace, executor, [&](Planner& p) {
    const auto [a, b] = p.take(Ref{self, "selfRef", types}, In{other, "other", types});
    plan_pairs<Set, F>(p, a, b, a, p.promote(a, b));
  });
}

template <class Set, class F>
aclnnStatus truth_beside_scalar_in_place(const char* function, const aclTensor* self,
                                         const aclScalar* other, TypeSet types,
                                         std::uint64_t* workspace, aclOpExecutor** executor) {
  return first_phase(function, workspace, executor, [&](Planner& p) {
    const auto [a, b] = p.take(Ref{self, "selfRef", types}, Value{other, "other"});
    plan_singles<Set>(p, a, a, promote_scalar(a.type, b.type), [&s = b](auto zero) {
      using T = decltype(zero);
      return WithSecond<T, F>{s.template as<T>()};
    });
  });
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

#define ACLNN_TRUTH(Name, Set, F, Types, OutTypes)                                           \
  aclnnStatus Name##GetWorkspaceSize(const aclTensor* self, const aclTensor* other,          \
                                     aclTensor* out, uint64_t* workspaceSize,                \
                                     aclOpExecutor** executor) {                             \
    return truth<Set, F>(#Name, self, other, Types, out, OutTypes, workspaceSize, executor); \
  }                                                                                          \
  ACLNN_SECOND_PHASE(Name)
#define ACLNN_TRUTH_BESIDE_SCALAR(Name, Set, F, Types)                                           \
  aclnnStatus Name##GetWorkspaceSize(const aclTensor* self, const aclScalar* other,              \
                                     aclTensor* out, uint64_t* workspaceSize,                    \
                                     aclOpExecutor** executor) {                                 \
    return truth_beside_scalar<Set, F>(#Name, self, other, Types, out, workspaceSize, executor); \
  }                                                                                              \
  ACLNN_SECOND_PHASE(Name)

ACLNN_TRUTH(aclnnEqTensor, AllLanes, Equal, kEqualities, kTruths)
ACLNN_TRUTH(aclnnNeTensor, AllLanes, NotEqual, kInequalities, kTruths)
ACLNN_TRUTH(aclnnGtTensor, RealLanes, Greater, kOrdered, kTruths)
ACLNN_TRUTH(aclnnGeTensor, RealLanes, GreaterEqual, kOrdered, kTruths)
ACLNN_TRUTH(aclnnLtTensor, RealLanes, Less, kOrdered, kTruths)
ACLNN_TRUTH(aclnnLeTensor, RealLanes, LessEqual, kAtMosts, kTruths)
ACLNN_TRUTH_BESIDE_SCALAR(aclnnEqScalar, AllLanes, Equal, kEqualities)
ACLNN_TRUTH_BESIDE_SCALAR(aclnnNeScalar, AllLanes, NotEqual, kInequalities)
ACLNN_TRUTH_BESIDE_SCALAR(aclnnGtScalar, RealLanes, Greater, kOrdered)
ACLNN_TRUTH_BESIDE_SCALAR(aclnnGeScalar, RealLanes, GreaterEqual, kOrdered)
ACLNN_TRUTH_BESIDE_SCALAR(aclnnLtScalar, RealLanes, Less, kOrdered)
ACLNN_TRUTH_BESIDE_SCALAR(aclnnLeScalar, RealLanes, LessEqual, kAtMosts)
ACLNN_TRUTH(aclnnLogicalAnd, AllLanes, LogicalAnd, kNumbers, kNumbers)
ACLNN_TRUTH(aclnnLogicalOr, AllLanes, LogicalOr, kNumbers, kTruths)

aclnnStatus aclnnBitwiseAndTensorGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                                  aclTensor* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return first_phase("aclnnBitwiseAndTensor", workspaceSize, executor, [&](Planner& p) {
    constexpr TypeSet kTypes = kIntegers | kBool | TypeSet{ACL_UINT16};
    const auto [a, b, y] = p.take(In{self, "self", kTypes}, In{other, "other", kTypes},
                                  Out{out, "out", kIntegers | kBool | kWideUnsigned});
    const aclDataType type = p.promote(a, b);
    require_result(p, a, b, y, type);
    plan_pairs<IntegerLanes, BitwiseAnd>(p, a, b, y, type);
  });
}
ACLNN_SECOND_PHASE(aclnnBitwiseAndTensor)

#define ACLNN_TRUTH_IN_PLACE(Name, RefType, Set, F, Types)                                \
  aclnnStatus Name##GetWorkspaceSize(RefType selfRef, const aclTensor* other,             \
                                     uint64_t* workspaceSize, aclOpExecutor** executor) { \
    return truth_in_place<Set, F>(#Name, selfRef, other, Types, workspaceSize, executor); \
  }                                                                                       \
  ACLNN_SECOND_PHASE(Name)
#define ACLNN_TRUTHS_IN_PLACE(Name, Set, F, Types)                                              \
  ACLNN_TRUTH_IN_PLACE(Name##Tensor, const aclTensor*, Set, F, Types)                           \
  aclnnStatus Name##ScalarGetWorkspaceSize(const aclTensor* selfRef, const aclScalar* other,    \
                                           uint64_t* workspaceSize, aclOpExecutor** executor) { \
    return truth_beside_scalar_in_place<Set, F>(#Name "Scalar", selfRef, other, Types,          \
                                                workspaceSize, executor);                       \
  }                                                                                             \
  ACLNN_SECOND_PHASE(Name##Scalar)

ACLNN_TRUTHS_IN_PLACE(aclnnInplaceEq, AllLanes, Equal, kEqualities)
ACLNN_TRUTHS_IN_PLACE(aclnnInplaceNe, AllLanes, NotEqual, kInequalities)
ACLNN_TRUTHS_IN_PLACE(aclnnInplaceGt, RealLanes, Greater, kOrdered)
ACLNN_TRUTHS_IN_PLACE(aclnnInplaceGe, RealLanes, GreaterEqual, kOrdered)
ACLNN_TRUTHS_IN_PLACE(aclnnInplaceLt, RealLanes, Less, kOrdered)
ACLNN_TRUTHS_IN_PLACE(aclnnInplaceLe, RealLanes, LessEqual, kAtMosts)
ACLNN_TRUTH_IN_PLACE(aclnnInplaceLogicalAnd, aclTensor*, AllLanes, LogicalAnd, kNumbers)
ACLNN_TRUTH_IN_PLACE(aclnnInplaceLogicalOr, aclTensor*, AllLanes, LogicalOr, kNumbers)
