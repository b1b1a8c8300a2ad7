// SPDX-License-Identifier: Apache-2.0
// Launches of kernels that were quick and called nothing, so that their blocks run in a row: what
// happens when one of them then does what the others did not.
#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/said.h"
#include "tests/support/catch.h"

namespace {

using namespace AscendC;

constexpr int kQuick = 40;  // launches after which a kernel counts as quick
constexpr uint32_t kQuickBlocks = 8;

enum Does : int32_t {
  kNothing,
  kMeets,
  kWaitsForLast,
  kSyncs,
  kPrints,
  kFaults,
  kThrows,
  kLeavesMark
};

__global__ __aicore__ void quick(GM_ADDR x, int32_t does) {
  auto* const words = reinterpret_cast<int32_t*>(x);
  const auto me = static_cast<int32_t>(block_idx);
  auto& here = *reinterpret_cast<std::atomic<int32_t>*>(words + 16);
  auto& last = *reinterpret_cast<std::atomic<int32_t>*>(words + 17);
  switch (does) {
    case kMeets:
      ++here;
      while (here < 2) {
      }
      break;
    case kWaitsForLast:
      if (me == static_cast<int32_t>(block_num) - 1) last = 1;
      while (me == 2 && last == 0) {
      }
      break;
    case kSyncs:
      if (me == 3) SyncAll();
      words[8 + me] = 1;
      if (me != 3) SyncAll();
      break;
    case kPrints:
      if (me >= 5) AscendC::printf("block %d of %d\n", me, static_cast<int32_t>(block_num));
      break;
    case kFaults:
      if (me == 4) *reinterpret_cast<volatile int32_t*>(x - x) = 1;
      break;
    case kThrows:
      if (me == 4) throw std::runtime_error("out");
      break;
    case kLeavesMark:
      words[me] += static_cast<int32_t>(aclsimThisCore()->counters[0]);
      aclsimThisCore()->counters[0] = 1;
      break;
    default:
      break;
  }
  words[me] += 1;
}

GM_ADDR bytes(const Buffer<int32_t>& buffer) { return reinterpret_cast<GM_ADDR>(buffer.data()); }

/// Quick launches, and then a launch with this behaviour. Keeps the result and the words.
struct Row {
  explicit Row(int32_t does) : x(device.memory(std::vector<int32_t>(18, 0))) {
    for (int i = 0; i < kQuick; ++i)
      CHECK(launch("quick", quick, kQuickBlocks, bytes(x), kNothing) == 0);
    CHECK(device.synchronize() == 0);
    Said said, out(STDOUT_FILENO);
    CHECK(launch("quick", quick, kQuickBlocks, bytes(x), does) == 0);
    code = device.synchronize();
    text = said.text();
    output = out.text();
  }
  std::vector<int32_t> words(uint32_t first, uint32_t count) const {
    const std::vector<int32_t> all = x.host();
    return {all.begin() + first, all.begin() + first + count};
  }
  Device device;
  Buffer<int32_t> x;
  int code = 0;
  std::string text, output;
};

/// Whether blocks run at the same time.
bool runs_beside() {
  Device device;
  aclsimMachine machine{};
  machine.size = sizeof machine;
  return aclsimGetMachine(&machine) == 0 && machine.seeded == 0 && machine.workersPerDevice > 1;
}

const std::vector<int32_t> kAllRan(kQuickBlocks, kQuick + 1);

}  // namespace

TEST_CASE("blocks of a quick kernel run once for each launch, with their own index and core",
          "[quick]") {
  const Row row(kLeavesMark);
  CHECK(row.code == 0);
  CHECK(row.words(0, kQuickBlocks) == kAllRan);
}

TEST_CASE("blocks of a quick kernel that wait for each other in loops of their own go on",
          "[quick]") {
  if (!runs_beside()) return;
  for (const int32_t does : {kMeets, kWaitsForLast}) {
    const Row row(does);
    CHECK(row.code == 0);
    CHECK(row.words(0, kQuickBlocks) == kAllRan);
  }
}

TEST_CASE("blocks of a quick kernel meet at a barrier", "[quick]") {
  const Row row(kSyncs);
  CHECK(row.code == 0);
  CHECK(row.words(0, kQuickBlocks) == kAllRan);
  CHECK(row.words(8, kQuickBlocks) == std::vector<int32_t>(kQuickBlocks, 1));
}

TEST_CASE("what late blocks of a quick kernel print comes in their order", "[quick]") {
  const Row row(kPrints);
  CHECK(row.output == "block 5 of 8\nblock 6 of 8\nblock 7 of 8\n");
}

TEST_CASE("a fault in a block of a quick kernel names the block, and ends the launch", "[quick]") {
  const Row row(kFaults);
  CHECK(row.code != 0);
  CHECK(contains(row.text, "block 4"));
  CHECK(contains(row.text, "an access to memory that is not there"));
}

TEST_CASE("an exception that leaves a block of a quick kernel is told", "[quick]") {
  const Row row(kThrows);
  CHECK(row.code != 0);
  CHECK(contains(row.text, "block 4: the kernel ended: an exception of C++ left it"));
}

TEST_CASE(
    "threads that launch one quick kernel at once, while it is slow now and then, lose no block",
    "[quick]") {
  Device device;
  constexpr int kThreads = 4, kRounds = 60;
  std::vector<std::unique_ptr<Buffer<int32_t>>> buffers;
  for (int t = 0; t <= kThreads; ++t)
    buffers.push_back(std::make_unique<Buffer<int32_t>>(std::vector<int32_t>(18, 0)));
  CHECK(launch("quick", quick, kQuickBlocks, bytes(*buffers.back()), kNothing) == 0);
  CHECK(device.synchronize() == 0);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&wrong, x = bytes(*buffers[t])] {
      aclrtStream stream = nullptr;
      if (aclrtSetDevice(0) != 0 || aclrtCreateStream(&stream) != 0) ++wrong;
      for (int i = 0; i < kRounds; ++i) {
        const int32_t does = i % 20 == 19 ? kSyncs : kNothing;
        if (KernelOf<&quick>::enqueue("quick", ACLSIM_CORES_INFERRED, kQuickBlocks, stream, x,
                                      does) != 0)
          ++wrong;
        if (i % 7 == 0 && aclrtSynchronizeStream(stream) != 0) ++wrong;
      }
      if (aclrtSynchronizeStream(stream) != 0 || aclrtDestroyStream(stream) != 0) ++wrong;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  for (int t = 0; t < kThreads; ++t) {
    std::vector<int32_t> words = buffers[t]->host();
    words.resize(kQuickBlocks);
    CHECK(words == std::vector<int32_t>(kQuickBlocks, kRounds));
  }
}
