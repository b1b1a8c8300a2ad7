// SPDX-License-Identifier: Apache-2.0
// Interaction of a launch's blocks: barriers, flags between cores, common writes, output.
#include <signal.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/said.h"
#include "tests/support/catch.h"

namespace {

using namespace AscendC;

#define WORDS(x) (reinterpret_cast<__gm__ int32_t*>(x))

__global__ __aicore__ void rotate(GM_ADDR x, GM_ADDR y, int32_t rounds) {
  const int64_t me = GetBlockIdx();
  const int64_t next = (me + 1) % GetBlockNum();
  for (int32_t i = 0; i < rounds; ++i) {
    WORDS(x)[me] = static_cast<int32_t>(me) + i;
    SyncAll();
    WORDS(y)[me] = WORDS(x)[next];
    SyncAll();
  }
}

__global__ __aicore__ void in_turn(GM_ADDR x, GM_ADDR workspace) {
  GlobalTensor<int32_t> words;
  words.SetGlobalBuffer(WORDS(workspace), 256);
  LocalTensor<int32_t> local(TPosition::VECCALC, 0, 256);
  InitDetermineComputeWorkspace(words, local);
  for (int i = 0; i < 2; ++i) {
    WaitPreBlock(words, local);
    WORDS(x)[0] = WORDS(x)[0] * 3 + static_cast<int32_t>(GetBlockIdx());
    NotifyNextBlock(words, local);
  }
}

__global__ __aicore__ void mixed(GM_ADDR x) {
  if ASCEND_IS_AIC {
    WORDS(x)[GetBlockIdx()] = 7;
    CrossCoreSetFlag<2, PIPE_FIX>(3);
    WaitEvent(4);
    WORDS(x)[GetBlockIdx()] += 1;
  }
  if ASCEND_IS_AIV {
    CrossCoreWaitFlag(3);
    const int64_t at = 8 + GetBlockIdx();
    WORDS(x)[at] = WORDS(x)[GetBlockIdx() / 2] * 10 + static_cast<int32_t>(GetSubBlockIdx());
    CrossCoreSetFlag<2, PIPE_MTE3>(4);
  }
}

__global__ __aicore__ void alone_at_a_flag(GM_ADDR) { CrossCoreWaitFlag(1); }

__global__ __aicore__ void same_bytes(GM_ADDR x, int32_t step) {
  GlobalTensor<int32_t> out;
  out.SetGlobalBuffer(WORDS(x), 64);
  LocalTensor<int32_t> t(TPosition::VECCALC, 0, 8);
  Duplicate(t, static_cast<int32_t>(1 + step * GetBlockIdx()), 8);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(out, t, 8);
}

__global__ __aicore__ void added(GM_ADDR x) {
  GlobalTensor<float> out;
  out.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(x), 64);
  LocalTensor<float> t(TPosition::VECCALC, 0, 64);
  Duplicate(t, 1.5F, 64);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  SetAtomicAdd<float>();
  DataCopy(out, t, 64);
  DisableDmaAtomic();
}

__global__ __aicore__ void speaking(GM_ADDR) {
  AscendC::printf("block %d of %d: %f %s\n", GetBlockIdx(), block_num, 1.5F, "words");
}

[[maybe_unused]] __global__ __aicore__ void endless(GM_ADDR x) {
  for (;;) *reinterpret_cast<volatile int32_t*>(x) = 1;
}

GM_ADDR bytes(const Buffer<int32_t>& buffer) { return reinterpret_cast<GM_ADDR>(buffer.data()); }

}  // namespace

TEST_CASE("a barrier over all blocks orders what they write before what they read", "[blocks]") {
  Device device;
  const auto x = device.memory<int32_t>(8);
  const auto y = device.memory<int32_t>(8);
  CHECK(launch("rotate", rotate, 8, bytes(x), bytes(y), 50) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(y.host() == std::vector<int32_t>{50, 51, 52, 53, 54, 55, 56, 49});
}

TEST_CASE("a barrier over more blocks than cores is found, and fails", "[blocks]") {
  Device device;
  const auto x = device.memory<int32_t>(4096);
  Said said;
  CHECK(launch("rotate", rotate, 4096, bytes(x), bytes(x), 1) == 0);
  CHECK(device.synchronize() == 507035);
  CHECK(contains(said.text(), "[barrier-too-wide]"));
}

TEST_CASE("blocks that wait for the one before run in the order of their indices", "[blocks]") {
  Device device;
  const auto x = device.memory(std::vector<int32_t>{1});
  const auto workspace = device.memory<int32_t>(256);
  Said said;
  CHECK(launch("in_turn", in_turn, 4, bytes(x), bytes(workspace)) == 0);
  CHECK(device.synchronize() == 0);
  int32_t expected = 1;
  for (int round = 0; round < 2; ++round) {
    for (int block = 0; block < 4; ++block) expected = expected * 3 + block;
  }
  CHECK(x.host()[0] == expected);
}

TEST_CASE("a cube core and its vector cores meet at flags, with the indices of their kind",
          "[blocks]") {
  Device device;
  const auto x = device.memory<int32_t>(16);
  CHECK(KernelOf<&mixed>::enqueue("mixed", ACLSIM_CORES_MIX_1_2, 2, nullptr, bytes(x)) == 0);
  CHECK(device.synchronize() == 0);
  const auto words = x.host();
  CHECK(words[0] == 8);
  CHECK(words[1] == 8);
  CHECK(std::vector<int32_t>(words.begin() + 8, words.begin() + 12) ==
        std::vector<int32_t>{70, 71, 70, 71});
}

TEST_CASE("blocks that wait for what never comes end, and it is said where", "[blocks]") {
  Device device;
  const auto x = device.memory<int32_t>(8);
  Said said;
  CHECK(KernelOf<&alone_at_a_flag>::enqueue("alone", ACLSIM_CORES_MIX_1_1, 2, nullptr, bytes(x)) ==
        0);
  CHECK(device.synchronize() != 0);
  const std::string text = said.text();
  CHECK(contains(text, "[blocks-hang]"));
  CHECK(contains(text, "CrossCoreWaitFlag"));
}

TEST_CASE("blocks that write the same bytes are told: an error where values differ, else a note",
          "[blocks]") {
  Device device;
  const auto x = device.memory<int32_t>(64);
  const int32_t step = GENERATE(0, 1);
  Said said;
  CHECK(launch("same_bytes", same_bytes, 4, bytes(x), step) == 0);
  CHECK(device.synchronize() == 0);
  const std::string text = said.text();
  CAPTURE(text);
  CHECK(contains(text, step == 0 ? "note: kernel same_bytes" : "error: kernel same_bytes"));
}

TEST_CASE("blocks that add to the same bytes lose nothing", "[blocks]") {
  Device device;
  const auto x = device.memory(std::vector<float>(64, 1.0F));
  Said said;
  CHECK(launch("added", added, 8, reinterpret_cast<GM_ADDR>(x.data())) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(said.text() == "");
  CHECK(x.host() == std::vector<float>(64, 13.0F));
}

TEST_CASE("what blocks print is there after a synchronise, block after block", "[blocks]") {
  Device device;
  const auto x = device.memory<int32_t>(8);
  Said said(STDOUT_FILENO);
  CHECK(launch("speaking", speaking, 3, bytes(x)) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(
      said.text() ==
      "block 0 of 3: 1.500000 words\nblock 1 of 3: 1.500000 words\nblock 2 of 3: 1.500000 words\n");
}

namespace {
__global__ __aicore__ void showing(GM_ADDR) {
  LocalTensor<int32_t> t(TPosition::VECCALC, 0, 40);
  Duplicate(t, 3, 40);
  t.SetSize(2);
  t.Print();
  const uint32_t shape[] = {2, 2};
  DumpTensor(t, 9, 3, ShapeInfo(2, shape));
}
}  // namespace

TEST_CASE("DumpTensor shows a head and values, and with a shape what is missing", "[blocks]") {
  Device device;
  const auto x = device.memory<int32_t>(8);
  Said said(STDOUT_FILENO);
  CHECK(launch("showing", showing, 1, bytes(x)) == 0);
  CHECK(device.synchronize() == 0);
  const std::string text = said.text();
  CHECK(contains(text, "data_type=int32, position=UB, dump_size=2\n[3, 3]\n"));
  CHECK(contains(text, "DumpTensor: desc=9"));
  CHECK(contains(text, "[[3, 3],\n[3, -]]\n"));
}

namespace {
// A barrier that the kernel builds from raw pointers: no call shows that the block waits.
__global__ __aicore__ void meets(GM_ADDR x, int32_t wait) {
  auto* const here = reinterpret_cast<std::atomic<int32_t>*>(x);
  if (wait == 0) return;
  ++*here;
  while (*here < 2) {
  }
}
}  // namespace

TEST_CASE(
    "blocks that wait for each other in loops of their own go on, also after launches that were "
    "quick",
    "[blocks]") {
  Device device;
  aclsimMachine machine{};
  machine.size = sizeof machine;
  REQUIRE(aclsimGetMachine(&machine) == 0);
  if (machine.seeded != 0 || machine.workersPerDevice < 2) return;  // one block after the other
  uint64_t actual = 0;
  REQUIRE(aclrtSetOpExecuteTimeOutV2(20000000, &actual) == 0);
  const auto x = device.memory(std::vector<int32_t>(8, 0));
  for (int i = 0; i < 20; ++i) CHECK(launch("meets", meets, 2, bytes(x), 0) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(launch("meets", meets, 2, bytes(x), 1) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(x.host()[0] == 2);
}

namespace {
struct sigaction previous;

void in_front(int signal, siginfo_t* info, void* context) {
  sigaction(signal, &previous, nullptr);
  previous.sa_sigaction(signal, info, context);
}

// With a handler in front that blocks all signals, as some libraries set one.
__global__ __aicore__ void aborts_below_handler(GM_ADDR) {
  struct sigaction front {};
  front.sa_sigaction = in_front;
  front.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigfillset(&front.sa_mask);
  sigaction(SIGABRT, &front, &previous);
  abort();
}

__global__ __aicore__ void writes_to_nothing(GM_ADDR x) {
  *reinterpret_cast<volatile int*>(x - x) = 1;
}
}  // namespace

TEST_CASE("a kernel's fault leaves no signal blocked in the thread that ran it", "[blocks]") {
  Device device;
  const auto x = device.memory<int32_t>(8);
  Said said;
  for (int i = 0; i < 8; ++i) {
    CHECK(launch("fails", aborts_below_handler, 1, bytes(x)) == 0);
    CHECK(device.synchronize() != 0);
    CHECK(launch("writes", writes_to_nothing, 1, bytes(x)) == 0);
    CHECK(device.synchronize() != 0);
  }
}

#if defined(__SANITIZE_THREAD__)
// A kernel that a signal ends does not return from the signal's handler.
extern "C" const char* __tsan_default_options();
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_options() {
  return "report_signal_unsafe=0";
}
#else  // ThreadSanitizer holds the signal back while a thread computes
TEST_CASE("a kernel that never ends is ended when its time is up", "[blocks]") {
  Device device;
  uint64_t actual = 0;
  REQUIRE(aclrtSetOpExecuteTimeOutV2(1, &actual) == 0);
  const auto x = device.memory<int32_t>(8);
  Said said;
  CHECK(launch("endless", endless, 2, bytes(x)) == 0);
  CHECK(device.synchronize() == 507034);
  CHECK(contains(said.text(), "its time is up"));
}
#endif
