// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/repairs/source_text.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace order {
namespace {

constexpr std::size_t kMostBytes = std::size_t{4} << 20;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A mark between the digits of a number.
bool separates_digits(const std::string& text, std::size_t quote) {
  std::size_t begin = quote;
  while (begin > 0 && (is_word_char(text[begin - 1]) || text[begin - 1] == '\'')) --begin;
  return begin < quote && is_digit(text[begin]);
}

/// The offset after a literal that begins at `quote`.
std::size_t after_literal(const std::string& text, std::size_t quote) {
  std::size_t at = quote + 1;
  while (at < text.size() && text[at] != text[quote] && text[at] != '\n') {
    at += text[at] == '\\' ? 2 : 1;
  }
  return std::min(at + 1, text.size());
}

std::size_t after_raw_literal(const std::string& text, std::size_t quote) {
  const std::size_t open = text.find('(', quote);
  if (open == std::string::npos) return text.size();
  const std::string end = ")" + text.substr(quote + 1, open - quote - 1) + "\"";
  const std::size_t close = text.find(end, open);
  return close == std::string::npos ? text.size() : close + end.size();
}

std::string_view directive(std::string_view line) {
  const std::size_t mark = line.find_first_not_of(" \t");
  if (mark == std::string_view::npos || line[mark] != '#') return {};
  const std::size_t word = line.find_first_not_of(" \t", mark + 1);
  return word == std::string_view::npos ? std::string_view() : line.substr(word);
}

}  // namespace

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

SourceText::SourceText(std::string text) : text_(std::move(text)), code_(text_) {
  begins_.push_back(0);
  for (std::size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1)) {
    if (at + 1 < text_.size()) begins_.push_back(at + 1);
  }
  blank_comments();
  blank_directives();
}

std::optional<SourceText> SourceText::read(const std::string& file) {
  std::ifstream input(file, std::ios::binary);
  if (!input) return std::nullopt;
  std::string text;
  char piece[1 << 16];
  while (input.read(piece, sizeof piece) || input.gcount() > 0) {
    text.append(piece, static_cast<std::size_t>(input.gcount()));
    if (text.size() > kMostBytes) return std::nullopt;
  }
  return SourceText(std::move(text));
}

void SourceText::blank_comments() {
  const auto blank = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < std::min(end, code_.size()); ++i) {
      if (code_[i] != '\n') code_[i] = ' ';
    }
  };
  std::size_t at = 0;
  while (at < text_.size()) {
    const char c = text_[at];
    std::size_t next = at + 1;
    if (text_.compare(at, 2, "//") == 0) {
      next = std::min(text_.find('\n', at), text_.size());
      blank(at, next);
    } else if (text_.compare(at, 2, "/*") == 0) {
      const std::size_t end = text_.find("*/", at + 2);
      next = end == std::string::npos ? text_.size() : end + 2;
      blank(at, next);
    } else if (c == '"' && at > 0 && text_[at - 1] == 'R') {
      next = after_raw_literal(text_, at);
      blank(at + 1, next - 1);
    } else if (c == '"' || (c == '\'' && !separates_digits(text_, at))) {
      next = after_literal(text_, at);
      blank(at + 1, next - 1);
    }
    at = next;
  }
}

void SourceText::blank_directives() {
  bool goes_on = false;
  for (std::uint32_t number = 1; number <= lines(); ++number) {
    const std::string_view written = line(number);
    const std::size_t first = code_.find_first_not_of(" \t", begin_of(number));
    const bool is = first < end_of(number) && code_[first] == '#';
    if (!is && !goes_on) continue;
    goes_on = written.ends_with("\\") || written.ends_with("\\\r");
    for (std::size_t i = begin_of(number); i < end_of(number); ++i) code_[i] = ' ';
  }
}

std::size_t SourceText::end_of(std::uint32_t line) const {
  const std::size_t next = line < lines() ? begins_[line] : text_.size();
  return next > begin_of(line) && text_[next - 1] == '\n' ? next - 1 : next;
}

std::uint32_t SourceText::line_of(std::size_t offset) const {
  const auto after = std::upper_bound(begins_.begin(), begins_.end(), offset);
  return static_cast<std::uint32_t>(after - begins_.begin());
}

bool SourceText::is_blank(std::size_t begin, std::size_t end) const {
  return std::all_of(code_.begin() + static_cast<std::ptrdiff_t>(begin),
                     code_.begin() + static_cast<std::ptrdiff_t>(end), is_space);
}

std::string_view SourceText::line(std::uint32_t line) const {
  return std::string_view(text_).substr(begin_of(line), end_of(line) - begin_of(line));
}

bool SourceText::mentions(std::string_view word) const {
  return find_word(word, 0, code_.size()) != std::string::npos;
}

std::size_t SourceText::find_word(std::string_view word, std::size_t begin, std::size_t end) const {
  for (std::size_t at = code_.find(word, begin); at < end; at = code_.find(word, at + 1)) {
    const std::size_t after = at + word.size();
    const bool whole = (at == 0 || !is_word_char(code_[at - 1])) &&
                       (after >= code_.size() || !is_word_char(code_[after]));
    if (whole) return at;
  }
  return std::string::npos;
}

std::vector<std::size_t> SourceText::blocks_at(std::size_t offset) const {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < std::min(offset, code_.size()); ++i) {
    if (code_[i] == '{') open.push_back(i);
    if (code_[i] == '}' && !open.empty()) open.pop_back();
  }
  return open;
}

// A declaration after an include that some condition guards would be guarded too. Conditions that
// are open at the line, such as an include guard, do not matter.
std::uint32_t SourceText::end_of_includes(std::uint32_t line) const {
  std::vector<std::vector<std::uint32_t>> conditions(1);  // that are open after each line
  std::uint32_t last = 0;
  for (std::uint32_t number = 1; number <= line && number <= lines(); ++number) {
    std::vector<std::uint32_t> open = conditions.back();
    const std::string_view word = directive(this->line(number));
    if (word.starts_with("if")) open.push_back(number);
    if (word.starts_with("endif") && !open.empty()) open.pop_back();
    if (word.starts_with("include") && number < line && blocks_at(begin_of(number)).empty()) {
      last = number;
    }
    conditions.push_back(std::move(open));
  }
  const std::vector<std::uint32_t>& at_line = conditions.back();
  const auto guarded = [&](std::uint32_t number) {
    const auto& open = conditions[number];
    return open.size() > at_line.size() || !std::equal(open.begin(), open.end(), at_line.begin());
  };
  while (last < conditions.size() - 1 && guarded(last)) ++last;
  return last;
}

std::size_t after_bracket(const std::string& code, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    const char c = code[i];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && --depth == 0) return i + 1;
  }
  return std::string::npos;
}

std::size_t before_bracket(const std::string& code, std::size_t close) {
  std::size_t depth = 0;
  for (std::size_t i = close + 1; i-- > 0;) {
    const char c = code[i];
    if (c == ')' || c == ']' || c == '}') ++depth;
    if ((c == '(' || c == '[' || c == '{') && --depth == 0) return i;
  }
  return std::string::npos;
}

std::string_view word_before(const std::string& code, std::size_t end) {
  while (end > 0 && is_space(code[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_word_char(code[begin - 1])) --begin;
  return std::string_view(code).substr(begin, end - begin);
}

}  // namespace order
