// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace order {

/// A file of C or C++ source, as far as a repair needs it: its lines, blocks and statements. It is
/// not preprocessed. Offsets count from the begin of the file, lines from 1.
class SourceText {
 public:
  explicit SourceText(std::string text);
  /// Nothing if the file cannot be read, or is too large to be written by hand.
  static std::optional<SourceText> read(const std::string& file);

  const std::string& text() const noexcept { return text_; }
  /// The text with blanks in place of comments, directives, and the contents of literals.
  const std::string& code() const noexcept { return code_; }

  std::uint32_t lines() const noexcept { return static_cast<std::uint32_t>(begins_.size()); }
  std::size_t begin_of(std::uint32_t line) const { return begins_[line - 1]; }
  /// Without the newline.
  std::size_t end_of(std::uint32_t line) const;
  std::uint32_t line_of(std::size_t offset) const;
  /// True if the range holds nothing but blanks and comments.
  bool is_blank(std::size_t begin, std::size_t end) const;
  std::string_view line(std::uint32_t line) const;
  /// The word appears in the code.
  bool mentions(std::string_view word) const;
  /// The first place of the word in the range; npos: none.
  std::size_t find_word(std::string_view word, std::size_t begin, std::size_t end) const;

  /// The braces that are open at the offset, the outermost first.
  std::vector<std::size_t> blocks_at(std::size_t offset) const;
  /// The line after which a declaration at file scope can follow the includes before `line`; 0:
  /// before the first line.
  std::uint32_t end_of_includes(std::uint32_t line) const;

 private:
  void blank_comments();
  void blank_directives();

  std::string text_;
  std::string code_;
  std::vector<std::size_t> begins_;
};

bool is_space(char c);
bool is_word_char(char c);
/// The offset after the bracket that matches the one at `open`; npos: it is missing.
std::size_t after_bracket(const std::string& code, std::size_t open);
/// The offset of the bracket that matches the one at `close`; npos: it is missing.
std::size_t before_bracket(const std::string& code, std::size_t close);
/// The word that ends at `end`, or before the blanks there.
std::string_view word_before(const std::string& code, std::size_t end);

}  // namespace order
