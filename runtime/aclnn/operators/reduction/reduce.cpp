// SPDX-License-Identifier: Apache-2.0
// Operators that make one number of many.
#include "aclnnop/aclnn_all.h"
#include "aclnnop/aclnn_amax.h"
#include "aclnnop/aclnn_any.h"
#include "aclnnop/aclnn_logsumexp.h"
#include "aclnnop/aclnn_max.h"
#include "aclnnop/aclnn_mean.h"
#include "aclnnop/aclnn_norm.h"
#include "aclnnop/aclnn_prod.h"
#include "aclnnop/aclnn_reduce_sum.h"
#include "aclnnop/aclnn_std.h"
#include "aclnnop/aclnn_var.h"
#include "runtime/aclnn/operators/lanes.h"
#include "runtime/aclnn/operators/reduction/fold.h"
#include "runtime/aclnn/operators/reduction/folds.h"

namespace aclnn {
namespace {

constexpr TypeSet kMeanTypes = kAllFloats | kIntegers | kComplex;
using ArithmeticLanes = Lanes<ComputeType::f32, ComputeType::f64, ComputeType::i64,
                              ComputeType::c64, ComputeType::c128>;
using OrderedLanes = Lanes<ComputeType::f32, ComputeType::f64, ComputeType::i64>;

/// The type that a sum is computed in, which an argument names.
void require_result_type(Planner& p, aclDataType dtype, TypeSet types, const View& x,
                         const View& out) {
  require(types.has(dtype), "dtype is {}; expected {}", name_of(dtype), names_of(types));
  require(!is_complex(x.type) || is_complex(dtype), "dtype is {}; {} has the type {}",
          name_of(dtype), p.name(x), name_of(x.type));
  p.require_castable(dtype, out);
}

/// Whether anything along the dims is not 0, or all is.
void plan_truth(Planner& p, const View& x, const Dims& mask, bool all, const View& out) {
  plan_fold<double>(p, x, mask, {out, {}}, Fold<double>::of(TruthFold{all}));
}

/// Sums, also as means. Bool counts numbers that are not 0, and as the type of a result says
/// whether any is.
void plan_sum(Planner& p, const View& x, const Dims& mask, aclDataType dtype, bool mean,
              const View& out) {
  if (dtype == ACL_BOOL) return plan_truth(p, x, mask, false, out);
  in_lane<ArithmeticLanes>(compute_type_of(dtype), [&](auto zero) {
    using T = decltype(zero);
    plan_fold<T>(p, x, mask, {out, {}}, Fold<T>::of(SumFold<T>{mean}));
  });
}

void plan_greatest(Planner& p, const View& x, const Dims& mask, const View& out) {
  require(x.count() != 0 || out.count() == 0, "{} has the shape {}; expected elements to compare",
          p.name(x), x.shape.text());
  in_lane<OrderedLanes>(x.lane(), [&](auto zero) {
    using T = decltype(zero);
    plan_fold<T>(p, x, mask, {out, {}}, Fold<T>::of(GreatestFold<T>{}));
  });
}

aclnnStatus truth(const char* function, const aclTensor* self, const aclIntArray* dim, bool keepdim,
                  bool all, aclTensor* out, std::uint64_t* workspace, aclOpExecutor** executor) {
  return first_phase(function, workspace, executor, [&](Planner& p) {
    const auto [x, dims, y] = p.take(In{self, "self", kReals}, Ints{dim, "dim"},
                                     Out{out, "out", kBool | TypeSet{ACL_UINT8}});
    const Dims mask = p.dims(dims, x.rank(), "dim");
    require_folded(p, x, mask, keepdim, y);
    plan_truth(p, x, mask, all, y);
  });
}

aclnnStatus variance(const char* function, const aclTensor* self, const aclIntArray* dim,
                     std::int64_t correction, bool keepdim, bool root, aclTensor* out,
                     std::uint64_t* workspace, aclOpExecutor** executor) {
  return first_phase(function, workspace, executor, [&](Planner& p) {
    const auto [x, dims, y] =
        p.take(In{self, "self", kFloats}, OptInts{dim, "dim"}, Out{out, "out", kFloats});
    const Dims mask = p.dims(dims.value_or(std::vector<std::int64_t>{}), x.rank(), "dim");
    require_folded(p, x, mask, keepdim, y);
    plan_fold<float>(p, x, mask, {y, {}}, Fold<float>::of(VarianceFold{correction, root}));
  });
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnReduceSumGetWorkspaceSize(const aclTensor* self, const aclIntArray* dims,
                                           bool keepDims, aclDataType dtype, aclTensor* out,
                                           uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnReduceSum", workspaceSize, executor, [&](Planner& p) {
    const auto [x, along, y] =
        p.take(In{self, "self", kNumbers}, Ints{dims, "dims"}, Out{out, "out", kNumbers});
    require_result_type(p, dtype, kNumbers, x, y);
    const Dims mask = p.dims(along, x.rank(), "dims");
    require_folded(p, x, mask, keepDims, y);
    plan_sum(p, x, mask, dtype, false, y);
  });
}
ACLNN_SECOND_PHASE(aclnnReduceSum)

aclnnStatus aclnnMeanGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim, bool keepDim,
                                      aclDataType dtype, aclTensor* out, uint64_t* workspaceSize,
                                      aclOpExecutor** executor) {
  return first_phase("aclnnMean", workspaceSize, executor, [&](Planner& p) {
    const auto [x, along, y] =
        p.take(In{self, "self", kMeanTypes}, Ints{dim, "dim"}, Out{out, "out", kMeanTypes});
    require_result_type(p, dtype, kMeanTypes, x, y);
    const Dims mask = p.dims(along, x.rank(), "dim");
    require_folded(p, x, mask, keepDim, y);
    plan_sum(p, x, mask, dtype, true, y);
  });
}
ACLNN_SECOND_PHASE(aclnnMean)

aclnnStatus aclnnProdDimGetWorkspaceSize(const aclTensor* self, int64_t dim, bool keepDim,
                                         const aclDataType dtype, aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnProdDim", workspaceSize, executor, [&](Planner& p) {
    const auto [x, y] = p.take(In{self, "self", kNumbers}, Out{out, "out", kNumbers});
    require_result_type(p, dtype, kNumbers, x, y);
    const Dims mask = one_dim(p.dim(dim, x.rank(), "dim"));
    require_folded(p, x, mask, keepDim, y);
    if (dtype == ACL_BOOL) return plan_truth(p, x, mask, true, y);
    in_lane<ArithmeticLanes>(compute_type_of(dtype), [&, x = x, y = y](auto zero) {
      using T = decltype(zero);
      plan_fold<T>(p, x, mask, {y, {}}, Fold<T>::of(ProductFold<T>{}));
    });
  });
}
ACLNN_SECOND_PHASE(aclnnProdDim)

aclnnStatus aclnnAmaxGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim, bool keepDim,
                                      aclTensor* out, uint64_t* workspaceSize,
                                      aclOpExecutor** executor) {
  return first_phase("aclnnAmax", workspaceSize, executor, [&](Planner& p) {
    const auto [x, along, y] =
        p.take(In{self, "self", kReals}, Ints{dim, "dim"}, Out{out, "out", kReals});
    p.require_type(y, x.type);
    const Dims mask = p.dims(along, x.rank(), "dim");
    require_folded(p, x, mask, keepDim, y);
    plan_greatest(p, x, mask, y);
  });
}
ACLNN_SECOND_PHASE(aclnnAmax)

aclnnStatus aclnnMaxGetWorkspaceSize(const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
                                     aclOpExecutor** executor) {
  return first_phase("aclnnMax", workspaceSize, executor, [&](Planner& p) {
    const auto [x, y] = p.take(In{self, "self", kReals}, Out{out, "out", kReals});
    p.require_castable(x.type, y);
    const Dims mask = p.dims({}, x.rank(), "dim");
    require_folded(p, x, mask, false, y);
    plan_greatest(p, x, mask, y);
  });
}
ACLNN_SECOND_PHASE(aclnnMax)

aclnnStatus aclnnAnyGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim, bool keepdim,
                                     aclTensor* out, uint64_t* workspaceSize,
                                     aclOpExecutor** executor) {
  return truth("aclnnAny", self, dim, keepdim, false, out, workspaceSize, executor);
}
ACLNN_SECOND_PHASE(aclnnAny)

aclnnStatus aclnnAllGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim, bool keepdim,
                                     aclTensor* out, uint64_t* workspaceSize,
                                     aclOpExecutor** executor) {
  return truth("aclnnAll", self, dim, keepdim, true, out, workspaceSize, executor);
}
ACLNN_SECOND_PHASE(aclnnAll)

aclnnStatus aclnnNormGetWorkspaceSize(const aclTensor* self, const aclScalar* pScalar,
                                      const aclIntArray* dim, bool keepdim, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnNorm", workspaceSize, executor, [&](Planner& p) {
    const auto [x, power, along, y] =
        p.take(In{self, "self", kFloats}, Value{pScalar, "pScalar", kReals}, Ints{dim, "dim"},
               Out{out, "out", kFloats});
    const Dims mask = p.dims(along, x.rank(), "dim");
    require_folded(p, x, mask, keepdim, y);
    plan_fold<float>(p, x, mask, {y, {}}, Fold<float>::of(NormFold{power.real()}));
  });
}
ACLNN_SECOND_PHASE(aclnnNorm)

aclnnStatus aclnnVarCorrectionGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim,
                                               int64_t correction, bool keepdim, aclTensor* out,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return variance("aclnnVarCorrection", self, dim, correction, keepdim, false, out, workspaceSize,
                  executor);
}
ACLNN_SECOND_PHASE(aclnnVarCorrection)

aclnnStatus aclnnStdGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim,
                                     const int64_t correction, bool keepdim, aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
  return variance("aclnnStd", self, dim, correction, keepdim, true, out, workspaceSize, executor);
}
ACLNN_SECOND_PHASE(aclnnStd)

aclnnStatus aclnnLogSumExpGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim,
                                           bool keepDim, aclTensor* out, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
  return first_phase("aclnnLogSumExp", workspaceSize, executor, [&](Planner& p) {
    const auto [x, along, y] = p.take(In{self, "self", kReals.without({ACL_DOUBLE})},
                                      Ints{dim, "dim"}, Out{out, "out", kFloats});
    const Dims mask = p.dims(along, x.rank(), "dim");
    require_folded(p, x, mask, keepDim, y);
    plan_fold<float>(p, x, mask, {y, {}}, Fold<float>::of(LogSumExpFold{}));
  });
}
ACLNN_SECOND_PHASE(aclnnLogSumExp)
