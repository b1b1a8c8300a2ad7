// SPDX-License-Identifier: Apache-2.0
// Masks: their creation, their arithmetic, and their moves.
#include "tests/ascendc_registers/bench.h"

namespace registers_test::masks_tests {
namespace {

using namespace AscendC::Reg;

using Bits = std::vector<bool>;  // 256
Bits bits_of(const MaskReg& mask) {
  Bits bits(256);
  for (std::size_t i = 0; i < 256; ++i) bits[i] = (mask.aclsim_bits[i / 64] >> i % 64 & 1U) != 0;
  return bits;
}
MaskReg mask_of(const Bits& bits) {
  MaskReg mask = {};
  for (std::size_t i = 0; i < 256; ++i) {
    mask.aclsim_bits[i / 64] |= static_cast<std::uint64_t>(bits[i]) << i % 64;
  }
  return mask;
}
Bits random_bits(unsigned seed) {
  std::mt19937 random(seed);
  Bits bits(256);
  for (std::size_t i = 0; i < 256; ++i) bits[i] = random() % 2 == 0;
  return bits;
}
/// The lowest bit of each lane that is on.
template <class F>
Bits lanes(std::size_t bytes, F on) {
  Bits bits(256);
  for (std::size_t i = 0; i < 256 / bytes; ++i) bits[i * bytes] = on(i);
  return bits;
}

template <class T>
void check_patterns() {
  const std::size_t n = 256 / sizeof(T);
  const auto first = [n](std::size_t count) {
    return lanes(sizeof(T), [=](std::size_t i) { return i < std::min(count, n); });
  };
  CHECK(bits_of(CreateMask<T>()) == first(n));
  CHECK(bits_of(CreateMask<T, MaskPattern::VL1>()) == first(1));
  CHECK(bits_of(CreateMask<T, MaskPattern::VL2>()) == first(2));
  CHECK(bits_of(CreateMask<T, MaskPattern::VL3>()) == first(3));
  CHECK(bits_of(CreateMask<T, MaskPattern::VL4>()) == first(4));
  CHECK(bits_of(CreateMask<T, MaskPattern::VL8>()) == first(8));
  CHECK(bits_of(CreateMask<T, MaskPattern::VL16>()) == first(16));
  CHECK(bits_of(CreateMask<T, MaskPattern::VL32>()) == first(32));
  CHECK(bits_of(CreateMask<T, MaskPattern::VL64>()) == first(64));
  CHECK(bits_of(CreateMask<T, MaskPattern::VL128>()) == first(128));
  CHECK(bits_of(CreateMask<T, MaskPattern::H>()) == first(n / 2));
  CHECK(bits_of(CreateMask<T, MaskPattern::Q>()) == first(n / 4));
  CHECK(bits_of(CreateMask<T, MaskPattern::ALLF>()) == first(0));
  CHECK(bits_of(CreateMask<T, MaskPattern::M3>()) ==
        lanes(sizeof(T), [](std::size_t i) { return i % 3 == 0; }));
  CHECK(bits_of(CreateMask<T, MaskPattern::M4>()) ==
        lanes(sizeof(T), [](std::size_t i) { return i % 4 == 0; }));
}
TEST_CASE("registers: a pattern makes the lanes of a mask", "[registers][masks]") {
  check_patterns<std::uint8_t>();
  check_patterns<half>();
  check_patterns<float>();
  check_patterns<std::int64_t>();
}

TEST_CASE("registers: UpdateMask takes a register's lanes from the count", "[registers][masks]") {
  std::uint32_t count = 150;
  CHECK(bits_of(UpdateMask<float>(count)) == lanes(4, [](std::size_t) { return true; }));
  CHECK(count == 86);
  CHECK(bits_of(UpdateMask<float>(count)) == lanes(4, [](std::size_t) { return true; }));
  CHECK(count == 22);
  CHECK(bits_of(UpdateMask<float>(count)) == lanes(4, [](std::size_t i) { return i < 22; }));
  CHECK(count == 0);
  CHECK(bits_of(UpdateMask<float>(count)) == lanes(4, [](std::size_t) { return false; }));
}

TEST_CASE("registers: masks combine bit by bit under a mask", "[registers][masks]") {
  const Bits a = random_bits(1), b = random_bits(2), m = random_bits(3);
  MaskReg first = mask_of(a), second = mask_of(b), mask = mask_of(m);
  MaskReg results[12];
  And(results[0], first, second, mask);
  Or(results[1], first, second, mask);
  Xor(results[2], first, second, mask);
  Not(results[3], first, mask);
  Select(results[4], first, second, mask);
  Move(results[5], first, mask);
  Move(results[6], first);
  MaskAnd(results[7], first, second, mask);
  MaskOr(results[8], first, second, mask);
  MaskXor(results[9], first, second, mask);
  MaskNot(results[10], first, mask);
  MaskSel(results[11], first, second, mask);
  for (std::size_t i = 0; i < 256; ++i) {
    CHECK(bits_of(results[0])[i] == (a[i] && b[i] && m[i]));
    CHECK(bits_of(results[1])[i] == ((a[i] || b[i]) && m[i]));
    CHECK(bits_of(results[2])[i] == (a[i] != b[i] && m[i]));
    CHECK(bits_of(results[3])[i] == (!a[i] && m[i]));
    CHECK(bits_of(results[4])[i] == (m[i] ? a[i] : b[i]));
    CHECK(bits_of(results[5])[i] == (a[i] && m[i]));
  }
  CHECK(bits_of(results[6]) == a);
  for (int i : {0, 1, 2, 3}) CHECK(bits_of(results[7 + i]) == bits_of(results[i]));
  CHECK(bits_of(results[11]) == bits_of(results[4]));
}

template <class T>
void check_interleave() {
  const Bits a = random_bits(4), b = random_bits(5);
  MaskReg first = mask_of(a), second = mask_of(b), low, high, even, odd;
  Interleave<T>(low, high, first, second);
  const std::size_t bytes = sizeof(T), n = 256 / bytes;
  Bits expected;
  for (std::size_t i = 0; i < 2 * n; ++i) {
    for (std::size_t k = 0; k < bytes; ++k) {
      expected.push_back((i % 2 == 0 ? a : b)[i / 2 * bytes + k]);
    }
  }
  CHECK(bits_of(low) == Bits(expected.begin(), expected.begin() + 256));
  CHECK(bits_of(high) == Bits(expected.begin() + 256, expected.end()));
  DeInterleave<T>(even, odd, low, high);
  CHECK(bits_of(even) == a);
  CHECK(bits_of(odd) == b);
}
TEST_CASE("registers: masks interleave by lanes, and back", "[registers][masks]") {
  check_interleave<std::uint8_t>();
  check_interleave<std::uint16_t>();
  check_interleave<std::uint32_t>();
}

TEST_CASE("registers: Pack keeps every second bit, UnPack puts zeros between",
          "[registers][masks]") {
  const Bits a = random_bits(6);
  MaskReg mask = mask_of(a), low, high, first, second;
  Pack(low, mask);
  Pack<HighLowPart::HIGHEST>(high, mask);
  UnPack(first, mask);
  UnPack<HighLowPart::HIGHEST>(second, mask);
  for (std::size_t i = 0; i < 128; ++i) {
    CHECK(bits_of(low)[i] == a[2 * i]);
    CHECK(!bits_of(low)[128 + i]);
    CHECK(bits_of(high)[128 + i] == a[2 * i]);
    CHECK(!bits_of(high)[i]);
    CHECK(bits_of(first)[2 * i] == a[i]);
    CHECK(bits_of(second)[2 * i] == a[128 + i]);
    CHECK(!bits_of(first)[2 * i + 1]);
  }
}

TEST_CASE("registers: MaskGenWithRegTensor spreads a bit over each lane", "[registers][masks]") {
  RegTensor<half> halves;
  RegTensor<float> floats;
  std::mt19937 random(8);
  for (std::size_t i = 0; i < 256; ++i) {
    halves.aclsim_bytes[i] = floats.aclsim_bytes[i] = static_cast<std::uint8_t>(random());
  }
  MaskReg mask;
  MaskGenWithRegTensor<half, 3>(mask, halves);
  for (std::size_t i = 0; i < 256; ++i) {
    CHECK(bits_of(mask)[i] == ((halves.aclsim_bytes[48 + i / 16] >> i / 2 % 8 & 1) != 0));
  }
  MaskGenWithRegTensor<float, 31>(mask, floats);
  for (std::size_t i = 0; i < 256; ++i) {
    CHECK(bits_of(mask)[i] == ((floats.aclsim_bytes[248 + i / 32] >> i / 4 % 8 & 1) != 0));
  }
}

TEST_CASE("registers: masks move to memory whole, thinned, or doubled", "[registers][masks]") {
  Bytes given(768);
  std::mt19937 random(9);
  for (std::size_t i = 0; i < 64; ++i) given[i] = static_cast<std::uint8_t>(random());
  const Bytes all = run(given, [](std::uint8_t* buffer) {
    MaskReg mask;
    __ubuf__ std::uint8_t* from = at<std::uint8_t>(buffer, 0);
    __ubuf__ std::uint8_t* to = at<std::uint8_t>(buffer, 1);
    LoadAlign(mask, from);
    StoreAlign(to, mask);
    StoreAlign<std::uint8_t, MaskDist::DIST_PACK>(to + 32, mask);
    LoadAlign<std::uint8_t, MaskDist::DIST_US>(mask, from);
    StoreAlign(to + 64, mask);
    LoadAlign<std::uint8_t, MaskDist::DIST_DS>(mask, from);
    StoreAlign(to + 96, mask);
    LoadAlign<std::uint8_t, PostLiteral::POST_MODE_UPDATE>(mask, from, 32);
    CHECK(from == at<std::uint8_t>(buffer, 0) + 32);
    UnalignRegForStore stores;
    __ubuf__ half* halves = at<half>(buffer, 2);
    StoreUnAlign(halves, mask, stores);
    CHECK(halves == at<half>(buffer, 2) + 8);
    StoreUnAlign(halves, mask, stores);
    StoreUnAlignPost(halves, stores, 0);
  });
  const auto bit = [&all](std::size_t byte, std::size_t i) {
    return (all[byte + i / 8] >> i % 8 & 1) != 0;
  };
  for (std::size_t i = 0; i < 256; ++i) {
    CHECK(bit(256, i) == bit(0, i));
    CHECK(bit(320, i) == bit(0, i / 2));
    CHECK(bit(352, i) == bit(0, i * 2));
  }
  for (std::size_t i = 0; i < 128; ++i) {
    CHECK(bit(288, i) == bit(0, i * 2));
    CHECK(bit(512, i) == bit(0, i * 2));
    CHECK(bit(528, i) == bit(0, i * 2));
  }
}

TEST_CASE("registers: MoveMask reads the mask that SetVectorMask has set", "[registers][masks]") {
  run(
      Bytes(256),
      [](std::uint8_t*) {
        const MaskReg halves = MoveMask<half>();
        const MaskReg floats = MoveMask<float>();
        for (std::size_t i = 0; i < 256; ++i) {
          CHECK(bits_of(halves)[i] ==
                ((i < 128 ? 0xf0f0ULL >> i / 2 : 0x5ULL >> (i / 2 - 64)) % 2 != 0));
          CHECK(bits_of(floats)[i] == ((0xf0f0ULL >> i / 4) % 2 != 0));
        }
      },
      [] { SetVectorMask<half, MaskMode::NORMAL>(0x5, 0xf0f0); });
}

}  // namespace
}  // namespace registers_test::masks_tests
