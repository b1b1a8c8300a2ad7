// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tools/aclsim/api/api_rows.h"
#include "tools/aclsim/options/common_options.h"
#include "tools/aclsim/output/standard_output.h"
#include "tools/aclsim/output/text_table.h"
#include "tools/aclsim/run/checks.h"
#include "tools/aclsim/verbs/commands.h"

namespace aclsim {
namespace {

struct ApiOptions {
  std::string interface;
  std::string tier;
  std::string state;
  std::string format = "table";
};

std::vector<ApiRow> choose(const ApiOptions& options) {
  std::vector<ApiRow> rows;
  for (const ApiRow& row : all_api_rows()) {
    const bool interface = options.interface.empty() || options.interface == row.interface;
    const bool tier = options.tier.empty() || options.tier == row.tier;
    const bool state = options.state.empty() || options.state == row.state;
    if (interface && tier && state) rows.push_back(row);
  }
  return rows;
}

void print_functions(const std::vector<ApiRow>& rows) {
  std::vector<TableRow> table{{"function", "header", "section", "tier", "state", "missing"}};
  for (const ApiRow& row : rows) {
    table.push_back({row.name, row.header, row.section, row.tier, row.state, row.feature});
  }
  print_table(table, {Align::left});
}

void print_json(const std::vector<ApiRow>& rows) {
  std::vector<std::string> lines;
  for (const ApiRow& row : rows) {
    lines.push_back(fmt::format(
        "\n  {{\"name\": {}, \"header\": {}, \"section\": {}, \"tier\": {}, \"state\": {}, "
        "\"missing\": {}, \"interface\": {}}}",
        json_string(row.name), json_string(row.header), json_string(row.section),
        json_string(row.tier), json_string(row.state), json_string(row.feature),
        json_string(row.interface)));
  }
  print_out("[{}\n]\n", fmt::join(lines, ","));
}

void print_summary(const std::vector<ApiRow>& rows) {
  std::map<std::string, std::map<std::string, int>> tiers;
  std::map<std::string, int> all;
  for (const ApiRow& row : rows) {
    ++tiers[row.tier][row.state];
    ++all[row.state];
  }
  std::vector<TableRow> table{{"tier", "emulated", "inline", "unsupported"}};
  const auto add = [&](const std::string& name, std::map<std::string, int>& states) {
    table.push_back({name, std::to_string(states["emulated"]), std::to_string(states["inline"]),
                     std::to_string(states["unsupported"])});
  };
  for (auto& [tier, states] : tiers) add(tier, states);
  add("all", all);
  print_table(table, {Align::left, Align::right});
}

int show_api(const ApiOptions& options) {
  const std::vector<ApiRow> rows = choose(options);
  if (options.format == "json") print_json(rows);
  if (options.format == "markdown") print_out("{}", api_markdown(rows));
  if (options.format == "summary") print_summary(rows);
  if (options.format == "table") print_functions(rows);
  return kOk;
}

}  // namespace

void add_api(CLI::App& app, Verb& chosen) {
  CLI::App* const verb =
      app.add_subcommand("api", "List the public functions and which of them are emulated");
  verb->footer(
      "Tiers: T0 the core; T1 other functions that common programs use; T2 the rest of the "
      "runtime;\n"
      "T3 rarely used functions; GE models and operators. An unsupported function returns the "
      "error\n"
      "code of its interface: ACL_ERROR_RT_FEATURE_NOT_SUPPORT, HCCL_E_NOT_SUPPORT and so on.\n"
      "Example:\n  aclsim api --interface acl --tier T1 --state unsupported");
  const auto options = std::make_shared<ApiOptions>();
  verb->add_option("--interface", options->interface,
                   "list only this interface: acl, hccl (and HCOMM), shmem, cuda or aclnn "
                   "(operators)")
      ->type_name("NAME")
      ->check(one_of({"acl", "hccl", "shmem", "cuda", "aclnn"}));
  verb->add_option("--tier", options->tier, "list only this tier: T0, T1, T2, T3 or GE")
      ->type_name("TIER")
      ->check(one_of({"T0", "T1", "T2", "T3", "GE"}));
  verb->add_option("--state", options->state,
                   "list only this state: emulated, unsupported or inline")
      ->type_name("STATE")
      ->check(one_of({"emulated", "unsupported", "inline"}));
  add_format(*verb, options->format, {"table", "markdown", "summary"},
             "set the output format: table (default), markdown or summary");
  verb->callback([=, &chosen] { chosen = [=] { return show_api(*options); }; });
}

}  // namespace aclsim
