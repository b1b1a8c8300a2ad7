// SPDX-License-Identifier: Apache-2.0
// Loads and stores: every distribution, addresses that a call advances, blocks apart, addresses
// without alignment, and indices.
#include <numeric>

#include "tests/ascendc_registers/bench.h"

namespace registers_test::moves_tests {
namespace {

using namespace AscendC::Reg;

/// Bytes 0, 1, 2 ... of 2048, so that each byte shows where it comes from (modulo 251).
Bytes counted(std::size_t bytes) {
  Bytes all(bytes);
  for (std::size_t i = 0; i < bytes; ++i) all[i] = static_cast<std::uint8_t>(i % 251);
  return all;
}
Bytes part(const Bytes& bytes, std::size_t from, std::size_t count) {
  return {bytes.begin() + static_cast<std::ptrdiff_t>(from),
          bytes.begin() + static_cast<std::ptrdiff_t>(from + count)};
}

/// byte(i): the source of byte i of the register; -1: 0.
template <class T, LoadDist dist>
void check_load(const std::function<int(int)>& byte) {
  const Bytes given = joined({counted(512), Bytes(256)});
  const Bytes all = run(given, [](std::uint8_t* buffer) {
    RegTensor<T> value;
    MaskReg full = CreateMask<T>();
    LoadAlign<T, dist>(value, at<T>(buffer, 0));
    StoreAlign(at<T>(buffer, 2), value, full);
  });
  Bytes expected(256);
  for (int i = 0; i < 256; ++i) {
    const int from = byte(i);
    expected[static_cast<std::size_t>(i)] = from < 0 ? 0 : given[static_cast<std::size_t>(from)];
  }
  CHECK(part(all, 512, 256) == expected);
}

TEST_CASE("registers: each distribution of a load takes the documented bytes",
          "[registers][moves]") {
  check_load<float, LoadDist::DIST_NORM>([](int i) { return i; });
  check_load<std::int64_t, LoadDist::DIST_NORM>([](int i) { return i; });
  check_load<std::uint8_t, LoadDist::DIST_BRC_B8>([](int) { return 0; });
  check_load<half, LoadDist::DIST_BRC_B16>([](int i) { return i % 2; });
  check_load<float, LoadDist::DIST_BRC_B32>([](int i) { return i % 4; });
  check_load<std::uint8_t, LoadDist::DIST_US_B8>([](int i) { return i / 2; });
  check_load<half, LoadDist::DIST_US_B16>([](int i) { return i / 4 * 2 + i % 2; });
  check_load<std::uint8_t, LoadDist::DIST_DS_B8>([](int i) { return i * 2; });
  check_load<half, LoadDist::DIST_DS_B16>([](int i) { return i / 2 * 4 + i % 2; });
  check_load<std::uint8_t, LoadDist::DIST_UNPACK_B8>([](int i) { return i % 2 ? -1 : i / 2; });
  check_load<std::uint16_t, LoadDist::DIST_UNPACK_B16>(
      [](int i) { return i % 4 >= 2 ? -1 : i / 4 * 2 + i % 4; });
  check_load<std::uint32_t, LoadDist::DIST_UNPACK_B32>(
      [](int i) { return i % 8 >= 4 ? -1 : i / 8 * 4 + i % 8; });
  check_load<std::uint8_t, LoadDist::DIST_UNPACK4_B8>([](int i) { return i % 4 ? -1 : i / 4; });
  check_load<float, LoadDist::DIST_BLK>([](int i) { return i % 32; });
  check_load<half, LoadDist::DIST_E2B_B16>([](int i) { return i / 32 * 2 + i % 2; });
  check_load<float, LoadDist::DIST_E2B_B32>([](int i) { return i / 32 * 4 + i % 4; });
}

template <class T, LoadDist load, StoreDist store>
void check_dual() {
  const Bytes given = joined({counted(512), Bytes(512 + 512)});
  const Bytes all = run(given, [](std::uint8_t* buffer) {
    RegTensor<T> even, odd;
    MaskReg full = CreateMask<T>();
    LoadAlign<T, load>(even, odd, at<T>(buffer, 0));
    StoreAlign(at<T>(buffer, 2), even, full);
    StoreAlign(at<T>(buffer, 3), odd, full);
    StoreAlign<T, store>(at<T>(buffer, 4), even, odd, full);
  });
  for (std::size_t i = 0; i < 512; ++i) {
    const std::size_t element = i / sizeof(T);
    const std::size_t to = (element % 2) * 256 + element / 2 * sizeof(T) + i % sizeof(T);
    CHECK(all[512 + to] == given[i]);
  }
  CHECK(part(all, 1024, 512) == part(given, 0, 512));
}
TEST_CASE("registers: a load of two registers separates even and odd elements, a store joins them",
          "[registers][moves]") {
  check_dual<std::uint8_t, LoadDist::DIST_DINTLV_B8, StoreDist::DIST_INTLV_B8>();
  check_dual<half, LoadDist::DIST_DINTLV_B16, StoreDist::DIST_INTLV_B16>();
  check_dual<float, LoadDist::DIST_DINTLV_B32, StoreDist::DIST_INTLV_B32>();
}

/// Each lane of `T` stores its low `kept` bytes if the mask has it.
template <class T, StoreDist dist>
void check_store(std::size_t kept) {
  const std::vector<Lanes> masks = some_lanes(256 / sizeof(T));
  for (const Lanes& lanes : masks) {
    const Bytes given = joined({counted(256), Bytes(256, 0xee)});
    const Bytes all = run(given, [&](std::uint8_t* buffer) {
      RegTensor<T> value;
      MaskReg mask = lanes.mask;
      LoadAlign(value, at<T>(buffer, 0));
      StoreAlign<T, dist>(at<T>(buffer, 1), value, mask);
    });
    Bytes expected(256, 0xee);
    for (std::size_t i = 0; i < lanes.on.size(); ++i) {
      for (std::size_t k = 0; lanes.on[i] && k < kept; ++k) {
        expected[i * kept + k] = given[i * sizeof(T) + k];
      }
    }
    CAPTURE(lanes.name);
    CHECK(part(all, 256, 256) == expected);
  }
}
TEST_CASE("registers: each distribution of a store writes the lanes of its mask and no other byte",
          "[registers][moves]") {
  check_store<std::uint8_t, StoreDist::DIST_NORM>(1);
  check_store<half, StoreDist::DIST_NORM>(2);
  check_store<float, StoreDist::DIST_NORM>(4);
  check_store<std::int64_t, StoreDist::DIST_NORM>(8);
  check_store<std::int8_t, StoreDist::DIST_NORM_B8>(1);
  check_store<std::int16_t, StoreDist::DIST_NORM_B16>(2);
  check_store<std::int32_t, StoreDist::DIST_NORM_B32>(4);
  check_store<std::uint16_t, StoreDist::DIST_PACK_B16>(1);
  check_store<float, StoreDist::DIST_PACK_B32>(2);
  check_store<std::int64_t, StoreDist::DIST_PACK_B64>(4);
  check_store<float, StoreDist::DIST_PACK4_B32>(1);
}
TEST_CASE("registers: a store of the first element ignores its mask", "[registers][moves]") {
  const Bytes given = joined({counted(256), Bytes(256, 0xee)});
  const Bytes all = run(given, [](std::uint8_t* buffer) {
    RegTensor<float> value;
    MaskReg none = CreateMask<float, MaskPattern::ALLF>();
    LoadAlign(value, at<float>(buffer, 0));
    StoreAlign<float, StoreDist::DIST_FIRST_ELEMENT_B32>(at<float>(buffer, 1) + 1, value, none);
  });
  Bytes expected(256, 0xee);
  std::copy_n(given.begin(), 4, expected.begin() + 4);
  CHECK(part(all, 256, 256) == expected);
}

TEST_CASE("registers: an updating load and store advance their address, others take an offset",
          "[registers][moves]") {
  const Bytes given = joined({counted(512), Bytes(1024)});
  const Bytes all = run(given, [](std::uint8_t* buffer) {
    RegTensor<float> value;
    MaskReg full = CreateMask<float>();
    __ubuf__ float* from = at<float>(buffer, 0);
    __ubuf__ float* to = at<float>(buffer, 2);
    for (int i = 0; i < 2; ++i) {
      LoadAlign<float, PostLiteral::POST_MODE_UPDATE>(value, from, 64);
      StoreAlign<float, PostLiteral::POST_MODE_UPDATE>(to, value, 64, full);
    }
    CHECK(from == at<float>(buffer, 2));
    CHECK(to == at<float>(buffer, 4));
    for (std::uint16_t i = 0; i < 2; ++i) {
      AddrReg offset = CreateAddrReg<float>(i, 64);
      LoadAlign(value, at<float>(buffer, 0), offset);
      StoreAlign(at<float>(buffer, 4), value, offset, full);
    }
  });
  CHECK(part(all, 512, 512) == part(given, 0, 512));
  CHECK(part(all, 1024, 512) == part(given, 0, 512));
}

TEST_CASE("registers: an address register adds the products of indices and strides",
          "[registers][moves]") {
  CHECK(CreateAddrReg<float>(3, 5).aclsim_offset == 15);
  CHECK(CreateAddrReg<float>(3, 5, 2, 7).aclsim_offset == 29);
  CHECK(CreateAddrReg<float>(3, 5, 2, 7, 1, 100).aclsim_offset == 129);
  CHECK(CreateAddrReg<float>(3, 5, 2, 7, 1, 100, 4, 1000).aclsim_offset == 4129);
}

TEST_CASE("registers: moves of blocks have a stride, and skip blocks without a lane",
          "[registers][moves]") {
  const Bytes given = joined({counted(512), Bytes(512, 0xee)});
  const Bytes all = run(given, [](std::uint8_t* buffer) {
    RegTensor<float> value;
    MaskReg mask = CreateMask<float, MaskPattern::VL32>();  // four blocks
    LoadAlign<float, DataCopyMode::DATA_BLOCK_COPY>(value, at<float>(buffer, 0), 2, mask);
    __ubuf__ float* to = at<float>(buffer, 2);
    StoreAlign<float, DataCopyMode::DATA_BLOCK_COPY, PostLiteral::POST_MODE_UPDATE>(to, value, 2, 8,
                                                                                    mask);
    CHECK(to == at<float>(buffer, 3));
  });
  Bytes expected(512, 0xee);
  for (std::size_t block = 0; block < 4; ++block) {
    std::copy_n(given.begin() + static_cast<std::ptrdiff_t>(block * 64), 32,
                expected.begin() + static_cast<std::ptrdiff_t>(block * 64));
  }
  CHECK(part(all, 512, 512) == expected);
}

TEST_CASE("registers: moves to any address keep the order of their bytes", "[registers][moves]") {
  const Bytes given = joined({counted(1024), Bytes(1024, 0xee)});
  const Bytes all = run(given, [](std::uint8_t* buffer) {
    RegTensor<float> value;
    UnalignRegForLoad loads;
    UnalignRegForStore stores;
    __ubuf__ float* from = at<float>(buffer, 0) + 3;
    __ubuf__ float* to = at<float>(buffer, 4) + 5;
    LoadUnAlignPre(loads, from);
    for (int i = 0; i < 3; ++i) {
      LoadUnAlign(value, loads, from, 50);
      StoreUnAlign(to, value, stores, 50);
    }
    StoreUnAlignPost(to, stores, 0);
  });
  Bytes expected(1024, 0xee);
  std::copy_n(given.begin() + 12, 600, expected.begin() + 20);
  CHECK(part(all, 1024, 1024) == expected);
}
TEST_CASE("registers: the end of an unaligned store reaches memory with its last call only",
          "[registers][moves]") {
  const Bytes all = run(joined({counted(256), Bytes(256, 0xee)}), [](std::uint8_t* buffer) {
    RegTensor<float> value;
    UnalignRegForStore stores;
    LoadAlign(value, at<float>(buffer, 0));
    __ubuf__ float* to = at<float>(buffer, 1);
    StoreUnAlign(to, value, stores, 10);
  });
  CHECK(part(all, 256, 32) == part(counted(256), 0, 32));
  CHECK(part(all, 288, 224) == Bytes(224, 0xee));
}
TEST_CASE("registers: Load and Store move a register or a part of it", "[registers][moves]") {
  const Bytes given = joined({counted(512), Bytes(512, 0xee)});
  const Bytes all = run(given, [](std::uint8_t* buffer) {
    RegTensor<half> value;
    Load(value, at<half>(buffer, 0) + 7);
    Store(at<half>(buffer, 2) + 1, value, 9);
    Store(at<half>(buffer, 2) + 11, value);
  });
  Bytes expected(512, 0xee);
  std::copy_n(given.begin() + 14, 18, expected.begin() + 2);
  std::copy_n(given.begin() + 14, 256, expected.begin() + 22);
  CHECK(part(all, 512, 512) == expected);
}

template <class T, class I>
void check_indexed() {
  constexpr std::size_t kLanes = 256 / sizeof(T);
  Bytes index(256);
  for (std::size_t i = 0; i < kLanes; ++i) {
    const I place = static_cast<I>((i * 7 + 3) % kLanes);  // a permutation
    std::memcpy(&index[i * sizeof(I)], &place, sizeof(I));
  }
  const Bytes given = joined({counted(256), index, Bytes(256, 0xee), Bytes(256, 0xee)});
  const std::vector<Lanes> masks = some_lanes(kLanes);
  for (const Lanes& lanes : masks) {
    const Bytes all = run(given, [&](std::uint8_t* buffer) {
      RegTensor<T> value, gathered;
      RegTensor<I> places;
      MaskReg mask = lanes.mask;
      MaskReg full = CreateMask<T>();
      LoadAlign(places, at<I>(buffer, 1));
      Gather(gathered, at<T>(buffer, 0), places, mask);
      StoreAlign(at<T>(buffer, 2), gathered, full);
      LoadAlign(value, at<T>(buffer, 0));
      Scatter(at<T>(buffer, 3), value, places, mask);
    });
    Bytes gathered(256), scattered(256, 0xee);
    for (std::size_t i = 0; i < kLanes; ++i) {
      const std::size_t place = (i * 7 + 3) % kLanes;
      for (std::size_t k = 0; lanes.on[i] && k < sizeof(T); ++k) {
        gathered[i * sizeof(T) + k] = given[place * sizeof(T) + k];
        scattered[place * sizeof(T) + k] = given[i * sizeof(T) + k];
      }
    }
    CAPTURE(lanes.name, sizeof(T));
    CHECK(part(all, 512, 256) == gathered);
    CHECK(part(all, 768, 256) == scattered);
  }
}
TEST_CASE("registers: Gather and Scatter move elements by their indices", "[registers][moves]") {
  check_indexed<half, std::uint16_t>();
  check_indexed<float, std::uint32_t>();
  check_indexed<std::int64_t, std::uint64_t>();
}
TEST_CASE("registers: Gather of bytes fills the upper halves with zeros", "[registers][moves]") {
  const Bytes given = joined({Bytes(256, 0xd8), Bytes(256), Bytes(256)});
  const Bytes all = run(given, [](std::uint8_t* buffer) {
    RegTensor<std::int16_t> gathered;
    RegTensor<std::uint16_t> places;
    MaskReg full = CreateMask<std::int16_t>();
    LoadAlign(places, at<std::uint16_t>(buffer, 1));
    Gather(gathered, at<std::int8_t>(buffer, 0), places, full);
    StoreAlign(at<std::int16_t>(buffer, 2), gathered, full);
  });
  for (std::size_t i = 0; i < 128; ++i) {
    CHECK(all[512 + 2 * i] == 0xd8);
    CHECK(all[512 + 2 * i + 1] == 0);
  }
}
TEST_CASE("registers: GatherB collects blocks by offsets in bytes", "[registers][moves]") {
  Bytes offsets(256);
  const std::uint32_t places[8] = {96, 0, 32, 480, 64, 64, 0, 128};
  std::memcpy(&offsets[0], places, sizeof places);
  const Bytes given = joined({counted(512), offsets, Bytes(256)});
  const Bytes all = run(given, [](std::uint8_t* buffer) {
    RegTensor<float> gathered;
    RegTensor<std::uint32_t> index;
    MaskReg mask = CreateMask<std::uint32_t, MaskPattern::VL4>();
    MaskReg full = CreateMask<float>();
    LoadAlign(index, at<std::uint32_t>(buffer, 2));
    GatherB(gathered, at<float>(buffer, 0), index, mask);
    StoreAlign(at<float>(buffer, 3), gathered, full);
  });
  Bytes expected(256);
  for (std::size_t block = 0; block < 4; ++block) {
    std::copy_n(given.begin() + places[block], 32,
                expected.begin() + static_cast<std::ptrdiff_t>(block * 32));
  }
  CHECK(part(all, 768, 256) == expected);
}

TEST_CASE("registers: the older names move the same bytes", "[registers][moves]") {
  const Bytes given = joined({counted(256), Bytes(256)});
  const Bytes all = run(given, [](std::uint8_t* buffer) {
    MicroAPI::RegTensor<float> value;
    MicroAPI::MaskReg full = MicroAPI::CreateMask<float>();
    MicroAPI::DataCopy(value, at<float>(buffer, 0));
    MicroAPI::DataCopy(at<float>(buffer, 1), value, full);
  });
  CHECK(part(all, 256, 256) == part(given, 0, 256));
}

TEST_CASE("registers: two registers of 64 bits hold 64 elements", "[registers][moves]") {
  const Bytes given = joined({counted(512), counted(512), Bytes(512)});
  const Bytes all = run(given, [](std::uint8_t* buffer) {
    RegTensor<std::int64_t, RegTraitNumTwo> a, b, sum;
    std::uint32_t count = 50;
    MaskReg mask = UpdateMask<std::int64_t, RegTraitNumTwo>(count);
    LoadAlign(a, at<std::int64_t>(buffer, 0));
    LoadAlign(b, at<std::int64_t>(buffer, 2));
    Add(sum, a, b, mask);
    StoreAlign(at<std::int64_t>(buffer, 4), sum, mask);
  });
  for (std::size_t i = 0; i < 64; ++i) {
    std::uint64_t a = 0, sum = 0;
    std::memcpy(&a, &given[i * 8], 8);
    std::memcpy(&sum, &all[1024 + i * 8], 8);
    CHECK(sum == (i < 50 ? 2 * a : 0));
  }
}

}  // namespace
}  // namespace registers_test::moves_tests
