// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace trace {

/// From a file's own numbers to indices; quick for small numbers.
class IdMap {
 public:
  static constexpr std::uint32_t kAbsent = UINT32_MAX;

  std::uint32_t find(std::uint64_t id) const {
    if (id < small_.size()) return small_[id];
    const auto found = large_.find(id);
    return found == large_.end() ? kAbsent : found->second;
  }
  /// False when the number is taken.
  bool add(std::uint64_t id, std::uint32_t index) {
    if (find(id) != kAbsent) return false;
    if (id >= kSmall) return large_.emplace(id, index).second;
    if (id >= small_.size()) small_.resize(id + 1, kAbsent);
    small_[id] = index;
    return true;
  }

 private:
  static constexpr std::uint64_t kSmall = 1U << 16;
  std::vector<std::uint32_t> small_;
  std::unordered_map<std::uint64_t, std::uint32_t> large_;
};

}  // namespace trace
