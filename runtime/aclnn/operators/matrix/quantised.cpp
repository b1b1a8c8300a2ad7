// SPDX-License-Identifier: Apache-2.0
// Products of numbers of eight or four bits, and rows made of such: QuantMatmulV4, DynamicQuant.
#include <algorithm>
#include <cmath>
#include <optional>

#include "aclnnop/aclnn_dynamic_quant.h"
#include "aclnnop/aclnn_quant_matmul_v4.h"
#include "runtime/aclnn/loops/convert.h"
#include "runtime/aclnn/loops/elementwise.h"
#include "runtime/aclnn/operators/matrix/common.h"
#include "runtime/aclnn/operators/matrix/nibbles.h"
#include "runtime/aclnn/operators/matrix/quant_result.h"

namespace aclnn {
namespace {

constexpr TypeSet kMatmulScales{ACL_FLOAT, ACL_BF16, ACL_INT64, ACL_UINT64};
constexpr TypeSet kMatmulResults = kHalves | TypeSet{ACL_INT8, ACL_INT32};
constexpr TypeSet kFewBits{ACL_INT8, ACL_INT4, ACL_INT32};  // INT32: eight of four bits

void require_vector(const Planner& p, const View& view, std::int64_t count, bool one) {
  if (!view) return;
  require(view.rank() == 1 && (view.size(0) == count || (one && view.size(0) == 1)),
          "{} has the shape {}; expected [{}]", p.name(view), view.shape.text(), count);
}

/// Matrices of INT8, or of INT4.
Source<double> few_bits(const View& matrices) {
  if (matrices.type != ACL_INT4) return source_of<double>(matrices);
  Source<double> source;
  const int rank = matrices.rank();
  const bool down = matrices.stride(rank - 2) == 1 && matrices.stride(rank - 1) != 1;
  source.along_rows = down;
  source.load = [matrices, down](Execution& run, const Tile& block, std::vector<double>& scratch) {
    thread_local std::vector<float> line;
    const Nibbles nibbles(matrix_at(matrices, block.batch));
    const std::int64_t count = down ? block.rows : block.columns;
    const std::int64_t lines = down ? block.columns : block.rows;
    double* const to = room(scratch, block.rows * block.columns);
    float* const from = room(line, count);
    for (std::int64_t i = 0; i < lines; ++i) {
      nibbles.load(run, block.row + (down ? 0 : i), block.column + (down ? i : 0), count, down,
                   from);
      std::copy(from, from + count, to + i * count);
    }
    return down ? Matrix<double>{to, 1, count} : Matrix<double>{to, count, 1};
  };
  return source;
}

/// out = finish(a @ b), all with the batch dims of out.
Work quantised_product(const View& a, const View& b, const View& out, const QuantResult& finish) {
  Product<double> product;
  product.batch_dims = out.rank() - 2;
  for (int d = 0; d < product.batch_dims; ++d) product.batches *= out.size(d);
  product.m = out.size(product.batch_dims);
  product.n = out.size(product.batch_dims + 1);
  product.k = a.size(a.rank() - 1);
  product.a = few_bits(a);
  product.b = few_bits(b);
  product.out = out;
  product.finish = finish;
  return work_of(std::move(product));
}

/// A row of x times the factors, as whole numbers from -most - 1 to most; returns what 1 of them is
/// worth.
float quantise_row(const float* x, const float* factors, float most, float* to,
                   std::int64_t count) {
  float greatest = 0;
  for (std::int64_t j = 0; j < count; ++j) {
    to[j] = factors ? x[j] * factors[j] : x[j];
    greatest = std::max(greatest, std::fabs(to[j]));
  }
  const float step = greatest / most;
  for (std::int64_t j = 0; j < count; ++j) {
    to[j] = step == 0.0F ? 0.0F : std::clamp(std::nearbyint(to[j] / step), -most - 1, most);
  }
  return step;
}

/// The rows [begin, end) of x: as bytes in y, or as nibbles.
void quantise_rows(Execution& run, const View& x, const View& smooth, const View& y,
                   const std::optional<NibbleRows>& nibbles, const View& scales, std::int64_t begin,
                   std::int64_t end) {
  const std::int64_t count = x.size(x.rank() - 1);
  thread_local std::vector<float> row, factors, result;
  const Data bytes_at = run.at(nibbles ? scales : y);  // not used where there are nibbles
  Reader<float> reader(run.at(x));
  Writer<float> bytes(bytes_at), steps(run.at(scales));
  reader.seek(begin * count);
  if (!nibbles) bytes.seek(begin * count);
  steps.seek(begin);
  const float* all = nullptr;
  if (smooth) {
    Reader<float> from(run.at(smooth));
    from.seek(0);
    all = from.next(count, room(factors, count));
  }
  for (std::int64_t i = begin; i < end; ++i) {
    float* const to = room(result, count);
    const float* const from = reader.next(count, room(row, count));
    const float step = quantise_row(from, all, nibbles ? 7.0F : 127.0F, to, count);
    nibbles ? nibbles->store(run, i, to) : bytes.write(count, to);
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
               Out{yOut, "yOut", kFewBits}, Out{scaleOut, "scaleOut", {ACL_FLOAT}});
    p.require_rank(from, 2, kMaxRank);
    p.require_rank(y, from.rank(), from.rank());
    std::optional<NibbleRows> nibbles;
    Shape shape = from.shape;
    if (y.type == ACL_INT32) {
      require(shape[shape.rank - 1] % 8 == 0,
              "x has the shape {}; expected a multiple of 8 as the last dim, as yOut is INT32",
              from.shape.text());
      shape[shape.rank - 1] /= 8;
    }
    p.require_shape(y, shape);
    if (y.type != ACL_INT8 && y.count() != 0) nibbles.emplace(p, y);
    const std::int64_t count = from.size(from.rank() - 1);
    p.require_shape(scale, from.shape.without(from.rank() - 1));
    if (smooth) {
      p.require_type(smooth, from.type);
      p.require_shape(smooth, Shape{count});
    }
    if (from.count() == 0) return;
    p.job_over(from.count() / count, std::max<std::int64_t>(kLeastElements / count, 1),
               [x = from, smooth = smooth, y = y, nibbles, scale = scale](
                   Execution& run, std::int64_t begin, std::int64_t end) {
                 quantise_rows(run, x, smooth, y, nibbles, scale, begin, end);
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
        p.take(In{x1, "x1", kFewBits}, In{x2, "x2", kFewBits}, In{scale, "scale", kMatmulScales},
               OptIn{offset, "offset", {ACL_FLOAT}},
               OptIn{pertokenScaleOptional, "pertokenScaleOptional", {ACL_FLOAT}},
               OptIn{bias, "bias", kFloats | TypeSet{ACL_INT32}}, Out{out, "out", kMatmulResults});
    p.require_rank(a, 2, 6);
    p.require_rank(b, 2, 6);
    if (a.type != ACL_INT8) a = as_nibbles(p, a);
    if (b.type != ACL_INT8) b = as_nibbles(p, b);
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
    plan_works(p, {quantised_product(a, b, result, finish)});
  });
}
ACLNN_SECOND_PHASE(aclnnQuantMatmulV4)
