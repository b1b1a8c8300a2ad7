// SPDX-License-Identifier: Apache-2.0
// For each row of limit_rows.h the least and the greatest value are accepted, and the values beside
// them are refused with the row's word. A row without a kernel here does not compile.
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "runtime/ascendc/core/arch.h"
#include "tests/ascendc/rows.h"
#include "tests/support/catch.h"

namespace limits {
namespace {

using namespace AscendC;

std::function<void(GM_ADDR)> limit_body;
void run_limit_body(GM_ADDR x) { limit_body(x); }

/// The messages of a kernel, and its result.
std::string said_of(std::function<void(GM_ADDR)> body, int& code,
                    std::uint32_t cores = ACLSIM_CORES_INFERRED) {
  Device device;
  const auto memory = device.memory(std::vector<int32_t>(1U << 16, 0));
  limit_body = std::move(body);
  Said said;
  const int enqueued = KernelOf<&run_limit_body>::enqueue("limits", cores, 1, nullptr,
                                                          reinterpret_cast<GM_ADDR>(memory.data()));
  code = device.synchronize();
  CHECK(enqueued == 0);
  return said.text();
}

// ---- what each row is about, with a value for its argument ----

using Value = std::uint32_t;
LocalTensor<int32_t> local(uint32_t bytes = 65536) { return {TPosition::VECCALC, 0, bytes / 4}; }

template <class F>
void limit_COPY_BLOCKS(GM_ADDR x, Value blocks, F) {
  LocalTensor<int32_t> l1(TPosition::TSCM, 0, 4096 * 8);
  DataCopy(l1, words(x, 1U << 16), DataCopyParams(static_cast<uint16_t>(blocks), 1, 0, 0));
}
template <class F>
void limit_COPY_LOCAL(GM_ADDR x, Value byte, F) {
  const auto bytes = local().ReinterpretCast<int8_t>();
  DataCopy(bytes[byte].template ReinterpretCast<int32_t>(), words(x), 8);
}
LocalTensor<int32_t> filled_l1(GM_ADDR x) {
  const LocalTensor<int32_t> l1(TPosition::C1, 0, 64);
  DataCopy(l1, words(x), 64);
  PipeBarrier<PIPE_ALL>();
  return l1;
}
template <class F>
void limit_COPY_BIAS(GM_ADDR x, Value byte, F) {
  DataCopy(LocalTensor<int32_t>(TPosition::C2, byte, 32), filled_l1(x), 32);
}
template <class F>
void limit_COPY_FIXPIPE(GM_ADDR x, Value byte, F) {
  DataCopy(LocalTensor<int32_t>(TPosition::C2PIPE2GM, byte, 32), filled_l1(x), 32);
}
template <class T>
void copy_at(GM_ADDR x, Value byte) {
  GlobalTensor<T> from;
  from.SetGlobalBuffer(reinterpret_cast<T*>(x + byte), 64);
  DataCopy(local().ReinterpretCast<T>(), from, 64);
}
template <class F>
void limit_COPY_GLOBAL(GM_ADDR x, Value byte, F step) {
  if (step == 0) return copy_at<int32_t>(x, byte);
}
template <class F>
void limit_PAD_SIDE(GM_ADDR x, Value bytes, F) {
  GlobalTensor<int8_t> from;
  from.SetGlobalBuffer(reinterpret_cast<int8_t*>(x), 64);
  DataCopyPad(local().ReinterpretCast<int8_t>(), from, DataCopyExtParams(1, 8, 0, 0, 0),
              DataCopyPadExtParams<int8_t>(true, static_cast<uint8_t>(bytes), 0, 1));
}
template <class F>
void limit_SLICE_AXES(GM_ADDR x, Value axes, F) {
  const SliceInfo one[8] = {{0, 7, 0, 1, 8}, {0, 0, 0, 1, 1}, {0, 0, 0, 1, 1}, {0, 0, 0, 1, 1},
                            {0, 0, 0, 1, 1}, {0, 0, 0, 1, 1}, {0, 0, 0, 1, 1}, {0, 0, 0, 1, 1}};
  DataCopy(local(), words(x), one, one, axes);
}
template <class F>
void limit_EVENT_ID(GM_ADDR, Value id, F) {
  SetFlag<HardEvent::V_MTE3>(static_cast<int32_t>(id));
  WaitFlag<HardEvent::V_MTE3>(static_cast<int32_t>(id));
}
template <class F>
void limit_CROSS_FLAG(GM_ADDR, Value flag, F) {
  if ASCEND_IS_AIC
    CrossCoreSetFlag<2, PIPE_FIX>(static_cast<uint16_t>(flag));
  if ASCEND_IS_AIV
    CrossCoreWaitFlag(static_cast<uint16_t>(flag));
}
template <class F>
void limit_CROSS_PENDING(GM_ADDR, Value sets, F) {
  if ASCEND_IS_AIC {
    for (Value i = 0; i < sets; ++i) CrossCoreSetFlag<2, PIPE_FIX>(1);
    CrossCoreSetFlag<2, PIPE_FIX>(2);
  } else {
    CrossCoreWaitFlag(2);
    for (Value i = 0; i < sets; ++i) CrossCoreWaitFlag(1);
  }
}
template <class F>
void limit_QUEUE_BUFFERS(GM_ADDR, Value buffers, F) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, static_cast<uint8_t>(buffers), 32);
}
template <class F>
void limit_BUFFER_LENGTH(GM_ADDR, Value bytes, F) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 1, bytes);
}
template <class F>
void limit_TAKEN_TENSORS(GM_ADDR, Value tensors, F) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> one, two;
  pipe.InitBuffer(one, 10, 32);
  pipe.InitBuffer(two, 10, 32);
  LocalTensor<int32_t> taken[20];  // no memory of the heap: a kernel that is ended frees none
  for (Value i = 0; i < tensors; ++i) taken[i] = (i % 2 == 0 ? one : two).AllocTensor<int32_t>();
  for (Value i = 0; i < tensors; ++i) (i % 2 == 0 ? one : two).FreeTensor(taken[i]);
}
template <class F>
void limit_BUFFER_OFFSET(GM_ADDR, Value byte, F) {
  TPipe pipe;
  TBuf<> buffer;
  pipe.InitBuffer(buffer, 1024);
  static_cast<void>(buffer.GetWithOffset<int32_t>(8, byte));
}
template <class F>
void limit_SHAPE_AXES(GM_ADDR x, Value axes, F) {
  const uint32_t shape[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  auto tensor = words(x);
  tensor.SetShapeInfo(ShapeInfo(static_cast<uint8_t>(axes), shape));
}

struct Limit {
  const char* name;
  const char* functions;
  std::uint64_t least, most;
  std::uint32_t step;
  const char* word;
  void (*kernel)(GM_ADDR, Value, int);
};
const Limit kLimits[] = {
#define LIMIT(name, functions, argument, least, most, step, word) \
  {#name, functions, least, most, step, word, limit_##name<int>},
    ACLSIM_LIMIT_ROWS(LIMIT)
#undef LIMIT
};

std::string run_limit(const Limit& limit, std::uint64_t value, int& code) {
  const bool cross = std::string(limit.name).find("CROSS") == 0;
  return said_of([&](GM_ADDR x) { limit.kernel(x, static_cast<Value>(value), 0); }, code,
                 cross ? ACLSIM_CORES_MIX_1_1 : ACLSIM_CORES_INFERRED);
}

/// The word is printed once for a location: for the first of all values.
void refuses(const Limit& limit, std::uint64_t value, bool first) {
  CAPTURE(limit.name, value);
  int code = 0;
  const std::string text = run_limit(limit, value, code);
  CAPTURE(text);
  CHECK(code != 0);
  if (!first) return;
  CHECK(contains(text, std::string("[") + limit.word + "]"));
  const std::string functions = limit.functions;
  CHECK(contains(text, functions.substr(0, functions.find(','))));
}
void takes(const Limit& limit, std::uint64_t value) {
  CAPTURE(limit.name, value);
  int code = 0;
  const std::string text = run_limit(limit, value, code);
  CAPTURE(text);
  CHECK(code == 0);
  CHECK(text.empty());
}

}  // namespace

TEST_CASE("each limit of a row is taken, and what lies beside it is refused", "[limits]") {
  for (const Limit& limit : kLimits) {
    bool first = true;
    const auto refused = [&](std::uint64_t value) {
      refuses(limit, value, std::exchange(first, false));
    };
    takes(limit, limit.least);
    if (limit.least > 0) refused(limit.least - 1);
    if (limit.most != ACLSIM_NO_MOST) {
      takes(limit, limit.most);
      refused(limit.most + 1);
    }
    const std::uint32_t step = limit.step == ACLSIM_OF_ELEMENT ? 4 : limit.step;
    if (step == 1) continue;
    takes(limit, limit.least + step);
    for (const std::uint32_t beside : {1U, step / 2, step - 1}) refused(limit.least + beside);
  }
}

TEST_CASE("a copy takes an address in global memory that its element type is aligned at",
          "[limits]") {
  const auto refused = [](const std::function<void(GM_ADDR)>& body) {
    int code = 0;
    said_of(body, code);
    return code != 0;
  };
  for (Value byte = 0; byte < 9; ++byte) {
    CAPTURE(byte);
    CHECK_FALSE(refused([&](GM_ADDR x) { copy_at<int8_t>(x, byte); }));
    CHECK(refused([&](GM_ADDR x) { copy_at<half>(x, byte); }) == (byte % 2 != 0));
    CHECK(refused([&](GM_ADDR x) { copy_at<float>(x, byte); }) == (byte % 4 != 0));
    CHECK(refused([&](GM_ADDR x) { copy_at<int64_t>(x, byte); }) == (byte % 8 != 0));
  }
  // DataCopyPad does not mind.
  CHECK_FALSE(refused([](GM_ADDR x) {
    GlobalTensor<int32_t> from;
    from.SetGlobalBuffer(reinterpret_cast<int32_t*>(x + 1), 64);
    DataCopyPad(local(), from, DataCopyExtParams(1, 8, 0, 0, 0),
                DataCopyPadExtParams<int32_t>(false, 0, 0, 0));
  }));
}

namespace {
// A place of its own for each memory: a finding is reported once for each place.
template <TPosition kPosition>
void check_end_of(ascendc::Memory memory) {
  const std::uint32_t bytes =
      ascendc::arch_of(__NPU_ARCH__).memories[static_cast<std::size_t>(memory)].all();
  CAPTURE(bytes);
  int code = 0;
  const auto last = [&](std::uint32_t size) {
    return [bytes, size](GM_ADDR) {
      static_cast<void>(LocalTensor<int8_t>(kPosition, bytes - 32, size));
    };
  };
  CHECK(said_of(last(32), code).empty());
  CHECK(code == 0);
  CHECK(contains(said_of(last(33), code), "[local-exceeded]"));
  CHECK(code == 0);
}
}  // namespace

TEST_CASE("local memory is given up to its last byte, of each memory of the core", "[limits]") {
  // The scales and the index of L0 memories have no position of their own.
  static_assert(static_cast<std::size_t>(ascendc::Memory::scales_a) == 7);
  check_end_of<TPosition::VECIN>(ascendc::Memory::ub);
  check_end_of<TPosition::A1>(ascendc::Memory::l1);
  check_end_of<TPosition::A2>(ascendc::Memory::l0a);
  check_end_of<TPosition::B2>(ascendc::Memory::l0b);
  check_end_of<TPosition::CO1>(ascendc::Memory::l0c);
  check_end_of<TPosition::C2>(ascendc::Memory::bias);
  check_end_of<TPosition::C2PIPE2GM>(ascendc::Memory::fixpipe);
}

TEST_CASE("InitBuffer hands out whole blocks of 32 bytes until the memory is full", "[limits]") {
  const auto bytes = [](std::uint32_t used) {
    return [used](GM_ADDR) {
      TPipe pipe;
      TBuf<> first, rest;
      pipe.InitBuffer(first, 33);
      pipe.InitBuffer(rest, used);
    };
  };
  int code = 0;
  const std::uint32_t all = ascendc::arch_of(__NPU_ARCH__).memories[0].bytes;
  CHECK(said_of(bytes(all - 64), code).empty());
  CHECK(contains(said_of(bytes(all - 63), code), "[local-exceeded]"));
}

TEST_CASE("each event has eight flags of its own, from its pipe to its other pipe", "[limits]") {
  for (std::uint32_t event = 0; event < ascendc::kEvents; ++event) {
    const ascendc::EventPipes& pipes = *ascendc::event_of(event);
    CAPTURE(pipes.name);
    CHECK(std::string(pipes.name) == std::string(name(pipes.from)) + "_" + name(pipes.to));
    CHECK(ascendc::event_between(pipes.from, pipes.to) == &pipes);
    int code = 0;
    CHECK(said_of(
              [&](GM_ADDR) {
                for (int32_t id = 0; id <= int32_t{ACLSIM_MOST_EVENT_ID}; ++id)
                  aclsimSetFlag(event, id, nullptr);
                for (int32_t id = ACLSIM_MOST_EVENT_ID; id >= 0; --id)
                  aclsimWaitFlag(event, id, nullptr);
              },
              code)
              .empty());
    CHECK(code == 0);
    const std::string text = said_of([&](GM_ADDR) { aclsimWaitFlag(event, 7, nullptr); }, code);
    CHECK(contains(text, "[flag-never-set]"));
    CHECK(contains(text, pipes.name));
  }
}

}  // namespace limits
