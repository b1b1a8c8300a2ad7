// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "tools/aclsim/run/checks.h"
#include "tools/aclsim/verbs/commands.h"
#include "tools/aclsim/verbs/trace_verb.h"
#include "tools/trace/aclt/aclt_writer.h"
#include "tools/trace/generate.h"

namespace aclsim {
namespace {

int generate(const trace::GenerateOptions& options, const std::string& output) {
  const trace::Trace it = trace::generate(options);
  trace::OutputFile out(output);
  trace::write_aclt(it, out);
  out.close();
  return kOk;
}

std::string footer() {
  std::string text = "Kinds:\n";
  for (const trace::GenerateKind& kind : trace::generate_kinds()) {
    text += fmt::format("  {:<9} {}\n", kind.name, kind.what);
  }
  return text +
         "The same options give the same bytes.\n"
         "Example:\n  aclsim gen ring --devices 8 --streams 2 --ops 10000 --seed 1 -o "
         "ring.aclt.jsonl";
}

}  // namespace

void add_gen(CLI::App& app, Verb& chosen) {
  CLI::App* const verb = app.add_subcommand("gen", "Write a synthetic trace");
  verb->footer(footer());
  const auto options = std::make_shared<trace::GenerateOptions>();
  const auto output = std::make_shared<std::string>("-");
  std::vector<std::string> kinds;
  for (const trace::GenerateKind& kind : trace::generate_kinds()) kinds.push_back(kind.name);
  verb->add_option("KIND", options->kind, "the kind of the trace; the list below has all kinds")
      ->type_name("")
      ->required()
      ->check(one_of(kinds));
  verb->add_option("--devices", options->devices, "set the number of devices (default 2)")
      ->type_name("N")
      ->check(whole_number(1, 65'536));
  verb->add_option("--streams", options->streams,
                   "set the number of streams of each device (default 1)")
      ->type_name("N")
      ->check(whole_number(1, 65'536));
  verb->add_option("--ops", options->ops, "set the number of ops of all streams (default 100)")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000'000));
  verb->add_option("--seed", options->seed, "set the seed of random choices (default 0)")
      ->type_name("S")
      ->check(whole_number(0, UINT64_MAX));
  verb->add_option("-o,--output", *output,
                   "write the trace to FILE, - for standard output (default)")
      ->type_name("FILE");
  verb->callback([=, &chosen] {
    chosen = [=] { return with_traces("gen", [&] { return generate(*options, *output); }); };
  });
}

}  // namespace aclsim
