// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/output/colour.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace aclsim {
namespace {

struct Severity {
  std::string_view word;
  Colour colour;
};
constexpr Severity kSeverities[] = {{"error:", Colour::red},
                                    {"warning:", Colour::magenta},
                                    {"note:", Colour::cyan},
                                    {"fix:", Colour::green}};

const char* code_of(Colour colour) {
  switch (colour) {
    case Colour::red:
      return "31";
    case Colour::green:
      return "32";
    case Colour::magenta:
      return "35";
    case Colour::cyan:
      return "36";
  }
  return "0";
}

std::string painted(std::string_view text, Colour colour) {
  return fmt::format("\x1b[1;{}m{}\x1b[0m", code_of(colour), text);
}

/// A severity is at the beginning of a line, after a source location ("x.cpp:3: ") or after a rule
/// ("ACL007 ").
bool begins_here(std::string_view line, std::size_t at) {
  const std::size_t last = line.substr(0, at).find_last_not_of(' ');
  if (last == std::string_view::npos) return true;
  const auto before = static_cast<unsigned char>(line[last]);
  return last + 1 < at && (before == ':' || std::isdigit(before) != 0);
}

std::string paint_line(std::string_view line) {
  for (const Severity& severity : kSeverities) {
    const std::size_t at = line.find(severity.word);
    if (at == std::string_view::npos || !begins_here(line, at)) continue;
    std::string text(line.substr(0, at));
    text += painted(severity.word, severity.colour);
    return text.append(line.substr(at + severity.word.size()));
  }
  return std::string(line);
}

}  // namespace

bool has_colours(int fd) {
  const char* const refused = ::getenv("NO_COLOR");
  const char* const terminal = ::getenv("TERM");
  if (refused && *refused) return false;
  if (terminal && std::string_view(terminal) == "dumb") return false;
  return ::isatty(fd) != 0;
}

std::string paint(const std::string& text, Colour colour, int fd) {
  return has_colours(fd) ? painted(text, colour) : text;
}

std::string paint_findings(const std::string& text, int fd) {
  if (!has_colours(fd)) return text;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += paint_line(std::string_view(text).substr(at, end - at));
    if (end < text.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

std::string paint_verdict(const std::string& verdict, int fd) {
  if (verdict.starts_with("PASS")) return paint(verdict, Colour::green, fd);
  if (verdict.starts_with("FAIL")) return paint(verdict, Colour::red, fd);
  return verdict;
}

}  // namespace aclsim
