// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "tools/aclsim/options/common_options.h"
#include "tools/aclsim/output/report_file.h"
#include "tools/aclsim/output/standard_output.h"
#include "tools/aclsim/verbs/commands.h"
#include "tools/aclsim/verbs/trace_verb.h"
#include "tools/replay/results/report.h"
#include "tools/trace/files/output_file.h"

namespace aclsim {
namespace {

using Json = nlohmann::ordered_json;

int merge(const std::vector<std::string>& files, const std::string& output, bool json) {
  std::vector<Json> runs;
  for (const std::string& file : files) {
    for (Json& run : read_runs(file)) runs.push_back(std::move(run));
  }
  const Json report = replay::make_report(std::move(runs));
  const std::string text = report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  if (output != "-") print_out("{}", json ? text : replay::to_text(report));
  if (output.empty()) return kOk;
  trace::OutputFile file(output);
  file.write(text);
  file.close();
  return kOk;
}

}  // namespace

void add_report(CLI::App& app, Verb& chosen) {
  CLI::App* const verb =
      app.add_subcommand("report", "Summarise reports of replays, or merge reports of shards");
  verb->footer(
      "The merged report is identical to the report of one run without shards.\n"
      "Example:\n  aclsim report shard-*.json -o all.json");
  const auto files = std::make_shared<std::vector<std::string>>();
  const auto output = std::make_shared<std::string>();
  verb->add_option("FILE", *files, "the reports that aclsim replay --report wrote")
      ->type_name("")
      ->required();
  const auto json = std::make_shared<bool>(false);
  add_json(*verb, *json);
  verb->add_option("-o,--output", *output, "write the merged report to FILE, - for standard output")
      ->type_name("FILE");
  verb->callback([=, &chosen] {
    chosen = [=] { return with_reports("report", [&] { return merge(*files, *output, *json); }); };
  });
}

}  // namespace aclsim
