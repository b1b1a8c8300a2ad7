// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>

#include "device_sim/base/lazy.h"
#include "device_sim/base/mutex.h"

namespace acl {

/// The tasks that happen before the next task of a stream, as far as events order them: for each
/// stream (by its id) the tasks up to a number. Kept only while memory pools need it.
class StreamOrder {
 public:
  using Past = std::map<std::uint32_t, std::uint64_t>;

  static bool kept() noexcept { return keep_.load(std::memory_order_relaxed); }
  static void keep(bool on) noexcept { keep_.store(on, std::memory_order_relaxed); }

  /// The tasks that happen before an event that the stream records next, without the record itself;
  /// null if the order is not kept.
  std::shared_ptr<Past> before_record() const {
    if (!kept()) [[likely]]
      return nullptr;
    const Known* const known = known_.if_made();
    if (!known) return std::make_shared<Past>();
    const sim::LockGuard guard(known->mutex);
    return std::make_shared<Past>(known->past);
  }
  /// The stream has been made to wait for an event with that past (may be null).
  void waited_for(const std::shared_ptr<const Past>& past) {
    if (!past) [[likely]]
      return;
    Known& known = known_.get();
    const sim::LockGuard guard(known.mutex);
    for (const auto& [id, number] : *past) {
      std::uint64_t& last = known.past[id];
      last = std::max(last, number);
    }
  }
  bool comes_after(std::uint32_t id, std::uint64_t number) const {
    const Known* const known = known_.if_made();
    if (!known) return false;
    const sim::LockGuard guard(known->mutex);
    const auto it = known->past.find(id);
    return it != known->past.end() && it->second >= number;
  }

 private:
  struct Known {
    mutable sim::Mutex mutex;
    Past past GUARDED_BY(mutex);
  };

  inline static std::atomic<bool> keep_{false};
  sim::Lazy<Known> known_;
};

}  // namespace acl
