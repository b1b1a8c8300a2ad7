// SPDX-License-Identifier: Apache-2.0
// Members of tensors, queues, buffers and pools in each of their forms: their results, and the
// bytes that pass through.
#include <cmath>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/rows.h"
#include "tests/support/catch.h"
#include "tiling/platform/platform_ascendc.h"

namespace members {
namespace {

using namespace AscendC;

constexpr uint32_t kUnifiedBuffer = __NPU_ARCH__ == 3510 ? 253952 : 196608;

template <class Tensor>
int32_t offset_of(const Tensor& tensor) {
  return static_cast<int32_t>(
      aclsimLocalOffset(reinterpret_cast<const void*>(static_cast<uint64_t>(tensor.GetPhyAddr()))));
}

void tensors_made(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  const LocalTensor<int16_t> rest(kUnifiedBuffer - 64);
  out[0] = static_cast<int32_t>(rest.GetSize());  // up to the end of the memory
  out[1] = offset_of(rest);
  const LocalTensor<int32_t> placed(TPosition::VECIN, 96, 24);
  out[2] = offset_of(placed) + placed.GetPosition() * 1000;
  TBuffAddr address;
  address.dataLen = 64;
  address.bufferAddr = 96;
  address.logicPos = static_cast<uint8_t>(TPosition::VECOUT);
  address.absAddr = reinterpret_cast<uint8_t*>(static_cast<uint64_t>(placed.GetPhyAddr()));
  const LocalTensor<int64_t> same(address);
  for (uint32_t i = 0; i < 8; ++i) same.SetValue(i, int64_t{i} << 32 | 5);
  out[3] = placed.GetValue(15) * 10 + placed.GetValue(14);
  out[4] = static_cast<int32_t>(same.GetSize()) + same.GetPosition() * 1000;
  const LocalTensor<int32_t> copy(placed);
  copy(3) = 77;
  out[5] = placed(3);
  out[6] = static_cast<int32_t>(LocalTensor<float>().GetSize());
  out[7] = placed[20].GetValue(0) == placed.GetValue(20) && placed[20].GetSize() == 4;
}

void shapes(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  const uint32_t now[] = {2, 3, 4}, before[] = {6, 4};
  const ShapeInfo all(3, now, 2, before, DataFormat::NZ), formatted(3, now, DataFormat::NCHW),
      plain(2, before);
  out[0] = static_cast<int32_t>(GetShapeSize(all));
  out[1] = all.originalShapeDim * 100 +
           static_cast<int32_t>(all.originalShape[0] * all.originalShape[1]);
  out[2] = all.dataFormat == DataFormat::NZ && formatted.dataFormat == DataFormat::NCHW &&
           plain.dataFormat == DataFormat::ND;
  out[3] = static_cast<int32_t>(formatted.originalShape[2] + formatted.originalShapeDim);
  LocalTensor<float> t(TPosition::VECCALC, 0, 24);
  t.SetShapeInfo(formatted);
  out[4] = static_cast<int32_t>(t.GetShapeInfo().shape[2] * 100 + t.GetShapeInfo().shapeDim);
  out[5] = static_cast<int32_t>(GetShapeSize(ShapeInfo()));
}

void global_tensors(GM_ADDR x) {
  GlobalTensor<int32_t> open, sized;
  open.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(x));
  sized.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(x), 40);
  open.SetValue(20, 5);
  sized(21) = open.GetValue(20) + 1;
  open(0) = static_cast<int32_t>(open.GetSize());
  open(1) = static_cast<int32_t>(sized.GetSize());
  open(2) = static_cast<int32_t>(sized[21].GetSize());
  open(3) = sized[21].GetValue(0);
  open(4) = sized.GetPhyAddr(7) - sized.GetPhyAddr() == 7;
}

// A tensor of a queue goes on as the same bytes, in whichever form it is taken, put and had back.
void queue_forms(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> bound;
  TQue<TPosition::VECIN, 0> in_place;
  pipe.InitBuffer(bound, 2, 32);
  pipe.InitBuffer(in_place, 1, 64);
  LocalTensor<int32_t> a, b;
  bound.AllocTensor<int32_t>(a);
  bound.AllocTensor<int32_t>(b);
  a.SetValue(7, 11);
  b.SetValue(7, 12);
  out[0] = bound.HasIdleBuffer();
  out[1] = bound.EnQue<TPosition::GM, TPosition::VECIN>(a.GetBufferHandle());
  out[2] = bound.EnQue(b);
  const TBufHandle first = bound.DeQue<TPosition::GM, TPosition::VECIN>();
  out[3] = first == a.GetBufferHandle() && bound.GetState(first) == TBufState::DEQUE;
  LocalTensor<int32_t> second;
  bound.DeQue<int32_t>(second);
  out[4] = second.GetValue(7);
  bound.FreeBuffer(first);
  bound.FreeTensor(second);
  out[5] = bound.GetState(first) == TBufState::FREE;
  LocalTensor<int32_t> only;
  in_place.AllocTensor<int32_t>(only);
  only.SetValue(0, 13);
  in_place.EnQue(only);
  in_place.DeQue<int32_t>(only);
  out[6] = only.GetValue(0) + static_cast<int32_t>(only.GetSize());
  in_place.FreeTensor(only);
}

void buffer_forms(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  TPipe pipe;
  TBuf<TPosition::VECOUT> buffer;
  pipe.InitBuffer(buffer, 64);
  const auto whole = buffer.Get<int32_t>();
  const auto part = buffer.Get<int32_t>(3);
  for (uint32_t i = 0; i < 16; ++i) whole.SetValue(i, static_cast<int32_t>(i) + 100);
  out[0] = static_cast<int32_t>(whole.GetSize());
  out[1] = static_cast<int32_t>(part.GetSize()) * 1000 + part.GetValue(2);
  out[2] = whole.GetPosition() == static_cast<int32_t>(TPosition::VECOUT);
  auto taken = buffer.AllocTensor<int32_t>();
  buffer.EnQue(taken);
  out[3] = buffer.EnQue(buffer.Get(32));
  const auto back = buffer.DeQue<int32_t>();
  out[4] = back.GetValue(15);
  out[5] = buffer.DeQue() == buffer.Get() && buffer.Get() == whole.GetBufferHandle();
  buffer.FreeTensor(taken);
  out[6] = buffer.GetState(taken) == TBufState::OCCUPIED;  // it is no queue
  out[7] = buffer.AllocTensor<int32_t>().GetValue(0);
}

void pools_in_pools(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  TPipe pipe;
  TBufPool<TPosition::VECCALC> outer, inner;
  TQue<TPosition::VECIN, 1> queue;
  TBuf<TPosition::VECCALC> buffer, again, behind;
  pipe.InitBufPool(outer, 256);
  outer.Init();
  outer.InitBufPool(inner, 128);
  out[0] = inner.InitBuffer(buffer, 64);
  out[1] = inner.InitBuffer(queue, 1, 64);
  auto t = queue.AllocTensor<int32_t>();
  out[2] = offset_of(t) - offset_of(buffer.Get<int32_t>());
  queue.FreeTensor(t);
  outer.InitBuffer(behind, 32);
  out[3] = offset_of(behind.Get<int32_t>());  // behind the inner pool
  pipe.Reset();
  pipe.InitBuffer(again, 32);
  out[4] = offset_of(again.Get<int32_t>());
}

void pipes_made_again(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  TPipe pipe;
  TBuf<TPosition::VECCALC> one, two;
  pipe.InitBuffer(one, 64);
  const auto event = pipe.FetchEventID(HardEvent::MTE2_V);
  out[0] = event == pipe.FetchEventID<HardEvent::MTE2_V>();
  pipe.Destroy();
  pipe.Init();
  pipe.InitBuffer(two, 96);
  out[1] = offset_of(two.Get<int32_t>());
  out[2] = static_cast<int32_t>(two.Get<int32_t>().GetSize());
  out[3] = GetTPipePtr() == &pipe;
}

void rest_of_memory(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  TPipe pipe;
  TBuf<TPosition::VECCALC> one, all;
  LocalTensor<int32_t> rest;
  LocalTensor<uint8_t> bytes, none;
  out[0] = PopStackBuffer<int32_t, TPosition::VECCALC>(rest);
  out[1] = offset_of(rest);
  pipe.InitBuffer(one, 64);
  out[2] = PopStackBuffer<uint8_t, TPosition::LCM>(bytes);
  out[3] = offset_of(bytes) + static_cast<int32_t>(bytes.GetSize());
  out[4] = static_cast<int32_t>(rest.GetSize()) * 4 - static_cast<int32_t>(bytes.GetSize());
  pipe.InitBuffer(all, bytes.GetSize());
  out[5] = PopStackBuffer<uint8_t, TPosition::VECIN>(none);
}

void allocator_forms(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  LocalMemAllocator ub;
  const auto a = ub.Alloc<int16_t, 20>();
  const auto b = ub.Alloc<TPosition::VECOUT, int32_t>(9);
  const auto c = ub.Alloc<TPosition::VECIN, float, 8>();
  const auto d = ub.Alloc<half>(16);
  out[0] = offset_of(a) + static_cast<int32_t>(a.GetSize()) * 1000;
  out[1] = offset_of(b) + static_cast<int32_t>(b.GetSize()) * 1000;
  out[2] = offset_of(c) + c.GetPosition() * 1000;
  out[3] = offset_of(d) + d.GetPosition() * 1000;
  out[4] = static_cast<int32_t>(ub.GetCurAddr());
}

// Vector, copy and scalar unit wait for each other by the ids that TQueSync is given.
void synchronised(GM_ADDR x) {
  LocalTensor<int32_t> t(TPosition::VECCALC, 0, 8);
  TQueSync<PIPE_S, PIPE_V> to_vector;
  TQueSync<PIPE_V, PIPE_MTE3> to_copy;
  for (uint32_t i = 0; i < 8; ++i) t.SetValue(i, static_cast<int32_t>(i) + 13);
  to_vector.SetFlag(1);
  to_vector.WaitFlag(1);
  Adds(t, t[0], 1, 8);
  to_copy.SetFlag(2);
  to_copy.WaitFlag(2);
  DataCopy(words(x), t, 8);
}

}  // namespace

TEST_CASE(
    "local tensors are made of a place, of what is behind it, of an address and of each other",
    "[members]") {
  const int32_t in = static_cast<int32_t>(TPosition::VECIN) * 1000,
                out = static_cast<int32_t>(TPosition::VECOUT) * 1000;
  CHECK(first_words<tensors_made>(8) ==
        std::vector<int32_t>{32, int32_t{kUnifiedBuffer} - 64, 96 + in, 75, 8 + out, 77, 0, 1});
}

TEST_CASE("a shape has its axes, those it had before, and a format", "[members]") {
  CHECK(first_words<shapes>(6) == std::vector<int32_t>{24, 224, 1, 7, 403, 1});
}

TEST_CASE("a global tensor of no length reads and writes as one with a length does", "[members]") {
  std::vector<int32_t> x = run<global_tensors>();
  CHECK(std::vector<int32_t>(x.begin(), x.begin() + 5) == std::vector<int32_t>{0, 40, 19, 6, 1});
  CHECK(x[20] == 5);
  CHECK(x[21] == 6);
}

TEST_CASE("queues give tensors and handles in place or as results, in the order in which they came",
          "[members]") {
  CHECK(first_words<queue_forms>(7) == std::vector<int32_t>{0, 1, 1, 1, 12, 1, 29});
}

TEST_CASE("a TBuf is the same memory whatever it is asked for", "[members]") {
  CHECK(first_words<buffer_forms>(8) == std::vector<int32_t>{16, 3102, 1, 1, 115, 1, 1, 100});
}

TEST_CASE("a pool within a pool has a part of it, and Reset of the TPipe begins anew",
          "[members]") {
  CHECK(first_words<pools_in_pools>(5) == std::vector<int32_t>{1, 1, 64, 128, 0});
}

TEST_CASE("a TPipe that was destroyed begins at the start of the memory after Init", "[members]") {
  CHECK(first_words<pipes_made_again>(4) == std::vector<int32_t>{1, 0, 24, 1});
}

TEST_CASE("PopStackBuffer gives the bytes behind all buffers", "[members]") {
  CHECK(first_words<rest_of_memory>(6) ==
        std::vector<int32_t>{1, 0, 1, int32_t{kUnifiedBuffer}, 64, 0});
}

TEST_CASE("an allocator gives tensors one behind the other, at multiples of 32 bytes",
          "[members]") {
  const int32_t in = static_cast<int32_t>(TPosition::VECIN) * 1000,
                calc = static_cast<int32_t>(TPosition::VECCALC) * 1000;
  CHECK(first_words<allocator_forms>(5) ==
        std::vector<int32_t>{20000, 9064, 128 + in, 160 + calc, 192});
}

TEST_CASE("TQueSync orders the units that it is made for", "[members]") {
  CHECK(run<synchronised>()[7] == 21);
}

TEST_CASE("numbers that have limits are those of their type, of 16 bits, too", "[members]") {
  CHECK(static_cast<float>(NumericLimits<half>::Max()) == 65504.0F);
  CHECK(static_cast<float>(NumericLimits<half>::Min()) == 0x1p-14F);
  CHECK(static_cast<float>(NumericLimits<half>::DeNormMin()) == 0x1p-24F);
  CHECK(static_cast<float>(NumericLimits<half>::Infinity()) == HUGE_VALF);
  CHECK(static_cast<float>(NumericLimits<half>::NegativeInfinity()) == -HUGE_VALF);
  CHECK(NumericLimits<float>::Max() == 0x1.fffffep127F);
  CHECK(NumericLimits<float>::Min() == 0x1p-126F);
}

TEST_CASE("the manager of platforms has one platform, that of the machine", "[members]") {
  Device device;
  const auto* const one = platform_ascendc::PlatformAscendCManager::GetInstance();
  CHECK(one == platform_ascendc::PlatformAscendCManager::GetInstance());
  aclsimMachine machine{};
  machine.size = sizeof machine;
  REQUIRE(aclsimGetMachine(&machine) == 0);
  CHECK(one->GetCoreNumAiv() == machine.vectorCores);
}

}  // namespace members
