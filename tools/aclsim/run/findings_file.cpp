// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/run/findings_file.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "runtime/order/report/dwarf_lines.h"

namespace aclsim {
namespace {

using nlohmann::json;

order::Place place_of(const json& node) {
  order::Place place;
  place.file = node.value("file", "");
  place.line = node.value("line", 0U);
  place.element = node.value("element", 0U);
  place.function = node.value("function", "");
  place.module = node.value("module", "");
  place.offset = node.value("offset", std::uint64_t{0});
  if (node.contains("callers")) {
    for (const json& caller : node["callers"]) place.callers.push_back(place_of(caller));
  }
  return place;
}

order::PlacedOp op_info_of(const json& node) {
  order::PlacedOp op_info;
  op_info.what = node.value("what", "");
  if (node.contains("stream")) op_info.stream = node["stream"].get<std::uint32_t>();
  op_info.on_default_stream = node.value("default_stream", false);
  op_info.thread = node.value("thread", 0U);
  op_info.process = node.value("process", "");
  op_info.number = node.value("number", 0U);
  op_info.device = node.value("device", -1);
  op_info.in_graph = node.value("in_graph", false);
  op_info.declared = node.value("declared", true);
  op_info.streams_vary = node.value("several_streams", false);
  if (node.contains("place")) op_info.place = place_of(node["place"]);
  if (node.contains("recorded")) op_info.recorded = place_of(node["recorded"]);
  return op_info;
}

order::PlacedFinding finding_of(const json& node) {
  order::PlacedFinding finding;
  const order::RuleInfo* const rule = order::find_rule(node.at("rule").get<std::string>());
  const auto level = order::level_of(node.at("level").get<std::string>());
  if (!rule || !level) throw std::runtime_error("no such rule or level");
  finding.rule = rule->rule;
  finding.level = *level;
  finding.title = node.value("title", "");
  finding.text = node.value("pattern", node.value("text", ""));
  finding.repair = node.value("repair_pattern", "");
  finding.cuda_difference = node.value("habit", "");
  finding.process = node.value("process", "");
  finding.times = node.value("times", std::uint64_t{1});
  finding.both_ways = node.value("both_ways", false);
  finding.op_info = op_info_of(node.at("it"));
  if (node.contains("other")) finding.other = op_info_of(node["other"]);
  if (node.contains("launch")) finding.launch = op_info_of(node["launch"]);
  if (node.contains("other_launch")) finding.other_launch = op_info_of(node["other_launch"]);
  if (node.contains("failed")) finding.failed = op_info_of(node["failed"]);
  if (node.contains("behind")) {
    for (const json& op_info : node["behind"]) finding.behind.push_back(op_info_of(op_info));
  }
  if (node.contains("bytes")) {
    const json& bytes = node["bytes"];
    finding.where = {bytes.value("begin", std::uintptr_t{0}), bytes.value("size", std::size_t{0}),
                     bytes.value("write", false), bytes.value("host", false)};
    finding.memory = bytes.value("memory", "");
    if (bytes.contains("offset")) finding.offset = bytes["offset"].get<std::uint64_t>();
    if (bytes.contains("allocated")) finding.allocated = place_of(bytes["allocated"]);
  }
  return finding;
}

order::Report report_of(const json& root) {
  order::Report report;
  report.version = root.value("version", "");
  report.program = root.value("program", "");
  report.suppressed = root.value("suppressed", std::uint64_t{0});
  report.kernels.all = root.value("kernels", std::uint64_t{0});
  report.kernels.undeclared = root.value("undeclared_kernels", std::uint64_t{0});
  for (const json& fact : root.value("facts", json::array())) {
    report.facts.emplace_back(fact.value("name", ""), fact.value("text", ""));
  }
  report.not_checked = root.value("not_judged", std::vector<std::string>{});
  report.unused = root.value("unused_suppressions", std::vector<std::string>{});
  for (const json& node : root.at("findings")) report.findings.push_back(finding_of(node));
  return report;
}

}  // namespace

order::Report read_findings(const std::string& text) {
  try {
    return report_of(json::parse(text));
  } catch (const std::exception& error) {
    throw std::runtime_error(std::string("a report cannot be read: ") + error.what());
  }
}

void add_lines(order::Report& report) {
  const auto lines = order::DwarfLines::of_files();
  if (!lines) return;
  const auto add_line = [&](order::Place& place) {
    if (place.file.empty()) lines->look_up(place);
  };
  const auto add = [&](order::PlacedOp& op_info) {
    add_line(op_info.place);
    for (order::Place& caller : op_info.place.callers) add_line(caller);
  };
  for (order::PlacedFinding& finding : report.findings) {
    add(finding.op_info);
    if (finding.other) add(*finding.other);
    if (finding.launch) add(*finding.launch);
    if (finding.other_launch) add(*finding.other_launch);
    if (finding.failed) add(*finding.failed);
    add_line(finding.allocated);
    for (order::PlacedOp& op_info : finding.behind) add(op_info);
  }
}

order::Report join(std::vector<order::Report> reports) {
  if (reports.empty()) return {};
  order::Report all = std::move(reports.front());
  for (auto at = reports.begin() + 1; at != reports.end(); ++at) {
    all.suppressed += at->suppressed;
    all.kernels.all += at->kernels.all;
    all.kernels.undeclared += at->kernels.undeclared;
    std::move(at->findings.begin(), at->findings.end(), std::back_inserter(all.findings));
    std::move(at->not_checked.begin(), at->not_checked.end(), std::back_inserter(all.not_checked));
    std::move(at->facts.begin(), at->facts.end(), std::back_inserter(all.facts));
    std::erase_if(all.unused, [&](const std::string& line) {
      return std::find(at->unused.begin(), at->unused.end(), line) == at->unused.end();
    });
  }
  return all;
}

}  // namespace aclsim
