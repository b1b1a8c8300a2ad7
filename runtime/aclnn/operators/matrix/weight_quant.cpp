// SPDX-License-Identifier: Apache-2.0
// Products with weights in few bits: WeightQuantBatchMatmulV2.
#include <algorithm>
#include <cmath>

#include "aclnnop/aclnn_weight_quant_batch_matmul_v2.h"
#include "runtime/aclnn/loops/convert.h"
#include "runtime/aclnn/operators/matrix/common.h"
#include "runtime/aclnn/operators/matrix/quant_weights.h"

namespace aclnn {
namespace {

constexpr TypeSet kQuantWeights{ACL_INT8, ACL_INT4, ACL_INT32};
constexpr TypeSet kQuantScales{ACL_UINT64, ACL_INT64, ACL_FLOAT};

/// A number that is kept in the low bits of a longer one, or is one itself.
float scale_at(const Data& data, std::int64_t i) {
  const std::byte* const at =
      data.at + i * data.view.stride(0) * static_cast<std::int64_t>(size_of(data.view.type));
  return load_one<float>(at, ACL_FLOAT);
}

struct QuantFinish {
  View bias, scale, offset;  // [n]; may be false

  void operator()(Execution& run, const Tile& block, float* tile) const {
    const auto at = [](const View& view, std::int64_t j) { return view.size(0) == 1 ? 0 : j; };
    for (std::int64_t j = 0; j < block.columns; ++j) {
      const std::int64_t column = block.column + j;
      const float more =
          bias ? load_one<float>(run.at(bias.selected(0, column)).at, bias.type) : 0.0F;
      const float factor = scale ? scale_at(run.at(scale), at(scale, column)) : 1.0F;
      const float add =
          offset ? load_one<float>(run.at(offset.selected(0, at(offset, column))).at, offset.type)
                 : 0.0F;
      for (std::int64_t i = 0; i < block.rows; ++i) {
        float& value = tile[i * block.columns + j];
        value += more;
        if (scale) value = std::clamp(std::nearbyint(value * factor + add), -128.0F, 127.0F);
      }
    }
  }
};

/// A parameter [n] or [1, n], or one number for all if that is allowed.
View column_view(const Planner& p, const View& given, std::int64_t n, bool one) {
  if (!given) return given;
  const View view = given.rank() == 2 && given.size(0) == 1 ? given.without(0) : given;
  require(view.rank() == 1 && (view.size(0) == n || (one && view.size(0) == 1)),
          "{} has the shape {}; expected [{}]", p.name(given), given.shape.text(), n);
  return view;
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* antiquantScale,
    const aclTensor* antiquantOffsetOptional, const aclTensor* quantScaleOptional,
    const aclTensor* quantOffsetOptional, const aclTensor* biasOptional, int antiquantGroupSize,
    const aclTensor* y, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnWeightQuantBatchMatmulV2", workspaceSize, executor, [&](Planner& p) {
    const auto [a, w, scale, offset, quant_scale, quant_offset, bias, out] = p.take(
        In{x, "x", kHalves}, In{weight, "weight", kQuantWeights},
        In{antiquantScale, "antiquantScale", kHalves},
        OptIn{antiquantOffsetOptional, "antiquantOffsetOptional", kHalves},
        OptIn{quantScaleOptional, "quantScaleOptional", kQuantScales},
        OptIn{quantOffsetOptional, "quantOffsetOptional", {ACL_FLOAT}},
        OptIn{biasOptional, "biasOptional", kFloats}, Out{y, "y", kHalves | TypeSet{ACL_INT8}});
    p.require_type(scale, a.type);
    if (offset) p.require_type(offset, a.type);
    p.require_type(out, quant_scale ? ACL_INT8 : a.type);
    require(!quant_offset || quant_scale, "quantScaleOptional is null; quantOffsetOptional is not");
    p.require_rank(a, 2, 2);
    p.require_rank(w, 2, 2);
    p.require_rank(out, 2, 2);
    const std::int64_t m = a.size(0), k = a.size(1), n = out.size(1), group = antiquantGroupSize;
    p.require_shape(out, Shape{m, n});
    require(group == 0 || (group >= 32 && group % 32 == 0 && group < k),
            "antiquantGroupSize is {}; expected 0, or a multiple of 32 below {}", group, k);
    if (k == 0 || n == 0) return;
    const QuantWeights weights = quant_weights(p, w, scale, offset, k, n, group);
    const QuantFinish finish{column_view(p, bias, n, false), column_view(p, quant_scale, n, true),
                             column_view(p, quant_offset, n, true)};
    Product<float> product;
    product.m = m;
    product.n = n;
    product.k = k;
    product.a = source_of<float>(a);
    product.b.along_rows = weights.along_rows;
    product.b.load = [weights](Execution& run, const Tile& block, std::vector<float>& scratch) {
      return weights.load(run, block, scratch);
    };
    product.out = out;
    if (finish.bias || finish.scale) product.finish = finish;
    plan_works(p, {work_of(std::move(product))});
  });
}
ACLNN_SECOND_PHASE(aclnnWeightQuantBatchMatmulV2)
