// SPDX-License-Identifier: Apache-2.0
// Tiling data from the host's classes to the kernel's structures, tiling keys, and the host's
// queries about the chip.
#include <cstring>
#include <vector>

#include "acl/acl_sim.h"
#include "ascendc/kernel_operator.h"
#include "register/tilingdata_base.h"
#include "tests/ascendc/rows.h"
#include "tests/support/catch.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(PartTiling)
TILING_DATA_FIELD_DEF(uint8_t, kind);
TILING_DATA_FIELD_DEF(uint64_t, length);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(PartTilingOp, PartTiling)

BEGIN_TILING_DATA_DEF(WholeTiling)
TILING_DATA_FIELD_DEF(uint16_t, tiles);
TILING_DATA_FIELD_DEF_ARR(int32_t, 3, sizes);
TILING_DATA_FIELD_DEF_STRUCT(PartTiling, part);
TILING_DATA_FIELD_DEF(float, scale);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(WholeTilingOp, WholeTiling)
}  // namespace optiling

namespace {

using namespace AscendC;

// As the kernel declares it: a compiler lays it out.
struct Part {
  uint8_t kind;
  uint64_t length;
};
struct Whole {
  uint16_t tiles;
  int32_t sizes[3];
  Part part;
  float scale;
};

optiling::WholeTiling filled() {
  optiling::WholeTiling tiling;
  const int32_t sizes[] = {-1, 20, 300};
  tiling.set_tiles(7);
  tiling.set_sizes(sizes);
  tiling.part.set_kind(200);
  tiling.part.set_length(uint64_t{1} << 40);
  tiling.set_scale(0.5F);
  return tiling;
}

void reads_tiling(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  auto* const tiling = x + 2048;
  REGISTER_TILING_DEFAULT(Whole);
  GET_TILING_DATA(whole, tiling);
  GET_TILING_DATA_WITH_STRUCT(Whole, named, tiling);
  GET_TILING_DATA_MEMBER(Whole, part, part, tiling);
  GET_TILING_DATA_MEMBER(Whole, sizes, sizes, tiling);
  GET_TILING_DATA_PTR_WITH_STRUCT(Whole, there, tiling);
  out[0] = whole.tiles;
  out[1] = named.sizes[2];
  out[2] = part.kind;
  out[3] = static_cast<int32_t>(part.length >> 32);
  out[4] = sizes[0];
  out[5] = there->scale == 0.5F;
  whole.tiles = 8;  // a copy: the original stays unchanged
  out[6] = there->tiles;
}

void by_key(GM_ADDR x) {
  REGISTER_NONE_TILING;
  REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR == 3", Whole);
  auto* out = reinterpret_cast<int32_t*>(x);
  const auto branch = [] {
    if (TILING_KEY_IS(1)) return 1;
    if (TILING_KEY_LIST(3, 10000000000001)) return 2;
    return 3;
  };
  const uint64_t keys[] = {0, 1, 3, 10000000000001, uint64_t{1} << 32 | 1};
  for (uint64_t key : keys) {
    aclsimThisCore()->tiling_key = key;
    *out++ = branch();
  }
}

}  // namespace

TEST_CASE("a kernel reads the tiling data that a class of the host wrote", "[tiling]") {
  const optiling::WholeTiling tiling = filled();
  REQUIRE(tiling.GetDataSize() == sizeof(Whole));
  std::vector<int32_t> words(1024, 0);
  tiling.SaveToBuffer(words.data() + 512, sizeof(Whole));
  Device device;
  const auto memory = device.memory(words);
  Said said;
  CHECK(launch("reads_tiling", reads_tiling, 1, reinterpret_cast<GM_ADDR>(memory.data())) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(said.text() == "");
  words = memory.host();
  words.resize(7);
  CHECK(words == std::vector<int32_t>{7, 300, 200, 256, -1, 1, 7});
}

TEST_CASE("fields of tiling data lie as those of a structure do", "[tiling]") {
  optiling::WholeTiling tiling = filled();
  Whole whole;
  std::memset(&whole, 0xff, sizeof whole);
  tiling.SaveToBuffer(&whole, sizeof whole);
  CHECK(whole.tiles == 7);
  CHECK(whole.sizes[0] == -1);
  CHECK(whole.sizes[1] == 20);
  CHECK(whole.part.kind == 200);
  CHECK(whole.part.length == uint64_t{1} << 40);
  CHECK(whole.scale == 0.5F);
  CHECK(tiling.get_sizes()[2] == 300);
  CHECK(tiling.part.get_length() == uint64_t{1} << 40);
  CHECK(tiling.get_scale() == 0.5F);
}

TEST_CASE("a copy of tiling data has fields of its own, also those of inner structures",
          "[tiling]") {
  optiling::WholeTiling one = filled();
  optiling::WholeTiling other = one;
  other.part.set_kind(1);
  other.set_tiles(9);
  Whole whole{};
  one.SaveToBuffer(&whole, sizeof whole);
  CHECK(whole.part.kind == 200);
  CHECK(whole.tiles == 7);
  other.SaveToBuffer(&whole, sizeof whole);
  CHECK(whole.part.kind == 1);
  CHECK(whole.tiles == 9);
}

TEST_CASE("tiling data is not written into a buffer that is too small", "[tiling]") {
  char bytes[sizeof(Whole)] = {};
  filled().SaveToBuffer(bytes, sizeof bytes - 1);
  for (const char byte : bytes) REQUIRE(byte == 0);
}

TEST_CASE("TILING_KEY_IS and TILING_KEY_LIST compare all 64 bits of the key", "[tiling]") {
  CHECK(first_words<by_key>(5) == std::vector<int32_t>{3, 1, 2, 2, 3});
}

TEST_CASE("PlatformAscendC tells the cores and memories of the emulated chip", "[tiling]") {
  Device device;
  aclsimMachine machine{};
  machine.size = sizeof machine;
  REQUIRE(aclsimGetMachine(&machine) == 0);
  const platform_ascendc::PlatformAscendC chip(static_cast<fe::PlatFormInfos*>(nullptr));
  CHECK(chip.GetCoreNum() == machine.aiCores);
  CHECK(chip.GetCoreNumAic() == machine.aiCores);
  CHECK(chip.GetCoreNumAiv() == machine.vectorCores);
  CHECK(chip.GetSocVersion() == platform_ascendc::SocVersion::ASCEND910B);
  CHECK(chip.GetLibApiWorkSpaceSize() == RESERVED_WORKSPACE);
  using Type = platform_ascendc::CoreMemType;
  const std::vector<std::pair<Type, uint64_t>> sizes = {
      {Type::L0_A, 65536}, {Type::L0_B, 65536}, {Type::L0_C, 131072}, {Type::L1, 524032},
      {Type::UB, 196608},  {Type::BT, 1024},    {Type::FB, 2048}};
  for (const auto& [type, expected] : sizes) {
    uint64_t size = 0;
    chip.GetCoreMemSize(type, size);
    CHECK(size == expected);
  }
}

TEST_CASE("CalcTschNumBlocks counts groups of a cube core and its vector cores", "[tiling]") {
  const platform_ascendc::PlatformAscendC chip("Ascend910B1");
  CHECK(chip.CalcTschNumBlocks(40, 20, 40) == 20);
  CHECK(chip.CalcTschNumBlocks(41, 20, 40) == 21);
  CHECK(chip.CalcTschNumBlocks(5, 20, 20) == 5);
  CHECK(chip.CalcTschNumBlocks(5, 0, 40) == 5);  // no cube cores: all are vector cores
  CHECK(chip.CalcTschNumBlocks(5, 40, 20) == 5);
}
