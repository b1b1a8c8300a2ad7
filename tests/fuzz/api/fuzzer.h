// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace api_fuzz {

/// Handles and addresses that calls returned, by the name of their type. When a call releases one,
/// it becomes stale.
class Pools {
 public:
  void add(const std::string& type, void* handle);
  /// Moves the handle to the stale ones.
  void drop(const std::string& type, const void* handle);
  /// Null if the pool has none.
  void* any(const std::string& type, std::uint64_t choice) { return of(live_, type, choice); }
  void* stale(const std::string& type, std::uint64_t choice) { return of(stale_, type, choice); }

 private:
  static constexpr std::size_t kMost = 64;
  using Handles = std::map<std::string, std::vector<void*>>;
  void put(Handles& to, const std::string& type, void* handle);
  void* of(const Handles& pools, const std::string& type, std::uint64_t choice);

  std::mutex mutex_;
  Handles live_, stale_;
  std::uint64_t next_ = 0;
};

/// A function that does nothing, of any type.
template <class Function>
struct Nothing;
template <class Result, class... Arguments>
struct Nothing<Result (*)(Arguments...)> {
  static Result call(Arguments...) {
    if constexpr (!std::is_void_v<Result>) return Result{};
  }
};

/// The state of one thread: makes arguments, and records the call that the thread is in.
class Fuzzer {
 public:
  Fuzzer(std::uint64_t seed, Pools& pools, std::string folder);
  ~Fuzzer();
  Fuzzer(const Fuzzer&) = delete;
  Fuzzer& operator=(const Fuzzer&) = delete;

  // ---- arguments ----

  /// `small`: a size or count that must fit into the memory of the call.
  template <class Number>
  Number number(bool small) {
    if constexpr (std::is_floating_point_v<Number>) return static_cast<Number>(below(100)) / 7;
    return static_cast<Number>(small ? small_number() : any_number());
  }
  template <class Number>
  Number moment() {  // a time limit; never infinite
    return static_cast<Number>(1 + below(3));
  }
  template <class Function>
  Function callback() {
    return below(4) == 0 ? nullptr : &Nothing<Function>::call;
  }
  void* handle(const std::string& type);
  void* handles(const std::string& type);
  void* memory();
  void* memories();
  const char* text();
  /// The same text in every run, because it may be printed.
  const char* fixed_text();
  void* scratch();
  void* scratches();
  /// A record without pointers.
  void* filled() { return numbers<std::int32_t>(); }
  void* zeros() { return below(8) == 0 ? nullptr : piece(); }
  template <class Number>
  void* numbers() {
    auto* const all = static_cast<Number*>(piece());
    for (int i = 0; i < 64; ++i) all[i] = static_cast<Number>(below(4));
    return below(8) == 0 ? nullptr : all;
  }

  // ---- the call ----

  void begin(const char* name);
  /// True if the call returned all its outputs.
  bool end(long code);
  // All threads share handles. Memory belongs to one thread: another thread could use it while its
  // owner frees it, which a program must not do.
  void keep(const std::string& type, const void* made);
  void keep_one(const std::string& type, void* made);
  void drop(const std::string& type, const void* handle) { pool(type).drop(type, handle); }

  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  /// The call that the thread is in (null: none), and its start in ns.
  const char* inside() const noexcept { return inside_.load(std::memory_order_relaxed); }
  std::int64_t since_ns() const noexcept { return since_.load(std::memory_order_relaxed); }
  std::uint64_t calls() const noexcept { return calls_; }
  std::uint64_t good_calls() const noexcept { return good_; }
  /// A hash of the names and results of all calls.
  std::uint64_t hash() const noexcept { return hash_; }
  bool log = false;  // prints each call and its result to stdout

 private:
  std::uint64_t any_number();
  std::uint64_t small_number();
  /// 64 KiB of zeros that were never used before.
  void* piece();

  std::mt19937_64 random_;
  Pools& pool(const std::string& type) { return type == "memory" ? memory_ : pools_; }

  Pools& pools_;
  Pools memory_;
  const std::string folder_;
  const std::string long_text_ = std::string(5000, 'k');
  char* arena_ = nullptr;
  std::size_t used_ = 0;
  std::atomic<const char*> inside_{nullptr};
  std::atomic<std::int64_t> since_{0};
  std::uint64_t calls_ = 0, good_ = 0, hash_ = 14695981039346656037U;
};

struct Call {
  const char* name;
  void (*make)(Fuzzer&);
  unsigned weight;
};

std::int64_t now_ns();

}  // namespace api_fuzz
