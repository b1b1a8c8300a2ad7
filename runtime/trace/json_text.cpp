// SPDX-License-Identifier: Apache-2.0
#include "runtime/trace/json_text.h"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>

namespace acl::trace_output {
namespace {

unsigned char byte_at(std::string_view text, std::size_t index) {
  return static_cast<unsigned char>(text[index]);
}

}  // namespace

std::size_t character_size(std::string_view text, std::size_t at) {
  const unsigned char first = byte_at(text, at);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const std::size_t size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (at + size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte_at(text, at + i) & 0xc0) != 0x80) return 0;
  }
  const unsigned char second = byte_at(text, at + 1);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool surrogate = first == 0xed && second > 0x9f;
  const bool beyond = first == 0xf4 && second > 0x8f;
  return overlong || surrogate || beyond ? 0 : size;
}

void append_json_text(std::string& out, std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character_size(text, at);
    if (size == 0) {
      out += "\xef\xbf\xbd";
      ++at;
      continue;
    }
    const char c = text[at];
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte_at(text, at) < 0x20 || c == '\x7f') {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", byte_at(text, at));
    } else {
      out += text.substr(at, size);
    }
    at += size;
  }
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  append_json_text(out, text);
  return out += '"';
}

}  // namespace acl::trace_output
