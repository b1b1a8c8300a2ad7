// SPDX-License-Identifier: Apache-2.0
// Plain products of matrices and vectors.
#include "aclnnop/aclnn_batch_matmul.h"
#include "aclnnop/aclnn_dot.h"
#include "aclnnop/aclnn_ger.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_mv.h"
#include "aclnnop/aclnn_trans_matmul_weight.h"
#include "runtime/aclnn/loops/elementwise.h"
#include "runtime/aclnn/operators/matrix/common.h"

namespace aclnn {
namespace {

struct MatrixArguments {
  const aclTensor* self;
  const char* other_name;
  const aclTensor* other;
  aclTensor* out;
  std::int8_t cube_math;
};

/// The operands, which have `least` to `most` dims.
std::array<View, 3> take_matrices(Planner& p, const MatrixArguments& arguments, int least,
                                  int most) {
  const auto [a, b, out] = p.take(In{arguments.self, "self", kFloats},
                                  In{arguments.other, arguments.other_name, kFloats},
                                  Out{arguments.out, "out", kFloats});
  p.promote(a, b);
  require_cube_math(arguments.cube_math);
  p.require_rank(a, least, most);
  p.require_rank(b, least, most);
  return {a, b, out};
}

void plan_matrices(Planner& p, View a, View b, const View& out) {
  p.require_shape(out, expand_matrices(p, a, b));
  plan_works(p, {product_of_views<float>(a, b, out)});
}

/// A vector counts as a matrix of one row or one column, and this dim is dropped of the result.
void plan_any_product(Planner& p, View a, View b, const View& out) {
  const bool row = a.rank() == 1, column = b.rank() == 1;
  if (row) a = a.with_unit(0);
  if (column) b = b.with_unit(1);
  Shape expected = expand_matrices(p, a, b);
  View result = out;
  if (row) expected = expected.without(expected.rank - 2);
  if (column) expected = expected.without(expected.rank - 1);
  p.require_shape(out, expected);
  if (column) result = result.with_unit(result.rank());
  if (row) result = result.with_unit(result.rank() - 1);
  plan_works(p, {product_of_views<float>(a, b, result)});
}

template <class T>
void plan_dot(Planner& p, const View& a, const View& b, const View& out) {
  View result = out.with_unit(0).with_unit(0);
  plan_works(p, {product_of_views<T>(a.with_unit(0), b.with_unit(1), result)});
}

constexpr TypeSet kDotTypes = kFloats | TypeSet{ACL_INT8, ACL_UINT8, ACL_INT32};
constexpr TypeSet kWeightTypes = kHalves | TypeSet{ACL_INT8, ACL_FLOAT};

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnMmGetWorkspaceSize(const aclTensor* self, const aclTensor* mat2, aclTensor* out,
                                    int8_t cubeMathType, uint64_t* workspaceSize,
                                    aclOpExecutor** executor) {
  return first_phase("aclnnMm", workspaceSize, executor, [&](Planner& p) {
    const auto [a, b, c] = take_matrices(p, {self, "mat2", mat2, out, cubeMathType}, 2, 2);
    plan_matrices(p, a, b, c);
  });
}
ACLNN_SECOND_PHASE(aclnnMm)

aclnnStatus aclnnBatchMatMulGetWorkspaceSize(const aclTensor* self, const aclTensor* mat2,
                                             aclTensor* out, int8_t cubeMathType,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnBatchMatMul", workspaceSize, executor, [&](Planner& p) {
    const auto [a, b, c] = take_matrices(p, {self, "mat2", mat2, out, cubeMathType}, 3, 3);
    plan_matrices(p, a, b, c);
  });
}
ACLNN_SECOND_PHASE(aclnnBatchMatMul)

aclnnStatus aclnnMatmulGetWorkspaceSize(const aclTensor* self, const aclTensor* mat2,
                                        aclTensor* out, int8_t cubeMathType,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnMatmul", workspaceSize, executor, [&](Planner& p) {
    const auto [a, b, c] = take_matrices(p, {self, "mat2", mat2, out, cubeMathType}, 1, 6);
    plan_any_product(p, a, b, c);
  });
}
ACLNN_SECOND_PHASE(aclnnMatmul)

aclnnStatus aclnnMvGetWorkspaceSize(const aclTensor* self, const aclTensor* vec, aclTensor* out,
                                    int8_t cubeMathType, uint64_t* workspaceSize,
                                    aclOpExecutor** executor) {
  return first_phase("aclnnMv", workspaceSize, executor, [&](Planner& p) {
    const auto [a, b, c] = take_matrices(p, {self, "vec", vec, out, cubeMathType}, 1, 2);
    p.require_rank(a, 2, 2);
    p.require_rank(b, 1, 1);
    plan_any_product(p, a, b, c);
  });
}
ACLNN_SECOND_PHASE(aclnnMv)

aclnnStatus aclnnDotGetWorkspaceSize(const aclTensor* self, const aclTensor* tensor, aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnDot", workspaceSize, executor, [&](Planner& p) {
    const auto [a, b, c] = p.take(In{self, "self", kDotTypes}, In{tensor, "tensor", kDotTypes},
                                  Out{out, "out", kDotTypes});
    p.require_type(b, a.type);
    p.require_castable(a.type, c);
    p.require_rank(a, 1, 1);
    p.require_shape(b, a.shape);
    require(c.count() == 1 && c.rank() <= 1, "out has the shape {}; expected one element",
            c.shape.text());
    const View one = c.rank() == 0 ? c : c.selected(0, 0);
    if (a.lane() == ComputeType::f32) return plan_dot<float>(p, a, b, one);
    plan_dot<std::int64_t>(p, a, b, one);
  });
}
ACLNN_SECOND_PHASE(aclnnDot)

aclnnStatus aclnnGerGetWorkspaceSize(const aclTensor* self, const aclTensor* vec2, aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnGer", workspaceSize, executor, [&](Planner& p) {
    const auto [a, b, c] =
        p.take(In{self, "self", kNumbers}, In{vec2, "vec2", kNumbers}, Out{out, "out", kNumbers});
    const aclDataType type = p.promote(a, b);
    p.require_castable(type, c);
    p.require_rank(a, 1, 1);
    p.require_rank(b, 1, 1);
    const Shape shape{a.size(0), b.size(0)};
    p.require_shape(c, shape);
    const View left = a.with_unit(1).expanded(shape), right = b.with_unit(0).expanded(shape);
    in_lane<AllLanes>(compute_type_of(type), [&, result = c](auto zero) {
      using T = decltype(zero);
      plan_elements<T, 2>(p, {left, right}, result, [](T x, T y) { return x * y; });
    });
  });
}
ACLNN_SECOND_PHASE(aclnnGer)

// The layout of weights for the matrix unit has no effect here: the numbers keep their order.
aclnnStatus aclnnTransMatmulWeightGetWorkspaceSize(aclTensor* mmWeightRef, uint64_t* workspaceSize,
                                                   aclOpExecutor** executor) {
  return first_phase("aclnnTransMatmulWeight", workspaceSize, executor, [&](Planner& p) {
    const auto [weight] = p.take(Ref{mmWeightRef, "mmWeightRef", kWeightTypes});
    if (weight.rank() != 0 && weight.count() != 0) p.require_rank(weight, 2, 6);
  });
}
ACLNN_SECOND_PHASE(aclnnTransMatmulWeight)

aclnnStatus aclnnCalculateMatmulWeightSizeV2(const aclIntArray* tensorShape, aclDataType dataType,
                                             uint64_t* weightTensorSize) {
  return guarded("aclnnCalculateMatmulWeightSizeV2", [&] {
    if (!tensorShape) fail(kNullPointer, "tensorShape is null");
    if (!weightTensorSize) fail(kNullPointer, "weightTensorSize is null");
    const auto& dims = tensorShape->values;
    require(dims.size() >= 2 && dims.size() <= 6, "tensorShape has {} dims; expected 2 to 6",
            dims.size());
    const std::uint64_t last = kHalves.has(dataType) ? 16 : 32;
    std::uint64_t size = 1;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      require(dims[d] >= 0, "tensorShape[{}] is {}; expected no negative dims", d, dims[d]);
      const std::uint64_t unit = d + 1 == dims.size() ? last : d + 2 == dims.size() ? 16 : 1;
      size *= (static_cast<std::uint64_t>(dims[d]) + unit - 1) / unit * unit;
    }
    *weightTensorSize = size;
  });
}
