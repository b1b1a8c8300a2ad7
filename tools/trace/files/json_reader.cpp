// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/files/json_reader.h"

#include <bit>
#include <charconv>
#include <cstring>

namespace trace {
namespace {

// Eight bytes at once: a set high bit says that the byte is looked for. Of several the lowest one
// is right.
constexpr std::uint64_t kOnes = 0x0101010101010101;
constexpr std::uint64_t kHigh = 0x8080808080808080;

std::uint64_t eight(const char* at) noexcept {
  std::uint64_t bytes;
  std::memcpy(&bytes, at, sizeof bytes);
  return bytes;
}

constexpr std::uint64_t zeros(std::uint64_t bytes) noexcept { return (bytes - kOnes) & ~bytes; }

constexpr std::uint64_t specials(std::uint64_t bytes) noexcept {
  const std::uint64_t quotes = zeros(bytes ^ (kOnes * '"'));
  const std::uint64_t escapes = zeros(bytes ^ (kOnes * '\\'));
  const std::uint64_t controls = (bytes - kOnes * 0x20) & ~bytes;
  return (quotes | escapes | controls) & kHigh;
}

/// How many bytes the character that begins with these has; 0: it is none.
std::size_t utf8_length(const unsigned char* at, std::size_t left) noexcept {
  const auto follows = [&](std::size_t i) { return i < left && (at[i] & 0xc0) == 0x80; };
  const unsigned char first = at[0];
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4 || !follows(1)) return 0;
  if (first < 0xe0) return 2;
  if (!follows(2)) return 0;
  if (first < 0xf0) {
    const bool overlong = first == 0xe0 && at[1] < 0xa0;
    const bool surrogate = first == 0xed && at[1] >= 0xa0;
    return overlong || surrogate ? 0 : 3;
  }
  if (!follows(3) || (first == 0xf0 && at[1] < 0x90) || (first == 0xf4 && at[1] >= 0x90)) return 0;
  return 4;
}

bool is_utf8(std::string_view text) noexcept {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    if (end - at >= 8 && (eight(at) & kHigh) == 0) {
      at += 8;
      continue;
    }
    const std::size_t length =
        utf8_length(reinterpret_cast<const unsigned char*>(at), static_cast<std::size_t>(end - at));
    if (length == 0) return false;
    at += length;
  }
  return true;
}

void append_utf8(std::string& to, std::uint32_t code) {
  const auto byte = [&](std::uint32_t bits) { to.push_back(static_cast<char>(bits)); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xc0 | code >> 6);
    byte(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    byte(0xe0 | code >> 12);
    byte(0x80 | (code >> 6 & 0x3f));
    byte(0x80 | (code & 0x3f));
  } else {
    byte(0xf0 | code >> 18);
    byte(0x80 | (code >> 12 & 0x3f));
    byte(0x80 | (code >> 6 & 0x3f));
    byte(0x80 | (code & 0x3f));
  }
}

/// Four hexadecimal digits; more than 16 bits: they are none.
std::uint32_t code_unit(const char* at, const char* end) noexcept {
  std::uint32_t code = 0;
  if (end - at < 4) return UINT32_MAX;
  const auto [behind, error] = std::from_chars(at, at + 4, code, 16);
  return error == std::errc() && behind == at + 4 ? code : UINT32_MAX;
}

char plain_escape(char c) noexcept {
  switch (c) {
    case '"':
    case '\\':
    case '/':
      return c;
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return '\0';
  }
}

bool begins_scalar(char c) noexcept {
  return c == '-' || (c >= '0' && c <= '9') || c == 't' || c == 'f' || c == 'n';
}

/// JSON has no number with leading zeros.
template <class Number>
bool is_whole(std::string_view token, Number& value) noexcept {
  const auto [at, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  const std::string_view digits = token.substr(token.starts_with('-') ? 1 : 0);
  return error == std::errc() && at == token.data() + token.size() &&
         (digits.size() == 1 || digits.front() != '0');
}

}  // namespace

void JsonReader::begin(std::string_view text) {
  if (!kept_.empty()) kept_.clear();
  at_ = text.data();
  end_ = at_ + text.size();
  if (!is_utf8(text)) fail("it is not UTF-8");
}

/// The first quote, backslash or control character, or the end.
const char* JsonReader::special_from(const char* at) const noexcept {
  static_assert(std::endian::native == std::endian::little);
  while (at < end_) {
    const std::uint64_t found = specials(eight(at));
    if (found != 0) {
      at += std::countr_zero(found) / 8;
      break;
    }
    at += 8;
  }
  return at < end_ ? at : end_;
}

const char* JsonReader::behind_text(const char* at) const {
  for (;;) {
    at = special_from(at);
    if (at == end_) fail("a text has no end");
    if (*at == '"') return at + 1;
    if (*at != '\\') fail("a text holds a control character");
    if (end_ - at < 2) fail("a text has no end");
    at += 2;
  }
}

std::string_view JsonReader::text() {
  if (next() != '"') at_ == end_ ? fail("it ends too early") : fail_type("expected a text");
  const char* const from = at_ + 1;
  const char* const plain = special_from(from);
  if (plain != end_ && *plain == '"') {
    at_ = plain + 1;
    return {from, static_cast<std::size_t>(plain - from)};
  }
  at_ = behind_text(from);
  return unescaped(from, at_ - 1);
}

std::string_view JsonReader::unescaped(const char* from, const char* to) {
  std::string& made = kept_.emplace_back();
  while (from != to) {
    if (*from != '\\') {
      made.push_back(*from++);
      continue;
    }
    ++from;
    if (*from != 'u') {
      const char c = plain_escape(*from++);
      if (c == '\0') fail("an escape is none");
      made.push_back(c);
      continue;
    }
    std::uint32_t code = code_unit(from + 1, to);
    from += 5;
    if (code >= 0xd800 && code < 0xdc00) {  // the first half of a pair
      const bool pair = to - from >= 6 && from[0] == '\\' && from[1] == 'u';
      const std::uint32_t second = pair ? code_unit(from + 2, to) : UINT32_MAX;
      if (second < 0xdc00 || second > 0xdfff) fail("an escape is none");
      code = 0x10000 + ((code - 0xd800) << 10) + (second - 0xdc00);
      from += 6;
    } else if (code > 0xffff || (code >= 0xdc00 && code < 0xe000)) {
      fail("an escape is none");
    }
    append_utf8(made, code);
  }
  return made;
}

/// A number or a word.
std::string_view JsonReader::token() {
  const char first = next();
  const char* const from = at_;
  const auto ends = [](char c) {
    return is_space(c) || c == ',' || c == '}' || c == ']' || c == ':';
  };
  while (at_ != end_ && !ends(*at_)) ++at_;
  if (!begins_scalar(first)) fail(first == '\0' ? "it ends too early" : "a value is missing");
  return {from, static_cast<std::size_t>(at_ - from)};
}

std::uint64_t JsonReader::number() {
  if (!comes_number()) at_ == end_ ? fail("it ends too early") : fail_type("expected a number");
  std::uint64_t value = 0;
  if (!is_whole(token(), value)) fail_type("expected a whole number from 0 to 2^64 - 1");
  return value;
}

std::int64_t JsonReader::integer() {
  if (!comes_number()) at_ == end_ ? fail("it ends too early") : fail_type("expected a number");
  std::int64_t value = 0;
  if (!is_whole(token(), value)) fail_type("expected a whole number of 64 bits");
  return value;
}

bool JsonReader::flag() {
  const char first = next();
  if (first != 't' && first != 'f')
    first == '\0' ? fail("it ends too early") : fail_type("expected true or false");
  const std::string_view word = token();
  if (word != "true" && word != "false") fail_type("expected true or false");
  return first == 't';
}

std::string_view JsonReader::raw() {
  const char first = next();
  const char* const from = at_;
  if (first == '{' || first == '[') {
    skip();
    return {from, 1};
  }
  if (first != '"') return token();
  at_ = behind_text(from + 1);
  return {from, static_cast<std::size_t>(at_ - from)};
}

std::string_view JsonReader::raw_object() {
  if (next() != '{') at_ == end_ ? fail("it ends too early") : fail_type("expected an object");
  const char* const from = at_;
  skip();
  return {from, static_cast<std::size_t>(at_ - from)};
}

void JsonReader::skip() {
  const char first = next();
  if (first == '"') {
    at_ = behind_text(at_ + 1);
    return;
  }
  if (first != '{' && first != '[') {
    token();
    return;
  }
  std::size_t open = 0;
  do {
    if (at_ == end_) fail("it ends too early");
    const char c = *at_++;
    if (c == '"') at_ = behind_text(at_);
    open += c == '{' || c == '[' ? 1 : 0;
    open -= c == '}' || c == ']' ? 1 : 0;
  } while (open != 0);
}

}  // namespace trace
