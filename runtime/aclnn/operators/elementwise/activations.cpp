// SPDX-License-Identifier: Apache-2.0
// Activations with attributes, and gated ones.
#include "aclnnop/aclnn_elu.h"
#include "aclnnop/aclnn_geglu.h"
#include "aclnnop/aclnn_gelu_v2.h"
#include "aclnnop/aclnn_leaky_relu.h"
#include "aclnnop/aclnn_softplus.h"
#include "aclnnop/aclnn_swi_glu.h"
#include "runtime/aclnn/operators/elementwise/binary.h"
#include "runtime/aclnn/operators/elementwise/unary_functions.h"

namespace aclnn {
namespace {

using F32 = Lanes<ComputeType::f32>;  // all of them are for f32, f16 and bf16

struct LeakyRelu {
  float slope;
  float operator()(float x) const { return x > 0 ? x : slope * x; }
};
struct Elu {
  float alpha, scale, input_scale;
  float operator()(float x) const {
    return x > 0 ? scale * x : alpha * scale * std::expm1(input_scale * x);
  }
};
struct Softplus {
  float beta, threshold;
  float operator()(float x) const {
    return beta * x > threshold ? x : std::log1p(std::exp(beta * x)) / beta;
  }
};
template <class F>
struct Gated {
  float operator()(float a, float b) const { return F{}(a)*b; }
};

bool is_tanh_form(std::int64_t approximate) {
  require(approximate == 0 || approximate == 1, "approximate is {}; expected 0 (erf) or 1 (tanh)",
          approximate);
  return approximate == 1;
}

/// The two halves of a dim.
struct Halves {
  View first, second;
};
Halves halves_of(Planner& p, const View& x, std::int64_t dim) {
  p.require_rank(x, 1, kMaxRank);
  const int d = p.dim(dim, x.rank(), "dim");
  require(x.size(d) % 2 == 0, "{} has {} elements in dim {}; expected an even number", p.name(x),
          x.size(d), d);
  const std::int64_t half = x.size(d) / 2;
  return {x.sliced(d, 0, half), x.sliced(d, half, half)};
}

/// gelu = f(a); out = gelu * b.
template <class F>
void plan_gelu_gate(Planner& p, const View& a, const View& b, const View& out, const View& gelu) {
  p.job_over(out.count(), kLeastElements,
             [a, b, out, gelu](Execution& run, std::int64_t begin, std::int64_t end) {
               compute<float, 1>({run.at(a)}, run.at(gelu), begin, end,
                                 Function<float, 1>::of(F{}));
               compute<float, 2>({run.at(a), run.at(b)}, run.at(out), begin, end,
                                 Function<float, 2>::of(Gated<F>{}));
             });
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnGeluV2GetWorkspaceSize(const aclTensor* x, int64_t approximate, aclTensor* y,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnGeluV2", workspaceSize, executor, [&](Planner& p) {
    const auto [in, out] = p.take(In{x, "x", kFloats}, Out{y, "y", kFloats});
    p.require_type(out, in.type);
    if (is_tanh_form(approximate)) {
      return plan_singles<F32>(p, in, out, in.type, [](auto) { return GeluTanh{}; });
    }
    plan_singles<F32>(p, in, out, in.type, [](auto) { return GeluErf{}; });
  });
}
ACLNN_SECOND_PHASE(aclnnGeluV2)

aclnnStatus aclnnLeakyReluGetWorkspaceSize(const aclTensor* self, const aclScalar* negativeSlope,
                                           aclTensor* out, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
  return first_phase("aclnnLeakyRelu", workspaceSize, executor, [&](Planner& p) {
    const auto [x, slope, y] = p.take(
        In{self, "self", kFloats}, Value{negativeSlope, "negativeSlope"}, Out{out, "out", kFloats});
    plan_singles<F32>(p, x, y, x.type, [&s = slope](auto) { return LeakyRelu{s.as<float>()}; });
  });
}
ACLNN_SECOND_PHASE(aclnnLeakyRelu)

aclnnStatus aclnnEluGetWorkspaceSize(const aclTensor* self, const aclScalar* alpha,
                                     const aclScalar* scale, const aclScalar* inputScale,
                                     aclTensor* out, uint64_t* workspaceSize,
                                     aclOpExecutor** executor) {
  return first_phase("aclnnElu", workspaceSize, executor, [&](Planner& p) {
    const auto [x, a, s, i, y] =
        p.take(In{self, "self", kFloats}, Value{alpha, "alpha"}, Value{scale, "scale"},
               Value{inputScale, "inputScale"}, Out{out, "out", kFloats});
    const Elu f{a.as<float>(), s.as<float>(), i.as<float>()};
    plan_singles<F32>(p, x, y, x.type, [&](auto) { return f; });
  });
}
ACLNN_SECOND_PHASE(aclnnElu)

aclnnStatus aclnnInplaceLeakyReluGetWorkspaceSize(aclTensor* selfRef,
                                                  const aclScalar* negativeSlope,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return first_phase("aclnnInplaceLeakyRelu", workspaceSize, executor, [&](Planner& p) {
    const auto [x, slope] =
        p.take(Ref{selfRef, "selfRef", kFloats}, Value{negativeSlope, "negativeSlope"});
    plan_singles<F32>(p, x, x, x.type, [&s = slope](auto) { return LeakyRelu{s.as<float>()}; });
  });
}
ACLNN_SECOND_PHASE(aclnnInplaceLeakyRelu)

aclnnStatus aclnnInplaceEluGetWorkspaceSize(aclTensor* selfRef, const aclScalar* alpha,
                                            const aclScalar* scale, const aclScalar* inputScale,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnInplaceElu", workspaceSize, executor, [&](Planner& p) {
    const auto [x, a, s, i] = p.take(Ref{selfRef, "selfRef", kFloats}, Value{alpha, "alpha"},
                                     Value{scale, "scale"}, Value{inputScale, "inputScale"});
    const Elu f{a.as<float>(), s.as<float>(), i.as<float>()};
    plan_singles<F32>(p, x, x, x.type, [&](auto) { return f; });
  });
}
ACLNN_SECOND_PHASE(aclnnInplaceElu)

aclnnStatus aclnnSoftplusGetWorkspaceSize(const aclTensor* self, const aclScalar* beta,
                                          const aclScalar* threshold, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnSoftplus", workspaceSize, executor, [&](Planner& p) {
    const auto [x, b, t, y] = p.take(In{self, "self", kFloats}, Value{beta, "beta"},
                                     Value{threshold, "threshold"}, Out{out, "out", kFloats});
    const Softplus f{b.as<float>(), t.as<float>()};
    plan_singles<F32>(p, x, y, x.type, [&](auto) { return f; });
  });
}
ACLNN_SECOND_PHASE(aclnnSoftplus)

aclnnStatus aclnnSwiGluGetWorkspaceSize(const aclTensor* x, int64_t dim, const aclTensor* out,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnSwiGlu", workspaceSize, executor, [&](Planner& p) {
    const auto [in, y] = p.take(In{x, "x", kFloats}, Out{out, "out", kFloats});
    const auto [a, b] = halves_of(p, in, dim);
    p.require_shape(y, a.shape);
    p.require_type(y, in.type);
    plan_elements<float, 2>(p, {a, b}, y, Gated<Silu>{});
  });
}
ACLNN_SECOND_PHASE(aclnnSwiGlu)

aclnnStatus aclnnGeGluV3GetWorkspaceSize(const aclTensor* self, int64_t dim, int64_t approximate,
                                         bool activateLeft, aclTensor* out, aclTensor* outGelu,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnGeGluV3", workspaceSize, executor, [&](Planner& p) {
    const auto [in, y, gelu] = p.take(In{self, "self", kFloats}, Out{out, "out", kFloats},
                                      Out{outGelu, "outGelu", kFloats});
    const auto [left, right] = halves_of(p, in, dim);
    p.require_shape(y, left.shape);
    p.require_shape(gelu, left.shape);
    p.require_type(y, in.type);
    p.require_type(gelu, in.type);
    const View& a = activateLeft ? left : right;
    const View& b = activateLeft ? right : left;
    if (is_tanh_form(approximate)) return plan_gelu_gate<GeluTanh>(p, a, b, y, gelu);
    plan_gelu_gate<GeluErf>(p, a, b, y, gelu);
  });
}
ACLNN_SECOND_PHASE(aclnnGeGluV3)
