// SPDX-License-Identifier: Apache-2.0
// Describes an error in a TOML file in this project's words instead of the parser's.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "toml_parser.h"

namespace toml_mistake {

inline void replace(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

/// The construct that was parsed: "in a table header: "; empty if the rest of the message names it.
inline std::string place(const std::string& scope) {
  if (scope.empty() || scope == "root table" || scope == "key-value pair" || scope == "value") {
    return {};
  }
  if (scope == "string" || scope == "literal string") return "in a text: ";
  const bool vowel = std::string_view("aeio").find(scope[0]) != std::string_view::npos;
  return (vowel ? "in an " : "in a ") + scope + ": ";
}

/// The parser's message is "Error while parsing SCOPE: expected ']', saw '\n'". Unknown messages
/// are returned unchanged.
inline std::string words(std::string text) {
  constexpr std::string_view kParsing = "Error while parsing ";
  std::string scope;
  const std::size_t colon = text.find(": ");
  if (text.starts_with(kParsing) && colon != std::string::npos) {
    scope = text.substr(kParsing.size(), colon - kParsing.size());
    text.erase(0, colon + 2);
  }
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {", saw '\\n'", ", but the line ends"},
      {", saw '\n'", ", but the line ends"},
      {", saw '\\r'", ", but the line ends"},
      {", saw '", ", found '"},
      {"unescaped control characters other than TAB (U+0009) are explicitly prohibited",
       "the line ends before the closing quote, or a control character stands there"},
      {"cannot redefine existing table", "a second definition of the table"},
      {"expected value-terminator", "expected the end of the value"},
      {"expected value,", "expected a value,"},
      {"encountered end-of-file", "the file ends in the middle of it"},
      {"could not determine value type",
       "expected a number, a text in quotes, true or false, a date or a list"},
      {"expected bare key starting character or string delimiter", "expected a key"},
  };
  for (const auto& [from, to] : kWords) replace(text, from, to);
  return place(scope) + text;
}

/// "FILE:LINE:COLUMN: no valid TOML: ...".
inline std::string text(const std::string& file, const toml::parse_error& error) {
  const toml::source_position at = error.source().begin;
  return file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) +
         ": no valid TOML: " + words(std::string(error.description()));
}

}  // namespace toml_mistake
