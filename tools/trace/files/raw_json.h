// SPDX-License-Identifier: Apache-2.0
// RapidJSON, set up so that its reader passes numbers and texts to a handler as the file has them,
// without copies.
#pragma once

#include <deque>
#include <string>
#include <string_view>

namespace trace {
[[noreturn]] void raw_json_broken(const char* what);
}

// RapidJSON's assertions throw instead of aborting.
#define RAPIDJSON_ASSERT(x) ((x) ? void() : ::trace::raw_json_broken(#x))
#include <rapidjson/reader.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <new>

namespace trace {

/// A text in memory; a zero and 8 more bytes that can be read must follow it. In RapidJSON's
/// terms it is parsed in place, but nothing is written: the handler gets the text itself.
class RawJson {
 public:
  using Ch = char;

  explicit RawJson(std::string_view text) : begin_(text.data()), at_(begin_) {}

  Ch Peek() const { return *at_; }
  Ch Take() { return *at_++; }
  std::size_t Tell() const { return static_cast<std::size_t>(at_ - begin_); }
  Ch* PutBegin() { return const_cast<Ch*>(at_); }
  void Put(Ch) {}
  std::size_t PutEnd(const Ch* from) { return static_cast<std::size_t>(at_ - from); }
  void Flush() {}

  const char* at() const { return at_; }

  void skip_spaces() {
    if (static_cast<unsigned char>(*at_) > ' ') return;
    while (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t') ++at_;
  }

  /// Goes to the next byte that is a quote, a backslash, a control character or no ASCII.
  void skip_plain() {
    static_assert(std::endian::native == std::endian::little);
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    constexpr std::uint64_t kTops = kOnes * 0x80;
    for (;; at_ += sizeof(std::uint64_t)) {
      std::uint64_t bytes;
      std::memcpy(&bytes, at_, sizeof bytes);
      const std::uint64_t quotes = bytes ^ (kOnes * '"');
      const std::uint64_t escapes = bytes ^ (kOnes * '\\');
      // The lowest of these bits is right; a borrow may set others above it.
      const std::uint64_t ends =
          (((bytes - kOnes * 0x20) | (quotes - kOnes) | (escapes - kOnes)) & ~bytes & kTops) |
          (bytes & kTops);
      if (ends == 0) continue;
      at_ += std::countr_zero(ends) / 8;
      return;
    }
  }

 private:
  const char* begin_;
  const char* at_;
};

/// UTF-8 that is checked and not copied.
struct RawUtf8 : rapidjson::UTF8<> {
  template <class Input, class Output>
  static bool Validate(Input& input, Output& output) {
    if (static_cast<signed char>(input.Peek()) < 0) {
      return rapidjson::UTF8<>::Validate(input, output);
    }
    input.skip_plain();
    return true;
  }
};

struct RawJsonMemory : rapidjson::CrtAllocator {
  void* Realloc(void* old, std::size_t had, std::size_t size) {
    if (void* const memory = CrtAllocator::Realloc(old, had, size)) return memory;
    throw std::bad_alloc();
  }
};

using RawJsonReader = rapidjson::GenericReader<RawUtf8, RawUtf8, RawJsonMemory>;
/// In place, but see RawJson. No recursion at any depth.
inline constexpr unsigned kRawJson =
    rapidjson::kParseInsituFlag | rapidjson::kParseValidateEncodingFlag |
    rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag;

/// The error, for a message; `refused` if the handler ended the parse.
std::string problem_of(const rapidjson::ParseResult& result, const char* refused);

/// Texts without their escapes. They live as long as this object.
class Unescaped {
 public:
  /// `raw` is a text that the reader has accepted.
  std::string_view of(std::string_view raw) { return may_have_escapes(raw) ? resolve(raw) : raw; }
  void clear() {
    if (!texts_.empty()) texts_.clear();
  }

 private:
  /// Looks at whole groups of bytes, which may reach past the text.
  static bool may_have_escapes(std::string_view raw) {
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    for (std::size_t at = 0; at < raw.size(); at += sizeof(std::uint64_t)) {
      std::uint64_t bytes;
      std::memcpy(&bytes, raw.data() + at, sizeof bytes);
      bytes ^= kOnes * '\\';
      if (((bytes - kOnes) & ~bytes & (kOnes * 0x80)) != 0) return true;
    }
    return false;
  }
  std::string_view resolve(std::string_view raw);
  std::deque<std::string> texts_;
};

}  // namespace trace

namespace rapidjson {
/// The reader keeps a copy of its own in registers while it is at a text or a number.
template <>
struct StreamTraits<trace::RawJson> {
  enum { copyOptimization = 1 };
};
template <>
inline void SkipWhitespace(trace::RawJson& json) {
  json.skip_spaces();
}
}  // namespace rapidjson
