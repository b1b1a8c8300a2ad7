// SPDX-License-Identifier: Apache-2.0
// Each function of the cube unit that products_test.cpp does not use, in a kernel.
#include <cmath>
#include <cstring>
#include <string>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/said.h"
#include "tests/ascendc_cube/matrices.h"
#include "tests/support/catch.h"

namespace cube_test {
namespace {

using namespace AscendC;

constexpr uint32_t kSide = 32;  // rows and columns of C

/// A product of two matrices that the host has stored in the order of L0A and of L0B.
template <class T, class Sum>
struct Product {
  Product(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t depth_of_all) : depth(depth_of_all) {
    a_gm.SetGlobalBuffer(reinterpret_cast<T*>(a));
    b_gm.SetGlobalBuffer(reinterpret_cast<T*>(b));
    c_gm.SetGlobalBuffer(reinterpret_cast<Sum*>(c));
  }
  void copy(uint32_t of_a) {
    DataCopy(a1, a_gm, of_a);
    DataCopy(b1, b_gm, kSide * depth);
    order<HardEvent::MTE2_MTE1>();
  }
  LoadData2DParams whole() const {
    return {0, static_cast<uint8_t>(kSide * depth * sizeof(T) / 512), 1, 0, 0, false, 0};
  }
  void multiply() {
    order<HardEvent::MTE1_M>();
    MmadParams params;
    params.m = params.n = kSide;
    params.k = static_cast<uint16_t>(depth);
    Mmad(sums, a2, b2, params);
    order<HardEvent::M_FIX>();
  }
  void store() {
    Fixpipe(c_gm, sums, FixpipeParamsV220(kSide, kSide, kSide, kSide, false));
    PipeBarrier<PIPE_ALL>();
  }

  uint32_t depth;
  GlobalTensor<T> a_gm, b_gm;
  GlobalTensor<Sum> c_gm;
  LocalTensor<T> a1{TPosition::A1, 0, 8192 / sizeof(T)}, b1{TPosition::B1, 8192, 8192 / sizeof(T)};
  LocalTensor<T> a2{TPosition::A2, 0, 8192 / sizeof(T)}, b2{TPosition::B2, 0, 8192 / sizeof(T)};
  LocalTensor<Sum> sums{TPosition::CO1, 0, kSide* kSide};
};

template <class T>
std::vector<T> for_l0a(const Matrix& from) {
  std::vector<T> made(from.values.size());
  const std::vector<T> rows = stored<T>(from);
  for (uint32_t i = 0; i < from.rows; ++i) {
    for (uint32_t j = 0; j < from.cols; ++j) {
      made[l0a(i, j, from.rows, from.cols, 32 / sizeof(T))] = rows[std::size_t{i} * from.cols + j];
    }
  }
  return made;
}
template <class T>
std::vector<T> for_l0b(const Matrix& from) {
  std::vector<T> made(from.values.size());
  const std::vector<T> rows = stored<T>(from);
  for (uint32_t i = 0; i < from.rows; ++i) {
    for (uint32_t j = 0; j < from.cols; ++j) {
      made[zn(i, j, from.cols, 32 / sizeof(T))] = rows[std::size_t{i} * from.cols + j];
    }
  }
  return made;
}

/// Runs a kernel with these arguments and gives its results; it must have no finding.
template <auto kernel, class Out, class A, class B, class... More>
std::vector<Out> results(const Device& device, const std::vector<A>& a, const std::vector<B>& b,
                         std::size_t count, More... more) {
  const auto a_bytes = device.memory(a);
  const auto b_bytes = device.memory(b);
  const auto c_bytes = device.memory<Out>(count);
  Said said;
  REQUIRE(KernelOf<kernel>::enqueue("form", ACLSIM_CORES_CUBE, 1, nullptr,
                                    reinterpret_cast<GM_ADDR>(a_bytes.data()),
                                    reinterpret_cast<GM_ADDR>(b_bytes.data()),
                                    reinterpret_cast<GM_ADDR>(c_bytes.data()), more...) == 0);
  const int code = device.synchronize();
  const std::string text = said.text();
  INFO(text);
  REQUIRE(code == 0);
  CHECK(text.empty());
  return c_bytes.host();
}

// ---- feature maps

enum Form { kParameters, kRegisters, kOldNames, kPacked, kWithStride };

/// A map of 2 x 16 positions and 16 channels, and windows of 1 x 3 with one position beside it.
void windows(GM_ADDR a, GM_ADDR b, GM_ADDR c, int form) {
  Product<half, float> p(a, b, c, 48);
  p.copy(2 * 16 * 16);
  uint8_t pads[4] = {1, 1, 0, 0};
  LoadData3DParamsV2<half> params(pads, 2, 16, 16, 48, kSide, 0, 0, 1, 1, 3, 1, 1, 1, false, false,
                                  half(2));
  SetLoadDataBoundary(0);
  SetLoadDataRepeat({0, 1, 0, static_cast<uint16_t>(kSide / 16)});
  SetLoadDataRepeatWithStride({0, 1, 0, static_cast<uint16_t>(kSide / 16)});
  if (form == kParameters) {
    LoadData(p.a2, p.a1, params);
#if ACLSIM_NPU_ARCH == 3510
  } else if (form == kWithStride) {
    LoadDataWithStride(p.a2, p.a1, params);
#endif
  } else {
    SetFmatrix(2, 16, pads, FmatrixMode::FMATRIX_RIGHT);
    SetLoadDataPaddingValue(half(form == kOldNames ? 7 : 2));
    if (form == kOldNames) {
      Load3DSetFMatrixCal(2, 16, pads);
      Load3DSetPaddingCal(half(2));
    }
    if (form == kRegisters || form == kOldNames) {
      static constexpr IsResetLoad3dConfig kNothing = {false, false};
      params.padList[0] = 0;
      params.l1W = 3;
      params.padValue = half(5);
      params.fMatrixCtrl = form == kRegisters;
      LoadData<half, kNothing>(p.a2, p.a1, params);
    } else {
      LoadData(p.a2, p.a1,
               LoadData3DParamsV2Pro(16, false, false, false, false, true,
                                     uint64_t{kSide} << 16 | 48, 0x10101030101U));
    }
  }
  LoadData(p.b2, p.b1, p.whole());
  p.multiply();
  p.store();
}

TEST_CASE("a kernel loads windows of a feature map with parameters and with registers") {
  Device device;
  std::mt19937 random(3);
  const Matrix map = random_matrix(32, 16, random);  // a row for each position
  const Matrix b = random_matrix(48, kSide, random);
  Matrix a(32, 48);
  for (uint32_t row = 0; row < 32; ++row) {
    for (uint32_t col = 0; col < 48; ++col) {
      const int at = static_cast<int>(row % 16 + col / 16) - 1;
      a.at(row, col) =
          at < 0 || at >= 16 ? 2 : map.at(row / 16 * 16 + static_cast<uint32_t>(at), col % 16);
    }
  }
  const auto expected = stored<float>(product(a, b));
  for (const int form : {kParameters, kRegisters, kOldNames, kPacked, kWithStride}) {
    if (form == kWithStride && ACLSIM_NPU_ARCH != 3510) continue;
    CAPTURE(form);
    CHECK((results<&windows, float>(device, stored<half>(map), for_l0b<half>(b), kSide * kSide,
                                    form) == expected));
  }
}

// ---- transpositions

/// B is stored row by row, which is one square of two fractals.
void turns(GM_ADDR a, GM_ADDR b, GM_ADDR c, bool second) {
  Product<int8_t, int32_t> p(a, b, c, kSide);
  p.copy(kSide * kSide);
  LoadData(p.a2, p.a1, p.whole());
  if (second) {
    LoadDataWithTranspose(p.b2, p.b1, LoadData2dTransposeParamsV2(0, 1, 1, 0, 0, 0));
  } else {
    LoadDataWithTranspose(p.b2, p.b1, LoadData2dTransposeParams(0, 1, 1, 0, 0));
  }
  p.multiply();
  p.store();
}

TEST_CASE("a kernel transposes a matrix of bytes on its way into L0B") {
  Device device;
  std::mt19937 random(13);
  const Matrix a = random_matrix(kSide, kSide, random), b = random_matrix(kSide, kSide, random);
  for (const bool second : {false, true}) {
    CAPTURE(second);
    CHECK((results<&turns, int32_t>(device, for_l0a<int8_t>(a), stored<int8_t>(b), kSide * kSide,
                                    second) == stored<int32_t>(product(a, b))));
  }
}

// ---- numbers

void hf32(GM_ADDR a, GM_ADDR b, GM_ADDR c, bool on, bool to_zero) {
  Product<float, float> p(a, b, c, kSide);
  p.copy(kSide * kSide);
  LoadData(p.a2, p.a1, p.whole());
  LoadData(p.b2, p.b1, p.whole());
  SetHF32Mode(on);
  SetHF32TransMode(to_zero);
  SetMMRowMajor();
  SetMMColumnMajor();
  SetMMLayoutTransform(true);
  p.multiply();
  p.store();
  SetHF32Mode(false);
}

TEST_CASE("a kernel multiplies floats as HF32 with either rounding of ties") {
  Device device;
  Matrix a(kSide, kSide), b(kSide, kSide);
  for (uint32_t i = 0; i < kSide; ++i) a.at(i, 0) = b.at(0, i) = 1;
  auto a_stored = for_l0a<float>(a);
  const int bits = ACLSIM_NPU_ARCH == 3510 ? 10 : 11;
  const float step = std::ldexp(1.0F, -bits);
  for (float& value : a_stored) value *= 1 + 1.5F * step;
  const auto first = [&](bool on, bool to_zero) {
    return results<&hf32, float>(device, a_stored, for_l0b<float>(b), kSide * kSide, on,
                                 to_zero)[0];
  };
  CHECK(first(false, false) == 1 + 1.5F * step);
  CHECK(first(true, false) == 1 + 2 * step);
  CHECK(first(true, true) == 1 + step);
}

#if ACLSIM_NPU_ARCH != 3510
/// B has half of the depth of A.
void sparse(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR index) {
  Product<int8_t, int32_t> p(a, b, c, kSide);
  GlobalTensor<uint8_t> from;
  from.SetGlobalBuffer(index);
  const LocalTensor<uint8_t> index1(TPosition::B1, 32768, kSide * kSide / 4);
  DataCopy(index1, from, kSide * kSide / 4);
  p.copy(2 * kSide * kSide);
  LoadData(p.a2, p.a1, LoadData2DParams(0, 4, 1, 0, 0, false, 0));
  LoadDataWithSparse(p.b2, p.b1, index1, LoadData2dParams(0, 2, 0, 0, 0, false, 0));
  order<HardEvent::MTE1_M>();
  MmadWithSparse(p.sums, p.a2, p.b2, {kSide, kSide, 2 * kSide, false, 0, false, false, false});
  order<HardEvent::M_FIX>();
  p.store();
}

TEST_CASE("a kernel multiplies with a matrix of which it has 2 of 4 numbers") {
  std::mt19937 random(23);
  const Matrix a = random_matrix(kSide, 2 * kSide, random);
  Matrix b(2 * kSide, kSide), stored_b(kSide, kSide);
  std::vector<uint8_t> index(kSide * kSide / 4);
  // Fractals of 16 columns with 32 numbers of each, and 2 bits for each number.
  for (uint32_t col = 0; col < kSide; ++col) {
    for (uint32_t four = 0; four < kSide / 2; ++four) {
      uint32_t first = random() % 4, second = random() % 4;
      if (first == second) second = (first + 1) % 4;
      if (first > second) std::swap(first, second);
      const uint32_t bits[] = {first, second - 1};
      for (const uint32_t i : {0U, 1U}) {
        const uint32_t number = four * 2 + i;
        const int value = static_cast<int>(random() % 9) - 4;
        b.at(four * 4 + (i == 0 ? first : second), col) = value;
        stored_b.at(number, col) = value;
        index[col / 16 * 128 + col % 16 * 8 + number / 4] |=
            static_cast<uint8_t>(bits[i] << (number % 4 * 2));
      }
    }
  }
  Device device;
  const auto memory = device.memory(index);
  CHECK((results<&sparse, int32_t>(device, for_l0a<int8_t>(a), for_l0b<int8_t>(stored_b),
                                   kSide * kSide, reinterpret_cast<GM_ADDR>(memory.data())) ==
         stored<int32_t>(product(a, b))));
}
#endif

#if ACLSIM_NPU_ARCH == 3510
template <class T>
void narrow(GM_ADDR a, GM_ADDR b, GM_ADDR c) {
  Product<T, float> p(a, b, c, kSide);
  p.copy(kSide * kSide);
  LoadData(p.a2, p.a1, p.whole());
  LoadData(p.b2, p.b1, p.whole());
  p.multiply();
  p.store();
}

TEST_CASE("a kernel multiplies numbers of 8 bits") {
  Device device;
  std::mt19937 random(17);
  const Matrix a = random_matrix(kSide, kSide, random), b = random_matrix(kSide, kSide, random);
  const auto expected = stored<float>(product(a, b));
  CHECK(
      (results<&narrow<fp8_e4m3fn_t>, float>(device, for_l0a<fp8_e4m3fn_t>(a),
                                             for_l0b<fp8_e4m3fn_t>(b), kSide * kSide) == expected));
  CHECK((results<&narrow<fp8_e5m2_t>, float>(device, for_l0a<fp8_e5m2_t>(a), for_l0b<fp8_e5m2_t>(b),
                                             kSide * kSide) == expected));
  CHECK((results<&narrow<hifloat8_t>, float>(device, for_l0a<hifloat8_t>(a), for_l0b<hifloat8_t>(b),
                                             kSide * kSide) == expected));
}

constexpr uint32_t kDepth = 128;  // of products with scales

template <class T>
void scaled(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR scales_a, GM_ADDR scales_b, uint32_t wide,
            bool bias) {
  Product<T, float> p(a, b, c, kDepth);
  GlobalTensor<fp8_e8m0_t> from_a, from_b;
  from_a.SetGlobalBuffer(reinterpret_cast<fp8_e8m0_t*>(scales_a));
  from_b.SetGlobalBuffer(reinterpret_cast<fp8_e8m0_t*>(scales_b));
  constexpr uint32_t kScales = kSide * kDepth / 32;
  const LocalTensor<fp8_e8m0_t> a1(TPosition::A1, 32768, kScales),
      b1(TPosition::B1, 33792, kScales);
  const LocalTensor<float> c1(TPosition::C1, 34816, kSide), c2(TPosition::C2, 0, kSide);
  DataCopy(a1, from_a, kScales);
  DataCopy(b1, from_b, kScales);
  Fill(c1, InitConstValueParams<float>(1, kSide / 8, 0, 1.5F));
  p.copy(kSide * kDepth);
  const LoadData2DParamsV2 matrix(0, 0, 2, static_cast<uint16_t>(kDepth / wide), 2, 2, false, 0);
  const LoadData2DMxParams scales(0, 0, kSide / 16, kDepth / 64, kDepth / 64, kDepth / 64);
  LoadData(p.a2, p.a1, a1, matrix, scales);
  LoadData(p.b2, p.b1, b1, matrix, scales);
  DataCopy(c2, c1, kSide);
  order<HardEvent::MTE1_M>();
  MmadParams params;
  params.m = params.n = kSide;
  params.k = kDepth;
  if (bias) {
    MmadMx(p.sums, p.a2, p.b2, c2, params);
  } else {
    MmadMx(p.sums, p.a2, p.b2, params);
  }
  order<HardEvent::M_FIX>();
  p.store();
}

/// One scale for 32 elements of a row, in fractals of 16 rows with two scales of each.
struct Scales {
  explicit Scales(std::mt19937& random) : bytes(kSide * kDepth / 32) {
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(125 + random() % 5);
  }
  float of(uint32_t row, uint32_t depth) const {
    const uint32_t group = depth / 32;
    const std::size_t fractal = row / 16 * (kDepth / 64) + group / 2;
    return std::ldexp(1.0F, bytes[fractal * 32 + row % 16 * 2 + group % 2] - 127);
  }
  std::vector<std::uint8_t> bytes;
};

/// Codes, of which `wide` have 32 bytes, as either L0 memory has them.
struct Codes {
  Codes(uint32_t wide, const std::vector<unsigned>& from, std::mt19937& random)
      : codes(kSide * kDepth), bytes(kSide * kDepth * 32 / wide) {
    for (uint32_t row = 0; row < kSide; ++row) {
      for (uint32_t depth = 0; depth < kDepth; ++depth) {
        const unsigned code = from[random() % from.size()];
        codes[row * kDepth + depth] = code;
        const std::size_t at = nz(row, depth, kSide, wide), in_byte = wide / 32;
        bytes[at / in_byte] |= static_cast<std::uint8_t>(code << (at % in_byte * 4));
      }
    }
  }
  std::vector<unsigned> codes;
  std::vector<std::uint8_t> bytes;
};

template <auto kernel>
void check_scaled(uint32_t wide, const std::vector<unsigned>& codes, float (*value)(unsigned)) {
  std::mt19937 random(19);
  const Codes a(wide, codes, random), b(wide, codes, random);
  const Scales scales_a(random), scales_b(random);
  Device device;
  const auto memory_a = device.memory(scales_a.bytes), memory_b = device.memory(scales_b.bytes);
  for (const bool bias : {false, true}) {
    CAPTURE(wide, bias);
    const auto made = results<kernel, float>(
        device, a.bytes, b.bytes, kSide * kSide, reinterpret_cast<GM_ADDR>(memory_a.data()),
        reinterpret_cast<GM_ADDR>(memory_b.data()), wide, bias);
    for (uint32_t row = 0; row < kSide; ++row) {
      for (uint32_t col = 0; col < kSide; ++col) {
        double sum = bias ? 1.5 : 0;  // exact
        for (uint32_t k = 0; k < kDepth; ++k) {
          sum += double{value(a.codes[row * kDepth + k]) * scales_a.of(row, k)} *
                 double{value(b.codes[col * kDepth + k]) * scales_b.of(col, k)};
        }
        if (made[row * kSide + col] != static_cast<float>(sum)) {
          FAIL("element " << row << ", " << col << ": " << made[row * kSide + col]);
        }
      }
    }
  }
}

TEST_CASE("a kernel multiplies numbers of 8 and 4 bits with scales") {
  // 1, -1, 2, 1.5 and 0
  check_scaled<&scaled<fp8_e4m3fn_t>>(32, {0x38, 0xb8, 0x40, 0x3c, 0}, [](unsigned code) {
    return code == 0x38 ? 1.0F : code == 0xb8 ? -1.0F : code == 0x40 ? 2.0F : code == 0 ? 0 : 1.5F;
  });
  check_scaled<&scaled<fp8_e5m2_t>>(32, {0x3c, 0xbc, 0x40, 0x3e, 0}, [](unsigned code) {
    return code == 0x3c ? 1.0F : code == 0xbc ? -1.0F : code == 0x40 ? 2.0F : code == 0 ? 0 : 1.5F;
  });
  check_scaled<&scaled<fp4x2_e2m1_t>>(64, {0x2, 0xa, 0x4, 0x3, 0}, [](unsigned code) {
    return code == 2 ? 1.0F : code == 0xa ? -1.0F : code == 4 ? 2.0F : code == 0 ? 0 : 1.5F;
  });
  check_scaled<&scaled<fp4x2_e1m2_t>>(64, {0x4, 0xc, 0x7, 0x1, 0}, [](unsigned code) {
    return code == 4 ? 1.0F : code == 0xc ? -1.0F : code == 7 ? 1.75F : code == 0 ? 0 : 0.25F;
  });
}
#endif

// ---- results

void copies_out(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR factors, int form) {
  Product<int8_t, int32_t> p(a, b, c, kSide);
  p.copy(kSide * kSide);
  LoadData(p.a2, p.a1, p.whole());
  LoadData(p.b2, p.b1, p.whole());
  GlobalTensor<uint64_t> factors_gm;
  factors_gm.SetGlobalBuffer(reinterpret_cast<uint64_t*>(factors));
  const LocalTensor<uint64_t> in_l1(TPosition::C1, 16384, kSide);
  const LocalTensor<uint64_t> in_buffer(TPosition::C2PIPE2GM, 0, kSide);
  p.multiply();
  GlobalTensor<half> out;
  out.SetGlobalBuffer(reinterpret_cast<half*>(c));
  DataCopyCO12DstParams params(kSide, kSide, kSide, kSide, QuantMode_t::DEQF16, 0, false, true);
  SetFixpipeNz2ndFlag(1, 0, 0);
  const float factor = 0.5F;
  uint64_t bits = 0;
  std::memcpy(&bits, &factor, sizeof factor);
  if (form == 0) {
    SetFixpipePreQuantFlag(bits);
  } else {
    DataCopy(in_l1, factors_gm, kSide);
    order<HardEvent::MTE2_FIX>();
    DataCopy(in_buffer, in_l1, kSide);
    PipeBarrier<PIPE_FIX>();
    SetFixPipeConfig(in_buffer);
    params.quantPre = QuantMode_t::VDEQF16;
  }
  if (form < 2) {
    DataCopy(out, p.sums, params);
  } else {
    FixpipeParamsV220 fixpipe(kSide, kSide, kSide, kSide, false);
    fixpipe.quantPre = form == 2 ? QuantMode_t::VDEQF16 : QuantMode_t::DEQF16;
    fixpipe.deqScalar = bits;
    Fixpipe(out, p.sums, fixpipe);
  }
  PipeBarrier<PIPE_ALL>();
}

TEST_CASE("a kernel takes results out of L0C with the factors of the registers") {
  std::mt19937 random(5);
  const Matrix a = random_matrix(kSide, kSide, random), b = random_matrix(kSide, kSide, random);
  const Matrix c = product(a, b);
  Device device;
  std::vector<uint64_t> factors;
  for (uint32_t col = 0; col < kSide; ++col) {
    const float factor = col % 2 == 0 ? 2.0F : 0.25F;
    uint64_t bits = 0;
    std::memcpy(&bits, &factor, sizeof factor);
    factors.push_back(bits);
  }
  const auto memory = device.memory(factors);
  // DataCopy with one factor and with one for each column, and Fixpipe with each and with one.
  for (const int form : {0, 1, 2, 3}) {
    CAPTURE(form);
    const auto made = results<&copies_out, half>(device, for_l0a<int8_t>(a), for_l0b<int8_t>(b),
                                                 kSide * kSide * 2,
                                                 reinterpret_cast<GM_ADDR>(memory.data()), form);
    for (uint32_t row = 0; row < kSide; ++row) {
      for (uint32_t col = 0; col < kSide; ++col) {
        const float factor = form % 3 == 0 ? 0.5F : col % 2 == 0 ? 2.0F : 0.25F;
        const float expected = static_cast<float>(c.at(row, col)) * factor;
        if (static_cast<float>(made[row * kSide + col]) != expected) {
          FAIL("element " << row << ", " << col);
        }
      }
    }
  }
}

// ---- one value

void fills(GM_ADDR a, GM_ADDR b, GM_ADDR c, bool in_l0) {
  Product<half, float> p(a, b, c, kSide);
  p.copy(kSide * kSide);
  if (in_l0) {
    InitConstValue(p.a2, InitConstValueParams<half>(1, kSide * kSide / 256, 0, half(3)));
  } else {
    Fill(p.a1, InitConstValueParams<half>(kSide, kSide / 16, 0, half(3)));
    order<HardEvent::MTE2_MTE1>();
    LoadData(p.a2, p.a1, p.whole());
  }
  LoadData(p.b2, p.b1, p.whole());
  p.multiply();
  p.store();
}

TEST_CASE("a kernel fills L1 or L0A with one value") {
  Device device;
  std::mt19937 random(9);
  const Matrix a = random_matrix(kSide, kSide, random), b = random_matrix(kSide, kSide, random);
  Matrix threes(kSide, kSide);
  for (int& value : threes.values) value = 3;
  for (const bool in_l0 : {false, true}) {
    CAPTURE(in_l0);
    CHECK((results<&fills, float>(device, for_l0a<half>(a), for_l0b<half>(b), kSide * kSide,
                                  in_l0) == stored<float>(product(threes, b))));
  }
}

}  // namespace
}  // namespace cube_test
