// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ascendc {

/// The description of an access in reports: source location, function and buffer.
struct What {
  const void* site;
  const char* name;
  std::uint32_t buffer;  // of the tensor, however often it was taken; 0: none
  bool operator==(const What&) const = default;
};

/// Numbers for them. Most accesses of a kernel come from a few places: a search costs one look,
/// without an allocation.
class Whats {
 public:
  std::uint32_t number(const What& what) {
    Recent& recent = recent_[(reinterpret_cast<std::uintptr_t>(what.site) >> 2) % kRecent];
    if (recent.number != 0 && recent.what == what) return recent.number - 1;
    if (all_.size() * 2 >= slots_.size()) grow();
    std::uint32_t& slot = slots_[place(what)];
    if (slot == 0) {
      all_.push_back(what);
      slot = static_cast<std::uint32_t>(all_.size());
    }
    recent = {what, slot};
    return slot - 1;
  }
  const What& operator[](std::uint32_t number) const { return all_[number]; }
  void clear() {
    if (all_.empty()) return;
    recent_.fill({});
    all_.clear();
    slots_.assign(slots_.size() <= kKept ? slots_.size() : 0, 0);
  }

 private:
  /// Loops of scalar accesses come from the same few places again and again.
  struct Recent {
    What what{};
    std::uint32_t number = 0;  // + 1; 0: none
  };
  static constexpr std::size_t kRecent = 8;
  static constexpr std::size_t kLeast = 64;
  static constexpr std::size_t kKept = std::size_t{1} << 14;

  std::size_t place(const What& what) const {
    const auto site = reinterpret_cast<std::uintptr_t>(what.site);
    std::uint64_t hash = (site ^ what.buffer * 0x9e3779b97f4a7c15U) * 0xbf58476d1ce4e5b9U;
    hash ^= hash >> 32;
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at] != 0 && !(all_[slots_[at] - 1] == what)) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow() {
    slots_.assign(slots_.empty() ? kLeast : slots_.size() * 2, 0);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      slots_[place(all_[i])] = static_cast<std::uint32_t>(i + 1);
    }
  }

  std::array<Recent, kRecent> recent_{};
  std::vector<What> all_;
  std::vector<std::uint32_t> slots_;  // number + 1; 0: free
};

}  // namespace ascendc
