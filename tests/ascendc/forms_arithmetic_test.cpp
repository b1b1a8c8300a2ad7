// SPDX-License-Identifier: Apache-2.0
// Each function of one or two tensors that a row declares: every type of the row in every form,
// against a plain loop. A row without a loop here does not compile.
#include <cmath>

#include "tests/ascendc/forms.h"

namespace formsarithmetic {
namespace {

using namespace forms;
using vectortest::rounded;
using vectortest::wrapped;

double relu(double x) { return x <= 0 ? 0 : x; }
Wide relu(Wide x) { return x > 0 ? x : 0; }
Wide times(Wide a, Wide b, const Type& t) {
  using Bits = vectortest::UnsignedWide;
  return wrapped(static_cast<Wide>(static_cast<Bits>(a) * static_cast<Bits>(b)), t);
}
Wide quotient(Wide a, Wide b, const Type& t) { return b == 0 ? wrapped(-1, t) : wrapped(a / b, t); }

/// d: what the destination had. Each step of a function is rounded to the type.
#define LOOP(Name, REAL, WHOLE)                                                                  \
  struct Loop_##Name {                                                                           \
    static double real([[maybe_unused]] double a, [[maybe_unused]] double b,                     \
                       [[maybe_unused]] double d, [[maybe_unused]] const Type& t) {              \
      [[maybe_unused]] const auto step = [&t](double x) { return rounded(x, t); };               \
      return REAL;                                                                               \
    }                                                                                            \
    static Wide whole([[maybe_unused]] Wide a, [[maybe_unused]] Wide b, [[maybe_unused]] Wide d, \
                      [[maybe_unused]] const Type& t) {                                          \
      [[maybe_unused]] const auto step = [&t](Wide x) { return wrapped(x, t); };                 \
      return WHOLE;                                                                              \
    }                                                                                            \
  };
LOOP(Add, step(a + b), step(a + b))
LOOP(Sub, step(a - b), step(a - b))
LOOP(Mul, step(a* b), times(a, b, t))
LOOP(Div, step(a / b), quotient(a, b, t))
LOOP(Max, std::isnan(a) ? a : std::isnan(b) || b >= a ? b : a, a > b ? a : b)
LOOP(Min, std::isnan(a) ? a : std::isnan(b) || b <= a ? b : a, a < b ? a : b)
LOOP(And, 0, a& b)
LOOP(Or, 0, a | b)
LOOP(AddRelu, relu(step(a + b)), relu(step(a + b)))
LOOP(SubRelu, relu(step(a - b)), relu(step(a - b)))
LOOP(FusedMulAdd, step(step(a* d) + b), step(times(a, d, t) + b))
LOOP(MulAddRelu, relu(step(step(a* d) + b)), relu(step(times(a, d, t) + b)))
LOOP(Prelu, a >= 0 ? a : step(a * b), 0)
LOOP(AbsSub, std::fabs(step(a - b)), 0)
LOOP(Relu, relu(a), relu(a))
LOOP(Abs, std::fabs(a), step(a < 0 ? -a : a))
LOOP(Not, 0, step(~a))
LOOP(Exp, step(std::exp(a)), 0)
LOOP(Ln, step(std::log(a)), 0)
LOOP(Reciprocal, step(1 / a), quotient(1, a, t))
LOOP(Rsqrt, step(1 / std::sqrt(a)), 0)
LOOP(Sqrt, step(std::sqrt(a)), 0)
LOOP(Neg, -a, step(-a))
#undef LOOP

/// Not of real numbers inverts their bits.
template <class T>
using Seen =
    std::conditional_t<std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>, std::uint16_t,
                       std::conditional_t<std::is_same_v<T, float>, std::uint32_t, T>>;

template <class T, class Loop>
void check(const char* name, unsigned sources, const std::vector<Lanes>& lanes,
           const std::function<void(const Lanes&)>& call, unsigned tolerance = 0) {
  using E = std::conditional_t<std::is_same_v<Loop, Loop_Not>, Seen<T>, T>;
  const Type& t = type<E>();
  check_lanes(
      name, std::vector<const Type*>(sources + 1, &t), Numbers::edges, lanes, call,
      [&t](const Lane& lane) {
        const Value &a = lane.in[0], &b = lane.in[1], &d = lane.old;
        return t.real() ? real_value(Loop::real(a.real, b.real, d.real, t))
                        : whole_value(Loop::whole(a.whole, b.whole, d.whole, t));
      },
      tolerance);
}

/// Exp, Ln, Rsqrt: computed, not exact.
template <class T>
constexpr unsigned kComputed = sizeof(T) == 4 ? 2 : 1;
constexpr bool is_computed(unsigned opcode) {
  return opcode == ACLSIM_OP_Exp || opcode == ACLSIM_OP_Ln || opcode == ACLSIM_OP_Rsqrt;
}

#define LANES_BINARY(Name, a, b)                                                              \
  each_type<FORMS_TYPES(a, b)>([](auto value) {                                               \
    using T = decltype(value);                                                                \
    check<T, Loop_##Name>(#Name, 2, all_lanes(per_repeat_of<T>()), [](const Lanes& lanes) {   \
      FORMS_CALL(Name, (Name<T, false>), T, lanes, (binary_params<T, T, T>(lanes)), at<T>(0), \
                 at<T>(1), at<T>(2));                                                         \
    });                                                                                       \
  });
#define LANES_BINARY_CONFIG LANES_BINARY
#define LANES_BINARY_COUNT(Name, a, b)                                                \
  each_type<FORMS_TYPES(a, b)>([](auto value) {                                       \
    using T = decltype(value);                                                        \
    check<T, Loop_##Name>(                                                            \
        #Name, 2, only(Form::count, per_repeat_of<T>()),                              \
        [](const Lanes& lanes) { Name(at<T>(0), at<T>(1), at<T>(2), lanes.count); }); \
  });
#define LANES_UNARY(Name, a, b)                                                               \
  each_type<FORMS_TYPES(a, b)>([](auto value) {                                               \
    using T = decltype(value);                                                                \
    check<T, Loop_##Name>(                                                                    \
        #Name, 1, all_lanes(per_repeat_of<T>()),                                              \
        [](const Lanes& lanes) {                                                              \
          FORMS_CALL(Name, (Name<T, false>), T, lanes, (unary_params<T, T>(lanes)), at<T>(0), \
                     at<T>(1));                                                               \
        },                                                                                    \
        is_computed(ACLSIM_OP_##Name) ? kComputed<T> : 0);                                    \
  });
#define LANES_UNARY_CONFIG LANES_UNARY
#define LANES_UNARY_COUNT(Name, a, b)                                                         \
  each_type<FORMS_TYPES(a, b)>([](auto value) {                                               \
    using T = decltype(value);                                                                \
    check<T, Loop_##Name>(#Name, 1, only(Form::count, per_repeat_of<T>()),                    \
                          [](const Lanes& lanes) { Name(at<T>(0), at<T>(1), lanes.count); }); \
  });
#define LANES_SCALAR(Name, a, b)
#define LANES_SCALAR_PLAIN(Name, a, b)
#define LANES_FLEX(Name, a, b)
#define LANES_CUSTOM(Name, a, b)
#define LANES_ROW(number, Name, shape, operands, a, b, flags) LANES_##shape(Name, a, b)

}  // namespace

TEST_CASE(
    "functions of one and of two tensors compute what a loop does, in each form and for each type",
    "[forms]"){ACLSIM_VECTOR_ROWS(LANES_ROW)}
#if __NPU_ARCH__ == 3510
TEST_CASE("Abs of integers may have the unsigned type, which holds the least of them, too",
          "[forms]") {
  each_type<FORMS_TYPES(NONE, SIGNED)>([](auto value) {
    using T = decltype(value);
    if constexpr (std::is_integral_v<T>) {
      using U = std::make_unsigned_t<T>;
      check_lanes(
          "Abs", {&type<U>(), &type<T>()}, Numbers::edges, only(Form::count, per_repeat_of<T>()),
          [](const Lanes& lanes) { Abs(at<U>(0), at<T>(1), static_cast<int32_t>(lanes.count)); },
          [](const Lane& lane) {
            return whole_value(lane.in[0].whole < 0 ? -lane.in[0].whole : lane.in[0].whole);
          });
    }
  });
}
#endif

}  // namespace formsarithmetic
