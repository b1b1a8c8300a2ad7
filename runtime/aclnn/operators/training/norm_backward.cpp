// SPDX-License-Identifier: Apache-2.0
// Norm over batches, and slopes of norms.
#include <cmath>

#include "aclnnop/aclnn_batch_norm.h"
#include "aclnnop/aclnn_layer_norm_backward.h"
#include "runtime/aclnn/loops/elementwise.h"
#include "runtime/aclnn/loops/rows.h"
#include "runtime/aclnn/operators/norm/norm_rows.h"

namespace aclnn {
namespace {

/// One number of a tensor [C], or a fallback if the tensor was not given.
double number_at(Execution& run, const View& view, std::int64_t i, double fallback) {
  if (!view) return fallback;
  return static_cast<double>(load_one<float>(run.at(view.selected(0, i)).at, view.type));
}
void put_number(Execution& run, const View& view, std::int64_t i, double value) {
  if (view) store_one<float>(static_cast<float>(value), run.at(view.selected(0, i)).at, view.type);
}

struct BatchNormPlan {
  View x, weight, bias, running_mean, running_variance, y, mean, rstd;
  bool training;
  double momentum, eps;
};

/// The channels [begin, end): each is a row of all its elements.
void batch_norm_channels(Execution& run, const BatchNormPlan& plan, std::int64_t begin,
                         std::int64_t end) {
  Dims mask{};
  for (int d = 0; d < plan.x.rank(); ++d) mask[static_cast<std::size_t>(d)] = d != 1;
  const Split from = split(plan.x, mask), to = split(plan.y, mask);
  const RowReader<float> reader(from.along);
  const RowWriter<float> writer(to.along);
  const std::int64_t count = reader.count();
  std::vector<float> in(static_cast<std::size_t>(count)), out(in.size());
  Walk targets(run.at(to.rows));
  targets.seek(begin);
  each_row(run.at(from.rows), begin, end, [&](std::byte* at, std::int64_t c) {
    const float* const x = reader.all(at, in.data());
    Moments used{number_at(run, plan.running_mean, c, 0.0),
                 number_at(run, plan.running_variance, c, 1.0)};
    if (plan.training) {
      const Moments running = used;
      used = moments_of(x, count);
      const double sample = used.variance * static_cast<double>(count) /
                            static_cast<double>(std::max<std::int64_t>(count - 1, 1));
      const auto moved = [&](double old, double now) {
        return (1.0 - plan.momentum) * old + plan.momentum * now;
      };
      put_number(run, plan.running_mean, c, moved(running.mean, used.mean));
      put_number(run, plan.running_variance, c, moved(running.variance, sample));
    }
    const double rstd = 1.0 / std::sqrt(used.variance + plan.eps);
    if (plan.training) {
      put_number(run, plan.mean, c, used.mean);
      put_number(run, plan.rstd, c, rstd);
    }
    const auto weight = static_cast<float>(number_at(run, plan.weight, c, 1.0));
    const auto bias = static_cast<float>(number_at(run, plan.bias, c, 0.0));
    std::byte* const target = targets.next(1).at;
    float* const place = writer.place(target, out.data());
    normalise_row(x, used.mean, rstd, nullptr, nullptr, place, count);
    for (std::int64_t i = 0; i < count; ++i) place[i] = place[i] * weight + bias;
    writer.put(target, place);
  });
}

struct LayerSlopes {
  View grad, x, mean, rstd, weight;         // mean, rstd: as the input with dims of one
  View grad_input, grad_weight, grad_bias;  // false: not requested
  Dims along;
};

/// (g w - mean(g w) - n mean(g w n)) rstd with n = (x - mean) rstd, for the rows [begin, end).
void layer_input_slopes(Execution& run, const LayerSlopes& plan, std::int64_t begin,
                        std::int64_t end) {
  const Split grad = split(plan.grad, plan.along), in = split(plan.x, plan.along);
  const Split out = split(plan.grad_input, plan.along);
  const RowReader<float> read_grad(grad.along), read_x(in.along);
  const RowWriter<float> write(out.along);
  const std::int64_t count = read_x.count();
  const auto n = static_cast<std::size_t>(count);
  std::vector<float> buffer(4 * n);
  const std::vector<float> weight =
      plan.weight ? elements_of<float>(run.at(plan.weight)) : std::vector<float>(n, 1.0F);
  Walk grads(run.at(grad.rows)), targets(run.at(out.rows));
  grads.seek(begin);
  targets.seek(begin);
  Reader<float> means(run.at(plan.mean)), rstds(run.at(plan.rstd));
  means.seek(begin);
  rstds.seek(begin);
  float* const normal = buffer.data() + 2 * n;
  float* const slope = buffer.data() + 3 * n;
  each_row(run.at(in.rows), begin, end, [&](std::byte* at, std::int64_t) {
    const float* const x = read_x.all(at, buffer.data());
    const float* const g = read_grad.all(grads.next(1).at, buffer.data() + n);
    float mean, rstd;
    mean = *means.next(1, &mean);
    rstd = *rstds.next(1, &rstd);
    for (std::size_t i = 0; i < n; ++i) {
      normal[i] = (x[i] - mean) * rstd;
      slope[i] = g[i] * weight[i];
    }
    const auto first = static_cast<float>(sum_of(slope, count) / static_cast<double>(count));
    const auto second =
        static_cast<float>(sum_floats(count, [=](std::int64_t i) { return slope[i] * normal[i]; }) /
                           static_cast<double>(count));
    for (std::size_t i = 0; i < n; ++i) slope[i] = (slope[i] - first - normal[i] * second) * rstd;
    write.put(targets.next(1).at, slope);
  });
}

/// Sums over rows for the elements [begin, end) of the parameters.
void layer_parameter_slopes(Execution& run, const LayerSlopes& plan, std::int64_t begin,
                            std::int64_t end) {
  const Split grad = split(plan.grad, plan.along), in = split(plan.x, plan.along);
  const auto n = static_cast<std::size_t>(end - begin);
  std::vector<double> weights(n), biases(n);
  std::vector<float> first(n), second(n);
  Reader<float> means(run.at(plan.mean)), rstds(run.at(plan.rstd));
  Walk grads(run.at(grad.rows));
  grads.seek(0);
  each_row(run.at(in.rows), 0, in.rows.count(), [&](std::byte* at, std::int64_t) {
    Reader<float> read_x(Data{in.along, at}), read_grad(Data{grad.along, grads.next(1).at});
    read_x.seek(begin);
    read_grad.seek(begin);
    const float* const x = read_x.next(end - begin, first.data());
    const float* const g = read_grad.next(end - begin, second.data());
    float mean, rstd;
    mean = *means.next(1, &mean);
    rstd = *rstds.next(1, &rstd);
    for (std::size_t i = 0; i < n; ++i) {
      weights[i] += static_cast<double>(g[i] * ((x[i] - mean) * rstd));
      biases[i] += static_cast<double>(g[i]);
    }
  });
  const auto put = [&](const View& view, const std::vector<double>& sums) {
    if (!view) return;
    Writer<float> writer(run.at(view));
    writer.seek(begin);
    for (std::size_t i = 0; i < n; ++i) first[i] = static_cast<float>(sums[i]);
    writer.write(end - begin, first.data());
  };
  put(plan.grad_weight, weights);
  put(plan.grad_bias, biases);
}

/// Some parts compute the gradient of the input, the others the gradients of the parameters.
void plan_layer_slopes(Planner& p, const LayerSlopes& plan) {
  const Split parts = split(plan.x, plan.along);
  const std::int64_t rows = parts.rows.count(), length = parts.along.count();
  const std::int64_t most = std::clamp<std::int64_t>(rows * length / kLeastElements, 1, 32);
  const std::int64_t by_row = plan.grad_input ? std::min(most, rows) : 0;
  const bool parameters = plan.grad_weight || plan.grad_bias;
  const std::int64_t by_column = parameters ? std::min(most, length) : 0;
  if (by_row + by_column == 0) return;
  p.job(by_row + by_column, [=](Execution& run, std::int64_t piece) {
    if (piece < by_row) {
      return layer_input_slopes(run, plan, rows * piece / by_row, rows * (piece + 1) / by_row);
    }
    const std::int64_t i = piece - by_row;
    layer_parameter_slopes(run, plan, length * i / by_column, length * (i + 1) / by_column);
  });
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnBatchNormGetWorkspaceSize(const aclTensor* input, const aclTensor* weight,
                                           const aclTensor* bias, aclTensor* runningMean,
                                           aclTensor* runningVar, bool training, double momentum,
                                           double eps, aclTensor* output, aclTensor* saveMean,
                                           aclTensor* saveInvstd, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
  return first_phase("aclnnBatchNorm", workspaceSize, executor, [&](Planner& p) {
    const Role running = training ? Role::in_out : Role::in;
    const auto [x, factor, summand, running_mean, running_variance, y, mean, rstd] =
        p.take(In{input, "input", kFloats}, OptIn{weight, "weight", kFloats},
               OptIn{bias, "bias", kFloats}, OptIn{runningMean, "runningMean", kFloats},
               OptIn{runningVar, "runningVar", kFloats}, Out{output, "output", kFloats},
               OptOut{saveMean, "saveMean", kFloats}, OptOut{saveInvstd, "saveInvstd", kFloats});
    for (const View& view : {running_mean, running_variance}) {
      if (view) p.operand(view).role = running;
    }
    p.require_rank(x, 2, kMaxRank);
    p.require_shape(y, x.shape);
    for (const View& view : {factor, summand, running_mean, running_variance}) {
      if (view) p.require_shape(view, Shape{x.size(1)});
    }
    require(training || (running_mean && running_variance),
            "runningMean or runningVar is null; expected both without training");
    // Without training nothing is saved: those outputs may have any shape.
    if (training && mean) p.require_shape(mean, Shape{x.size(1)});
    if (training && rstd) p.require_shape(rstd, Shape{x.size(1)});
    if (x.count() == 0) return;
    const BatchNormPlan plan{x,    factor,   summand,  running_mean, running_variance, y, mean,
                             rstd, training, momentum, eps};
    p.job_over(x.size(1), std::max<std::int64_t>(1, kLeastElements / (x.count() / x.size(1))),
               [plan](Execution& run, std::int64_t begin, std::int64_t end) {
                 batch_norm_channels(run, plan, begin, end);
               });
  });
}
ACLNN_SECOND_PHASE(aclnnBatchNorm)

aclnnStatus aclnnLayerNormBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* input, const aclIntArray* normalizedShape,
    const aclTensor* mean, const aclTensor* rstd, const aclTensor* weightOptional,
    const aclTensor* biasOptional, const aclBoolArray* outputMask, aclTensor* gradInputOut,
    aclTensor* gradWeightOut, aclTensor* gradBiasOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return first_phase("aclnnLayerNormBackward", workspaceSize, executor, [&](Planner& p) {
    const auto [grad, x, dims, means, rstds, weight, bias, wanted, to_input, to_weight, to_bias] =
        p.take(In{gradOut, "gradOut", kFloats}, In{input, "input", kFloats},
               Ints{normalizedShape, "normalizedShape"}, In{mean, "mean", kFloats},
               In{rstd, "rstd", kFloats}, OptIn{weightOptional, "weightOptional", kFloats},
               OptIn{biasOptional, "biasOptional", kFloats}, Bools{outputMask, "outputMask"},
               OptOut{gradInputOut, "gradInputOut", kFloats},
               OptOut{gradWeightOut, "gradWeightOut", kFloats},
               OptOut{gradBiasOut, "gradBiasOut", kFloats});
    require(wanted.size() == 3, "outputMask has {} values; expected 3", wanted.size());
    const Shape own = normalized_shape(x, dims);
    p.require_shape(grad, x.shape);
    if (weight) p.require_shape(weight, own);
    LayerSlopes plan{grad, x, means, rstds, weight, {}, {}, {}, {}};
    for (int d = x.rank() - own.rank; d < x.rank(); ++d)
      plan.along[static_cast<std::size_t>(d)] = true;
    const std::int64_t rows = split(x, plan.along).rows.count();
    for (const View& view : {means, rstds}) {
      require(view.count() == rows, "{} has the shape {}; expected {} elements, one for each row",
              p.name(view), view.shape.text(), rows);
    }
    const auto take_wanted = [&, &mask = wanted](std::size_t i, const View& view, const char* name,
                                                 const Shape& shape) {
      if (!mask[i]) return View{};
      require(static_cast<bool>(view), "{} is null; expected a tensor by outputMask", name);
      p.require_shape(view, shape);
      return view;
    };
    plan.grad_input = take_wanted(0, to_input, "gradInputOut", x.shape);
    plan.grad_weight = take_wanted(1, to_weight, "gradWeightOut", own);
    plan.grad_bias = take_wanted(2, to_bias, "gradBiasOut", own);
    plan_layer_slopes(p, plan);
  });
}
ACLNN_SECOND_PHASE(aclnnLayerNormBackward)
