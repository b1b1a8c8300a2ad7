// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/verbs/trace_verb.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <stdexcept>

#include "tools/aclsim/options/common_options.h"
#include "tools/aclsim/output/progress.h"
#include "tools/aclsim/run/checks.h"
#include "tools/aclsim/verbs/commands.h"
#include "tools/trace/files/output_file.h"
#include "tools/trace/formats/format_table.h"

namespace aclsim {

void add_trace_input(CLI::App& verb, TraceInput& input, const std::string& quiet) {
  verb.add_option("FILE", input.files,
                  fmt::format("the traces of one job, one or more files for each rank; a folder "
                              "means all traces in it, - the standard input; a pipe may deliver up "
                              "to {} MB",
                              trace::kMostOfPipe >> 20))
      ->type_name("")
      ->required();
  verb.add_option("--from", input.from,
                  fmt::format("set the format of all files: {}; default: detected from the content",
                              fmt::join(trace::format_names(), ", ")))
      ->type_name("FORMAT")
      ->check(one_of(trace::format_names()));
  add_quiet(verb, input.quiet, quiet);
}

trace::Trace read_shown(const std::vector<std::string>& files, trace::ReadOptions options,
                        bool quiet) {
  Progress progress(quiet ? Progress::Style::quiet : Progress::Style::automatic, "B");
  options.watch = [&](std::uint64_t bytes, std::uint64_t size) { progress.show(bytes, size); };
  return trace::read_trace(files, options);
}

void require_work(const char* verb, const trace::Trace& trace,
                  const std::vector<std::string>& files) {
  if (trace.size() != 0) return;
  throw std::invalid_argument(fmt::format("{}: {}: no operations; expected a trace with operations",
                                          verb, fmt::join(files, " ")));
}

int with_traces(const char* verb, const std::function<int()>& run) {
  try {
    return run();
  } catch (const trace::OutputError& error) {
    complain(fmt::format("{}: {}", verb, error.what()));
    return kFailed;
  } catch (const std::runtime_error& error) {
    complain(fmt::format("{}: {}", verb, error.what()));
  } catch (const std::invalid_argument& error) {
    complain(error.what());
  }
  return kUsage;
}

void show_remarks(const trace::Trace& trace, bool notes) {
  for (const trace::Remark& remark : trace.remarks()) {
    const bool warning = remark.level == trace::Level::warning;
    if (!warning && !notes) continue;
    std::string place;
    if (remark.source != trace::kNone) {
      place = trace.text(trace.sources()[remark.source].file);
      place += remark.line == 0 ? ": " : fmt::format(":{}: ", remark.line);
    }
    complain(fmt::format("{}: {}{}", warning ? "warning" : "note", place, remark.text));
  }
}

}  // namespace aclsim
