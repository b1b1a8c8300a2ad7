// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "tools/aclsim/output/standard_output.h"
#include "tools/aclsim/run/checks.h"
#include "tools/aclsim/verbs/commands.h"
#include "tools/aclsim/verbs/trace_verb.h"
#include "tools/trace/formats/format_table.h"
#include "tools/trace/read_trace.h"

namespace aclsim {
namespace {

struct ConvertOptions {
  TraceInput input;
  std::string output;
  std::string to;
  bool keep_args = false;
  bool keep_clocks = false;
};

void tell_omitted(const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  tell(fmt::format(
      "left out, as the format cannot contain them: {}\n"
      "aclsim itself finds them in the attribute `aclt` of the nodes, unless the file is changed\n",
      fmt::join(texts, ", ")));
}

int convert(const ConvertOptions& options) {
  trace::ReadOptions read;
  read.from = options.input.from;
  read.keep.args = options.keep_args;
  read.align_clocks = !options.keep_clocks;
  const trace::Trace it = read_shown(options.input.files, read, options.input.quiet);
  if (!options.input.quiet) show_remarks(it, false);
  const trace::Format& format = options.to.empty() ? trace::format_for_output(options.output)
                                                   : *trace::find_format(options.to);
  for (const std::string& path : format.write(it, options.output)) {
    if (!options.input.quiet) tell(fmt::format("wrote {}\n", path));
  }
  if (!options.input.quiet && format.omits) tell_omitted(format.omits(it));
  return kOk;
}

/// "set the output format: aclt or chakra; default: by the name (.et is chakra)"
std::string help_of_to() {
  std::vector<std::string> suffixes;
  for (const trace::Format& format : trace::formats()) {
    if (!format.write || format.name == trace::kNativeFormat) continue;
    suffixes.push_back(fmt::format("{} is {}", format.suffix, format.name));
  }
  return fmt::format("set the output format: {}; default: by the name ({})",
                     fmt::join(trace::written_formats(), " or "), fmt::join(suffixes, ", "));
}

}  // namespace

void add_convert(CLI::App& app, Verb& chosen) {
  CLI::App* const verb =
      app.add_subcommand("convert", "Convert traces of any known format into another");
  verb->footer(
      "The output file is complete or does not exist. A file whose name ends in .gz is "
      "compressed.\n"
      "Chakra traces are written to one file for each rank: out.et becomes out.0.et, out.1.et, "
      "...\n"
      "Example:\n  aclsim convert rank0/msprof_0.db rank1/msprof_1.db -o job.aclt.jsonl.gz");
  const auto options = std::make_shared<ConvertOptions>();
  add_trace_input(*verb, options->input);
  verb->add_option("-o,--output", options->output,
                   "write the result to FILE (must be given), - for standard output")
      ->type_name("FILE")
      ->required();
  verb->add_option("--to", options->to, help_of_to())
      ->type_name("FORMAT")
      ->check(one_of(trace::written_formats()));
  verb->add_flag("--keep-args", options->keep_args, "keep `args` of native traces");
  verb->add_flag("--keep-clocks", options->keep_clocks, "do not align the clocks of ranks");
  verb->callback([=, &chosen] {
    chosen = [=] { return with_traces("convert", [&] { return convert(*options); }); };
  });
}

}  // namespace aclsim
