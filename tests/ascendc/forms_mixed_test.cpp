// SPDX-License-Identifier: Apache-2.0
// Functions between two types, and functions of several steps: each pair of types of the rows in
// every form, against a plain loop.
#include <cmath>

#include "tests/ascendc/forms.h"

namespace formsmixed {
namespace {

using namespace forms;
using vectortest::nearest;
using vectortest::rounded;
using vectortest::to_integral;
using vectortest::wrapped;

/// As Cast does it, in the mode of a RoundMode.
Value converted(const Value& value, const Type& from, const Type& to, int mode) {
  if (from.real() && to.real()) {
    return real_value(from.element == to.element ? to_integral(value.real, mode)
                                                 : rounded(value.real, to, mode));
  }
  if (from.real()) {
    if (std::isnan(value.real)) return whole_value(0);
    return whole_value(
        nearest(std::isinf(value.real) ? value.real : to_integral(value.real, mode), to));
  }
  if (to.real())
    return real_value(rounded(static_cast<double>(static_cast<long long>(value.whole)), to, mode));
  if (from.element == ACLSIM_INT16 && to.element == ACLSIM_UINT8)
    return whole_value(wrapped(value.whole, to));
  return whole_value(nearest(value.whole, to));
}

template <class D, class S>
void check_cast(std::uint32_t modes) {
  constexpr bool kScaled = std::is_same_v<D, half> && std::is_same_v<S, std::int32_t>;
  const Numbers numbers =
      sizeof(S) == 8 ? Numbers::tame : Numbers::edges;  // the loop has no more than a double
  for (int mode = 0; mode <= static_cast<int>(RoundMode::CAST_ODD); ++mode) {
    if ((modes >> mode & 1U) == 0) continue;
    const auto round_mode = static_cast<RoundMode>(mode);
    INFO("mode " << mode);
    check_lanes(
        "Cast", {&type<D>(), &type<S>()}, numbers, all_lanes(per_repeat_of<D, S>()),
        [&](const Lanes& lanes) {
          if (kScaled) SetDeqScale(half(0.5F));
          FORMS_CALL(Cast, (Cast<D, S, false>), D, lanes, (unary_params<D, S>(lanes)), at<D>(0),
                     at<S>(1), round_mode);
        },
        [&](const Lane& lane) {
          if (kScaled) {
            return real_value(rounded(
                static_cast<double>(static_cast<long long>(lane.in[0].whole)) * 0.5, type<D>()));
          }
          return converted(lane.in[0], type<S>(), type<D>(), mode);
        });
  }
}

/// All pairs of Cast without int4b_t, which has two elements in a byte: see forms_bytes_test.cpp.
template <class D>
void check_casts_to() {
  each_type<~0U>([](auto value) {
    using S = decltype(value);
    constexpr std::uint32_t kModes =
        aclsim_vector::pair_modes(ACLSIM_OP_Cast, aclsim_element::of<D>, aclsim_element::of<S>);
    if constexpr (kModes != 0) check_cast<D, S>(kModes);
  });
}

}  // namespace

TEST_CASE("Cast converts each pair of types in each mode that it has, in each form", "[forms]") {
  each_type<~0U>([](auto value) { check_casts_to<decltype(value)>(); });
}

namespace {

using Steps = std::function<Value(const Lane&)>;

#define CALL_TWO(Name, D, S)                                                                   \
  [](const Lanes& lanes) {                                                                     \
    FORMS_CALL(Name, (Name<D, S, false>), D, lanes, (binary_params<D, S, S>(lanes)), at<D>(0), \
               at<S>(1), at<S>(2));                                                            \
  }
template <class D, class S>
void check_two(const char* name, Numbers numbers, const std::function<void(const Lanes&)>& call,
               const Steps& steps, unsigned tolerance = 0) {
  check_lanes(name, {&type<D>(), &type<S>(), &type<S>()}, numbers, all_lanes(per_repeat_of<D, S>()),
              call, steps, tolerance);
}
template <class D, class S>
void check_two_of_count(const char* name, const std::function<void(const Lanes&)>& call,
                        const Steps& steps, unsigned tolerance = 0) {
  check_lanes(name, {&type<D>(), &type<S>(), &type<S>()}, Numbers::tame,
              only(Form::count, per_repeat_of<D, S>()), call, steps, tolerance);
}

template <class D, class S>
void check_mul_add_dst() {
  check_two<D, S>("MulAddDst", Numbers::edges, CALL_TWO(MulAddDst, D, S), [](const Lane& lane) {
    const double product = rounded(lane.in[0].real * lane.in[1].real, type<D>());
    return real_value(rounded(product + lane.old.real, type<D>()));
  });
}

/// The step is one of the sources' type, then comes the conversion to nearest.
template <class D, class S>
Value relu_then_cast(const Lane& lane, int sign) {
  const Type& from = type<S>();
  if (!from.real()) {
    const Wide step = wrapped(lane.in[0].whole + sign * lane.in[1].whole, from);
    return converted(whole_value(step > 0 ? step : 0), from, type<D>(), vectortest::kRint);
  }
  const double step = rounded(lane.in[0].real + sign * lane.in[1].real, from);
  return converted(real_value(step <= 0 ? 0 : step), from, type<D>(), vectortest::kRint);
}
template <class D, class S>
void check_relu_casts() {
  check_two<D, S>("AddReluCast", Numbers::edges, CALL_TWO(AddReluCast, D, S),
                  [](const Lane& lane) { return relu_then_cast<D, S>(lane, 1); });
  check_two<D, S>("SubReluCast", Numbers::edges, CALL_TWO(SubReluCast, D, S),
                  [](const Lane& lane) { return relu_then_cast<D, S>(lane, -1); });
}
template <class D>
void check_mul_cast() {
  check_two<D, half>("MulCast", Numbers::edges, CALL_TWO(MulCast, D, half), [](const Lane& lane) {
    const double step = rounded(lane.in[0].real * lane.in[1].real, type<half>());
    return converted(real_value(step), type<half>(), type<D>(), vectortest::kRint);
  });
}
template <class D, class S>
void check_exp_sub() {
  const auto wanted = [](const Lane& lane) {
    const double difference = rounded(lane.in[0].real - lane.in[1].real, type<D>());
    return real_value(rounded(std::exp(difference), type<D>()));
  };
  constexpr unsigned kOff = sizeof(D) == 4 ? 2 : 1;
  check_two_of_count<D, S>(
      "ExpSub", [](const Lanes& lanes) { ExpSub(at<D>(0), at<S>(1), at<S>(2), lanes.count); },
      wanted, kOff);
  check_two_of_count<D, S>(
      "FusedExpSub",
      [](const Lanes& lanes) { FusedExpSub(at<D>(0), at<S>(1), at<S>(2), lanes.count); }, wanted,
      kOff);
}

}  // namespace

TEST_CASE("MulAddDst adds the product to the destination, step by step", "[forms]") {
  check_mul_add_dst<half, half>();
  check_mul_add_dst<float, float>();
  check_mul_add_dst<float, half>();
}

TEST_CASE("AddReluCast, SubReluCast and MulCast round once for the step and once for the type",
          "[forms]") {
  check_relu_casts<half, float>();
  check_relu_casts<std::int8_t, half>();
  check_relu_casts<std::int8_t, std::int16_t>();
  check_mul_cast<std::int8_t>();
  check_mul_cast<std::uint8_t>();
}

TEST_CASE("ExpSub and FusedExpSub give e to the power of a difference", "[forms]") {
  check_exp_sub<half, half>();
  check_exp_sub<float, float>();
  check_exp_sub<float, half>();
}

TEST_CASE("AddDeqRelu scales a sum of integers, and leaves nothing below 0, by either of its names",
          "[forms]") {
  using D = half;
  using S = std::int32_t;
  const auto wanted = [](const Lane& lane) {
    const auto sum =
        static_cast<double>(static_cast<long long>(lane.in[0].whole + lane.in[1].whole));
    return real_value(sum <= 0 ? 0 : rounded(sum * 0.25, type<half>()));
  };
  check_two<D, S>(
      "AddDeqRelu<half, int32_t>", Numbers::tame,
      [](const Lanes& lanes) {
        SetDeqScale(half(0.25F));
        FORMS_CALL((AddDeqRelu<D, S>), (AddDeqRelu<D, S, false>), D, lanes,
                   (binary_params<D, S, S>(lanes)), at<D>(0), at<S>(1), at<S>(2));
      },
      wanted);
  check_two<D, S>(
      "AddDeqRelu", Numbers::tame,
      [](const Lanes& lanes) {
        SetDeqScale(half(0.25F));
        FORMS_CALL(AddDeqRelu, (AddDeqRelu<false>), D, lanes, (binary_params<D, S, S>(lanes)),
                   at<D>(0), at<S>(1), at<S>(2));
      },
      wanted);
}

TEST_CASE("FusedMulAddRelu and FusedAbsSub are MulAddRelu and AbsSub", "[forms]") {
  each_type<FORMS_TYPES(F16_F32, F16_F32)>([](auto value) {
    using T = decltype(value);
    check_two<T, T>(
        "FusedMulAddRelu", Numbers::edges,
        [](const Lanes& lanes) {
          FORMS_CALL(FusedMulAddRelu, (FusedMulAddRelu<T, false>), T, lanes,
                     (binary_params<T, T, T>(lanes)), at<T>(0), at<T>(1), at<T>(2));
        },
        [](const Lane& lane) {
          const double product = rounded(lane.in[0].real * lane.old.real, type<T>());
          const double sum = rounded(product + lane.in[1].real, type<T>());
          return real_value(sum <= 0 ? 0 : sum);
        });
    check_two_of_count<T, T>(
        "FusedAbsSub",
        [](const Lanes& lanes) { FusedAbsSub(at<T>(0), at<T>(1), at<T>(2), lanes.count); },
        [](const Lane& lane) {
          return real_value(std::fabs(rounded(lane.in[0].real - lane.in[1].real, type<T>())));
        });
  });
}

namespace {

template <class T, RoundMode mode>
void check_truncate() {
  check_lanes(
      "Truncate", {&type<T>(), &type<T>()}, Numbers::edges, only(Form::count, per_repeat_of<T>()),
      [](const Lanes& lanes) { Truncate<T, mode>(at<T>(0), at<T>(1), lanes.count); },
      [](const Lane& lane) {
        return real_value(to_integral(lane.in[0].real, static_cast<int>(mode)));
      });
}

}  // namespace

TEST_CASE("Truncate makes whole numbers of each type in each mode, and keeps infinity and NaN",
          "[forms]") {
  each_type<FORMS_TYPES(F16_BF_F32, F16_BF_F32)>([](auto value) {
    using T = decltype(value);
    check_truncate<T, RoundMode::CAST_RINT>();
    check_truncate<T, RoundMode::CAST_FLOOR>();
    check_truncate<T, RoundMode::CAST_CEIL>();
    check_truncate<T, RoundMode::CAST_ROUND>();
    check_truncate<T, RoundMode::CAST_TRUNC>();
  });
}

TEST_CASE("Mull gives the low and the high half of each product", "[forms]") {
  each_type<FORMS_TYPES(S32_U32, S32_U32)>([](auto value) {
    using T = decltype(value);
    const Type& t = type<T>();
    const Operands given = filled({&t, &t, &t, &t}, Numbers::edges);
    for (const Lanes& lanes : only(Form::count, 64)) {
      const Operands left = run_steps(given, 1, [&](std::uint32_t) {
        Mull(at<T>(0), at<T>(1), at<T>(2), at<T>(3), lanes.count);
      })[0];
      Operands wanted = given;
      for (std::size_t i = 0; i < lanes.count; ++i) {
        const Wide product = load(given[2], i * 4, t).whole * load(given[3], i * 4, t).whole;
        store(wanted[0], i * 4, t, whole_value(product));
        store(wanted[1], i * 4, t, whole_value(product >> 32));
      }
      CAPTURE(t.name, lanes.count);
      REQUIRE((left == wanted));
    }
  });
}

namespace {

/// 16 lanes have a block of the destination, of which they take one half.
template <class D, bool upper>
void check_dequant(bool older, const Type& t, const std::function<void()>& scales,
                   const std::function<Wide(Wide, unsigned)>& wanted_of) {
  using S = std::int16_t;
  const std::vector<Lanes> all = all_lanes(128);
  const Operands given = filled({&t, &type<S>()}, Numbers::edges);
  const std::vector<Operands> left = run_steps(given, all.size(), [&](std::uint32_t step) {
    const Lanes& lanes = all[step];
    UnaryRepeatParams params = unary_params<D, S>(lanes);
    if (!lanes.apart) params.dstRepStride = 8;
    scales();
    std::uint64_t bits[2] = {lanes.mask[0], lanes.mask[1]};
    const auto n = static_cast<std::int32_t>(lanes.mask[0]);
    const auto to = at<D>(0);
    const auto from = at<S>(1);
    if (lanes.form == Form::count) {
      if (older)
        CastDeq<D, S, false, upper>(to, from, lanes.count);
      else
        CastDequant<D, S, false, upper>(to, from, lanes.count);
    } else if (lanes.form == Form::mask_n) {
      if (older)
        CastDeq<D, S, true, false, upper>(to, from, n, lanes.repeats, params);
      else
        CastDequant<D, S, true, false, upper>(to, from, n, lanes.repeats, params);
    } else if (lanes.form == Form::mask_bits) {
      if (older)
        CastDeq<D, S, true, false, upper>(to, from, bits, lanes.repeats, params);
      else
        CastDequant<D, S, true, false, upper>(to, from, bits, lanes.repeats, params);
    } else {
      set_lanes<S>(lanes);
      if (older)
        CastDeq<D, S, false, false, upper>(to, from, std::int32_t{0}, lanes.repeats, params);
      else
        CastDequant<D, S, false, false, upper>(to, from, std::int32_t{0}, lanes.repeats, params);
    }
  });
  for (std::size_t step = 0; step < all.size(); ++step) {
    const Lanes& lanes = all[step];
    Bytes wanted = given[0];
    each_lane(lanes, 128, [&](unsigned repeat, unsigned lane) {
      const std::size_t from = place_of(lanes, 1, 128, type<S>(), repeat, lane);
      const BlockStride d = lanes.apart ? stride_of(lanes, 0, 128, t) : BlockStride{1, 8};
      const std::size_t to =
          (std::size_t{repeat} * d.repeat + std::size_t{lane} / 16 * d.block) * 32 + lane % 16;
      store(wanted, to + (upper ? 16 : 0), t,
            whole_value(wanted_of(load(given[1], from, type<S>()).whole, lane)));
    });
    INFO("form " << static_cast<int>(lanes.form) << ", count " << lanes.count << ", step " << step);
    check_operand(left[step][0], wanted, t);
  }
}

Wide dequantized(Wide value, double scale, int offset, const Type& t) {
  return nearest(static_cast<double>(
                     std::nearbyint(static_cast<double>(static_cast<long long>(value)) * scale)) +
                     offset,
                 t);
}

template <class D>
void check_both_halves(bool is_signed) {
  const Type& t = type<D>();
  const auto one_scale = [=] { SetDeqScale(0.5F, -3, is_signed); };
  const auto by_one = [&t](Wide value, unsigned) { return dequantized(value, 0.5, -3, t); };
  const auto scale_each = [=] {
    VdeqInfo info;
    for (int i = 0; i < 16; ++i) {
      info.vdeqScale[i] = static_cast<float>(i + 1) / 8;
      info.vdeqOffset[i] = static_cast<std::int16_t>(i - 5);
      info.vdeqSignMode[i] = is_signed;
    }
    SetDeqScale(LocalTensor<std::uint64_t>(TPosition::VECCALC, kOperands * kBytes, 16), info);
  };
  const auto by_each = [&t](Wide value, unsigned lane) {
    const unsigned i = lane % 16;
    return dequantized(value, (i + 1) / 8.0, static_cast<int>(i) - 5, t);
  };
  for (const bool older : {false, true}) {
    check_dequant<D, false>(older, t, one_scale, by_one);
    check_dequant<D, true>(older, t, one_scale, by_one);
    check_dequant<D, true>(older, t, scale_each, by_each);
  }
}

}  // namespace

TEST_CASE("CastDequant and CastDeq scale, add and saturate into one half of each block",
          "[forms]") {
  check_both_halves<std::int8_t>(true);
  check_both_halves<std::uint8_t>(false);
}

}  // namespace formsmixed
