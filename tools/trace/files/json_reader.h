// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>
#include <string_view>

namespace trace {

/// Text that is not JSON, or a value that is not of the type asked for.
class JsonError : public std::runtime_error {
 public:
  JsonError(const char* what, bool wrong_type)
      : std::runtime_error(what), wrong_type_(wrong_type) {}
  bool wrong_type() const noexcept { return wrong_type_; }

 private:
  bool wrong_type_;
};

/// Reads JSON from front to back, without building anything: who knows which values a format has
/// asks for them in their order. What is asked for is checked; what is passed over is checked for
/// its brackets and quotes only. Throws JsonError.
class JsonReader {
 public:
  /// So many bytes behind the text must be readable.
  static constexpr std::size_t kPadding = 8;

  JsonReader() = default;
  JsonReader(const JsonReader&) = delete;
  JsonReader& operator=(const JsonReader&) = delete;

  /// Texts that were read from the one before end here. Refuses what is not UTF-8.
  void begin(std::string_view text);
  /// Nothing but spaces is left.
  bool at_end() noexcept { return next() == '\0'; }

  /// The first character of the value that comes: { [ " t f n - or a digit.
  char next() noexcept {
    while (at_ != end_ && is_space(*at_)) ++at_;
    return at_ == end_ ? '\0' : *at_;
  }
  bool comes_number() noexcept {
    const char first = next();
    return first == '-' || (first >= '0' && first <= '9');
  }

  /// Calls `field(key)` for each field of the object that comes. What that does not read is
  /// skipped.
  template <class Field>
  void object(Field&& field) {
    open('{', "expected an object");
    for (bool more = !closes('}'); more; more = goes_on('}')) {
      if (next() != '"') fail("a key is missing");
      const std::string_view key = text();
      if (next() != ':') fail("a colon is missing behind a key");
      ++at_;
      read_or_skip([&] { field(key); });
    }
  }
  /// The same of each element of an array.
  template <class Element>
  void array(Element&& element) {
    open('[', "expected an array");
    for (bool more = !closes(']'); more; more = goes_on(']')) read_or_skip(element);
  }

  /// Without its quotes, and with its escapes resolved.
  std::string_view text();
  std::uint64_t number();
  std::int64_t integer();
  bool flag();
  /// A number, a word or a text (with its quotes, escapes kept) as it stands; of an object or an
  /// array, which is skipped, the first character.
  std::string_view raw();
  /// An object as it stands.
  std::string_view raw_object();
  void skip();

 private:
  static bool is_space(char c) noexcept { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
  [[noreturn]] static void fail(const char* what) { throw JsonError(what, false); }
  [[noreturn]] static void fail_type(const char* what) { throw JsonError(what, true); }

  void open(char bracket, const char* wanted) {
    const char first = next();
    if (first == '\0') fail("it ends too early");
    if (first != bracket) fail_type(wanted);
    ++at_;
  }
  bool closes(char bracket) noexcept {
    if (next() != bracket) return false;
    ++at_;
    return true;
  }
  bool goes_on(char bracket) {
    const char c = next();
    if (c != ',' && c != bracket) fail(c == '\0' ? "it ends too early" : "a comma is missing");
    ++at_;
    return c == ',';
  }
  template <class Read>
  void read_or_skip(Read&& read) {
    next();
    const char* const before = at_;
    read();
    if (at_ == before) skip();
  }

  const char* special_from(const char* at) const noexcept;
  /// Behind the quote that ends the text which begins at `at`.
  const char* behind_text(const char* at) const;
  std::string_view token();
  std::string_view unescaped(const char* from, const char* to);

  const char* at_ = nullptr;
  const char* end_ = nullptr;
  std::deque<std::string> kept_;  // texts with escapes
};

}  // namespace trace
