// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace hccl {

/// Plain data on a board that the owner may overwrite while others read it. The words are atomic,
/// and a reader that has mixed words of two versions notices that the state has changed. There is
/// one writer at a time.
template <class T>
struct Published {
  using Words = std::array<std::uint64_t, sizeof(T) / sizeof(std::uint64_t)>;
  static constexpr unsigned kCountBits = 16;
  // `number + 1` in the upper bits, a version in the lower bits. 0 while the data is being written,
  // and after `clear`.
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
  /// Returns nothing if the board holds no data of that number, or if it is being written.
  std::optional<T> read(std::uint64_t number) const noexcept {
    const std::uint64_t before = state;
    if (before >> kCountBits != number + 1) return std::nullopt;
    Words plain;
    for (std::size_t i = 0; i < plain.size(); ++i) plain[i] = words[i];
    if (state != before) return std::nullopt;
    return std::bit_cast<T>(plain);
  }

 private:
  std::uint64_t written_ = 0;  // number of writes, for the writer only
};

}  // namespace hccl
