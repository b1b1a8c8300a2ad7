// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace kernel_compiler {

enum class TokenKind : std::uint8_t { identifier, number, string, character, punctuator };

/// A token of C++. Only the punctuators `::`, `->`, `<=` and `>=` have two characters. All others
/// are single characters, so that brackets are easy to match; `glued` marks tokens that are
/// adjacent in the source.
struct Token {
  TokenKind kind;
  bool glued;           // follows the previous token without a space or comment
  std::uint32_t begin;  // byte offsets in the text
  std::uint32_t end;
  std::uint32_t line;  // of the text, from 1
};

/// A line `# LINE "FILE"`: the following text comes from that file.
struct LineMarker {
  std::uint32_t text_line;  // the first line of the text after the marker
  std::uint32_t file_line;  // the number of that line in the file
  std::string file;
  bool system = false;  // a header of the system: no warnings
};

/// A position in a source file, for messages.
struct SourceLocation {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// A mistake in a source; the text is "file:line:column: error: ...".
class SourceError : public std::runtime_error {
 public:
  SourceError(const SourceLocation& location, const std::string& what);
};

/// A source as tokens. Directives are not tokens; line markers are kept separately.
class Source {
 public:
  /// Messages use `name` as the file name of the text before the first marker. The text is kept by
  /// reference. Throws SourceError for strings, characters and comments without an end.
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
  /// Whether `count` adjacent tokens from `index` on are the character `c`.
  bool is_run(std::size_t index, char c, std::size_t count) const noexcept;

  SourceLocation location(const Token& token) const;
  /// The last marker before a line of the text.
  const LineMarker& marker(std::uint32_t text_line) const noexcept;

  /// The index after the bracket that closes the bracket at `index`; 0 if it is not closed. `<`
  /// counts as a bracket only if it is the token at `index`.
  std::size_t behind_bracket(std::size_t index) const noexcept;

 private:
  friend class Lexer;
  std::string_view text_;
  std::vector<Token> tokens_;
  std::vector<LineMarker> markers_;  // by text_line; the first is for line 1
};

}  // namespace kernel_compiler
