// SPDX-License-Identifier: Apache-2.0
// The C interface on architecture 3510: products with scales, and copies between the cores of a
// group.
#include <cmath>
#include <cstring>

#include "tests/ascendc_c_api/cube.h"

namespace c_cube_test::groups {
namespace {

// ---- products with scales

constexpr uint32_t kDepth = 128;
constexpr uint32_t kScales = kSide * kDepth / 32;

enum Scaled { kPlain, kSynced, kOffset };

template <class T>
void scaled(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR scales_a, GM_ADDR scales_b, int form) {
  Product<T, float> p(a, b, c, kDepth);
  fp8_e8m0_t *const a1 = local<fp8_e8m0_t>(TPosition::A1, 32768), *const b1 = local<fp8_e8m0_t>(
                                                                      TPosition::A1, 33792);
  copy_in(a1, scales_a, kScales);
  copy_in(b1, scales_b, kScales);
  p.copy();
  p.load();
  // The address of the matrix as a kernel divides it, or its offset.
  const auto number = [&](const void* address) {
    return form == kOffset ? 0 : reinterpret_cast<uint64_t>(address) / 16;
  };
  const bool sync = form == kSynced;
  CALL(sync, asc_copy_l12l0a_mx, number(p.a2), a1, 0, 0, kSide / 16, kDepth / 64, kDepth / 64,
       kDepth / 64);
  CALL(sync, asc_copy_l12l0b_mx, number(p.b2), b1, 0, 0, kSide / 16, kDepth / 64, kDepth / 64,
       kDepth / 64);
  order(PIPE_MTE1, PIPE_M);
  CALL(sync, asc_mmad_mx, p.sums, p.a2, p.b2, kSide, kDepth, kSide, 0, true, false, true);
  order(PIPE_M, PIPE_FIX);
  p.store_rows();
}

/// One scale for 32 elements of a row, in fractals of 16 rows with two scales of each.
struct Scales {
  explicit Scales(std::mt19937& random) : bytes(kScales) {
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(125 + random() % 5);
  }
  float of(uint32_t row, uint32_t depth) const {
    const uint32_t group = depth / 32;
    const std::size_t fractal = row / 16 * (kDepth / 64) + group / 2;
    return std::ldexp(1.0F, bytes[fractal * 32 + row % 16 * 2 + group % 2] - 127);
  }
  std::vector<uint8_t> bytes;
};

/// Codes of 1, 2 and 0, of which `wide` have 32 bytes, as either L0 memory has them.
struct Codes {
  Codes(uint32_t wide, unsigned one, unsigned two, std::mt19937& random)
      : values(kSide * kDepth), bytes(kSide * kDepth * 32 / wide) {
    const unsigned codes[] = {0, one, two};
    for (uint32_t row = 0; row < kSide; ++row) {
      for (uint32_t depth = 0; depth < kDepth; ++depth) {
        const auto value = static_cast<uint32_t>(random() % 3);
        values[row * kDepth + depth] = static_cast<float>(value);
        const std::size_t at = cube_test::nz(row, depth, kSide, wide), in_byte = wide / 32;
        bytes[at / in_byte] |= static_cast<uint8_t>(codes[value] << (at % in_byte * 4));
      }
    }
  }
  std::vector<float> values;
  std::vector<uint8_t> bytes;
};

template <class T>
void check_scaled(uint32_t wide, unsigned one, unsigned two) {
  std::mt19937 random(83);
  const Codes a(wide, one, two, random), b(wide, one, two, random);
  const Scales scales_a(random), scales_b(random);
  std::vector<float> c(kSide * kSide);
  for (uint32_t i = 0; i < kSide * kSide; ++i) {
    const uint32_t row = i / kSide, col = i % kSide;
    for (uint32_t k = 0; k < kDepth; ++k) {  // each sum is exact
      c[i] += a.values[row * kDepth + k] * scales_a.of(row, k) * b.values[col * kDepth + k] *
              scales_b.of(col, k);
    }
  }
  const auto wanted = framed<float>(c, kSide, kSide);
  const Device device;
  const auto memory_a = device.memory(scales_a.bytes), memory_b = device.memory(scales_b.bytes);
  for (const int form : {kPlain, kSynced, kOffset}) {
    CAPTURE(wide, form);
    CHECK((results<&scaled<T>, float>(device, a.bytes, b.bytes, wanted.size(),
                                      reinterpret_cast<GM_ADDR>(memory_a.data()),
                                      reinterpret_cast<GM_ADDR>(memory_b.data()), form) == wanted));
  }
}

TEST_CASE("c cube: asc_mmad_mx multiplies numbers of 8 and 4 bits with scales", "[c][cube]") {
  check_scaled<fp8_e4m3fn_t>(32, 0x38, 0x40);
  check_scaled<fp8_e5m2_t>(32, 0x3c, 0x40);
  check_scaled<fp4x2_e2m1_t>(64, 0x2, 0x4);
}

// ---- copies between cores

constexpr uint32_t kBytes = 4096;  // of A, of B and of each vector core's part of the results
constexpr int64_t kFlag = 3;

struct Ends {
  explicit Ends(GM_ADDR x) : a_gm(reinterpret_cast<half*>(x)), c_gm(x + 2 * kBytes) {}
  half* a_gm;
  half* b_gm = a_gm + kBytes / 2;
  GM_ADDR c_gm;
  half *a1 = local<half>(TPosition::A1, 0), *b1 = local<half>(TPosition::A1, kBytes);
  half *a2 = local<half>(TPosition::A2, 0), *b2 = local<half>(TPosition::B2, 0);
  float* sums = local<float>(TPosition::CO1, 0);
  uint8_t* ub = local<uint8_t>(TPosition::VECCALC, 0);
};

/// A vector core stores its unified buffer as its part of the results.
void store_ub(const Ends& ends, uint32_t bytes) {
  asc_sync_block_wait(PIPE_MTE3, kFlag);
  const auto part = static_cast<uint32_t>(AscendC::GetSubBlockIdx()) * kBytes;
  asc_copy_ub2gm(ends.c_gm + part, ends.ub, bytes);
  asc_sync();
}

/// Both operands come from global memory and are one column of fractals.
void multiply_of(const Ends& ends, uint32_t depth_bytes) {
  load_a(ends.a2, ends.a1, depth_bytes);
  load_b(ends.b2, ends.b1, depth_bytes);
  order(PIPE_MTE1, PIPE_M);
  asc_mmad(ends.sums, ends.a2, ends.b2, kSide, 16, kSide, 0, true, false, true);
  order(PIPE_M, PIPE_FIX);
}

enum Group { kSecond, kSecondSync, kRows, kL1, kL1Sync, kIntoL1, kIntoL1Sync, kIntoL1Blocks };

void group(GM_ADDR x, int form) {
  asc_init();
  const Ends ends(x);
  constexpr uint32_t kOperand = kSide * 16 * sizeof(half);
  const auto none = QuantMode_post::NoConv;
  if ASC_IS_AIC {
    if (form == kL1 || form == kL1Sync) {
      copy_in(ends.a1, ends.a_gm, kBytes);
      order(PIPE_MTE2, PIPE_MTE1);
      CALL(form == kL1Sync, asc_copy_l12ub, ends.ub, ends.a1, form == kL1Sync, 4, 2, 2, 1);
      asc_sync_block_arrive(PIPE_MTE1, kFlag);
      return;
    }
    if (form >= kIntoL1) {
      asc_sync_block_wait(PIPE_MTE1, kFlag);
    } else {
      copy_in(ends.a1, ends.a_gm, kOperand);
      copy_in(ends.b1, ends.b_gm, kOperand);
      order(PIPE_MTE2, PIPE_MTE1);
    }
    multiply_of(ends, kOperand);
    set_matrices(1, 0, 0);
    if (form >= kIntoL1) {
      store(reinterpret_cast<float*>(ends.c_gm), ends.sums, kSide, kSide, kSide);
      return asc_sync();
    }
    const uint8_t dual = form == kRows ? 1 : 0;
    CALL(form == kSecondSync, asc_copy_l0c2ub, reinterpret_cast<float*>(ends.ub), ends.sums, kSide,
         kSide, kSide, kSide, dual, dual == 0, 0, 0, QuantMode_t::NoQuant, 0, false, true, none, 0,
         false, 0, false, false, false, false);
    asc_sync_block_arrive(PIPE_FIX, kFlag);
  }
  if ASC_IS_AIV {
    const auto which = static_cast<uint32_t>(AscendC::GetSubBlockIdx());
    if (form >= kIntoL1) {  // each vector core copies one operand into L1
      uint8_t* const copied = ends.ub + kBytes;
      asc_copy_gm2ub(ends.ub, which == 0 ? ends.a_gm : ends.b_gm, kOperand);
      order(PIPE_MTE2, PIPE_V);
      const bool sync = form == kIntoL1Sync;
      if (form == kIntoL1Blocks) {
        asc_copy_ub2ub(copied, ends.ub, 2, kOperand / 64, 0, 1);
      } else {
        CALL(sync, asc_copy_ub2ub, copied, ends.ub, kOperand);
      }
      order(PIPE_V, PIPE_MTE3);
      half* const l1 = which == 0 ? ends.a1 : ends.b1;
      if (form == kIntoL1Blocks) {
        asc_copy_ub2l1(l1, copied, 2, kOperand / 64, 1, 0);
      } else {
        CALL(sync, asc_copy_ub2l1, l1, copied, kOperand);
      }
      return asc_sync_block_arrive(PIPE_MTE3, kFlag);
    }
    const bool mine = form == kRows || (form != kL1) == (which == 1);
    if (mine) {
      store_ub(ends, form == kL1 || form == kL1Sync ? 64 : form == kRows ? kBytes / 2 : kBytes);
    } else {
      asc_sync_block_wait(PIPE_MTE3, kFlag);
    }
  }
}

TEST_CASE("c cube: cores of a group fill the memories of each other", "[c][cube]") {
  std::mt19937 random(89);
  const Matrix a = random_matrix(kSide, 16, random), b = random_matrix(16, kSide, random);
  const Matrix c = product(a, b);
  std::vector<half> halves(5 * kBytes / 2, static_cast<half>(0));
  for (uint32_t i = 0; i < kSide * 16; ++i) {
    halves[i] = static_cast<half>(a.values[i]);
    halves[kBytes / 2 + i] = static_cast<half>(transposed(b).values[i]);
  }
  const Device device;
  for (int form = kSecond; form <= kIntoL1Blocks; ++form) {
    CAPTURE(form);
    const auto memory = device.memory(halves);
    Said said;
    REQUIRE(KernelOf<&group>::enqueue("c_group", ACLSIM_CORES_MIX_1_2, 1, nullptr,
                                      reinterpret_cast<GM_ADDR>(memory.data()), form) == 0);
    const int code = device.synchronize();
    const std::string text = said.text();
    INFO(text);
    REQUIRE(code == 0);
    CHECK(text.empty());
    const std::vector<half> made = memory.host();
    std::vector<float> wanted(2 * kBytes / 4), found(2 * kBytes / 4);
    std::memcpy(found.data(), made.data() + kBytes, 2 * kBytes);
    const bool second = form == kSecond || form == kSecondSync;
    if (form == kL1 || form == kL1Sync) {
      // The first block of two units, of which the gap of one unit is not written.
      std::memcpy(wanted.data() + (form == kL1 ? 0 : kBytes / 4), halves.data(), 64);
    } else {
      for (uint32_t i = 0; i < kSide * kSide; ++i) {
        const uint32_t half_of = form == kRows ? i / (kSide * kSide / 2) : second ? 1 : 0;
        wanted[half_of * kBytes / 4 + (form == kRows ? i % (kSide * kSide / 2) : i)] =
            static_cast<float>(c.values[i]);
      }
    }
    CHECK(found == wanted);
  }
}

}  // namespace
}  // namespace c_cube_test::groups
