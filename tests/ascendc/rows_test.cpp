// SPDX-License-Identifier: Apache-2.0
// Functions of kernels that are no vector instructions, each with a value worked out by hand.
#include <cmath>
#include <limits>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/rows.h"
#include "tests/support/catch.h"

namespace {

using namespace AscendC;

void atomics(GM_ADDR x) {
  const auto all = words(x);
  LocalTensor<int32_t> t(TPosition::VECCALC, 0, 8);
  const auto store = [&](int32_t value) {
    Duplicate(t, value, 8);
    PipeBarrier<PIPE_ALL>();
    DataCopy(all, t, 8);
    PipeBarrier<PIPE_ALL>();
  };
  store(5);
  SetAtomicMax<int32_t>();
  store(3);  // 5
  SetAtomicMin<int32_t>();
  store(4);  // 4
  SetAtomicAdd<int32_t>();
  SetAtomicType<int32_t>();
  store(10);  // 14
  SetAtomicNone();
  Duplicate(t, 7, 8);
  PipeBarrier<PIPE_ALL>();
  DataCopy(all[8], t, 8);
}

void tensors(GM_ADDR x) {
  const auto all = words(x, 100);
  auto* const out = reinterpret_cast<int32_t*>(x);
  out[0] = static_cast<int32_t>(all.GetSize());
  out[1] = all.GetPhyAddr(3) == out + 3 && all.GetPhyAddr() == out;
  LocalTensor<half> t(TPosition::VECIN, 64, 32);
  out[2] = static_cast<int32_t>(t.GetSize());
  out[3] = static_cast<int32_t>(t.GetLength());
  out[4] = t.GetPosition() == static_cast<int32_t>(TPosition::VECIN);
  out[5] = static_cast<int32_t>(static_cast<uint64_t>(t.GetPhyAddr(4)) -
                                static_cast<uint64_t>(t.GetPhyAddr()));
  LocalTensor<float> part;
  part.SetAddrWithOffset(t, 4);
  out[6] = static_cast<int32_t>(static_cast<uint64_t>(part.GetPhyAddr()) -
                                static_cast<uint64_t>(t.GetPhyAddr()));
  t.SetBufferLen(32);
  out[7] = static_cast<int32_t>(t.GetSize());
  out[8] = t.GetUserTag();
  t.SetUserTag(9);
  out[9] = t.GetUserTag();
  const uint32_t shape[] = {3, 4, 5};
  t.SetShapeInfo(ShapeInfo(3, shape));
  out[10] = static_cast<int32_t>(GetShapeSize(t.GetShapeInfo()));
  auto other = all;
  other.SetShapeInfo(ShapeInfo(2, shape));
  out[11] = static_cast<int32_t>(GetShapeSize(other.GetShapeInfo()));
}

void queues(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  TPipe pipe;
  TQue<TPosition::VECIN, 2> queue;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(queue, 2, 64);
  pipe.InitBuffer(buffer, 128);
  out[0] = GetTPipePtr() == &pipe;
  out[1] = queue.HasIdleBuffer() * 100 + queue.HasTensorInQue() * 10 + queue.VacantInQue();
  auto a = queue.AllocTensor<int32_t>();
  out[2] = queue.GetState(a) == TBufState::OCCUPIED;
  queue.EnQue(a);
  auto b = queue.AllocTensor<int32_t>();
  out[3] = queue.HasIdleBuffer() * 100 + queue.HasTensorInQue() * 10 + queue.VacantInQue();
  queue.EnQue(b);
  out[4] = queue.GetTensorCountInQue() * 10 + queue.VacantInQue();
  for (int i = 0; i < 2; ++i) {
    auto tensor = queue.DeQue<int32_t>();
    queue.FreeTensor(tensor);
  }
  out[5] = queue.GetTensorCountInQue();
  queue.FreeAllEvent();
  const auto first = buffer.Get<int32_t>();
  const auto later = buffer.GetWithOffset<int32_t>(8, 64);
  out[6] = static_cast<int32_t>(static_cast<uint64_t>(later.GetPhyAddr()) -
                                static_cast<uint64_t>(first.GetPhyAddr()));
  out[7] = static_cast<int32_t>(later.GetSize());
  const TEventID id = pipe.FetchEventID<HardEvent::V_S>();
  out[8] = id == pipe.FetchEventID<HardEvent::V_S>();
  const TEventID taken = pipe.AllocEventID<HardEvent::V_S>();
  out[9] = taken != pipe.FetchEventID<HardEvent::V_S>();
  pipe.ReleaseEventID<HardEvent::V_S>(taken);
  out[10] = taken == pipe.FetchEventID<HardEvent::V_S>();
}

void pools(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  TPipe pipe;
  TBufPool<TPosition::VECCALC> pool, same;
  pipe.InitBufPool(pool, 256);
  pipe.InitBufPool(same, 256, pool);
  TBuf<TPosition::VECCALC> one, two, again;
  pool.InitBuffer(one, 64);
  pool.InitBuffer(two, 64);
  const auto at = [](auto& buffer) {
    return static_cast<int64_t>(static_cast<uint64_t>(buffer.template Get<int32_t>().GetPhyAddr()));
  };
  out[0] = static_cast<int32_t>(at(two) - at(one));
  same.InitBuffer(again, 64);
  out[1] = at(again) == at(one);
  pool.Reset();
  TBuf<TPosition::VECCALC> anew;
  pool.InitBuffer(anew, 64);
  out[2] = at(anew) == at(one);
}

void flags_between_blocks(GM_ADDR x) {
  const auto all = words(x);
  const GlobalTensor<int32_t> flags = all[64];
  LocalTensor<int32_t> t(TPosition::VECCALC, 0, 8);
  auto* const out = reinterpret_cast<int32_t*>(x);
  if (GetBlockIdx() == 0) {
    WriteGmByPassDCache(out, int32_t{42});
    IBSet(flags, t, 0, 0);
  } else {
    IBWait(flags, t, 0, 0);
    out[1] = ReadGmByPassDCache(out) + 1;
  }
}

/// Blocks 0 and 1 arrive three times, blocks 2 to 4 wait for both each time.
void a_group_waits_for_another(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  GroupBarrier<PipeMode::MTE3_MODE> barrier(x + 512, 2, 3);
  const auto block = static_cast<uint32_t>(GetBlockIdx());
  for (int32_t round = 0; round < 3; ++round) {
    if (block < 2) {
      WriteGmByPassDCache(out + 8 * round + block, 40 + round);
      barrier.Arrive(block);
    } else {
      barrier.Wait(block - 2);
      WriteGmByPassDCache(
          out + 64 + 8 * round + block,
          ReadGmByPassDCache(out + 8 * round) + ReadGmByPassDCache(out + 8 * round + 1));
    }
  }
  if (block == 0) out[100] = static_cast<int32_t>(barrier.GetWorkspaceLen());
}
void overlaps_with_other_kernels(GM_ADDR x) {
  WaitPreTaskEnd();
  *reinterpret_cast<int32_t*>(x) = 5;
  SetNextTaskStart();
}

void words_of_the_core(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  out[0] = static_cast<int32_t>(get_block_idx());
  out[1] = static_cast<int32_t>(GetTaskRatio());
  out[2] = static_cast<int32_t>(GetSubBlockNum());
  out[3] = GetDataBlockSizeInBytes();
  const int64_t before = GetSystemCycle();
  out[4] = GetSystemCycle() >= before;
  out[5] = static_cast<int32_t>(GetUserWorkspace(x) - x);
  dcci(reinterpret_cast<__gm__ int64_t*>(x), cache_line_t::ENTIRE_DATA_CACHE);
}

void traps(GM_ADDR) { Trap(); }

}  // namespace

TEST_CASE(
    "copies into global memory keep the greater, keep the less or add until that is switched off",
    "[rows]") {
  const auto x = run<atomics>();
  CHECK(x[0] == 14);
  CHECK(x[7] == 14);
  CHECK(x[8] == 7);
}

TEST_CASE("tensors tell their size, position, address, tag and shape", "[rows]") {
  const auto x = run<tensors>();
  CHECK(std::vector<int32_t>(x.begin(), x.begin() + 12) ==
        std::vector<int32_t>{100, 1, 32, 64, 1, 8, 16, 16, -1, 9, 60, 12});
}

TEST_CASE("queues tell what they hold, and event ids are taken and given back", "[rows]") {
  const auto x = run<queues>();
  CHECK(std::vector<int32_t>(x.begin(), x.begin() + 11) ==
        std::vector<int32_t>{1, 101, 1, 11, 20, 0, 64, 8, 1, 1, 1});
}

TEST_CASE("a pool hands out its part again when it is reset, and shares it with another",
          "[rows]") {
  const auto x = run<pools>();
  CHECK(std::vector<int32_t>(x.begin(), x.begin() + 3) == std::vector<int32_t>{64, 1, 1});
}

TEST_CASE("IBWait of a block waits for IBSet of another", "[rows]") {
  const auto x = run<flags_between_blocks>(2);
  CHECK(x[0] == 42);
  CHECK(x[1] == 43);
}

TEST_CASE("a group of blocks waits until another group has arrived, each time", "[rows]") {
  const auto x = run<a_group_waits_for_another>(5);
  for (std::size_t round = 0; round < 3; ++round) {
    for (std::size_t block = 2; block < 5; ++block) {
      CAPTURE(round, block);
      CHECK(x[64 + 8 * round + block] == static_cast<int32_t>(2 * (40 + round)));
    }
  }
  CHECK(x[100] == 3 * 512);
}

void outside_of_the_group(GM_ADDR x) {
  GroupBarrier<PipeMode::MTE3_MODE> barrier(x + 512, 2, 3);
  barrier.Arrive(2);
}
void workspace_between_slots(GM_ADDR x) {
  GroupBarrier<PipeMode::MTE3_MODE> barrier(x + 256, 2, 3);
}
TEST_CASE("a group barrier refuses a core outside of its group and an odd workspace", "[rows]") {
  const auto refused = [](auto kernel) {
    Device device;
    const auto memory = device.memory(std::vector<int32_t>(1024));
    Said said;
    CHECK(kernel(reinterpret_cast<GM_ADDR>(memory.data())) == 0);
    CHECK(device.synchronize() == 507035);
    return said.text();
  };
  CHECK(contains(
      refused([](GM_ADDR x) { return launch("outside_of_the_group", outside_of_the_group, 1, x); }),
      "GroupBarrier::Arrive: arriveIndex"));
  CHECK(contains(refused([](GM_ADDR x) {
                   return launch("workspace_between_slots", workspace_between_slots, 1, x);
                 }),
                 "GroupBarrier: bytes of the workspace behind a multiple of 512"));
}

TEST_CASE("words that let joined kernels overlap change nothing in one kernel", "[rows]") {
  CHECK(run<overlaps_with_other_kernels>()[0] == 5);
}

TEST_CASE("a kernel reads what core it runs on", "[rows]") {
  const auto x = run<words_of_the_core>();
  CHECK(std::vector<int32_t>(x.begin(), x.begin() + 6) ==
        std::vector<int32_t>{0, 1, 1, 32, 1, 16 << 20});
}

TEST_CASE("Trap ends the kernel with an exception of its core", "[rows]") {
  Device device;
  Said said;
  CHECK(launch("traps", traps, 1, static_cast<GM_ADDR>(nullptr)) == 0);
  CHECK(device.synchronize() == 507035);
  CHECK(contains(said.text(), "[trap]"));
}

TEST_CASE("scalar functions count bits, round and divide", "[rows]") {
  CHECK(CeilDivision(7, 2) == 4);
  CHECK(CeilDivision(8, 2) == 4);
  CHECK(GetBitCount<1>(0xf0) == 4);
  CHECK(GetBitCount<0>(0xf0) == 60);
  CHECK(ScalarGetCountOfValue<1>(~0ULL) == 64);
  CHECK(CountLeadingZero(1) == 63);
  CHECK(CountLeadingZero(0) == 64);
  CHECK(ScalarCountLeadingZero(1ULL << 63) == 0);
  CHECK(CountBitsCntSameAsSignBit(-1) == 63);
  CHECK(CountBitsCntSameAsSignBit(1) == 62);
  CHECK(GetSFFValue<1>(8) == 3);
  CHECK(GetSFFValue<0>(7) == 3);
  CHECK(ScalarGetSFFValue<1>(0) == -1);
  CHECK(ToFloat(bfloat16_t(1.5F)) == 1.5F);
  CHECK((ScalarCast<float, int32_t, RoundMode::CAST_CEIL>(1.25F)) == 2);
  CHECK((ScalarCast<float, int32_t, RoundMode::CAST_FLOOR>(-1.25F)) == -2);
  CHECK((ScalarCast<float, int32_t, RoundMode::CAST_ROUND>(2.5F)) == 3);
}

TEST_CASE("the limits of numbers are those of their type", "[rows]") {
  CHECK(NumericLimits<float>::Lowest() == std::numeric_limits<float>::lowest());
  CHECK(std::isinf(NumericLimits<float>::Infinity()));
  CHECK(NumericLimits<float>::NegativeInfinity() < 0);
  CHECK(std::isnan(NumericLimits<float>::QuietNaN()));
  CHECK(std::isnan(NumericLimits<float>::SignalingNaN()));
  CHECK(NumericLimits<float>::DeNormMin() == std::numeric_limits<float>::denorm_min());
  CHECK(static_cast<float>(NumericLimits<half>::Lowest()) == -65504.0F);
}
