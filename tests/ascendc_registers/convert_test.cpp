// SPDX-License-Identifier: Apache-2.0
// Conversions: every pair of types in every layout, by every mode of rounding, with and without
// saturation, under a mask, against a plain loop.
#include "tests/ascendc_registers/bench.h"
#include "tests/ascendc_registers/types.h"

namespace registers_test::convert_tests {
namespace {

using namespace AscendC::Reg;

template <RegLayout layout, SatMode saturation, RoundMode rounding>
inline constexpr CastTrait kTrait = {layout, saturation, MaskMergeMode::ZEROING, rounding};

Value whole_from(double x, const Type& to, int mode, bool saturates) {
  Value value;
  if (std::isnan(x)) return value;
  const double integral = vectortest::to_integral(x, mode);
  if (saturates || std::isinf(x)) {
    value.whole = vectortest::nearest(integral, to);
  } else {
    // First the low 64 bits of any float, then the bits of the type.
    const double low = std::fmod(integral, 0x1p64);
    value.whole = vectortest::wrapped(static_cast<Wide>(low), to);
  }
  return value;
}
Value real_from(double x, const Type& to, int mode, bool saturates) {
  Value value;
  value.real = vectortest::rounded(x, to, mode);
  if (!saturates || to.bits == 32) return value;
  if (std::isnan(x)) value.real = 0;
  const double most = std::ldexp(2 - std::ldexp(1.0, 1 - to.digits), to.most);
  if (std::isinf(value.real)) value.real = std::copysign(most, value.real);
  return value;
}
Value expected(const Value& from, const Type& source, const Type& to, int mode, bool saturates) {
  if (to.real()) {
    if (source.real()) return real_from(from.real, to, mode, saturates);
    // An int64_t has more digits than a double: through two steps, of which the first is exact for
    // the numbers of these tests.
    return real_from(static_cast<double>(from.whole), to, mode, saturates);
  }
  if (source.real()) return whole_from(from.real, to, mode, saturates);
  Value value;
  value.whole = saturates || to.bits > source.bits ? vectortest::nearest(from.whole, to)
                                                   : vectortest::wrapped(from.whole, to);
  return value;
}

/// Numbers of the type, and for reals also those around the limits of integers.
Bytes sources(const Type& t) {
  Bytes all = numbers(t, kRegister, 21);
  const double more[] = {0.5,   1.5,    2.5,    -0.5, -1.5, 127.5,   128,   255.5,
                         256,   257,    -128.5, -129, 300,  32767.5, 40000, 65535.5,
                         70000, -40000, 3e9,    -3e9, 5e9,  1e10,    1e19};
  for (std::size_t i = 0; t.real() && i < 23; ++i) {
    Value value;
    value.real = vectortest::rounded(more[i], t);
    const std::uint64_t bits = vectortest::encode(value, t);
    std::memcpy(&all[(i * 2 + i % 2) * t.bytes() % kRegister], &bits, t.bytes());
  }
  if (t.bits == 64) {  // numbers that a double has
    for (std::size_t i = 0; i < kRegister; i += 8) all[i] = all[i + 1] = 0;
  }
  return all;
}

template <class To, class From, RegLayout layout, SatMode saturation, RoundMode rounding>
void check() {
  const Type &to = type<To>(), &from = type<From>();
  constexpr std::size_t kWide = sizeof(To) > sizeof(From) ? sizeof(To) : sizeof(From);
  constexpr std::size_t kLanes = 256 / kWide;
  constexpr std::size_t kToStep = kWide / sizeof(To), kFromStep = kWide / sizeof(From);
  constexpr std::size_t kPart = layout == RegLayout::UNKNOWN ? 0 : static_cast<std::size_t>(layout);
  const Bytes given = joined({sources(from), Bytes(256)});
  const std::vector<Lanes> masks = some_lanes(256 / sizeof(From));
  const Lanes& lanes = masks[static_cast<std::size_t>(rounding) % 2 == 0 ? 0 : 4];
  const Bytes all = run(
      given,
      [&](std::uint8_t* buffer) {
        RegTensor<From> source;
        RegTensor<To> converted;
        MaskReg mask = lanes.mask;
        MaskReg full = CreateMask<To>();
        LoadAlign(source, at<From>(buffer, 0));
        Cast<To, From, kTrait<layout, saturation, rounding>>(converted, source, mask);
        StoreAlign(at<To>(buffer, 1), converted, full);
      },
      [] { SetCtrlSpr<60, 60>(0); });  // the instruction selects saturation
  const int mode = rounding == RoundMode::UNKNOWN ? vectortest::kRint : static_cast<int>(rounding);
  CAPTURE(to.name, from.name, kPart, static_cast<int>(saturation), mode, lanes.name);
  for (std::size_t i = 0; i < 256 / sizeof(To); ++i) {
    const std::size_t lane = i / kToStep;
    const std::size_t source = lane * kFromStep + (kFromStep == 1 ? 0 : kPart);
    const bool here = (kToStep == 1 || i % kToStep == kPart) && lane < kLanes && lanes.on[source];
    Value wanted;
    if (here) {
      wanted = expected(value_at(given, source * sizeof(From), from), from, to, mode,
                        saturation == SatMode::SAT);
    }
    if (same(all, 256 + i * sizeof(To), to, wanted)) continue;
    CAPTURE(i, bits_at(given, source * sizeof(From), from), bits_at(all, 256 + i * sizeof(To), to),
            vectortest::encode(wanted, to));
    FAIL_CHECK("the lane has another value");
    return;
  }
}

template <class To, class From, RegLayout layout, RoundMode rounding>
void check_saturations() {
  check<To, From, layout, SatMode::SAT, rounding>();
  check<To, From, layout, SatMode::NO_SAT, rounding>();
}
template <class To, class From, RoundMode rounding>
void check_layouts() {
  constexpr std::size_t kRatio =
      sizeof(To) > sizeof(From) ? sizeof(To) / sizeof(From) : sizeof(From) / sizeof(To);
  check_saturations<To, From, RegLayout::ZERO, rounding>();
  if constexpr (kRatio > 1) check_saturations<To, From, RegLayout::ONE, rounding>();
  if constexpr (kRatio > 2) check_saturations<To, From, RegLayout::TWO, rounding>();
  if constexpr (kRatio > 2) check_saturations<To, From, RegLayout::THREE, rounding>();
}
/// Whether the destination has too few digits for some numbers of the source.
template <class To, class From>
constexpr bool rounds(const Type& to, const Type& from) {
  if (to.real() && from.real()) return to.digits < from.digits;
  if (to.real()) return static_cast<int>(from.bits) > to.digits;
  return from.real();
}
template <class To, class From>
void check_pair() {
  check_layouts<To, From, RoundMode::UNKNOWN>();
  if (!rounds<To, From>(type<To>(), type<From>())) return;
  check_layouts<To, From, RoundMode::CAST_RINT>();
  check_layouts<To, From, RoundMode::CAST_FLOOR>();
  check_layouts<To, From, RoundMode::CAST_CEIL>();
  check_layouts<To, From, RoundMode::CAST_ROUND>();
  check_layouts<To, From, RoundMode::CAST_TRUNC>();
}

#define CHECK_CAST(to, from)                                                  \
  TEST_CASE("registers: Cast of " #from " to " #to, "[registers][convert]") { \
    check_pair<TYPE_##to, TYPE_##from>();                                     \
  }
ACLSIM_REG_CASTS(CHECK_CAST)

TEST_CASE("registers: the control register decides on saturation until it leaves it to Cast",
          "[registers][convert]") {
  Bytes given(512);
  const float large = 300;
  std::memcpy(&given[0], &large, 4);
  const auto low_byte = [&](std::function<void()> before) {
    return run(
        given,
        [](std::uint8_t* buffer) {
          RegTensor<float> source;
          RegTensor<half> halves;
          RegTensor<std::uint8_t> converted;
          MaskReg one = CreateMask<float, MaskPattern::VL1>();
          MaskReg half_one = CreateMask<half, MaskPattern::VL1>();
          MaskReg full = CreateMask<std::uint8_t>();
          LoadAlign(source, at<float>(buffer, 0));
          Cast<half, float, kTrait<RegLayout::ZERO, SatMode::NO_SAT, RoundMode::CAST_RINT>>(
              halves, source, one);
          Cast<std::uint8_t, half, kTrait<RegLayout::ZERO, SatMode::NO_SAT, RoundMode::CAST_RINT>>(
              converted, halves, half_one);
          StoreAlign(at<std::uint8_t>(buffer, 1), converted, full);
        },
        std::move(before))[256];
  };
  CHECK(low_byte([] {}) == 255);
  CHECK(low_byte([] { SetCtrlSpr<59, 59>(1); }) == 300 - 256);
  CHECK(low_byte([] { SetCtrlSpr<60, 60>(0); }) == 300 - 256);
}

TEST_CASE("registers: Truncate rounds to integers of the same type", "[registers][convert]") {
  Bytes given(768);
  for (int i = 0; i < 64; ++i) {
    const float value = static_cast<float>(i - 32) * 0.5F + 0.25F;
    std::memcpy(&given[static_cast<std::size_t>(i) * 4], &value, 4);
  }
  const Bytes all = run(given, [](std::uint8_t* buffer) {
    RegTensor<float> source, truncated;
    MaskReg full = CreateMask<float>();
    LoadAlign(source, at<float>(buffer, 0));
    Truncate<float, RoundMode::CAST_FLOOR>(truncated, source, full);
    StoreAlign(at<float>(buffer, 1), truncated, full);
    Truncate<float, RoundMode::CAST_TRUNC>(truncated, source, full);
    StoreAlign(at<float>(buffer, 2), truncated, full);
  });
  for (std::size_t i = 0; i < 64; ++i) {
    const double x = value_at(given, i * 4, type<float>()).real;
    CHECK(value_at(all, 256 + i * 4, type<float>()).real == std::floor(x));
    CHECK(value_at(all, 512 + i * 4, type<float>()).real == std::trunc(x));
  }
}

TEST_CASE("registers: ExpSub and MulsCast are their steps in float", "[registers][convert]") {
  Bytes given = joined({Bytes(512), Bytes(768)});
  std::mt19937 random(3);
  for (std::size_t i = 0; i < 256; ++i) {
    const half value = static_cast<float>(static_cast<int>(random() % 64) - 32) / 8.0F;
    std::memcpy(&given[i * 2], &value, 2);
  }
  const Bytes all = run(given, [](std::uint8_t* buffer) {
    RegTensor<half> a, b, product;
    RegTensor<float> result;
    MaskReg halves = CreateMask<half>();
    MaskReg floats = CreateMask<float>();
    LoadAlign(a, at<half>(buffer, 0));
    LoadAlign(b, at<half>(buffer, 1));
    ExpSub(result, a, b, halves);
    StoreAlign(at<float>(buffer, 2), result, floats);
    ExpSub<float, half, RegLayout::ONE>(result, a, b, halves);
    StoreAlign(at<float>(buffer, 3), result, floats);
    MulsCast(product, result, 0.3F, floats);
    StoreAlign(at<half>(buffer, 4), product, halves);
  });
  for (std::size_t i = 0; i < 64; ++i) {
    for (const std::size_t odd : {0U, 1U}) {
      const double a = value_at(given, (2 * i + odd) * 2, type<half>()).real;
      const double b = value_at(given, 256 + (2 * i + odd) * 2, type<half>()).real;
      Value wanted;
      wanted.real = vectortest::rounded(std::exp(a - b), type<float>());
      CHECK(same(all, 512 + odd * 256 + i * 4, type<float>(), wanted, 2));
    }
    const double x = value_at(all, 768 + i * 4, type<float>()).real;
    Value product, nothing;
    product.real = vectortest::rounded(vectortest::rounded(x * 0.3F, type<float>()), type<half>(),
                                       vectortest::kRound);
    CHECK(same(all, 1024 + i * 4, type<half>(), product));
    CHECK(same(all, 1024 + i * 4 + 2, type<half>(), nothing));
  }
}

}  // namespace
}  // namespace registers_test::convert_tests
