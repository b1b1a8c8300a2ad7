// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/base/bytes.h"

#include <cstdio>

#include "runtime/fabric/base/error.h"

namespace fabric {
namespace {

/// The bytes of the character at the beginning of the text; 0 if it is not to be printed.
std::size_t printable_bytes(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < size) return 0;
  std::uint32_t code = first & (0xffU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3fU);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < kLeast[size] || code > 0x10ffff || surrogate) return 0;
  // Controls of 8 bits, and characters that reorder a line or begin another one.
  const bool reorders = (code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
                        (code >= 0x2066 && code <= 0x2069);
  return code < 0xa0 || reorders ? 0 : size;
}

}  // namespace

Bytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string printable(std::string_view text) {
  constexpr std::size_t kMost = 4096;
  std::string shown;
  while (!text.empty()) {
    if (shown.size() >= kMost) return shown + "...";
    std::size_t size = printable_bytes(text);
    if (size != 0) {
      shown += text.substr(0, size);
    } else {
      size = 1;
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned char>(text[0]));
      shown += escape;
    }
    text.remove_prefix(size);
  }
  return shown;
}

std::span<const std::byte> Reader::raw(std::size_t size) {
  if (size > rest_.size()) {
    throw FabricError(Status::broken, "a message is cut off: " + std::to_string(size) +
                                          " bytes expected, " + std::to_string(rest_.size()) +
                                          " are there");
  }
  const auto part = rest_.first(size);
  rest_ = rest_.subspan(size);
  return part;
}

void Reader::end() const {
  if (rest_.empty()) return;
  throw FabricError(Status::broken,
                    "a message is too long by " + std::to_string(rest_.size()) + " bytes");
}

}  // namespace fabric
