// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ascendc/impl/launch.h"
#include "device_sim/base/clock.h"
#include "device_sim/base/mutex.h"
#include "device_sim/base/processors.h"

namespace ascendc {

class Alone;
class Execution;

/// Threads that help with launches. They live as long as the process.
///
/// Waking a thread costs more than a launch of a small kernel. So a launch of a kernel whose recent
/// launches were quick wakes no thread. Instead one thread checks every millisecond while launches
/// of this kind occur, and helps with a launch that it sees twice: one of its blocks may wait for
/// another in a loop.
class Crew {
 public:
  static Crew& get();

  /// Runs the blocks of a launch in the calling thread and in free threads of the crew.
  void run(Execution& run);

  // --- of launches that a thread begins alone ---
  /// Whether the kernel's recent launches were quick and called no function of the library.
  bool trusts(const aclsimKernelCode& code) const noexcept {
    return calm_[place(code)].load(std::memory_order_relaxed) >= kTrusted;
  }
  void distrust(const aclsimKernelCode& code) noexcept {
    calm_[place(code)].store(0, std::memory_order_relaxed);
  }
  /// A thread looks for launches that take long.
  bool looks() const noexcept {
    return patrols_.load(std::memory_order_relaxed) && orders_.load(std::memory_order_relaxed);
  }
  bool was_quick(sim::Nanoseconds began) const noexcept { return now_ns() - began < kQuickNs; }
  sim::Nanoseconds now_ns() const noexcept { return clock_.now_ns(); }
  void add(Alone& alone) EXCLUDES(mutex_);
  void remove(Alone& alone) EXCLUDES(mutex_);

  /// A launch that threads may help with, while `helpers` do so.
  struct Entry {
    Execution* run = nullptr;
    std::uint32_t helpers = 0;
    std::uint64_t number = 0;
    bool wanted = true;        // help, at once
    sim::Processors places{};  // of the threads that run its blocks
  };
  sim::Mutex& mutex() noexcept RETURN_CAPABILITY(mutex_) { return mutex_; }
  void begin(Entry& entry) REQUIRES(mutex_);
  void end(Entry& entry) EXCLUDES(mutex_);

 private:
  static constexpr sim::Nanoseconds kQuickNs = 20'000;
  static constexpr std::uint8_t kTrusted = 8;  // launches in a row
  static constexpr std::chrono::milliseconds kLook{1};
  static constexpr std::size_t kKernels = 1024;

  static std::size_t place(const aclsimKernelCode& code) noexcept {
    return reinterpret_cast<std::uintptr_t>(&code) / alignof(aclsimKernelCode) % kKernels;
  }

  bool hire(std::uint32_t workers) REQUIRES(mutex_);
  void help() EXCLUDES(mutex_);
  static void help(Execution& run);
  Entry& next(sim::UniqueLock<sim::Mutex>& lock) REQUIRES(mutex_);
  void look(sim::UniqueLock<sim::Mutex>& lock) REQUIRES(mutex_);
  void take_long_ones() REQUIRES(mutex_);
  void note(const Execution& run, bool quick) noexcept;

  const sim::RealClock clock_;
  sim::Mutex mutex_;
  sim::CondVar wanted_;
  std::array<std::atomic<std::uint8_t>, kKernels>
      quick_{};  // by kernel: launches in a row that were quick
  std::array<std::atomic<std::uint8_t>, kKernels> calm_{};  // and in which no block called anything
  std::uint64_t launches_ GUARDED_BY(mutex_) = 0;
  std::atomic<bool> patrols_{false};  // a thread looks every millisecond, or is about to
  std::atomic<bool> orders_{false};   // other threads can be made to see what it did
  bool looking_ GUARDED_BY(mutex_) = false;
  sim::CondVar left_;
  std::vector<Entry*> entries_ GUARDED_BY(mutex_);
  std::vector<Alone*> alone_ GUARDED_BY(mutex_);  // threads that have begun launches alone
  std::uint32_t threads_ GUARDED_BY(mutex_) = 0;
};

}  // namespace ascendc
