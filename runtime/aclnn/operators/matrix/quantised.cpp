// SPDX-License-Identifier: Apache-2.0
// Products of numbers of eight bits, and rows made of such: QuantMatmulV4, DynamicQuant.
#include <algorithm>
#include <cmath>

#include "aclnnop/aclnn_dynamic_quant.h"
#include "aclnnop/aclnn_quant_matmul_v4.h"
#include "runtime/aclnn/loops/convert.h"
#include "runtime/aclnn/loops/elementwise.h"
#include "runtime/aclnn/operators/matrix/common.h"
#include "runtime/aclnn/operators/matrix/quant_result.h"

namespace aclnn {
namespace {

constexpr TypeSet kMatmulScales{ACL_FLOAT, ACL_BF16, ACL_INT64, ACL_UINT64};
constexpr TypeSet kMatmulResults = kHalves | TypeSet{ACL_INT8, ACL_INT32};

void require_vector(const Planner& p, const View& view, std::int64_t count, bool one) {
  if (!view) return;
  require(view.rank() == 1 && (view.size(0) == count || (one && view.size(0) == 1)),
          "{} has the shape {}; expected [{}]", p.name(view), view.shape.text(), count);
}

/// The rows [begin, end) of x as bytes, and what a byte's 1 means in each.
void quantise_rows(const Data& x, const Data* smooth, const Data& y, const Data& scales,
                   std::int64_t begin, std::int64_t end) {
  const std::int64_t count = x.view.size(x.view.rank() - 1);
  thread_local std::vector<float> row, factors, result;
  Reader<float> reader(x);
  Writer<float> bytes(y), steps(scales);
  reader.seek(begin * count);
  bytes.seek(begin * count);
  steps.seek(begin);
  if (smooth) {
    Reader<float> from(*smooth);
    from.seek(0);
    const float* const all = from.next(count, room(factors, count));
    if (all != factors.data()) std::copy(all, all + count, factors.data());
  }
  for (std::int64_t i = begin; i < end; ++i) {
    const float* const from = reader.next(count, room(row, count));
    float* const to = room(result, count);
    float most = 0;
    for (std::int64_t j = 0; j < count; ++j) {
      to[j] = smooth ? from[j] * factors[static_cast<std::size_t>(j)] : from[j];
      most = std::max(most, std::fabs(to[j]));
    }
    const float step = most / 127.0F;
    for (std::int64_t j = 0; j < count; ++j) {
      to[j] = step == 0.0F ? 0.0F : std::clamp(std::nearbyint(to[j] / step), -128.0F, 127.0F);
    }
    bytes.write(count, to);
    steps.write(1, &step);
  }
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnDynamicQuantGetWorkspaceSize(const aclTensor* x,
                                              const aclTensor* smoothScalesOptional,
                                              const aclTensor* yOut, const aclTensor* scaleOut,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnDynamicQuant", workspaceSize, executor, [&](Planner& p) {
    const auto [from, smooth, y, scale] =
        p.take(In{x, "x", kHalves}, OptIn{smoothScalesOptional, "smoothScalesOptional", kHalves},
               Out{yOut, "yOut", {ACL_INT8}}, Out{scaleOut, "scaleOut", {ACL_FLOAT}});
    p.require_rank(from, 2, kMaxRank);
    p.require_shape(y, from.shape);
    const std::int64_t count = from.size(from.rank() - 1);
    p.require_shape(scale, from.shape.without(from.rank() - 1));
    if (smooth) {
      p.require_type(smooth, from.type);
      p.require_shape(smooth, Shape{count});
    }
    if (from.count() == 0) return;
    p.job_over(from.count() / count, std::max<std::int64_t>(kLeastElements / count, 1),
               [=, x = from, smooth = smooth, y = y, scale = scale](Run& run, std::int64_t begin,
                                                                    std::int64_t end) {
                 Data factors;
                 if (smooth) factors = run.at(smooth);
                 quantise_rows(run.at(x), smooth ? &factors : nullptr, run.at(y), run.at(scale),
                               begin, end);
               });
  });
}
ACLNN_SECOND_PHASE(aclnnDynamicQuant)

aclnnStatus aclnnQuantMatmulV4GetWorkspaceSize(const aclTensor* x1, const aclTensor* x2,
                                               const aclTensor* scale, const aclTensor* offset,
                                               const aclTensor* pertokenScaleOptional,
                                               const aclTensor* bias, bool transposeX1,
                                               bool transposeX2, const aclTensor* out,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnQuantMatmulV4", workspaceSize, executor, [&](Planner& p) {
    auto [a, b, scales, offsets, token_scales, more, result] =
        p.take(In{x1, "x1", {ACL_INT8}}, In{x2, "x2", {ACL_INT8}},
               In{scale, "scale", kMatmulScales}, OptIn{offset, "offset", {ACL_FLOAT}},
               OptIn{pertokenScaleOptional, "pertokenScaleOptional", {ACL_FLOAT}},
               OptIn{bias, "bias", kFloats | TypeSet{ACL_INT32}}, Out{out, "out", kMatmulResults});
    p.require_rank(a, 2, 6);
    p.require_rank(b, 2, 6);
    if (transposeX1) a = a.transposed(a.rank() - 2, a.rank() - 1);
    if (transposeX2) b = b.transposed(b.rank() - 2, b.rank() - 1);
    const Shape shape = expand_matrices(p, a, b);
    p.require_shape(result, shape);
    const std::int64_t m = shape[shape.rank - 2], n = shape[shape.rank - 1];
    require_vector(p, scales, n, true);
    require_vector(p, offsets, n, true);
    require_vector(p, token_scales, m, false);
    require_vector(p, more, n, false);
    const bool bytes = result.type == ACL_INT8;
    require(!offsets || bytes, "offset is given; expected null, as out has the type {}",
            name_of(result.type));
    require(!bytes || !token_scales,
            "pertokenScaleOptional is given; expected null, as out is INT8");
    const QuantResult finish{scales, offsets, token_scales, more, bytes, result.type != ACL_INT32};
    plan_works(p, {product_of_views<double>(a, b, result, finish)});
  });
}
ACLNN_SECOND_PHASE(aclnnQuantMatmulV4)
