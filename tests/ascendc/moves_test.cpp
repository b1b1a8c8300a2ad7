// SPDX-License-Identifier: Apache-2.0
// Copies in their forms, and the queues of the pipes under a seed.
#include <algorithm>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "runtime/ascendc/core/moves.h"
#include "runtime/ascendc/core/pipes.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/said.h"
#include "tests/support/catch.h"

namespace {

using namespace AscendC;

GlobalTensor<int16_t> global_of(GM_ADDR x) {
  GlobalTensor<int16_t> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<__gm__ int16_t*>(x), 256);
  return tensor;
}

__global__ __aicore__ void padded(GM_ADDR x, GM_ADDR y) {
  LocalTensor<int16_t> t(TPosition::VECCALC, 0, 32);
  // Two rows of 5 elements, 7 apart; 1 element before and 2 behind each.
  DataCopyPad(t, global_of(x), DataCopyExtParams(2, 10, 4, 0, 0),
              DataCopyPadExtParams<int16_t>(true, 1, 2, int16_t{-9}));
  SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  DataCopy(global_of(y), t, 32);
  DataCopyPad(global_of(y)[40], t[16], DataCopyExtParams(1, 6, 0, 0, 0));
}

__global__ __aicore__ void to_nz(GM_ADDR x, GM_ADDR y) {
  LocalTensor<int16_t> t(TPosition::VECCALC, 0, 64);
  DataCopy(t, global_of(x), Nd2NzParams(1, 2, 18, 0, 18, 2, 1, 0));
  SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  DataCopy(global_of(y), t, 64);
}

// Three rows of 18, which lie 32 apart, by way of a gap of 6 elements in the memory between.
template <class Params>
__global__ __aicore__ void padded_to_nz(GM_ADDR x, GM_ADDR y) {
  LocalTensor<int16_t> t(TPosition::VECCALC, 0, 128);
  LocalTensor<int16_t> l1(TPosition::TSCM, 0, 96);
  DataCopy(t, global_of(x), 96);
  SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  Params out;
  out.blockCount = 3;
  out.blockLen = 36;
  out.dstStride = 12;
  DataCopyPad(l1, t, out, Nd2NzParams(1, 3, 18, 0, 24, 3, 1, 0));
  PipeBarrier<PIPE_ALL>();
  DataCopy(global_of(y), l1, 96);
}

__global__ __aicore__ void padded_across(GM_ADDR x, GM_ADDR) {
  LocalTensor<int16_t> t(TPosition::VECCALC, 0, 64);
  DataCopy(t, global_of(x), 64);
  SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  DataCopyPad(LocalTensor<int16_t>(TPosition::TSCM, 0, 64), t, DataCopyParams(2, 32, 0, 0),
              Nd2NzParams(1, 4, 8, 0, 8, 4, 1, 0));
}

GlobalTensor<int4b_t> nibbles_of(GM_ADDR x) {
  GlobalTensor<int4b_t> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<__gm__ int4b_t*>(x), 1024);
  return tensor;
}

__global__ __aicore__ void nibbles(GM_ADDR x, GM_ADDR y) {
  LocalTensor<int4b_t> t(TPosition::VECCALC, 0, 64);
  DataCopy(t, nibbles_of(x)[64], 32);
  SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  DataCopy(nibbles_of(y), t, 64);
}

constexpr uint32_t kTurn = 8190;  // bytes: with each turn the address lies otherwise
constexpr uint32_t kTurns = 100;

__global__ __aicore__ void much(GM_ADDR y) {
  LocalTensor<int16_t> t(TPosition::VECCALC, 0, 4096);
  GlobalTensor<int16_t> out;
  out.SetGlobalBuffer(reinterpret_cast<__gm__ int16_t*>(y), kTurns * kTurn / 2);
  for (uint32_t turn = 0; turn < kTurns; ++turn) {
    CreateVecIndex(t, static_cast<int16_t>(turn), 4096);
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(out[turn * kTurn / 2], t, DataCopyExtParams(1, kTurn, 0, 0, 0));
    PipeBarrier<PIPE_ALL>();
  }
}

std::vector<int16_t> run(void (*kernel)(GM_ADDR, GM_ADDR)) {
  Device device;
  std::vector<int16_t> values(256);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int16_t>(i);
  const auto x = device.memory(values);
  const auto y = device.memory(std::vector<int16_t>(256, -1));
  Said said;
  const auto at = [](const auto& buffer) { return reinterpret_cast<GM_ADDR>(buffer.data()); };
  if (kernel == padded) CHECK(launch("padded", padded, 1, at(x), at(y)) == 0);
  if (kernel == to_nz) CHECK(launch("to_nz", to_nz, 1, at(x), at(y)) == 0);
  if (kernel == padded_to_nz<DataCopyParams>)
    CHECK(launch("it", padded_to_nz<DataCopyParams>, 1, at(x), at(y)) == 0);
  if (kernel == padded_to_nz<DataCopyExtParams>)
    CHECK(launch("it", padded_to_nz<DataCopyExtParams>, 1, at(x), at(y)) == 0);
  if (kernel == nibbles) CHECK(launch("nibbles", nibbles, 1, at(x), at(y)) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(said.text() == "");
  return y.host();
}

}  // namespace

TEST_CASE("DataCopyPad fills blocks up to 32 bytes, and writes exact bytes back", "[moves]") {
  const std::vector<int16_t> y = run(padded);
  const int16_t p = -9;
  CHECK(std::vector<int16_t>(y.begin(), y.begin() + 16) ==
        std::vector<int16_t>{p, 0, 1, 2, 3, 4, p, p, p, p, p, p, p, p, p, p});
  CHECK(std::vector<int16_t>(y.begin() + 16, y.begin() + 22) ==
        std::vector<int16_t>{p, 7, 8, 9, 10, 11});
  CHECK(std::vector<int16_t>(y.begin() + 39, y.begin() + 44) ==
        std::vector<int16_t>{-1, p, 7, 8, -1});
}

TEST_CASE("a kernel that writes much writes all of it, and no byte beside it", "[moves]") {
  Device device;
  const auto y = device.memory(std::vector<int16_t>(kTurns * kTurn / 2 + 16, -1));
  Said said;
  CHECK(launch("much", much, 1, reinterpret_cast<GM_ADDR>(y.data())) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(said.text() == "");
  std::vector<int16_t> expected;
  for (uint32_t turn = 0; turn < kTurns; ++turn) {
    for (uint32_t i = 0; i < kTurn / 2; ++i) expected.push_back(static_cast<int16_t>(turn + i));
  }
  expected.resize(expected.size() + 16, -1);
  CHECK((y.host() == expected));
}

TEST_CASE(
    "rows of any size and place are copied whole, past the caches or not, and no byte beside them",
    "[moves]") {
  constexpr std::size_t kMost = 70'000;
  std::vector<uint8_t> from(kMost);
  for (std::size_t i = 0; i < kMost; ++i) from[i] = static_cast<uint8_t>(i * 131 + i / 251 + 1);
  const aclsimMove plain{};
  for (const std::size_t bytes : {1, 31, 64, 4096, 16'383, 16'384, 16'385, 32'800, 65'536 + 77}) {
    for (const std::size_t offset : {0, 1, 32, 65}) {
      for (const bool past : {false, true}) {
        std::vector<uint8_t> to(kMost, 0), expected(kMost, 0);
        std::copy_n(from.begin() + 3, bytes,
                    expected.begin() + static_cast<std::ptrdiff_t>(offset));
        const ascendc::RowCopy row{reinterpret_cast<std::uintptr_t>(to.data() + offset),
                                   reinterpret_cast<std::uintptr_t>(from.data() + 3),
                                   static_cast<uint32_t>(bytes)};
        if (past)
          ascendc::stream_row(plain, row);
        else
          ascendc::copy_row(plain, row, ascendc::Atomic::none, 0);
        ascendc::settle_streams();
        CHECK((to == expected));
      }
    }
  }
}

TEST_CASE("a row that overlaps its destination is copied as if by way of a third place",
          "[moves]") {
  for (const std::ptrdiff_t by : {64, -64, 20'000, -20'000}) {
    std::vector<uint8_t> bytes(100'000);
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<uint8_t>(i * 131 + i / 251);
    std::vector<uint8_t> expected = bytes;
    const std::vector<uint8_t> before = bytes;
    std::copy_n(before.begin() + 25'000, 40'000, expected.begin() + 25'000 + by);
    const auto at = reinterpret_cast<std::uintptr_t>(bytes.data()) + 25'000;
    ascendc::copy_row({}, {at + static_cast<std::uintptr_t>(by), at, 40'000}, ascendc::Atomic::none,
                      0);
    CHECK((bytes == expected));
  }
}

TEST_CASE("32 elements of half a byte are copied as a block, as 64 are", "[moves]") {
  const std::vector<int16_t> y = run(nibbles);
  for (int16_t i = 0; i < 16; ++i) CHECK(y[static_cast<std::size_t>(i)] == 16 + i);
  CHECK(y[16] == -1);
}

TEST_CASE("rows become columns of blocks, the last filled with zeros", "[moves]") {
  const std::vector<int16_t> y = run(to_nz);
  CHECK(y[0] == 0);
  CHECK(y[15] == 15);
  CHECK(y[16] == 18);  // the second row
  CHECK(y[32] == 16);  // the second column of blocks
  CHECK(y[33] == 17);
  CHECK(y[34] == 0);
  CHECK(y[48] == 34);
}

TEST_CASE("DataCopyPad makes columns of blocks of rows in local memory", "[moves]") {
  for (const auto kernel : {padded_to_nz<DataCopyParams>, padded_to_nz<DataCopyExtParams>}) {
    const std::vector<int16_t> y = run(kernel);
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t i = 0; i < 32; ++i) {
        const std::size_t at = i / 16 * 48 + row * 16 + i % 16;
        REQUIRE(y[at] == (i < 18 ? static_cast<int16_t>(row * 32 + i) : 0));
      }
    }
  }
}

TEST_CASE("DataCopyPad refuses matrices whose rows are no blocks of the copy", "[moves]") {
  Device device;
  const auto x = device.memory(std::vector<int16_t>(256, 1));
  Said said;
  auto* const at = reinterpret_cast<GM_ADDR>(x.data());
  CHECK(launch("padded_across", padded_across, 1, at, at) == 0);
  CHECK(device.synchronize() == 507035);
  CHECK(contains(said.text(), "srcDValue and srcNdMatrixStride have to count whole blocks"));
}

TEST_CASE("under a seed only a token holds a pipe, and it holds it", "[pipes]") {
  using ascendc::Pipe;
  bool swapped = false;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    ascendc::Pipes pipes;
    pipes.reset(true, seed);
    std::vector<int> done;
    pipes.run(Pipe::mte2, [&] { done.push_back(1); });
    pipes.wait(Pipe::v, pipes.signal(Pipe::mte2));
    pipes.run(Pipe::v, [&] { done.push_back(2); });
    pipes.run(Pipe::mte3, [&] { done.push_back(3); });  // nothing holds it
    pipes.drain();
    REQUIRE(done.size() == 3);
    const auto place = [&](int what) { return std::find(done.begin(), done.end(), what); };
    REQUIRE(place(1) < place(2));
    swapped = swapped || place(3) < place(2);
  }
  CHECK(swapped);
}
