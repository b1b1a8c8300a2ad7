// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/report/json_writer.h"
#include "runtime/order/report/report.h"

namespace order {
namespace {

void write(JsonWriter& json, const Place& place) {
  json.open('{');
  json.text("file", place.file);
  if (place.line != 0) json.member("line", place.line);
  if (place.element != 0) json.member("element", place.element);
  json.text("function", place.function);
  json.text("module", place.module);
  if (!place.module.empty()) json.member("offset", place.offset);
  if (!place.callers.empty()) {
    json.open_member("callers", '[');
    for (const Place& caller : place.callers) write(json, caller);
    json.close();
  }
  json.close();
}

void write(JsonWriter& json, const PlacedOp& op_info) {
  json.open('{').member("what", op_info.what);
  if (op_info.stream) {
    json.member("stream", *op_info.stream).member("default_stream", op_info.on_default_stream);
  }
  json.member("thread", op_info.thread).text("process", op_info.process);
  if (op_info.number != 0) json.member("number", op_info.number);
  if (op_info.device >= 0) json.member("device", op_info.device);
  if (op_info.in_graph) json.member("in_graph", true);
  if (op_info.streams_vary) json.member("several_streams", true);
  json.member("declared", op_info.declared);
  if (op_info.place.known()) write(json.key("place"), op_info.place);
  if (op_info.recorded.known()) write(json.key("recorded"), op_info.recorded);
  json.close();
}

void write(JsonWriter& json, const PlacedFinding& finding) {
  const RuleInfo& rule = info(finding.rule);
  json.open('{').member("rule", rule.id).member("level", name(finding.level));
  json.member("title", title(finding));
  const std::string text = message(finding);
  json.member("text", text);
  if (text != finding.text) json.text("pattern", finding.text);
  json.member("repair", repair(finding)).text("repair_pattern", finding.repair);
  json.text("habit", finding.cuda_difference).text("process", finding.process);
  json.member("times", finding.times);
  if (finding.both_ways) json.member("both_ways", true);
  if (finding.cause && finding.cause->number != 0)
    json.member("consequence_of", finding.cause->number);
  write(json.key("it"), finding.op_info);
  if (finding.other) write(json.key("other"), *finding.other);
  if (finding.launch) write(json.key("launch"), *finding.launch);
  if (finding.other_launch) write(json.key("other_launch"), *finding.other_launch);
  if (finding.failed) write(json.key("failed"), *finding.failed);
  if (!finding.behind.empty()) {
    json.open_member("behind", '[');
    for (const PlacedOp& op_info : finding.behind) write(json, op_info);
    json.close();
  }
  if (finding.where.size != 0) {
    json.open_member("bytes", '{').member("begin", finding.where.begin);
    json.member("size", finding.where.size).member("host", finding.where.host);
    json.member("write", finding.where.write).text("memory", finding.memory);
    if (finding.offset) json.member("offset", *finding.offset);
    if (finding.allocated.known()) write(json.key("allocated"), finding.allocated);
    json.close();
  }
  if (!finding.fixes.empty()) {
    json.open_member("fixes", '[');
    for (const LineEdit& edit : finding.fixes) {
      json.open('{').member("file", edit.file).member("line", edit.line);
      json.member("where", name(edit.where)).member("code", edit.code).close();
    }
    json.close();
  }
  json.close();
}

}  // namespace

std::string to_json(const Report& report) {
  JsonWriter json;
  json.open('{').member("format", "aclsim-findings").member("format_version", 2);
  json.text("version", report.version).text("program", report.program);
  json.member("errors", report.count(Level::error));
  json.member("warnings", report.count(Level::warning));
  json.member("notes", report.count(Level::note));
  json.member("suppressed", report.suppressed);
  json.member("kernels", report.kernels.all);
  json.member("undeclared_kernels", report.kernels.undeclared);
  if (!report.facts.empty()) {
    json.open_member("facts", '[');
    for (const auto& [name, what] : report.facts) {
      json.open('{').member("name", name).member("text", what).close();
    }
    json.close();
  }
  if (!report.not_checked.empty()) {
    json.open_member("not_judged", '[');
    for (const std::string& what : report.not_checked) json.value(what);
    json.close();
  }
  json.text("failure", report.failure);
  json.open_member("unused_suppressions", '[');
  for (const std::string& unused : report.unused) json.value(unused);
  json.close().open_member("findings", '[');
  for (const PlacedFinding& finding : report.findings) write(json, finding);
  json.close().close();
  return json.take();
}

}  // namespace order
