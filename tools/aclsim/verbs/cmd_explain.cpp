// SPDX-License-Identifier: Apache-2.0
// aclsim explain: prints the part of docs/explain.md or docs/error-codes.md about one rule or one
// error code.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/order/engine/rules.h"
#include "tools/aclsim/options/usage_error.h"
#include "tools/aclsim/output/standard_output.h"
#include "tools/aclsim/output/text_table.h"
#include "tools/aclsim/verbs/commands.h"

namespace aclsim {
namespace {

constexpr std::string_view kRulePage =
#include "explain.inc"
    ;
constexpr std::string_view kCodePage =
#include "error_codes.inc"
    ;

/// Converts "acl7" to "ACL007".
std::string rule_id(std::string word) {
  for (char& c : word) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (!word.starts_with("ACL") || word.size() < 4 || word.size() > 6) return word;
  const std::string digits = word.substr(3);
  if (!std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c); })) {
    return word;
  }
  return "ACL" + std::string(3 - digits.size(), '0') + digits;
}

/// The text below the heading of the rule.
std::string_view section_of(std::string_view id) {
  const std::size_t heading = kRulePage.find(fmt::format("\n## {}: ", id));
  if (heading == std::string_view::npos) return {};
  const std::size_t begin = kRulePage.find("\n\n", heading) + 2;
  const std::size_t end = std::min(kRulePage.find("\n## ", begin), kRulePage.size());
  return kRulePage.substr(begin, end - begin);
}

/// Prints the text for a terminal: code is indented, with a heading "wrong" or "right".
void print_section(std::string_view text) {
  bool code = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.starts_with("```")) {
      print_out("{}{}\n", code && !line.empty() ? "    " : "", line);
      continue;
    }
    if (line.starts_with("```cpp wrong")) print_out("wrong:\n");
    if (line.starts_with("```cpp right")) print_out("right:\n");
    code = !code;
  }
}

void explain_rule(const order::RuleInfo& rule) {
  print_out("{}: {} ({})\n\n", rule.id, rule.title, order::name(rule.level));
  print_section(section_of(rule.id));
  print_out(
      "\nusual fix: {}\nto suppress: the line \"{} src:FILE:LINE\" in a file for --suppressions; "
      "in a "
      "test, aclsimCheckExpectBegin(\"{}\") and aclsimCheckExpectEnd\nmore: "
      "docs/checker-rules.md\n",
      rule.repair, rule.id, rule.id);
}

bool explain_code(const std::string& code) {
  const std::size_t begin = kCodePage.find(fmt::format("\n| {} |", code));
  if (begin == std::string_view::npos) return false;
  std::string_view row = kCodePage.substr(begin + 1);
  row = row.substr(0, row.find('\n'));
  std::vector<std::string> cells;
  for (row.remove_prefix(1); !row.empty();) {
    std::string_view cell = row.substr(0, row.find('|'));
    row.remove_prefix(std::min(cell.size() + 1, row.size()));
    while (cell.starts_with(' ') || cell.starts_with('`')) cell.remove_prefix(1);
    while (cell.ends_with(' ') || cell.ends_with('`')) cell.remove_suffix(1);
    cells.emplace_back(cell);
  }
  if (cells.size() < 4) return false;
  print_out(
      "{}: {}\n\nmeaning: {}\nfix: {}\ndetails of an error: aclGetRecentErrMsg() in the thread "
      "that got the error, or aclsim run --check\n",
      cells[0], cells[1], cells[2], cells[3]);
  return true;
}

int list_rules() {
  std::vector<TableRow> table{{"rule", "level", "title"}};
  for (const order::RuleInfo& rule : order::rules()) {
    table.push_back(
        {std::string(rule.id), std::string(order::name(rule.level)), std::string(rule.title)});
  }
  print_table(table, {Align::left});
  return kOk;
}

int explain_word(const std::string& word) {
  if (word.empty()) return list_rules();
  if (const order::RuleInfo* const rule = order::find_rule(rule_id(word))) {
    explain_rule(*rule);
    return kOk;
  }
  if (explain_code(word)) return kOk;
  complain(
      fmt::format("explain: '{}' is neither a rule nor an error code; expected {} to {}, or a "
                  "number such as 107003",
                  word, order::rules().front().id, order::rules().back().id));
  return kUsage;
}

}  // namespace

void add_explain(CLI::App& app, Verb& chosen) {
  CLI::App* const verb =
      app.add_subcommand("explain", "Explain a rule of the checker, or an error code of ACL");
  const auto word = std::make_shared<std::string>();
  verb->add_option("what", *word,
                   "a rule (ACL007) or an error code (107003); without it, all rules are listed")
      ->type_name("RULE|CODE");
  verb->footer(
      "Exit codes: 0 success, 2 neither a rule nor an error code.\n"
      "Example:\n  aclsim explain ACL007\n  aclsim explain 107003");
  verb->callback([word, &chosen] { chosen = [word] { return explain_word(*word); }; });
}

}  // namespace aclsim
