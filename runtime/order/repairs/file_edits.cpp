// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/repairs/file_edits.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace order {
namespace {

constexpr const char* kResult = "aclsim_result";

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += between;
    text += part;
  }
  return text;
}

}  // namespace

bool is_plain_c(const std::string& file) { return file.ends_with(".c"); }

void FileEdits::before(const Statement& statement, std::string code) {
  Change& change = changes_[statement.begin];
  change.statement = statement;
  change.before.push_back(std::move(code));
}

void FileEdits::after(const Statement& statement, std::string code) {
  Change& change = changes_[statement.begin];
  change.statement = statement;
  change.after.push_back(std::move(code));
}

void FileEdits::remove(const Statement& statement) {
  Change& change = changes_[statement.begin];
  change.statement = statement;
  change.removed = true;
}

void FileEdits::replace(std::size_t begin, std::size_t end, std::string text) {
  replacements_.push_back({begin, end, std::move(text)});
}

void FileEdits::declare(std::uint32_t line, const std::string& code) {
  for (const LineEdit& known : declarations_) {
    if (known.code == code) return;
  }
  const std::uint32_t last = source_.end_of_includes(line);
  const auto where = last == 0 ? LineEdit::Where::before : LineEdit::Where::after;
  declarations_.push_back({file_, std::max(last, 1U), where, code});
}

// A range that is replaced may have several lines. The text goes into the first one.
void FileEdits::splice(Splices& splices, std::size_t begin, std::size_t end,
                       const std::string& text) const {
  const std::uint32_t first = source_.line_of(begin);
  const std::uint32_t last = std::max(first, source_.line_of(end > begin ? end - 1 : end));
  for (std::uint32_t line = first; line <= last; ++line) {
    const std::size_t from = std::max(begin, source_.begin_of(line));
    const std::size_t to = std::max(from, std::min(end, source_.end_of(line)));
    splices[line].push_back(
        {from - source_.begin_of(line), to - source_.begin_of(line), line == first ? text : ""});
  }
}

/// Each with the indentation of the statement.
std::string FileEdits::lines(const Statement& statement,
                             const std::vector<std::string>& code) const {
  const std::string_view line = source_.line(source_.line_of(statement.begin));
  const std::string indent(line.substr(0, std::min(line.find_first_not_of(" \t"), line.size())));
  return indent + joined(code, "\n" + indent);
}

void FileEdits::insert_before(const Change& change, std::vector<LineEdit>& edits,
                              Splices& splices) const {
  const Statement& statement = change.statement;
  std::vector<std::string> code = change.before;
  const bool kept = statement.returns && !change.after.empty();
  if (statement.is_body || kept) code.insert(code.begin(), "{");
  if (kept) {
    const std::string type = is_plain_c(file_) ? "int " : "const auto ";
    splice(splices, statement.begin, statement.begin + 6, type + kResult + " =");
  }
  if (code.empty()) return;
  const std::uint32_t line = source_.line_of(statement.begin);
  if (source_.is_blank(source_.begin_of(line), statement.begin)) {
    edits.push_back({file_, line, LineEdit::Where::before, lines(statement, code)});
  } else {
    splice(splices, statement.begin, statement.begin, joined(code, " ") + " ");
  }
}

void FileEdits::insert_after(const Change& change, std::vector<LineEdit>& edits,
                             Splices& splices) const {
  const Statement& statement = change.statement;
  std::vector<std::string> code = change.after;
  const bool kept = statement.returns && !change.after.empty();
  if (kept) code.push_back(std::string("return ") + kResult + ";");
  if (statement.is_body || kept) code.emplace_back("}");
  if (code.empty()) return;
  const std::uint32_t line = source_.line_of(statement.end - 1);
  if (source_.is_blank(statement.end, source_.end_of(line))) {
    edits.push_back({file_, line, LineEdit::Where::after, lines(statement, code)});
  } else {
    splice(splices, statement.end, statement.end, " " + joined(code, " "));
  }
}

void FileEdits::append_to(std::vector<LineEdit>& edits) const {
  edits.insert(edits.end(), declarations_.begin(), declarations_.end());
  Splices splices;
  for (const auto& [begin, change] : changes_) {
    const Statement& statement = change.statement;
    if (change.removed) {
      const std::string rest = statement.is_body ? ";" : "";
      splice(splices, statement.begin, statement.end,
             joined(change.before, " ") + joined(change.after, " ") + rest);
      continue;
    }
    insert_before(change, edits, splices);
    insert_after(change, edits, splices);
  }
  for (const Replacement& one : replacements_) splice(splices, one.begin, one.end, one.text);
  for (auto& [line, parts] : splices) {
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Splice& a, const Splice& b) { return a.begin < b.begin; });
    std::string text(source_.line(line));
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      text.replace(part->begin, part->end - part->begin, part->text);
    }
    if (text.find_first_not_of(" \t\r") == std::string::npos) text.clear();
    edits.push_back({file_, line, LineEdit::Where::instead, std::move(text)});
  }
}

}  // namespace order
