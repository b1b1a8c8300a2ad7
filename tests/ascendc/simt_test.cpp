// SPDX-License-Identifier: Apache-2.0
// SIMT functions: the threads that run, their synchronisation, and exchange within warps.
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "ascendc/simt_api/asc_simt.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/said.h"
#include "tests/support/catch.h"
#include "tests/support/share.h"

// These are words of SIMT code alone.
#undef blockIdx
#undef blockDim
#undef gridDim
#undef threadIdx

namespace {

dim3 of(uint32_t x, uint32_t y = 1, uint32_t z = 1) { return dim3{x, y, z}; }
const aclsimThread& self() { return *aclsimThisThread(); }

/// A launch of a grid, as NAME<<<dim3, dim3, bytes, stream>>>(args) makes it.
template <class... Args>
uint32_t launch_grid(const char* name, aclsimKernelEntryPoint entry, dim3 grid, dim3 block,
                     Args... args) {
  static aclsimKernelCode code{sizeof(aclsimKernelCode),
                               ACLSIM_CORES_INFERRED,
                               "",
                               "test.cpp",
                               1,
                               0,
                               nullptr,
                               nullptr,
                               0,
                               0};
  code.name = name;
  code.entry = entry;
  const uint64_t values[] = {reinterpret_cast<uint64_t>(args)..., 0};
  aclsimKernelLaunchRequest request{};
  request.size = sizeof request;
  request.code = &code;
  request.blocks = grid.x * grid.y * grid.z;
  const uint32_t grids[3] = {grid.x, grid.y, grid.z};
  const uint32_t threads[3] = {block.x, block.y, block.z};
  std::memcpy(request.grid, grids, sizeof grids);
  std::memcpy(request.threads, threads, sizeof threads);
  request.args = values;
  request.args_size = sizeof...(args) * 8;
  return aclsimLaunchKernelCode(&request, nullptr);
}

template <class T>
T* argument(const void* args, std::size_t index = 0) {
  return static_cast<T* const*>(args)[index];
}

uint64_t number_of(const uint32_t (&at)[3], const uint32_t (&of)[3]) {
  return (uint64_t{at[2]} * of[1] + at[1]) * of[0] + at[0];
}
uint32_t threads_of(const aclsimThread& thread) {
  return thread.block_dim[0] * thread.block_dim[1] * thread.block_dim[2];
}

void counts_itself(const void* args) {
  const aclsimThread& thread = self();
  const uint64_t block = number_of(thread.block, thread.grid_dim);
  const uint64_t at = block * threads_of(thread) + number_of(thread.index, thread.block_dim);
  asc_atomic_add(argument<uint32_t>(args) + at, 1U);
}

/// The sum of a block's numbers, by halves.
void adds_up(const void* args) {
  const aclsimThread& thread = self();
  const uint32_t threads = threads_of(thread);
  auto* const numbers = argument<int32_t>(args) + uint64_t{thread.block[0]} * threads;
  const uint32_t me = thread.number;
  for (uint32_t half = threads / 2; half != 0; half /= 2) {
    asc_syncthreads();
    if (me < half) numbers[me] += numbers[me + half];
  }
}

struct Seen {
  int32_t shuffled, up, down, across, sum, most;
  uint32_t ballot;
  int32_t all, any;
};

void asks_its_warp(const void* args) {
  const auto me = static_cast<int32_t>(self().number);
  const int32_t own = argument<const int32_t>(args, 1)[me];
  Seen& seen = argument<Seen>(args)[me];
  seen.shuffled = asc_shfl(own, 5, 8);
  seen.up = asc_shfl_up(own, 3, 16);
  seen.down = asc_shfl_down(own, 2);
  seen.across = asc_shfl_xor(own, 1);
  seen.sum = asc_reduce_add(own);
  seen.most = asc_reduce_max(own);
  seen.ballot = asc_ballot(own % 2);
  seen.all = asc_all(own > -100);
  seen.any = asc_any(own > 90);
}

void parts_ways(const void*) {
  if (self().number % 2 == 0) {
    asc_syncthreads();
  } else {
    asc_shfl(1, 0);
  }
}
void throws(const void*) { throw 1; }
void fails(const void* args) { ascendc_assert(argument<int>(args) == nullptr); }
#define OWN_NUMBER (self().number)
constexpr int kAsserts = __LINE__ + 1;
void thread_fails(const void*) { assert(OWN_NUMBER != 7); }

/// A kernel of a vector core that calls a SIMT function.
void scales(float* data, float factor) { data[self().number] *= factor; }
void calls(GM_ADDR data, float factor) {
  asc_vf_call<scales>(of(64), reinterpret_cast<float*>(data) + 64 * AscendC::GetBlockIdx(), factor);
}

}  // namespace

TEST_CASE("each thread of a grid runs once, and knows where it is", "[simt]") {
  std::mt19937_64 random(support::first_seed());
  const auto pick = [&](uint32_t from, uint32_t to) {
    return std::uniform_int_distribution<uint32_t>(from, to)(random);
  };
  for (int trial = 0; trial < 20; ++trial) {
    const dim3 grid{pick(1, 9), pick(1, 4), pick(1, 3)};
    const dim3 block{pick(1, 40), pick(1, 7), pick(1, 7)};
    const uint64_t count = uint64_t{grid.x} * grid.y * grid.z * block.x * block.y * block.z;
    INFO(grid.x << " " << grid.y << " " << grid.z << " of " << block.x << " " << block.y << " "
                << block.z);
    Device device;
    const auto counts = device.memory(std::vector<uint32_t>(count, 0));
    REQUIRE(launch_grid("counts_itself", counts_itself, grid, block, counts.data()) == 0);
    REQUIRE(device.synchronize() == 0);
    CHECK(counts.host() == std::vector<uint32_t>(count, 1));
  }
}

TEST_CASE("asc_syncthreads orders the threads of a block", "[simt]") {
  for (const uint32_t threads : {1U, 2U, 32U, 256U, 2048U}) {
    Device device;
    std::vector<int32_t> numbers(3 * threads);
    std::iota(numbers.begin(), numbers.end(), 1);
    const auto memory = device.memory(numbers);
    REQUIRE(launch_grid("adds_up", adds_up, of(3), of(threads), memory.data()) == 0);
    REQUIRE(device.synchronize() == 0);
    const auto sums = memory.host();
    for (uint32_t block = 0; block < 3; ++block) {
      const auto first = numbers.begin() + block * threads;
      CHECK(sums[block * threads] == std::accumulate(first, first + threads, 0));
    }
  }
}

TEST_CASE("threads of a warp give each other their values, in whole warps and in the last",
          "[simt]") {
  std::mt19937_64 random(support::first_seed());
  for (const uint32_t threads : {32U, 70U, 5U}) {
    Device device;
    std::vector<int32_t> own(threads);
    for (int32_t& value : own) value = std::uniform_int_distribution<int32_t>(-99, 99)(random);
    const auto numbers = device.memory(own);
    const auto results = device.memory<Seen>(threads);
    REQUIRE(launch_grid("asks_its_warp", asks_its_warp, of(1), of(threads), results.data(),
                        numbers.data()) == 0);
    REQUIRE(device.synchronize() == 0);
    const auto seen = results.host();
    for (uint32_t i = 0; i < threads; ++i) {
      INFO("thread " << i << " of " << threads);
      const uint32_t first = i / 32 * 32;
      const uint32_t last = std::min(first + 32, threads);
      const auto value = [&](bool inside, int64_t lane) {
        return inside && lane >= 0 && first + lane < last
                   ? own[static_cast<std::size_t>(first + lane)]
                   : own[i];
      };
      const int64_t lane = i - first;
      CHECK(seen[i].shuffled == value(true, lane / 8 * 8 + 5));
      CHECK(seen[i].up == value(lane - 3 >= lane / 16 * 16, lane - 3));
      CHECK(seen[i].down == value(lane + 2 < 32, lane + 2));
      CHECK(seen[i].across == value(true, lane ^ 1));
      int32_t sum = 0;
      int32_t most = -1000;
      uint32_t ballot = 0;
      for (uint32_t j = first; j < last; ++j) {
        sum += own[j];
        most = std::max(most, own[j]);
        if (own[j] % 2 != 0) ballot |= 1U << (j - first);
      }
      CHECK(seen[i].sum == sum);
      CHECK(seen[i].most == most);
      CHECK(seen[i].ballot == ballot);
      CHECK(seen[i].all == 1);
      CHECK(seen[i].any == (most > 90 ? 1 : 0));
    }
  }
}

TEST_CASE("atomics are one step among all threads of all blocks", "[simt]") {
  Device device;
  struct Sums {
    uint32_t count, wrapped, greatest;
    float half_steps;
    half small;
  };
  const auto sums = device.memory(std::vector<Sums>{{0, 0, 0, 0, half(0)}});
  const auto step = [](const void* args) {
    Sums& all = *argument<Sums>(args);
    asc_atomic_add(&all.count, 1U);
    asc_atomic_inc(&all.wrapped, 6U);
    asc_atomic_max(&all.greatest, self().number);
    asc_atomic_add(&all.half_steps, 0.5F);
    asc_atomic_add(&all.small, half(1));
  };
  REQUIRE(launch_grid("atomics", +step, of(8), of(100), sums.data()) == 0);
  REQUIRE(device.synchronize() == 0);
  const Sums result = sums.host()[0];
  CHECK(result.count == 800);
  CHECK(result.wrapped == 800 % 7);
  CHECK(result.greatest == 99);
  CHECK(result.half_steps == 400);
  CHECK(static_cast<float>(result.small) == 800);
}

TEST_CASE("a kernel of a vector core calls a SIMT function", "[simt]") {
  Device device;
  std::vector<float> values(256);
  std::iota(values.begin(), values.end(), 0.0F);
  const auto memory = device.memory(values);
  REQUIRE(launch("calls", calls, 4, reinterpret_cast<GM_ADDR>(memory.data()), 3.0F) == 0);
  REQUIRE(device.synchronize() == 0);
  const auto scaled = memory.host();
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(scaled[i] == 3.0F * values[i]);
}

TEST_CASE("an assertion names kernel, block, thread and line, and what stands in the source",
          "[simt]") {
  Device device;
  const auto said_of = [&](dim3 threads) {
    Said said;
    Said output(STDOUT_FILENO);
    REQUIRE(launch_grid("thread_fails", thread_fails, of(1), threads) == 0);
    CHECK(device.synchronize() == 507035);
    const std::string shown = output.text();
    CHECK(contains(shown, "simt_test.cpp:" + std::to_string(kAsserts) + ": void "));
    CHECK(contains(shown, "Assertion `OWN_NUMBER != 7' failed.\n"));
    return said.text();
  };
  const std::string what =
      "simt_test.cpp:" + std::to_string(kAsserts) + ": assertion `OWN_NUMBER != 7' failed [assert]";
  std::string text = said_of(of(64));
  CAPTURE(text);
  CHECK(contains(text, "kernel thread_fails, block 0, thread 7: "));
  CHECK(contains(text, what));
  text = said_of(of(2, 3, 4));
  CHECK(contains(text, "kernel thread_fails, block 0, thread (1, 0, 1): "));
}

TEST_CASE("SIMT code that goes wrong ends its launch alone", "[simt]") {
  struct {
    const char* name;
    aclsimKernelEntryPoint entry;
    int code;
    const char* text;
  } const kBroken[] = {{"parts_ways", parts_ways, 507034, "threads-hang"},
                       {"throws", throws, 507035, "an exception of C++ left it"},
                       {"fails", fails, 507035, "[assert]"}};
  Device device;
  const auto memory = device.memory<int>(64);
  for (const auto& broken : kBroken) {
    INFO(broken.name);
    Said said;
    Said output(STDOUT_FILENO);
    REQUIRE(launch_grid(broken.name, broken.entry, of(2), of(64), memory.data()) == 0);
    CHECK(device.synchronize() == broken.code);
    output.text();
    CHECK(contains(said.text(), broken.text));
  }
  const auto counts = device.memory(std::vector<uint32_t>(64, 0));
  CHECK(launch_grid("too_many", counts_itself, of(1), of(2049), counts.data()) == 107000);
  CHECK(launch_grid("too_few", counts_itself, of(1), of(0), counts.data()) == 107000);
  REQUIRE(launch_grid("counts_itself", counts_itself, of(1), of(64), counts.data()) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(counts.host() == std::vector<uint32_t>(64, 1));
}
