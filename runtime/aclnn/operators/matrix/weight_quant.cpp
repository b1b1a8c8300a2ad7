// SPDX-License-Identifier: Apache-2.0
// Products with weights in few bits: WeightQuantBatchMatmulV2.
#include <algorithm>
#include <cmath>

#include "aclnnop/aclnn_weight_quant_batch_matmul_v2.h"
#include "runtime/aclnn/loops/convert.h"
#include "runtime/aclnn/operators/matrix/common.h"
#include "runtime/aclnn/operators/matrix/nibbles.h"

namespace aclnn {
namespace {

constexpr TypeSet kQuantWeights{ACL_INT8, ACL_INT4, ACL_INT32};
constexpr TypeSet kQuantScales{ACL_UINT64, ACL_INT64, ACL_FLOAT};

/// Scales or offsets of weights [k, n] as [groups, n], where each group holds so many rows.
View group_view(const Planner& p, const View& given, std::int64_t groups, std::int64_t n) {
  p.require_rank(given, 1, 2);
  const View rows = given.rank() == 1 ? given.with_unit(0) : given;
  const Shape expected{groups, n};
  require(rows.shape == expected || (groups == 1 && rows.count() == 1),
          "{} has the shape {}; expected {}", p.name(given), given.shape.text(), expected.text());
  return rows.expanded(expected);
}

/// Weights as the product wants them: (weight + offset) * scale.
struct QuantWeights {
  Nibbles nibbles;     // where they are
  View bytes;          // or i8
  View scale, offset;  // [groups, n]; the offset may be false
  std::int64_t group;  // rows
  bool along_rows;

  Matrix<float> load(Run& run, const Block& block, std::vector<float>& scratch) const {
    float* const to = room(scratch, block.rows * block.columns);
    const std::int64_t line = along_rows ? block.rows : block.columns;
    const std::int64_t lines = along_rows ? block.columns : block.rows;
    for (std::int64_t i = 0; i < lines; ++i) {
      const std::int64_t row = along_rows ? block.row : block.row + i;
      const std::int64_t column = along_rows ? block.column + i : block.column;
      load_line(run, row, column, line, to + i * line);
    }
    scale_lines(run, block, to);
    return along_rows ? Matrix<float>{to, 1, line} : Matrix<float>{to, line, 1};
  }

 private:
  void load_line(Run& run, std::int64_t row, std::int64_t column, std::int64_t count,
                 float* to) const {
    if (nibbles) return nibbles.load(run, row, column, count, along_rows, to);
    const Data data = run.at(bytes);
    load_row<float>(bytes.type)(data.at + row * bytes.stride(0) + column * bytes.stride(1),
                                bytes.stride(along_rows ? 0 : 1), to, count);
  }

  void scale_lines(Run& run, const Block& block, float* to) const {
    thread_local std::vector<float> scales, offsets;
    const std::int64_t first = block.row / group, last = (block.row + block.rows - 1) / group;
    const Block part{0, first, last - first + 1, block.column, block.columns};
    const Matrix<float> s = load_block(run.at(scale), part, scales);
    Matrix<float> o{nullptr, 0, 0};
    if (offset) o = load_block(run.at(offset), part, offsets);
    for (std::int64_t i = 0; i < block.rows;) {  // runs of rows of one group
      const std::int64_t g = (block.row + i) / group - first;
      const std::int64_t end = std::min(block.rows, (g + first + 1) * group - block.row);
      for (std::int64_t j = 0; j < block.columns && along_rows; ++j) {
        const float factor = s.data[g * s.row + j * s.column];
        const float more = o.data ? o.data[g * o.row + j * o.column] : 0.0F;
        float* const line = to + j * block.rows;
        for (std::int64_t r = i; r < end; ++r) line[r] = (line[r] + more) * factor;
      }
      for (std::int64_t r = i; r < end && !along_rows; ++r) {
        float* const line = to + r * block.columns;
        for (std::int64_t j = 0; j < block.columns; ++j) {
          const float more = o.data ? o.data[g * o.row + j * o.column] : 0.0F;
          line[j] = (line[j] + more) * s.data[g * s.row + j * s.column];
        }
      }
      i = end;
    }
  }
};

/// A number that is kept in the low bits of a longer one, or is one itself.
float scale_at(const Data& data, std::int64_t i) {
  const std::byte* const at =
      data.at + i * data.view.stride(0) * static_cast<std::int64_t>(size_of(data.view.type));
  return load_one<float>(at, ACL_FLOAT);
}

struct QuantFinish {
  View bias, scale, offset;  // [n]; may be false

  void operator()(Run& run, const Block& block, float* tile) const {
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

/// A parameter [n] or [1, n], or one number for all where that is allowed.
View column_view(const Planner& p, const View& given, std::int64_t n, bool one) {
  if (!given) return given;
  const View view = given.rank() == 2 && given.size(0) == 1 ? given.without(0) : given;
  require(view.rank() == 1 && (view.size(0) == n || (one && view.size(0) == 1)),
          "{} has the shape {}; expected [{}]", p.name(given), given.shape.text(), n);
  return view;
}

QuantWeights quant_weights(const Planner& p, const View& weight, const View& scale,
                           const View& offset, std::int64_t k, std::int64_t n, std::int64_t group) {
  QuantWeights weights;
  if (weight.type == ACL_INT8) {
    p.require_shape(weight, Shape{k, n});
    weights.bytes = weight;
    weights.along_rows = std::abs(weight.stride(0)) < std::abs(weight.stride(1));
  } else {
    weights.nibbles = Nibbles(p, weight, k, n);
    weights.along_rows = weights.nibbles.along_rows();
  }
  weights.group = group == 0 ? k : group;
  const std::int64_t groups = (k + weights.group - 1) / weights.group;
  weights.scale = group_view(p, scale, groups, n);
  if (offset) weights.offset = group_view(p, offset, groups, n);
  return weights;
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
    product.b.load = [weights](Run& run, const Block& block, std::vector<float>& scratch) {
      return weights.load(run, block, scratch);
    };
    product.out = out;
    if (finish.bias || finish.scale) product.finish = finish;
    plan_works(p, {work_of(std::move(product))});
  });
}
ACLNN_SECOND_PHASE(aclnnWeightQuantBatchMatmulV2)
