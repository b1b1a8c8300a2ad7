// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace sim {

/// The free parts of a range of addresses, as offsets from its start. Takes no lock.
class FreeRanges {
 public:
  explicit FreeRanges(std::size_t bytes) {
    reserve();
    insert(0, bytes);
  }

  /// Best fit, lowest address first: pages that were touched once are used again. The result is a
  /// multiple of `alignment`; nullopt when no free part is large enough.
  std::optional<std::size_t> take(std::size_t span, std::size_t alignment);
  /// Takes exactly this part. False when not all of it is free.
  bool take_at(std::size_t offset, std::size_t span);
  /// Gives a part back, as it was taken, and joins it with its neighbours. Needs no memory.
  void give(std::size_t offset, std::size_t span) noexcept;

  auto begin() const { return by_offset_.begin(); }
  auto end() const { return by_offset_.end(); }

 private:
  using Parts = std::map<std::size_t, std::size_t>;             // offset -> bytes
  using Sizes = std::set<std::pair<std::size_t, std::size_t>>;  // (bytes, offset)
  void reserve();
  void insert(std::size_t offset, std::size_t span) noexcept;
  void erase(Parts::iterator it) noexcept;
  void cut(Parts::iterator it, std::size_t offset, std::size_t span) noexcept;

  Parts by_offset_;
  Sizes by_size_;
  // Nodes for the parts that give() may make, at least one for each part in use. Their keys are
  // 0, 1, 2, ...
  Parts spare_parts_;
  Sizes spare_sizes_;
  std::size_t in_use_ = 0;
};

}  // namespace sim
