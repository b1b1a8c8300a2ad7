// SPDX-License-Identifier: Apache-2.0
#include "bench/support.h"

#include <linux/futex.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <fstream>

namespace bench {

// ---- memory ----

HostMemory host_memory(std::size_t size) {
  const std::size_t rounded = (size + 4095) / 4096 * 4096;
  HostMemory memory(static_cast<unsigned char*>(std::aligned_alloc(4096, rounded)));
  require(memory != nullptr, "out of memory");
  fill_pattern(memory.get(), size);
  return memory;
}

namespace {
unsigned char pattern_at(std::size_t i) {
  return static_cast<unsigned char>(i * 31 + i / 4096 + 1);
}
}  // namespace

void fill_pattern(void* memory, std::size_t size) {
  auto* bytes = static_cast<unsigned char*>(memory);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = pattern_at(i);
}

bool has_pattern(const void* memory, std::size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(memory);
  for (std::size_t i = 0; i < size; ++i) {
    if (bytes[i] != pattern_at(i)) return false;
  }
  return true;
}

// ---- a bare wake-up ----

namespace {
void futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value) {
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation | FUTEX_PRIVATE_FLAG, value,
          nullptr, nullptr, 0);
}
}  // namespace

FutexSleeper::FutexSleeper() : thread_([this] { run(); }) {}

FutexSleeper::~FutexSleeper() {
  stop_ = true;
  word_.fetch_add(1);
  futex(word_, FUTEX_WAKE, INT_MAX);
  thread_.join();
}

void FutexSleeper::run() {
  std::uint32_t seen = 0;
  while (!stop_) {
    while (word_.load(std::memory_order_acquire) == seen) futex(word_, FUTEX_WAIT, seen);
    woken_at_.store(now_ns(), std::memory_order_release);
    seen = word_.load(std::memory_order_acquire);
  }
}

double FutexSleeper::wake_ns() {
  woken_at_.store(0, std::memory_order_relaxed);
  const std::int64_t begin = now_ns();
  word_.fetch_add(1, std::memory_order_release);
  futex(word_, FUTEX_WAKE, 1);
  std::int64_t woken = 0;
  yield_until([&] { return (woken = woken_at_.load(std::memory_order_acquire)) != 0; });
  return static_cast<double>(woken - begin);
}

// ---- the process ----

namespace {
double status_number(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double number = 0;
    if (word == key && status >> number) return number;
  }
  throw std::runtime_error("no " + key + " in /proc/self/status");
}
}  // namespace

double resident_kib() { return status_number("VmRSS:"); }
double thread_count() { return status_number("Threads:"); }

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

double idle_cpu_ms() {
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const double before = cpu_seconds();
  std::this_thread::sleep_for(std::chrono::seconds(1));
  return (cpu_seconds() - before) * 1e3;
}

namespace {
const bool compiler_named = [] {
#if defined(__clang__)
  benchmark::AddCustomContext("compiler", "clang " __clang_version__);
#else
  benchmark::AddCustomContext("compiler", "gcc " __VERSION__);
#endif
  return true;
}();
}  // namespace

}  // namespace bench
