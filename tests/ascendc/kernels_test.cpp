// SPDX-License-Identifier: Apache-2.0
// Typical kernels of programs, and the findings in kernels with a mistake.
#include <numeric>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/said.h"
#include "tests/support/catch.h"

namespace {

using namespace AscendC;

constexpr uint32_t kTile = 256;

/// Vector add with queues, in two buffers; `skip` leaves something out.
class KernelAdd {
 public:
  void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t length) {
    const uint64_t begin = static_cast<uint64_t>(GetBlockIdx()) * length;
    tiles_ = length / kTile;
    x_.SetGlobalBuffer(reinterpret_cast<float*>(x) + begin, length);
    y_.SetGlobalBuffer(reinterpret_cast<float*>(y) + begin, length);
    z_.SetGlobalBuffer(reinterpret_cast<float*>(z) + begin, length);
    pipe_.InitBuffer(in_x_, 2, kTile * sizeof(float));
    pipe_.InitBuffer(in_y_, 2, kTile * sizeof(float));
    pipe_.InitBuffer(out_z_, 2, kTile * sizeof(float));
  }
  void Process() {
    for (uint32_t i = 0; i < tiles_; ++i) {
      CopyIn(i);
      Compute();
      CopyOut(i);
    }
  }

 private:
  void CopyIn(uint32_t i) {
    LocalTensor<float> x = in_x_.AllocTensor<float>();
    LocalTensor<float> y = in_y_.AllocTensor<float>();
    DataCopy(x, x_[i * kTile], kTile);
    DataCopy(y, y_[i * kTile], kTile);
    in_x_.EnQue(x);
    in_y_.EnQue(y);
  }
  void Compute() {
    LocalTensor<float> x = in_x_.DeQue<float>();
    LocalTensor<float> y = in_y_.DeQue<float>();
    LocalTensor<float> z = out_z_.AllocTensor<float>();
    Add(z, x, y, static_cast<int32_t>(kTile));
    out_z_.EnQue<float>(z);
    in_x_.FreeTensor(x);
    in_y_.FreeTensor(y);
  }
  void CopyOut(uint32_t i) {
    LocalTensor<float> z = out_z_.DeQue<float>();
    DataCopy(z_[i * kTile], z, kTile);
    out_z_.FreeTensor(z);
  }

  TPipe pipe_;
  TQue<QuePosition::VECIN, 1> in_x_;
  TQue<QuePosition::VECIN, 1> in_y_;
  TQue<QuePosition::VECOUT, 1> out_z_;
  GlobalTensor<float> x_;
  GlobalTensor<float> y_;
  GlobalTensor<float> z_;
  uint32_t tiles_ = 0;
};

__global__ __aicore__ void vector_add(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t length) {
  KernelAdd kernel;
  kernel.Init(x, y, z, length);
  kernel.Process();
}

__global__ __aicore__ void static_add(GM_ADDR x, GM_ADDR z, int32_t flags) {
  GlobalTensor<float> from;
  GlobalTensor<float> to;
  from.SetGlobalBuffer(reinterpret_cast<float*>(x), 64);
  to.SetGlobalBuffer(reinterpret_cast<float*>(z), 64);
  LocalMemAllocator allocator;
  LocalTensor<float> a = allocator.Alloc<float>(64);
  LocalTensor<float> b = allocator.Alloc<float>(64);
  DataCopy(a, from, 64);
  if (flags & 1) SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  if (flags & 1) WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Adds(b, a, 1.0F, 64);
  if (flags & 2) SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  if (flags & 2) WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(to, b, 64);
  if (flags & 4) SetFlag<HardEvent::MTE3_S>(EVENT_ID1);
}

std::vector<float> counting(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0F);
  return values;
}

}  // namespace

TEST_CASE("vector add with queues gives the sums, without a finding", "[kernels]") {
  Device device;
  constexpr std::size_t kCount = 8 * 4 * kTile;
  const auto x = device.memory(counting(kCount));
  const auto z = device.memory<float>(kCount);
  Said said;
  CHECK(launch("vector_add", vector_add, 8, reinterpret_cast<GM_ADDR>(x.data()),
               reinterpret_cast<GM_ADDR>(x.data()), reinterpret_cast<GM_ADDR>(z.data()),
               4 * kTile) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(said.text() == "");
  const std::vector<float> sums = z.host();
  for (std::size_t i = 0; i < kCount; ++i) REQUIRE(sums[i] == 2.0F * static_cast<float>(i));
}

TEST_CASE("a kernel with its flags is clean, and without one it is found with the repair",
          "[kernels]") {
  Device device;
  const auto x = device.memory(counting(64));
  const auto z = device.memory<float>(64);
  const auto run = [&](int32_t flags) {
    Said said;
    CHECK(launch("static_add", static_add, 1, reinterpret_cast<GM_ADDR>(x.data()),
                 reinterpret_cast<GM_ADDR>(z.data()), flags) == 0);
    CHECK(device.synchronize() == 0);
    return said.text();
  };
  CHECK(run(3) == "");
  const std::string first = run(2);
  CHECK(contains(first, "pipe-race"));
  CHECK(contains(first, "SetFlag<HardEvent::MTE2_V>"));
  const std::string second = run(1);
  CHECK(contains(second, "SetFlag<HardEvent::V_MTE3>"));
  CHECK(contains(run(7), "flag-left"));
}

#define KERNEL(NAME) __global__ __aicore__ void NAME([[maybe_unused]] GM_ADDR x)

namespace {

KERNEL(trapping) { trap(); }
KERNEL(asserting) { ASSERT(x == nullptr, "x is %p\n", x); }
KERNEL(aborting) { abort(); }
KERNEL(null_pointer) { *reinterpret_cast<volatile int*>(x - x) = 1; }
int endless(int depth) {
  volatile char frame[512];
  frame[0] = static_cast<char>(depth);
  if (depth == INT32_MAX) return 0;
  return endless(depth + 1) + frame[0];
}
KERNEL(recursing) { *reinterpret_cast<volatile int*>(x) = endless(0); }
KERNEL(waiting_for_nothing) { WaitFlag<HardEvent::MTE2_V>(EVENT_ID3); }
KERNEL(set_twice) {
  SetFlag<HardEvent::MTE2_V>(EVENT_ID3);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID3);
}
KERNEL(too_much_memory) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 2, 128 * 1024);
}
KERNEL(past_tensor) {
  GlobalTensor<float> g;
  g.SetGlobalBuffer(reinterpret_cast<float*>(x), 64);
  LocalTensor<float> t(TPosition::VECCALC, 0, 32);
  DataCopy(t, g, 64);
}
KERNEL(past_allocation) {
  GlobalTensor<float> g;
  g.SetGlobalBuffer(reinterpret_cast<float*>(x));
  LocalTensor<float> t(TPosition::VECCALC, 0, 4096);
  DataCopy(t, g, 4096);
}
KERNEL(misaligned) {
  GlobalTensor<float> g;
  g.SetGlobalBuffer(reinterpret_cast<float*>(x));
  LocalTensor<float> t(TPosition::VECCALC, 0, 64);
  DataCopy(t[1], g, 8);
}
KERNEL(enqueued_without_alloc) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 1, 256);
  LocalTensor<float> t = queue.AllocTensor<float>();
  queue.FreeTensor(t);
  queue.EnQue(t);
}
KERNEL(used_after_free) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 1, 256);
  LocalTensor<float> t = queue.AllocTensor<float>();
  queue.FreeTensor(t);
  Duplicate(t, 1.0F, 64);
}
KERNEL(alloc_without_free) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 1, 256);
  queue.AllocTensor<float>();
  queue.AllocTensor<float>();
}
KERNEL(dequeued_from_empty) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 1, 256);
  queue.DeQue<float>();
}
KERNEL(two_pipes) {
  TPipe one;
  TPipe two;
}
KERNEL(reads_unwritten) {
  LocalTensor<float> a(TPosition::VECCALC, 0, 64);
  LocalTensor<float> b(TPosition::VECCALC, 256, 64);
  Adds(b, a, 1.0F, 64);
}
KERNEL(leaves_tensor) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 1, 256);
  queue.AllocTensor<float>();
}

struct Broken {
  const char* name;
  void (*kernel)(GM_ADDR);
  int code;
  const char* rule;
};
const Broken kBroken[] = {
    {"trapping", trapping, 507035, "[trap]"},
    {"asserting", asserting, 507035, "[assert]"},
    {"aborting", aborting, 507035, "a failed assertion"},
    {"null_pointer", null_pointer, 507035, "[kernel-ended]"},
    {"recursing", recursing, 507035, "its stack is full"},
    {"waiting_for_nothing", waiting_for_nothing, 507034, "[flag-never-set]"},
    {"set_twice", set_twice, 0, "[flag-set-twice]"},
    {"too_much_memory", too_much_memory, 507035, "[local-exceeded]"},
    {"past_tensor", past_tensor, 0, "[tensor-exceeded]"},
    {"past_allocation", past_allocation, 507035, "[gm-exceeded]"},
    {"misaligned", misaligned, 507035, "[misaligned]"},
    {"enqueued_without_alloc", enqueued_without_alloc, 507035, "[queue]"},
    {"used_after_free", used_after_free, 507035, "[tensor-freed]"},
    {"alloc_without_free", alloc_without_free, 507035, "[queue]"},
    {"dequeued_from_empty", dequeued_from_empty, 507035, "[queue]"},
    {"two_pipes", two_pipes, 507035, "[two-pipes]"},
    {"reads_unwritten", reads_unwritten, 0, "[local-unwritten]"},
    {"leaves_tensor", leaves_tensor, 0, "[tensor-left]"},
};

void (*chosen)(GM_ADDR);
void run_chosen(GM_ADDR x) { chosen(x); }

}  // namespace

namespace {

// Each has a line of its own: a finding is printed once for a place.
#define READS_WORD(WORD)                                  \
  KERNEL(reads_word_##WORD) {                             \
    GlobalTensor<int32_t> words;                          \
    words.SetGlobalBuffer(reinterpret_cast<int32_t*>(x)); \
    words.GetValue(WORD);                                 \
  }
READS_WORD(3)
READS_WORD(4)
READS_WORD(15)
READS_WORD(16)
#undef READS_WORD

template <auto kernel>
void check_word(int code, bool is_found) {
  Device device;
  const auto memory = device.memory<int32_t>(4);
  Said said;
  REQUIRE(KernelOf<kernel>::enqueue("reads_word", ACLSIM_CORES_INFERRED, 1, nullptr,
                                    reinterpret_cast<GM_ADDR>(memory.data())) == 0);
  CHECK(device.synchronize() == code);
  CHECK(contains(said.text(), "[gm-exceeded]") == is_found);
}

}  // namespace

TEST_CASE("a kernel that reads the padding of an allocation continues, and is found", "[kernels]") {
#if defined(__SANITIZE_ADDRESS__)
  return;  // AddressSanitizer ends the process first
#endif
  // aclrtMalloc rounds 16 bytes up to 32 and adds 32: word 15 is the last one.
  check_word<&reads_word_3>(0, false);
  check_word<&reads_word_4>(0, true);
  check_word<&reads_word_15>(0, true);
  check_word<&reads_word_16>(507035, true);
}

TEST_CASE("a broken kernel is found and named, and the process goes on", "[kernels]") {
  for (const Broken& broken : kBroken) {
    DYNAMIC_SECTION(broken.name) {
      Device device;
      const auto x = device.memory(counting(64));
      aclrtStream stream = nullptr;
      REQUIRE(aclrtCreateStream(&stream) == 0);
      chosen = broken.kernel;
      Said said;
      Said output(STDOUT_FILENO);
      CHECK(KernelOf<&run_chosen>::enqueue(broken.name, ACLSIM_CORES_INFERRED, 1, stream,
                                           reinterpret_cast<GM_ADDR>(x.data())) == 0);
      CHECK(aclrtSynchronizeStream(stream) == broken.code);
      output.text();
      const std::string text = said.text();
      CAPTURE(text);
      CHECK(contains(text, broken.name));
      CHECK(contains(text, broken.rule));
    }
  }
}
