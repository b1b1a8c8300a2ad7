// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/order/report/report.h"
#include "runtime/trace/json_text.h"

namespace order {
namespace {

/// As the value of an attribute or as text. Characters that XML 1.0 cannot hold become U+FFFD.
std::string xml(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = acl::trace_output::character_size(text, at);
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

/// "data race at main.cpp:14: the copy on stream 2 reads ...; and 2 more findings".
std::string in_short(const std::vector<const PlacedFinding*>& failing) {
  const PlacedFinding& first = *failing.front();
  const std::string where = position(first.op_info.place);
  std::string text =
      fmt::format("{}{}: {}", title(first), where.empty() ? "" : " at " + where, message(first));
  const std::size_t more = failing.size() - 1;
  if (more != 0) text += fmt::format("; and {} more finding{}", more, more == 1 ? "" : "s");
  return text;
}

std::string test_case(const Report& report, Level fail_on) {
  std::vector<const PlacedFinding*> failing;
  std::string failures, others;
  for (const PlacedFinding& finding : report.findings) {
    const bool fails = finding.level >= fail_on;
    if (fails) failing.push_back(&finding);
    std::string& texts = fails ? failures : others;
    texts += (texts.empty() ? "" : "\n") + to_text(finding);
  }
  std::string text = fmt::format("    <testcase classname=\"aclsim.check\" name=\"{}\"",
                                 xml(report.program.empty() ? "program" : report.program));
  for (const auto& [name, what] : report.facts) {
    std::string& texts = failing.empty() && report.failure.empty() ? others : failures;
    texts += fmt::format("{}: {}\n", name, what);
  }
  if (failures.empty() && others.empty() && report.failure.empty()) return text + "/>\n";
  text += ">\n";
  if (!failing.empty() || !report.failure.empty()) {
    const bool found = !failing.empty();
    text += fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                        found ? info(failing.front()->rule).id : "run",
                        xml(found ? in_short(failing) : report.failure), xml(failures));
  }
  if (!others.empty()) text += fmt::format("      <system-out>{}</system-out>\n", xml(others));
  return text + "    </testcase>\n";
}

std::string property(std::string_view name, std::uint64_t value) {
  return fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, value);
}

}  // namespace

std::string to_junit(const Report& report, Level fail_on) {
  const std::string properties =
      "    <properties>\n" + property("errors", report.count(Level::error)) +
      property("warnings", report.count(Level::warning)) +
      property("notes", report.count(Level::note)) + property("suppressed", report.suppressed) +
      property("kernels", report.kernels.all) +
      property("undeclared_kernels", report.kernels.undeclared) +
      property("not_judged", report.not_checked.size()) + "    </properties>\n";
  const bool failed = report.at_least(fail_on) != 0 || !report.failure.empty();
  const std::string counts =
      fmt::format("tests=\"1\" failures=\"{}\" errors=\"0\"", failed ? 1 : 0);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites {}>\n  <testsuite name=\"aclsim check{}\" {}>\n{}{}  </testsuite>\n"
      "</testsuites>\n",
      counts, report.program.empty() ? "" : xml(" " + report.program), counts, properties,
      test_case(report, fail_on));
}

}  // namespace order
