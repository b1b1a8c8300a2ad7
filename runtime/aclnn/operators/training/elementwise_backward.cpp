// SPDX-License-Identifier: Apache-2.0
// Slopes of functions of one number, and steps of optimisers.
#include <cmath>

#include "aclnnop/aclnn_apply_adam_w_v2.h"
#include "aclnnop/aclnn_foreach_add_list.h"
#include "aclnnop/aclnn_gelu_backward.h"
#include "aclnnop/aclnn_sigmoid_backward.h"
#include "aclnnop/aclnn_silu_backward.h"
#include "aclnnop/aclnn_tanh_backward.h"
#include "aclnnop/aclnn_threshold_backward.h"
#include "runtime/aclnn/loops/elementwise.h"
#include "runtime/aclnn/operators/lanes.h"

namespace aclnn {
namespace {

/// By the tanh form of gelu.
struct GeluSlope {
  float operator()(float g, float x) const {
    constexpr float kScale = 0.79788456F, kCube = 0.044715F;
    const float t = std::tanh(kScale * (x + kCube * x * x * x));
    const float inner = kScale * (1.0F + 3.0F * kCube * x * x);
    return g * (0.5F * (1.0F + t) + 0.5F * x * (1.0F - t * t) * inner);
  }
};
struct SiluSlope {
  float operator()(float g, float x) const {
    const float s = 1.0F / (1.0F + std::exp(-x));
    return g * s * (1.0F + x * (1.0F - s));
  }
};
struct SigmoidSlope {
  template <class T>
  T operator()(T g, T y) const {
    return g * y * (T(1) - y);
  }
};
struct TanhSlope {
  template <class T>
  T operator()(T g, T y) const {
    return g * (T(1) - y * y);
  }
};
template <class T>
struct ThresholdSlope {
  T threshold;
  T operator()(T g, T x) const { return x <= threshold ? T(0) : g; }
};

/// out = f(grad, other) for equal shapes, computed in the promoted type of both.
template <class Set, class Make>
void plan_slope(Planner& p, const View& grad, const View& other, const View& out, Make make) {
  p.require_shape(other, grad.shape);
  p.require_shape(out, grad.shape);
  const aclDataType type = p.promote(grad, other);
  p.require_castable(type, out);
  in_lane<Set>(compute_type_of(type), [&](auto zero) {
    plan_elements<decltype(zero), 2>(p, {grad, other}, out, make(zero));
  });
}

template <class Set, class F>
aclnnStatus slope(const char* function, const aclTensor* grad, const aclTensor* other,
                  const char* other_name, const aclTensor* out, TypeSet types, F f,
                  std::uint64_t* workspace, aclOpExecutor** executor) {
  return first_phase(function, workspace, executor, [&](Planner& p) {
    const auto [g, x, y] = p.take(In{grad, "gradOutput", types}, In{other, other_name, types},
                                  Out{out, "gradInput", types});
    plan_slope<Set>(p, g, x, y, [f](auto) { return f; });
  });
}

using SlopeLanes = Lanes<ComputeType::f32>;
constexpr TypeSet kThresholdTypes = kFloats | TypeSet{ACL_INT8, ACL_UINT8, ACL_INT32, ACL_INT64};
constexpr TypeSet kAddedTypes = kFloats | TypeSet{ACL_INT8, ACL_UINT8, ACL_INT16, ACL_INT32};

/// A step of AdamW. The number of the step is read when the operator runs.
struct AdamPlan {
  View var, m, v, greatest, grad, step;
  float rate, beta1, beta2, decay, eps;
  bool maximize;
};

struct AdamRow {
  float *var, *m, *v, *greatest;
  const float* grad;
};

void adam_row(const AdamPlan& plan, float correction1, float root2, const AdamRow& row,
              std::int64_t count) {
  const float keep = 1.0F - plan.rate * plan.decay, step = plan.rate / correction1;
  for (std::int64_t i = 0; i < count; ++i) {
    const float g = plan.maximize ? -row.grad[i] : row.grad[i];
    row.m[i] = plan.beta1 * row.m[i] + (1.0F - plan.beta1) * g;
    row.v[i] = plan.beta2 * row.v[i] + (1.0F - plan.beta2) * g * g;
    float square = row.v[i];
    if (row.greatest) square = row.greatest[i] = std::max(row.greatest[i], square);
    row.var[i] = row.var[i] * keep - step * row.m[i] / (std::sqrt(square) / root2 + plan.eps);
  }
}

void adam_elements(Execution& run, const AdamPlan& plan, std::int64_t begin, std::int64_t end) {
  const double step = static_cast<double>(load_one<float>(run.at(plan.step).at, plan.step.type));
  const double correction1 = 1.0 - std::pow(static_cast<double>(plan.beta1), step);
  const double correction2 = 1.0 - std::pow(static_cast<double>(plan.beta2), step);
  const std::array<View, 4> changed{plan.var, plan.m, plan.v, plan.greatest};
  std::vector<Reader<float>> readers;
  std::vector<Writer<float>> writers;
  for (const View& view : changed) {
    if (!view) continue;
    readers.emplace_back(run.at(view)).seek(begin);
    writers.emplace_back(run.at(view)).seek(begin);
  }
  Reader<float> grads(run.at(plan.grad));
  grads.seek(begin);
  float buffers[4][kChunk], buffer[kChunk];
  while (begin < end) {
    const std::int64_t count = std::min(kChunk, end - begin);
    for (std::size_t n = 0; n < readers.size(); ++n) {
      const float* const from = readers[n].next(count, buffers[n]);
      if (from != buffers[n]) std::copy(from, from + count, buffers[n]);
    }
    adam_row(plan, static_cast<float>(correction1), static_cast<float>(std::sqrt(correction2)),
             {buffers[0], buffers[1], buffers[2], readers.size() == 4 ? buffers[3] : nullptr,
              grads.next(count, buffer)},
             count);
    for (std::size_t n = 0; n < writers.size(); ++n) writers[n].write(count, buffers[n]);
    begin += count;
  }
}

/// x1[i] + alpha * x2[i] of one pair of a list.
template <class T>
void add_scaled(Execution& run, const std::array<View, 3>& tensors, const View& alpha) {
  const T factor = load_one<T>(run.at(alpha).at, alpha.type);
  const auto f = Function<T, 2>::of([factor](T a, T b) { return static_cast<T>(a + factor * b); });
  compute<T, 2>({run.at(tensors[0]), run.at(tensors[1])}, run.at(tensors[2]), 0, tensors[2].count(),
                f);
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnGeluBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                              const aclTensor* gradInput, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return slope<SlopeLanes>("aclnnGeluBackward", gradOutput, self, "self", gradInput, kFloats,
                           GeluSlope{}, workspaceSize, executor);
}
ACLNN_SECOND_PHASE(aclnnGeluBackward)

aclnnStatus aclnnSiluBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                              aclTensor* gradInput, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return slope<SlopeLanes>("aclnnSiluBackward", gradOutput, self, "self", gradInput, kFloats,
                           SiluSlope{}, workspaceSize, executor);
}
ACLNN_SECOND_PHASE(aclnnSiluBackward)

aclnnStatus aclnnSigmoidBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                 const aclTensor* output, aclTensor* gradInput,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return slope<FloatComplexLanes>("aclnnSigmoidBackward", gradOutput, output, "output", gradInput,
                                  kAllFloats | kComplex, SigmoidSlope{}, workspaceSize, executor);
}
ACLNN_SECOND_PHASE(aclnnSigmoidBackward)

aclnnStatus aclnnTanhBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* output,
                                              aclTensor* gradInput, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return slope<FloatLanes>("aclnnTanhBackward", gradOutput, output, "output", gradInput, kAllFloats,
                           TanhSlope{}, workspaceSize, executor);
}
ACLNN_SECOND_PHASE(aclnnTanhBackward)

aclnnStatus aclnnThresholdBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                   const aclTensor* self,
                                                   const aclScalar* threshold, aclTensor* out,
                                                   uint64_t* workspaceSize,
                                                   aclOpExecutor** executor) {
  return first_phase("aclnnThresholdBackward", workspaceSize, executor, [&](Planner& p) {
    const auto [g, x, limit, y] =
        p.take(In{gradOutput, "gradOutput", kThresholdTypes}, In{self, "self", kThresholdTypes},
               Value{threshold, "threshold", kReals}, Out{out, "out", kThresholdTypes});
    plan_slope<Lanes<ComputeType::f32, ComputeType::i64>>(p, g, x, y, [limit = limit](auto zero) {
      using T = decltype(zero);
      // Whole numbers above 1 are also above 1.5.
      const double whole = std::is_integral_v<T> ? std::floor(limit.real()) : limit.real();
      return ThresholdSlope<T>{static_cast<T>(whole)};
    });
  });
}
ACLNN_SECOND_PHASE(aclnnThresholdBackward)

aclnnStatus aclnnApplyAdamWV2GetWorkspaceSize(aclTensor* varRef, aclTensor* mRef, aclTensor* vRef,
                                              aclTensor* maxGradNormOptionalRef,
                                              const aclTensor* grad, const aclTensor* step,
                                              float lr, float beta1, float beta2, float weightDecay,
                                              float eps, bool amsgrad, bool maximize,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnApplyAdamWV2", workspaceSize, executor, [&](Planner& p) {
    require(!amsgrad || maxGradNormOptionalRef,
            "maxGradNormOptionalRef is null; expected a tensor with amsgrad");
    const aclTensor* const kept = amsgrad ? maxGradNormOptionalRef : nullptr;
    const auto [var, m, v, slopes, number] = p.take(
        Ref{varRef, "varRef", kFloats}, Ref{mRef, "mRef", kFloats}, Ref{vRef, "vRef", kFloats},
        In{grad, "grad", kFloats}, In{step, "step", {ACL_FLOAT, ACL_INT64}});
    View greatest;
    if (kept) {
      std::tie(greatest) = p.take(Ref{kept, "maxGradNormOptionalRef", kFloats});
      p.require_shape(greatest, var.shape);
    }
    for (const View& view : {m, v, slopes}) p.require_shape(view, var.shape);
    require(number.count() == 1, "step has the shape {}; expected one element",
            number.shape.text());
    const AdamPlan plan{var, m,     v,     greatest,    slopes, number,
                        lr,  beta1, beta2, weightDecay, eps,    maximize};
    p.job_over(var.count(), kLeastElements,
               [plan](Execution& run, std::int64_t begin, std::int64_t end) {
                 adam_elements(run, plan, begin, end);
               });
  });
}
ACLNN_SECOND_PHASE(aclnnApplyAdamWV2)

aclnnStatus aclnnForeachAddListGetWorkspaceSize(const aclTensorList* x1, const aclTensorList* x2,
                                                const aclTensor* alpha, aclTensorList* out,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnForeachAddList", workspaceSize, executor, [&](Planner& p) {
    const auto [a, b, factor, y] = p.take(
        ListIn{x1, "x1", kAddedTypes}, ListIn{x2, "x2", kAddedTypes},
        In{alpha, "alpha", {ACL_FLOAT, ACL_FLOAT16, ACL_INT32}}, ListOut{out, "out", kAddedTypes});
    require(a.size() == b.size() && a.size() == y.size(),
            "x1 has {} tensors, x2 {} and out {}; expected as many", a.size(), b.size(), y.size());
    require(factor.count() == 1, "alpha has the shape {}; expected one element",
            factor.shape.text());
    std::vector<std::array<View, 3>> all;
    for (std::size_t i = 0; i < a.size(); ++i) {
      require(a[i] && b[i] && y[i], "a tensor of a list is null (number {})", i);
      p.require_shape(b[i], a[i].shape);
      p.require_shape(y[i], a[i].shape);
      p.require_type(b[i], a[i].type);
      p.require_type(y[i], a[i].type);
      if (a[i].count() != 0) all.push_back({a[i], b[i], y[i]});
    }
    if (all.empty()) return;
    p.job(static_cast<std::int64_t>(all.size()),
          [all, factor = factor](Execution& run, std::int64_t i) {
            const auto& tensors = all[static_cast<std::size_t>(i)];
            in_lane<Lanes<ComputeType::f32, ComputeType::i64>>(tensors[0].lane(), [&](auto zero) {
              add_scaled<decltype(zero)>(run, tensors, factor);
            });
          });
  });
}
ACLNN_SECOND_PHASE(aclnnForeachAddList)
