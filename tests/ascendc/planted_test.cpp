// SPDX-License-Identifier: Apache-2.0
// Kernels with a planted mistake, and the same kernels without it: the rule finds each mistake, and
// the twin has no finding.
#include <string>

#include "ascendc/kernel_operator.h"
#include "ascendc/simt_api/cooperative_groups.h"
#include "tests/ascendc/planted.h"
#include "tests/support/catch.h"

#undef blockIdx
#undef blockDim
#undef gridDim
#undef threadIdx

namespace planted {
namespace {

using namespace AscendC;

PLANTED(computes_before_load) {
  Place p(x);
  DataCopy(p.a, p.from, kCount);
  if (good) order<HardEvent::MTE2_V>();
  Adds(p.b, p.a, 1.0F, kCount);
}
PLANTED(stores_before_result) {
  Place p(x);
  Duplicate(p.b, 1.0F, kCount);
  if (good) order<HardEvent::V_MTE3>();
  DataCopy(p.to, p.b, kCount);
}
PLANTED(overwrites_while_storing) {
  Place p(x);
  Duplicate(p.b, 1.0F, kCount);
  order<HardEvent::V_MTE3>();
  DataCopy(p.to, p.b, kCount);
  if (good) order<HardEvent::MTE3_V>();
  Duplicate(p.b, 2.0F, kCount);
}
PLANTED(loads_while_computing) {
  Place p(x);
  Duplicate(p.a, 1.0F, kCount);
  Adds(p.b, p.a, 1.0F, kCount);
  if (good) order<HardEvent::V_MTE2>();
  DataCopy(p.a, p.from, kCount);
}
PLANTED(loads_while_storing) {
  Place p(x);
  Duplicate(p.a, 1.0F, kCount);
  order<HardEvent::V_MTE3>();
  DataCopy(p.to, p.a, kCount);
  if (good) order<HardEvent::MTE3_MTE2>();
  DataCopy(p.a, p.from, kCount);
}
PLANTED(stores_before_load) {
  Place p(x);
  DataCopy(p.a, p.from, kCount);
  if (good) order<HardEvent::MTE2_MTE3>();
  DataCopy(p.to, p.a, kCount);
}
PLANTED(reads_number_too_early) {
  Place p(x);
  Duplicate(p.a, 1.0F, kCount);
  if (good) order<HardEvent::V_S>();
  static_cast<void>(p.a.GetValue(0));
}
PLANTED(writes_number_too_late) {
  Place p(x);
  for (uint32_t i = 0; i < kCount; ++i) p.a.SetValue(i, 1.0F);
  if (good) order<HardEvent::S_V>();
  Adds(p.b, p.a, 1.0F, kCount);
}
PLANTED(stores_number_too_early) {
  Place p(x);
  for (uint32_t i = 0; i < kCount; ++i) p.a.SetValue(i, 1.0F);
  if (good) order<HardEvent::S_MTE3>();
  DataCopy(p.to, p.a, kCount);
}
PLANTED(reads_loaded_number_too_early) {
  Place p(x);
  DataCopy(p.a, p.from, kCount);
  if (good) order<HardEvent::MTE2_S>();
  static_cast<void>(p.a.GetValue(3));
}
PLANTED(copies_part_of_tail) {
  Place p(x);
  DataCopy(p.a, p.from, good ? 16 : 10);
}
PLANTED(copies_nothing) {
  Place p(x);
  Duplicate(p.b, 1.0F, kCount);
  order<HardEvent::V_MTE3>();
  DataCopy(p.to, p.b, good ? 8 : 4);
}
PLANTED(waits_for_nothing) {
  if (good) SetFlag<HardEvent::MTE2_V>(EVENT_ID3);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID3);
}
PLANTED(sets_twice) {
  SetFlag<HardEvent::MTE2_V>(EVENT_ID3);
  if (good) WaitFlag<HardEvent::MTE2_V>(EVENT_ID3);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID3);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID3);
}
PLANTED(leaves_flag) {
  SetFlag<HardEvent::V_MTE2>(EVENT_ID1);
  if (good) WaitFlag<HardEvent::V_MTE2>(EVENT_ID1);
}
PLANTED(counts_flags_too_far) { order<HardEvent::V_S>(good ? 7 : 8); }
PLANTED(takes_too_much) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 2, good ? 64 * 1024 : 128 * 1024);
}
// The tensor is longer than the memory, as its length is in bytes; this is an error when it is
// used.
PLANTED(uses_bytes_behind_the_memory) {
  constexpr uint32_t kBytes = TOTAL_UB_SIZE;
  const LocalTensor<float> all(TPosition::VECCALC, 0, good ? kBytes / 4 : kBytes);
  Duplicate(all[kBytes / 4 - 64], 1.0F, good ? 64 : 128);
}
PLANTED(passes_tensor) {
  Place p(x);
  p.from.SetGlobalBuffer(reinterpret_cast<float*>(x), 128);
  DataCopy(p.a, p.from, good ? 64 : 128);
}
PLANTED(passes_buffer_of_global_tensor) {
  Place p(x);
  LocalTensor<float> large(TPosition::VECCALC, 4096, 128);
  DataCopy(large, p.from, good ? 64 : 128);
}
PLANTED(reads_past_allocation) {
  GlobalTensor<float> g;
  g.SetGlobalBuffer(reinterpret_cast<float*>(x));
  LocalTensor<float> t(TPosition::VECCALC, 0, 8192);
  DataCopy(t, g, good ? kFloats : kFloats + 8);
}
PLANTED(writes_past_allocation) {
  GlobalTensor<float> g;
  g.SetGlobalBuffer(reinterpret_cast<float*>(x));
  LocalTensor<float> t(TPosition::VECCALC, 0, 64);
  Duplicate(t, 1.0F, 64);
  order<HardEvent::V_MTE3>();
  DataCopy(g[good ? kFloats - 64 : kFloats - 56], t, 64);
}
PLANTED(copies_to_odd_address) {
  Place p(x);
  DataCopy(p.a[good ? 8 : 1], p.from, 8);
}
PLANTED(computes_at_odd_address) {
  Place p(x);
  Duplicate(p.a, 1.0F, kCount);
  Adds(p.b, p.a[good ? 8 : 3], 1.0F, 8);
}
PLANTED(computes_past_tensor) {
  Place p(x);
  Duplicate(p.b, 1.0F, good ? kCount : kCount + 64);
}
PLANTED(repeats_past_tensor) {
  Place p(x);
  Duplicate(p.a, 1.0F, static_cast<uint64_t>(64), static_cast<uint8_t>(good ? 1 : 2), 1, 8);
}
PLANTED(masks_past_lanes) {
  Place p(x);
  Duplicate(p.a, 1.0F, kCount);
  Adds(p.b, p.a, 1.0F, static_cast<uint64_t>(good ? 64 : 128), 1, {1, 1, 8, 8});
}
PLANTED(masks_bits_past_lanes) {
  Place p(x);
  Duplicate(p.a, 1.0F, kCount);
  uint64_t mask[2] = {~0ULL, good ? 0 : 1ULL};
  Adds(p.b, p.a, 1.0F, mask, 1, {1, 1, 8, 8});
}
PLANTED(copies_onto_itself) {
  LocalTensor<float> t(TPosition::VECCALC, 0, 256);
  Duplicate(t, 1.0F, 256);
  PipeBarrier<PIPE_ALL>();
  DataCopy(t[good ? 128 : 32], t, 64);
}
PLANTED(copies_too_many_blocks) {
  GlobalTensor<float> g;
  g.SetGlobalBuffer(reinterpret_cast<float*>(x));
  LocalTensor<float> t(TPosition::VECCALC, 0, 8 * 4096);
  DataCopy(t, g, DataCopyParams(good ? 1 : 4096, 1, 0, 0));
}
PLANTED(enqueues_what_is_free) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 1, 256);
  LocalTensor<float> t = queue.AllocTensor<float>();
  if (!good) queue.FreeTensor(t);
  queue.EnQue(t);
  t = queue.DeQue<float>();
  queue.FreeTensor(t);
}
PLANTED(takes_without_giving_back) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 1, 256);
  LocalTensor<float> t = queue.AllocTensor<float>();
  if (good) queue.FreeTensor(t);
  t = queue.AllocTensor<float>();
  queue.FreeTensor(t);
}
PLANTED(dequeues_from_empty) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 1, 256);
  LocalTensor<float> t = queue.AllocTensor<float>();
  if (good) queue.EnQue(t);
  t = queue.DeQue<float>();
  queue.FreeTensor(t);
}
PLANTED(frees_twice) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 2, 256);
  LocalTensor<float> t = queue.AllocTensor<float>();
  queue.FreeTensor(t);
  if (!good) queue.FreeTensor(t);
}
PLANTED(frees_into_another_queue) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> one;
  TQue<TPosition::VECIN, 1> other;
  pipe.InitBuffer(one, 1, 256);
  pipe.InitBuffer(other, 1, 256);
  LocalTensor<float> t = one.AllocTensor<float>();
  if (good) {
    one.FreeTensor(t);
  } else {
    other.FreeTensor(t);
  }
}
PLANTED(enqueues_too_many) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 2, 256);
  LocalTensor<float> t = queue.AllocTensor<float>();
  queue.EnQue(t);
  if (good) {
    t = queue.DeQue<float>();
    queue.FreeTensor(t);
  }
  t = queue.AllocTensor<float>();
  queue.EnQue(t);
  t = queue.DeQue<float>();
  queue.FreeTensor(t);
}
PLANTED(uses_what_is_free) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 1, 256);
  LocalTensor<float> t = queue.AllocTensor<float>();
  if (good) Duplicate(t, 1.0F, kCount);
  queue.FreeTensor(t);
  if (!good) Duplicate(t, 1.0F, kCount);
}
PLANTED(leaves_tensor) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 1, 256);
  LocalTensor<float> t = queue.AllocTensor<float>();
  if (good) queue.FreeTensor(t);
}
PLANTED(opens_two_pipes) {
  TPipe one;
  if (good) one.Destroy();
  TPipe two;
}
PLANTED(reads_what_nothing_wrote) {
  Place p(x);
  if (good) Duplicate(p.a, 1.0F, kCount);
  Adds(p.b, p.a, 1.0F, kCount);
}
PLANTED(traps) {
  if (!good) trap();
}
PLANTED(asserts) { ascendc_assert(good, "good is %d\n", 0); }
PLANTED(follows_null) {
  GM_ADDR const to = good ? x : x - reinterpret_cast<uintptr_t>(x);
  *reinterpret_cast<volatile int*>(to) = 1;
}
int deeper(int depth, bool good) {
  volatile char frame[512];
  frame[0] = static_cast<char>(depth);
  if (depth == (good ? 3 : INT32_MAX)) return 0;
  return deeper(depth + 1, good) + frame[0];
}
PLANTED(calls_itself) { *reinterpret_cast<volatile int*>(x) = deeper(0, good); }

// Mistakes between several blocks.

PLANTED(writes_where_others_do) {
  Place p(x);
  if (!good) p.to.SetGlobalBuffer(reinterpret_cast<float*>(x) + 1024, kCount);
  Duplicate(p.b, static_cast<float>(GetBlockIdx()), kCount);
  order<HardEvent::V_MTE3>();
  DataCopy(p.to, p.b, kCount);
}
PLANTED(leaves_gaps) {
  Place p(x);
  const int64_t part = good ? kCount : kCount + 4;
  p.to.SetGlobalBuffer(reinterpret_cast<float*>(x) + 1024 + GetBlockIdx() * part, kCount);
  Duplicate(p.b, 1.0F, kCount);
  order<HardEvent::V_MTE3>();
  DataCopy(p.to, p.b, kCount);
}
PLANTED(reads_before_others_wrote) {
  Place p(x);
  Duplicate(p.b, 1.0F, kCount);
  order<HardEvent::V_MTE3>();
  DataCopy(p.to, p.b, kCount);
  PipeBarrier<PIPE_ALL>();
  if (good) SyncAll();
  p.from.SetGlobalBuffer(
      reinterpret_cast<float*>(x) + 1024 + (GetBlockIdx() + 1) % GetBlockNum() * 64, kCount);
  DataCopy(p.a, p.from, kCount);
}
PLANTED(some_miss_the_barrier) {
  if (good || GetBlockIdx() != 1) SyncAll();
}
void too_wide(GM_ADDR, bool) { SyncAll(); }

void parts_ways(GM_ADDR, bool good) {
  const bool waits = good || aclsimThisThread()->number % 2 == 0;
  if (waits) asc_syncthreads();
  if (good || !waits) asc_shfl(1, 0);
}
void waits_twice(GM_ADDR, bool good) {
  if (good || aclsimThisThread()->number < 32) asc_syncthreads();
  if (good || aclsimThisThread()->number >= 32) asc_syncthreads();
}
void asks_who_is_away(GM_ADDR, bool good) {
  if (good || aclsimThisThread()->number != 3) asc_shfl(1, 3);
}
void leaves_its_tile(GM_ADDR, bool good) {
  const auto tile = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
  if (good || aclsimThisThread()->number != 3) tile.sync();
  asc_syncthreads();
}
PLANTED(threads_wait_apart) { asc_vf_call<waits_twice>(dim3{64, 1, 1}, x, good); }
PLANTED(lane_takes_no_part) { asc_vf_call<asks_who_is_away>(dim3{32, 1, 1}, x, good); }
PLANTED(thread_leaves_its_tile) { asc_vf_call<leaves_its_tile>(dim3{32, 1, 1}, x, good); }
PLANTED(threads_part_ways) { asc_vf_call<parts_ways>(dim3{64, 1, 1}, x, good); }
PLANTED(too_many_threads) { asc_vf_call<parts_ways>(dim3{good ? 64U : 4096U, 1, 1}, x, true); }

const Planted kPlanted[] = {
    ROW(computes_before_load, 0, "pipe-race"),
    ROW(stores_before_result, 0, "pipe-race"),
    ROW(overwrites_while_storing, 0, "pipe-race"),
    ROW(loads_while_computing, 0, "pipe-race"),
    ROW(loads_while_storing, 0, "pipe-race"),
    ROW(stores_before_load, 0, "pipe-race"),
    ROW(reads_number_too_early, 0, "pipe-race"),
    ROW(writes_number_too_late, 0, "pipe-race"),
    ROW(stores_number_too_early, 0, "pipe-race"),
    ROW(reads_loaded_number_too_early, 0, "pipe-race"),
    ROW(waits_for_nothing, 507034, "flag-never-set"),
    ROW(sets_twice, 0, "flag-set-twice"),
    ROW(leaves_flag, 0, "flag-left"),
    ROW(counts_flags_too_far, 507035, "event-range"),
    ROW(takes_too_much, 507035, "local-exceeded"),
    ROW(uses_bytes_behind_the_memory, 507035, "local-exceeded"),
    ROW(passes_tensor, 0, "tensor-exceeded"),
    ROW(passes_buffer_of_global_tensor, 0, "tensor-exceeded"),
    ROW(reads_past_allocation, 507035, "gm-exceeded"),
    ROW(writes_past_allocation, 507035, "gm-exceeded"),
    ROW(copies_to_odd_address, 507035, "misaligned"),
    ROW(computes_at_odd_address, 507035, "instruction"),
    ROW(computes_past_tensor, 507035, "instruction"),
    ROW(repeats_past_tensor, 507035, "instruction"),
    ROW(masks_past_lanes, 0, "mask-range"),
    ROW(masks_bits_past_lanes, 0, "mask-range"),
    ROW(copies_onto_itself, 507035, "overlap"),
    ROW(copies_too_many_blocks, 507035, "move-range"),
    ROW(enqueues_what_is_free, 507035, "queue"),
    ROW(takes_without_giving_back, 507035, "queue"),
    ROW(dequeues_from_empty, 507035, "queue"),
    ROW(frees_twice, 507035, "queue"),
    ROW(frees_into_another_queue, 507035, "queue"),
    ROW(enqueues_too_many, 507035, "queue"),
    ROW(uses_what_is_free, 507035, "tensor-freed"),
    ROW(leaves_tensor, 0, "tensor-left"),
    ROW(copies_part_of_tail, 0, "copy-tail"),
    ROW(copies_nothing, 0, "copy-tail"),
    ROW(opens_two_pipes, 507035, "two-pipes"),
    ROW(reads_what_nothing_wrote, 0, "local-unwritten"),
    ROW(traps, 507035, "trap"),
    ROW(asserts, 507035, "assert"),
    ROW(follows_null, 507035, "kernel-ended"),
    ROW(calls_itself, 507035, "kernel-ended"),
    ROW(writes_where_others_do, 0, "blocks-write-same", 4),
    ROW(leaves_gaps, 0, "blocks-gap", 4),
    ROW(reads_before_others_wrote, 0, "blocks-race", 4),
    ROW(some_miss_the_barrier, 507034, "blocks-hang", 4),
    ROW(threads_part_ways, 507034, "threads-hang"),
    ROW(too_many_threads, 507035, "threads"),
    ROW(threads_wait_apart, 0, "threads-apart"),
    ROW(lane_takes_no_part, 0, "lane-inactive"),
    ROW(thread_leaves_its_tile, 507034, "threads-hang"),
};

}  // namespace

std::span<const Planted> first_kernels() { return kPlanted; }

}  // namespace planted

using planted::kPlanted;
using planted::Planted;

TEST_CASE("planted mistakes of kernels are found, and their repaired twins are clean",
          "[planted]") {
  REQUIRE(std::size(kPlanted) >= 30);
  for (const Planted& mistake : kPlanted) {
    DYNAMIC_SECTION(mistake.name) { planted::check(mistake); }
  }
}

TEST_CASE("a barrier over more blocks than cores is found, and over as many it is not",
          "[planted]") {
  aclsimMachine machine{};
  machine.size = sizeof machine;
  REQUIRE(aclsimGetMachine(&machine) == 0);
  const Planted wide = {"too_wide", planted::too_wide, 507035, "barrier-too-wide"};
  std::string text;
  CHECK(planted::run(wide, true, machine.vectorCores, text) == 0);
  CHECK(text == "");
  CHECK(planted::run(wide, false, machine.vectorCores + 1, text) == 507035);
  CHECK(contains(text, "[barrier-too-wide]"));
}
