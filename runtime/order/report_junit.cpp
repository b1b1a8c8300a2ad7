// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "runtime/order/report.h"
#include "runtime/trace/json_text.h"

namespace order {
namespace {

/// As the value of an attribute or as text. What XML 1.0 cannot hold becomes U+FFFD.
std::string xml(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = acl::trace::character_size(text, at);
    const char c = text[at];
    const bool control = static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (size == 0 || control) {
      out += "\xef\xbf\xbd";
    } else {
      out += text.substr(at, size);
    }
    at += std::max<std::size_t>(size, 1);
  }
  return out;
}

struct Outcome {
  std::size_t failing = 0;
  std::string failures;
  std::string others;
};

Outcome outcome(const Report& report, Rule rule, Level fail_on) {
  Outcome made;
  for (const PlacedFinding& finding : report.findings) {
    if (finding.rule != rule) continue;
    const bool fails = finding.level >= fail_on;
    made.failing += fails ? 1 : 0;
    (fails ? made.failures : made.others) += to_text(finding);
  }
  return made;
}

std::string test_case(const RuleInfo& rule, const Outcome& outcome) {
  std::string text = fmt::format("    <testcase classname=\"aclsim.check\" name=\"{} {}\"", rule.id,
                                 xml(rule.title));
  if (outcome.failing == 0 && outcome.others.empty()) return text + "/>\n";
  text += ">\n";
  if (outcome.failing != 0) {
    text +=
        fmt::format("      <failure type=\"{}\" message=\"{} finding{}\">{}</failure>\n", rule.id,
                    outcome.failing, outcome.failing == 1 ? "" : "s", xml(outcome.failures));
  }
  if (!outcome.others.empty()) {
    text += fmt::format("      <system-out>{}</system-out>\n", xml(outcome.others));
  }
  return text + "    </testcase>\n";
}

}  // namespace

std::string to_junit(const Report& report, Level fail_on) {
  std::string cases;
  std::size_t failed = 0;
  for (const RuleInfo& rule : rules()) {
    const Outcome found = outcome(report, rule.rule, fail_on);
    failed += found.failing != 0 ? 1 : 0;
    cases += test_case(rule, found);
  }
  const std::string properties = fmt::format(
      "    <properties>\n      <property name=\"kernels\" value=\"{}\"/>\n"
      "      <property name=\"undeclared_kernels\" value=\"{}\"/>\n    </properties>\n",
      report.kernels.all, report.kernels.undeclared);
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\"", rules().size(), failed);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites {}>\n  <testsuite name=\"aclsim check{}\" {}>\n{}{}  </testsuite>\n"
      "</testsuites>\n",
      counts, report.program.empty() ? "" : xml(" " + report.program), counts,
      properties, cases);
}

}  // namespace order
