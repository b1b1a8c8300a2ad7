// SPDX-License-Identifier: Apache-2.0
// The Matmul object with sources of 8 and 4 bits, and with the scales of MX matrices, against plain
// loops. Codes have small exponents, so that all sums are exact in any order.
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "ascendc/lib/matmul_intf.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/said.h"
#include "tests/support/catch.h"

using namespace AscendC;

namespace narrow_test {
namespace {

/// A floating-point format with a sign: bits of exponent and fraction, and the exponent's bias.
struct Format {
  int exponent, fraction, bias;
  int bits() const { return 1 + exponent + fraction; }
  double value(unsigned code) const {
    const int raised = static_cast<int>(code >> fraction) & ((1 << exponent) - 1);
    const auto part = static_cast<double>(code & ((1U << fraction) - 1));
    const double size = raised == 0 ? std::ldexp(part, 1 - bias - fraction)
                                    : std::ldexp(part + (1 << fraction), raised - bias - fraction);
    return (code >> (exponent + fraction) & 1U) != 0 ? -size : size;
  }
  /// A code with an exponent from -1 to 1, where the format has these.
  unsigned code(std::mt19937& random) const {
    const int least = std::max(0, bias - 1), most = std::min((1 << exponent) - 1, bias + 1);
    const unsigned raised =
        static_cast<unsigned>(least) +
        static_cast<unsigned>(random()) % static_cast<unsigned>(most - least + 1);
    return static_cast<unsigned>(random()) % (1U << fraction) | raised << fraction |
           static_cast<unsigned>(random()) % 2 << (exponent + fraction);
  }
};
constexpr Format kE4M3{4, 3, 7}, kE5M2{5, 2, 15}, kE2M1{2, 1, 1}, kE1M2{1, 2, 1};

constexpr int kM = 20, kN = 36, kK = 128;
constexpr int kPairs = kK / 64;

/// Codes as bytes; two codes of 4 bits share a byte, the first one in its lower half.
std::vector<uint8_t> packed(const std::vector<unsigned>& codes, int bits) {
  if (bits == 8) return {codes.begin(), codes.end()};
  std::vector<uint8_t> made(codes.size() / 2);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    made[i / 2] = static_cast<uint8_t>(made[i / 2] | (codes[i] & 0xf) << (i % 2 * 4));
  }
  return made;
}

TCubeTiling tiling() {
  TCubeTiling t{};
  t.M = t.singleCoreM = kM;
  t.N = t.singleCoreN = kN;
  t.Ka = t.Kb = t.singleCoreK = kK;
  t.baseM = t.baseN = 16;
  t.usedCoreNum = 1;
  return t;
}

struct Addresses {
  uint8_t *a, *b, *c, *scale_a, *scale_b, *workspace;
};
template <class T, class Address>
GlobalTensor<T> tensor(Address address) {
  GlobalTensor<T> made;
  made.SetGlobalBuffer(reinterpret_cast<T*>(address));
  return made;
}

/// The whole product by tiles of 16 x 16, so that tiles begin in the middle of each source.
template <class Object, class A, class B, class C>
void multiply(Object& object, const Addresses& at, bool trans_a, bool trans_b) {
  object.SetTensorA(tensor<A>(at.a), trans_a);
  object.SetTensorB(tensor<B>(at.b), trans_b);
  const GlobalTensor<C> c = tensor<C>(at.c);
  while (object.Iterate()) object.GetTensorC(c);
  object.End();
}

template <class A, class B, class C, bool trans_a, bool trans_b>
void product(Addresses at, TCubeTiling t) {
  TPipe pipe;
  SetSysWorkspace(at.workspace);
  using Result = MatmulType<TPosition::GM, CubeFormat::ND, C>;
  Matmul<MatmulType<TPosition::GM, CubeFormat::ND, A, trans_a>,
         MatmulType<TPosition::GM, CubeFormat::ND, B, trans_b>, Result, Result>
      object;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), object, &t);
  multiply<decltype(object), A, B, C>(object, at, trans_a, trans_b);
}

template <class A, class B, CubeFormat scales, bool trans_scale_a, bool trans_scale_b>
void scaled_product(Addresses at, TCubeTiling t) {
  TPipe pipe;
  SetSysWorkspace(at.workspace);
  using Result = MatmulType<TPosition::GM, CubeFormat::ND, float>;
  Matmul<MatmulTypeWithScale<TPosition::GM, TPosition::GM, CubeFormat::ND, A, false, TPosition::GM,
                             scales, trans_scale_a>,
         MatmulTypeWithScale<TPosition::GM, TPosition::GM, CubeFormat::ND, B, true, TPosition::GM,
                             scales, trans_scale_b>,
         Result, Result, CFG_MDL, MatmulCallBackFunc<nullptr, nullptr, nullptr>,
         AscendC::Impl::Detail::MatmulWithScalePolicy>
      object;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), object, &t);
  object.SetTensorScaleA(tensor<fp8_e8m0_t>(at.scale_a), trans_scale_a);
  object.SetTensorScaleB(tensor<fp8_e8m0_t>(at.scale_b), trans_scale_b);
  multiply<decltype(object), A, B, float>(object, at, false, true);
}

template <auto kernel, class C>
std::vector<C> run(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b,
                   const std::vector<uint8_t>& scale_a = {0},
                   const std::vector<uint8_t>& scale_b = {0}) {
  const Device device;
  const auto x = device.memory(a), y = device.memory(b);
  const auto sx = device.memory(scale_a), sy = device.memory(scale_b);
  const auto c = device.memory(std::vector<C>(std::size_t{kM} * kN));
  const auto workspace = device.memory<uint8_t>(64);
  const auto address = [](const auto& of) { return reinterpret_cast<GM_ADDR>(of.data()); };
  Said said;
  REQUIRE(KernelOf<kernel>::enqueue("narrow", ACLSIM_CORES_MIX_1_1, 1, nullptr,
                                    Addresses{address(x), address(y), address(c), address(sx),
                                              address(sy), address(workspace)},
                                    tiling()) == 0);
  const int ended = device.synchronize();
  CAPTURE(said.text());
  REQUIRE(ended == 0);
  CHECK(said.text() == "");
  return c.host();
}

/// A and B^T with codes, row by row.
struct Sources {
  Sources(const Format& of_a, const Format& of_b) : format_a(of_a), format_b(of_b) {
    for (unsigned& code : a) code = format_a.code(random);
    for (unsigned& code : b) code = format_b.code(random);
  }
  double at_a(int row, int k) const {
    return format_a.value(a[static_cast<std::size_t>(row * kK + k)]);
  }
  double at_b(int k, int col) const {
    return format_b.value(b[static_cast<std::size_t>(col * kK + k)]);
  }
  std::mt19937 random{3};
  Format format_a, format_b;
  std::vector<unsigned> a = std::vector<unsigned>(std::size_t{kM} * kK);
  std::vector<unsigned> b = std::vector<unsigned>(std::size_t{kN} * kK);
};

std::vector<unsigned> transposed(const std::vector<unsigned>& from, int rows, int cols) {
  std::vector<unsigned> made(from.size());
  for (int row = 0; row < rows; ++row) {
    for (int col = 0; col < cols; ++col) {
      made[static_cast<std::size_t>(col * rows + row)] =
          from[static_cast<std::size_t>(row * cols + col)];
    }
  }
  return made;
}

template <class A, class B>
void check_product(const Format& of_a, const Format& of_b) {
  const Sources sources(of_a, of_b);
  const auto a = packed(sources.a, of_a.bits()), b = packed(sources.b, of_b.bits());
  const auto a_t = packed(transposed(sources.a, kM, kK), of_a.bits());
  const auto b_t = packed(transposed(sources.b, kN, kK), of_b.bits());
  const auto plain = run<&product<A, B, float, false, true>, float>(a, b);
  const auto both = run<&product<A, B, float, true, false>, float>(a_t, b_t);
  for (int row = 0; row < kM; ++row) {
    for (int col = 0; col < kN; ++col) {
      double sum = 0;
      for (int k = 0; k < kK; ++k) sum += sources.at_a(row, k) * sources.at_b(k, col);
      const auto at = static_cast<std::size_t>(row * kN + col);
      REQUIRE(plain[at] == static_cast<float>(sum));
      REQUIRE(both[at] == static_cast<float>(sum));
    }
  }
}

TEST_CASE("Matmul multiplies matrices of fp8", "[cube][matmul]") {
  check_product<fp8_e4m3fn_t, fp8_e4m3fn_t>(kE4M3, kE4M3);
  check_product<fp8_e5m2_t, fp8_e4m3fn_t>(kE5M2, kE4M3);
  check_product<fp8_e5m2_t, fp8_e5m2_t>(kE5M2, kE5M2);
}

TEST_CASE("Matmul multiplies matrices of int4b_t into int32_t", "[cube][matmul]") {
  std::mt19937 random(5);
  std::vector<unsigned> a(std::size_t{kM} * kK), b(std::size_t{kK} * kN);
  for (unsigned& code : a) code = static_cast<unsigned>(random()) % 16;
  for (unsigned& code : b) code = static_cast<unsigned>(random()) % 16;
  const auto got =
      run<&product<int4b_t, int4b_t, int32_t, false, false>, int32_t>(packed(a, 4), packed(b, 4));
  const auto number = [](unsigned code) {
    return code < 8 ? static_cast<int>(code) : static_cast<int>(code) - 16;
  };
  for (int row = 0; row < kM; ++row) {
    for (int col = 0; col < kN; ++col) {
      int sum = 0;
      for (int k = 0; k < kK; ++k) {
        sum += number(a[static_cast<std::size_t>(row * kK + k)]) *
               number(b[static_cast<std::size_t>(k * kN + col)]);
      }
      REQUIRE(got[static_cast<std::size_t>(row * kN + col)] == sum);
    }
  }
}

enum class Order { lines, pairs, bands };
/// The scales of `lines` rows of A, or columns of B, in the orders of the guide.
std::vector<uint8_t> stored(const std::vector<uint8_t>& scales, int lines, Order order) {
  const int high = (lines + 15) / 16 * 16;
  std::vector<uint8_t> made(static_cast<std::size_t>(high * kPairs * 2), 127);
  for (int line = 0; line < lines; ++line) {
    for (int group = 0; group < kPairs * 2; ++group) {
      const int pair = group / 2, second = group % 2;
      const int at = order == Order::lines ? line * kPairs * 2 + group
                     : order == Order::pairs
                         ? (pair * lines + line) * 2 + second
                         : ((line / 16 * kPairs + pair) * 16 + line % 16) * 2 + second;
      made[static_cast<std::size_t>(at)] =
          scales[static_cast<std::size_t>(line * kPairs * 2 + group)];
    }
  }
  return made;
}

template <class A, class B>
void check_scaled(const Format& of_a, const Format& of_b) {
  Sources sources(of_a, of_b);
  std::vector<uint8_t> of_rows(std::size_t{kM} * kPairs * 2), of_cols(std::size_t{kN} * kPairs * 2);
  for (uint8_t& code : of_rows) code = static_cast<uint8_t>(126 + sources.random() % 3);
  for (uint8_t& code : of_cols) code = static_cast<uint8_t>(126 + sources.random() % 3);
  const auto a = packed(sources.a, of_a.bits()), b = packed(sources.b, of_b.bits());
  const auto a_lines = stored(of_rows, kM, Order::lines),
             a_pairs = stored(of_rows, kM, Order::pairs);
  const auto b_lines = stored(of_cols, kN, Order::lines),
             b_pairs = stored(of_cols, kN, Order::pairs);
  const auto a_bands = stored(of_rows, kM, Order::bands),
             b_bands = stored(of_cols, kN, Order::bands);
  const auto lines =
      run<&scaled_product<A, B, CubeFormat::ND, false, true>, float>(a, b, a_lines, b_lines);
  const auto pairs =
      run<&scaled_product<A, B, CubeFormat::ND, true, false>, float>(a, b, a_pairs, b_pairs);
  const auto bands =
      run<&scaled_product<A, B, CubeFormat::NZ, false, true>, float>(a, b, a_bands, b_bands);
  const auto scale = [](uint8_t code) { return std::ldexp(1.0, code - 127); };
  for (int row = 0; row < kM; ++row) {
    for (int col = 0; col < kN; ++col) {
      double sum = 0;
      for (int k = 0; k < kK; ++k) {
        sum += sources.at_a(row, k) * scale(of_rows[static_cast<std::size_t>(row * 4 + k / 32)]) *
               sources.at_b(k, col) * scale(of_cols[static_cast<std::size_t>(col * 4 + k / 32)]);
      }
      const auto at = static_cast<std::size_t>(row * kN + col);
      REQUIRE(lines[at] == static_cast<float>(sum));
      REQUIRE(pairs[at] == static_cast<float>(sum));
      REQUIRE(bands[at] == static_cast<float>(sum));
    }
  }
}

TEST_CASE("Matmul multiplies MX matrices with their scales in each order", "[cube][matmul]") {
  check_scaled<fp8_e5m2_t, fp8_e4m3fn_t>(kE5M2, kE4M3);
  check_scaled<fp4x2_e2m1_t, fp4x2_e1m2_t>(kE2M1, kE1M2);
}

}  // namespace
}  // namespace narrow_test
