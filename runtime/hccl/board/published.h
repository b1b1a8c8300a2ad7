// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace hccl {

/// Plain data on a board that may be written again while others read: its words are atomic, and who
/// has read words of two sees that the state changed. The rank writes one at a time.
template <class T>
struct Published {
  using Words = std::array<std::uint64_t, sizeof(T) / sizeof(std::uint64_t)>;
  static constexpr unsigned kCountBits = 16;
  // `number + 1`, and in the lower bits how often it was written; 0 while it is, and when it is
  // gone.
  std::atomic<std::uint64_t> state{0};
  std::array<std::atomic<std::uint64_t>, sizeof(T) / sizeof(std::uint64_t)> words{};

  void write(std::uint64_t number, const T& value) noexcept {
    static_assert(sizeof(Words) == sizeof(T));
    const auto plain = std::bit_cast<Words>(value);
    const std::uint64_t count = (written_ + 1) % (std::uint64_t{1} << kCountBits);
    state = 0;
    for (std::size_t i = 0; i < plain.size(); ++i) words[i] = plain[i];
    written_ = count;
    state = (number + 1) << kCountBits | count;
  }
  void clear() noexcept { state = 0; }
  /// Nothing where there is none of that number, or it is being written.
  std::optional<T> read(std::uint64_t number) const noexcept {
    const std::uint64_t before = state;
    if (before >> kCountBits != number + 1) return std::nullopt;
    Words plain;
    for (std::size_t i = 0; i < plain.size(); ++i) plain[i] = words[i];
    if (state != before) return std::nullopt;
    return std::bit_cast<T>(plain);
  }

 private:
  std::uint64_t written_ = 0;  // the writer's
};

}  // namespace hccl
