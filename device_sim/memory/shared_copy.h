// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>

namespace sim {

/// A copy so large that one thread cannot saturate the memory's bandwidth: idle threads may take
/// pieces of it.
class SharedCopy {
 public:
  static constexpr std::size_t kLeast = std::size_t{64} << 20;  // waking a thread pays off
  /// Large, since the C library bypasses the caches only for copies that would not fit into them.
  static constexpr std::size_t kPiece = std::size_t{32} << 20;

  /// The two do not overlap.
  SharedCopy(void* dst, const void* src, std::size_t size, std::size_t piece = kPiece) noexcept;

  /// Copies pieces until every piece has been begun. Any thread may call it, also late.
  void help() noexcept;
  /// The same, and returns when the whole copy is done. A later help() finds nothing to do.
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
