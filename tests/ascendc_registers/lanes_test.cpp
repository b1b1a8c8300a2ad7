// SPDX-License-Identifier: Apache-2.0
// Each function over lanes that a row declares: every type of the row under several masks, in both
// modes of merging, against a plain loop. A row without a loop here does not compile.
#include <cmath>

#include "tests/ascendc_registers/bench.h"
#include "tests/ascendc_registers/types.h"

namespace registers_test::lanes_tests {
namespace {

using vectortest::rounded;
using vectortest::wrapped;

Wide product(Wide a, Wide b, const Type& t) {
  using Bits = vectortest::UnsignedWide;
  return wrapped(static_cast<Wide>(static_cast<Bits>(a) * static_cast<Bits>(b)), t);
}
Wide quotient(Wide a, Wide b, const Type& t) { return b == 0 ? wrapped(-1, t) : wrapped(a / b, t); }
double greater(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::nan("");
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
double lesser(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::nan("");
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
/// Arithmetic: the sign stays.
Wide shifted_left(Wide a, Wide by, const Type& t) {
  if (by < 0 || by >= static_cast<Wide>(t.bits)) return 0;
  const Wide sign = t.is_signed ? Wide{1} << (t.bits - 1) : 0;
  const Wide span = Wide{1} << t.bits;
  const Wide low = (a % span + span) % span;
  const Wide moved = (low << static_cast<int>(by)) % span;
  return wrapped(t.is_signed ? (low & sign) | (moved & (sign - 1)) : moved, t);
}
Wide shifted_right(Wide a, Wide by, const Type& t) {
  if (by < 0 || by >= static_cast<Wide>(t.bits)) return a < 0 ? -1 : 0;
  const Wide step = Wide{1} << static_cast<int>(by);
  return a >= 0 ? a / step : -((-a + step - 1) / step);
}

/// a, b: the sources; d: what the destination had.
#define LOOP(Name, REAL, WHOLE)                                                                  \
  struct Loop_##Name {                                                                           \
    static double real([[maybe_unused]] double a, [[maybe_unused]] double b,                     \
                       [[maybe_unused]] double d, [[maybe_unused]] const Type& t) {              \
      return rounded(REAL, t);                                                                   \
    }                                                                                            \
    static Wide whole([[maybe_unused]] Wide a, [[maybe_unused]] Wide b, [[maybe_unused]] Wide d, \
                      [[maybe_unused]] const Type& t) {                                          \
      return wrapped(WHOLE, t);                                                                  \
    }                                                                                            \
  };
LOOP(Add, a + b, a + b)
LOOP(Sub, a - b, a - b)
LOOP(Mul, a* b, product(a, b, t))
LOOP(Div, a / b, quotient(a, b, t))
LOOP(Max, greater(a, b), a > b ? a : b)
LOOP(Min, lesser(a, b), a < b ? a : b)
LOOP(And, 0, a& b)
LOOP(Or, 0, a | b)
LOOP(Xor, 0, a ^ b)
LOOP(Prelu, a > 0 ? a : a * b, 0)
LOOP(AbsSub, std::fabs(rounded(a - b, t)), wrapped(a - b, t) < 0 ? b - a : a - b)
LOOP(ShiftLeft, 0, shifted_left(a, b, t))
LOOP(ShiftRight, 0, shifted_right(a, b, t))
LOOP(MulAddDst, a* b + d, product(a, b, t) + d)
LOOP(MulDstAdd, d* a + b, product(d, a, t) + b)
LOOP(Abs, std::fabs(a), a < 0 ? -a : a)
LOOP(Relu, std::isnan(a) ? a : (a > 0 ? a : 0.0), a > 0 ? a : 0)
LOOP(Exp, std::exp(a), 0)
LOOP(Sqrt, std::sqrt(a), 0)
LOOP(Ln, std::log(a), 0)
LOOP(Log, std::log(a), 0)
LOOP(Log2, std::log2(a), 0)
LOOP(Log10, std::log10(a), 0)
LOOP(Neg, -a, -a)
LOOP(Not, 0, ~a)
LOOP(Adds, a + b, a + b)
LOOP(Muls, a* b, product(a, b, t))
LOOP(Maxs, greater(a, b), a > b ? a : b)
LOOP(Mins, lesser(a, b), a < b ? a : b)
LOOP(ShiftLefts, 0, shifted_left(a, b, t))
LOOP(ShiftRights, 0, shifted_right(a, b, t))
LOOP(LeakyRelu, a > 0 ? a : a * b, 0)
LOOP(Axpy, a* b + d, product(a, b, t) + d)
#undef LOOP

// Shapes whose second source is a value, not a register.
enum class Shape { ONE, ONE_MODE, TWO, TWO_MODE, THREE, SHIFT, SCALAR, SCALAR_THREE };
constexpr bool has_value(Shape shape) {
  return shape == Shape::SCALAR || shape == Shape::SCALAR_THREE;
}
bool is_shift(const std::string& name) { return name.find("Shift") == 0; }

/// Not and bit operations of real numbers work on their bits.
template <class T>
using Bits = std::conditional_t<
    std::is_same_v<T, half>, std::uint16_t,
    std::conditional_t<std::is_same_v<T, float>, std::uint32_t,
                       std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>>>;

/// Registers a, b and d of the lane; results of each mask, zeroing and merging.
template <class T, class Loop, class Act>
void check(const std::string& name, Shape shape, std::uint64_t tolerance, Act act) {
  CAPTURE(name, aclsim_element::of<T>);
  constexpr bool kOnBits = std::is_same_v<Loop, Loop_Not> || std::is_same_v<T, bool>;
  using E = std::conditional_t<kOnBits, Bits<T>, T>;
  const Type& t = type<E>();
  const std::vector<Lanes> masks = some_lanes(kRegister / sizeof(T));
  Bytes second = numbers(t, kRegister, 2);
  for (std::size_t i = 0; is_shift(name) && i < kRegister; i += sizeof(T)) {
    const std::uint64_t count = i / sizeof(T) % (8 * sizeof(T) + 3);
    std::memcpy(&second[i], &count, sizeof(T));
  }
  if (has_value(shape)) std::memcpy(&second[0], &second[sizeof(T)], sizeof(T));
  const Bytes given = joined({numbers(t, kRegister, 1), second, numbers(t, kRegister, 3),
                              Bytes(masks.size() * 2 * kRegister)});
  T value;
  std::memcpy(&value, &second[0], sizeof(T));
  const Bytes all = run(
      given,
      [&](std::uint8_t* buffer) {
        std::size_t result = 3;
        Reg::MaskReg full = Reg::CreateMask<T>();
        for (const Lanes& lanes : masks) {
          for (const bool merging : {false, true}) {
            Reg::RegTensor<T> a, b, d;
            Reg::MaskReg mask = lanes.mask;
            Reg::LoadAlign(a, at<T>(buffer, 0));
            Reg::LoadAlign(b, at<T>(buffer, 1));
            Reg::LoadAlign(d, at<T>(buffer, 2));
            act(merging, d, a, b, value, mask);
            Reg::StoreAlign(at<T>(buffer, result++), d, full);
          }
        }
      },
      [] { SetCtrlSpr<48, 48>(1); });  // infinities and NaN stay what they are
  std::size_t result = 3;
  for (const Lanes& lanes : masks) {
    for (const bool merging : {false, true}) {
      CAPTURE(lanes.name, merging);
      for (std::size_t i = 0; i < lanes.on.size(); ++i) {
        CAPTURE(i);
        const std::size_t from = i * sizeof(T);
        const Value a = value_at(given, from, t);
        const Value b = value_at(given, kRegister + (has_value(shape) ? 0 : from), t);
        const Value d = value_at(given, 2 * kRegister + from, t);
        Value expected;
        if (lanes.on[i]) {
          if (t.real()) expected.real = Loop::real(a.real, b.real, d.real, t);
          if (!t.real()) expected.whole = Loop::whole(a.whole, b.whole, d.whole, t);
        } else if (merging) {
          expected = d;
        }
        if (!same(all, result * kRegister + from, t, expected, tolerance)) {
          CAPTURE(bits_at(all, result * kRegister + from, t), vectortest::encode(expected, t));
          FAIL_CHECK("the lane has another value");
          return;
        }
      }
      ++result;
    }
  }
}

constexpr auto kMerges = Reg::MaskMergeMode::MERGING;
constexpr auto kZeroes = Reg::MaskMergeMode::ZEROING;
using D = Reg::DefaultType;

#define CALL_TWO(Name)                                                         \
  [](bool merging, auto& d, auto& a, auto& b, auto, Reg::MaskReg& mask) {      \
    merging ? Reg::Name<D, kMerges>(d, a, b, mask) : Reg::Name(d, a, b, mask); \
  }
#define CALL_TWO_MODE(Name) CALL_TWO(Name)
#define CALL_THREE(Name) CALL_TWO(Name)
#define CALL_SHIFT(Name)                                                                         \
  [](bool merging, auto& d, auto& a, auto& b, auto, Reg::MaskReg& mask) {                        \
    merging ? Reg::Name<D, D, kMerges>(d, a, b, mask) : Reg::Name<D, D, kZeroes>(d, a, b, mask); \
  }
#define CALL_ONE(Name)                                                   \
  [](bool merging, auto& d, auto& a, auto&, auto, Reg::MaskReg& mask) {  \
    merging ? Reg::Name<D, kMerges>(d, a, mask) : Reg::Name(d, a, mask); \
  }
#define CALL_ONE_MODE(Name) CALL_ONE(Name)
#define CALL_SCALAR(Name)                                                                 \
  [](bool merging, auto& d, auto& a, auto&, auto value, Reg::MaskReg& mask) {             \
    using V = decltype(value);                                                            \
    merging ? Reg::Name<D, V, kMerges>(d, a, value, mask) : Reg::Name(d, a, value, mask); \
  }
#define CALL_SCALAR_THREE(Name) CALL_SCALAR(Name)

template <class Loop>
constexpr std::uint64_t tolerance_of() {
  if (std::is_same_v<Loop, Loop_Exp>) return 2;
  return std::is_same_v<Loop, Loop_Ln> || std::is_same_v<Loop, Loop_Log> ||
                 std::is_same_v<Loop, Loop_Log2> || std::is_same_v<Loop, Loop_Log10> ||
                 // one rounding of the multiplication and addition in float, then one to half
                 std::is_same_v<Loop, Loop_MulAddDst> || std::is_same_v<Loop, Loop_MulDstAdd> ||
                 std::is_same_v<Loop, Loop_Axpy> || std::is_same_v<Loop, Loop_AbsSub>
             ? 1
             : 0;
}

#define CHECK_TYPE(x) one(TYPE_##x{});
#define CHECK_ROW(Name, shape, operation, types)                                              \
  TEST_CASE("registers: " #Name " computes every lane of every type", "[registers][lanes]") { \
    const auto one = [](auto kind) {                                                          \
      check<decltype(kind), Loop_##Name>(#Name, Shape::shape, tolerance_of<Loop_##Name>(),    \
                                         CALL_##shape(Name));                                 \
    };                                                                                        \
    ACLSIM_APPLY_IN(types, CHECK_TYPE, CHECK_TYPE)                                            \
  }
ACLSIM_REG_ROWS(CHECK_ROW)

}  // namespace
}  // namespace registers_test::lanes_tests
