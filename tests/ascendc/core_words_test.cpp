// SPDX-License-Identifier: Apache-2.0
// The state of its core that a kernel reads and sets: registers, workspaces, caches, fillers, and
// the intrinsic forms.
#include <cmath>
#include <string>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/rows.h"
#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace AscendC;

void asks(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  uint32_t version = 0;
  GetArchVersion(version);
  out[0] = static_cast<int32_t>(version);
  const int64_t here = GetProgramCounter();
  const int64_t there = GetProgramCounter();
  out[1] = here != 0 && here != there;
  out[2] = static_cast<int32_t>(GetTaskRation());
  out[3] = static_cast<int32_t>(GetUBSizeInBytes() + GetRuntimeUBSize() + GetVecLen());
  ClearSpr<SpecialPurposeReg::AR>();
  out[4] = static_cast<int32_t>(GetSpr<SpecialPurposeReg::AR>());
  out[5] = static_cast<int32_t>(GetICachePreloadStatus());
}

void core_types(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  if (g_coreType == AscendC::AIC) out[0] = ASCEND_IS_AIC ? 7 : 0;
  if (g_coreType == AscendC::AIV) out[1 + GetBlockIdx()] = ASCEND_IS_AIV ? 8 : 0;
}

constexpr SyncAllConfig kFromStoresToLoads = {PIPE_MTE3, PIPE_MTE2};

// Each block adds its number to the values that all blocks wrote before a barrier.
template <bool through_workspace>
void meets(GM_ADDR x) {
  InitSocState();
  GlobalTensor<int32_t> all = words(x, 16);
  const GlobalTensor<int32_t> workspace = words(x)[512];
  LocalTensor<int32_t> t(TPosition::VECCALC, 0, 64);
  const uint32_t block = static_cast<uint32_t>(GetBlockIdx());
  all.SetValue(block, static_cast<int32_t>(block) + 1);
  if (through_workspace) {
    SyncAll(workspace, t, static_cast<int32_t>(GetBlockNum()));
  } else {
    SyncAll<true, kFromStoresToLoads>();
  }
  int32_t sum = 0;
  for (uint32_t i = 0; i < 4; ++i) sum += all.GetValue(i);
  all.SetValue(8 + block, sum);
}

std::string file_to_write;
void written_to_file(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  LocalTensor<int32_t> t(TPosition::VECCALC, 0, 8), later;
  for (uint32_t i = 0; i < 8; ++i) t.SetValue(i, static_cast<int32_t>(i) * 3);
  TBuffAddr address;
  address.dataLen = 16;
  address.bufferAddr = 16;
  address.logicPos = static_cast<uint8_t>(TPosition::VECCALC);
  address.absAddr = reinterpret_cast<uint8_t*>(static_cast<uint64_t>(t.GetPhyAddr(4)));
  later.SetAddr(address);
  out[0] = static_cast<int32_t>(later.GetSize());
  out[1] = later.GetValue(1);
  out[2] = later.ToFile(file_to_write);
  out[3] = later.ToFile("/nowhere/tensor.bin");
}

void workspaces(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  SetSysWorkSpacePtr(x + 64);
  out[0] = GetSysWorkSpacePtr() == x + 64;
  SetSysWorkspace(x + 128);
  out[1] = GetSysWorkSpacePtr() == x + 128;
  out[2] = SetDumpWorkSpacePtr(x + 256) == x + 256;
  out[3] = GetDumpWorkSpacePtr() == x + 256;
}

// Hints and counters: what was written stays as it is.
void hints(GM_ADDR x) {
  GlobalTensor<int32_t> all = words(x);
  GlobalTensor<uint64_t> wide;
  wide.SetGlobalBuffer(reinterpret_cast<__gm__ uint64_t*>(x), 512);
  LocalTensor<int32_t> t(TPosition::VECCALC, 0, 8);
  SetSyncBaseAddr(0x1000);
  MetricsProfStart();
  all.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
  all.SetL2CacheHint<CacheRwMode::READ>(CacheMode::CACHE_MODE_NORMAL);
  all.SetValue(0, 11);
  DataSyncBarrier<MemDsbT::ALL>();
  DataSyncBarrier<MemDsbT::DDR>();
  DataCachePreload(wide, int16_t{8});
  DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(all);
  DataCacheCleanAndInvalid<int32_t, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_UB>(t);
  DataCacheCleanAndInvalid<int32_t, CacheLine::ENTIRE_DATA_CACHE>(all);
  ICachePreLoad(2);
  Nop();
  Nop<8>();
  MetricsProfStop();
  all.SetValue(1, all.GetValue(0) + 1);
}

// One float that no half can hold, and one int32 past the largest.
template <bool through_register>
void saturated(GM_ADDR x) {
  auto* out = reinterpret_cast<int32_t*>(x);
  LocalTensor<half> h(TPosition::VECCALC, 0, 16);
  LocalTensor<int32_t> w(TPosition::VECCALC, 64, 8);
  for (int on = 0; on < 2; ++on) {
    if (through_register) {
      if (on) AscendCUtils::SetOverflow(0);
      if (!on) AscendCUtils::SetOverflow(1);
      if (on) SetCtrlSpr<53, 53>(1);
      if (!on) SetCtrlSpr<53, 53>(0);
    } else {
      SetSaturationFlag<SaturationMode::FLOAT>(on != 0);
      SetSaturationFlag<SaturationMode::INT>(on != 0);
    }
    Duplicate(h, half(60000.0F), 16);
    Add(h, h, h, 16);
    Duplicate(w, INT32_MAX, 8);
    Adds(w, w, 1, 8);
    PipeBarrier<PIPE_ALL>();
    *out++ = std::isinf(static_cast<float>(h.GetValue(3)));
    *out++ = w.GetValue(3) == INT32_MAX;
    *out++ = GetSaturationFlag<SaturationMode::FLOAT>();
    *out++ = GetSaturationFlag<SaturationMode::INT>();
    PipeBarrier<PIPE_ALL>();
  }
}

void strategies(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  out[0] = static_cast<int32_t>(GetSaturationStrategy());
  SetSaturationStrategy<OverrideStrategy::USE_GLOBAL>();
  out[1] = static_cast<int32_t>(GetSaturationStrategy());
  SetSaturationStrategy<OverrideStrategy::USE_API>();
  out[2] = static_cast<int32_t>(GetSaturationStrategy());
  SetSaturationFlag<SaturationMode::CAST>(true);
  out[3] =
      GetSaturationFlag<SaturationMode::CAST>() * 2 + GetSaturationFlag<SaturationMode::FLOAT8>();
}

template <uint32_t count>
void fills(GM_ADDR x) {
  InitOutput(words(x), count, 9);
}
void fills_twice(GM_ADDR x) {
  GlobalTensor<half> halves;
  halves.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(x), 2048);
  InitOutput<half>(halves, 2048, half(1.0F));
  InitOutput<half>(halves[2], 3);
}

void padded_with_value(GM_ADDR x) {
  LocalTensor<int32_t> t(TPosition::VECCALC, 0, 16);
  SetPadValue<int32_t>(-5);
  DataCopyPad(t, words(x)[100], DataCopyExtParams(2, 12, 0, 0, 0), DataCopyPadExtParams<int32_t>());
  PipeBarrier<PIPE_ALL>();
  DataCopy(words(x), t, 16);
}

void intrinsics(GM_ADDR x) {
  LocalTensor<int32_t> t(TPosition::VECCALC, 0, 8);
  Duplicate(t, 4, 8);
  pipe_barrier(PIPE_V);
  Adds(t, t, 1, 8);
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID2);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID2);
  DataCopy(words(x), t, 8);
  pipe_barrier(PIPE_ALL);
  Duplicate(t, 6, 8);
  TQueSync<PIPE_V, PIPE_MTE3> between;
  between.SetFlag(3);
  between.WaitFlag(3);
  DataCopy(words(x)[8], t, 8);
}
void no_such_flag(GM_ADDR) { set_flag(PIPE_S, PIPE_S, EVENT_ID0); }

void dumps(GM_ADDR x) {
  LocalTensor<int32_t> t(TPosition::VECCALC, 0, 8);
  CreateVecIndex(t, 10, 8);
  PipeBarrier<PIPE_ALL>();
  DumpAccChkPoint(t, 21, 3, 2);
  DataCopy(words(x), t, 8);
  PipeBarrier<PIPE_ALL>();
  DumpAccChkPoint(words(x), 22, 7, 1);
  DumpAccChkPoint(t, 23, 6, 32);  // two are left
}

}  // namespace

TEST_CASE("a kernel asks its core for versions, places and registers", "[words]") {
  CHECK(first_words<asks>(6) == std::vector<int32_t>{2201, 1, 1, 0, 0, 0});
}

TEST_CASE("g_coreType tells the cube core of a group from its vector cores", "[words]") {
  Device device;
  const auto memory = device.memory(std::vector<int32_t>(8, 0));
  CHECK(KernelOf<&core_types>::enqueue("core_types", ACLSIM_CORES_MIX_1_2, 1, nullptr,
                                       reinterpret_cast<GM_ADDR>(memory.data())) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(memory.host() == std::vector<int32_t>{7, 8, 8, 0, 0, 0, 0, 0});
}

TEST_CASE("after SyncAll each block sees what the others wrote before it", "[words]") {
  for (const auto& x : {run<meets<false>>(4), run<meets<true>>(4)}) {
    CHECK(std::vector<int32_t>(x.begin() + 8, x.begin() + 12) == std::vector<int32_t>(4, 10));
  }
}

TEST_CASE("ToFile writes the bytes of a tensor, and says where it cannot", "[words]") {
  const support::TempDir folder;
  file_to_write = (folder.path() / "tensor.bin").string();
  CHECK(first_words<written_to_file>(4) == std::vector<int32_t>{4, 15, 0, -1});
  const std::string bytes = folder.read("tensor.bin");
  REQUIRE(bytes.size() == 16);
  CHECK(std::vector<char>{bytes[0], bytes[4], bytes[8], bytes[12], bytes[15]} ==
        std::vector<char>{12, 15, 18, 21, 0});
}

TEST_CASE("numbers are divided upwards and become bfloat16_t to nearest", "[words]") {
  CHECK(DivCeil(7, 2) == 4);
  CHECK(DivCeil(6, 2) == 3);
  CHECK(DivCeil(0, 2) == 0);
  constexpr int64_t kLarge = int64_t{1} << 40;
  CHECK(DivCeil(kLarge + 1, 2) == kLarge / 2 + 1);
  CHECK(AlignUp(33U, 32) == 64);
  CHECK(AlignUp(kLarge, 3) == kLarge + 2);
  CHECK(AlignUp(5, 0) == 0);
  CHECK(Ceil(7, 2) == 4);
  CHECK(Ceil(0U, 16) == 0);
  CHECK(Ceil(5, 0) == 0);
  CHECK(Ceil(kLarge + 1, 2U) == kLarge / 2 + 1);
  CHECK(static_cast<float>(ToBfloat16(1.0F + 1.0F / 256)) == 1.0F);  // a tie: to even
  CHECK(static_cast<float>(ToBfloat16(1.0F + 3.0F / 256)) == 1.0F + 4.0F / 256);
  CHECK(std::isnan(ToFloat(ToBfloat16(std::nanf("")))));
  CHECK(ToFloat(Cast(-2.5F)) == -2.5F);
}

TEST_CASE("a workspace is the one that was set last", "[words]") {
  CHECK(first_words<workspaces>(4) == std::vector<int32_t>(4, 1));
}

TEST_CASE("hints to caches and counters change no value", "[words]") {
  CHECK(first_words<hints>(2) == std::vector<int32_t>{11, 12});
}

TEST_CASE("saturation follows the flag, and the flag the control register", "[words]") {
  const std::vector<int32_t> expected{1, 0, 0, 0, 0, 1, 1, 1};
  CHECK(first_words<saturated<false>>(8) == expected);
  CHECK(first_words<saturated<true>>(8) == expected);
}

TEST_CASE("the other modes and the strategy of saturation are kept", "[words]") {
  CHECK(first_words<strategies>(4) == std::vector<int32_t>{0, 1, 0, 2});
}

TEST_CASE("InitOutput fills as many elements as it is told, and none beside them", "[words]") {
  const auto filled = [](uint32_t count) {
    std::vector<int32_t> all(1024, 0);
    std::fill(all.begin(), all.begin() + count, 9);
    return all;
  };
  CHECK((run<fills<0>>() == filled(0)));
  CHECK((run<fills<1>>() == filled(1)));
  CHECK((run<fills<1023>>() == filled(1023)));
  CHECK((run<fills<1024>>() == filled(1024)));
  const std::vector<int32_t> halves = run<fills_twice>();
  CHECK(halves[0] == 0x3c003c00);
  CHECK(halves[1] == 0);
  CHECK(halves[2] == 0x3c000000);
  CHECK(halves[1023] == 0x3c003c00);
}

TEST_CASE("copies that pad without a value of their own take that of SetPadValue", "[words]") {
  Device device;
  std::vector<int32_t> values(1024, 0);
  for (int32_t i = 0; i < 6; ++i) values[static_cast<std::size_t>(100 + i)] = i + 1;
  const auto memory = device.memory(values);
  CHECK(launch("padded", padded_with_value, 1, reinterpret_cast<GM_ADDR>(memory.data())) == 0);
  CHECK(device.synchronize() == 0);
  values = memory.host();
  values.resize(16);
  CHECK(values == std::vector<int32_t>{1, 2, 3, -5, -5, -5, -5, -5, 4, 5, 6, -5, -5, -5, -5, -5});
}

TEST_CASE("the intrinsic forms of flags and barriers order the pipes, too", "[words]") {
  const std::vector<int32_t> x = run<intrinsics>();
  CHECK(x[7] == 5);
  CHECK(x[8] == 6);
  CHECK(contains(refused<no_such_flag>(), "SetFlag: event 37 is unknown"));
}

TEST_CASE("DumpAccChkPoint shows values from an offset on, with its index", "[words]") {
  Device device;
  const auto memory = device.memory(std::vector<int32_t>(1024, 0));
  Said output(STDOUT_FILENO);
  CHECK(launch("dumps", dumps, 1, reinterpret_cast<GM_ADDR>(memory.data())) == 0);
  CHECK(device.synchronize() == 0);
  const std::string text = output.text();
  CAPTURE(text);
  CHECK(contains(text, "desc=21"));
  CHECK(contains(text, "[13, 14]\n"));
  CHECK(contains(text, "desc=22"));
  CHECK(contains(text, "position=GM, dump_size=1\n[17]\n"));
  CHECK(contains(text, "dump_size=2\n[16, 17]\n"));
}

TEST_CASE("the magic number and shift of a divisor divide each number as / does", "[words]") {
  const auto divided = [](auto number, auto divisor) {
    using T = decltype(number);
    T magic = 0, shift = 0;
    GetUintDivMagicAndShift(magic, shift, divisor);
    __extension__ typedef unsigned __int128 Wide;
    const Wide high = Wide{magic} * number >> (sizeof(T) * 8);
    return static_cast<T>((high + number) >> shift);
  };
  const auto check = [&](auto one) {
    using T = decltype(one);
    const T most = static_cast<T>(~T{0});
    std::vector<T> values = {
        0, 1, 2, 3, 5, 7, 10, 641, most, most - 1, most / 2, most / 2 + 1, most / 3};
    for (unsigned bit = 2; bit < sizeof(T) * 8; bit += 5) {
      values.insert(values.end(), {T{1} << bit, (T{1} << bit) - 1, (T{1} << bit) + 1});
    }
    for (const T divisor : values) {
      for (const T number : values) {
        if (divisor != 0 && divided(number, divisor) != number / divisor) {
          FAIL(number << " / " << divisor << " is not " << divided(number, divisor));
        }
      }
    }
  };
  check(uint32_t{1});
  check(uint64_t{1});
}

namespace {

/// Each step of the vector unit uses what the one before it has written.
template <bool is_flagged>
void steps_of_one_unit(GM_ADDR x) {
  const LocalTensor<int32_t> t(TPosition::VECCALC, 0, 64), u(TPosition::VECCALC, 1024, 64);
  CreateVecIndex(t, 3, 64);
  PipeBarrier<PIPE_V>();
  Muls(u, t, 5, 64);
  PipeBarrier<PIPE_V>();
  Add(t, u, t, 64);
  PipeBarrier<PIPE_V>();
  Adds(u, t, -1, 64);
  PipeBarrier<PIPE_V>();
  if (is_flagged) {
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  }
  DataCopy(words(x), u, 64);
}

}  // namespace

TEST_CASE(
    "PipeBarrier of the vector unit leaves its steps in their order, and orders no copy behind "
    "them",
    "[words]") {
  const std::vector<int32_t> found = first_words<steps_of_one_unit<true>>(65);
  for (std::size_t i = 0; i < 64; ++i) {
    const auto index = static_cast<int32_t>(i) + 3;
    CHECK(found[i] == index * 5 + index - 1);
  }
  CHECK(found[64] == 0);
  Device device;
  const auto memory = device.memory<int32_t>(64);
  Said said;
  CHECK(launch("unordered", steps_of_one_unit<false>, 1,
               reinterpret_cast<GM_ADDR>(memory.data())) == 0);
  CHECK(device.synchronize() == 0);
  const std::string text = said.text();
  CHECK(contains(text, "[pipe-race]"));
  CHECK(contains(text, "SetFlag<HardEvent::V_MTE3>"));
}
