// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace ascendc {

/// The calls of a thread, innermost first, as return addresses: the code is just before each.
class Frames {
 public:
  /// The frames of the calling function, also in a signal handler. Reading a damaged stack may
  /// fault; the frames read until then stay.
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
