// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace hccl {

/// The thing that a run waits for: a rank, the arrival of its own data, or nothing (the run is
/// complete).
class Awaited {
 public:
  static constexpr Awaited nothing() noexcept { return Awaited(kNothing); }
  static constexpr Awaited arrival() noexcept { return Awaited(kArrival); }
  static constexpr Awaited rank(int rank) noexcept { return Awaited(rank); }

  constexpr bool is_nothing() const noexcept { return value_ == kNothing; }
  constexpr bool is_rank() const noexcept { return value_ >= 0; }
  /// Only if `is_rank`.
  constexpr int rank() const noexcept { return value_; }
  friend constexpr bool operator==(Awaited, Awaited) noexcept = default;

 private:
  enum : int { kNothing = -1, kArrival = -2 };
  explicit constexpr Awaited(int value) noexcept : value_(value) {}
  int value_;
};

}  // namespace hccl
