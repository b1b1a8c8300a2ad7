// SPDX-License-Identifier: Apache-2.0
// Quantisation to numbers of 8 and 4 bits other than integers, and of weights of these types, which
// architecture 3510 has.
#include <cmath>

#include "tests/ascendc/narrow_reference.h"
#include "tests/ascendc_library/bench.h"

#if __NPU_ARCH__ == 3510
namespace library_test::narrow {
namespace {

using namespace AscendC;
using namespace narrowtest;

constexpr std::uint32_t kM = 70, kN = 128, kGroup = 32;
constexpr std::uint32_t kPerRow = kN / kGroup;

double single_step(double value) { return static_cast<double>(static_cast<float>(value)); }

template <typename T>
constexpr std::uint32_t kPerByte = aclsim_element::per_byte<T>;
template <typename T>
constexpr bool kHifloat8 = std::is_same_v<T, hifloat8_t>;

template <typename T>
const Small& small() {
  return kSmall[std::is_same_v<T, fp8_e4m3fn_t>   ? 0
                : std::is_same_v<T, fp8_e5m2_t>   ? 1
                : std::is_same_v<T, fp4x2_e2m1_t> ? 2
                                                  : 3];
}
/// The value of number i of a tensor.
template <typename T>
double value_at(const std::vector<std::uint8_t>& bytes, std::size_t i) {
  const unsigned code = kPerByte<T> == 2 ? bytes[i / 2] >> i % 2 * 4 & 0xf : bytes[i];
  return kHifloat8<T> ? hifloat8_of(code) : value_of(small<T>(), code);
}
/// The value of the code of a result. Kernels begin in the mode that saturates.
template <typename T>
double stored(double value, RoundMode mode) {
  const auto x = static_cast<float>(value);
  if constexpr (kHifloat8<T>) {
    return to_hifloat8(x, mode == RoundMode::CAST_HYBRID ? nr::kHybrid : nr::kRound, true);
  } else {
    return converted(small<T>(), x, kPerByte<T> == 2 ? static_cast<int>(mode) : int(nr::kRint),
                     true);
  }
}

/// Calls `call(dst, src, scale, offset, tmp)`; `wanted(i)` is the value before the conversion.
template <typename D, typename S, typename Scale, typename Run, typename Wanted>
void check_to(const std::vector<S>& from, const std::vector<Scale>& scales,
              const std::vector<Scale>& offsets, RoundMode mode, Run&& call, Wanted&& wanted) {
  CHECK(run([&] {
          Memory memory;
          const auto src = memory.take(from);
          const auto scale = memory.take(scales), offset = memory.take(offsets);
          const Result<std::uint8_t> dst(memory, from.size() / kPerByte<D>);
          const auto tmp = memory.take<std::uint8_t>(768);
          PipeBarrier<PIPE_ALL>();
          call(dst.tensor().template ReinterpretCast<D>(), src, scale, offset, tmp);
          const std::vector<std::uint8_t> bytes = dst.values();
          for (std::size_t i = 0; i < from.size(); ++i) {
            INFO("element " << i << ", code " << int(bytes[i / kPerByte<D>]));
            REQUIRE(same(value_at<D>(bytes, i), stored<D>(wanted(i), mode)));
          }
        }) == "");
}

template <typename D, typename S>
void check_values_and_channels() {
  const auto from = random<S>(kM * kN, -900, 900);
  const auto scales = random<S>(kN, -2, 2, 2), offsets = random<S>(kN, -9, 9, 3);
  const auto step = [&](std::size_t i, double scale, double offset) {
    return single_step(single_step(number(from[i]) * scale) + offset);
  };
  check_to<D>(
      from, scales, offsets, RoundMode::CAST_RINT,
      [](auto d, auto& s, auto&, auto&, auto& t) { AscendQuant<D, S>(d, s, t, 1.7F, 0.9F); },
      [&](std::size_t i) { return step(i, 1.7F, 0.9F); });
  check_to<D>(
      from, scales, offsets, RoundMode::CAST_RINT,
      [](auto d, auto& s, auto& scale, auto& offset, auto&) {
        AscendQuant<D, S>(d, s, scale, offset, kN, kN, kM * kN);
      },
      [&](std::size_t i) { return step(i, number(scales[i % kN]), number(offsets[i % kN])); });
}

template <typename D, typename S, typename Scale, AscendQuantPolicy policy, int axis,
          RoundMode mode>
void check_policy() {
  [[maybe_unused]] static constexpr AscendQuantConfig kConfig = {true, axis, mode};
  [[maybe_unused]] static constexpr QuantizeConfig kOther = {policy == AscendQuantPolicy::PER_GROUP
                                                                 ? QuantizePolicy::PER_GROUP
                                                                 : QuantizePolicy::PER_TOKEN,
                                                             kPerByte<D> == 1, mode, axis};
  [[maybe_unused]] static constexpr AscendQuantPolicy kPolicy = policy;
  constexpr bool kGroups = policy == AscendQuantPolicy::PER_GROUP;
  const auto parameter = [](std::size_t i) {
    if (!kGroups) return i / kN;
    return axis == 0 ? i / kN / kGroup * kN + i % kN : i / kN * kPerRow + i % kN / kGroup;
  };
  const auto from = random<S>(kM * kN, -6, 6);
  const auto scales = random<Scale>(std::max(3 * kN, kM * kPerRow), -2, 2, 2),
             offsets = random<Scale>(scales.size(), -3, 3, 3);
  const auto wanted = [&](std::size_t i) {
    const double product = single_step(number(from[i]) * number(scales[parameter(i)]));
    return kPerByte<D> == 2 ? product : single_step(product + number(offsets[parameter(i)]));
  };
  const auto check = [&](auto&& call) { check_to<D>(from, scales, offsets, mode, call, wanted); };
  check([](auto d, auto& s, auto& scale, auto& offset, auto&) {
    AscendQuant<D, S, Scale, false, kConfig, kPolicy>(d, s, scale, offset,
                                                      {kM, kN, kM * kN, kGroup});
  });
  check([](auto d, auto& s, auto& scale, auto& offset, auto&) {
    Quantize<kOther>(d, s, scale, offset, {kM, kN, kGroup});
  });
}

template <typename D, typename S, typename Scale>
void check_policies() {
  constexpr auto kToken = AscendQuantPolicy::PER_TOKEN, kGroups = AscendQuantPolicy::PER_GROUP;
  check_policy<D, S, Scale, kToken, 1, RoundMode::CAST_RINT>();
  check_policy<D, S, Scale, kGroups, 0, RoundMode::CAST_HYBRID>();
  check_policy<D, S, Scale, kGroups, 1, RoundMode::CAST_ROUND>();
}
template <typename D>
void check_policies_of_four() {
  constexpr auto kGroups = AscendQuantPolicy::PER_GROUP;
  check_policy<D, half, half, kGroups, 0, RoundMode::CAST_RINT>();
  check_policy<D, half, float, kGroups, 1, RoundMode::CAST_FLOOR>();
  check_policy<D, bfloat16_t, bfloat16_t, kGroups, 0, RoundMode::CAST_CEIL>();
  check_policy<D, bfloat16_t, float, kGroups, 1, RoundMode::CAST_TRUNC>();
  check_policy<D, bfloat16_t, float, kGroups, 1, RoundMode::CAST_ROUND>();
}

// ---- weights ----

std::vector<std::uint8_t> codes(std::size_t count) {
  std::vector<std::uint8_t> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::uint8_t>(i * 37 + i / 256);
  return bytes;
}

/// Weights `from` of type S; `wanted(i, weight)` is the value of result i.
template <typename D, typename S, typename Run, typename Wanted>
void check_from(std::size_t count, Run&& call, Wanted&& wanted) {
  const auto from = codes(count / kPerByte<S>);
  CHECK(run([&] {
          Memory memory;
          const auto src = memory.take(from);
          const Result<D> dst(memory, count);
          call(memory, dst.tensor(), src.template ReinterpretCast<S>());
          check_each(
              dst.values(), [&](std::size_t i) { return wanted(i, value_at<S>(from, i)); }, 0.51);
        }) == "");
}

template <typename S, typename D>
void check_weights() {
  const auto scales = random<D>(kM * kPerRow, -2, 2, 2), offsets = random<D>(scales.size(), -3, 3);
  const auto times = [](double weight, double offset, double scale) {
    return single_step(single_step(weight + offset) * scale);
  };
  check_from<D, S>(
      256,
      [](auto&, auto& d, auto s) {
        PipeBarrier<PIPE_ALL>();
        AscendAntiQuant<S, D, false>(d, s, D(1.5F), D(-2.25F), 8U);
      },
      [&](std::size_t, double weight) { return times(weight, 1.5, -2.25); });
  [[maybe_unused]] static constexpr AscendAntiQuantConfig kConfig = {true, false, 1};
  [[maybe_unused]] static constexpr AscendAntiQuantPolicy kPolicy =
      AscendAntiQuantPolicy::PER_GROUP;
  [[maybe_unused]] static constexpr AntiQuantizeConfig kOther = {AntiQuantizePolicy::PER_TOKEN,
                                                                 true};
  check_from<D, S>(
      kM * kN,
      [&](auto& memory, auto& d, auto s) {
        const auto scale = memory.take(scales), offset = memory.take(offsets);
        PipeBarrier<PIPE_ALL>();
        AscendAntiQuant<D, S, D, kConfig, kPolicy>(d, s, scale, offset, {kM, kN, kM * kN, kGroup});
      },
      [&](std::size_t i, double weight) {
        const std::size_t p = i / kN * kPerRow + i % kN / kGroup;
        return times(weight, number(offsets[p]), number(scales[p]));
      });
  check_from<D, S>(
      kM * kN,
      [&](auto& memory, auto& d, auto s) {
        const auto scale = memory.take(scales), offset = memory.take(offsets);
        PipeBarrier<PIPE_ALL>();
        AntiQuantize<kOther>(d, s, scale, offset, {kM, kN});
      },
      [&](std::size_t i, double weight) {
        return times(weight, number(offsets[i / kN]), number(scales[i / kN]));
      });
}

/// Scales of 2^-3 to 2^4.
std::vector<std::uint8_t> powers(std::size_t count) {
  std::vector<std::uint8_t> scales(count);
  for (std::size_t i = 0; i < count; ++i) scales[i] = static_cast<std::uint8_t>(124 + i * 5 % 8);
  return scales;
}

template <typename S, typename D, bool transposed>
void check_weights_of_four() {
  constexpr std::uint32_t kK = 128, kColumns = 64, kGroups = kK / 32;
  const auto scales = powers(kColumns * kGroups);
  const auto wanted = [&](std::size_t i, double weight) {
    const std::size_t p =
        transposed ? i / kK * kGroups + i % kK / 32 : i / kColumns / 32 * kColumns + i % kColumns;
    return std::ldexp(weight, scales[p] - 127);
  };
  for (const bool temporary : {false, true}) {
    check_from<D, S>(
        kK * kColumns,
        [&](auto& memory, auto& d, auto s) {
          const auto scale = memory.take(scales).template ReinterpretCast<fp8_e8m0_t>();
          const auto tmp = memory.template take<std::uint8_t>(512);
          PipeBarrier<PIPE_ALL>();
          if (temporary) {
            AscendAntiQuant<S, D, transposed>(d, s, scale, tmp, kK);
          } else {
            AscendAntiQuant<S, D, transposed>(d, s, scale, kK);
          }
        },
        wanted);
  }
  if constexpr (!transposed) {
    static constexpr AntiQuantizeConfig kConfig = {AntiQuantizePolicy::PER_GROUP, false, 0};
    check_from<D, S>(
        kK * kColumns,
        [&](auto& memory, auto& d, auto s) {
          const auto scale = memory.take(scales).template ReinterpretCast<fp8_e8m0_t>();
          PipeBarrier<PIPE_ALL>();
          AntiQuantize<kConfig>(d, s, scale, scale, {kK, kColumns, 32});
        },
        wanted);
  }
}

}  // namespace

TEST_CASE("AscendQuant makes numbers of 8 bits by one scale or by channels", "[quantization]") {
  check_values_and_channels<fp8_e4m3fn_t, half>();
  check_values_and_channels<fp8_e5m2_t, bfloat16_t>();
  check_values_and_channels<hifloat8_t, float>();
  check_values_and_channels<hifloat8_t, half>();
}

TEST_CASE("AscendQuant and Quantize make numbers of 8 bits by tokens and groups",
          "[quantization]") {
  check_policies<fp8_e4m3fn_t, half, float>();
  check_policies<fp8_e5m2_t, bfloat16_t, bfloat16_t>();
  check_policies<hifloat8_t, float, float>();
  check_policies<hifloat8_t, bfloat16_t, float>();
}

TEST_CASE("AscendQuant and Quantize make numbers of 4 bits by groups, without an offset",
          "[quantization]") {
  check_policies_of_four<fp4x2_e1m2_t>();
  check_policies_of_four<fp4x2_e2m1_t>();
}

TEST_CASE("AscendAntiQuant and AntiQuantize take weights of 8 bits", "[quantization]") {
  check_weights<fp8_e4m3fn_t, half>();
  check_weights<fp8_e5m2_t, bfloat16_t>();
  check_weights<hifloat8_t, bfloat16_t>();
}

TEST_CASE("AscendAntiQuant and AntiQuantize take weights of 4 bits with scales of 8 bits",
          "[quantization]") {
  check_weights_of_four<fp4x2_e1m2_t, half, false>();
  check_weights_of_four<fp4x2_e1m2_t, bfloat16_t, true>();
  check_weights_of_four<fp4x2_e2m1_t, bfloat16_t, false>();
  check_weights_of_four<fp4x2_e2m1_t, half, true>();
}

TEST_CASE("rows of numbers of 4 bits are blocks of 32 bytes", "[quantization]") {
  [[maybe_unused]] static constexpr QuantizeConfig kConfig = {QuantizePolicy::PER_GROUP, false};
  const std::string text = refused([] {
    Memory memory;
    const auto dst = memory.take<std::uint8_t>(64).ReinterpretCast<fp4x2_e2m1_t>();
    const auto src = memory.take<half>(96), scale = memory.take<half>(32);
    Quantize<kConfig>(dst, src, scale, scale, {1, 96, 32});
  });
  CHECK(contains(text, "Quantize: n * sizeof(dstT) is 48; expected a multiple of 32"));
}

}  // namespace library_test::narrow
#endif
