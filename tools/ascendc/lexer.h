// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace kernel_compiler {

enum class TokenKind : std::uint8_t { identifier, number, string, character, punctuator };

/// A token of C++. Of punctuators only `::`, `->`, `<=` and `>=` have two characters: whoever looks
/// for brackets finds each one alone, and tells by `glued` what stood together.
struct Token {
  TokenKind kind;
  bool glued;           // nothing stands between the token before and this one
  std::uint32_t begin;  // bytes of the text
  std::uint32_t end;
  std::uint32_t line;  // of the text, from 1
};

/// From here on the text is that of another file, as `# LINE "FILE"` says.
struct LineMarker {
  std::uint32_t text_line;  // the first that it holds for
  std::uint32_t file_line;  // what that one is called
  std::string file;
  bool system = false;  // a header of the system: no warnings
};

/// Where something stands, for messages.
struct SourceLocation {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// What is wrong with a source; the text is "file:line:column: error: ...".
class SourceError : public std::runtime_error {
 public:
  SourceError(const SourceLocation& location, const std::string& what);
};

/// A source as tokens. Directives are no tokens; line markers among them are kept.
class Source {
 public:
  /// `name` is what messages call the text as long as no marker says otherwise. Both are kept by
  /// reference. Raises SourceError for strings, characters and comments without an end.
  Source(std::string_view text, std::string name);

  const std::vector<Token>& tokens() const noexcept { return tokens_; }
  std::string_view text() const noexcept { return text_; }
  std::string_view text(const Token& token) const noexcept {
    return text_.substr(token.begin, token.end - token.begin);
  }
  bool is(std::size_t index, std::string_view text) const noexcept {
    return index < tokens_.size() && this->text(tokens_[index]) == text;
  }
  bool is_identifier(std::size_t index) const noexcept {
    return index < tokens_.size() && tokens_[index].kind == TokenKind::identifier;
  }
  /// `count` times the character `c` without anything between them.
  bool is_run(std::size_t index, char c, std::size_t count) const noexcept;

  SourceLocation location(const Token& token) const;
  /// The marker that holds for a line of the text.
  const LineMarker& marker(std::uint32_t text_line) const noexcept;

  /// The index behind the bracket that closes the one at `index`; 0 when there is none. `<` counts
  /// as a bracket only when it is the one at `index`.
  std::size_t behind_bracket(std::size_t index) const noexcept;

 private:
  friend class Lexer;
  std::string_view text_;
  std::vector<Token> tokens_;
  std::vector<LineMarker> markers_;  // by text_line; the first is for line 1
};

}  // namespace kernel_compiler
