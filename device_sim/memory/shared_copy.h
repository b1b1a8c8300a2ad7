// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>

namespace sim {

/// A copy so large that one thread does not use up the memory's bandwidth: others that have nothing
/// else to do may take pieces of it.
class SharedCopy {
 public:
  static constexpr std::size_t kLeast = std::size_t{64} << 20;  // waking a thread pays off
  /// As large as can be: the C library goes past the caches only where a piece would not fit in.
  static constexpr std::size_t kPiece = std::size_t{32} << 20;

  /// The two do not overlap.
  SharedCopy(void* dst, const void* src, std::size_t size, std::size_t piece = kPiece) noexcept;

  /// Copies pieces until none is left that nobody has begun. Any thread, also late.
  void help() noexcept;
  /// The same, and comes back when the whole is done. Whoever comes to help() from then on finds
  /// nothing to do.
  void finish() noexcept;

 private:
  char* const dst_;
  const char* const src_;
  const std::size_t size_;
  const std::size_t piece_;
  const std::size_t pieces_;
  std::atomic<std::size_t> begun_{0};
  std::atomic<std::size_t> done_{0};
};

}  // namespace sim
