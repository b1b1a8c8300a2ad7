// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/order/report/json_writer.h"
#include "runtime/order/report/report.h"

namespace order {
namespace {

constexpr std::string_view kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// A path as a URI reference: absolute ones become file URIs.
std::string uri(std::string_view path) {
  constexpr std::string_view kPlain = "-._~/!$&'()*+,;=@";
  std::string text = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                       kPlain.find(c) != std::string_view::npos;
    text += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return text;
}

void write_text(JsonWriter& json, std::string_view key, std::string_view text) {
  json.open_member(key, '{').member("text", text).close();
}

void write_rules(JsonWriter& json) {
  json.open_member("rules", '[');
  for (const RuleInfo& rule : rules()) {
    json.open('{').member("id", rule.id);
    write_text(json, "shortDescription", rule.title);
    write_text(json, "fullDescription", rule.meaning);
    write_text(json, "help", rule.repair);
    json.open_member("defaultConfiguration", '{').member("level", name(rule.level)).close();
    json.close();
  }
  json.close();
}

/// `id`: its number in the result; 0 if it is the main one.
void write_location(JsonWriter& json, const PlacedOp& op_info, int id, std::string_view role = {}) {
  const Place& place = op_info.place;
  json.open('{');
  if (id != 0) json.member("id", id);
  if (place.known()) {
    const std::string& file = place.file.empty() ? place.module : place.file;
    json.open_member("physicalLocation", '{');
    json.open_member("artifactLocation", '{').member("uri", uri(file)).close();
    if (place.line != 0) {
      json.open_member("region", '{').member("startLine", place.line).close();
    } else if (place.file.empty()) {
      json.open_member("address", '{').member("relativeAddress", place.offset).close();
    }
    json.close();
  }
  if (!place.function.empty()) {
    json.open_member("logicalLocations", '[').open('{').member("name", place.function);
    json.member("kind", "function").close().close();
  }
  write_text(json, "message", std::string(role) + to_text(op_info));
  json.close();
}

/// Rule, operations and functions: the same when lines move or the program is in another folder.
std::string identity(const PlacedFinding& finding) {
  std::string text(info(finding.rule).id);
  for (const PlacedOp* op_info : {&finding.op_info, finding.other ? &*finding.other : nullptr}) {
    if (!op_info) continue;
    const Place& place = op_info->place;
    const std::string_view file = place.file.empty() ? place.module : place.file;
    text +=
        fmt::format("|{}|{}|{}", op_info->what, file.substr(file.rfind('/') + 1), place.function);
  }
  return text;
}

/// The identities of the findings; equal ones are numbered in the order of their lines.
std::vector<std::string> fingerprints(const std::vector<PlacedFinding>& findings) {
  const auto position = [](const PlacedFinding& finding) {
    const Place& it = finding.op_info.place;
    const Place other = finding.other ? finding.other->place : Place{};
    return std::tuple(it.line, other.line, it.offset, other.offset);
  };
  std::vector<std::size_t> order(findings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return position(findings[a]) < position(findings[b]);
  });
  std::vector<std::string> made(findings.size());
  std::map<std::string, int> seen;
  for (const std::size_t i : order) {
    made[i] = identity(findings[i]);
    if (const int number = ++seen[made[i]]; number > 1) made[i] += fmt::format("|{}", number);
  }
  return made;
}

std::string whole_message(const PlacedFinding& finding) {
  return fmt::format("{}: {}. Fix: {}.", title(finding), message(finding), repair(finding));
}

/// An insertion is a replacement of nothing.
void write_region(JsonWriter& json, const LineEdit& edit) {
  const bool after = edit.where == LineEdit::Where::after;
  const bool instead = edit.where == LineEdit::Where::instead;
  const std::uint32_t first = edit.line + (after ? 1 : 0);
  json.open_member("deletedRegion", '{').member("startLine", first).member("startColumn", 1);
  json.member("endLine", first + (instead ? 1 : 0)).member("endColumn", 1).close();
  const bool removed = instead && edit.code.empty();
  write_text(json, "insertedContent", removed ? "" : edit.code + "\n");
}

void write_fixes(JsonWriter& json, const PlacedFinding& finding) {
  if (finding.fixes.empty()) return;
  std::vector<std::string> files;
  for (const LineEdit& edit : finding.fixes) {
    if (std::find(files.begin(), files.end(), edit.file) == files.end()) files.push_back(edit.file);
  }
  json.open_member("fixes", '[').open('{');
  write_text(json, "description", repair(finding));
  json.open_member("artifactChanges", '[');
  for (const std::string& file : files) {
    json.open('{').open_member("artifactLocation", '{').member("uri", uri(file)).close();
    json.open_member("replacements", '[');
    for (const LineEdit& edit : finding.fixes) {
      if (edit.file != file) continue;
      json.open('{');
      write_region(json, edit);
      json.close();
    }
    json.close().close();
  }
  json.close().close().close();
}

void write_related_locations(JsonWriter& json, const PlacedFinding& finding) {
  const bool in_kernel = is_in_kernel(finding.rule) && finding.launch;
  if (!finding.other && !in_kernel) return;
  json.open_member("relatedLocations", '[');
  int id = 0;
  if (finding.other) write_location(json, *finding.other, ++id);
  for (const PlacedOp& op_info : finding.behind) write_location(json, op_info, ++id);
  if (in_kernel) write_location(json, *finding.launch, ++id, "launched here: ");
  json.close();
}

void write_result(JsonWriter& json, const PlacedFinding& finding, const std::string& fingerprint) {
  json.open('{').member("ruleId", info(finding.rule).id);
  json.member("ruleIndex", static_cast<unsigned>(finding.rule));
  json.member("level", name(finding.level));
  write_text(json, "message", whole_message(finding));
  json.open_member("locations", '[');
  write_location(json, finding.op_info, 0);
  json.close();
  write_related_locations(json, finding);
  write_fixes(json, finding);
  json.member("occurrenceCount", finding.times);
  json.open_member("partialFingerprints", '{').member("aclsim/v2", fingerprint).close();
  json.close();
}

}  // namespace

std::string to_sarif(const Report& report) {
  JsonWriter json;
  json.open('{').member("$schema", kSchema).member("version", "2.1.0");
  json.open_member("runs", '[').open('{');
  json.open_member("tool", '{').open_member("driver", '{').member("name", "aclsim");
  json.text("version", report.version);
  write_rules(json);
  json.close().close();
  json.open_member("results", '[');
  const std::vector<std::string> prints = fingerprints(report.findings);
  for (std::size_t i = 0; i < prints.size(); ++i) write_result(json, report.findings[i], prints[i]);
  json.close().open_member("properties", '{').member("kernels", report.kernels.all);
  json.member("undeclaredKernels", report.kernels.undeclared);
  if (!report.not_checked.empty()) {
    json.open_member("notJudged", '[');
    for (const std::string& what : report.not_checked) json.value(what);
    json.close();
  }
  json.text("failure", report.failure);
  if (!report.facts.empty()) {
    json.open_member("facts", '[');
    for (const auto& [name, what] : report.facts) json.value(name + ": " + what);
    json.close();
  }
  json.close();
  json.close().close().close();
  return json.take();
}

}  // namespace order
