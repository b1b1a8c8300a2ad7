// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "device_sim/base/mutex.h"

namespace acl {

class Context;
class Runtime;

/// The state that one part of the interface (virtual memory, profiling, ...) has per process,
/// beside the core's contexts, streams and events. Made on first use, never destroyed.
class Section {
 public:
  virtual ~Section() = default;
  /// aclsimResetAll: back to where a process starts.
  virtual void reset() {}
  /// The context's streams have ended; what else belongs to it goes too.
  virtual void context_ends(const Context&) {}
  /// The last context of a device (the machine's id) has ended.
  virtual void device_ends(int /*device*/) {}
  /// The process is about to end.
  virtual void at_exit() {}
  /// Objects that the program has not destroyed yet, for leak checks.
  virtual std::size_t live_handles() const { return 0; }
};

/// The sections that are in use.
class Sections {
 public:
  template <class T>
  T& get(Runtime& runtime) {
    static std::atomic<T*> made{nullptr};  // one runtime per process
    if (T* const section = made.load(std::memory_order_acquire)) return *section;
    const sim::LockGuard guard(mutex_);
    if (T* const section = made.load(std::memory_order_relaxed)) return *section;
    auto section = std::make_unique<T>(runtime);
    T& result = *section;
    all_.push_back(std::move(section));
    made.store(&result, std::memory_order_release);
    return result;
  }

  /// Calls `f` for each, without holding a lock.
  template <class F>
  void for_each(F&& f) const {
    std::vector<Section*> all;
    {
      const sim::LockGuard guard(mutex_);
      for (const auto& section : all_) all.push_back(section.get());
    }
    for (Section* const section : all) f(*section);
  }

 private:
  // Recursive, because a section that is being made may ask for another section.
  mutable sim::RecursiveMutex mutex_;
  std::vector<std::unique_ptr<Section>> all_ GUARDED_BY(mutex_);
};

}  // namespace acl
