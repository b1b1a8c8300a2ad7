// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/crew.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include "device_sim/base/clock.h"
#include "device_sim/base/thread.h"
#include "runtime/ascendc/launch/run.h"

namespace ascendc {
namespace {

/// Threads that help with launches. They live as long as the process.
///
/// To wake one costs more than a launch of a small kernel. So a launch of a kernel whose launches have been
/// quick of late wakes nobody: one thread looks every millisecond, as long as there are such launches, and
/// helps where it sees the same one twice. A block may wait for another in a loop of its own.
class Crew {
 public:
  static Crew& get() {
    static auto& crew = *new Crew;
    return crew;
  }

  void run(Run& run) {
    Entry entry{&run, 0};
    const sim::Nanoseconds begin = clock_.now_ns();
    bool quiet = false;
    {
      const std::lock_guard guard(mutex_);
      if (!hire(run.settings().workers)) return run.work();
      entry.number = ++launches_;
      quiet = quick_[place(run)] >= kTrusted;
      entry.wanted = !quiet;
      entries_.push_back(&entry);
      if (quiet && !std::exchange(patrols_, true)) quiet = false;  // somebody has to begin to look
    }
    if (!quiet) wanted_.notify_all();
    run.work();
    const bool was_quick = clock_.now_ns() - begin < kQuickNs;
    std::unique_lock lock(mutex_);
    std::erase(entries_, &entry);
    std::uint8_t& row = quick_[place(run)];
    row = !was_quick ? 0 : row < kTrusted ? static_cast<std::uint8_t>(row + 1) : row;
    left_.wait(lock, [&] { return entry.helpers == 0; });
  }

 private:
  struct Entry {
    Run* run;
    std::uint32_t helpers;
    std::uint64_t number = 0;
    bool wanted = true;  // help, at once
  };
  static constexpr sim::Nanoseconds kQuickNs = 20'000;
  static constexpr std::uint8_t kTrusted = 8;  // quick launches in a row
  static constexpr std::chrono::milliseconds kLook{1};

  static std::size_t place(const Run& run) {
    return reinterpret_cast<std::uintptr_t>(&run.code()) / alignof(aclsimKernelCode) % kKernels;
  }

  // With mutex_. False when there is nobody: one thread runs all.
  bool hire(std::uint32_t workers) {
    try {
      while (threads_ + 1 < workers) {
        sim::start_thread(sim::Signals::blocked, [this] { help(); }).detach();
        ++threads_;
      }
    } catch (const std::exception&) {  // the system gives no more
    }
    return threads_ != 0;
  }

  void help() {
    std::unique_lock lock(mutex_);
    for (;;) {
      Entry& entry = next(lock);
      ++entry.helpers;
      if (patrols_ && !looking_) wanted_.notify_one();  // another one looks meanwhile
      lock.unlock();
      entry.run->work();
      lock.lock();
      std::erase(entries_, &entry);  // it is over
      --entry.helpers;
      left_.notify_all();
    }
  }

  // With mutex_. A launch that wants help.
  Entry& next(std::unique_lock<std::mutex>& lock) {
    for (;;) {
      for (Entry* const entry : entries_) {
        if (entry->wanted) return *entry;
      }
      if (!patrols_ || looking_) {
        wanted_.wait(lock);
        continue;
      }
      looking_ = true;
      const std::uint64_t before = launches_;
      wanted_.wait_until(lock, sim::Deadline::in(kLook).at());
      looking_ = false;
      for (Entry* const entry : entries_) entry->wanted |= entry->number <= before;
      if (launches_ == before && entries_.empty()) patrols_ = false;
    }
  }

  static constexpr std::size_t kKernels = 1024;

  const sim::RealClock clock_;
  std::mutex mutex_;
  std::condition_variable wanted_;
  std::array<std::uint8_t, kKernels> quick_{};  // by kernel: launches in a row that were quick
  std::uint64_t launches_ = 0;
  bool patrols_ = false;  // a thread looks every millisecond, or is about to
  bool looking_ = false;
  std::condition_variable left_;
  std::vector<Entry*> entries_;
  std::uint32_t threads_ = 0;
};

}  // namespace

void run_with_crew(Run& run) {
  if (!run.wants_help() || run.settings().workers < 2) return run.work();
  Crew::get().run(run);
}

}  // namespace ascendc
