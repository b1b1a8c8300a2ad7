// SPDX-License-Identifier: Apache-2.0
// Buffers by handle and by address: queues of two positions, pools that a program writes, TPipe
// without queues.
#include <vector>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/rows.h"
#include "tests/support/catch.h"

namespace {

using namespace AscendC;

template <class Tensor>
int32_t address(const Tensor& tensor) {
  return static_cast<int32_t>(
      aclsimLocalOffset(reinterpret_cast<const void*>(static_cast<uint64_t>(tensor.GetPhyAddr()))));
}

void bound_queue(GM_ADDR x) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
  pipe.InitBuffer(queue, 1, 32);
  SetAtomicNone();
  words(x).SetValue(0, 41);
  SetFlag<HardEvent::S_MTE2>(EVENT_ID0);
  WaitFlag<HardEvent::S_MTE2>(EVENT_ID0);
  auto in = queue.AllocTensor<int32_t>();
  DataCopy(in, words(x), 8);
  queue.EnQue<TPosition::GM, TPosition::VECIN>(in);
  auto out = queue.DeQue<TPosition::GM, TPosition::VECIN, int32_t>();
  DataCopy(words(x)[8], out, 8);
  queue.FreeTensor(out);
}

void handles(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 96);
  pipe.InitBuffer(queue, 1, 100);
  auto tensor = queue.AllocTensor<int32_t>();
  const TBufHandle handle = tensor.GetBufferHandle();
  const TBuffAddr of_queue = queue.GetBufferAddr(handle);
  out[0] = static_cast<int32_t>(of_queue.dataLen);  // rounded up to 32
  out[1] = static_cast<int32_t>(of_queue.bufferAddr);
  out[2] = of_queue.logicPos == static_cast<uint8_t>(TPosition::VECIN);
  out[3] = queue.EnQue(handle) && queue.DeQue() == handle;
  queue.FreeBuffer(handle);
  out[4] = queue.HasIdleBuffer();
  const TBuffAddr of_buffer = buffer.GetBufferAddr(buffer.Get());
  out[5] = static_cast<int32_t>(of_buffer.dataLen);
  out[6] = static_cast<int32_t>(of_buffer.bufferAddr);
  buffer.FreeBuffer(buffer.Get());  // a TBuf is no queue: it stays
  out[7] = static_cast<int32_t>(buffer.Get<int32_t>().GetSize());
}

void freed_by_handle(GM_ADDR) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 1, 64);
  auto tensor = queue.AllocTensor<int32_t>();
  queue.FreeBuffer(tensor.GetBufferHandle());
  queue.FreeBuffer(tensor.GetBufferHandle());
}

/// As programs write them: the newest buffers lie lowest.
class DownwardPool {
 public:
  template <class T>
  bool InitBuffer(T& queue, uint8_t num, uint32_t len) {
    len = (len + 31) / 32 * 32;
    const TBufHandle handle = GetBufHandle(GetCurBufSize());
    queue.InitStartBufHandle(handle, num, len);
    for (uint32_t i = 0; i < num; ++i) {
      queue.InitBufHandle(this, i, handle + i, GetCurAddr() + (num - 1 - i) * len, len);
    }
    SetCurAddr(GetCurAddr() + num * len);
    SetCurBufSize(static_cast<uint8_t>(GetCurBufSize() + num));
    return true;
  }
  template <TPosition bufPos>
  bool InitBuffer(TBuf<bufPos>& buffer, uint32_t len) {
    buffer.InitStartBufHandle(GetBufHandle(GetCurBufSize()), 1, len);
    buffer.InitBufHandle(this, 0, GetBufHandle(GetCurBufSize()), GetCurAddr(), len);
    SetCurAddr(GetCurAddr() + len);
    SetCurBufSize(static_cast<uint8_t>(GetCurBufSize() + 1));
    return true;
  }
  EXTERN_IMPL_BUFPOOL(DownwardPool, TPosition::VECCALC, 16);
};

void written_pool(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  TPipe pipe;
  TBuf<TPosition::VECCALC> before;
  pipe.InitBuffer(before, 64);
  DownwardPool pool, same;
  pipe.InitBufPool(pool, 512);
  pipe.InitBufPool(same, 512, pool);
  TQue<TPosition::VECIN, 2> queue;
  TBuf<TPosition::VECCALC> buffer;
  pool.InitBuffer(queue, 2, 60);
  pool.InitBuffer(buffer, 32);
  auto a = queue.AllocTensor<int32_t>();
  auto b = queue.AllocTensor<int32_t>();
  out[0] = address(a);
  out[1] = address(b);
  out[2] = address(buffer.Get<int32_t>());
  out[3] = pool.GetCurBufSize();
  out[4] = static_cast<int32_t>(a.GetSize());
  out[5] = static_cast<int32_t>(same.GetCurAddr());
  Duplicate(a, 7, 16);
  queue.EnQue(a);
  queue.EnQue(b);
  for (int i = 0; i < 2; ++i) {
    auto tensor = queue.DeQue<int32_t>();
    queue.FreeTensor(tensor);
  }
  pool.Reset();
  out[6] = static_cast<int32_t>(pool.GetCurAddr());
}

void given_addresses(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  TPipe pipe;
  TQue<TPosition::VECOUT, 2> queue;
  pipe.InitBuffer(queue, Std::make_tuple(1024U, 64U), Std::tuple<int, int>(256, 32));
  auto a = queue.AllocTensor<int32_t>();
  auto b = queue.AllocTensor<int32_t>();
  out[0] = address(a);
  out[1] = static_cast<int32_t>(a.GetSize());
  out[2] = address(b);
  out[3] = static_cast<int32_t>(b.GetSize());
  queue.FreeTensor(a);
  queue.FreeTensor(b);
}

template <uint32_t at, uint32_t length>
void bad_address(GM_ADDR) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, Std::make_tuple(at, length));
}

void index_too_large(GM_ADDR) {
  TQue<TPosition::VECIN, 1> queue;
  queue.InitStartBufHandle(nullptr, 2, 64);
  queue.InitBufHandle(static_cast<int*>(nullptr), 2, nullptr, 0, 64);
}

void without_address(GM_ADDR) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  queue.InitStartBufHandle(nullptr, 1, 64);
  queue.AllocTensor<int32_t>();
}

void absolute(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 128);
  auto tensor = buffer.Get<int32_t>();
  Duplicate(tensor, 3, 32);
  SetFlag<HardEvent::V_S>(EVENT_ID0);
  WaitFlag<HardEvent::V_S>(EVENT_ID0);
  const auto later = pipe.GetAbsAddr<TPosition::VECCALC, int32_t>(96, 8);
  out[0] = later.GetValue(7);
  out[1] = static_cast<int32_t>(later.GetSize());
  const TBuffAddr plain = pipe.GetAbsAddr<TPosition::VECIN>(96, 20);
  out[2] = static_cast<int32_t>(plain.bufferAddr);
  out[3] = static_cast<int32_t>(plain.dataLen);
  out[4] = static_cast<int32_t>(pipe.GetAbsAddr(tensor[4]));
  out[5] = static_cast<int32_t>(GetAbsAddr(&pipe, tensor[8]));
  const auto base =
      reinterpret_cast<uint64_t>(pipe.GetBaseAddr(static_cast<int8_t>(TPosition::VECCALC)));
  out[6] = base == static_cast<uint64_t>(tensor.GetPhyAddr());
  out[7] = plain.absAddr - reinterpret_cast<uint8_t*>(base) == 96;
}

void destroyed(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  TPipe first;
  TBuf<TPosition::VECCALC> buffer, again;
  first.InitBuffer(buffer, 64);
  first.DestroyWithoutPipeAll();
  TPipe second;
  second.InitBuffer(again, 64);
  out[0] = address(again.Get<int32_t>());
  out[1] = GetTPipePtr() == &second;
}

void allocator(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  LocalMemAllocator ub;
  out[0] = static_cast<int32_t>(ub.GetCurAddr());
  ub.Alloc<half>(17);
  out[1] = static_cast<int32_t>(ub.GetCurAddr());  // 34 bytes, rounded up
  ub.Alloc<TPosition::VECIN, float, 8>();
  out[2] = static_cast<int32_t>(ub.GetCurAddr());
  LocalMemAllocator<Hardware::L1> l1;
  out[3] = l1.Alloc<float>(8).GetPosition() == static_cast<int32_t>(TPosition::A1);
  out[4] = static_cast<int32_t>(l1.GetCurAddr());
}

void laid_out(GM_ADDR x) {
  auto* const out = reinterpret_cast<int32_t*>(x);
  // Three rows of five, eight apart: the last is cut off where it ends.
  const auto rows = MakeLayout(MakeShape(3, Std::Int<5>{}), MakeStride(8, Std::Int<1>{}));
  LocalMemAllocator ub;
  const auto first = ub.Alloc<float>(rows);
  out[0] = static_cast<int32_t>(first.GetSize());
  out[1] = static_cast<int32_t>(ub.GetCurAddr());
  const LocalTensor<half> second(ub.GetCurAddr(), MakeLayout(MakeShape(MakeShape(2, 2), 16),
                                                             MakeStride(MakeStride(64, 32), 1)));
  out[2] = static_cast<int32_t>(second.GetSize());
  out[3] = address(second);
  const auto one = ub.Alloc<float>(MakeLayout(MakeShape(1, 1), MakeStride(100, 100)));
  out[4] = static_cast<int32_t>(one.GetSize());
  out[5] = Std::get<1>(rows.GetShape()) * 10 + Std::get<0>(rows.GetStride());
  out[6] = is_layout_v<decltype(rows)> * 10 + is_layout_v<std::decay_t<decltype(rows)>>;
}

}  // namespace

TEST_CASE("a tensor with a layout has as many elements as that reaches over", "[buffers]") {
  CHECK(first_words<laid_out>(7) == std::vector<int32_t>{21, 96, 112, 96, 1, 58, 1});
}

TEST_CASE("a queue from VECIN to VECOUT carries a tensor from one copy to the next", "[buffers]") {
  CHECK(run<bound_queue>()[8] == 41);
}

TEST_CASE("a handle names the buffer of a tensor", "[buffers]") {
  CHECK(first_words<handles>(8) == std::vector<int32_t>{128, 96, 1, 1, 1, 96, 0, 24});
}

TEST_CASE("a buffer that is freed twice by its handle is found", "[buffers]") {
  CHECK(
      contains(refused<freed_by_handle>(), "FreeTensor: buffer 0 of 1 of the VECIN queue is free"));
}

TEST_CASE("a pool that a program writes decides where the buffers of a queue lie", "[buffers]") {
  CHECK(first_words<written_pool>(7) == std::vector<int32_t>{128, 64, 192, 3, 16, 64, 64});
}

TEST_CASE("InitBuffer takes an address and a length for each buffer", "[buffers]") {
  CHECK(first_words<given_addresses>(4) == std::vector<int32_t>{1024, 16, 256, 8});
}

TEST_CASE("an address that no buffer can have is refused with the limit", "[buffers]") {
  CHECK(contains(refused<bad_address<16, 64>>(),
                 "InitBuffer: the address is 16; expected a multiple of 32"));
  CHECK(contains(refused<bad_address<196576, 64>>(),
                 "InitBuffer: 64 bytes at 196576 do not fit into UB, which has 196608 bytes"));
  CHECK(contains(refused<bad_address<0, 0>>(), "InitBuffer: the length is 0"));
  CHECK(contains(refused<index_too_large>(),
                 "InitBufHandle: the index is 2; expected less than the 2 of"));
  CHECK(contains(refused<without_address>(),
                 "AllocTensor: buffer 0 of 1 of the VECIN queue has no address; InitBufHandle was "
                 "not called"));
}

TEST_CASE("a TPipe tells addresses, and makes tensors of them", "[buffers]") {
  CHECK(first_words<absolute>(8) == std::vector<int32_t>{3, 8, 96, 20, 16, 32, 1, 1});
}

TEST_CASE("after DestroyWithoutPipeAll another TPipe begins at the start of the memory",
          "[buffers]") {
  CHECK(first_words<destroyed>(2) == std::vector<int32_t>{0, 1});
}

TEST_CASE("GetCurAddr is where the next tensor of an allocator begins", "[buffers]") {
  CHECK(first_words<allocator>(5) == std::vector<int32_t>{0, 64, 96, 1, 32});
}
