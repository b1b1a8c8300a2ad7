// SPDX-License-Identifier: Apache-2.0
// Copies with gaps, of slices, and from columns of blocks back to rows, each against a plain loop.
#include <string>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/rows.h"
#include "tests/support/catch.h"

namespace {

using namespace AscendC;

constexpr uint32_t kHere = 1024;  // input words; the output follows

void (*chosen_copy)(GM_ADDR);
void run_chosen_copy(GM_ADDR x) { chosen_copy(x); }

/// Word i has the value i; what the kernel writes lies from word 1024 on.
/// `ends`: the finding ends the kernel.
std::vector<int32_t> moved(void (*kernel)(GM_ADDR), const std::string& finding = "",
                           bool ends = true) {
  Device device;
  std::vector<int32_t> values(2 * kHere, -1);
  for (uint32_t i = 0; i < kHere; ++i) values[i] = static_cast<int32_t>(i);
  const auto memory = device.memory(values);
  chosen_copy = kernel;
  Said said;
  CHECK(KernelOf<&run_chosen_copy>::enqueue("copies", ACLSIM_CORES_INFERRED, 1, nullptr,
                                            reinterpret_cast<GM_ADDR>(memory.data())) == 0);
  CHECK((device.synchronize() == 0) == (finding.empty() || !ends));
  const std::string text = said.text();
  CAPTURE(text);
  CHECK((finding.empty() ? text.empty() : contains(text, finding)));
  values = memory.host();
  return {values.begin() + kHere, values.end()};
}

GlobalTensor<int32_t> in(GM_ADDR x) { return words(x, kHere); }
GlobalTensor<int32_t> out(GM_ADDR x) { return words(x, 2 * kHere)[kHere]; }

// The memory has 2048 words, the tensor 1024 of them.
void from_behind_tensor(GM_ADDR x) {
  DataCopy(LocalTensor<int32_t>(TPosition::VECIN, 0, 64), in(x)[kHere + 100], 8);
}
void from_behind_all(GM_ADDR x) {
  DataCopy(LocalTensor<int32_t>(TPosition::VECIN, 0, 64), in(x)[2 * kHere + 100], 8);
}
void to_behind_local(GM_ADDR x) {
  DataCopy(LocalTensor<int32_t>(TPosition::VECIN, 0, 64)[72], in(x), 8);
}
void fills_behind_local(GM_ADDR) {
  Duplicate(LocalTensor<int32_t>(TPosition::VECIN, 0, 64)[72], 1, 8);
}
void from_untold_length(GM_ADDR x) {
  GlobalTensor<int32_t> all;
  all.SetGlobalBuffer(reinterpret_cast<int32_t*>(x));
  DataCopy(LocalTensor<int32_t>(TPosition::VECIN, 0, 64), all[2 * kHere + 100], 8);
}
void reads_behind(GM_ADDR x) {
  GlobalTensor<int8_t> bytes;
  bytes.SetGlobalBuffer(reinterpret_cast<int8_t*>(x), 96);
  static_cast<void>(bytes.ReinterpretCast<int64_t>().GetValue(12));
}

void with_gaps(GM_ADDR x) {
  LocalTensor<int32_t> t(TPosition::VECCALC, 0, 128);
  Duplicate(t, -2, 128);
  PipeBarrier<PIPE_ALL>();
  DataCopy(t, in(x)[8], DataCopyParams(3, 2, 1, 2));  // 16 of each 24 words, into each 32
  PipeBarrier<PIPE_ALL>();
  DataCopyParams back(2, 3, 1, 4);
  DataCopy(out(x), t, back);  // 24 of each 32 words, into each 56
}

void between_local(GM_ADDR x) {
  LocalTensor<int32_t> a(TPosition::VECCALC, 0, 64), b(TPosition::VECCALC, 256, 64);
  DataCopy(a, in(x), 64);
  Duplicate(b, 0, 64);
  PipeBarrier<PIPE_ALL>();
  LocalTensor<half> narrow = b.ReinterpretCast<half>();
  DataCopy(narrow, a, DataCopyParams(2, 1, 2, 1));  // of another type: the bytes
  DataCopy(b[40], a, 8);
  PipeBarrier<PIPE_ALL>();
  DataCopy(out(x), b, 64);
}

void slices_in(GM_ADDR x) {
  LocalTensor<int32_t> t(TPosition::VECCALC, 0, 96);
  const SliceInfo from[] = {{16, 70, 7, 3, 87}, {0, 2, 1, 1, 3}};  // of 3 rows of 87
  const SliceInfo to[] = {{0, 47, 0, 3, 48}, {0, 1, 0, 1, 2}};
  DataCopy(t, in(x), to, from, 2);
  PipeBarrier<PIPE_ALL>();
  DataCopy(out(x), t, 96);
}

void slices_out(GM_ADDR x) {
  LocalTensor<int32_t> t(TPosition::VECCALC, 0, 64);
  DataCopy(t, in(x), 64);
  PipeBarrier<PIPE_ALL>();
  const SliceInfo from[] = {{0, 15, 0, 1, 16}, {0, 1, 0, 1, 2}, {0, 1, 0, 1, 2}};
  const SliceInfo to[] = {{5, 21, 1, 1, 30}, {1, 3, 1, 1, 4}, {0, 1, 0, 1, 2}};
  DataCopy(out(x), t, to, from, 3);
}

void slices_differ(GM_ADDR x) {
  LocalTensor<int32_t> t(TPosition::VECCALC, 0, 96);
  const SliceInfo from[] = {{0, 31, 0, 2, 32}};
  const SliceInfo to[] = {{0, 31, 0, 4, 32}};
  DataCopy(t, in(x), to, from, 1);
}

void slices_backwards(GM_ADDR x) {
  LocalTensor<int32_t> t(TPosition::VECCALC, 0, 96);
  const SliceInfo from[] = {{8, 0, 0, 1, 32}};
  DataCopy(t, in(x), from, from, 1);
}

// Two matrices of 3 rows of 20 halves: columns of 16 which are 4 rows long, 5 fractals from each
// other.
void to_rows(GM_ADDR x) {
  LocalTensor<int16_t> t(TPosition::VECCALC, 0, 2048);
  GlobalTensor<int16_t> from, to;
  from.SetGlobalBuffer(reinterpret_cast<__gm__ int16_t*>(x), 2 * kHere);
  to.SetGlobalBuffer(reinterpret_cast<__gm__ int16_t*>(x) + 2 * kHere, 2 * kHere);
  DataCopy(t, from, 2048);
  PipeBarrier<PIPE_ALL>();
  DataCopy(to, t, Nz2NdParamsFull(2, 3, 20, 5, 4, 32, 128));
}

// The form with DataCopyParams: 3 blocks of 5 words, a word left, 2 right; and 2 of 3 words back.
void padded_words(GM_ADDR x) {
  LocalTensor<int32_t> t(TPosition::VECCALC, 0, 64);
  Duplicate(t, -2, 64);
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(t, in(x)[3], DataCopyParams(3, 20, 8, 1), DataCopyPadParams(true, 1, 2, 77));
  PipeBarrier<PIPE_ALL>();
  DataCopy(out(x), t, 64);
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(out(x)[100], t, DataCopyParams(2, 12, 1, 4));
}

#if ACLSIM_NPU_ARCH == 3510
void compact_words(GM_ADDR x) {
  LocalTensor<int32_t> t(TPosition::VECCALC, 0, 64);
  Duplicate(t, -2, 64);
  PipeBarrier<PIPE_ALL>();
  DataCopyPad<int32_t, PaddingMode::Compact>(t, in(x)[3], DataCopyExtParams(3, 20, 8, 0, 0),
                                             DataCopyPadExtParams<int32_t>(true, 0, 0, 77));
  PipeBarrier<PIPE_ALL>();
  DataCopy(out(x), t, 64);
  PipeBarrier<PIPE_ALL>();
  DataCopyPad<int32_t, PaddingMode::Compact>(out(x)[100], t, DataCopyExtParams(2, 12, 0, 4, 0));
}
#endif

}  // namespace

TEST_CASE("DataCopy leaves gaps between blocks on both sides", "[copies]") {
  const std::vector<int32_t> got = moved(with_gaps);
  std::vector<int32_t> local(128, -2), wanted(kHere, -1);
  for (int32_t block = 0; block < 3; ++block) {
    for (int32_t i = 0; i < 16; ++i)
      local[static_cast<std::size_t>(block * 32 + i)] = 8 + block * 24 + i;
  }
  for (std::size_t block = 0; block < 2; ++block) {
    for (std::size_t i = 0; i < 24; ++i) wanted[block * 56 + i] = local[block * 32 + i];
  }
  CHECK((got == wanted));
}

TEST_CASE("DataCopy between local tensors moves bytes, whatever their types", "[copies]") {
  std::vector<int32_t> wanted(64, 0);
  for (int32_t i = 0; i < 8; ++i) {
    wanted[static_cast<std::size_t>(i)] = i;
    wanted[static_cast<std::size_t>(16 + i)] = 24 + i;
    wanted[static_cast<std::size_t>(40 + i)] = i;
  }
  std::vector<int32_t> got = moved(between_local);
  got.resize(64);
  CHECK(got == wanted);
}

TEST_CASE("DataCopy takes slices of several axes out of global memory", "[copies]") {
  const std::vector<int32_t> got = moved(slices_in);
  std::size_t at = 0;
  for (const int32_t row : {0, 2}) {
    for (const int32_t first : {16, 47}) {
      for (int32_t i = 0; i < 24; ++i) REQUIRE(got[at++] == row * 87 + first + i);
    }
  }
}

TEST_CASE("DataCopy writes slices into global memory, and nothing beside them", "[copies]") {
  const std::vector<int32_t> got = moved(slices_out);
  std::vector<int32_t> wanted(kHere, -1);
  int32_t next = 0;
  for (std::size_t plane = 0; plane < 2; ++plane) {
    for (const std::size_t row : {1U, 3U}) {
      for (const std::size_t first : {5U, 14U}) {
        for (std::size_t i = 0; i < 8; ++i) wanted[plane * 120 + row * 30 + first + i] = next++;
      }
    }
  }
  CHECK((got == wanted));
}

TEST_CASE("slices that differ on both sides, or end before they begin, are refused", "[copies]") {
  moved(slices_differ, "DataCopy: the bursts of both slices");
  moved(slices_backwards, "DataCopy: startIndex of a slice, with endIndex as the most");
}

TEST_CASE("DataCopy makes rows of columns of blocks", "[copies]") {
  const std::vector<int32_t> words = moved(to_rows);
  const auto got = [&](std::size_t i) {
    return static_cast<int16_t>(words[i / 2] >> (i % 2 * 16));
  };
  // Halves of words: the lower one is the word's number, the upper one 0.
  const auto source = [](std::size_t i) { return static_cast<int16_t>(i % 2 == 0 ? i / 2 : 0); };
  for (std::size_t matrix = 0; matrix < 2; ++matrix) {
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t column = 0; column < 32; ++column) {
        CAPTURE(matrix, row, column);
        const int16_t wanted =
            column < 20 ? source(matrix * 5 * 256 + column / 16 * 64 + row * 16 + column % 16)
                        : int16_t{-1};
        REQUIRE(got(matrix * 128 + row * 32 + column) == wanted);
      }
    }
  }
}

TEST_CASE("DataCopyPad with DataCopyParams pads each block, and writes exact bytes back",
          "[copies]") {
  const std::vector<int32_t> got = moved(padded_words);
  std::vector<int32_t> local(64, -2);
  for (int32_t block = 0; block < 3; ++block) {
    for (int32_t i = 0; i < 8; ++i) {
      local[static_cast<std::size_t>(block * 16 + i)] =
          i >= 1 && i < 6 ? 3 + block * 7 + i - 1 : 77;
    }
  }
  CHECK((std::vector<int32_t>(got.begin(), got.begin() + 64) == local));
  const std::vector<int32_t> exact(got.begin() + 99, got.begin() + 108);
  CHECK(exact == std::vector<int32_t>{-1, local[0], local[1], local[2], -1, local[16], local[17],
                                      local[18], -1});
}

#if ACLSIM_NPU_ARCH == 3510
TEST_CASE("a compact DataCopyPad has no gaps, and pads behind the last block", "[copies]") {
  const std::vector<int32_t> got = moved(compact_words);
  std::vector<int32_t> local(64, -2);
  for (int32_t i = 0; i < 15; ++i) local[static_cast<std::size_t>(i)] = 3 + i / 5 * 7 + i % 5;
  local[15] = 77;
  CHECK((std::vector<int32_t>(got.begin(), got.begin() + 64) == local));
  const std::vector<int32_t> exact(got.begin() + 99, got.begin() + 108);
  CHECK(exact == std::vector<int32_t>{-1, local[0], local[1], local[2], -1, local[3], local[4],
                                      local[5], -1});
}
#endif

TEST_CASE("a copy that begins behind its tensor is told how far, and beside which allocation",
          "[copies]") {
  moved(from_behind_tensor, "DataCopy: src begins 400 bytes past the end of its tensor [", false);
  moved(from_behind_all,
        "DataCopy: src begins 4496 bytes past the end of its tensor, 400 bytes past the end of an "
        "allocation of 8192 bytes at 0x");
  moved(from_untold_length, ", 400 bytes past the end of an allocation of 8192 bytes at 0x");
  moved(to_behind_local, "DataCopy: dst begins 32 bytes past the end of its tensor [", false);
  moved(fills_behind_local,
        "Duplicate: tensor dst: it begins 32 bytes past the end of its memory [");
  moved(reads_behind, "GetValue: the element ends 8 bytes past the end of the tensor [", false);
}
