// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/operators/loss/loss.h"

#include <cmath>

#include "aclnnop/aclnn_binary_cross_entropy_with_logits.h"
#include "aclnnop/aclnn_l1_loss.h"
#include "aclnnop/aclnn_mse_loss.h"
#include "aclnnop/aclnn_nll_loss.h"
#include "aclnnop/aclnn_softmax_cross_entropy_with_logits.h"
#include "runtime/aclnn/loops/rows.h"
#include "runtime/aclnn/loops/softmax_rows.h"
#include "runtime/aclnn/loops/sums.h"
#include "runtime/aclnn/operators/lanes.h"

namespace aclnn {
namespace {

constexpr TypeSet kL1Types = kFloats | TypeSet{ACL_INT64};

struct SquaredDistance {
  template <class T>
  T operator()(T a, T b) const {
    return (a - b) * (a - b);
  }
};
struct Distance {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? b - a : a - b;
  }
};

template <class Set, class F>
void plan_distance(Planner& p, const View& a, const View& b, std::int64_t reduction,
                   const View& out, F f) {
  const aclDataType type = p.promote(a, b);
  p.require_castable(type, out);
  const Shape shape = p.broadcast(a, b);
  in_lane<Set>(compute_type_of(type), [&](auto zero) {
    using T = decltype(zero);
    plan_loss<T, 2>(p, {a.expanded(shape), b.expanded(shape)}, reduction_of(reduction), out,
                    Function<T, 2>::of(f));
  });
}

/// The loss of a logit x and the truth t, with the weights of the element and of true.
struct BinaryCrossEntropy {
  bool weighted, positive_weighted;
  float operator()(float x, float t, float weight, float positive) const {
    const float more = positive_weighted ? (positive - 1.0F) * t : 0.0F;
    const float loss = (1.0F - t) * x + (1.0F + more) * (std::log1p(std::exp(-std::abs(x))) +
                                                         (x < 0.0F ? -x : 0.0F));
    return weighted ? weight * loss : loss;
  }
};

/// loss = -sum labels * log softmax, slope = softmax - labels, for the rows [begin, end).
struct EntropyPlan {
  View x, labels, loss, slope;
};
void cross_entropy_rows(Execution& run, const EntropyPlan& plan, std::int64_t begin,
                        std::int64_t end) {
  const std::int64_t count = plan.x.size(1);
  const Dims mask = one_dim(1);
  const Split x = split(plan.x, mask), labels = split(plan.labels, mask),
              slope = split(plan.slope, mask);
  const RowReader<float> read_x(x.along), read_labels(labels.along);
  const RowWriter<float> write(slope.along);
  std::vector<float> buffers(static_cast<std::size_t>(3 * count));
  Walk to_labels(run.at(labels.rows)), to_slope(run.at(slope.rows));
  to_labels.seek(begin);
  to_slope.seek(begin);
  Writer<float> losses(run.at(plan.loss));
  losses.seek(begin);
  each_row(run.at(x.rows), begin, end, [&](std::byte* at, std::int64_t) {
    const float* const from = read_x.all(at, buffers.data());
    const float* const truth = read_labels.all(to_labels.next(1).at, buffers.data() + count);
    float* const to = buffers.data() + 2 * count;
    const float greatest = greatest_of(from, count);
    const double sum = exp_row(from, greatest, to, count);
    const auto rest = static_cast<float>(std::log(sum)), scale = static_cast<float>(1.0 / sum);
    const auto loss = static_cast<float>(-sum_floats(
        count, [=](std::int64_t i) { return truth[i] * ((from[i] - greatest) - rest); }));
    for (std::int64_t i = 0; i < count; ++i) to[i] = to[i] * scale - truth[i];
    write.put(to_slope.next(1).at, to);
    losses.write(1, &loss);
  });
}

/// Losses by the number of the true class.
struct ClassPlan {
  View x, target, weight, out, total;  // x: [N, C]
  Reduction reduction;
  std::int64_t ignored;
};
void class_losses(Execution& run, const ClassPlan& plan) {
  const std::int64_t rows = plan.x.size(0), classes = plan.x.size(1);
  const std::vector<std::int64_t> targets = elements_of<std::int64_t>(run.at(plan.target));
  const std::vector<float> weights = elements_of<float>(run.at(plan.weight));
  const Data x = run.at(plan.x);
  std::vector<float> losses(targets.size());
  double sum = 0, total = 0;
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto i = static_cast<std::size_t>(row);
    const std::int64_t target = targets[i];
    if (target == plan.ignored) continue;
    if (target < 0 || target >= classes) {
      return run.fail(fmt::format("aclnnNLLLoss: target[{}] is {}; expected 0 to {}", row, target,
                                  classes - 1));
    }
    const std::int64_t at = row * plan.x.stride(0) + target * plan.x.stride(1);
    const auto number =
        load_one<float>(x.at + at * static_cast<std::int64_t>(size_of(plan.x.type)), plan.x.type);
    const float weight = weights[static_cast<std::size_t>(target)];
    losses[i] = -weight * number;
    sum += static_cast<double>(losses[i]);
    total += static_cast<double>(weight);
  }
  Writer<float> writer(run.at(plan.out));
  if (plan.reduction == Reduction::none) {
    if (rows != 0) writer.write(rows, losses.data());
    total = 0;
  } else {
    const auto result = static_cast<float>(plan.reduction == Reduction::mean ? sum / total : sum);
    writer.write(1, &result);
  }
  const auto weight = static_cast<float>(total);
  Writer<float>(run.at(plan.total)).write(1, &weight);
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnMseLossGetWorkspaceSize(const aclTensor* self, const aclTensor* target,
                                         int64_t reduction, aclTensor* out, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return first_phase("aclnnMseLoss", workspaceSize, executor, [&](Planner& p) {
    const auto [a, b, y] =
        p.take(In{self, "self", kFloats}, In{target, "target", kFloats}, Out{out, "out", kFloats});
    plan_distance<Lanes<ComputeType::f32>>(p, a, b, reduction, y, SquaredDistance{});
  });
}
ACLNN_SECOND_PHASE(aclnnMseLoss)

aclnnStatus aclnnL1LossGetWorkspaceSize(const aclTensor* self, const aclTensor* target,
                                        int64_t reduction, aclTensor* out, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
  return first_phase("aclnnL1Loss", workspaceSize, executor, [&](Planner& p) {
    const auto [a, b, y] = p.take(In{self, "self", kL1Types}, In{target, "target", kL1Types},
                                  Out{out, "out", kL1Types});
    plan_distance<Lanes<ComputeType::f32, ComputeType::i64>>(p, a, b, reduction, y, Distance{});
  });
}
ACLNN_SECOND_PHASE(aclnnL1Loss)

aclnnStatus aclnnBinaryCrossEntropyWithLogitsGetWorkspaceSize(
    const aclTensor* self, const aclTensor* target, const aclTensor* weightOptional,
    const aclTensor* posWeightOptional, int64_t reduction, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return first_phase("aclnnBinaryCrossEntropyWithLogits", workspaceSize, executor, [&](Planner& p) {
    const auto [x, truth, weight, positive, y] =
        p.take(In{self, "self", kFloats}, In{target, "target", kFloats},
               OptIn{weightOptional, "weightOptional", kFloats},
               OptIn{posWeightOptional, "posWeightOptional", kFloats}, Out{out, "out", kFloats});
    p.require_shape(truth, x.shape);
    const BinaryCrossEntropy f{static_cast<bool>(weight), static_cast<bool>(positive)};
    plan_loss<float, 4>(p,
                        {x, truth, weight ? p.expand(weight, x.shape) : x,
                         positive ? p.expand(positive, x.shape) : x},
                        reduction_of(reduction), y, Function<float, 4>::of(f));
  });
}
ACLNN_SECOND_PHASE(aclnnBinaryCrossEntropyWithLogits)

aclnnStatus aclnnSoftmaxCrossEntropyWithLogitsGetWorkspaceSize(const aclTensor* features,
                                                               aclTensor* labels, aclTensor* loss,
                                                               aclTensor* backprop,
                                                               uint64_t* workspaceSize,
                                                               aclOpExecutor** executor) {
  return first_phase("aclnnSoftmaxCrossEntropyWithLogits", workspaceSize, executor,
                     [&](Planner& p) {
                       const auto [x, truth, losses, slope] =
                           p.take(In{features, "features", kFloats}, In{labels, "labels", kFloats},
                                  Out{loss, "loss", kFloats}, Out{backprop, "backprop", kFloats});
                       p.require_rank(x, 2, 2);
                       p.require_shape(truth, x.shape);
                       p.require_shape(slope, x.shape);
                       require(losses.count() == x.size(0), "loss has the shape {}; expected [{}]",
                               losses.shape.text(), x.size(0));
                       if (x.count() == 0) return;
                       const EntropyPlan plan{x, truth, losses, slope};
                       p.job_over(x.size(0), std::max<std::int64_t>(1, kLeastElements / x.size(1)),
                                  [plan](Execution& run, std::int64_t begin, std::int64_t end) {
                                    cross_entropy_rows(run, plan, begin, end);
                                  });
                     });
}
ACLNN_SECOND_PHASE(aclnnSoftmaxCrossEntropyWithLogits)

aclnnStatus aclnnNLLLossGetWorkspaceSize(const aclTensor* self, const aclTensor* target,
                                         const aclTensor* weight, int64_t reduction,
                                         int64_t ignoreIndex, aclTensor* out,
                                         aclTensor* totalWeightOut, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return first_phase("aclnnNLLLoss", workspaceSize, executor, [&](Planner& p) {
    const auto [x, classes, weights, y, total] =
        p.take(In{self, "self", kFloats}, In{target, "target", kIndexes | TypeSet{ACL_UINT8}},
               In{weight, "weight", kFloats}, Out{out, "out", kFloats},
               Out{totalWeightOut, "totalWeightOut", kFloats});
    p.require_rank(x, 1, 2);
    const View rows = x.rank() == 1 ? x.with_unit(0) : x;
    require(classes.count() == rows.size(0) && classes.rank() <= 1,
            "target has the shape {}; expected [{}]", classes.shape.text(), rows.size(0));
    p.require_shape(weights, Shape{rows.size(1)});
    const Reduction how = reduction_of(reduction);
    require(y.count() == (how == Reduction::none ? rows.size(0) : 1),
            "out has the shape {}; expected {} elements", y.shape.text(),
            how == Reduction::none ? rows.size(0) : 1);
    require_one_number(p, total);
    const ClassPlan plan{rows, classes, weights, y, total, how, ignoreIndex};
    p.job(1, [plan](Execution& run, std::int64_t) { class_losses(run, plan); });
  });
}
ACLNN_SECOND_PHASE(aclnnNLLLoss)
