// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace ascendc {

/// Where a thread is, and the calls around that, innermost first: as return addresses, so the code
/// is just before each.
class Frames {
 public:
  /// Of the calling function, also in a handler of a signal. Reading a stack that is broken may
  /// fault; what was read until then stays.
  void collect(const void* innermost) noexcept;
  /// A fault now comes from the reading.
  bool collecting() const noexcept { return collecting_; }
  /// It does not return to `collect`.
  void give_up() noexcept { collecting_ = false; }
  std::span<const void* const> all() const noexcept { return {sites_.data(), count_}; }

 private:
  static constexpr std::size_t kMost = 32;
  std::array<const void*, kMost> sites_{};
  std::size_t count_ = 0;
  volatile bool collecting_ = false;
};

}  // namespace ascendc
