// SPDX-License-Identifier: Apache-2.0
// Norms of rows: by the root of the mean square, by mean and variance.
#include "aclnnop/aclnn_add_rms_norm.h"
#include "aclnnop/aclnn_group_norm.h"
#include "aclnnop/aclnn_layer_norm.h"
#include "aclnnop/aclnn_rms_norm.h"
#include "runtime/aclnn/operators/norm/norm_rows.h"
#include "runtime/aclnn/operators/norm/row_plan.h"

namespace aclnn {
namespace {

/// The last dims, as many as a parameter has, which must have its shape.
Dims last_dims(const View& x, int count) {
  Dims mask{};
  for (int d = x.rank() - count; d < x.rank(); ++d) mask[static_cast<std::size_t>(d)] = true;
  return mask;
}

Dims dims_of_parameter(Planner& p, const View& x, const View& gamma) {
  bool fits = gamma.rank() <= x.rank() && gamma.rank() > 0;
  for (int d = 1; fits && d <= gamma.rank(); ++d) {
    fits = gamma.size(gamma.rank() - d) == x.size(x.rank() - d);
  }
  require(fits, "{} has the shape {}; expected the last dims of {}", p.name(gamma),
          gamma.shape.text(), x.shape.text());
  return last_dims(x, gamma.rank());
}

/// Numbers of rows, in their order: one per row, for any dims.
void require_one_a_row(Planner& p, const View& numbers, std::int64_t rows) {
  if (!numbers) return;
  require(numbers.count() == rows, "{} has the shape {}; expected {} elements, one for each row",
          p.name(numbers), numbers.shape.text(), rows);
}

std::int64_t rows_of(const View& x, const Dims& mask) { return split(x, mask).rows.count(); }

/// Numbers of rows go to an output that may be missing.
class RowNumbers {
 public:
  RowNumbers(Execution& run, const View& out, std::int64_t begin, std::int64_t most = INT64_MAX)
      : most_(most) {
    if (out) writer_.emplace_back(run.at(out)).seek(begin);
  }
  void put(std::int64_t row, double value) {
    if (writer_.empty() || row >= most_) return;
    const auto number = static_cast<float>(value);
    writer_[0].write(1, &number);
  }

 private:
  std::int64_t most_;
  std::vector<Writer<float>> writer_;  // one or none
};

/// Older versions of llama.cpp give the shape of x and memory for the rows: only these are written.
View numbers_of_rows(Planner& p, const View& numbers, const View& x, std::int64_t rows) {
  if (!numbers || !(numbers.shape == x.shape) || !numbers.contiguous() || rows == 0) {
    require_one_a_row(p, numbers, rows);
    return numbers;
  }
  View first = contiguous_view(Shape{rows}, numbers.type, numbers.slot);
  first.offset = numbers.offset;
  p.operand(numbers).view = first;  // the range that is declared as written
  return first;
}

void rms_norm(Planner& p, const View& a, const View& b, const View& gamma, double eps,
              const View& y, const View& all_rstd, const View& sum) {
  const Dims mask = dims_of_parameter(p, a, gamma);
  p.require_shape(y, a.shape);
  if (sum) p.require_shape(sum, a.shape);
  const View rstd = numbers_of_rows(p, all_rstd, a, rows_of(a, mask));
  const bool two = static_cast<bool>(b);
  plan_rows<float>(p, {a, gamma.expanded(a.shape), b}, {y, sum}, mask,
                   [=](Execution& run, std::int64_t begin) -> RowFunction<float> {
                     return [=, numbers = RowNumbers(run, rstd, begin),
                             buffer = std::vector<float>()](const RowSet<float>& row,
                                                            std::int64_t number) mutable {
                       const float* x = row.in[0];
                       if (two) {
                         buffer.resize(static_cast<std::size_t>(row.count));
                         for (std::int64_t i = 0; i < row.count; ++i) {
                           buffer[static_cast<std::size_t>(i)] = row.in[0][i] + row.in[2][i];
                         }
                         x = buffer.data();
                         if (row.out[1]) std::copy(x, x + row.count, row.out[1]);
                       }
                       numbers.put(number, rms_norm_row(x, row.in[1], eps, row.out[0], row.count));
                     };
                   });
}

/// y = (x - mean) / sqrt(variance + eps) * weight + bias along the dims of the mask.
struct MeanNorm {
  View x, weight, bias, y, mean, rstd;
  double eps;
  std::int64_t most = INT64_MAX;  // numbers of rows that are written
};
void plan_mean_norm(Planner& p, const MeanNorm& norm, const Dims& mask) {
  plan_rows<float>(p, {norm.x, norm.weight, norm.bias}, {norm.y}, mask,
                   [norm](Execution& run, std::int64_t begin) -> RowFunction<float> {
                     return [eps = norm.eps, means = RowNumbers(run, norm.mean, begin, norm.most),
                             rstds = RowNumbers(run, norm.rstd, begin, norm.most)](
                                const RowSet<float>& row, std::int64_t number) mutable {
                       const Moments moments = moments_of(row.in[0], row.count);
                       const double rstd = 1.0 / std::sqrt(moments.variance + eps);
                       means.put(number, moments.mean);
                       rstds.put(number, rstd);
                       normalise_row(row.in[0], moments.mean, rstd, row.in[1], row.in[2],
                                     row.out[0], row.count);
                     };
                   });
}

View expanded_if_given(Planner& p, const View& view, const Shape& own, const Shape& to) {
  if (!view) return view;
  p.require_shape(view, own);
  return view.expanded(to);
}

/// As [N, groups, channels of a group, ...]: a dim can always be cut.
View grouped_by_dim(Planner& p, const View& x, const Shape& shape) {
  require(x.rank() >= 2 && x.rank() < kMaxRank && x.size(0) == shape[0] &&
              x.size(1) == shape[1] * shape[2],
          "{} has the shape {}; expected [N, C, ...]", p.name(x), x.shape.text());
  View result = x.with_unit(1);
  result.shape[1] = shape[1];
  result.strides[1] = shape[2] * x.stride(1);
  result.shape[2] = shape[2];
  return result;
}

/// A parameter of [C] for the elements of a grouped tensor.
View for_groups(Planner& p, const View& parameter, const View& x) {
  if (!parameter) return parameter;
  require(parameter.count() == x.size(1) * x.size(2), "{} has the shape {}; expected [{}]",
          p.name(parameter), parameter.shape.text(), x.size(1) * x.size(2));
  View flat;
  require(parameter.reshaped(Shape{x.size(1), x.size(2)}, flat),
          "{} has the shape {}; expected one dim", p.name(parameter), parameter.shape.text());
  for (int d = 3; d < x.rank(); ++d) flat = flat.with_unit(flat.rank());
  return flat.expanded(x.shape);
}

/// llama.cpp passes two adjacent buffers of N * groups bytes and never reads them. Then only the
/// elements that fit are written.
std::int64_t written_numbers(Planner& p, const View& mean, const View& rstd, std::int64_t numbers) {
  const auto address = [&](const View& view) {
    return reinterpret_cast<std::uintptr_t>(p.operand(view).tensor->data) +
           static_cast<std::uintptr_t>(view.offset) * size_of(view.type);
  };
  if (numbers == 0 || !mean.contiguous() || !rstd.contiguous() || mean.type != ACL_FLOAT ||
      rstd.type != ACL_FLOAT ||
      address(rstd) != address(mean) + static_cast<std::uintptr_t>(numbers)) {
    return INT64_MAX;
  }
  const std::int64_t most = numbers / static_cast<std::int64_t>(sizeof(float));
  for (const View& view : {mean, rstd}) {  // the ranges that are declared as written
    View& whole = p.operand(view).view;
    whole = contiguous_view(Shape{most}, view.type, view.slot);
    whole.offset = view.offset;
  }
  return most;
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnRmsNormGetWorkspaceSize(const aclTensor* x, const aclTensor* gamma, double epsilon,
                                         const aclTensor* yOut, const aclTensor* rstdOut,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnRmsNorm", workspaceSize, executor, [&](Planner& p) {
    const auto [from, factor, y, rstd] =
        p.take(In{x, "x", kFloats}, In{gamma, "gamma", kFloats}, Out{yOut, "yOut", kFloats},
               OptOut{rstdOut, "rstdOut", kFloats});
    rms_norm(p, from, {}, factor, epsilon, y, rstd, {});
  });
}
ACLNN_SECOND_PHASE(aclnnRmsNorm)

aclnnStatus aclnnAddRmsNormGetWorkspaceSize(const aclTensor* x1, const aclTensor* x2,
                                            const aclTensor* gamma, double epsilon, aclTensor* yOut,
                                            aclTensor* rstdOut, aclTensor* xOut,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnAddRmsNorm", workspaceSize, executor, [&](Planner& p) {
    const auto [a, b, factor, y, rstd, sum] =
        p.take(In{x1, "x1", kFloats}, In{x2, "x2", kFloats}, In{gamma, "gamma", kFloats},
               Out{yOut, "yOut", kFloats}, OptOut{rstdOut, "rstdOut", kFloats},
               OptOut{xOut, "xOut", kFloats});
    p.require_shape(b, a.shape);
    p.require_type(b, a.type);
    rms_norm(p, a, b, factor, epsilon, y, rstd, sum);
  });
}
ACLNN_SECOND_PHASE(aclnnAddRmsNorm)

aclnnStatus aclnnLayerNormGetWorkspaceSize(
    const aclTensor* input, const aclIntArray* normalizedShape, const aclTensor* weightOptional,
    const aclTensor* biasOptional, double eps, aclTensor* out, aclTensor* meanOutOptional,
    aclTensor* rstdOutOptional, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnLayerNorm", workspaceSize, executor, [&](Planner& p) {
    const auto [x, dims, weight, bias, y, mean, rstd] =
        p.take(In{input, "input", kFloats}, Ints{normalizedShape, "normalizedShape"},
               OptIn{weightOptional, "weightOptional", kFloats},
               OptIn{biasOptional, "biasOptional", kFloats}, Out{out, "out", kFloats},
               OptOut{meanOutOptional, "meanOutOptional", kFloats},
               OptOut{rstdOutOptional, "rstdOutOptional", kFloats});
    const Shape own = normalized_shape(x, dims);
    p.require_shape(y, x.shape);
    const Dims mask = last_dims(x, own.rank);
    require_one_a_row(p, mean, rows_of(x, mask));
    require_one_a_row(p, rstd, rows_of(x, mask));
    plan_mean_norm(p,
                   {x, expanded_if_given(p, weight, own, x.shape),
                    expanded_if_given(p, bias, own, x.shape), y, mean, rstd, eps},
                   mask);
  });
}
ACLNN_SECOND_PHASE(aclnnLayerNorm)

aclnnStatus aclnnGroupNormGetWorkspaceSize(const aclTensor* self, const aclTensor* gamma,
                                           const aclTensor* beta, int64_t N, int64_t C, int64_t HxW,
                                           int64_t group, double eps, aclTensor* out,
                                           aclTensor* meanOut, aclTensor* rstdOut,
                                           uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnGroupNorm", workspaceSize, executor, [&](Planner& p) {
    const auto [x, factor, summand, y, mean, rstd] =
        p.take(In{self, "self", kFloats}, OptIn{gamma, "gamma", kFloats},
               OptIn{beta, "beta", kFloats}, Out{out, "out", kFloats},
               Out{meanOut, "meanOut", kFloats}, Out{rstdOut, "rstdOut", kFloats});
    require(group > 0 && C % group == 0, "group is {}; expected a divisor of C, which is {}", group,
            C);
    require(N >= 0 && C >= 0 && HxW >= 0 && N * C * HxW == x.count(),
            "self has the shape {}; expected N * C * HxW = {} * {} * {} elements", x.shape.text(),
            N, C, HxW);
    p.require_shape(y, x.shape);
    require_one_a_row(p, mean, N * group);
    require_one_a_row(p, rstd, N * group);
    if (x.count() == 0) return;
    const Shape shape{N, group, C / group, HxW};
    View from, to;
    if (!x.reshaped(shape, from) || !y.reshaped(shape, to)) {  // one shape for both
      from = grouped_by_dim(p, x, shape);
      to = grouped_by_dim(p, y, shape);
    }
    Dims mask{};
    std::fill(mask.begin() + 2, mask.end(), true);
    plan_mean_norm(p,
                   {from, for_groups(p, factor, from), for_groups(p, summand, from), to, mean, rstd,
                    eps, written_numbers(p, mean, rstd, N * group)},
                   mask);
  });
}
ACLNN_SECOND_PHASE(aclnnGroupNorm)
