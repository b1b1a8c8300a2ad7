// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace bench {

constexpr int kTinyOps = 200'000;
constexpr int kRoundTrips = 2'000;
constexpr int kHops = 20'000;
constexpr int kFanOut = 64;
constexpr int kCallbacks = 100'000;
constexpr int kSmallBatch = 1'000;
constexpr int kHandles = 1'000;
constexpr std::size_t kKiB = 1024;
constexpr std::size_t kMiB = 1024 * kKiB;
constexpr auto kUntilAsleep = std::chrono::milliseconds(20);  // every worker sleeps after this
constexpr auto kNap = std::chrono::milliseconds(2);           // before a single wake-up

inline std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// The duration of `work` in seconds.
template <class Work>
double seconds(Work work) {
  const std::int64_t begin = now_ns();
  work();
  return static_cast<double>(now_ns() - begin) * 1e-9;
}

/// Ends the case with an error in the report.
inline void require(bool condition, const std::string& what) {
  if (!condition) throw std::runtime_error(what);
}

/// Polls memory and yields the processor, because the awaited thread may have been woken on the
/// same processor.
template <class Done>
void yield_until(Done done) {
  while (!done()) std::this_thread::yield();
}

/// Polls memory; yields only once in a while.
template <class Done>
void spin_until(Done done) {
  for (int i = 1; !done(); ++i) {
    if (i % 1024 == 0) std::this_thread::yield();
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
}

class Samples {
 public:
  void add(double value) { values_.push_back(value); }
  double median() const {
    require(!values_.empty(), "no samples");
    std::vector<double> sorted = values_;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t half = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

 private:
  std::vector<double> values_;
};

/// Runs `once`, which returns the seconds it counted, for every iteration after one to warm up.
template <class Once>
Samples measure(benchmark::State& state, Once once) {
  Samples samples;
  once();
  for (auto _ : state) {
    const double took = once();
    state.SetIterationTime(took);
    samples.add(took);
  }
  return samples;
}

/// Registers a case. An exception that it throws is reported as its error.
inline void add_case(const char* name, void (*body)(benchmark::State&), int iterations = 5) {
  benchmark::RegisterBenchmark(name,
                               [body](benchmark::State& state) {
                                 try {
                                   body(state);
                                 } catch (const std::exception& error) {
                                   state.SkipWithError(error.what());
                                 }
                               })
      ->UseManualTime()
      ->Iterations(iterations)
      ->Unit(benchmark::kMicrosecond);
}

struct FreeDeleter {
  void operator()(void* memory) const noexcept { std::free(memory); }
};
using HostMemory = std::unique_ptr<unsigned char, FreeDeleter>;

/// Page-aligned memory that has been touched; every page has different contents.
HostMemory host_memory(std::size_t size);
void fill_pattern(void* memory, std::size_t size);
bool has_pattern(const void* memory, std::size_t size);

/// A thread that sleeps on a futex, and the time that it takes to wake up.
class FutexSleeper {
 public:
  FutexSleeper();
  ~FutexSleeper();
  FutexSleeper(const FutexSleeper&) = delete;
  FutexSleeper& operator=(const FutexSleeper&) = delete;

  /// Nanoseconds from just before the wake to the sleeper's return. The caller first lets it sleep.
  double wake_ns();

 private:
  void run();
  std::atomic<std::uint32_t> word_{0};
  std::atomic<std::int64_t> woken_at_{0};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

/// Figures of this process.
double resident_kib();
double thread_count();
double cpu_seconds();

/// CPU time in milliseconds that the process uses in one idle second.
double idle_cpu_ms();

/// Compares plain memcpy with another way to copy, alternately: rates in GB/s and their ratio.
/// `copy_batch` does `count` copies of `size` bytes and waits for them.
template <class CopyBatch>
void compare_copies(benchmark::State& state, std::size_t size, int count, CopyBatch copy_batch) {
  const HostMemory src = host_memory(size);
  const HostMemory dst = host_memory(size);
  Samples plain;
  const auto plain_batch = [&] {
    for (int i = 0; i < count; ++i) {
      __builtin_memcpy(dst.get(), src.get(), size);
      benchmark::ClobberMemory();
    }
  };
  plain_batch();
  const double bytes = static_cast<double>(size) * count;
  const Samples took = measure(state, [&] {
    plain.add(seconds(plain_batch));
    return seconds(copy_batch);
  });
  state.counters["GBps"] = bytes / took.median() * 1e-9;
  state.counters["memcpy_GBps"] = bytes / plain.median() * 1e-9;
  state.counters["share"] = plain.median() / took.median();
}

}  // namespace bench
