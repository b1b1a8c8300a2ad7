// SPDX-License-Identifier: Apache-2.0
// Each function of a tensor and a value: every type of its row in every form, with the value as an
// argument and, where the row has it, as an element of a tensor and as the left operand; against a
// plain loop.
#include <cmath>

#include "tests/ascendc/forms.h"

namespace formsscalar {
namespace {

using namespace forms;
using vectortest::rounded;
using vectortest::wrapped;

/// a and the scalar s; d: what the destination had.
struct Of {
  const Type& t;
  bool left = false;  // the scalar is the left operand
  double step(double x) const { return rounded(x, t); }
  Wide step(Wide x) const { return wrapped(x, t); }
};
Wide product(Wide a, Wide b) {
  using Bits = vectortest::UnsignedWide;
  return static_cast<Wide>(static_cast<Bits>(a) * static_cast<Bits>(b));
}
Wide shifted_left(Wide a, Wide by, const Type& t) {
  return by < 0 || by >= t.bits ? 0 : wrapped(product(a, static_cast<Wide>(1) << by), t);
}
Wide shifted_right(Wide a, Wide by, const Type& t, bool rounds) {
  if (by < 0 || by >= t.bits) return a < 0 ? -1 : 0;
  const Wide power = static_cast<Wide>(1) << by;
  Wide result = (a >= 0 ? a : a - power + 1) / power;
  if (rounds && by > 0 && a - result * power >= power / 2) ++result;
  return result;
}

#define LOOP(Name, REAL, WHOLE)                                                       \
  struct Loop_##Name {                                                                \
    static double real([[maybe_unused]] double a, [[maybe_unused]] double s, Of of) { \
      if (of.left) std::swap(a, s);                                                   \
      return REAL;                                                                    \
    }                                                                                 \
    static Wide whole([[maybe_unused]] Wide a, [[maybe_unused]] Wide s, Of of) {      \
      if (of.left) std::swap(a, s);                                                   \
      return WHOLE;                                                                   \
    }                                                                                 \
  };
LOOP(Adds, of.step(a + s), of.step(a + s))
LOOP(Subs, of.step(a - s), of.step(a - s))
LOOP(Muls, of.step(a* s), of.step(product(a, s)))
LOOP(Divs, of.step(a / s), s == 0 ? of.step(Wide(-1)) : of.step(a / s))
LOOP(Maxs, std::isnan(a) ? a : std::isnan(s) || s >= a ? s : a, a > s ? a : s)
LOOP(Mins, std::isnan(a) ? a : std::isnan(s) || s <= a ? s : a, a < s ? a : s)
LOOP(LeakyRelu, a >= 0 ? a : of.step(a * s), 0)
LOOP(ShiftLeft, 0, shifted_left(a, s, of.t))
LOOP(ShiftRight, 0, shifted_right(a, s, of.t, false))
LOOP(Ands, 0, a& s)
LOOP(Ors, 0, a | s)
#undef LOOP

template <class T>
T element_of(const Value& value) {
  return aclsim_vector::from_bits<T>(vectortest::encode(value, type<T>()));
}
/// The scalar arguments: ordinary values and edge cases; numbers of bits for a shift.
template <class T>
std::vector<Value> scalars(bool shifts) {
  const Type& t = type<T>();
  if (shifts) return {whole_value(0), whole_value(1), whole_value(t.bits - 1), whole_value(t.bits)};
  if (t.real())
    return {real_value(1.5), real_value(-0.25), real_value(HUGE_VAL), real_value(std::nan(""))};
  return {whole_value(3), whole_value(vectortest::wrapped(-2, t)),
          whole_value(vectortest::most_of(t))};
}
using Call = std::function<void(const Lanes&, const Value&)>;

/// With the first `most` of them.
template <class T, class Loop>
void check(const char* name, bool shifts, bool left, const std::vector<Lanes>& lanes,
           const Call& call, std::size_t most = 4) {
  const Type& t = type<T>();
  std::vector<Value> values = scalars<T>(shifts);
  if (values.size() > most) values.resize(most);
  for (const Value& s : values) {
    check_lanes(
        name, {&t, &t}, Numbers::edges, lanes, [&](const Lanes& one) { call(one, s); },
        [&](const Lane& lane) {
          return t.real() ? real_value(Loop::real(lane.in[0].real, s.real, {t, left}))
                          : whole_value(Loop::whole(lane.in[0].whole, s.whole, {t, left}));
        });
  }
}

#define VALUE_CALLED(Name, T, ...) \
  FORMS_CALL(Name, (Name<T, false>), T, lanes, (unary_params<T, T>(lanes)), at<T>(0), __VA_ARGS__)
#define VALUE_PLAIN(Name, a, b, shifts)                                                        \
  each_type<FORMS_TYPES(a, b)>([](auto value) {                                                \
    using T = decltype(value);                                                                 \
    const auto lanes_of_type = all_lanes(per_repeat_of<T>());                                  \
    check<T, Loop_##Name>(#Name, shifts, false, lanes_of_type,                                 \
                          [](const Lanes& lanes, const Value& s) {                             \
                            VALUE_CALLED(Name, T, at<T>(1), element_of<T>(s));                 \
                          });                                                                  \
    check<T, Loop_##Name>(                                                                     \
        #Name, shifts, false, lanes_of_type, [](const Lanes& lanes, const Value& s) {          \
          FORMS_CALL((Name<T, T>), (Name<T, T, false>), T, lanes, (unary_params<T, T>(lanes)), \
                     at<T>(0), at<T>(1), element_of<T>(s));                                    \
        });                                                                                    \
  });

constexpr BinaryConfig kLeft = {0};
/// The value first, and the value in a tensor (the first element), second and first.
#define VALUE_SIDES(Name, a, b)                                                                 \
  each_type<FORMS_TYPES(a, b)>([](auto value) {                                                 \
    using T = decltype(value);                                                                  \
    using D = BinaryDefaultType;                                                                \
    const auto lanes_of_type = all_lanes(per_repeat_of<T>());                                   \
    const auto one = [](const Value& s) {                                                       \
      const LocalTensor<T> tensor(TPosition::VECCALC, kOperands* kBytes, 32 / sizeof(T));       \
      Duplicate(tensor, element_of<T>(s), static_cast<int32_t>(32 / sizeof(T)));                \
      return tensor;                                                                            \
    };                                                                                          \
    check<T, Loop_##Name>(                                                                      \
        #Name, false, false, lanes_of_type, [](const Lanes& lanes, const Value& s) {            \
          FORMS_CALL(Name, (Name<D, false>), T, lanes, (unary_params<T, T>(lanes)), at<T>(0),   \
                     at<T>(1), element_of<T>(s));                                               \
        });                                                                                     \
    check<T, Loop_##Name>(                                                                      \
        #Name, false, true, lanes_of_type, [](const Lanes& lanes, const Value& s) {             \
          FORMS_CALL(Name, (Name<D, false>), T, lanes, (unary_params<T, T>(lanes)), at<T>(0),   \
                     element_of<T>(s), at<T>(1));                                               \
        });                                                                                     \
    if constexpr (aclsim_vector::among<T>(FORMS_TYPES(B16_B32, ALL))) {                         \
      check<T, Loop_##Name>(                                                                    \
          #Name, false, false, lanes_of_type,                                                   \
          [&](const Lanes& lanes, const Value& s) {                                             \
            const LocalTensor<T> scalar = one(s);                                               \
            FORMS_CALL(Name, (Name<D, false>), T, lanes, (unary_params<T, T>(lanes)), at<T>(0), \
                       at<T>(1), scalar[0]);                                                    \
          },                                                                                    \
          1);                                                                                   \
      check<T, Loop_##Name>(                                                                    \
          #Name, false, true, lanes_of_type,                                                    \
          [&](const Lanes& lanes, const Value& s) {                                             \
            const LocalTensor<T> scalar = one(s);                                               \
            FORMS_CALL((Name<D, true, kLeft>), (Name<D, false, kLeft>), T, lanes,               \
                       (unary_params<T, T>(lanes)), at<T>(0), scalar, at<T>(1));                \
          },                                                                                    \
          1);                                                                                   \
    }                                                                                           \
  });
#if __NPU_ARCH__ == 3510
#define VALUE_SCALAR(Name, a, b) VALUE_PLAIN(Name, a, b, false) VALUE_SIDES(Name, a, b)
#else
#define VALUE_SCALAR(Name, a, b) VALUE_PLAIN(Name, a, b, false)
#endif
#define VALUE_SCALAR_PLAIN(Name, a, b) \
  VALUE_PLAIN(Name, a, b, ACLSIM_OP_##Name == ACLSIM_OP_ShiftLeft)
#define VALUE_FLEX(Name, a, b) VALUE_SIDES(Name, a, b)
#define VALUE_BINARY(Name, a, b)
#define VALUE_BINARY_CONFIG(Name, a, b)
#define VALUE_BINARY_COUNT(Name, a, b)
#define VALUE_UNARY(Name, a, b)
#define VALUE_UNARY_CONFIG(Name, a, b)
#define VALUE_UNARY_COUNT(Name, a, b)
#define VALUE_CUSTOM(Name, a, b)
#define VALUE_ROW(number, Name, shape, operands, a, b, flags) VALUE_##shape(Name, a, b)

/// ShiftRight has a last argument more where there is a mask.
template <class T>
void shift_right(const Lanes& lanes, T by, bool rounds, bool two_types) {
  const UnaryRepeatParams params = unary_params<T, T>(lanes);
  std::uint64_t bits[2] = {lanes.mask[0], lanes.mask[1]};
  const auto to = at<T>(0), from = at<T>(1);
  if (lanes.form == Form::mask_n) {
    if (two_types)
      ShiftRight<T, T>(to, from, by, bits[0], lanes.repeats, params, rounds);
    else
      ShiftRight(to, from, by, bits[0], lanes.repeats, params, rounds);
  } else if (lanes.form == Form::mask_bits) {
    if (two_types)
      ShiftRight<T, T>(to, from, by, bits, lanes.repeats, params, rounds);
    else
      ShiftRight(to, from, by, bits, lanes.repeats, params, rounds);
  } else {
    set_lanes<T>(lanes);
    if (two_types)
      ShiftRight<T, T, false>(to, from, by, MASK_PLACEHOLDER, lanes.repeats, params, rounds);
    else
      ShiftRight<T, false>(to, from, by, bits, lanes.repeats, params, rounds);
  }
}

}  // namespace

TEST_CASE(
    "functions of a tensor and a value compute what a loop does, in each form and for each type",
    "[forms]"){ACLSIM_VECTOR_ROWS(VALUE_ROW)}

TEST_CASE("ShiftRight keeps the sign, and rounds half of the last bit upwards where it is told to",
          "[forms]") {
  each_type<FORMS_TYPES(S16_U16_S32_U32, INTS)>([](auto value) {
    using T = decltype(value);
    const unsigned n = per_repeat_of<T>();
    check<T, Loop_ShiftRight>(
        "ShiftRight", true, false, only(Form::count, n), [](const Lanes& lanes, const Value& s) {
          ShiftRight(at<T>(0), at<T>(1), element_of<T>(s), static_cast<int32_t>(lanes.count));
        });
    check<T, Loop_ShiftRight>(
        "ShiftRight", true, false, only(Form::count, n), [](const Lanes& lanes, const Value& s) {
          ShiftRight<T, T>(at<T>(0), at<T>(1), element_of<T>(s), static_cast<int32_t>(lanes.count));
        });
    std::vector<Lanes> masked = all_lanes(n);
    std::erase_if(masked, [](const Lanes& each) { return each.form == Form::count; });
    for (const bool two_types : {false, true}) {
      check<T, Loop_ShiftRight>("ShiftRight", true, false, masked,
                                [=](const Lanes& lanes, const Value& s) {
                                  shift_right<T>(lanes, element_of<T>(s), false, two_types);
                                });
      const auto rounding = [=](const Lanes& lanes, const Value& s) {
        if (s.whole == type<T>().bits) return;
        shift_right<T>(lanes, element_of<T>(s), true, two_types);
      };
      for (const Wide by : {0, 1, 3}) {
        const Type& t = type<T>();
        check_lanes(
            "ShiftRight, rounding", {&t, &t}, Numbers::edges, masked,
            [&](const Lanes& lanes) { rounding(lanes, whole_value(by)); },
            [&](const Lane& lane) {
              return whole_value(shifted_right(lane.in[0].whole, by, t, true));
            });
      }
    }
  });
}

TEST_CASE("ShiftLeft and ShiftRight take a number of bits for each element from a tensor",
          "[forms]") {
  each_type<FORMS_TYPES(S16_U16_S32_U32, INTS)>([](auto value) {
    using T = decltype(value);
    using U = std::make_unsigned_t<T>;
    const std::vector<Lanes> counts = only(Form::count, per_repeat_of<T>());
    const std::vector<const Type*> types = {&type<T>(), &type<T>(), &type<U>()};
    check_lanes(
        "ShiftLeft", types, Numbers::tame, counts,
        [](const Lanes& lanes) {
          ShiftLeft(at<T>(0), at<T>(1), at<U>(2), static_cast<int32_t>(lanes.count));
        },
        [](const Lane& lane) {
          return whole_value(shifted_left(lane.in[0].whole, lane.in[1].whole, type<T>()));
        });
    check_lanes(
        "ShiftRight", types, Numbers::tame, counts,
        [](const Lanes& lanes) {
          ShiftRight(at<T>(0), at<T>(1), at<U>(2), static_cast<int32_t>(lanes.count));
        },
        [](const Lane& lane) {
          return whole_value(shifted_right(lane.in[0].whole, lane.in[1].whole, type<T>(), false));
        });
  });
}

namespace {

template <class D, class S>
void check_axpy() {
  check_lanes(
      "Axpy", {&type<D>(), &type<S>()}, Numbers::edges, all_lanes(per_repeat_of<D, S>()),
      [](const Lanes& lanes) {
        FORMS_CALL(Axpy, (Axpy<D, S, false>), D, lanes, (unary_params<D, S>(lanes)), at<D>(0),
                   at<S>(1), S(-1.5F));
      },
      [](const Lane& lane) {
        return real_value(
            rounded(rounded(lane.in[0].real * -1.5, type<D>()) + lane.old.real, type<D>()));
      });
}

}  // namespace

TEST_CASE("Axpy adds the product of source and value to what the destination has", "[forms]") {
  check_axpy<half, half>();
  check_axpy<float, float>();
  check_axpy<float, half>();
}

TEST_CASE("MulsCast and FusedMulsCast multiply and then make halves, with the value on either side",
          "[forms]") {
  const std::vector<Lanes> counts = only(Form::count, per_repeat_of<half, float>());
  const auto wanted = [](const Lane& lane) {
    return real_value(rounded(rounded(lane.in[0].real * 0.75, type<float>()), type<half>()));
  };
  const auto check_one = [&](const std::function<void(std::uint32_t)>& call) {
    check_lanes(
        "MulsCast", {&type<half>(), &type<float>()}, Numbers::edges, counts,
        [&](const Lanes& lanes) { call(lanes.count); }, wanted);
  };
  const auto value = [] {
    const LocalTensor<float> tensor(TPosition::VECCALC, kOperands * kBytes, 8);
    Duplicate(tensor, 0.75F, 8);
    return tensor;
  };
  check_one([](std::uint32_t count) { MulsCast(at<half>(0), at<float>(1), 0.75F, count); });
  check_one([](std::uint32_t count) { MulsCast(at<half>(0), 0.75F, at<float>(1), count); });
  check_one([](std::uint32_t count) { FusedMulsCast(at<half>(0), at<float>(1), 0.75F, count); });
  check_one([&](std::uint32_t count) { MulsCast(at<half>(0), at<float>(1), value(), count); });
  check_one([&](std::uint32_t count) {
    FusedMulsCast<BinaryDefaultType, BinaryDefaultType, kLeft>(at<half>(0), value(), at<float>(1),
                                                               count);
  });
}

}  // namespace formsscalar
