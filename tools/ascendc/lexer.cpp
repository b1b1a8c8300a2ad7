// SPDX-License-Identifier: Apache-2.0
#include "tools/ascendc/lexer.h"

#include <algorithm>
#include <limits>

namespace kernel_compiler {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
// Bytes above 127 belong to UTF-8 characters of identifiers.
bool starts_identifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool continues_identifier(char c) { return starts_identifier(c) || is_digit(c); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

bool is_string_prefix(std::string_view word) {
  return word == "L" || word == "u" || word == "U" || word == "u8";
}

std::string message(const SourceLocation& location, const std::string& what) {
  return location.file + ":" + std::to_string(location.line) + ":" +
         std::to_string(location.column) + ": error: " + what;
}

}  // namespace

SourceError::SourceError(const SourceLocation& location, const std::string& what)
    : std::runtime_error(message(location, what)) {}

// One pass over the text.
class Lexer {
 public:
  explicit Lexer(Source& source) : source_(source), text_(source.text_) {}

  void run() {
    while (at_ < text_.size()) {
      if (skip_blank()) continue;
      if (text_[at_] == '#' && line_is_empty_) {
        directive();
        continue;
      }
      token();
    }
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  /// The length of a line continuation (backslash and line break) at `at`; 0 otherwise.
  std::size_t splice(std::size_t at) const {
    if (at >= text_.size() || text_[at] != '\\') return 0;
    if (at + 1 < text_.size() && text_[at + 1] == '\n') return 2;
    if (at + 2 < text_.size() && text_[at + 1] == '\r' && text_[at + 2] == '\n') return 3;
    return 0;
  }

  bool skip_blank() {
    const char c = peek();
    if (c == '\n') {
      ++at_;
      ++line_;
      line_is_empty_ = true;
    } else if (is_space(c) || c == '\0') {
      ++at_;
    } else if (const std::size_t length = splice(at_)) {
      at_ += length;
      ++line_;
    } else if (c == '/' && peek(1) == '/') {
      line_comment();
    } else if (c == '/' && peek(1) == '*') {
      block_comment();
    } else {
      return false;
    }
    return true;
  }

  void line_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (const std::size_t length = splice(at_)) {
        at_ += length;
        ++line_;
      } else {
        ++at_;
      }
    }
  }

  void block_comment() {
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) fail(at_, "the comment does not end");
    advance(end + 2);
  }

  /// Skips to the end of the line, including continued lines and comments.
  void directive() {
    const std::size_t begin = at_;
    const std::uint32_t line = line_;
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (const std::size_t length = splice(at_)) {
        at_ += length;
        ++line_;
      } else if (peek() == '/' && peek(1) == '*') {
        block_comment();
      } else if (peek() == '/' && peek(1) == '/') {
        line_comment();
      } else if (peek() == '"') {
        skip_quoted_in_directive();
      } else {
        ++at_;
      }
    }
    if (line == line_) line_marker(text_.substr(begin + 1, at_ - begin - 1));
  }

  /// Quotes need not match in skipped directives and in #error.
  void skip_quoted_in_directive() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '\n' && text_[end] != '"') {
      end += text_[end] == '\\' && end + 1 < text_.size() && text_[end + 1] != '\n' ? 2 : 1;
    }
    at_ = end < text_.size() && text_[end] == '"' ? end + 1 : at_ + 1;
  }

  // # LINE "FILE" FLAGS, or #line LINE "FILE"
  void line_marker(std::string_view rest) {
    const auto skip = [&rest] {
      while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
    };
    skip();
    if (rest.substr(0, 4) == "line") rest.remove_prefix(4);
    skip();
    std::uint64_t number = 0;
    std::size_t digits = 0;
    while (digits < rest.size() && digits < 10 && is_digit(rest[digits])) {
      number = number * 10 + static_cast<std::uint64_t>(rest[digits++] - '0');
    }
    if (digits == 0 || number > std::numeric_limits<std::uint32_t>::max()) return;
    rest.remove_prefix(digits);
    skip();
    std::string file = source_.markers_.back().file;
    bool system = source_.markers_.back().system;
    if (!rest.empty() && rest.front() == '"') {
      file.clear();
      std::size_t i = 1;
      for (; i < rest.size() && rest[i] != '"'; ++i) {
        if (rest[i] == '\\' && i + 1 < rest.size()) ++i;
        file.push_back(rest[i]);
      }
      system = rest.find(" 3", std::min(i, rest.size())) != std::string_view::npos;
    }
    source_.markers_.push_back(
        {line_ + 1, static_cast<std::uint32_t>(number), std::move(file), system});
  }

  void token() {
    const char c = peek();
    if (starts_identifier(c)) {
      identifier();
    } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      number();
    } else if (c == '"') {
      quoted(at_, '"', TokenKind::string);
    } else if (c == '\'') {
      quoted(at_, '\'', TokenKind::character);
    } else {
      punctuator();
    }
  }

  void identifier() {
    const std::size_t begin = at_;
    std::size_t end = at_;
    while (end < text_.size() && continues_identifier(text_[end])) ++end;
    const std::string_view word = text_.substr(begin, end - begin);
    const char next = end < text_.size() ? text_[end] : '\0';
    if (next == '"' && !word.empty() && word.back() == 'R' &&
        (word.size() == 1 || is_string_prefix(word.substr(0, word.size() - 1)))) {
      raw_string(begin, end);
    } else if (next == '"' && is_string_prefix(word)) {
      at_ = end;
      quoted(begin, '"', TokenKind::string);
    } else if (next == '\'' && is_string_prefix(word)) {
      at_ = end;
      quoted(begin, '\'', TokenKind::character);
    } else {
      add(TokenKind::identifier, begin, end);
    }
  }

  void raw_string(std::size_t begin, std::size_t quote) {
    const std::size_t open = text_.find('(', quote);
    if (open == std::string_view::npos || open - quote > 17) {
      fail(begin, "the raw string has no '(' behind its delimiter");
    }
    const std::string close = ")" + std::string(text_.substr(quote + 1, open - quote - 1)) + "\"";
    const std::size_t end = text_.find(close, open);
    if (end == std::string_view::npos) fail(begin, "the raw string does not end");
    add(TokenKind::string, begin, end + close.size());
  }

  /// at_ is at the quote; the token begins at `begin`.
  void quoted(std::size_t begin, char quote, TokenKind kind) {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote) {
      if (text_[end] == '\n') break;
      if (text_[end] == '\\' && end + 1 < text_.size()) {
        const std::size_t length = splice(end);
        end += length != 0 ? length : 2;
      } else {
        ++end;
      }
    }
    if (end >= text_.size() || text_[end] != quote) {
      fail(begin, kind == TokenKind::string ? "the string does not end on its line"
                                            : "the character does not end on its line");
    }
    add(kind, begin, end + 1);
  }

  /// A number as the preprocessor defines it: with dots, exponents, suffixes and separators.
  void number() {
    std::size_t end = at_;
    while (end < text_.size()) {
      const char c = text_[end];
      const char next = end + 1 < text_.size() ? text_[end + 1] : '\0';
      if ((c == 'e' || c == 'E' || c == 'p' || c == 'P') && (next == '+' || next == '-')) {
        end += 2;
      } else if (continues_identifier(c) || c == '.' || (c == '\'' && continues_identifier(next))) {
        ++end;
      } else {
        break;
      }
    }
    add(TokenKind::number, at_, end);
  }

  void punctuator() {
    static constexpr std::string_view kPairs[] = {"::", "->", "<=", ">="};
    const std::string_view two = text_.substr(at_, 2);
    const bool pair = std::find(std::begin(kPairs), std::end(kPairs), two) != std::end(kPairs);
    add(TokenKind::punctuator, at_, at_ + (pair ? 2 : 1));
  }

  void add(TokenKind kind, std::size_t begin, std::size_t end) {
    const bool glued = begin == last_end_ && !source_.tokens_.empty();
    source_.tokens_.push_back(
        {kind, glued, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), line_});
    line_is_empty_ = false;
    at_ = begin;
    advance(end);
    last_end_ = end;
  }

  void advance(std::size_t end) {
    line_ += static_cast<std::uint32_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                   text_.begin() + static_cast<std::ptrdiff_t>(end),
                                                   '\n'));
    at_ = end;
  }

  [[noreturn]] void fail(std::size_t begin, const char* what) const {
    const Token token{TokenKind::punctuator, false, static_cast<std::uint32_t>(begin),
                      static_cast<std::uint32_t>(begin), line_};
    throw SourceError(source_.location(token), what);
  }

  Source& source_;
  const std::string_view text_;
  std::size_t at_ = 0;
  std::size_t last_end_ = 0;
  std::uint32_t line_ = 1;
  bool line_is_empty_ = true;
};

Source::Source(std::string_view text, std::string name) : text_(text) {
  markers_.push_back({1, 1, std::move(name), false});
  if (text.size() >= std::numeric_limits<std::uint32_t>::max()) {
    throw SourceError({markers_[0].file, 1, 1}, "the source has 4 GiB or more");
  }
  Lexer(*this).run();
}

bool Source::is_run(std::size_t index, char c, std::size_t count) const noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    if (!is(index + i, std::string_view(&c, 1))) return false;
    if (i != 0 && !tokens_[index + i].glued) return false;
  }
  return true;
}

const LineMarker& Source::marker(std::uint32_t text_line) const noexcept {
  const auto behind = std::upper_bound(
      markers_.begin(), markers_.end(), text_line,
      [](std::uint32_t line, const LineMarker& marker) { return line < marker.text_line; });
  return *std::prev(behind);
}

SourceLocation Source::location(const Token& token) const {
  const LineMarker& marker = this->marker(token.line);
  const std::size_t before =
      token.begin == 0 ? std::string_view::npos : text_.rfind('\n', token.begin - std::size_t{1});
  const std::size_t line_begin = before == std::string_view::npos ? 0 : before + 1;
  return {marker.file, marker.file_line + (token.line - marker.text_line),
          static_cast<std::uint32_t>(token.begin - line_begin + 1)};
}

std::size_t Source::behind_bracket(std::size_t index) const noexcept {
  const bool angle = is(index, "<");
  std::string open;  // the closing brackets of all open brackets
  for (std::size_t i = index; i < tokens_.size(); ++i) {
    if (tokens_[i].kind != TokenKind::punctuator) continue;
    const std::string_view word = text(tokens_[i]);
    if (word == "(") {
      open.push_back(')');
    } else if (word == "[") {
      open.push_back(']');
    } else if (word == "{") {
      open.push_back('}');
    } else if (word == "<") {
      if (angle && (open.empty() || open.back() == '>')) open.push_back('>');
    } else if (word == ")" || word == "]" || word == "}" || (word == ">" && angle)) {
      if (word == ">" && open.back() != '>') continue;
      if (open.empty() || open.back() != word[0]) return 0;
      open.pop_back();
      if (open.empty()) return i + 1;
    } else if (word == ";" && angle && open.find('{') == std::string::npos &&
               open.find('}') == std::string::npos) {
      return 0;
    }
  }
  return 0;
}

}  // namespace kernel_compiler
