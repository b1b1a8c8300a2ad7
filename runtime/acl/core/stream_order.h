// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace acl {

/// What has happened before whatever a stream is given next, as far as events say: of each stream
/// (by its id) the tasks up to a number. Kept only while somebody asks, that is, memory pools.
class StreamOrder {
 public:
  using Past = std::map<std::uint32_t, std::uint64_t>;

  static bool kept() noexcept { return keep_.load(std::memory_order_relaxed); }
  static void keep(bool on) noexcept { keep_.store(on, std::memory_order_relaxed); }

  /// What an event that the stream records next comes after, but for the record itself; null when
  /// nobody asks.
  std::shared_ptr<Past> before_record() const {
    if (!kept()) return nullptr;
    const std::lock_guard guard(mutex_);
    return std::make_shared<Past>(past_);
  }
  /// The stream has been made to wait for an event with that past (may be null).
  void waited_for(const std::shared_ptr<const Past>& past) {
    if (!past) return;
    const std::lock_guard guard(mutex_);
    for (const auto& [id, number] : *past) {
      std::uint64_t& known = past_[id];
      known = std::max(known, number);
    }
  }
  bool comes_after(std::uint32_t id, std::uint64_t number) const {
    const std::lock_guard guard(mutex_);
    const auto it = past_.find(id);
    return it != past_.end() && it->second >= number;
  }

 private:
  inline static std::atomic<bool> keep_{false};
  mutable std::mutex mutex_;
  Past past_;
};

}  // namespace acl
