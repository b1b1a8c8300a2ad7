// SPDX-License-Identifier: Apache-2.0
// Kernels that misuse the library, and the same kernels without the mistake: the finding names the
// mistake, and the twin has no finding.
#include <iterator>
#include <string>

#include "tests/ascendc/planted.h"
#include "tests/ascendc_library/bench.h"
#include "tests/support/catch.h"
#include "tiling/tiling_api.h"

namespace planted {
namespace {

using namespace AscendC;
using library_test::Memory;

constexpr uint32_t kElements = kCount;

/// Tensors of floats in local memory, and enough temporary memory for each function below.
struct Tensors {
  explicit Tensors(GM_ADDR x) {
    global.SetGlobalBuffer(reinterpret_cast<float*>(x), kFloats);
    Duplicate(src, 1.0F, kCount);
    Duplicate(other, 1.0F, kCount);
    PipeBarrier<PIPE_ALL>();
  }
  Memory memory;
  LocalTensor<float> src = memory.take<float>(kElements);
  LocalTensor<float> other = memory.take<float>(kElements);
  LocalTensor<float> dst = memory.take<float>(kElements);
  LocalTensor<uint8_t> tmp = memory.take<uint8_t>(8192);
  LocalTensor<float> unwritten = memory.take<float>(kElements);
  LocalTensor<float> short_one = memory.take<float>(kElements / 2);
  LocalTensor<float> last = memory.take<float>(kElements);
  GlobalTensor<float> global;
};

uint32_t least_of_sin() {
  uint32_t most = 0, least = 0;
  GetSinMaxMinTmpSize(ge::Shape({kElements}), sizeof(float), false, most, least);
  return least;
}
LocalTensor<uint8_t> temporary(Memory& memory, uint32_t bytes) {
  return memory.take<uint8_t>(bytes);
}

// ---- temporary memory

PLANTED(gives_too_little_temporary_memory) {
  Tensors t(x);
  const auto tmp = temporary(t.memory, least_of_sin() - (good ? 0 : 32));
  Sin(t.dst, t.src, tmp, kElements);
}
PLANTED(gives_temporary_memory_of_a_shorter_row) {
  Tensors t(x);
  SoftMaxTiling tiling{};
  const uint32_t width = good ? kElements : kElements / 2;
  const uint32_t bytes = GetSoftMaxMinTmpSize(ge::Shape({1, width}), sizeof(float), false);
  SoftMax<float>(t.dst, t.src, temporary(t.memory, bytes), tiling, {1, kElements, 1, kElements});
}
PLANTED(takes_the_source_as_temporary_memory) {
  Tensors t(x);
  Memory large;
  const auto all = large.take<uint8_t>(8192);
  Cos(t.last, t.src, good ? t.tmp : all, kElements);
}
PLANTED(takes_the_destination_as_temporary_memory) {
  Tensors t(x);
  const LocalTensor<float> inside = t.tmp.ReinterpretCast<float>();
  Exp<float, 15>(good ? t.dst : inside, t.src, t.tmp, kElements);
}
PLANTED(takes_bytes_that_are_stored_as_temporary_memory) {
  Tensors t(x);
  const LocalTensor<float> stored = t.tmp.ReinterpretCast<float>();
  Duplicate(stored, 1.0F, kCount);
  order<HardEvent::V_MTE3>();
  DataCopy(t.global, stored, kCount);
  if (good) order<HardEvent::MTE3_V>();
  Tanh(t.dst, t.src, t.tmp, kElements);
}

// ---- order with other pipes

PLANTED(stores_a_result_too_early) {
  Tensors t(x);
  Gelu(t.dst, t.src, t.tmp, kElements);
  if (good) order<HardEvent::V_MTE3>();
  DataCopy(t.global, t.dst, kCount);
}
PLANTED(loads_over_a_source) {
  Tensors t(x);
  Erf(t.dst, t.src, t.tmp, kElements);
  if (good) order<HardEvent::V_MTE2>();
  DataCopy(t.src, t.global, kCount);
}
PLANTED(computes_before_the_load) {
  Tensors t(x);
  DataCopy(t.src, t.global, kCount);
  if (good) order<HardEvent::MTE2_V>();
  Log(t.dst, t.src, kElements);
}
PLANTED(reads_a_sum_too_early) {
  Tensors t(x);
  Sum(t.dst, t.src, t.tmp, SumParams{1, kElements, kElements});
  if (good) order<HardEvent::V_S>();
  static_cast<void>(t.dst.GetValue(0));
}
PLANTED(writes_a_number_before_the_call) {
  Tensors t(x);
  t.src.SetValue(3, 2.0F);
  if (good) order<HardEvent::S_V>();
  Sinh(t.dst, t.src, t.tmp, kElements);
}
PLANTED(reuses_a_source_that_is_stored) {
  Tensors t(x);
  DataCopy(t.global, t.src, kCount);
  // A call that only reads the source needs no flag.
  if (good) {
    Acos<float, false>(t.dst, t.src, t.tmp, kElements);
  } else {
    Acos<float, true>(t.dst, t.src, t.tmp, kElements);
  }
}

// ---- sources and destinations

PLANTED(computes_in_place) {
  Tensors t(x);
  Sin(good ? t.dst : t.src, t.src, t.tmp, kElements);
}
PLANTED(computes_onto_a_part_of_the_source) {
  Tensors t(x);
  constexpr uint32_t kHalf = kElements / 2;
  Power(t.src[good ? kHalf : kHalf - 8], t.src, t.other, t.tmp, kHalf);
}
PLANTED(reads_a_source_that_nothing_wrote) {
  Tensors t(x);
  Floor(t.dst, good ? t.src : t.unwritten, t.tmp, kElements);
}
PLANTED(counts_past_the_source) {
  Tensors t(x);
  Duplicate(t.short_one, 1.0F, kCount / 2);
  Asinh(t.dst, t.short_one, t.tmp, good ? kElements / 2 : kElements);
}
PLANTED(counts_past_the_destination) {
  Tensors t(x);
  Frac(t.short_one, t.src, t.tmp, good ? kElements / 2 : kElements);
}
PLANTED(begins_between_two_blocks) {
  Tensors t(x);
  Tan(t.dst, t.src[good ? 8 : 1], t.tmp, 8);
}
PLANTED(has_no_destination) {
  Tensors t(x);
  Ceil(good ? t.dst : LocalTensor<float>(), t.src, t.tmp, kElements);
}
PLANTED(frees_a_source_before_the_call) {
  Tensors t(x);
  const LocalTensor<float> result(TPosition::VECCALC, 64 * 1024, kElements);
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 1, kElements * sizeof(float));
  LocalTensor<float> taken = queue.AllocTensor<float>();
  Duplicate(taken, 1.0F, kCount);
  PipeBarrier<PIPE_V>();
  if (!good) queue.FreeTensor(taken);
  Sign(result, taken, kElements);
  if (good) queue.FreeTensor(taken);
}

// ---- shapes

PLANTED(has_a_row_of_half_a_block) {
  Tensors t(x);
  const uint32_t width = good ? 16 : 12;
  SoftMaxTiling tiling{};
  SoftMax<float>(t.dst, t.src, t.tmp, tiling, {2, width, 2, width});
}
PLANTED(normalises_more_than_a_row) {
  Tensors t(x);
  LayerNormTiling tiling{};
  tiling.bLength = 1;
  tiling.sLength = 2;
  tiling.hLength = 24;
  tiling.originalHLength = good ? 24 : 25;
  LayerNorm<float, false>(t.dst, t.last, t.last[8], t.src, t.other, t.other, t.tmp, 1e-5F, tiling);
}
PLANTED(expands_an_axis_that_is_not_one) {
  Tensors t(x);
  const uint32_t from[] = {1, good ? 16U : 8U}, to[] = {4, 16};
  Broadcast<float, 2, 0>(t.dst, t.src, to, from, t.tmp);
}
PLANTED(selects_more_than_there_are) {
  Tensors t(x);
  const auto index = t.memory.take<int32_t>(kElements);
  TopkTiling tiling{};
  TopKInfo info{1, 32, 24};
  TopK<float>(t.dst, index, t.src, LocalTensor<int32_t>(), LocalTensor<bool>(), t.tmp,
              good ? 24 : 25, tiling, info);
}
PLANTED(reduces_rows_without_padding) {
  Tensors t(x);
  const uint32_t shape[] = {4, 16};
  ReduceMean<float, Pattern::Reduce::AR>(t.dst, t.src, t.tmp, shape, good);
}
PLANTED(has_a_scale_for_part_of_a_row) {
  Tensors t(x);
  const auto small = t.memory.take<int8_t>(kElements);
  AscendQuant<float>(small, t.src, t.tmp, t.other, 1.0F, 32, good ? 64 : 48);
}

struct PlantedCall {
  Planted planted;
  const char* sentence;  // of the message
};
#define CALL(NAME, CODE, RULE, SENTENCE) \
  { ROW(NAME, CODE, RULE), SENTENCE }
constexpr int kEnds = 507035;

const PlantedCall kCalls[] = {
    CALL(gives_too_little_temporary_memory, kEnds, "instruction",
         "Sin: tensor tmp: 1024 bytes needed, 992 there"),
    CALL(gives_temporary_memory_of_a_shorter_row, kEnds, "instruction",
         "SoftMax: tensor tmp: 256 bytes needed, 128 there"),
    CALL(takes_the_source_as_temporary_memory, 0, "overlap",
         "Cos: tensors tmp and src overlap; expected memory of their own"),
    CALL(takes_the_destination_as_temporary_memory, 0, "overlap",
         "Exp: tensors dst and tmp overlap; expected memory of their own"),
    CALL(takes_bytes_that_are_stored_as_temporary_memory, 0, "pipe-race", "Tanh"),
    CALL(stores_a_result_too_early, 0, "pipe-race", "V_MTE3"),
    CALL(loads_over_a_source, 0, "pipe-race", "V_MTE2"),
    CALL(computes_before_the_load, 0, "pipe-race", "MTE2_V"),
    CALL(reads_a_sum_too_early, 0, "pipe-race", "V_S"),
    CALL(writes_a_number_before_the_call, 0, "pipe-race", "S_V"),
    CALL(reuses_a_source_that_is_stored, 0, "pipe-race", "MTE3_V"),
    CALL(computes_in_place, 0, "overlap",
         "Sin: tensors dst and src overlap; expected memory of their own"),
    CALL(computes_onto_a_part_of_the_source, 0, "overlap",
         "Power: tensors dst and src0 overlap; expected memory of their own"),
    CALL(reads_a_source_that_nothing_wrote, 0, "local-unwritten", "Floor"),
    CALL(counts_past_the_source, kEnds, "instruction",
         "Asinh: tensor src: 256 bytes needed, 128 there"),
    CALL(counts_past_the_destination, kEnds, "instruction",
         "Frac: tensor dst: 256 bytes needed, 128 there"),
    CALL(begins_between_two_blocks, kEnds, "instruction", "is 4 bytes past a multiple of 32"),
    CALL(has_no_destination, kEnds, "tensor-empty",
         "Ceil: tensor dst: it is empty: no memory was taken for it"),
    CALL(frees_a_source_before_the_call, kEnds, "tensor-freed", "Sign"),
    CALL(has_a_row_of_half_a_block, kEnds, "instruction",
         "SoftMax: srcK * sizeof(T) is 48; expected a multiple of 32"),
    CALL(normalises_more_than_a_row, kEnds, "instruction",
         "LayerNorm: length of a row without padding is 25; expected 1 to 24"),
    CALL(expands_an_axis_that_is_not_one, kEnds, "instruction",
         "Broadcast: srcShape[1] is 8 and dstShape[1] is 16"),
    CALL(selects_more_than_there_are, kEnds, "instruction", "TopK: k is 25; expected 1 to 24"),
    CALL(reduces_rows_without_padding, kEnds, "instruction",
         "ReduceMean: srcInnerPad is false; expected true"),
    CALL(has_a_scale_for_part_of_a_row, kEnds, "instruction",
         "AscendQuant: calCount is 48; expected a multiple of 32"),
};

}  // namespace
}  // namespace planted

TEST_CASE("planted mistakes in calls of the library are found, and their repaired twins are clean",
          "[planted]") {
  for (const planted::PlantedCall& call : planted::kCalls) {
    DYNAMIC_SECTION(call.planted.name) { planted::check(call.planted, call.sentence); }
  }
}
