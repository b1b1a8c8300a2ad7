// SPDX-License-Identifier: Apache-2.0
// The cost of the machine itself, without the emulator and OpenCL.
#include <cstring>

#include "bench/support.h"

namespace bench {
namespace {

void copy(benchmark::State& state, std::size_t size, int count) {
  const HostMemory src = host_memory(size);
  const HostMemory dst = host_memory(size);
  std::memset(dst.get(), 0, size);
  const Samples took = measure(state, [&] {
    return seconds([&] {
      for (int i = 0; i < count; ++i) {
        std::memcpy(dst.get(), src.get(), size);
        benchmark::ClobberMemory();
      }
    });
  });
  require(has_pattern(dst.get(), size), "memcpy left other bytes");
  state.counters["GBps"] = static_cast<double>(size) * count / took.median() * 1e-9;
}

void futex_wake(benchmark::State& state) {
  FutexSleeper sleeper;
  const Samples took = measure(state, [&] {
    std::this_thread::sleep_for(kUntilAsleep);
    return sleeper.wake_ns() * 1e-9;
  });
  state.counters["us"] = took.median() * 1e6;
}

void clock_read(benchmark::State& state) {
  constexpr int kReads = 1'000'000;
  const Samples took = measure(state, [] {
    return seconds([] {
      for (int i = 0; i < kReads; ++i) benchmark::DoNotOptimize(now_ns());
    });
  });
  state.counters["ns"] = took.median() * 1e9 / kReads;
}

const bool registered = [] {
  add_case(
      "floor/memcpy_4KiB", [](auto& state) { copy(state, 4 * kKiB, kSmallBatch); }, 25);
  add_case(
      "floor/memcpy_1MiB", [](auto& state) { copy(state, kMiB, 1); }, 101);
  add_case(
      "floor/memcpy_256MiB", [](auto& state) { copy(state, 256 * kMiB, 1); }, 3);
  add_case("floor/futex_wake", futex_wake, 101);
  add_case("floor/clock_read", clock_read);
  return true;
}();

}  // namespace
}  // namespace bench
