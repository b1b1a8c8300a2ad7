// SPDX-License-Identifier: Apache-2.0
// Activation functions, element by element, in float.
#include "runtime/ascendc/library/elements.h"
#include "runtime/ascendc/library/plan.h"
#include "runtime/ascendc/library/rows.h"

namespace ascendc::library {
namespace {

// dst, src, tmp?; number 0 is the count of elements.
void plan_one(const Call& call, Plan& plan) {
  plan.read(1, call.count(0));
  plan.write(0, call.count(0));
  plan.temporary(2);
}

// dst, src0, src1, tmp?
void plan_gated(const Call& call, Plan& plan) {
  plan.read(1, call.count(0));
  plan.read(2, call.count(0));
  plan.write(0, call.count(0));
  plan.temporary(3);
}

// The functions with an exponential: x / (1 + e^power(x)), or 1 instead of x.
float of_gelu(float x) { return -1.5957691216057308F * (x + 0.044715F * x * x * x); }
float of_fast_gelu(float x) { return -1.702F * x; }
float of_sigmoid(float x) { return -x; }

/// to[i] = finish(x, 1 + e^power(x)) for the elements x of operand `from`; `finish` also gets i,
/// counted from the first element of a piece that `start` is called with.
template <typename Power, typename Start, typename Finish>
void each_power(const Call& call, unsigned from, Power&& power, Start&& start, Finish&& finish) {
  float values[kPiece], sums[kPiece];
  for (std::uint64_t first = 0; first < call.count(0); first += kPiece) {
    const auto here =
        static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, call.count(0) - first));
    call.load(from, first, here, values);
    start(first, here);
    for (std::size_t i = 0; i < here; ++i) sums[i] = power(values[i]);
    raise_e(sums, here);
    for (std::size_t i = 0; i < here; ++i) values[i] = finish(values[i], 1.0F + sums[i], i);
    call.store(0, first, here, values);
  }
}
constexpr auto kNoStart = [](std::uint64_t, std::size_t) {};

/// x / (1 + e^power(x))
template <typename Power>
void swishes(const Call& call, Power&& power) {
  each_power(call, 1, power, kNoStart, [](float x, float sum, std::size_t) { return x / sum; });
}
/// src0 * src1 / (1 + e^power(src1))
template <typename Power>
void gates(const Call& call, Power&& power) {
  float gated[kPiece];
  each_power(
      call, 2, power,
      [&](std::uint64_t first, std::size_t here) { call.load(1, first, here, gated); },
      [&](float x, float sum, std::size_t i) { return gated[i] * (x / sum); });
}

void compute_sigmoid(const Call& call) {
  each_power(
      call, 1, [](float x) { return of_sigmoid(x); }, kNoStart,
      [](float, float sum, std::size_t) { return 1.0F / sum; });
}
void compute_gelu(const Call& call) {
  swishes(call, [](float x) { return of_gelu(x); });
}
void compute_fast_gelu(const Call& call) {
  swishes(call, [](float x) { return of_fast_gelu(x); });
}
void compute_silu(const Call& call) {
  swishes(call, [](float x) { return of_sigmoid(x); });
}
void compute_swish(const Call& call) {
  swishes(call, [beta = static_cast<float>(call.value(1, call.element(0)))](float x) {
    return -beta * x;
  });
}
void compute_geglu(const Call& call) {
  gates(call, [](float x) { return of_gelu(x); });
}
void compute_swiglu(const Call& call) {
  gates(call,
        [beta = static_cast<float>(call.value(1, ACLSIM_FLOAT))](float x) { return -beta * x; });
}

/// With a parabola instead of the error function, which is 1 beyond 1.769 * sqrt(2).
void compute_parabolic_gelu(const Call& call) {
  each_of_one<float>(call, 0, 1, call.count(0), [](float x) {
    const float size = (x < 0 ? -x : x) * 0.70710678118654752F;
    const float left = (size > 1.769F ? 1.769F : size) - 1.769F;
    const float half = -0.1444F * left * left + 0.5F;
    return x * ((x < 0 ? -half : half) + 0.5F);
  });
}
/// src0 * max(src1, 0)
void compute_reglu(const Call& call) {
  each_of_two<float>(call, 0, {call, 1, 1, call.element(0)}, {call, 2, 1, call.element(0)},
                     call.count(0), [](float x, float y) { return x * (y < 0 ? 0 : y); });
}

}  // namespace

const std::vector<Function> kActivationFunctions = {
    {ACLSIM_LIB_Gelu, plan_one, compute_gelu},
    {ACLSIM_LIB_FasterGelu, plan_one, compute_fast_gelu},
    {ACLSIM_LIB_FasterGeluV2, plan_one, compute_parabolic_gelu},
    {ACLSIM_LIB_Silu, plan_one, compute_silu},
    {ACLSIM_LIB_Swish, plan_one, compute_swish},
    {ACLSIM_LIB_Sigmoid, plan_one, compute_sigmoid},
    {ACLSIM_LIB_GeGLU, plan_gated, compute_geglu},
    {ACLSIM_LIB_SwiGLU, plan_gated, compute_swiglu},
    {ACLSIM_LIB_ReGlu, plan_gated, compute_reglu},
};

}  // namespace ascendc::library
