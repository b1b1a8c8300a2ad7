// SPDX-License-Identifier: Apache-2.0
// Kernels that multiply with the tensor API, over random shapes and layouts, against a plain loop.
// The numbers are small and whole, so that each sum is exact.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "ascendc/tensor_api/tensor.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/said.h"
#include "tests/ascendc_cube/matrices.h"
#include "tests/support/catch.h"

namespace tensor_api_test {
namespace {

using namespace AscendC::Te;
using AscendC::HardEvent;
using cube_test::Matrix;
using cube_test::order;

struct Task {
  uint32_t m, n, k;
  bool bias, twice, unit_flag;
};
struct WithBias {
  using TraitType = MmadTrait;
  static constexpr const TraitType value{0, false, true};
};
struct Relu {
  using TraitType = CopyL0C2GMTrait;
  static constexpr const TraitType value{RoundMode::DEFAULT, true, false};
};

/// From a layout in global memory the pattern in L1: the copy to L0 transposes the other one.
template <class Pattern>
using InL1 = std::conditional_t<std::is_same_v<Pattern, NDExtLayoutPtn>, NZLayoutPtn, ZNLayoutPtn>;

template <class T, class Sum, class A, class B>
void multiply_into(GM_ADDR a, GM_ADDR b, GM_ADDR bias, const Task& task) {
  const auto a_gm =
      MakeTensor(MakeMemPtr(reinterpret_cast<T*>(a)), MakeFrameLayout<A>(task.m, task.k));
  const auto b_gm =
      MakeTensor(MakeMemPtr(reinterpret_cast<T*>(b)), MakeFrameLayout<B>(task.k, task.n));
  const auto a1 =
      MakeTensor(MakeMemPtr<Location::L1, T>(0), MakeFrameLayout<InL1<A>, T>(task.m, task.k));
  const auto b1 = MakeTensor(MakeMemPtr<Location::L1, T>(128 * 1024),
                             MakeFrameLayout<InL1<B>, T>(task.k, task.n));
  const auto a2 =
      MakeTensor(MakeMemPtr<Location::L0A, T>(0), MakeFrameLayout<NZLayoutPtn, T>(task.m, task.k));
  const auto b2 =
      MakeTensor(MakeMemPtr<Location::L0B, T>(0), MakeFrameLayout<ZNLayoutPtn, T>(task.k, task.n));
  const auto c =
      MakeTensor(MakeMemPtr<Location::L0C, Sum>(0), MakeFrameLayout<NZLayoutPtn>(task.m, task.n));
  const auto in = MakeCopy(CopyGM2L1{});
  Copy(in, a1, a_gm);
  Copy(in, b1, b_gm);
  const auto row = MakeFrameLayout<NDExtLayoutPtn>(1, cube_test::up(task.n, 16));
  const auto bias1 = MakeTensor(MakeMemPtr<Location::L1, Sum>(256 * 1024), row);
  const auto bias2 = MakeTensor(MakeMemPtr<Location::BIAS, Sum>(0), row);
  if (task.bias) Copy(in, bias1, MakeTensor(MakeMemPtr(reinterpret_cast<Sum*>(bias)), row));
  order<HardEvent::MTE2_MTE1>();
  Copy(MakeCopy(CopyL12L0A{}), a2, a1);
  Copy(MakeCopy(CopyL12L0B{}, CopyL12L0BTraitDefault{}), b2, b1);
  if (task.bias) Copy(MakeCopy(CopyL12BT{}), bias2, bias1);
  order<HardEvent::MTE1_M>();
  MmadParams params(static_cast<uint16_t>(task.m), static_cast<uint16_t>(task.n),
                    static_cast<uint16_t>(task.k));
  params.cmatrixInitVal = !task.bias;
  params.unitFlag = task.unit_flag ? (task.twice ? 2 : 3) : 0;
  if (task.bias) {
    Mmad(MakeMmad(MmadOperation{}, WithBias{}).with(params), c, a2, b2, bias2);
  } else {
    Mmad(MakeMmad(MmadOperation{}).with(params), c, a2, b2);
  }
  if (task.twice) {
    params.cmatrixInitVal = false;
    params.unitFlag = task.unit_flag ? 3 : 0;
    MmadAtom<MmadTraits<MmadOperation, MmadTraitDefault>>{}.with(params).Call(c, a2, b2);
  }
  if (!task.unit_flag) order<HardEvent::M_FIX>();
}

template <class T, class Sum, class A, class B, class C>
void multiply(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR to, Task task) {
  multiply_into<T, Sum, A, B>(a, b, bias, task);
  const auto c =
      MakeTensor(MakeMemPtr<Location::L0C, Sum>(0), MakeFrameLayout<NZLayoutPtn>(task.m, task.n));
  const auto out =
      MakeTensor(MakeMemPtr(reinterpret_cast<Sum*>(to)), MakeFrameLayout<C>(task.m, task.n));
  if (task.unit_flag) {
    Copy(MakeCopy(CopyL0C2GM{}).with(FixpipeParams(3)), out, c);
  } else {
    Copy(MakeCopy(CopyL0C2GM{}), out, c);
  }
}

template <class T>
std::vector<T> values_of(const Matrix& matrix, bool by_columns) {
  return cube_test::stored<T>(by_columns ? cube_test::transposed(matrix) : matrix);
}

constexpr int kGuard = -99;

template <class T, class Sum, class A, class B, class C>
void check_products(const char* types) {
  CAPTURE(types);
  std::mt19937 random(7);
  std::uniform_int_distribution<uint32_t> extent(1, 60);
  for (int i = 0; i < 12; ++i) {
    // Types of a byte have whole fractals, which transposing loads need.
    const uint32_t unit = sizeof(T) == 1 ? 32 : 1;
    const uint32_t m = i == 0 && unit == 1 ? 1 : cube_test::up(extent(random), unit);
    const uint32_t n = cube_test::up(extent(random), unit);
    const uint32_t k = cube_test::up(extent(random), unit);
    const Task task{m, n, k, i % 3 == 1, i % 4 >= 2, i % 2 == 1};
    CAPTURE(task.m, task.n, task.k, task.bias, task.twice, task.unit_flag);
    const Matrix a = cube_test::random_matrix(task.m, task.k, random);
    const Matrix b = cube_test::random_matrix(task.k, task.n, random);
    const Matrix bias = cube_test::random_matrix(1, cube_test::up(task.n, 16), random);
    Device device;
    const auto a_gm = device.memory(values_of<T>(a, std::is_same_v<A, DNExtLayoutPtn>));
    const auto b_gm = device.memory(values_of<T>(b, std::is_same_v<B, DNExtLayoutPtn>));
    const auto bias_gm = device.memory(values_of<Sum>(bias, false));
    const std::size_t count = std::size_t{task.m} * task.n;
    const auto to = device.memory(std::vector<Sum>(count + 32, static_cast<Sum>(kGuard)));
    const auto address = [](auto* pointer) { return reinterpret_cast<GM_ADDR>(pointer); };
    Said said;
    REQUIRE(KernelOf<&multiply<T, Sum, A, B, C>>::enqueue(
                "multiply", ACLSIM_CORES_CUBE, 1, nullptr, address(a_gm.data()),
                address(b_gm.data()), address(bias_gm.data()), address(to.data()), task) == 0);
    CHECK(device.synchronize() == 0);
    CHECK(said.text() == "");
    Matrix expected = cube_test::product(a, b);
    const std::vector<Sum> made = to.host();
    bool right = true;
    for (uint32_t row = 0; row < task.m; ++row) {
      for (uint32_t col = 0; col < task.n; ++col) {
        const int sum =
            expected.at(row, col) * (task.twice ? 2 : 1) + (task.bias ? bias.at(0, col) : 0);
        const std::size_t at = std::is_same_v<C, DNExtLayoutPtn> ? std::size_t{col} * task.m + row
                                                                 : std::size_t{row} * task.n + col;
        right = right && made[at] == static_cast<Sum>(sum);
      }
    }
    CHECK(right);
    for (std::size_t at = count; at < made.size(); ++at)
      CHECK(made[at] == static_cast<Sum>(kGuard));
  }
}

TEST_CASE("tensor API: products of all types and orders are those of a plain loop",
          "[tensor_api][acl]") {
  using ND = NDExtLayoutPtn;
  using DN = DNExtLayoutPtn;
  check_products<half, float, ND, ND, ND>("half, by rows");
  check_products<half, float, DN, ND, ND>("half, A by columns");
  check_products<half, float, ND, DN, ND>("half, B by columns");
  check_products<half, float, DN, DN, DN>("half, all by columns");
  check_products<bfloat16_t, float, ND, DN, DN>("bfloat16_t");
  check_products<float, float, ND, DN, ND>("float");
  check_products<int8_t, int32_t, ND, DN, ND>("int8_t");
  check_products<int8_t, int32_t, DN, ND, ND>("int8_t, transposed in L0");
  check_products<fp8_e4m3fn_t, float, ND, DN, ND>("fp8_e4m3fn_t");
}

// ---- products with scales

struct MxTrait {
  using TraitType = MmadTrait;
  static constexpr const TraitType value{0, false, false, true, MmadType::MX};
};

}  // namespace
}  // namespace tensor_api_test

namespace AscendC {
namespace Te {
template <>
struct MmadTraits<MmadOperation, tensor_api_test::MxTrait>
    : MmadTraits<MmadOperation, MmadTraitDefault, MmadOpWith, tensor_api_test::MxTrait> {};
}  // namespace Te
}  // namespace AscendC

namespace tensor_api_test {
namespace {

/// A by rows, B by columns; so are their scales, with a pair of scales for 64 of the depth.
template <class T>
void multiply_scaled(GM_ADDR a, GM_ADDR b, GM_ADDR scale_a, GM_ADDR scale_b, GM_ADDR to,
                     Task task) {
  using Scale = fp8_e8m0_t;
  const uint32_t scales = task.k / 32;
  const auto at = [](GM_ADDR pointer, auto layout, auto* type) {
    return MakeTensor(MakeMemPtr(reinterpret_cast<decltype(type)>(pointer)), layout);
  };
  T* const matrix = nullptr;
  Scale* const scale = nullptr;
  const auto a1 =
      MakeTensor(MakeMemPtr<Location::L1, T>(0), MakeFrameLayout<NZLayoutPtn, T>(task.m, task.k));
  const auto b1 = MakeTensor(MakeMemPtr<Location::L1, T>(128 * 1024),
                             MakeFrameLayout<ZNLayoutPtn, T>(task.k, task.n));
  const auto scale_a1 = MakeTensor(MakeMemPtr<Location::L1, Scale>(256 * 1024),
                                   MakeFrameLayout<ZZLayoutPtn, Scale>(task.m, scales));
  const auto scale_b1 = MakeTensor(MakeMemPtr<Location::L1, Scale>(300 * 1024),
                                   MakeFrameLayout<NNLayoutPtn, Scale>(scales, task.n));
  const auto in = MakeCopy(CopyGM2L1{});
  Copy(in, a1, at(a, MakeFrameLayout<NDExtLayoutPtn>(task.m, task.k), matrix));
  Copy(in, b1, at(b, MakeFrameLayout<DNExtLayoutPtn>(task.k, task.n), matrix));
  Copy(in, scale_a1, at(scale_a, MakeFrameLayout<ScaleANDLayoutPtn, Scale>(task.m, scales), scale));
  Copy(in, scale_b1, at(scale_b, MakeFrameLayout<ScaleBDNLayoutPtn, Scale>(scales, task.n), scale));
  order<HardEvent::MTE2_MTE1>();
  const auto a2 = MakeTensor(MakeMemPtr<Location::L0A, T>(0), a1.Layout());
  const auto b2 = MakeTensor(MakeMemPtr<Location::L0B, T>(0), b1.Layout());
  Copy(MakeCopy(CopyL12L0A{}), a2, a1);
  Copy(MakeCopy(CopyL12L0B{}), b2, b1);
  Copy(MakeCopy(CopyL12L0ScaleA{}),
       MakeTensor(MakeMemPtr<Location::L0ScaleA, Scale>(0), scale_a1.Layout()), scale_a1);
  Copy(MakeCopy(CopyL12L0ScaleB{}),
       MakeTensor(MakeMemPtr<Location::L0ScaleB, Scale>(0), scale_b1.Layout()), scale_b1);
  order<HardEvent::MTE1_M>();
  const auto c =
      MakeTensor(MakeMemPtr<Location::L0C, float>(0), MakeFrameLayout<NZLayoutPtn>(task.m, task.n));
  const MmadParams params(static_cast<uint16_t>(task.m), static_cast<uint16_t>(task.n),
                          static_cast<uint16_t>(task.k), 0, true);
  Mmad(MmadAtom<MmadTraits<MmadOperation, MxTrait>>{}.with(params), c, a2, b2);
  order<HardEvent::M_FIX>();
  float* const sum = nullptr;
  Copy(MakeCopy(CopyL0C2GM{}), at(to, MakeFrameLayout<NDExtLayoutPtn>(task.m, task.n), sum), c);
}

/// Codes of e2m1 for whole numbers up to 4, two in a byte, the first one in the low bits.
std::vector<uint8_t> nibbles(const Matrix& matrix) {
  constexpr uint8_t kCodes[] = {0, 2, 4, 5, 6};
  std::vector<uint8_t> made(matrix.values.size() / 2);
  for (std::size_t i = 0; i < matrix.values.size(); ++i) {
    const int value = matrix.values[i];
    const unsigned code = kCodes[std::abs(value)] | (value < 0 ? 8U : 0U);
    made[i / 2] = static_cast<uint8_t>(made[i / 2] | code << (i % 2 * 4));
  }
  return made;
}
template <class T>
auto scaled_values(const Matrix& matrix) {
  if constexpr (std::is_same_v<T, fp4x2_e2m1_t>) {
    return nibbles(matrix);
  } else {
    return cube_test::stored<T>(matrix);
  }
}

template <class T>
void check_scaled(const char* types) {
  CAPTURE(types);
  std::mt19937 random(11);
  for (const Task task :
       {Task{16, 16, 64, false, false, false}, Task{48, 32, 128, false, false, false},
        Task{32, 80, 192, false, false, false}}) {
    CAPTURE(task.m, task.n, task.k);
    const Matrix a = cube_test::random_matrix(task.m, task.k, random);
    const Matrix b = cube_test::random_matrix(task.k, task.n, random);
    const Matrix powers_a = cube_test::random_matrix(task.m, task.k / 32, random, 2);
    const Matrix powers_b = cube_test::random_matrix(task.k / 32, task.n, random, 2);
    const auto scales = [](const Matrix& powers) {
      std::vector<fp8_e8m0_t> made;
      for (const int power : powers.values) made.push_back(fp8_e8m0_t(std::ldexp(1.0F, power)));
      return made;
    };
    Device device;
    const auto a_gm = device.memory(scaled_values<T>(a));
    const auto b_gm = device.memory(scaled_values<T>(cube_test::transposed(b)));
    const auto scales_a = device.memory(scales(powers_a));
    const auto scales_b = device.memory(scales(cube_test::transposed(powers_b)));
    const auto to = device.memory(std::vector<float>(std::size_t{task.m} * task.n));
    const auto address = [](auto* pointer) { return reinterpret_cast<GM_ADDR>(pointer); };
    Said said;
    REQUIRE(KernelOf<&multiply_scaled<T>>::enqueue(
                "multiply_scaled", ACLSIM_CORES_CUBE, 1, nullptr, address(a_gm.data()),
                address(b_gm.data()), address(scales_a.data()), address(scales_b.data()),
                address(to.data()), task) == 0);
    CHECK(device.synchronize() == 0);
    CHECK(said.text() == "");
    std::vector<float> expected;
    for (uint32_t row = 0; row < task.m; ++row) {
      for (uint32_t col = 0; col < task.n; ++col) {
        float sum = 0;
        for (uint32_t k = 0; k < task.k; ++k) {
          sum += static_cast<float>(a.at(row, k) * b.at(k, col)) *
                 std::ldexp(1.0F, powers_a.at(row, k / 32) + powers_b.at(k / 32, col));
        }
        expected.push_back(sum);
      }
    }
    CHECK(to.host() == expected);
  }
}
TEST_CASE("tensor API: products with scales multiply each 32 of the depth by both scales",
          "[tensor_api][acl]") {
  check_scaled<fp8_e4m3fn_t>("fp8_e4m3fn_t");
  check_scaled<fp8_e5m2_t>("fp8_e5m2_t");
  check_scaled<fp4x2_e2m1_t>("fp4x2_e2m1_t");
}

// ---- the ways out of L0C

template <class To, class Trait, class... Scale>
void store(GM_ADDR a, GM_ADDR b, GM_ADDR to, uint32_t rows, const Scale&... scale) {
  const Task task{rows, 32, 32, false, false, false};
  multiply_into<half, float, NDExtLayoutPtn, NDExtLayoutPtn>(a, b, nullptr, task);
  const auto c =
      MakeTensor(MakeMemPtr<Location::L0C, float>(0), MakeFrameLayout<NZLayoutPtn>(task.m, task.n));
  const auto out = MakeTensor(MakeMemPtr(reinterpret_cast<To*>(to)),
                              MakeFrameLayout<NDExtLayoutPtn>(task.m, task.n));
  Copy(MakeCopy(CopyL0C2GM{}, Trait{}), out, c, scale...);
}
void stores_as_half(GM_ADDR a, GM_ADDR b, GM_ADDR to, uint32_t rows) {
  store<half, CopyL0C2GMTraitDefault>(a, b, to, rows);
}
void stores_positive_floats(GM_ADDR a, GM_ADDR b, GM_ADDR to, uint32_t rows) {
  store<float, Relu>(a, b, to, rows);
}
/// The bits of the factor as a float: 0.5.
constexpr uint64_t kHalved = 0x3f000000 | uint64_t{1} << 46; /* signed bytes */
void stores_halved_bytes(GM_ADDR a, GM_ADDR b, GM_ADDR to, uint32_t rows) {
  { store<int8_t, CopyL0C2GMTraitDefault>(a, b, to, rows, kHalved); }
}
void stores_bytes_with_factors(GM_ADDR a, GM_ADDR b, GM_ADDR to, uint32_t rows, GM_ADDR factors) {
  const auto row = MakeFrameLayout<NDExtLayoutPtn>(1, 32);
  const auto factors1 = MakeTensor(MakeMemPtr<Location::L1, uint64_t>(300 * 1024), row);
  Copy(MakeCopy(CopyGM2L1{}), factors1,
       MakeTensor(MakeMemPtr(reinterpret_cast<uint64_t*>(factors)), row));
  order<HardEvent::MTE2_FIX>();
  store<int8_t, CopyL0C2GMTraitDefault>(a, b, to, rows, factors1);
}

#define LAUNCHED(kernel)                                                                \
  [](auto... args) {                                                                    \
    return KernelOf<&kernel>::enqueue("store", ACLSIM_CORES_CUBE, 1, nullptr, args...); \
  }

struct Stored {
  Matrix product{1, 1};
  Device device;
  uint32_t rows = 40;
  template <class To, class Kernel, class... More>
  std::vector<To> run(Kernel kernel, const More&... more) {
    std::mt19937 random(3);
    const Matrix a = cube_test::random_matrix(rows, 32, random);
    const Matrix b = cube_test::random_matrix(32, 32, random);
    product = cube_test::product(a, b);
    const auto a_gm = device.memory(cube_test::stored<half>(a));
    const auto b_gm = device.memory(cube_test::stored<half>(b));
    const auto to = device.memory(std::vector<To>(std::size_t{rows} * 32));
    Said said;
    REQUIRE(kernel(reinterpret_cast<GM_ADDR>(a_gm.data()), reinterpret_cast<GM_ADDR>(b_gm.data()),
                   reinterpret_cast<GM_ADDR>(to.data()), rows, more...) == 0);
    CHECK(device.synchronize() == 0);
    CHECK(said.text() == "");
    return to.host();
  }
};

TEST_CASE("tensor API: results leave L0C converted, without negative numbers, or scaled",
          "[tensor_api][acl]") {
  const auto rounded = [](int value, int shift) {  // half to even, within a byte
    const double scaled = value / static_cast<double>(1 << shift);
    return std::min(127.0, std::max(-128.0, std::nearbyint(scaled)));
  };
  SECTION("as half") {
    Stored stored;
    const auto made = stored.run<half>(LAUNCHED(stores_as_half));
    for (std::size_t i = 0; i < made.size(); ++i) {
      CHECK(static_cast<float>(made[i]) == static_cast<float>(stored.product.values[i]));
    }
  }
  SECTION("with ReLU") {
    Stored stored;
    const auto made = stored.run<float>(LAUNCHED(stores_positive_floats));
    for (std::size_t i = 0; i < made.size(); ++i) {
      CHECK(made[i] == static_cast<float>(std::max(0, stored.product.values[i])));
    }
  }
  SECTION("with one factor") {
    Stored stored;
    const auto made = stored.run<int8_t>(LAUNCHED(stores_halved_bytes));
    for (std::size_t i = 0; i < made.size(); ++i) {
      CHECK(made[i] == rounded(stored.product.values[i], 1));
    }
  }
  SECTION("with a factor for each column") {
    Stored stored;
    std::vector<uint64_t> factors(32);
    for (std::size_t i = 0; i < 32; ++i)
      factors[i] = i % 2 == 0 ? kHalved : 0x3e800000 | uint64_t{1} << 46;  // 0.25
    const auto memory = stored.device.memory(factors);
    const auto made = stored.run<int8_t>(LAUNCHED(stores_bytes_with_factors),
                                         reinterpret_cast<GM_ADDR>(memory.data()));
    for (std::size_t i = 0; i < made.size(); ++i) {
      CHECK(made[i] == rounded(stored.product.values[i], i % 2 == 0 ? 1 : 2));
    }
  }
}

}  // namespace
}  // namespace tensor_api_test
