// SPDX-License-Identifier: Apache-2.0
// Activation functions, element by element, in float.
#include "runtime/ascendc/library/elements.h"
#include "runtime/ascendc/library/plan.h"
#include "runtime/ascendc/library/row_loops.h"
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

// The functions with an exponential: x / (1 + e^p) for a power p that depends on x.
struct Power {
  float factor;
  float cubic = 0;
  /// factor * (x + cubic * x^3)
  void operator()(const float* x, std::size_t number, float* to) const {
    if (cubic == 0) return row_loops().scale(x, number, factor, to);
    row_loops().scale_cubic(x, number, factor, cubic, to);
  }
};
constexpr Power kGelu{-1.5957691216057308F, 0.044715F}, kFastGelu{-1.702F}, kSigmoid{-1};

/// Each piece of the elements x of operand `from`: finish(first element, number, x, e^power).
template <typename Finish>
void each_power(const Call& call, unsigned from, const Power& power, Finish&& finish) {
  float values[kPiece], powers[kPiece];
  for (std::uint64_t first = 0; first < call.count(0); first += kPiece) {
    const auto here =
        static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, call.count(0) - first));
    call.load(from, first, here, values);
    power(values, here, powers);
    raise_e(powers, here);
    finish(first, here, values, powers);
    call.store(0, first, here, values);
  }
}

/// x / (1 + e^power)
void swishes(const Call& call, const Power& power) {
  each_power(call, 1, power,
             [](std::uint64_t, std::size_t here, float* values, const float* powers) {
               row_loops().swish(values, here, powers);
             });
}
/// src0 * src1 / (1 + e^power), with the power of src1
void gates(const Call& call, const Power& power) {
  each_power(call, 2, power,
             [&](std::uint64_t first, std::size_t here, float* values, const float* powers) {
               float gated[kPiece];
               call.load(1, first, here, gated);
               row_loops().swish(values, here, powers);
               for (std::size_t i = 0; i < here; ++i) values[i] *= gated[i];
             });
}

void compute_sigmoid(const Call& call) {
  each_power(call, 1, kSigmoid,
             [](std::uint64_t, std::size_t here, float* values, const float* powers) {
               std::fill_n(values, here, 1.0F);
               row_loops().swish(values, here, powers);
             });
}
void compute_gelu(const Call& call) { swishes(call, kGelu); }
void compute_fast_gelu(const Call& call) { swishes(call, kFastGelu); }
void compute_silu(const Call& call) { swishes(call, kSigmoid); }
void compute_swish(const Call& call) {
  swishes(call, Power{-static_cast<float>(call.value(1, call.element(0)))});
}
void compute_geglu(const Call& call) { gates(call, kGelu); }
void compute_swiglu(const Call& call) {
  gates(call, Power{-static_cast<float>(call.value(1, ACLSIM_FLOAT))});
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
