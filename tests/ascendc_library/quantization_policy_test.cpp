// SPDX-License-Identifier: Apache-2.0
// Quantisation by tensor, channel, token and group, which architecture 3510 has.
#include <cmath>

#include "tests/ascendc_library/bench.h"

#if __NPU_ARCH__ == 3510
namespace library_test::policies {
namespace {

using namespace AscendC;

constexpr std::uint32_t kM = 70, kN = 96, kGroup = 32;

double single_step(double value) { return static_cast<double>(static_cast<float>(value)); }

/// Which parameter an element has, and how many there are.
struct Parameters {
  std::size_t count;
  std::function<std::size_t(std::size_t)> of;
};
Parameters of_policy(QuantizePolicy policy, int axis) {
  switch (policy) {
    case QuantizePolicy::PER_TENSOR:
      return {1, [](std::size_t) { return 0; }};
    case QuantizePolicy::PER_CHANNEL:
      return {kN, [](std::size_t i) { return i % kN; }};
    case QuantizePolicy::PER_TOKEN:
      return {kM, [](std::size_t i) { return i / kN; }};
    default:
      if (axis == 0) {
        return {3 * kN, [](std::size_t i) { return i / kN / kGroup * kN + i % kN; }};
      }
      return {3 * kM, [](std::size_t i) { return i / kN * 3 + i % kN / kGroup; }};
  }
}

double rounded(double value, RoundMode mode) {
  const double whole = mode == RoundMode::CAST_FLOOR   ? std::floor(value)
                       : mode == RoundMode::CAST_CEIL  ? std::ceil(value)
                       : mode == RoundMode::CAST_ROUND ? std::round(value)
                       : mode == RoundMode::CAST_TRUNC ? std::trunc(value)
                                                       : std::nearbyint(value);
  return std::clamp(whole, -128.0, 127.0);
}
double quantised(double x, double scale, double offset, RoundMode mode) {
  return rounded(single_step(single_step(x * scale) + offset), mode);
}

/// A call with scales and offsets of a type; `value(x, scale, offset)` is the expected result.
template <typename D, typename S, typename Scale, typename Take, typename Value>
void check_policy(const Parameters& parameters, double most, Take&& take, Value&& value) {
  const auto from = random<S>(kM * kN, -most, most);
  const auto scales = random<Scale>(parameters.count, -2, 2, 2),
             offsets = random<Scale>(parameters.count, -9, 9, 3);
  CHECK(run([&] {
          Memory memory;
          const auto src = memory.take(from);
          const auto scale = memory.take(scales), offset = memory.take(offsets);
          const Result<D> dst(memory, kM * kN);
          const auto tmp = memory.take<std::uint8_t>(32);
          PipeBarrier<PIPE_ALL>();
          take(dst.tensor(), src, scale, offset, tmp, scales[0], offsets[0]);
          check_each(dst.values(), [&](std::size_t i) {
            const std::size_t p = parameters.of(i);
            return value(number(from[i]), number(scales[p]), number(offsets[p]));
          });
        }) == "");
}

template <QuantizePolicy policy, int axis, RoundMode mode, typename S, typename Scale>
void check_quantize() {
  [[maybe_unused]] static constexpr QuantizeConfig kWith = {policy, true, mode, axis},
                                                   kWithout = {policy, false};
  constexpr bool kOne = policy == QuantizePolicy::PER_TENSOR;
  const QuantizeParams params = {kM, kN, kGroup};
  const Parameters parameters = of_policy(policy, axis);
  const auto check = [&](auto&& call, auto&& value) {
    check_policy<std::int8_t, S, Scale>(parameters, 60, call, value);
  };
  const auto expected = [](double x, double s, double o) { return quantised(x, s, o, mode); };
  check(
      [&](auto& d, auto& s, auto& scale, auto& offset, auto& tmp, auto first, auto second) {
        if constexpr (kOne) {
          Quantize<kWith>(d, s, tmp, first, second, params);
        } else {
          Quantize<kWith>(d, s, tmp, scale, offset, params);
        }
      },
      expected);
  if constexpr (axis == 1) {
    check(
        [&](auto& d, auto& s, auto& scale, auto& offset, auto&, auto first, auto) {
          if constexpr (kOne) {
            Quantize<kWithout>(d, s, first, 0, params);
          } else {
            Quantize<kWithout>(d, s, scale, offset, params);
          }
        },
        [](double x, double s, double) { return quantised(x, s, 0, RoundMode::CAST_RINT); });
  }
}

template <typename S, typename Scale>
void check_quantize_all() {
  check_quantize<QuantizePolicy::PER_TENSOR, 1, RoundMode::CAST_RINT, S, Scale>();
  check_quantize<QuantizePolicy::PER_CHANNEL, 1, RoundMode::CAST_ROUND, S, Scale>();
  check_quantize<QuantizePolicy::PER_TOKEN, 1, RoundMode::CAST_FLOOR, S, Scale>();
  check_quantize<QuantizePolicy::PER_GROUP, 0, RoundMode::CAST_CEIL, S, Scale>();
  check_quantize<QuantizePolicy::PER_GROUP, 1, RoundMode::CAST_TRUNC, S, Scale>();
}

constexpr QuantizeConfig kHybrid = {QuantizePolicy::PER_TOKEN, true, RoundMode::CAST_HYBRID};

TEST_CASE("Quantize has a scale for each tensor, channel, token or group", "[quantization]") {
  check_quantize_all<half, half>();
  check_quantize_all<half, float>();
  check_quantize_all<bfloat16_t, bfloat16_t>();
  check_quantize_all<bfloat16_t, float>();
  check_quantize_all<float, float>();
  // A mode that int8_t does not have is the default mode.
  check_policy<std::int8_t, half, half>(
      of_policy(QuantizePolicy::PER_TOKEN, 1), 60,
      [](auto& d, auto& s, auto& scale, auto& offset, auto&, auto, auto) {
        Quantize<kHybrid>(d, s, scale, offset, {kM, kN});
      },
      [](double x, double s, double o) { return quantised(x, s, o, RoundMode::CAST_RINT); });
}

template <AscendQuantPolicy policy, int axis, typename S, typename Scale>
void check_ascend_quant() {
  [[maybe_unused]] static constexpr AscendQuantConfig kWith = {true, axis, RoundMode::CAST_ROUND},
                                                      kWithout = {false, axis};
  [[maybe_unused]] static constexpr AscendQuantPolicy kPolicy = policy;
  const AscendQuantParam para = {kM, kN, kM * kN, kGroup};
  const Parameters parameters =
      of_policy(policy == AscendQuantPolicy::PER_TOKEN ? QuantizePolicy::PER_TOKEN
                                                       : QuantizePolicy::PER_GROUP,
                axis);
  const auto check = [&](auto&& call, auto&& value) {
    check_policy<std::int8_t, S, Scale>(parameters, 60, call, value);
  };
  check(
      [&](auto& d, auto& s, auto& scale, auto& offset, auto& tmp, auto, auto) {
        AscendQuant<std::int8_t, S, Scale, false, kWith, kPolicy>(d, s, tmp, scale, offset, para);
      },
      [](double x, double s, double o) { return quantised(x, s, o, RoundMode::CAST_ROUND); });
  check(
      [&](auto& d, auto& s, auto& scale, auto&, auto&, auto, auto) {
        AscendQuant<std::int8_t, S, Scale, false, kWith, kPolicy>(d, s, scale, Scale(3.0F), para);
      },
      [](double x, double s, double) { return quantised(x, s, 3, RoundMode::CAST_ROUND); });
  check(
      [&](auto& d, auto& s, auto& scale, auto& offset, auto&, auto, auto) {
        AscendQuant<std::int8_t, S, Scale, false, kWithout, kPolicy>(d, s, scale, offset, para);
      },
      [](double x, double s, double) { return quantised(x, s, 0, RoundMode::CAST_RINT); });
}

TEST_CASE("AscendQuant has a scale for each token or group", "[quantization]") {
  check_ascend_quant<AscendQuantPolicy::PER_TOKEN, 1, half, half>();
  check_ascend_quant<AscendQuantPolicy::PER_TOKEN, 1, float, float>();
  check_ascend_quant<AscendQuantPolicy::PER_GROUP, 0, half, float>();
  check_ascend_quant<AscendQuantPolicy::PER_GROUP, 1, bfloat16_t, bfloat16_t>();
  check_ascend_quant<AscendQuantPolicy::PER_GROUP, 1, bfloat16_t, float>();
}

double dequantised(double x, double scale, double) { return single_step(x * scale); }

template <DequantizePolicy policy, int axis, typename D, typename S, typename Scale>
void check_dequantize() {
  [[maybe_unused]] static constexpr DequantizeConfig kConfig = {policy, false, axis};
  const DequantizeParams params = {kM, kN, kGroup};
  for (const bool given : {true, false}) {
    check_policy<D, S, Scale>(
        of_policy(static_cast<QuantizePolicy>(policy), axis), 3000,
        [&](auto& d, auto& s, auto& scale, auto&, auto& tmp, auto first, auto) {
          const auto& chosen = [&]() -> const auto& {
            if constexpr (policy == DequantizePolicy::PER_TENSOR) {
              return first;
            } else {
              return scale;
            }
          }
          ();
          if (given) {
            Dequantize<kConfig>(d, s, chosen, LocalTensor<Scale>(), tmp, params);
          } else {
            Dequantize<kConfig>(d, s, chosen, 0, params);
          }
        },
        dequantised);
  }
}

template <DequantizePolicy policy, int axis>
void check_dequantize_types() {
  check_dequantize<policy, axis, half, std::int32_t, half>();
  check_dequantize<policy, axis, bfloat16_t, std::int32_t, bfloat16_t>();
  check_dequantize<policy, axis, half, float, float>();
  check_dequantize<policy, axis, bfloat16_t, float, float>();
  check_dequantize<policy, axis, float, float, float>();
}

TEST_CASE("Dequantize has a scale for each tensor, channel, token or group", "[quantization]") {
  check_dequantize<DequantizePolicy::PER_TENSOR, 1, float, std::int32_t, float>();
  check_dequantize<DequantizePolicy::PER_TENSOR, 1, bfloat16_t, std::int32_t, bfloat16_t>();
  check_dequantize<DequantizePolicy::PER_CHANNEL, 1, float, std::int32_t, bfloat16_t>();
  check_dequantize<DequantizePolicy::PER_CHANNEL, 1, bfloat16_t, std::int32_t, float>();
  check_dequantize_types<DequantizePolicy::PER_TOKEN, 1>();
  check_dequantize_types<DequantizePolicy::PER_GROUP, 0>();
  check_dequantize_types<DequantizePolicy::PER_GROUP, 1>();
}

constexpr AscendDeQuantConfig kDequantRows = {false, 0}, kDequantColumns = {false};
constexpr AscendDeQuantPolicy kDequantToken = AscendDeQuantPolicy::PER_TOKEN,
                              kDequantGroups = AscendDeQuantPolicy::PER_GROUP;

TEST_CASE("AscendDequant has a scale for each token or group", "[quantization]") {
  const AscendDeQuantParam para = {kM, kN, kM * kN, kGroup};
  check_policy<half, std::int32_t, float>(
      of_policy(QuantizePolicy::PER_TOKEN, 1), 900,
      [&](auto& d, auto& s, auto& scale, auto& offset, auto& tmp, auto, auto) {
        AscendDequant<half, std::int32_t, float, kDequantColumns, kDequantToken>(d, s, scale,
                                                                                 offset, tmp, para);
      },
      dequantised);
  check_policy<bfloat16_t, float, bfloat16_t>(
      of_policy(QuantizePolicy::PER_GROUP, 0), 900,
      [&](auto& d, auto& s, auto& scale, auto& offset, auto&, auto, auto) {
        AscendDequant<bfloat16_t, float, bfloat16_t, kDequantRows, kDequantGroups>(d, s, scale,
                                                                                   offset, para);
      },
      dequantised);
  check_policy<float, std::int32_t, float>(
      of_policy(QuantizePolicy::PER_GROUP, 1), 900,
      [&](auto& d, auto& s, auto& scale, auto& offset, auto&, auto, auto) {
        AscendDequant<float, std::int32_t, float, kDequantColumns, kDequantGroups>(d, s, scale,
                                                                                   offset, para);
      },
      dequantised);
}

double antiquantised(double x, double scale, double offset) {
  return single_step(single_step(x + offset) * scale);
}

template <AntiQuantizePolicy policy, int axis, typename D, typename Scale>
void check_antiquantize() {
  [[maybe_unused]] static constexpr AntiQuantizeConfig kWith = {policy, true, axis},
                                                       kWithout = {policy, false, axis};
  const AntiQuantizeParams params = {kM, kN, kGroup};
  constexpr bool kOne = policy == AntiQuantizePolicy::PER_TENSOR;
  const Parameters parameters = of_policy(static_cast<QuantizePolicy>(policy), axis);
  check_policy<D, std::int8_t, Scale>(
      parameters, 128,
      [&](auto& d, auto& s, auto& scale, auto& offset, auto& tmp, auto first, auto second) {
        if constexpr (kOne) {
          AntiQuantize<kWith>(d, s, first, second, tmp, params);
        } else {
          AntiQuantize<kWith>(d, s, scale, offset, tmp, params);
        }
      },
      antiquantised);
  check_policy<D, std::int8_t, Scale>(
      parameters, 128,
      [&](auto& d, auto& s, auto& scale, auto& offset, auto&, auto first, auto second) {
        if constexpr (kOne) {
          AntiQuantize<kWithout>(d, s, first, second, params);
        } else {
          AntiQuantize<kWithout>(d, s, scale, offset, params);
        }
      },
      [](double x, double s, double) { return antiquantised(x, s, 0); });
}

TEST_CASE("AntiQuantize has a scale for each tensor, channel, token or group", "[quantization]") {
  check_antiquantize<AntiQuantizePolicy::PER_TENSOR, 1, half, half>();
  check_antiquantize<AntiQuantizePolicy::PER_TENSOR, 1, bfloat16_t, bfloat16_t>();
  check_antiquantize<AntiQuantizePolicy::PER_CHANNEL, 1, half, half>();
  check_antiquantize<AntiQuantizePolicy::PER_CHANNEL, 1, bfloat16_t, bfloat16_t>();
  check_antiquantize<AntiQuantizePolicy::PER_TOKEN, 1, float, float>();
  check_antiquantize<AntiQuantizePolicy::PER_TOKEN, 1, half, half>();
  check_antiquantize<AntiQuantizePolicy::PER_GROUP, 0, bfloat16_t, float>();
  check_antiquantize<AntiQuantizePolicy::PER_GROUP, 1, half, float>();
  check_antiquantize<AntiQuantizePolicy::PER_GROUP, 1, bfloat16_t, bfloat16_t>();
}

constexpr AscendAntiQuantConfig kColumns = {true, false}, kTransposed = {true, true, 1},
                                kBare = {false, false, 0};
constexpr AscendAntiQuantPolicy kToken = AscendAntiQuantPolicy::PER_TOKEN,
                                kGroups = AscendAntiQuantPolicy::PER_GROUP;

TEST_CASE("AscendAntiQuant has a scale for each token or group", "[quantization]") {
  const AscendAntiQuantParam para = {kM, kN, kM * kN, kGroup};
  check_policy<half, std::int8_t, half>(
      of_policy(QuantizePolicy::PER_TOKEN, 1), 128,
      [&](auto& d, auto& s, auto& scale, auto& offset, auto& tmp, auto, auto) {
        AscendAntiQuant<half, std::int8_t, half, kColumns, kToken>(d, s, scale, offset, tmp, para);
      },
      antiquantised);
  // The groups of a transposed matrix run along the other axis.
  check_policy<float, std::int8_t, float>(
      of_policy(QuantizePolicy::PER_GROUP, 0), 128,
      [&](auto& d, auto& s, auto& scale, auto& offset, auto&, auto, auto) {
        AscendAntiQuant<float, std::int8_t, float, kTransposed, kGroups>(d, s, scale, offset, para);
      },
      antiquantised);
  check_policy<bfloat16_t, std::int8_t, float>(
      of_policy(QuantizePolicy::PER_GROUP, 0), 128,
      [&](auto& d, auto& s, auto& scale, auto& offset, auto&, auto, auto) {
        AscendAntiQuant<bfloat16_t, std::int8_t, float, kBare, kGroups>(d, s, scale, offset, para);
      },
      [](double x, double s, double) { return antiquantised(x, s, 0); });
}

constexpr QuantizeConfig kByToken = {QuantizePolicy::PER_TOKEN, false},
                         kByGroups = {QuantizePolicy::PER_GROUP, false},
                         kBad = {QuantizePolicy::PER_GROUP, false, RoundMode::CAST_RINT, 2};

TEST_CASE("the parameters of a policy must fit its matrix", "[quantization]") {
  const auto text = [](auto&& call) {
    return refused([&] {
      Memory memory;
      call(memory.take<std::int8_t>(128), memory.take<half>(128), memory.take<half>(32));
    });
  };
  CHECK(contains(text([](auto d, auto s, auto p) {
                   Quantize<kByToken>(d, s, p, p, {4, 16});
                 }),
                 "Quantize: n * sizeof(dstT) is 16; expected a multiple of 32"));
  CHECK(contains(text([](auto d, auto s, auto p) {
                   Quantize<kByToken>(d, s, p, p, {64, 32});
                 }),
                 "Quantize: tensor src: 4096 bytes needed, 256 there"));
  CHECK(contains(text([](auto d, auto s, auto p) {
                   Quantize<kByGroups>(d, s, p, p, {4, 32});
                 }),
                 "Quantize: groupSize is 0; expected 1 to 4294967295"));
  CHECK(contains(text([](auto d, auto s, auto p) {
                   Quantize<kByGroups>(d, s, p, p, {4, 32, 48});
                 }),
                 "Quantize: groupSize is 48; expected a multiple of 32"));
  CHECK(contains(text([](auto d, auto s, auto p) {
                   Quantize<kBad>(d, s, p, p, {4, 32, 32});
                 }),
                 "Quantize: kDim is 2; expected 0 to 1"));
}

}  // namespace
}  // namespace library_test::policies
#endif
