// SPDX-License-Identifier: Apache-2.0
// Products that are added to something: beta * self + alpha * product.
#include "aclnnop/aclnn_addmm.h"
#include "aclnnop/aclnn_addmv.h"
#include "aclnnop/aclnn_baddbmm.h"
#include "runtime/aclnn/operators/matrix/common.h"

namespace aclnn {
namespace {

constexpr TypeSet kSumFactors = kReals;

/// out = beta * self + alpha * (a @ b), of matrices with `rank` dims.
void plan_sum(Planner& p, const View& self, View a, View b, const View& out, double alpha,
              double beta, int rank) {
  p.promote(a, b);
  p.promote(self, a);
  p.require_rank(a, rank, rank);
  p.require_rank(b, rank, rank);
  const Shape shape = expand_matrices(p, a, b);
  p.require_shape(out, shape);
  const View expanded = p.expand(self, shape);
  plan_works(
      p, {product_of_views<float>(a, b, out,
                                  scaled_sum<float>(expanded, rank - 2, static_cast<float>(alpha),
                                                    static_cast<float>(beta)))});
}

/// As one row: vec[1, m] @ mat^T[m, n].
template <class T>
void plan_vector_sum(Planner& p, const View& self, const View& mat, const View& vec,
                     const View& out, const aclScalar& alpha, const aclScalar& beta) {
  const View expanded = p.expand(self, out.shape).with_unit(0), result = out.with_unit(0);
  plan_works(p, {product_of_views<T>(vec.with_unit(0), mat.transposed(0, 1), result,
                                     scaled_sum<T>(expanded, 0, alpha.as<T>(), beta.as<T>()))});
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnAddmmGetWorkspaceSize(const aclTensor* self, const aclTensor* mat1,
                                       const aclTensor* mat2, const aclScalar* beta,
                                       const aclScalar* alpha, aclTensor* out, int8_t cubeMathType,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnAddmm", workspaceSize, executor, [&](Planner& p) {
    const auto [c, a, b, times_self, times, result] =
        p.take(In{self, "self", kFloats}, In{mat1, "mat1", kFloats}, In{mat2, "mat2", kFloats},
               Value{beta, "beta", kSumFactors}, Value{alpha, "alpha", kSumFactors},
               Out{out, "out", kFloats});
    require_cube_math(cubeMathType);
    plan_sum(p, c, a, b, result, times.real(), times_self.real(), 2);
  });
}
ACLNN_SECOND_PHASE(aclnnAddmm)

aclnnStatus aclnnBaddbmmGetWorkspaceSize(const aclTensor* self, const aclTensor* batch1,
                                         const aclTensor* batch2, const aclScalar* beta,
                                         const aclScalar* alpha, aclTensor* out,
                                         int8_t cubeMathType, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return first_phase("aclnnBaddbmm", workspaceSize, executor, [&](Planner& p) {
    const auto [c, a, b, times_self, times, result] =
        p.take(In{self, "self", kFloats}, In{batch1, "batch1", kFloats},
               In{batch2, "batch2", kFloats}, Value{beta, "beta", kSumFactors},
               Value{alpha, "alpha", kSumFactors}, Out{out, "out", kFloats});
    require_cube_math(cubeMathType);
    plan_sum(p, c, a, b, result, times.real(), times_self.real(), 3);
  });
}
ACLNN_SECOND_PHASE(aclnnBaddbmm)

aclnnStatus aclnnAddmvGetWorkspaceSize(const aclTensor* self, const aclTensor* mat,
                                       const aclTensor* vec, const aclScalar* alpha,
                                       const aclScalar* beta, aclTensor* out, int8_t cubeMathType,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnAddmv", workspaceSize, executor, [&](Planner& p) {
    const auto [c, a, b, times, times_self, result] =
        p.take(In{self, "self", kReals}, In{mat, "mat", kReals}, In{vec, "vec", kReals},
               Value{alpha, "alpha", kSumFactors}, Value{beta, "beta", kSumFactors},
               Out{out, "out", kReals});
    require_cube_math(cubeMathType);
    p.require_rank(a, 2, 2);
    p.require_rank(b, 1, 1);
    require(b.size(0) == a.size(1), "vec has the shape {}; expected [{}], as mat has the shape {}",
            b.shape.text(), a.size(1), a.shape.text());
    p.require_shape(result, Shape{a.size(0)});
    aclDataType type = p.promote(a, b);
    require(promote(type, c.type, type), "self has the type {}, which does not mix with mat",
            name_of(c.type));
    p.require_castable(type, result);
    switch (compute_type_of(type)) {
      case ComputeType::f32:
        return plan_vector_sum<float>(p, c, a, b, result, times, times_self);
      case ComputeType::f64:
        return plan_vector_sum<double>(p, c, a, b, result, times, times_self);
      default:
        return plan_vector_sum<std::int64_t>(p, c, a, b, result, times, times_self);
    }
  });
}
ACLNN_SECOND_PHASE(aclnnAddmv)
