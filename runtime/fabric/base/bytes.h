// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fabric {

using Bytes = std::vector<std::byte>;

Bytes bytes_of(std::string_view text);
std::string text_of(std::span<const std::byte> bytes);
/// A text of another process, for people: control characters of 7 and 8 bits, line ends, and bytes
/// that are no UTF-8 become escapes such as \x1b, and a long text is cut.
std::string printable(std::string_view text);

/// Appends numbers, texts and bytes to a buffer. Numbers are little-endian on every host.
class Writer {
 public:
  template <std::integral T>
  Writer& number(T value) {
    auto rest = static_cast<std::uint64_t>(value);
    for (std::size_t i = 0; i < sizeof(T); ++i, rest >>= 8) {
      bytes_.push_back(static_cast<std::byte>(rest & 0xff));
    }
    return *this;
  }
  Writer& raw(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  /// Writes the length, then the bytes.
  Writer& bytes(std::span<const std::byte> bytes) {
    return number(static_cast<std::uint32_t>(bytes.size())).raw(bytes);
  }
  Writer& text(std::string_view text) { return bytes(std::as_bytes(std::span(text))); }

  Bytes take() { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

/// Reads what a Writer has written, in the same order. Throws FabricError(broken) if the input ends
/// too early.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <std::integral T>
  T number() {
    const auto part = raw(sizeof(T));
    std::uint64_t value = 0;
    for (std::size_t i = sizeof(T); i-- > 0;) value = value << 8 | static_cast<unsigned>(part[i]);
    return static_cast<T>(value);
  }
  std::span<const std::byte> raw(std::size_t size);
  std::span<const std::byte> bytes() { return raw(number<std::uint32_t>()); }
  std::string text() { return text_of(bytes()); }
  /// A text that is only shown to people.
  std::string printable_text() { return printable(text()); }
  template <std::size_t N>
  void fill(std::array<std::byte, N>& array) {
    std::memcpy(array.data(), raw(N).data(), N);
  }
  bool empty() const noexcept { return rest_.empty(); }
  /// The input must be used up. Throws FabricError(broken).
  void end() const;

 private:
  std::span<const std::byte> rest_;
};

}  // namespace fabric
