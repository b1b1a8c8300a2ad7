// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/outcome.h"

#include <algorithm>
#include <iterator>

#include <nlohmann/json.hpp>

namespace trace {

Outcome outcome_of(const Trace& trace, OpIndex op) {
  Outcome outcome;
  const std::string& args = trace.args(op);
  if (args.empty()) return outcome;
  const auto json = nlohmann::json::parse(args, nullptr, false);
  if (!json.is_object()) return outcome;
  const auto text = [&](const char* key) {
    const auto at = json.find(key);
    return at != json.end() && at->is_string() ? at->get<std::string>() : std::string();
  };
  const auto flag = [&](const char* key, bool otherwise) {
    const auto at = json.find(key);
    return at != json.end() && at->is_boolean() ? at->get<bool>() : otherwise;
  };
  outcome.fails = json.contains("failed");
  outcome.failed = text("failed");
  const auto number = [&](const char* key, std::int64_t otherwise) {
    const auto at = json.find(key);
    return at != json.end() && at->is_number_integer() ? at->get<std::int64_t>() : otherwise;
  };
  outcome.returns = number("returns", outcome.returns);
  outcome.loses = flag("loses", false);
  outcome.checked = flag("judged", true);
  outcome.shown = flag("shown", false);
  outcome.alive = text("alive");
  outcome.rule = text("rule");
  outcome.found = text("found");
  outcome.warning = flag("warning", false);
  outcome.stream = number("stream", -1);
  outcome.device = number("device", -1);
  outcome.first = text("first");
  outcome.limit = flag("limit", false);
  outcome.unknown = text("unknown");
  outcome.title = text("title");
  outcome.repair = text("repair");
  outcome.other = text("other");
  outcome.at = text("at");
  const auto op_number = [&](const char* key) {
    const auto at = json.find(key);
    return at != json.end() && at->is_number_unsigned() ? at->get<std::uint64_t>() : 0;
  };
  outcome.stays_set = op_number("stays_set");
  outcome.begins = op_number(json.contains("runs") ? "runs" : "begins");
  outcome.ends = op_number(json.contains("runs") ? "runs" : "ends");
  return outcome;
}

bool is_outcome(std::string_view json) {
  static constexpr std::string_view kFirstKeys[] = {"failed",  "alive", "rule",     "runs",
                                                    "begins",  "ends",  "shared",   "shares",
                                                    "unknown", "limit", "stays_set"};
  return json.starts_with(R"({")") &&
         std::any_of(std::begin(kFirstKeys), std::end(kFirstKeys), [&](std::string_view key) {
           return json.compare(2, key.size(), key) == 0 &&
                  json.compare(2 + key.size(), 2, "\":") == 0;
         });
}

bool is_recording(const Trace& trace, const Source& source) {
  return trace.text(source.tool) == kRecordingTool;
}

}  // namespace trace
