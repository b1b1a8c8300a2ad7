// SPDX-License-Identifier: Apache-2.0
// Legal kernels of public operators: their results are right, and they have no findings.
#include <string>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/said.h"
#include "tests/support/catch.h"

namespace {

using namespace AscendC;

template <HardEvent event>
void in_order() {
  SetFlag<event>(0);
  WaitFlag<event>(0);
}

template <typename T>
GlobalTensor<T> numbers(GM_ADDR x, uint64_t count) {
  GlobalTensor<T> all;
  all.SetGlobalBuffer(reinterpret_cast<T*>(x), count);
  return all;
}

// A repeat writes what earlier repeats have read.
void folds(GM_ADDR x) {
  LocalTensor<float> tile(TPosition::VECCALC, 0, 256);
  const GlobalTensor<float> all = numbers<float>(x, 256);
  DataCopy(tile, all, 256);
  in_order<HardEvent::MTE2_V>();
  uint64_t mask[2] = {~0ULL, 0};
  Add(tile[0], tile[0], tile[64], mask, 2, {1, 1, 1, 8, 16, 16});
  PipeBarrier<PIPE_V>();
  Add(tile[0], tile[0], tile[64], mask, 1, {1, 1, 1, 8, 16, 16});
  in_order<HardEvent::V_MTE3>();
  DataCopy(all, tile, 64);
}

// The sources are the upper half of the destination's bytes.
void widens(GM_ADDR x) {
  LocalTensor<float> wide(TPosition::VECCALC, 0, 1024);
  const LocalTensor<half> narrow = wide.ReinterpretCast<half>()[1024];
  DataCopy(narrow, numbers<half>(x, 1024), 1024);
  in_order<HardEvent::MTE2_V>();
  Cast(wide, narrow, RoundMode::CAST_NONE, 1024);
  in_order<HardEvent::V_MTE3>();
  DataCopy(numbers<float>(x, 1024), wide, 1024);
}

void overlaps_in_part(GM_ADDR x) {
  LocalTensor<float> tile(TPosition::VECCALC, 0, 256);
  DataCopy(tile, numbers<float>(x, 256), 256);
  in_order<HardEvent::MTE2_V>();
  Adds(tile[8], tile, 1.0F, 64);
}

void reads_what_it_wrote(GM_ADDR x) {
  LocalTensor<float> tile(TPosition::VECCALC, 0, 256);
  DataCopy(tile, numbers<float>(x, 256), 256);
  in_order<HardEvent::MTE2_V>();
  Adds(tile[64], tile, 1.0F, 128);  // its second repeat reads what the first one wrote
}

// All blocks but the last one poll a word that the last one writes.
void polls(GM_ADDR x) {
  GlobalTensor<int32_t> word = numbers<int32_t>(x, 8);
  if (GetBlockIdx() + 1 == GetBlockNum()) return word.SetValue(0, 7);
  while (word.GetValue(0) != 7) {
  }
}

void orders_by_word(GM_ADDR x) {
  auto* const word = reinterpret_cast<__gm__ int32_t*>(x) + 512;
  const GlobalTensor<int32_t> all = numbers<int32_t>(x, 8);
  LocalTensor<int32_t> tile(TPosition::VECCALC, 0, 8);
  while (GetBlockIdx() == 1 && ReadGmByPassDCache<int32_t>(word) != 1) {
  }
  Duplicate(tile, static_cast<int32_t>(GetBlockIdx()), 8);
  in_order<HardEvent::V_MTE3>();
  DataCopy(all, tile, 8);
  in_order<HardEvent::MTE3_S>();
  if (GetBlockIdx() == 0) WriteGmByPassDCache<int32_t>(word, 1);
}

void takes_turns(GM_ADDR x) {
  GlobalTensor<int32_t> turns = numbers<int32_t>(x, 1024)[512];
  const GlobalTensor<int32_t> all = numbers<int32_t>(x, 8);
  LocalTensor<int32_t> tile(TPosition::VECCALC, 0, 8), unused(TPosition::VECCALC, 1024, 64);
  Duplicate(tile, static_cast<int32_t>(GetBlockIdx()), 8);
  WaitPreBlock(turns, unused);  // orders the vector unit before the copy
  DataCopy(all, tile, 8);
  NotifyNextBlock(turns, unused);
}

// The scalar is in a block whose other bytes nothing has written.
void moves_a_scalar(GM_ADDR x) {
  LocalTensor<float> tile(TPosition::VECCALC, 0, 16);
  tile.SetValue(0, 3.0F);
  in_order<HardEvent::S_MTE3>();
  DataCopy(numbers<float>(x, 8), tile, 8);
}
void moves_more(GM_ADDR x) {
  LocalTensor<float> tile(TPosition::VECCALC, 0, 16);
  tile.SetValue(0, 3.0F);
  in_order<HardEvent::S_MTE3>();
  DataCopy(numbers<float>(x, 16), tile, 16);
}

void control(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  out[0] = static_cast<int32_t>(GetCtrlSpr<48, 48>());
  out[1] = static_cast<int32_t>(GetCtrlSpr<60, 60>());
  SetCtrlSpr<48, 48>(1);
  out[2] = static_cast<int32_t>(GetCtrlSpr<48, 48>());
  ResetCtrlSpr<48, 48>();
  out[3] = static_cast<int32_t>(GetCtrlSpr<48, 48>());
}

// A program that places tensors itself writes the members of their addresses.
void places(GM_ADDR x) {
  LocalTensor<int32_t> tile;
  tile.address_.logicPos = static_cast<uint8_t>(TPosition::VECCALC);
  tile.address_.bufferAddr = 256;
  tile.address_.dataLen = 32;
  tile.SetValue(1, 5);
  tile.address_.bufferAddr = 512;
  tile.SetValue(1, 6);
  LocalTensor<int32_t> whole(TPosition::VECCALC, 0, 256);
  auto* const out = reinterpret_cast<int32_t*>(x);
  out[0] = whole.GetValue(65);
  out[1] = whole.GetValue(129);
  out[2] = static_cast<int32_t>(tile[2].address_.bufferAddr);
  TPipe pipe;
  TPipe copy = pipe;
  out[3] = GetTPipePtr() == &pipe && GetTPipePtr() != &copy;
}

template <auto kernel, typename T>
std::vector<T> result(const std::vector<T>& values, uint32_t blocks, std::string& text,
                      int expected = 0) {
  Device device;
  const auto memory = device.memory(values);
  Said said;
  REQUIRE(KernelOf<kernel>::enqueue("legal", ACLSIM_CORES_INFERRED, blocks, nullptr,
                                    reinterpret_cast<GM_ADDR>(memory.data())) == 0);
  const int code = device.synchronize();
  text = said.text();
  INFO(text);
  CHECK(code == expected);
  return memory.host();
}

// The mask counts the elements of a repeat: 18 blocks, of which the source has one in eight.
template <uint8_t repeats>
void copies_by_counter(GM_ADDR x) {
  const GlobalTensor<int32_t> all = numbers<int32_t>(x, 2 * 18 * 64);
  LocalTensor<int32_t> from(TPosition::VECIN, 0, 2 * 18 * 64);
  LocalTensor<int32_t> to(TPosition::VECOUT, 2 * 18 * 64 * 4, 2 * 144);
  DataCopy(from, all, 2 * 18 * 64);
  in_order<HardEvent::MTE2_V>();
  SetMaskCount();
  SetVectorMask<int32_t, MaskMode::COUNTER>(144);
  Copy<int32_t, false>(to, from, MASK_PLACEHOLDER, repeats, {1, 8, 18, 144});
  SetMaskNorm();
  ResetMask();
  in_order<HardEvent::V_MTE3>();
  DataCopy(all, to, repeats * 144);
}

}  // namespace

TEST_CASE("Copy in counter mode goes on with the block stride, and repeats take effect",
          "[legal]") {
  std::vector<int32_t> values(2 * 18 * 64);
  for (int i = 0; i < static_cast<int>(values.size()); ++i) values[i] = i;
  std::vector<int32_t> expected = values;
  for (int i = 0; i < 144; ++i) expected[i] = i / 8 * 64 + i % 8;
  std::string text;
  CHECK(result<copies_by_counter<1>>(values, 1, text) == expected);
  CHECK(text == "");
  for (int i = 0; i < 144; ++i) expected[144 + i] = 18 * 64 + expected[i];
  CHECK(result<copies_by_counter<2>>(values, 1, text) == expected);
  CHECK(text == "");
}

TEST_CASE("an instruction may write what its earlier repeats have read", "[legal]") {
  std::vector<float> values(256);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  std::string text;
  const auto sums = result<folds>(values, 1, text);
  CHECK(text.empty());
  for (std::size_t i = 0; i < 64; ++i) CHECK(sums[i] == static_cast<float>(4 * i + 384));
}

TEST_CASE("a conversion may widen numbers that end where its results end", "[legal]") {
  std::vector<uint16_t> values(2048);
  for (std::size_t i = 0; i < 1024; ++i) values[i] = half(static_cast<float>(i)).aclsim_bits;
  std::string text;
  const auto found = result<widens>(values, 1, text);
  CHECK(text.empty());
  const auto* const wide = reinterpret_cast<const float*>(found.data());
  for (std::size_t i = 0; i < 1024; ++i) CHECK(wide[i] == static_cast<float>(i));
}

TEST_CASE("a partial overlap within a repeat, or with a later repeat's source, ends the kernel",
          "[legal]") {
  std::string text;
  result<overlaps_in_part>(std::vector<float>(256), 1, text, 507035);
  CHECK(text.find("it overlaps tensor src in part") != std::string::npos);
  result<reads_what_it_wrote>(std::vector<float>(256), 1, text, 507035);
  CHECK(text.find("it overlaps tensor src in part") != std::string::npos);
}

TEST_CASE("blocks that poll a word do not keep the block that writes it from starting", "[legal]") {
  std::string text;
  CHECK(result<polls>(std::vector<int32_t>(8), 24, text)[0] == 7);
  CHECK(text.empty());
}

TEST_CASE("words that bypass the cache order blocks as other words do", "[legal]") {
  std::string text;
  CHECK(result<orders_by_word>(std::vector<int32_t>(1024), 2, text)[0] == 1);
  CHECK(text.empty());
}

TEST_CASE("WaitPreBlock orders all pipes", "[legal]") {
  std::string text;
  CHECK(result<takes_turns>(std::vector<int32_t>(1024), 4, text)[0] == 3);
  CHECK(text.empty());
}

TEST_CASE("a copy may read the unwritten rest of a block, but no unwritten block", "[legal]") {
  std::string text;
  CHECK(result<moves_a_scalar>(std::vector<float>(16), 1, text)[0] == 3.0F);
  CHECK(text.empty());
  result<moves_more>(std::vector<float>(16), 1, text);
  CHECK(text.find("nothing has written byte 32") != std::string::npos);
}

TEST_CASE("the control register has its documented values at the start and after a reset",
          "[legal]") {
  std::string text;
  const int global = ACLSIM_NPU_ARCH == 3510 ? 1 : 0;
  CHECK(result<control>(std::vector<int32_t>(4), 1, text) == std::vector<int32_t>{0, global, 1, 0});
}

TEST_CASE("a tensor follows what a program writes into its address", "[legal]") {
  std::string text;
  CHECK(result<places>(std::vector<int32_t>(4), 1, text) == std::vector<int32_t>{5, 6, 520, 1});
}
