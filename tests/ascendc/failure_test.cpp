// SPDX-License-Identifier: Apache-2.0
// Kernels that fail: the code, the callback, and the work that continues.
#include <atomic>
#include <cstring>
#include <limits>
#include <string>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/said.h"
#include "tests/support/bugs_may_run.h"
#include "tests/support/catch.h"

namespace {

using namespace AscendC;

__global__ __aicore__ void trapped(GM_ADDR) { trap(); }
__global__ __cube__ void waits_for_nobody(GM_ADDR) { CrossCoreWaitFlag(1); }
__global__ __aicore__ void counts(GM_ADDR x) { reinterpret_cast<int32_t*>(x)[block_idx] += 1; }

/// Far from all that the process has.
__global__ __aicore__ void follows_wild_pointer(GM_ADDR x) {
  *reinterpret_cast<volatile int32_t*>(x + (uint64_t{1} << 46)) = 1;
}

__global__ __aicore__ void reads_wild_pointer(GM_ADDR x) {
  static_cast<void>(*reinterpret_cast<volatile int32_t*>(x + (uint64_t{1} << 46)));
}
constexpr std::size_t kPageOfWords = 1024;
[[maybe_unused]] __global__ __aicore__ void writes_past_the_end(GM_ADDR x) {
  reinterpret_cast<volatile int32_t*>(x)[kPageOfWords + 2] = 1;
}
[[maybe_unused]] __global__ __aicore__ void writes_far_past_the_end(GM_ADDR x) {
  reinterpret_cast<volatile int32_t*>(x)[5 * kPageOfWords + 2] = 1;
}
[[maybe_unused]] __global__ __aicore__ void writes_before(GM_ADDR x) {
  reinterpret_cast<volatile int32_t*>(x)[-1] = 1;
}
[[maybe_unused]] __global__ __aicore__ void reads_by_pointer(GM_ADDR x) {
  static_cast<void>(*reinterpret_cast<volatile int32_t*>(x));
}

[[maybe_unused]] __global__ __aicore__ void calls_for_ever(GM_ADDR) {
  LocalTensor<float> t(TPosition::VECCALC, 0, 4096);
  for (;;) {
    Duplicate(t, 1.0F, 4096);
    PipeBarrier<PIPE_ALL>();
  }
}

// In functions of the interface that are inlined, and in the library behind them.
constexpr int kBeforeLoops = __LINE__;
[[maybe_unused]] __global__ __aicore__ void asks_for_ever(GM_ADDR) {
  while (GetBlockNum() != 0) GetBlockIdx();
}
[[maybe_unused]] __global__ __aicore__ void times_for_ever(GM_ADDR) {
  while (GetSystemCycle() != 0) GetTaskRation();
}

#if defined(__x86_64__) && \
    !defined(__SANITIZE_ADDRESS__)  // elsewhere nothing ends, or the sanitizer says it first
#define DIVIDES_INTEGERS 1
template <int32_t number, int32_t by>
__global__ __aicore__ void divides(GM_ADDR) {
  const volatile int32_t divisor = by;
  [[maybe_unused]] const volatile int32_t quotient = number / divisor;
}
constexpr int kDivides = __LINE__ - 2;
#endif

/// A null pointer, or one to where no code is.
template <uint64_t address>
__global__ __aicore__ void calls_nothing(GM_ADDR x) {
  void (*const volatile function)() = reinterpret_cast<void (*)()>(address);
  function();
  *x = 1;  // else the call is the last thing that it does, and it is gone
}
constexpr int kCallsNothing = __LINE__ - 3;

/// In a function of the C library.
[[maybe_unused]] __global__ __aicore__ void copies_from_nowhere(GM_ADDR x) {
  std::memcpy(x, x + (uint64_t{1} << 46), *reinterpret_cast<volatile uint32_t*>(x) + 16);
  *x = 1;  // else the call is the last thing that it does, and it is gone
}
constexpr int kCopies = __LINE__ - 3;

std::string line(int number, char end = ':') {
  return "failure_test.cpp:" + std::to_string(number) + end;
}

struct Told {
  std::atomic<int> times{0};
  std::atomic<uint32_t> code{0};
  std::atomic<uint32_t> stream{0};
} told;
void on_exception(aclrtExceptionInfo* info) {
  ++told.times;
  told.code = aclrtGetErrorCodeFromExceptionInfo(info);
  told.stream = aclrtGetStreamIdFromExceptionInfo(info);
}

template <auto kernel>
uint32_t launch_on(aclrtStream stream, uint32_t cores, const Buffer<int32_t>& x) {
  return KernelOf<kernel>::enqueue("fails", cores, 1, stream, reinterpret_cast<GM_ADDR>(x.data()));
}

/// The code that a kernel on these cores ends with.
template <auto kernel>
int code_of(uint32_t cores, std::string& text) {
  Device device;
  const auto x = device.memory<int32_t>(8);
  Said said;
  REQUIRE(launch_on<kernel>(nullptr, cores, x) == 0);
  const int code = device.synchronize();
  text = said.text();
  return code;
}

}  // namespace

TEST_CASE("a kernel's trap calls the callback for exceptions, with the code and the stream",
          "[failure]") {
  Device device;
  const auto x = device.memory<int32_t>(8);
  aclrtStream stream = nullptr;
  int32_t id = -1;
  REQUIRE(aclrtCreateStream(&stream) == 0);
  REQUIRE(aclrtStreamGetId(stream, &id) == 0);
  REQUIRE(aclrtExceptionInfoCallbackRegister(on_exception) == 0);
  told.times = 0;
  Said said;
  REQUIRE(launch_on<&trapped>(stream, ACLSIM_CORES_INFERRED, x) == 0);
  CHECK(aclrtSynchronizeStream(stream) == 507035);
  CHECK(told.times == 1);
  CHECK(told.code == 507035);
  CHECK(told.stream == static_cast<uint32_t>(id));
  REQUIRE(aclrtExceptionInfoCallbackUnregister(on_exception) == 0);
  CHECK(aclrtDestroyStream(stream) == 0);
}

TEST_CASE("another stream goes on after a kernel's fault, and so does the one that failed",
          "[failure]") {
  Device device;
  const auto x = device.memory(std::vector<int32_t>(8, 0));
  aclrtStream fails = nullptr;
  aclrtStream lives = nullptr;
  REQUIRE(aclrtCreateStream(&fails) == 0);
  REQUIRE(aclrtCreateStream(&lives) == 0);
  Said said;
  REQUIRE(launch_on<&counts>(lives, ACLSIM_CORES_INFERRED, x) == 0);
  REQUIRE(launch_on<&follows_wild_pointer>(fails, ACLSIM_CORES_INFERRED, x) == 0);
  CHECK(aclrtSynchronizeStream(fails) == 507035);
  REQUIRE(launch_on<&counts>(lives, ACLSIM_CORES_INFERRED, x) == 0);
  CHECK(aclrtSynchronizeStream(lives) == 0);
  REQUIRE(launch_on<&counts>(fails, ACLSIM_CORES_INFERRED, x) == 0);
  CHECK(aclrtSynchronizeStream(fails) == 0);
  CHECK(x.host()[0] == 3);
  CHECK(aclrtDestroyStream(fails) == 0);
  CHECK(aclrtDestroyStream(lives) == 0);
}

TEST_CASE("a wild pointer ends the kernel, and its address is named", "[failure]") {
  std::string text;
  CHECK(code_of<&reads_wild_pointer>(ACLSIM_CORES_INFERRED, text) == 507035);
  CHECK(contains(text, "an access to memory that is not there (0x"));
#if !defined(__SANITIZE_THREAD__)  // whose own code faults
  CHECK(contains(text, "failure_test.cpp:"));
#endif
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which note each call
TEST_CASE("a call of a function that is not there ends the kernel at the line of the call",
          "[failure]") {
  std::string text;
  CHECK(code_of<&calls_nothing<0>>(ACLSIM_CORES_INFERRED, text) == 507035);
  CAPTURE(text);
  CHECK(contains(text, "kernel fails, block 0, "));
  CHECK(contains(text, line(kCallsNothing) +
                           " the kernel ended: a call of a function that is not there (0x0) ["));
  CHECK(code_of<&calls_nothing<0x1230>>(ACLSIM_CORES_INFERRED, text) == 507035);
  CHECK(contains(text, line(kCallsNothing) +
                           " the kernel ended: a call of a function that is not there (0x1230) ["));
}
#endif

#if defined(DIVIDES_INTEGERS)
TEST_CASE("a kernel goes on after an integer division without a result, and a note has its line",
          "[failure]") {
  std::string text;
  const auto check = [&] {
    CAPTURE(text);
    CHECK(contains(text, "kernel fails, block 0"));
    CHECK(contains(text, line(kDivides) + " an integer is divided by zero, or its quotient "
                                          "overflows; the core goes on"));
  };
  CHECK(code_of<&divides<5, 0>>(ACLSIM_CORES_INFERRED, text) == 0);
  check();
  CHECK(code_of<&divides<std::numeric_limits<int32_t>::min(), -1>>(ACLSIM_CORES_CUBE, text) == 0);
  check();
}

template <class T>
__global__ __aicore__ void divides_by_zero(GM_ADDR x) {
  volatile T divisor = 0;
  auto* const to = reinterpret_cast<volatile T*>(x);
  const T dividend = to[0];
  to[1] = static_cast<T>(dividend / divisor);
  to[2] = static_cast<T>(dividend % divisor);
  to[3] = 77;
}

template <class T>
void check_division() {
  Device device;
  const auto memory = device.memory(std::vector<T>{100, 1, 2, 3});
  Said said;
  REQUIRE(launch("divides", divides_by_zero<T>, 1, reinterpret_cast<GM_ADDR>(memory.data())) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(contains(said.text(), "divided by zero"));
  CHECK(memory.host() == std::vector<T>{100, 0, 100, 77});
}

TEST_CASE("a division by zero gives 0 and the dividend as the remainder, as on AArch64",
          "[failure]") {
  check_division<int8_t>();
  check_division<uint16_t>();
  check_division<int32_t>();
  check_division<uint32_t>();
  check_division<int64_t>();
  check_division<uint64_t>();
}
#endif

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // whose own code faults
TEST_CASE("a fault in a function that the kernel called names the kernel's line", "[failure]") {
  std::string text;
  CHECK(code_of<&copies_from_nowhere>(ACLSIM_CORES_INFERRED, text) == 507035);
  CAPTURE(text);
  CHECK(contains(text, line(kCopies)));
}
#endif

#if !defined(__SANITIZE_ADDRESS__)  // which sees it first
TEST_CASE(
    "a pointer that leaves its allocation ends the kernel, wherever the next one lies, and both "
    "are named",
    "[failure]") {
  Device device;
  const auto before = device.memory(std::vector<int32_t>(kPageOfWords, 7));
  const auto x = device.memory(std::vector<int32_t>(kPageOfWords, 7));
  const auto behind = device.memory(std::vector<int32_t>(kPageOfWords, 7));
  Said said;
  REQUIRE(launch_on<&writes_past_the_end>(nullptr, ACLSIM_CORES_INFERRED, x) == 0);
  CHECK(device.synchronize() == 507035);
  REQUIRE(launch_on<&writes_before>(nullptr, ACLSIM_CORES_INFERRED, x) == 0);
  CHECK(device.synchronize() == 507035);
  const std::string text = said.text();
  CHECK(contains(text, "8 bytes past the end of an allocation of 4096 bytes at "));
  CHECK(contains(text, "4 bytes before an allocation of 4096 bytes at "));
  CHECK(contains(text, "failure_test.cpp:"));
  for (const auto* const memory : {&before, &x, &behind}) {
    CHECK(memory->host() == std::vector<int32_t>(kPageOfWords, 7));
  }
}

TEST_CASE("a pointer far behind an allocation is told with the nearest one", "[failure]") {
  Device device;
  const auto x = device.memory(std::vector<int32_t>(kPageOfWords, 7));
  Said said;
  REQUIRE(launch_on<&writes_far_past_the_end>(nullptr, ACLSIM_CORES_INFERRED, x) == 0);
  CHECK(device.synchronize() == 507035);
  const std::string text = said.text();
  CAPTURE(text);
  CHECK(contains(text, ", 16392 bytes past the end of an allocation of 4096 bytes at "));
  CHECK(contains(text, ", allocated at "));
}

TEST_CASE("a pointer to memory that was freed ends the kernel, until it is allocated again",
          "[failure]") {
  Device device;
  void* memory = nullptr;
  REQUIRE(aclrtMalloc(&memory, 100, ACL_MEM_MALLOC_HUGE_FIRST) == 0);
  constexpr int kAllocated = __LINE__ - 1;
  const auto read = [&] {
    REQUIRE(launch("reads_by_pointer", reads_by_pointer, 1, static_cast<GM_ADDR>(memory)) == 0);
    return device.synchronize();
  };
  Said said;
  CHECK(read() == 0);
  REQUIRE(aclrtFree(memory) == 0);
  constexpr int kFreed = __LINE__ - 1;
  CHECK(read() == 507035);
  void* again = nullptr;
  REQUIRE(aclrtMalloc(&again, 100, ACL_MEM_MALLOC_HUGE_FIRST) == 0);
  REQUIRE(again == memory);
  CHECK(read() == 0);
  const std::string text = said.text();
  CAPTURE(text);
  CHECK(contains(text, ", freed at "));
  CHECK(contains(text, line(kFreed) + " byte 0 of an allocation of 100 bytes at "));
  CHECK(contains(text, ", allocated at "));
  CHECK(contains(text, line(kAllocated, ')')));
  CHECK(aclrtFree(again) == 0);
}
#endif

namespace {

void copies_word(GM_ADDR from, GM_ADDR to) {
  GlobalTensor<int32_t> source, target;
  source.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(from), 8);
  target.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(to), 8);
  target.SetValue(0, source.GetValue(0));
}

struct FreedBeforeTheEnd {
  int code;
  int32_t word;
  std::string text;
  bool again_while_pending;  // an allocation got the same address
  bool again_afterwards;
};

/// Launches copies_word in a stream that waits, perhaps frees its source, and lets the stream go
/// on.
FreedBeforeTheEnd run_while_freed(bool freed) {
  Device device;
  const auto to = device.memory<int32_t>(8);
  const std::vector<int32_t> words(8, 41);
  void *from = nullptr, *pending = nullptr, *afterwards = nullptr;
  REQUIRE(aclrtMalloc(&from, 32, ACL_MEM_MALLOC_HUGE_FIRST) == 0);
  REQUIRE(aclrtMemcpy(from, 32, words.data(), 32, ACL_MEMCPY_HOST_TO_DEVICE) == 0);
  aclrtStream stream = nullptr;
  aclrtNotify notify = nullptr;
  REQUIRE(aclrtCreateStream(&stream) == 0);
  REQUIRE(aclrtCreateNotify(&notify, 0) == 0);
  Said said;
  REQUIRE(aclrtWaitAndResetNotify(notify, stream, 0) == 0);
  REQUIRE(KernelOf<&copies_word>::enqueue("copies_word", ACLSIM_CORES_INFERRED, 1, stream,
                                          static_cast<GM_ADDR>(from),
                                          reinterpret_cast<GM_ADDR>(to.data())) == 0);
  if (freed) REQUIRE(aclrtFree(from) == 0);
  REQUIRE(aclrtMalloc(&pending, 32, ACL_MEM_MALLOC_HUGE_FIRST) == 0);
  REQUIRE(aclrtRecordNotify(notify, nullptr) == 0);
  FreedBeforeTheEnd found{aclrtSynchronizeStream(stream), to.host()[0], said.text(),
                          pending == from, false};
  REQUIRE(aclrtMalloc(&afterwards, 32, ACL_MEM_MALLOC_HUGE_FIRST) == 0);
  found.again_afterwards = afterwards == from;
  for (void* const memory : {pending, afterwards}) REQUIRE(aclrtFree(memory) == 0);
  if (!freed) REQUIRE(aclrtFree(from) == 0);
  REQUIRE(aclrtDestroyNotify(notify) == 0);
  REQUIRE(aclrtDestroyStream(stream) == 0);
  return found;
}

}  // namespace

TEST_CASE("a kernel finds memory that was freed after its launch as it was, and that is told",
          "[failure]") {
  if (support::is_seeded()) return;  // the memory is allocated again at once
  const FreedBeforeTheEnd found = run_while_freed(true);
  CAPTURE(found.text);
  CHECK(found.code == 0);
  CHECK(found.word == 41);
  CHECK(contains(found.text, "GetValue: reads 4 bytes at "));
  CHECK(contains(found.text, ", freed"));
  CHECK(contains(found.text, ": byte 0 of an allocation of 32 bytes at "));
  CHECK(contains(found.text, "[gm-freed]"));
  CHECK_FALSE(found.again_while_pending);
  CHECK(found.again_afterwards);
  const FreedBeforeTheEnd twin = run_while_freed(false);
  CHECK(twin.code == 0);
  CHECK(twin.text == "");
}

TEST_CASE("kernels on cube cores fail with the codes of those", "[failure]") {
  std::string text;
  CHECK(code_of<&trapped>(ACLSIM_CORES_CUBE, text) == 507015);
  CHECK(code_of<&waits_for_nobody>(ACLSIM_CORES_CUBE, text) == 507014);
  CHECK(contains(text, "[blocks-hang]"));
}

#if !defined(__SANITIZE_THREAD__)  // it holds the signal back while a thread computes
TEST_CASE("a kernel in an endless loop is ended when its time is up, and the line is its own",
          "[failure]") {
  Device device;
  aclsimMachine machine{};
  machine.size = sizeof machine;
  REQUIRE(aclsimGetMachine(&machine) == 0);
  if (machine.seeded != 0 || machine.workersPerDevice != 2) return;  // seconds, once
  uint64_t actual = 0;
  REQUIRE(aclrtSetOpExecuteTimeOutV2(1, &actual) == 0);
  const auto x = device.memory<int32_t>(8);
  Said said;
  REQUIRE(launch_on<&calls_for_ever>(nullptr, ACLSIM_CORES_CUBE, x) == 0);
  aclrtStream stream = nullptr;
  REQUIRE(aclrtCreateStream(&stream) == 0);
  REQUIRE(launch_on<&asks_for_ever>(stream, ACLSIM_CORES_INFERRED, x) == 0);
  REQUIRE(launch_on<&times_for_ever>(stream, ACLSIM_CORES_INFERRED, x) == 0);
  CHECK(aclrtSynchronizeStream(nullptr) == 507014);
  CHECK(aclrtSynchronizeStream(stream) == 507034);
  CHECK(aclrtDestroyStream(stream) == 0);
  const std::string text = said.text();
  CAPTURE(text);
  CHECK(contains(text, line(kBeforeLoops + 2) + " the kernel ended: its time is up"));
  CHECK(contains(text, line(kBeforeLoops + 5) + " the kernel ended: its time is up"));
  CHECK_FALSE(contains(text, "impl/"));
}
#endif
