// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/api/fuzzer.h"

#include <sys/mman.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace api_fuzz {
namespace {

constexpr std::size_t kPiece = std::size_t{64} << 10;
constexpr std::size_t kArena = std::size_t{1} << 30;  // reserved; pages are allocated on use
constexpr std::size_t kWords = 64;                    // elements of an array
constexpr std::uint64_t kEdges[] = {
    0,        1,           2,           7,   63,         64,         65,         4095,       4096,
    1U << 20, 0x7fffffffU, 0x80000000U, ~0U, 1ULL << 32, 1ULL << 47, ~0ULL >> 1, 1ULL << 63, ~0ULL};

}  // namespace

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// ---- the pools ----

void Pools::put(Handles& to, const std::string& type, void* handle) {
  std::vector<void*>& pool = to[type];
  if (pool.size() < kMost) {
    pool.push_back(handle);
  } else {
    pool[next_++ % kMost] = handle;
  }
}

void Pools::add(const std::string& type, void* handle) {
  const std::lock_guard guard(mutex_);
  put(live_, type, handle);
}

void Pools::drop(const std::string& type, const void* handle) {
  const std::lock_guard guard(mutex_);
  if (std::erase(live_[type], const_cast<void*>(handle)) != 0) {
    put(stale_, type, const_cast<void*>(handle));
  }
}

void* Pools::of(const Handles& pools, const std::string& type, std::uint64_t choice) {
  const std::lock_guard guard(mutex_);
  const auto pool = pools.find(type);
  return pool == pools.end() || pool->second.empty() ? nullptr
                                                     : pool->second[choice % pool->second.size()];
}

// ---- arguments ----

Fuzzer::Fuzzer(std::uint64_t seed, Pools& pools, std::string folder)
    : random_(seed), pools_(pools), folder_(std::move(folder)) {
  void* const arena = ::mmap(nullptr, kArena, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (arena == MAP_FAILED) throw std::runtime_error("mmap");
  arena_ = static_cast<char*>(arena);
}

// The arena stays mapped: tasks in flight may use it.
Fuzzer::~Fuzzer() = default;

// Maps new memory over the used arena, so that tasks in flight still find memory at its addresses.
void* Fuzzer::piece() {
  if (used_ + kPiece > kArena) {
    ::mmap(arena_, kArena, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    used_ = 0;
  }
  return arena_ + std::exchange(used_, used_ + kPiece);
}

std::uint64_t Fuzzer::any_number() {
  const std::uint64_t kind = below(10);
  if (kind < 6) return below(4);
  if (kind < 8) return below(64);
  if (kind < 9) return kEdges[below(std::size(kEdges))];
  return random_();
}

std::uint64_t Fuzzer::small_number() { return below(2) == 0 ? below(9) : below(33) * 4; }

void* Fuzzer::handle(const std::string& type) {
  const std::uint64_t kind = below(20);
  if (kind == 0) return nullptr;
  if (kind == 1) return reinterpret_cast<void*>(random_());
  if (kind == 2) {  // a handle of another type, or a damaged one
    auto* const other = static_cast<char*>(pools_.any("aclrtStream", random_()));
    return other ? other + below(3) : nullptr;
  }
  if (kind < 5) return pools_.stale(type, random_());
  return pools_.any(type, random_());
}

void* Fuzzer::handles(const std::string& type) {
  auto** const all = static_cast<void**>(piece());
  for (std::size_t i = 0; i < kWords; ++i) all[i] = pools_.any(type, random_());
  return below(8) == 0 ? nullptr : all;
}

void* Fuzzer::memory() {
  const std::uint64_t kind = below(10);
  if (kind == 0) return nullptr;
  if (kind == 1) {
    if (void* const freed = memory_.stale("memory", random_())) return freed;
  }
  void* const device = kind < 6 ? memory_.any("memory", random_()) : nullptr;
  return device ? device : piece();
}

void* Fuzzer::memories() {
  auto** const all = static_cast<void**>(piece());
  for (std::size_t i = 0; i < kWords; ++i) {
    void* const device = memory_.any("memory", random_());
    all[i] = device && below(4) != 0 ? device : piece();
  }
  return below(8) == 0 ? nullptr : all;
}

// The paths are below a file, where no file can be created, or in the folder of this run.
const char* Fuzzer::text() { return below(11) == 0 ? folder_.c_str() : fixed_text(); }

const char* Fuzzer::fixed_text() {
  const char* const texts[] = {
      nullptr, "",         "kernel", "/proc/version/x", "%s%n", "/dev/null",
      "0",     "\xff\xfe", ",",      long_text_.c_str()};
  return texts[below(std::size(texts))];
}

void* Fuzzer::scratches() {
  auto** const all = static_cast<void**>(piece());
  for (std::size_t i = 0; i < kWords; ++i) all[i] = piece();
  return below(8) == 0 ? nullptr : all;
}

void* Fuzzer::scratch() { return below(8) == 0 ? nullptr : piece(); }

// ---- the call ----

void Fuzzer::begin(const char* name) {
  since_.store(now_ns(), std::memory_order_relaxed);
  inside_.store(name, std::memory_order_relaxed);
}

bool Fuzzer::end(long code) {
  const char* const name = inside_.exchange(nullptr, std::memory_order_relaxed);
  ++calls_;
  if (code == 0) ++good_;
  if (log) std::printf("%s %ld\n", name, code);
  for (const char* c = name; *c; ++c)
    hash_ = (hash_ ^ static_cast<unsigned char>(*c)) * 1099511628211U;
  hash_ = (hash_ ^ static_cast<std::uint64_t>(code)) * 1099511628211U;
  return code == 0;
}

void Fuzzer::keep(const std::string& type, const void* made) {
  if (!made) return;
  keep_one(type, *static_cast<void* const*>(made));
}

void Fuzzer::keep_one(const std::string& type, void* made) {
  if (made) pool(type).add(type, made);
}

}  // namespace api_fuzz
