// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/report/suppressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <stdexcept>

#include "device_sim/base/files.h"

namespace order {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

/// `*` is any characters, `?` any one.
bool glob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  for (std::size_t t = 0; t < text.size();) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

/// The whole path, or its last parts.
bool glob_path(std::string_view pattern, std::string_view path) {
  if (path.empty()) return false;
  if (glob(pattern, path)) return true;
  for (std::size_t at = path.find('/'); at != std::string_view::npos; at = path.find('/', at + 1)) {
    if (glob(pattern, path.substr(at + 1))) return true;
  }
  return false;
}

/// With its parameters, or without.
bool glob_function(std::string_view pattern, std::string_view function) {
  return !function.empty() &&
         (glob(pattern, function) || glob(pattern, function.substr(0, function.find('('))));
}

/// Takes ":12" from the end of the pattern.
std::uint32_t take_line(std::string& pattern) {
  const std::size_t colon = pattern.rfind(':');
  if (colon == std::string::npos) return 0;
  const char* const end = pattern.data() + pattern.size();
  std::uint32_t line = 0;
  const auto [rest, error] = std::from_chars(pattern.data() + colon + 1, end, line);
  if (error != std::errc{} || rest != end || line == 0) {
    throw std::invalid_argument(
        fmt::format("src:{} names no line: after the colon stands a number "
                    "from 1",
                    pattern));
  }
  pattern.resize(colon);
  return line;
}

}  // namespace

Suppressions::Line Suppressions::parse(std::string_view text) {
  const std::size_t space = text.find_first_of(" \t");
  Line line;
  line.rule = text.substr(0, space);
  if (line.rule != "*" && !find_rule(line.rule)) {
    throw std::invalid_argument(
        fmt::format("{} is no rule; expected ACL001 to {} or *", line.rule, rules().back().id));
  }
  const std::string_view where =
      space == std::string_view::npos ? std::string_view{} : trimmed(text.substr(space));
  if (where.empty()) {
    throw std::invalid_argument(
        fmt::format("{} is followed by nothing; expected * or src:, "
                    "kernel:, fun: or lib: with a pattern",
                    line.rule));
  }
  if (where == "*") return line;
  constexpr std::pair<std::string_view, Kind> kKinds[] = {{"src:", Kind::source},
                                                          {"kernel:", Kind::kernel},
                                                          {"fun:", Kind::function},
                                                          {"lib:", Kind::library}};
  for (const auto& [word, kind] : kKinds) {
    if (!where.starts_with(word)) continue;
    line.kind = kind;
    line.pattern = where.substr(word.size());
  }
  if (line.pattern.empty()) {
    throw std::invalid_argument(fmt::format(
        "{} says nothing; expected * or src:, kernel:, fun: or lib: with a pattern", where));
  }
  if (line.kind == Kind::source) line.source_line = take_line(line.pattern);
  return line;
}

void Suppressions::add(std::string_view text, std::string_view file) {
  std::vector<Line> added;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view row = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (row.empty() || row.front() == '#') continue;
    try {
      added.push_back(parse(row));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("{}:{}: {}", file, number, error.what()));
    }
    added.back().origin = fmt::format("{}:{}: {}", file, number, row);
  }
  std::move(added.begin(), added.end(), std::back_inserter(lines_));
}

void Suppressions::add_file(const std::string& path) {
  std::string text;
  try {
    text = sim::read_file(path);
  } catch (const sim::FileError& error) {
    throw std::invalid_argument(fmt::format("{}: cannot be read ({})", path, error.what()));
  }
  add(text, path);
}

bool Suppressions::matches(const Line& line, const Place& place) {
  const bool itself = [&] {
    switch (line.kind) {
      case Kind::source:
        return glob_path(line.pattern, place.file) &&
               (line.source_line == 0 || line.source_line == place.line);
      case Kind::function:
        return glob_function(line.pattern, place.function);
      case Kind::library:
        return glob_path(line.pattern, place.module);
      default:
        return false;
    }
  }();
  return itself || std::any_of(place.callers.begin(), place.callers.end(),
                               [&](const Place& caller) { return matches(line, caller); });
}

bool Suppressions::matches(const Line& line, const PlacedOp& op_info) {
  if (line.kind == Kind::all) return true;
  if (line.kind == Kind::kernel) return glob(line.pattern, op_info.what);
  return matches(line, op_info.place);
}

bool Suppressions::covers(const PlacedFinding& finding) {
  bool covered = false;
  for (Line& line : lines_) {
    if (line.rule != "*" && line.rule != info(finding.rule).id) continue;
    if (!matches(line, finding.op_info) && !(finding.other && matches(line, *finding.other)))
      continue;
    ++line.used;
    covered = true;
  }
  return covered;
}

void Suppressions::apply(Report& report) {
  report.suppressed += std::erase_if(
      report.findings, [this](const PlacedFinding& finding) { return covers(finding); });
  for (const Line& line : lines_) {
    if (line.used == 0) report.unused.push_back(line.origin);
  }
}

}  // namespace order
